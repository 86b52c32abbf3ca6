#include "host/build_log.h"

#include "base/demangle.h"
#include "base/whole_number.h"
#include "compile/diagnostics.h"
#include "host/libraries.h"
#include "host/objects.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace lanescope::host {

namespace {

/// "other(int)" of "_Z5otheri".
std::string readable(const std::string& linked) { return demangled(linked).value_or(linked); }

/// g++'s "file:12:5: error: text".
std::optional<compile::LogMessage> gcc_message(std::string_view line) {
    for (const auto& [mark, severity] : {std::pair{": fatal error: ", compile::Diagnostic::Severity::error},
                                         std::pair{": error: ", compile::Diagnostic::Severity::error},
                                         std::pair{": warning: ", compile::Diagnostic::Severity::warning}}) {
        const std::size_t at = line.find(mark);
        if (at == std::string_view::npos || line.substr(0, at).ends_with(')')) continue;  // nvcc's own form
        compile::LogMessage message;
        message.diagnostic.severity = severity;
        message.diagnostic.text = line.substr(at + std::string_view(mark).size());
        std::string_view place = line.substr(0, at);
        unsigned numbers[2] = {0, 0};
        unsigned count = 0;
        while (count < 2) {
            const std::size_t colon = place.rfind(':');
            if (colon == std::string_view::npos) break;
            const auto number = whole_number<unsigned>(place.substr(colon + 1));
            if (!number) break;
            numbers[count++] = *number;
            place = place.substr(0, colon);
        }
        message.file = place;
        message.diagnostic.line = numbers[count == 2 ? 1 : 0];
        message.diagnostic.column = count == 2 ? numbers[0] : 0;
        return message;
    }
    return std::nullopt;
}

/// The texts between the marks, once each, in the order of the lines.
std::vector<std::string> names_between(const std::string& log, std::string_view begin, std::string_view end) {
    std::vector<std::string> names;
    for (std::size_t at = log.find(begin); at != std::string::npos; at = log.find(begin, at + 1)) {
        const std::size_t first = at + begin.size(), last = log.find(end, first);
        if (last == std::string::npos || last > log.find('\n', first)) continue;
        std::string name = log.substr(first, last - first);
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    return names;
}

std::vector<compile::Diagnostic> diagnostics_of(const std::string& log, const std::string& source) {
    std::vector<compile::LogMessage> messages;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);)
        if (auto message = gcc_message(line)) messages.push_back(std::move(*message));
    for (compile::LogMessage& message : compile::parse_log(log))
        if (!message.file.empty()) messages.push_back(std::move(message));
    return compile::diagnostics_for(messages, source);
}

/// Whether it is a runtime or driver function, "cudaMalloc", "cuMemAlloc", and not a library's, "curandGenerate".
bool is_of_cuda(const std::string& name) {
    const bool of_driver = name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z';
    return name.starts_with("cuda") || of_driver;
}

/// Whether it is a function of OpenMP, "omp_get_max_threads".
bool is_of_openmp(const std::string& name) { return name.starts_with("omp_") || name.starts_with("GOMP_"); }

/// Explains undefined symbols: a CUDA library or function that is not implemented, or a file that is not open.
BuildFailure lacking(const std::vector<std::string>& missing, const std::string& shown) {
    for (const std::string& name : missing) {
        const auto library = library_of(name);
        if (library && library->run)
            return failure(
                fmt::format("the program calls {}, which Lanescope's {} does not implement", shown, library->name));
        if (library)
            return failure(fmt::format("the program calls {}, and Lanescope does not run {}", shown, library->name),
                           libraries_that_run());
    }
    if (std::ranges::any_of(missing, is_of_cuda))
        return failure(fmt::format("the program calls {}, which Lanescope's CUDA runtime does not implement", shown));
    return failure(fmt::format("the program calls {}, which none of its files define", shown),
                   "Open the program's other files together with this one.");
}

/// The header that neither g++ ("x.h: No such file or directory") nor cudafe++ ("cannot open source file") finds.
std::string missing_header(const std::string& log) {
    if (const auto names = names_between(log, "cannot open source file \"", "\""); !names.empty()) return names.front();
    if (const auto names = names_between(log, "fatal error: ", ": No such file"); !names.empty()) return names.front();
    return {};
}

/// Whether the source declares a texture reference, `texture<float, 2> image;`, which CUDA 12 removed.
bool uses_texture_references(const std::string& log) {
    return log.find("texture is not a template") != std::string::npos ||
           log.find("identifier \"texture\" is undefined") != std::string::npos ||
           log.find("identifier \"cudaBindTexture") != std::string::npos;
}

