#include "host/objects.h"

#include "base/embedded.h"
#include "base/files.h"
#include "base/fnv1a.h"
#include "compile/cache.h"
#include "compile/compiler_options.h"
#include "compile/nvrtc.h"
#include "host/compile_steps.h"
#include "host/libraries.h"
#include "host/object_file.h"
#include "host/protocol.h"
#include "host/tool.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

namespace lanescope::host {

namespace fs = std::filesystem;

namespace {

/// The temporary name of a file that a tool writes, renamed when complete: other processes and threads may build the
/// same file.
std::string unfinished_name() { return fmt::format("unfinished-{}-{}", getpid(), gettid()); }

/// Lanescope's own sources that go with a program, written to a folder named after their content and the toolkit.
struct RuntimeSources {
    fs::path home;
    std::vector<fs::path> files;  ///< to compile
    [[nodiscard]] fs::path library() const { return home / "liblanescope_cudart.so"; }
    /// Members that CUDA 13 dropped, put back (host/older/cuda_runtime.h).
    [[nodiscard]] fs::path older() const { return home / "host" / "older"; }
};

std::expected<RuntimeSources, BuildFailure> runtime_sources(const Toolchain& tools) {
    constexpr std::string_view root = "app/", folders[] = {"app/host/", "app/model/", "app/base/"};
    std::vector<EmbeddedFile> files;
    std::uint64_t key = fnv1a(tools.version + tools.include.string());
    for (const EmbeddedFile& file : embedded_files()) {
        if (std::ranges::none_of(folders, [&](auto folder) { return file.path.starts_with(folder); })) continue;
        files.push_back(file);
        key = fnv1a(file.bytes, fnv1a(file.path, key));
    }
    RuntimeSources sources{.home = build_folder() / fmt::format("runtime-{:016x}", key), .files = {}};
    std::error_code error;
    for (const EmbeddedFile& file : files) {
        const fs::path path = sources.home / file.path.substr(root.size());
        if (path.extension() == ".cpp") sources.files.push_back(path);
        if (!fs::exists(path, error) && !write_file(path, file.bytes))
            return std::unexpected(failure(fmt::format("{} cannot be written", path.string())));
    }
    return sources;
}

/// A file that an object was compiled from, with the hash of its content at that time.
struct ReadFile {
    fs::path path;
    std::string hash;
};
/// Reads the list that hashes_of() writes; nullopt if it is missing or damaged.
std::optional<std::vector<ReadFile>> read_list(const fs::path& list) {
    const auto text = read_file(list);
    if (!text) return std::nullopt;
    std::vector<ReadFile> files;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = line.find(' ');
        if (space == std::string::npos) return std::nullopt;
        files.push_back({.path = line.substr(space + 1), .hash = line.substr(0, space)});
    }
    return files;
}
fs::path list_of(const fs::path& object_folder) { return object_folder / "sources"; }

/// Whether every file that the object was compiled from is unchanged.
bool is_fresh(const fs::path& list) {
    const auto files = read_list(list);
    return files && std::ranges::all_of(*files, [](const ReadFile& file) {
               const auto content = read_file(file.path);
               return content && fmt::format("{:016x}", fnv1a(*content)) == file.hash;
           });
}

/// Make rules -> the files they name, with the hash of each. The toolkit's own headers change with its version only.
std::string hashes_of(std::string_view rules, const fs::path& toolkit) {
    std::string list, name;
    std::set<std::string> listed;
    const std::string prefix = toolkit.string();
    const auto add = [&] {
        if (!name.empty() && name.back() != ':' && !name.starts_with(prefix) && !name.starts_with("/usr/") &&
            listed.insert(name).second)
            if (const auto content = read_file(name)) list += fmt::format("{:016x} {}\n", fnv1a(*content), name);
        name.clear();
    };
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const char c = rules[i];
        if (c == '\\' && i + 1 < rules.size() && rules[i + 1] == ' ')
            name += rules[++i];
        else if (c == ' ' || c == '\n' || c == '\\')
            add();
        else
            name += c;
    }
    add();
    return list;
}

