#include "compile/nvrtc.h"

#include "base/shared_library.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>
#include <thread>

namespace lanescope::compile {

namespace fs = std::filesystem;

using Handle = struct _nvrtcProgram*;

struct Nvrtc::Functions {
    int (*version)(int*, int*);
    const char* (*error_string)(int);
    int (*create)(Handle*, const char*, const char*, int, const char* const*, const char* const*);
    int (*destroy)(Handle*);
    int (*compile)(Handle, int, const char* const*);
    int (*ptx_size)(Handle, std::size_t*);
    int (*ptx)(Handle, char*);
    int (*log_size)(Handle, std::size_t*);
    int (*log)(Handle, char*);
    int (*add_name)(Handle, const char*);
    int (*lowered_name)(Handle, const char*, const char**);
};

namespace {

std::string what_to_install() {
    return fmt::format(
        "install the CUDA Toolkit {} or later, or run ./run.sh once, which fetches NVRTC into .venv; "
        "LANESCOPE_NVRTC=/path/to/libnvrtc.so names one that lies elsewhere",
        oldest_cuda_text());
}

std::vector<fs::path> entries(const fs::path& directory, const std::string& prefix) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
        if (at->path().filename().string().starts_with(prefix)) found.push_back(at->path());
    }
    std::ranges::sort(found, std::greater{});  // newest version first
    return found;
}

/// libnvrtc.so or its versioned name in a folder, if it is there.
std::optional<fs::path> library_in(const fs::path& directory) {
    const std::vector<fs::path> found = entries(directory, "libnvrtc.so");
    return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<fs::path> existing(const std::vector<fs::path>& paths) {
    std::vector<fs::path> result;
    std::error_code error;
    for (const fs::path& path : paths) {
        if (fs::is_directory(path, error)) result.push_back(path);
    }
    return result;
}

/// include/ of a toolkit; CUDA 13 keeps the C++ core libraries in a folder of their own.
std::vector<fs::path> include_of(const fs::path& root) {
    return existing({root / "include", root / "include" / "cccl"});
}

struct Candidate {
    std::string library;
    std::vector<fs::path> include;
};

void add_toolkit(const fs::path& root, std::vector<Candidate>& candidates) {
    for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
        if (const auto library = library_in(root / folder)) {
            std::vector<fs::path> include = include_of(root);
            if (include.empty()) include = include_of((root / folder).parent_path());
            candidates.push_back({library->string(), include});
            return;
        }
    }
}

/// NVIDIA's Python packages: from CUDA 13 on in one common folder (nvidia/cu13), before in one folder each.
void add_venv(const fs::path& venv, std::vector<Candidate>& candidates) {
    for (const fs::path& python : entries(venv / "lib", "python3")) {
        const fs::path nvidia = python / "site-packages" / "nvidia";
        for (const fs::path& root : entries(nvidia, "cu1")) {
            if (const auto library = library_in(root / "lib"))
                candidates.push_back({library->string(), include_of(root)});
        }
        if (const auto library = library_in(nvidia / "cuda_nvrtc" / "lib"))
            candidates.push_back(
                {library->string(), existing({nvidia / "cuda_runtime" / "include", nvidia / "cuda_cccl" / "include"})});
    }
}

}  // namespace

NvrtcPlaces NvrtcPlaces::of_environment() {
    NvrtcPlaces places;
    if (const char* given = std::getenv("LANESCOPE_NVRTC"); given != nullptr && *given != '\0') places.given = given;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* root = std::getenv(name); root != nullptr && *root != '\0') places.toolkits.emplace_back(root);
    }
    if (const char* newest = std::getenv("LANESCOPE_NEWEST_CUDA"); newest != nullptr) {
        std::pair<int, int> version;
        if (std::sscanf(newest, "%d.%d", &version.first, &version.second) == 2) places.newest = version;
    }
    places.toolkits.emplace_back("/usr/local/cuda");
    for (const fs::path& root : entries("/usr/local", "cuda-")) places.toolkits.push_back(root);
    places.venvs.emplace_back(LANESCOPE_VENV_DIR);
    std::error_code error;
    fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (int level = 0; level < 4 && beside.has_relative_path(); ++level, beside = beside.parent_path())
        places.venvs.push_back(beside / ".venv");
    return places;
}

