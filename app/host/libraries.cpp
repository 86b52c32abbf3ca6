#include "host/libraries.h"

#include "base/embedded.h"
#include "compile/nvrtc.h"
#include "host/objects.h"
#include "host/protocol.h"
#include "host/tool.h"
#include "host/toolchain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <system_error>
#include <utility>

namespace lanescope::host {

namespace fs = std::filesystem;

namespace {

/// A longer prefix comes before a shorter one that it begins with.
constexpr std::array libraries{
    CudaLibrary{.name = "cuRAND", .prefix = "curand", .run = true},
    CudaLibrary{.name = "cuBLASLt", .prefix = "cublasLt"},
    CudaLibrary{.name = "cuBLASXt", .prefix = "cublasXt"},
    CudaLibrary{.name = "cuBLAS", .prefix = "cublas", .run = true},
    CudaLibrary{.name = "cuFFT", .prefix = "cufft"},
    CudaLibrary{.name = "cuSPARSE", .prefix = "cusparse"},
    CudaLibrary{.name = "cuSOLVER", .prefix = "cusolver"},
    CudaLibrary{.name = "cuDNN", .prefix = "cudnn"},
    CudaLibrary{.name = "cuTENSOR", .prefix = "cutensor"},
    CudaLibrary{.name = "NCCL", .prefix = "nccl"},
    CudaLibrary{.name = "nvJPEG", .prefix = "nvjpeg"},
    CudaLibrary{.name = "NVRTC", .prefix = "nvrtc", .run = true},
    CudaLibrary{.name = "NVML", .prefix = "nvml"},
    CudaLibrary{.name = "NPP", .prefix = "npp"},
};

const std::vector<std::string> curand_names{"libcurand.so.10", "libcurand.so"};
const std::vector<std::string> nvrtc_names{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
const std::vector<std::string> blas_names{"libblas.so.3", "libopenblas.so.0"};

std::optional<fs::path> first_of(const std::vector<fs::path>& folders, const std::vector<std::string>& names) {
    std::error_code error;
    for (const fs::path& folder : folders)
        for (const std::string& name : names)
            if (fs::exists(folder / name, error)) return folder / name;
    return std::nullopt;
}

std::vector<fs::path> library_folders_of_toolkit() {
    std::vector<fs::path> folders;
    const Result<Toolchain>& tools = toolchain();
    if (!tools) return folders;
    const fs::path home = tools->include.parent_path();
    folders = {home / "lib64", home / "lib", home / "lib" / "x86_64-linux-gnu"};
    return folders;
}

/// The Python environment in which the toolchain lies: ENV/lib/python3.11/site-packages/nvidia/cu13/include.
std::optional<fs::path> environment_of_toolchain() {
    const Result<Toolchain>& tools = toolchain();
    if (!tools) return std::nullopt;
    std::error_code error;
    for (const fs::path& venv : compile::NvrtcPlaces::of_environment().venvs) {
        const fs::path inside = tools->include.lexically_relative(fs::canonical(venv, error));
        if (!inside.empty() && *inside.begin() != "..") return venv;
    }
    return std::nullopt;
}

fs::path fetched_folder() { return build_folder() / "libraries"; }

std::optional<fs::path> find_curand() { return first_of(library_folders_of_toolkit(), curand_names); }

std::optional<fs::path> find_blas() {
    std::vector<fs::path> folders;
    for (const char* root : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"})
        folders.insert(folders.end(), {fs::path(root), fs::path(root) / "blas"});
    folders.push_back(fetched_folder() / "usr/lib/x86_64-linux-gnu/blas");
    return first_of(folders, blas_names);
}

/// One attempt an hour: without a network each takes a while.
bool failed_lately(const fs::path& mark) {
    std::error_code error;
    const auto when = fs::last_write_time(mark, error);
    return !error && fs::file_time_type::clock::now() - when < std::chrono::hours(1);
}

/// Why the tool did not do its work; nothing where it did.
std::optional<std::string> attempt(const std::string& name, const std::vector<std::string>& command,
                                   Progress& progress) {
    const fs::path mark = fetched_folder() / (name + "-failed");
    if (failed_lately(mark)) return "the last attempt to fetch it, within the hour, failed";
    const auto output = run_tool(command, &progress);
    if (!output) return output.error().what;
    if (!*output) return "the build was cancelled";
    if ((*output)->ending.fine()) return std::nullopt;
    write_file(mark, (*output)->text);
    std::string last = (*output)->text;
    while (!last.empty() && last.back() == '\n') last.pop_back();
    return last.substr(last.rfind('\n') + 1);
}

/// As ./run.sh does for nvcc: pip checks the hash.
std::optional<std::string> fetch_curand(const fs::path& venv, Progress& progress) {
    progress.say("fetching NVIDIA cuRAND (57 MB)");
    const fs::path list = fetched_folder() / "curand.txt";
    const auto text = embedded_file("app/setup/pip/curand.txt");
    if (!text || !write_file(list, *text)) return fmt::format("{} cannot be written", list.string());
    return attempt("curand",
                   {(venv / "bin" / "python").string(), "-m", "pip", "install", "--disable-pip-version-check",
                    "--retries", "1", "--timeout", "10", "--no-deps", "--require-hashes", "-r", list.string()},
                   progress);
}

/// The distribution's package, whose hash apt checks, unpacked in the build folder: this needs no root.
std::optional<std::string> fetch_blas(Progress& progress) {
    progress.say("fetching a BLAS (libblas3, 150 kB)");
    std::error_code error;
    fs::create_directories(fetched_folder(), error);
    return attempt("blas",
                   {"/bin/sh", "-c", "cd \"$1\" && apt-get download libblas3 && dpkg-deb -x libblas3_*.deb .", "sh",
                    fetched_folder().string()},
                   progress);
}

}  // namespace

std::optional<CudaLibrary> library_of(std::string_view name) {
    const auto found =
        std::ranges::find_if(libraries, [&](const CudaLibrary& library) { return name.starts_with(library.prefix); });
    return found != libraries.end() ? std::optional(*found) : std::nullopt;
}

std::string libraries_that_run() {
    std::vector<std::string_view> names;
    for (const CudaLibrary& library : libraries)
        if (library.run) names.push_back(library.name);
    return fmt::format("Lanescope runs these CUDA libraries: {}.", fmt::join(names, ", "));
}

Result<fs::path> curand_library(Progress& progress) {
    static std::mutex one_at_a_time;
    const std::scoped_lock lock(one_at_a_time);
    if (const auto found = find_curand()) return *found;
    constexpr std::string_view remedy =
        "Install cuRAND of your CUDA Toolkit (package libcurand-dev-13-0, or "
        "pip install nvidia-curand==10.4.0.35 beside nvcc).";
    const auto venv = environment_of_toolchain();
    if (!venv) return fail("the program calls cuRAND, and this CUDA Toolkit has no libcurand", {}, std::string(remedy));
    if (const auto why = fetch_curand(*venv, progress))
        return fail(fmt::format("the program calls cuRAND, which could not be fetched: {}", *why), {},
                    std::string(remedy));
    if (const auto found = find_curand()) return *found;
    return fail("the program calls cuRAND, which was fetched but is not beside nvcc", {}, std::string(remedy));
}

Result<fs::path> nvrtc_library() {
    if (const auto found = first_of(library_folders_of_toolkit(), nvrtc_names)) return *found;
    return fail("the program calls NVRTC, and there is no libnvrtc beside nvcc", {},
                "Install NVRTC of your CUDA Toolkit (package cuda-nvrtc-13-0, or pip install nvidia-cuda-nvrtc beside "
                "nvcc).");
}

Result<fs::path> blas_library(Progress& progress) {
    static std::mutex one_at_a_time;
    const std::scoped_lock lock(one_at_a_time);
    if (const auto found = find_blas()) return *found;
    constexpr std::string_view remedy = "Install one: apt-get install libblas3, or libopenblas0.";
    if (const auto why = fetch_blas(progress))
        return fail(fmt::format("the program calls cuBLAS, which needs a BLAS library on the host: {}", *why), {},
                    std::string(remedy));
    if (const auto found = find_blas()) return *found;
    return fail("the program calls cuBLAS, which needs a BLAS library on the host, and none is installed", {},
                std::string(remedy));
}

std::vector<std::string> library_environment() {
    // One thread: results do not depend on the machine, and memory stays small.
    std::vector<std::string> environment{"OPENBLAS_NUM_THREADS=1"};
    if (const auto found = find_curand()) environment.push_back(fmt::format("{}={}", curand_variable, found->string()));
    if (const auto found = find_blas()) environment.push_back(fmt::format("{}={}", blas_variable, found->string()));
    return environment;
}

}  // namespace lanescope::host
