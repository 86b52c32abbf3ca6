#include "host/build.h"

#include "base/child_process.h"
#include "base/embedded.h"
#include "base/fnv1a.h"
#include "base/read_file.h"
#include "compile/cache.h"
#include "compile/diagnostics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

namespace lanescope::host {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view remedy =
    "Install the CUDA Toolkit 12.4 or later and g++, or call ./run.sh once, which fetches nvcc into .venv; kernels "
    "alone "
    "run without them.";

struct Output {
    Ending ending;
    std::string text;  ///< standard output and standard error
};

/// Runs a tool to its end; nothing where it was cancelled.
Result<std::optional<Output>> run_tool(const std::vector<std::string>& command, Progress* progress) {
    std::vector<std::string> arguments{"-c", "exec \"$@\" 2>&1", "sh"};
    arguments.insert(arguments.end(), command.begin(), command.end());
    auto child = ChildProcess::start({.program = "/bin/sh", .arguments = std::move(arguments)});
    if (!child) return std::unexpected(std::move(child.error()));
    Output output;
    while (true) {
        for (const std::string& line : child->lines()) output.text += line + '\n';
        if (const auto ending = child->ending()) {
            output.ending = *ending;
            return output;
        }
        if (progress != nullptr && progress->cancelled()) {
            child->kill();
            return std::nullopt;
        }
        child->wait(std::chrono::milliseconds(50));
    }
}

bool write_file(const fs::path& path, std::string_view text) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream out(path, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    return out.good();
}

std::vector<fs::path> nvcc_candidates() {
    std::vector<fs::path> found;
    if (const char* given = std::getenv("LANESCOPE_NVCC")) {
        if (std::string_view(given) != "none") found.emplace_back(given);
        return found;  // this one or none
    }
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = std::getenv(name)) found.emplace_back(fs::path(home) / "bin" / "nvcc");
    found.emplace_back("/usr/local/cuda/bin/nvcc");
    if (const char* path = std::getenv("PATH")) {
        std::istringstream folders(path);
        for (std::string folder; std::getline(folders, folder, ':');)
            if (!folder.empty()) found.emplace_back(fs::path(folder) / "nvcc");
    }
    std::error_code error;
    for (const auto& python : fs::directory_iterator(fs::path(LANESCOPE_VENV_DIR) / "lib", error))
        for (const char* version : {"cu13", "cu12"})
            found.emplace_back(python.path() / "site-packages" / "nvidia" / version / "bin" / "nvcc");
    return found;
}

Result<Toolchain> find_toolchain() {
    const auto compiler = run_tool({"g++", "-dumpversion"}, nullptr);
    if (!compiler || !*compiler || !(*compiler)->ending.fine())
        return fail("host code is not compiled: there is no g++", {}, std::string(remedy));
    for (const fs::path& candidate : nvcc_candidates()) {
        if (access(candidate.c_str(), X_OK) != 0) continue;
        const auto answer = run_tool({candidate.string(), "--version"}, nullptr);
        if (!answer || !*answer || !(*answer)->ending.fine()) continue;
        const std::string& text = (*answer)->text;
        const std::size_t at = text.find(", V");
        if (at == std::string::npos) continue;
        Toolchain found;
        std::error_code error;
        found.nvcc = fs::canonical(candidate, error);
        found.version = text.substr(at + 3, text.find_first_of("\r\n", at) - at - 3);
        for (const fs::path& include :
             {found.nvcc.parent_path().parent_path() / "include",
              found.nvcc.parent_path().parent_path() / "targets" / "x86_64-linux" / "include"})
            if (fs::exists(include / "cuda_runtime_api.h", error)) found.include = include;
        if (!found.include.empty()) return found;
    }
    return fail("host code is not compiled: there is no nvcc with its headers", {}, std::string(remedy));
}