Result<Nvrtc> Nvrtc::load(const std::string& library, const std::vector<fs::path>& include,
                          std::optional<std::pair<int, int>> newest) {
    SharedLibrary nvrtc(library);
    if (!nvrtc.is_loaded()) return fail(fmt::format("{} could not be loaded: {}", library, nvrtc.error()));
    auto functions = std::make_shared<Functions>();
    nvrtc.resolve(functions->version, "nvrtcVersion");
    nvrtc.resolve(functions->error_string, "nvrtcGetErrorString");
    nvrtc.resolve(functions->create, "nvrtcCreateProgram");
    nvrtc.resolve(functions->destroy, "nvrtcDestroyProgram");
    nvrtc.resolve(functions->compile, "nvrtcCompileProgram");
    nvrtc.resolve(functions->ptx_size, "nvrtcGetPTXSize");
    nvrtc.resolve(functions->ptx, "nvrtcGetPTX");
    nvrtc.resolve(functions->log_size, "nvrtcGetProgramLogSize");
    nvrtc.resolve(functions->log, "nvrtcGetProgramLog");
    nvrtc.resolve(functions->add_name, "nvrtcAddNameExpression");
    nvrtc.resolve(functions->lowered_name, "nvrtcGetLoweredName");
    if (!nvrtc.missing().empty()) return fail(fmt::format("{} is not an NVRTC library", library));

    Nvrtc result;
    functions->version(&result.compiler_.major, &result.compiler_.minor);
    const std::pair version(result.compiler_.major, result.compiler_.minor);
    if (version < oldest_cuda)
        return fail(fmt::format("{} is NVRTC {}.{}, older than {}", library, version.first, version.second,
                                oldest_cuda_text()));
    if (newest && version > *newest)
        return fail(
            fmt::format("{} is NVRTC {}.{}, newer than the driver supports", library, version.first, version.second));

    // NVRTC opens its built-in headers by bare name, so they must be in memory before it asks.
    Dl_info info{};
    result.compiler_.library = library;
    if (dladdr(reinterpret_cast<void*>(functions->version), &info) != 0 && info.dli_fname != nullptr) {
        result.compiler_.library = info.dli_fname;
        const fs::path builtins = fs::path(info.dli_fname).parent_path() /
                                  fmt::format("libnvrtc-builtins.so.{}.{}", version.first, version.second);
        std::error_code error;
        if (fs::exists(builtins, error)) dlopen(builtins.c_str(), RTLD_NOW | RTLD_GLOBAL);
    }
    result.compiler_.include = include;
    result.functions_ = std::move(functions);
    return result;
}

std::string oldest_cuda_text() { return fmt::format("{}.{}", oldest_cuda.first, oldest_cuda.second); }

Result<Nvrtc> Nvrtc::find(const NvrtcPlaces& places) {
    if (places.given == "none")
        return fail("no CUDA compiler is used, as LANESCOPE_NVRTC=none asks", {}, what_to_install());
    std::vector<Candidate> candidates;
    if (places.given) {
        candidates.push_back({*places.given, include_of(fs::path(*places.given).parent_path().parent_path())});
    } else {
        for (const fs::path& root : places.toolkits) add_toolkit(root, candidates);
        for (const fs::path& venv : places.venvs) add_venv(venv, candidates);
        if (places.loader) {
            for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
                candidates.push_back({name, existing({"/usr/include"})});
        }
    }
    std::string refused;
    std::set<fs::path> tried;
    for (const Candidate& candidate : candidates) {
        std::error_code error;
        const fs::path file = fs::weakly_canonical(candidate.library, error);
        if (!tried.insert(error ? fs::path(candidate.library) : file).second) continue;  // the same file by a link
        Result<Nvrtc> loaded = load(candidate.library, candidate.include, places.newest);
        if (loaded) return loaded;
        const bool searched =
            candidate.library.find('/') == std::string::npos;  // nothing was found: no reason to report
        if (!searched) refused += (refused.empty() ? "" : "; ") + loaded.error().what;
    }
    return fail(
        refused.empty() ? "no CUDA compiler (NVRTC) was found" : "no usable CUDA compiler was found: " + refused, {},
        what_to_install());
}

NvrtcAnswer Nvrtc::run(const NvrtcJob& job) const {
    NvrtcAnswer answer;
    std::thread([&] {
        [[maybe_unused]] const bool in_root = unshare(CLONE_FS) == 0 && chdir("/") == 0;
        answer = run_here(job);
    }).join();
    return answer;
}

NvrtcAnswer Nvrtc::run_here(const NvrtcJob& job) const {
    NvrtcAnswer answer;
    std::vector<const char*> header_names, header_texts, options;
    for (const auto& [name, text] : job.headers) {
        header_names.push_back(name.c_str());
        header_texts.push_back(text.c_str());
    }
    for (const std::string& option : job.options) options.push_back(option.c_str());

    Handle program = nullptr;
    if (const int status = functions_->create(&program, job.source.c_str(), job.name.c_str(), int(header_names.size()),
                                              header_texts.data(), header_names.data());
        status != 0) {
        answer.log = functions_->error_string(status);
        return answer;
    }
    for (const std::string& expression : job.expressions) functions_->add_name(program, expression.c_str());
    const int status = functions_->compile(program, int(options.size()), options.data());
    answer.ok = status == 0;

    // The size of both texts includes a terminating zero.
    const auto text = [&](int (*size_of)(Handle, std::size_t*), int (*get)(Handle, char*)) {
        std::size_t size = 0;
        std::string result;
        if (size_of(program, &size) != 0 || size <= 1) return result;
        result.resize(size);
        if (get(program, result.data()) != 0) return std::string();
        result.pop_back();
        return result;
    };
    answer.log = text(functions_->log_size, functions_->log);
    if (answer.ok) {
        answer.ptx = text(functions_->ptx_size, functions_->ptx);
        for (const std::string& expression : job.expressions) {
            const char* lowered = nullptr;
            const bool found =
                functions_->lowered_name(program, expression.c_str(), &lowered) == 0 && lowered != nullptr;
            answer.lowered.emplace_back(found ? lowered : "");
        }
    } else if (answer.log.empty()) {
        answer.log = functions_->error_string(status);
    }
    functions_->destroy(&program);
    return answer;
}

}  // namespace lanescope::compile