/// The nvcc flag that the error message says is required: "--extended-lambda".
std::string wanted_flag(const std::string& log) {
    if (const auto names = names_between(log, "requires ", " nvcc flag"); !names.empty()) return names.front();
    if (const auto names = names_between(log, "The experimental flag '", "' can be used to allow this"); !names.empty())
        return names.front();
    return {};
}

}  // namespace

BuildFailure failure(std::string what, std::string remedy) {
    BuildFailure answer;
    answer.error.problem = {.what = std::move(what), .where = {}, .remedy = std::move(remedy)};
    return answer;
}

BuildFailure failure_of_compiler(const std::string& log, const std::string& source) {
    BuildFailure answer;
    answer.missing_header = missing_header(log);
    answer.redefined = log.find("redefinition of") != std::string::npos;
    answer.newer_target = compile::may_need_newer_gpu(log);
    answer.wanted_flag = wanted_flag(log);
    answer.error.diagnostics = diagnostics_of(log, source);
    const auto first = std::ranges::find(answer.error.diagnostics, compile::Diagnostic::Severity::error,
                                         &compile::Diagnostic::severity);
    if (first != answer.error.diagnostics.end()) {
        answer.error.problem.what = first->text;
        answer.error.problem.where = {.file = source, .line = first->line, .column = first->column};
        if (first->text.find("kernel launch from __device__ or __global__") != std::string::npos) {
            answer.error.problem.remedy =
                "Lanescope does not run launches by kernels (dynamic parallelism): launch the kernel from host code.";
        } else if (uses_texture_references(log)) {
            answer.error.problem.remedy =
                "CUDA 12 has removed texture references: create a texture object (cudaCreateTextureObject), and pass "
                "it to the kernel.";
        } else if (const auto library = library_of(answer.missing_header)) {
            answer.error.problem.remedy =
                library->run ? fmt::format("Install {} of your CUDA Toolkit, with its headers.", library->name)
                             : fmt::format("{} is not run. {}", library->name, libraries_that_run());
        } else if (!answer.missing_header.empty()) {
            answer.error.problem.remedy = fmt::format("Name the folder that holds {} with -I.", answer.missing_header);
        }
    } else {
        answer.error.problem.what = fmt::format("nvcc failed: {}", log.substr(0, 2000));
    }
    return answer;
}

BuildFailure failure_of_linker(const std::string& log) {
    const std::vector<std::string> twice = names_between(log, "multiple definition of `", "'");
    std::vector<std::string> missing = names_between(log, "undefined reference to `", "'");
    std::vector<std::string> shown;
    if (!twice.empty()) {
        std::ranges::transform(twice, std::back_inserter(shown), readable);
        BuildFailure answer = failure(fmt::format("several files of the program define {}", fmt::join(shown, ", ")),
                                      "Define it in one file, and declare it extern in the others.");
        answer.defined_twice = true;
        return answer;
    }
    if (missing.empty()) return failure(fmt::format("the program does not link: {}", log.substr(0, 2000)));
    if (std::ranges::find(missing, "main") != missing.end()) {
        BuildFailure answer = failure("the program has no main", "Open the file that has it.");
        answer.error.no_main = true;
        return answer;
    }
    std::ranges::transform(missing, std::back_inserter(shown), readable);
    BuildFailure answer = lacking(missing, fmt::format("{}", fmt::join(shown, ", ")));
    if (std::ranges::any_of(missing, is_of_openmp)) answer.wanted_flag = compile::openmp_option;
    answer.missing = std::move(missing);
    return answer;
}

std::vector<compile::Diagnostic> warnings_of(const std::string& log, const std::string& source) {
    std::vector<compile::Diagnostic> each;
    for (compile::Diagnostic& warning : diagnostics_of(log, source)) {
        // Host and device code are compiled separately, and both report the same warning.
        const bool said = std::ranges::any_of(each, [&](const compile::Diagnostic& other) {
            return other.line == warning.line && other.column == warning.column && other.text == warning.text;
        });
        if (!said) each.push_back(std::move(warning));
    }
    return each;
}

std::vector<std::string> extern_variables_of(const std::string& log) {
    std::vector<std::string> names = names_between(log, "extern declaration of the entity ", " is treated as");
    for (std::string& name : names)
        if (name.size() > 1 && name.front() == '"') name = name.substr(1, name.size() - 2);
    return names;
}

}  // namespace lanescope::host