/// Where what is built is kept; a folder of this process where nothing is to be kept.
fs::path build_folder() {
    const compile::Cache cache = compile::Cache::of_environment();
    if (cache.folder()) return *cache.folder() / "programs";
    std::error_code error;
    return fs::temp_directory_path(error) / fmt::format("lanescope-programs-{}", getpid());
}

compile::CompileFailure failure(std::string what, std::string advice = {}) {
    return {.problem = {.what = std::move(what), .where = {}, .remedy = std::move(advice)}, .diagnostics = {}};
}

/// Our own sources that go with a program, written to a folder named after their content and the toolkit.
struct RuntimeSources {
    fs::path home;
    std::vector<fs::path> files;  ///< to compile
    [[nodiscard]] fs::path library() const { return home / "liblanescope_cudart.so"; }
    /// What CUDA 13 dropped, put back (host/older/cuda_runtime.h).
    [[nodiscard]] fs::path older() const { return home / "host" / "older"; }
};

std::expected<RuntimeSources, compile::CompileFailure> runtime_sources(const Toolchain& tools) {
    constexpr std::string_view folder = "app/host/";
    std::vector<EmbeddedFile> files;
    std::uint64_t key = fnv1a(tools.version + tools.include.string());
    for (const EmbeddedFile& file : embedded_files()) {
        if (!file.path.starts_with(folder)) continue;
        files.push_back(file);
        key = fnv1a(file.bytes, fnv1a(file.path, key));
    }
    RuntimeSources sources{.home = build_folder() / fmt::format("runtime-{:016x}", key), .files = {}};
    std::error_code error;
    for (const EmbeddedFile& file : files) {
        const fs::path path = sources.home / "host" / file.path.substr(folder.size());
        if (path.extension() == ".cpp") sources.files.push_back(path);
        if (!fs::exists(path, error) && !write_file(path, file.bytes))
            return std::unexpected(failure(fmt::format("{} cannot be written", path.string())));
    }
    return sources;
}

/// The runtime that programs are linked with, compiled against this toolkit's headers, once.
std::expected<fs::path, compile::CompileFailure> runtime_library(const Toolchain& tools, const RuntimeSources& sources,
                                                                 Progress& progress) {
    std::error_code error;
    if (fs::exists(sources.library(), error)) return sources.library();
    const fs::path unfinished = sources.home / fmt::format("unfinished-{}.so", getpid());
    std::vector<std::string> command{"g++", "-std=c++17", "-O1", "-g1", "-fPIC", "-shared", "-o", unfinished.string()};
    for (const fs::path& file : sources.files) command.push_back(file.string());
    command.insert(command.end(), {"-I" + sources.home.string(), "-isystem", tools.include.string()});
    const auto output = run_tool(command, &progress);
    if (!output) return std::unexpected(failure(output.error().what));
    if (!*output) return std::unexpected(failure("the build was cancelled"));
    if (!(*output)->ending.fine())
        return std::unexpected(
            failure(fmt::format("Lanescope's CUDA runtime does not compile against the headers in {}:\n{}",
                                tools.include.string(), (*output)->text),
                    "Use a CUDA Toolkit of 12.4 to 13.0."));
    fs::rename(unfinished, sources.library(), error);
    return sources.library();
}

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
            const std::string digits(place.substr(colon + 1));
            if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) break;
            numbers[count++] = static_cast<unsigned>(std::strtoul(digits.c_str(), nullptr, 10));
            place = place.substr(0, colon);
        }
        message.file = place;
        message.diagnostic.line = numbers[count == 2 ? 1 : 0];
        message.diagnostic.column = count == 2 ? numbers[0] : 0;
        return message;
    }
    return std::nullopt;
}

/// The linker's "undefined reference to `cudaX'": a function of the API that the runtime lacks, or one of the
/// program's.
std::optional<std::string> missing_function(std::string_view line) {
    constexpr std::string_view mark = "undefined reference to `";
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view name = line.substr(at + mark.size());
    return std::string(name.substr(0, name.find('\'')));
}