/// The output of a tool that succeeded; otherwise `explain` makes the error from its output.
template <class Explain>
std::expected<std::string, BuildFailure> succeed(const std::vector<std::string>& command, Progress& progress,
                                                 Explain explain) {
    const auto output = run_tool(command, &progress);
    if (!output) return std::unexpected(failure(output.error().what));
    if (!*output) return std::unexpected(failure("the build was cancelled"));
    if (!(*output)->ending.fine()) return std::unexpected(explain((*output)->text));
    return (*output)->text;
}

std::vector<std::string> nvcc_command(const Toolchain& tools, const RuntimeSources& ours, const BuildRequest& request,
                                      const fs::path& source, bool relocatable) {
    const compile::CompilerOptions options = options_of(request, source);
    std::vector<std::string> command{tools.nvcc.string(), "-ccbin", "g++"};
    command.push_back(fmt::format("-gencode=arch=compute_{0},code=compute_{0}", request.arch));
    command.insert(command.end(), {"--no-compress", "-g", request.view == compile::View::written ? "-G" : "-lineinfo",
                                   "-Xcompiler", "-fno-pie,-fno-omit-frame-pointer"});
    const bool said = std::ranges::find(options.others, relocatable_option) != options.others.end();
    if (relocatable && !said) command.emplace_back(relocatable_option);
    // Without the sanitizer an array of host code that is overrun would spoil other variables, and the program would
    // end without a message.
    command.insert(command.end(),
                   {"-Xcompiler", request.address_sanitizer ? "-fsanitize=address" : "-fstack-protector-strong"});
    // Clones of a function take its arguments in other places.
    if (request.host_calls)
        command.insert(command.end(),
                       {"-Xcompiler", fmt::format("-fpatchable-function-entry={},-fno-inline,-fno-partial-inlining,"
                                                  "-fno-ipa-sra,-fno-ipa-cp,-fno-ipa-icf",
                                                  entry_bytes)});
    if (request.keep_device_functions) command.emplace_back("--keep-device-functions");
    command.push_back("-I" + ours.older().string());
    command.insert(command.end(), options.others.begin(), options.others.end());
    for (const fs::path& folder : options.include) command.push_back("-I" + folder.string());
    for (const auto& [name, value] : options.defines)
        command.push_back(value.empty() ? "-D" + name : fmt::format("-D{}={}", name, value));
    return command;
}

}  // namespace

bool write_file(const fs::path& path, std::string_view text) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    return lanescope::write_file(path, text).has_value();
}

fs::path build_folder() {
    const compile::Cache cache = compile::Cache::of_environment();
    if (cache.folder()) return *cache.folder() / "programs";
    /// Removed when this process ends.
    struct Temporary {
        std::error_code error;
        fs::path path = fs::temp_directory_path(error) / fmt::format("lanescope-programs-{}", getpid());
        ~Temporary() { fs::remove_all(path, error); }
    };
    static const auto temporary = std::make_unique<Temporary>();
    return temporary->path;
}

namespace {

/// Two files of about the same size that include the runtime's sources: what all of these include is read twice, not
/// once a source (28 s of compile time become 12), and two processors compile side by side.
std::array<std::string, 2> halves_of(const RuntimeSources& sources) {
    std::error_code error;
    std::uintmax_t all = 0, listed = 0;
    for (const fs::path& file : sources.files) all += fs::file_size(file, error);
    std::array<std::string, 2> halves;
    for (const fs::path& file : sources.files) {
        halves[2 * listed < all ? 0 : 1] += fmt::format("#include \"{}\"\n", file.string());
        listed += fs::file_size(file, error);
    }
    return halves;
}

}  // namespace

