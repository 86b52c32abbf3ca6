// A request -> the program that it means: built in or read from a file, with the requested kernel.
#include "session/request.h"

#include "base/command_line.h"
#include "base/files.h"
#include "base/near_names.h"
#include "host/program_sources.h"
#include "model/device_limits.h"
#include "session/launch_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace lanescope::session {

std::vector<unsigned> arches() {
    std::vector<unsigned> found;
    for (const model::DeviceLimits& limits : model::device_limits()) {
        if (limits.capability >= least_arch && limits.capability <= most_arch) found.push_back(limits.capability);
    }
    return found;
}

bool is_arch(unsigned arch) {
    const std::vector<unsigned> known = arches();
    return std::ranges::find(known, arch) != known.end();
}
namespace {

std::vector<std::string> catalog_names() {
    std::vector<std::string> names;
    for (const Program& program : catalog()) {
        names.push_back(program.name);
        names.push_back(program.name.substr(program.name.rfind('/') + 1));
    }
    return names;
}

/// "sequentail" suggests "sequential": by its full name, as in the lists.
std::string suggestion(const std::string& name) {
    std::vector<std::string> full;
    for (const std::string& near : near_names(name, catalog_names())) {
        const Program* program = find_program(near);
        if (program != nullptr && std::ranges::find(full, program->name) == full.end()) full.push_back(program->name);
    }
    const std::string list = "`lanescope list` shows every kernel.";
    return full.empty() ? list : fmt::format("Did you mean \"{}\"? {}", fmt::join(full, "\" or \""), list);
}

bool looks_like_path(const std::string& name) {
    const std::string extension = std::filesystem::path(name).extension();
    return !extension.empty() || name.starts_with('.') || name.starts_with('/');
}

std::expected<Program, Refusal> find(const Request& request) {
    const auto options_in =
        [&](const std::filesystem::path& folder) -> std::expected<compile::CompilerOptions, Refusal> {
        compile::ReadOptions read = compile::read_compiler_options(request.compiler_options, folder);
        if (!read.passed_over.empty())
            return refuse("compiler options",
                          *problem_of(LaunchField::compiler, command_text(request.compiler_options)));
        return std::move(read.options);
    };
    const Program* const built_in = request.program.empty() ? &catalog().front() : find_program(request.program);
    if (built_in != nullptr) {
        auto options = options_in({});
        if (!options) return std::unexpected(std::move(options.error()));
        Program program = *built_in;
        program.source.options = std::move(*options);
        return program;
    }
    std::error_code error;
    if (!looks_like_path(request.program) && !std::filesystem::exists(request.program, error)) {
        return refuse("program", fmt::format("there is no kernel \"{}\"", request.program),
                      suggestion(request.program));
    }
    const auto source = opened_source(request.program);
    if (!source) return refuse("program", source.error());
    auto options = options_in(std::filesystem::path(source->path).parent_path());
    if (!options) return std::unexpected(std::move(options.error()));
    auto program = read_program(source->path, std::move(*options));
    if (!program) return refuse("program", program.error());
    return std::move(*program);
}

std::expected<Program, Refusal> choose_kernel(Program program, const Request& request) {
    const std::string& asked = request.kernel;
    if (asked.empty()) return program;
    auto chosen = with_kernel(program, asked);
    if (chosen) return std::move(*chosen);
    std::vector<std::string> names;
    for (const OtherKernel& other : kernels_of_other_sources(request, program.source.name)) {
        if (other.name == asked.substr(0, asked.find('<'))) {
            auto read = read_program(other.source, program.source.options);
            if (!read) return refuse("program", read.error());
            auto alone = with_kernel(*read, asked);
            if (!alone) return refuse("kernel", alone.error());
            return std::move(*alone);
        }
        names.push_back(other.name);
    }
    names.reserve(program.source.scan.kernels.size());
    for (const auto& kernel : program.source.scan.kernels) names.push_back(kernel.name);
    Problem problem = chosen.error();
    problem.where = {};  // the request is wrong, not a place in the file
    if (const std::string hint = did_you_mean(asked, names); !hint.empty()) problem.remedy = hint;
    return refuse("kernel", std::move(problem));
}

/// The parts of launch and data that a request itself specifies, in words: "block and n are"; empty: none.
std::string asked_of_launch(const Request& request) {
    std::vector<std::string_view> asked;
    if (request.block || request.block_extent) asked.emplace_back("the block");
    if (request.grid || request.grid_extent) asked.emplace_back("the grid");
    if (request.n) asked.emplace_back("n");
    if (request.shared_bytes) asked.emplace_back("shared memory");
    if (!request.input.empty()) asked.emplace_back("the input");
    if (!request.arguments.empty()) asked.emplace_back("an argument");
    if (asked.empty()) return {};
    const std::string_view last = asked.back();
    asked.pop_back();
    if (asked.empty()) return fmt::format("{} is", last);
    return fmt::format("{} and {} are", fmt::join(asked, ", "), last);
}

}  // namespace