compile::CompileFailure failure_of(const std::string& log, const std::string& source) {
    std::vector<compile::LogMessage> messages;
    std::istringstream lines(log);
    std::vector<std::string> missing;
    for (std::string line; std::getline(lines, line);) {
        if (const auto message = gcc_message(line)) messages.push_back(*message);
        if (const auto name = missing_function(line))
            if (std::ranges::find(missing, *name) == missing.end()) missing.push_back(*name);
    }
    if (!missing.empty()) {
        const bool ours =
            std::ranges::any_of(missing, [](const std::string& name) { return name.starts_with("cuda"); });
        return failure(fmt::format("the program calls {}, which {}", fmt::join(missing, ", "),
                                   ours ? "Lanescope's CUDA runtime does not implement" : "none of its files define"),
                       ours ? "" : "Open the program's other files together with this one.");
    }
    for (compile::LogMessage& message : compile::parse_log(log))
        if (!message.file.empty()) messages.push_back(std::move(message));
    compile::CompileFailure answer;
    answer.diagnostics = compile::diagnostics_for(messages, source);
    const auto first =
        std::ranges::find(answer.diagnostics, compile::Diagnostic::Severity::error, &compile::Diagnostic::severity);
    if (first != answer.diagnostics.end()) {
        answer.problem.what = first->text;
        answer.problem.where = {.file = source, .line = first->line, .column = first->column};
    } else {
        answer.problem.what = fmt::format("nvcc did not compile it: {}", log.substr(0, 2000));
    }
    return answer;
}

/// Everything that the program was compiled from is as it was then.
bool is_fresh(const fs::path& list) {
    const auto text = read_file(list);
    if (!text) return false;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = line.find(' ');
        if (space == std::string::npos) return false;
        const auto content = read_file(line.substr(space + 1));
        if (!content || fmt::format("{:016x}", fnv1a(*content)) != line.substr(0, space)) return false;
    }
    return true;
}

/// nvcc's make rule -> the files it names, with the hash of each. The toolkit's own headers change with its version
/// only.
std::string hashes_of(const fs::path& rule, const fs::path& toolkit) {
    std::string list;
    const auto text = read_file(rule);
    if (!text) return list;
    std::string name;
    const std::string prefix = toolkit.string();
    const auto add = [&] {
        if (!name.empty() && name.back() != ':' && !name.starts_with(prefix) && !name.starts_with("/usr/"))
            if (const auto content = read_file(name)) list += fmt::format("{:016x} {}\n", fnv1a(*content), name);
        name.clear();
    };
    for (std::size_t i = 0; i < text->size(); ++i) {
        const char c = (*text)[i];
        if (c == '\\' && i + 1 < text->size() && (*text)[i + 1] == ' ')
            name += (*text)[++i];
        else if (c == ' ' || c == '\n' || c == '\\')
            add();
        else
            name += c;
    }
    add();
    return list;
}

}  // namespace

const Result<Toolchain>& toolchain() {
    static const Result<Toolchain> found = find_toolchain();
    return found;
}