/// The runtime that programs are linked with, compiled against this toolkit's headers, once.
std::expected<fs::path, BuildFailure> runtime_library(const Toolchain& tools, Progress& progress) {
    const auto sources = runtime_sources(tools);
    if (!sources) return std::unexpected(sources.error());
    std::error_code error;
    if (fs::exists(sources->library(), error)) return sources->library();
    const auto explain = [&](const std::string& log) {
        return failure(fmt::format("Lanescope's CUDA runtime does not compile against the headers in {}:\n{}",
                                   tools.include.string(), log),
                       fmt::format("Use a CUDA Toolkit of {} to 13.0.", compile::oldest_cuda_text()));
    };
    const std::string doing = progress.doing();
    progress.say("compiling Lanescope's CUDA runtime, once");
    const fs::path work = sources->home / unfinished_name();
    std::vector<std::string> link{"g++", "-shared"};
    std::vector<std::future<std::expected<std::string, BuildFailure>>> compiling;
    for (const std::string& half : halves_of(*sources)) {
        const std::string stem = work / fmt::format("half-{}", compiling.size());
        if (!write_file(stem + ".cpp", half))
            return std::unexpected(failure(fmt::format("{}.cpp cannot be written", stem)));
        link.push_back(stem + ".o");
        compiling.push_back(std::async(std::launch::async, [&, stem] {
            return succeed({"g++", "-std=c++17", "-O1", "-g1", "-fPIC", "-c", stem + ".cpp", "-o", stem + ".o",
                            "-I" + sources->home.string(), "-isystem", tools.include.string()},
                           progress, explain);
        }));
    }
    std::optional<BuildFailure> failed;
    for (auto& half : compiling)
        if (const auto output = half.get(); !output && !failed) failed = output.error();
    if (!failed) {
        const std::string library = work / "library.so";
        link.insert(link.end(), {"-o", library});
        if (const auto output = succeed(link, progress, explain); !output)
            failed = output.error();
        else
            fs::rename(library, sources->library(), error);
    }
    progress.say(doing);
    fs::remove_all(work, error);
    if (failed) return std::unexpected(std::move(*failed));
    return sources->library();
}

bool has_device_code(const fs::path& source) { return source.extension() == ".cu"; }

std::vector<fs::path> files_read_for(const Object& object) {
    std::vector<fs::path> paths;
    if (const auto files = read_list(list_of(object.file.parent_path())))
        for (const ReadFile& file : *files) paths.push_back(file.path);
    return paths;
}

compile::CompilerOptions options_of(const BuildRequest& request, const fs::path& source) {
    compile::CompilerOptions options{.include = request.include, .defines = request.defines, .others = request.options};
    auto own = request.own_options.find(source);
    if (own == request.own_options.end() && !request.sources.empty())
        own = request.own_options.find(request.sources.front());
    if (own == request.own_options.end()) return options;
    const auto& [include, defines, others] = own->second;
    options.include.insert(options.include.end(), include.begin(), include.end());
    options.defines.insert(defines.begin(), defines.end());
    const bool stated = std::ranges::any_of(request.options, compile::states_standard);
    for (const std::string& option : others) {
        const bool said = std::ranges::find(options.others, option) != options.others.end();
        if (!said && !(stated && compile::states_standard(option))) options.others.push_back(option);
    }
    return options;
}

namespace {

/// An option of any of the sources.
bool has_option(const BuildRequest& request, std::string_view option) {
    return std::ranges::any_of(request.sources, [&](const fs::path& source) {
        const std::vector<std::string> options = options_of(request, source).others;
        return std::ranges::find(options, option) != options.end();
    });
}

}  // namespace

bool links_device_code(const BuildRequest& request) {
    return (!request.apart && std::ranges::count_if(request.sources, has_device_code) > 1) ||
           has_option(request, relocatable_option);
}