Result<OpenedSource> opened_source(const std::string& path) {
    std::error_code error;
    if (path.empty() || find_program(path) != nullptr || !std::filesystem::is_directory(path, error))
        return OpenedSource{.path = path, .folder = {}};
    const std::filesystem::path folder = std::filesystem::absolute(path, error).lexically_normal();
    auto main = host::source_with_main(path);
    if (!main) return std::unexpected(std::move(main.error()));
    const bool direct = std::filesystem::equivalent(main->parent_path(), folder, error);
    return OpenedSource{.path = main->string(), .folder = direct ? std::string() : folder.string()};
}

std::filesystem::path working_folder_of(const Request& request, const std::filesystem::path& source) {
    std::error_code error;
    const std::filesystem::path own = std::filesystem::absolute(source, error).parent_path();
    return request.working_folder.empty() ? own : (own / request.working_folder).lexically_normal();
}

std::vector<OtherKernel> kernels_in(const std::string& text, const std::filesystem::path& source) {
    std::vector<OtherKernel> kernels;
    const auto read = read_source(text, source.string(), {});
    if (!read) return kernels;
    for (const compile::KernelDeclaration& kernel : read->scan.kernels)
        kernels.push_back({.source = source, .name = kernel.name, .line = kernel.line});
    return kernels;
}

std::vector<OtherKernel> kernels_of_other_sources(const Request& request, const std::filesystem::path& but) {
    std::error_code error;
    const auto opened = opened_source(request.program);
    if (!opened || find_program(request.program) != nullptr || !std::filesystem::is_regular_file(opened->path, error))
        return {};
    const std::filesystem::path source = std::filesystem::absolute(opened->path, error).lexically_normal();
    Request resolved = request;
    if (resolved.working_folder.empty()) resolved.working_folder = opened->folder;
    std::vector<OtherKernel> kernels;
    const std::filesystem::path passed_over = std::filesystem::absolute(but, error).lexically_normal();
    for (const std::filesystem::path& file : host::sources_beside(source, working_folder_of(resolved, source))) {
        const std::string text = file == passed_over ? std::string() : read_file(file).value_or("");
        if (text.find("__global__") == std::string::npos) continue;
        std::ranges::move(kernels_in(text, file), std::back_inserter(kernels));
    }
    return kernels;
}

std::expected<Program, Refusal> find_requested(const Request& request) {
    auto found = find(request);
    if (!found) return found;
    const std::string asked = asked_of_launch(request);
    const std::string alone = request.kernel.empty() && !asked.empty() ? kernel_alone(*found) : "";
    if (!alone.empty()) {
        auto one = with_kernel(*found, alone);
        if (!one) return refuse("kernel", one.error());
        one->notes.push_back(
            fmt::format("main() does not run, because {} specified: {} runs alone, with guessed arguments", asked,
                        one->recipe.kernel));
        return std::move(*one);
    }
    return choose_kernel(std::move(*found), request);
}

}  // namespace lanescope::session