namespace {

struct Object {
    fs::path file;
    std::string log;  ///< warnings
    bool cached = false;
};

/// One source compiled, or found as it was compiled from the same texts before.
std::expected<Object, compile::CompileFailure> compile_object(const Toolchain& tools, const BuildRequest& request,
                                                              const fs::path& source, const fs::path& older,
                                                              Progress& progress) {
    std::vector<std::string> command{tools.nvcc.string(), "-std=c++17", "-ccbin", "g++"};
    command.push_back(fmt::format("-gencode=arch=compute_{0},code=compute_{0}", request.arch));
    command.insert(command.end(), {"--no-compress", "-g", request.view == compile::View::written ? "-G" : "-lineinfo",
                                   "-Xcompiler", "-fno-pie,-fno-omit-frame-pointer"});
    command.push_back("-I" + older.string());
    command.insert(command.end(), request.options.begin(), request.options.end());
    for (const fs::path& folder : request.include) command.push_back("-I" + folder.string());
    for (const auto& [name, value] : request.defines)
        command.push_back(value.empty() ? "-D" + name : fmt::format("-D{}={}", name, value));
    command.insert(command.end(), {"-c", source.string()});

    const std::uint64_t key = fnv1a(fmt::format("{}\n{}", tools.version, fmt::join(command, "\n")));
    const fs::path home = build_folder() / fmt::format("object-{:016x}", key);
    Object object{.file = home / "object.o", .log = {}, .cached = false};
    std::error_code error;
    if (fs::exists(object.file, error) && is_fresh(home / "sources")) {
        object.cached = true;
        object.log = read_file(home / "log").value_or("");
        return object;
    }
    fs::create_directories(home, error);
    const fs::path unfinished = home / fmt::format("unfinished-{}.o", getpid()),
                   rule = home / fmt::format("rule-{}", getpid());
    command.insert(command.end(), {"-MD", "-MF", rule.string(), "-o", unfinished.string()});
    const auto output = run_tool(command, &progress);
    if (!output) return std::unexpected(failure(output.error().what));
    if (!*output) return std::unexpected(failure("the build was cancelled"));
    if (!(*output)->ending.fine()) return std::unexpected(failure_of((*output)->text, source.string()));
    object.log = (*output)->text;
    fs::remove(home / "sources", error);
    fs::rename(unfinished, object.file, error);
    write_file(home / "log", object.log);
    write_file(home / "sources", hashes_of(rule, tools.include.parent_path()));
    fs::remove(rule, error);
    return object;
}

}  // namespace

std::expected<Built, compile::CompileFailure> build(const BuildRequest& request, Progress& progress) {
    const Result<Toolchain>& tools = toolchain();
    if (!tools) return std::unexpected(compile::CompileFailure{.problem = tools.error(), .diagnostics = {}});

    const auto ours = runtime_sources(*tools);
    if (!ours) return std::unexpected(ours.error());

    using Compiled = std::expected<Object, compile::CompileFailure>;
    std::vector<std::future<Compiled>> pending;
    for (const fs::path& source : request.sources)
        pending.push_back(std::async(std::launch::async, [&, path = fs::absolute(source)] {
            return compile_object(*tools, request, path, ours->older(), progress);
        }));
    const auto runtime = runtime_library(*tools, *ours, progress);
    Built built{.program = {}, .diagnostics = {}, .cached = true};
    std::vector<std::string> link{"g++", "-no-pie", "-g"};
    std::uint64_t key = runtime ? fnv1a(runtime->string()) : 0;
    std::optional<compile::CompileFailure> failed;
    for (std::size_t i = 0; i < pending.size(); ++i) {
        Compiled object = pending[i].get();
        if (!object) {
            if (!failed) failed = std::move(object.error());
            continue;
        }
        link.push_back(object->file.string());
        key = fnv1a(object->file.string(), key);
        built.cached = built.cached && object->cached;
        std::ranges::move(failure_of(object->log, request.sources[i].string()).diagnostics,
                          std::back_inserter(built.diagnostics));
    }
    if (failed) return std::unexpected(std::move(*failed));
    if (!runtime) return std::unexpected(runtime.error());

    const fs::path home = build_folder() / fmt::format("program-{:016x}", key);
    built.program = home / "program";
    std::error_code error;
    if (built.cached && fs::exists(built.program, error)) return built;
    built.cached = false;
    fs::create_directories(home, error);
    const fs::path unfinished = home / fmt::format("unfinished-{}", getpid());
    link.insert(link.end(), {runtime->string(), "-Wl,-rpath," + runtime->parent_path().string(), "-lpthread", "-o",
                             unfinished.string()});
    const auto output = run_tool(link, &progress);
    if (!output) return std::unexpected(failure(output.error().what));
    if (!*output) return std::unexpected(failure("the build was cancelled"));
    if (!(*output)->ending.fine())
        return std::unexpected(failure_of((*output)->text, request.sources.front().string()));
    fs::rename(unfinished, built.program, error);
    return built;
}

}  // namespace lanescope::host