namespace {

/// The compiler's messages, and the make rules that list the files it read.
struct Compiled {
    std::string log, rules;
};
using CompilerResult = std::expected<Compiled, BuildFailure>;

/// Runs nvcc on one source, or the commands of its plan in parallel (compile_steps.h). `folder`: of intermediate files.
CompilerResult run_compiler(std::vector<std::string> command, const fs::path& source, const fs::path& folder,
                            bool side_by_side, Progress& progress) {
    const auto explain = [&](const std::string& log) { return failure_of_compiler(log, source.string()); };
    // Files left by a compiler that fails or is cancelled are removed with the folder.
    const std::vector<std::string> in_folder{"/usr/bin/env", "TMPDIR=" + folder.string()};
    command.insert(command.begin(), in_folder.begin(), in_folder.end());
    const auto run = [&](const std::vector<std::string>& tool) { return succeed(tool, progress, explain); };
    if (side_by_side) {
        std::vector<std::string> asks = command;
        asks.insert(asks.end(), {"--dryrun", "--keep", "--keep-dir", folder.string()});
        const auto plan = run(asks);
        if (const auto steps = plan ? compile_steps(*plan, folder) : std::nullopt) {
            Progress part(&progress);
            const auto script = [&](const std::string& text) {
                std::vector<std::string> tool = in_folder;
                tool.insert(tool.end(), {"/bin/sh", "-c", text});
                return tool;
            };
            auto beside = std::async(std::launch::async, [&] { return run_tool(script(steps->device), &part); });
            const auto host = run_tool(script(steps->host), &progress);
            // nvcc does the same, and then does not begin with device code.
            const bool fine = host && *host && (*host)->ending.fine();
            if (!fine) part.cancel();
            const auto device = beside.get();
            if (progress.cancelled()) return std::unexpected(failure("the build was cancelled"));
            if (!host) return std::unexpected(failure(host.error().what));
            if (!fine) return std::unexpected(explain(*host ? (*host)->text : std::string()));
            if (!device) return std::unexpected(failure(device.error().what));
            if (!*device) return std::unexpected(failure("the build was cancelled"));
            Compiled done{.log = (*host)->text + (*device)->text, .rules = {}};
            if (!(*device)->ending.fine()) return std::unexpected(explain(done.log));
            const auto id = read_file(steps->id), other = read_file(steps->other);
            if (id && other && *id == *other) {
                const auto last = run(script(steps->finish));
                if (!last) return std::unexpected(last.error());
                done.log += *last;
                done.rules = read_file(steps->host_rule).value_or("") + read_file(steps->device_rule).value_or("");
                return done;
            }
        }
    }
    const fs::path rule = folder / "rule";
    command.insert(command.end(), {"-MD", "-MF", rule.string()});
    auto log = run(command);
    if (!log) return std::unexpected(std::move(log.error()));
    return Compiled{.log = *std::move(log), .rules = read_file(rule).value_or("")};
}

/// Compiles one source to a file called `name` by the nvcc option ("-c", "-ptx"), or finds it in the cache.
std::expected<Object, BuildFailure> compile_source(const BuildRequest& request, const fs::path& source,
                                                   bool relocatable, const std::string& option, std::string_view name,
                                                   Progress& progress) {
    const Result<Toolchain>& tools = toolchain();
    if (!tools) return std::unexpected(failure(tools.error().what, tools.error().remedy));
    const auto ours = runtime_sources(*tools);
    if (!ours) return std::unexpected(ours.error());
    std::vector<std::string> command = nvcc_command(*tools, *ours, request, source, relocatable);
    if (source.extension() == ".c") {
        std::erase_if(command, compile::states_standard);  // the option names a C++ standard, and this is C
    } else if (std::ranges::none_of(command, compile::states_standard)) {
        command.emplace_back("-std=c++17");
    }
    command.insert(command.end(), {option, fs::absolute(source).string()});

    const std::uint64_t key = fnv1a(fmt::format("{}\n{}", tools->version, fmt::join(command, "\n")));
    const fs::path home = build_folder() / fmt::format("object-{:016x}", key);
    Object object{.file = home / name, .log = {}, .cached = false};
    std::error_code error;
    if (fs::exists(object.file, error) && is_fresh(list_of(home))) {
        object.cached = true;
        object.log = read_file(home / "log").value_or("");
        return object;
    }
    const fs::path work = home / unfinished_name();
    fs::create_directories(work, error);
    const fs::path unfinished = work / name;
    command.insert(command.end(), {"-o", unfinished.string()});
    const bool side_by_side = option == "-c" && has_device_code(source);
    const auto compile = [&] { return run_compiler(command, source, work, side_by_side, progress); };
    auto output = compile();
    if (!output && output.error().missing_header.starts_with("curand")) {  // its headers come with it
        if (const auto fetched = curand_library(progress); !fetched)
            output.error().error.problem.remedy = fetched.error().message();
        else
            output = compile();
    }
    if (output) {
        object.log = std::move(output->log);
        fs::remove(list_of(home), error);
        fs::rename(unfinished, object.file, error);
        write_file(home / "log", object.log);
        write_file(list_of(home), hashes_of(output->rules, tools->include.parent_path()));
    }
    fs::remove_all(work, error);
    if (!output) return std::unexpected(std::move(output.error()));
    return object;
}

}  // namespace

