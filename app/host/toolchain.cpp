#include "host/toolchain.h"

#include "compile/nvrtc.h"
#include "host/tool.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::host {

namespace fs = std::filesystem;

namespace {

std::string remedy() {
    return fmt::format(
        "Install g++ and the CUDA Toolkit {} or later, or run ./run.sh once, which fetches nvcc into .venv; "
        "LANESCOPE_NVCC=/path/to/nvcc names one that lies elsewhere. Kernels alone run without them.",
        compile::oldest_cuda_text());
}

/// Paths to try for a program, in the order in which NVRTC is searched: installed toolkits, then the Python
/// environments that ./run.sh fills.
std::vector<fs::path> candidates(const std::string& name, const char* variable) {
    std::vector<fs::path> found;
    if (const char* given = std::getenv(variable); given != nullptr && *given != '\0') {
        if (std::string_view(given) != "none") found.emplace_back(given);
        return found;  // this one or none
    }
    const auto places = compile::NvrtcPlaces::of_environment();
    for (const fs::path& home : places.toolkits) found.push_back(home / "bin" / name);
    if (const char* path = std::getenv("PATH")) {
        std::istringstream folders(path);
        for (std::string folder; std::getline(folders, folder, ':');)
            if (!folder.empty()) found.push_back(fs::path(folder) / name);
    }
    std::error_code error;
    for (const fs::path& venv : places.venvs)
        for (const auto& python : fs::directory_iterator(venv / "lib", error))
            found.push_back(python.path() / "site-packages" / "nvidia" / "cu13" / "bin" / name);
    return found;
}

/// The toolchain of an nvcc, or why it cannot be used.
Result<Toolchain> toolchain_of(const fs::path& nvcc) {
    const auto answer = run_tool({nvcc.string(), "--version"}, nullptr);
    if (!answer || !*answer || !(*answer)->ending.fine()) return fail(fmt::format("{} does not run", nvcc.string()));
    Toolchain found;
    const std::string& text = (*answer)->text;
    const std::size_t at = text.find(", V");
    if (at != std::string::npos) found.version = text.substr(at + 3, text.find_first_of("\r\n", at) - at - 3);
    std::pair<int, int> version;
    if (std::sscanf(found.version.c_str(), "%d.%d", &version.first, &version.second) != 2)
        return fail(fmt::format("{} does not report its version", nvcc.string()));
    if (version < compile::oldest_cuda)
        return fail(
            fmt::format("{} is of CUDA {}, older than {}", nvcc.string(), found.version, compile::oldest_cuda_text()));
    std::error_code error;
    found.nvcc = fs::canonical(nvcc, error);
    const fs::path home = found.nvcc.parent_path().parent_path();
    for (const fs::path& include : {home / "include", home / "targets" / "x86_64-linux" / "include"})
        if (fs::exists(include / "cuda_runtime_api.h", error)) found.include = include;
    if (found.include.empty()) return fail(fmt::format("{} has no cuda_runtime_api.h", home.string()));
    return found;
}

Result<Toolchain> find_toolchain() {
    const auto compiler = run_tool({"g++", "-dumpversion"}, nullptr);
    if (!compiler || !*compiler || !(*compiler)->ending.fine())
        return fail("host code is not compiled: there is no g++", {}, remedy());
    std::string refused;
    for (const fs::path& candidate : candidates("nvcc", "LANESCOPE_NVCC")) {
        if (access(candidate.c_str(), X_OK) != 0) continue;
        Result<Toolchain> found = toolchain_of(candidate);
        if (found) return found;
        refused += (refused.empty() ? "" : "; ") + found.error().what;
    }
    return fail("host code is not compiled: " + (refused.empty() ? "there is no nvcc" : refused), {}, remedy());
}

}  // namespace

const Result<Toolchain>& toolchain() {
    static const Result<Toolchain> found = find_toolchain();
    return found;
}

std::optional<fs::path> toolkit_program(const std::string& name, const char* variable) {
    std::vector<fs::path> all = candidates(name, variable);
    // An installed toolkit may be older than the NVRTC that wrote the PTX.
    std::ranges::stable_partition(all, [](const fs::path& each) { return each.string().contains("site-packages"); });
    for (const fs::path& candidate : all)
        if (access(candidate.c_str(), X_OK) == 0) return candidate;
    return std::nullopt;
}

}  // namespace lanescope::host