std::expected<Object, BuildFailure> compile_object(const BuildRequest& request, const fs::path& source,
                                                   bool relocatable, Progress& progress) {
    return compile_source(request, source, relocatable, "-c", "object.o", progress);
}

std::expected<Object, BuildFailure> compile_device_code(const BuildRequest& request, const fs::path& source,
                                                        bool relocatable, Progress& progress) {
    return compile_source(request, source, relocatable, "-ptx", "device.ptx", progress);
}

namespace {

/// Marks a cached build as used now, so that remove_unused() keeps it.
void touch(const fs::path& folder) {
    std::error_code error;
    fs::last_write_time(folder, fs::file_time_type::clock::now(), error);
}

/// Removes cached builds that were not used for a month.
void remove_unused() {
    constexpr auto month = std::chrono::hours(24 * 30);
    std::error_code error;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator at(build_folder(), error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        std::error_code unreadable;
        const auto used = at->last_write_time(unreadable);
        if (unreadable || now - used < month) continue;
        if (name.starts_with("object-") || name.starts_with("program-")) fs::remove_all(at->path(), unreadable);
    }
}

/// nvcc's link step without nvlink: the source of the functions that the objects' static constructors call to register
/// their PTX with the runtime. Empty where no object is relocatable.
std::string registration_of(const std::vector<fs::path>& objects) {
    constexpr std::string_view prefix = "__cudaRegisterLinkedBinary_";
    std::vector<std::string> functions;
    for (const fs::path& object : objects)
        for (const std::string& name : read_symbols(object).undefined)
            if (name.starts_with(prefix)) functions.push_back(name);
    if (functions.empty()) return {};
    std::string text = "void lanescopeRegisterLinked(void (*entities)(void**), void* binary, unsigned count);\n";
    for (const std::string& function : functions)
        text += fmt::format(
            "void {}(void (*entities)(void**), void* binary, void* id, void (*keep)(void*))\n"
            "{{\n    keep(id);\n    lanescopeRegisterLinked(entities, binary, {});\n}}\n",
            function, functions.size());
    return text;
}

/// NVIDIA's own libraries among the CUDA libraries that the objects call: the program is linked with them. Or the
/// reason why one is not available.
std::expected<std::vector<fs::path>, BuildFailure> libraries_called(const std::vector<fs::path>& objects,
                                                                    Progress& progress) {
    bool curand = false, cublas = false, nvrtc = false;
    for (const fs::path& object : objects)
        for (const std::string& name : read_symbols(object).undefined) {
            curand = curand || name.starts_with("curand");
            cublas = cublas || name.starts_with("cublas");
            nvrtc = nvrtc || name.starts_with("nvrtc");
        }
    const auto lacking = [](const Problem& problem) { return std::unexpected(failure(problem.what, problem.remedy)); };
    if (curand)
        if (const auto found = curand_library(progress); !found) return lacking(found.error());
    if (cublas)
        if (const auto found = blas_library(progress); !found) return lacking(found.error());
    std::vector<fs::path> linked;
    if (nvrtc) {
        const auto found = nvrtc_library();
        if (!found) return lacking(found.error());
        linked.push_back(*found);
    }
    return linked;
}

std::expected<Built, BuildFailure> build_as(const BuildRequest& request, bool relocatable, Progress& progress) {
    const Result<Toolchain>& tools = toolchain();
    if (!tools) return std::unexpected(failure(tools.error().what, tools.error().remedy));
    if (const auto ours = runtime_sources(*tools); !ours) return std::unexpected(ours.error());

    using ObjectOrFailure = std::expected<Object, BuildFailure>;
    std::vector<std::future<ObjectOrFailure>> pending;
    pending.reserve(request.sources.size());
    for (const fs::path& source : request.sources)
        pending.push_back(std::async(std::launch::async, [&, source] {
            return compile_object(request, source, relocatable && has_device_code(source), progress);
        }));
    const auto runtime = runtime_library(*tools, progress);
    Built built{.program = {}, .diagnostics = {}, .cached = true};
    std::uint64_t key = runtime ? fnv1a(runtime->string()) : 0;
    std::vector<fs::path> objects;
    std::optional<BuildFailure> failed;
    for (std::size_t i = 0; i < pending.size(); ++i) {
        ObjectOrFailure object = pending[i].get();
        if (!object) {
            if (!failed) failed = std::move(object.error());
            continue;
        }
        objects.push_back(object->file);
        key = fnv1a(object->file.string(), key);
        built.cached = built.cached && object->cached;
        std::ranges::move(warnings_of(object->log, request.sources[i].string()), std::back_inserter(built.diagnostics));
    }
    if (failed) return std::unexpected(std::move(*failed));
    if (!runtime) return std::unexpected(runtime.error());
    const auto called = libraries_called(objects, progress);
    if (!called) return std::unexpected(called.error());

    const fs::path home = build_folder() / fmt::format("program-{:016x}", key);
    built.program = home / "program";
    std::error_code error;
    for (const fs::path& object : objects) touch(object.parent_path());
    if (built.cached && fs::exists(built.program, error)) {
        touch(home);
        return built;
    }
    built.cached = false;
    remove_unused();
    fs::create_directories(home, error);
    const fs::path unfinished = home / unfinished_name();
    std::vector<std::string> link{"g++", "-no-pie", "-g", "-Wl,--no-demangle"};
    if (request.address_sanitizer) link.emplace_back("-fsanitize=address");
    if (has_option(request, compile::openmp_option)) link.emplace_back("-fopenmp");
    if (request.host_calls) {
        // The program's variables and its heap lie above the windows of shared and local memory
        // (execute/simt/memory.h).
        link.emplace_back("-Wl,-Ttext-segment=0x10000000");
        // g++ 12 lists the patchable entries of inline functions outside of their COMDAT groups. The linker keeps one
        // copy of a function that several files define, and rejects a list that refers to the discarded copies. Nothing
        // reads the list, so it is discarded.
        const fs::path script = home / "entries.ld";
        write_file(script, "SECTIONS { /DISCARD/ : { *(__patchable_function_entries) } }\nINSERT AFTER .text;\n");
        link.push_back("-Wl,-T," + script.string());
    }
    for (const fs::path& object : objects) link.push_back(object.string());
    if (const std::string registration = registration_of(objects); !registration.empty()) {
        const fs::path file = home / "registration.c";
        write_file(file, registration);
        link.insert(link.end(), {"-x", "c", file.string(), "-x", "none"});
    }
    // Its functions come before those of the libraries, which it calls in turn.
    link.insert(link.end(), {runtime->string(), "-Wl,-rpath," + runtime->parent_path().string()});
    for (const fs::path& library : *called) {
        // NVRTC itself loads a library from its own folder: RPATH, unlike RUNPATH, applies to that load, too.
        link.insert(link.end(), {library.string(), "-Wl,--disable-new-dtags",
                                 "-Wl,-rpath," + fs::canonical(library, error).parent_path().string()});
    }
    link.insert(link.end(), {"-lpthread", "-o", unfinished.string()});
    const auto output = succeed(link, progress, failure_of_linker);
    if (!output) return std::unexpected(output.error());
    fs::rename(unfinished, built.program, error);
    return built;
}

/// Whether the device code of each file is complete: it uses nothing that another file defines.
bool stands_alone(const BuildRequest& request, Progress& progress) {
    return std::ranges::all_of(request.sources, [&](const fs::path& source) {
        if (!has_device_code(source)) return true;
        const auto object = compile_object(request, source, false, progress);
        if (!object || !extern_variables_of(object->log).empty()) return false;
        // Undefined functions of the device's system library (vprintf, malloc) have no mangled name.
        const std::set<std::string> lacks = read_symbols(object->file).undefined_on_device;
        return std::ranges::none_of(lacks, [](const std::string& name) { return name.starts_with("_Z"); });
    });
}

}  // namespace

std::expected<Built, BuildFailure> build_program(const BuildRequest& request, Progress& progress) {
    const bool several = links_device_code(request);
    auto built = build_as(request, several, progress);
    if (built) built->apart = request.apart;
    if (built || !several || !built.error().defined_twice) return built;
    // A header that defines __constant__ memory gives each file its own, as nvcc does without -rdc.
    auto apart = build_as(request, false, progress);
    if (!apart && !apart.error().missing.empty()) return apart;  // another file of the program has it
    if (!apart || !stands_alone(request, progress)) return built;
    apart->apart = true;
    return apart;
}

}  // namespace lanescope::host
