// A program's sources -> an executable on our CUDA runtime, by nvcc: host and device code compiled at once, PTX kept as
// text.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "compile/compile.h"

#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lanescope::host {

/// What compiles programs.
struct Toolchain {
    std::filesystem::path nvcc;
    std::filesystem::path include;  ///< of the CUDA headers that the runtime is compiled with
    std::string version;            ///< "13.0.88"
};
/// LANESCOPE_NVCC alone where it is set; else an installed toolkit's nvcc (CUDA_HOME, CUDA_PATH, /usr/local/cuda*,
/// PATH), else that of .venv, the build's or one beside the program; with g++. Or what is missing and how to get it.
/// Found once.
[[nodiscard]] const Result<Toolchain>& toolchain();

struct BuildRequest {
    std::vector<std::filesystem::path> sources;  ///< .cu, .cpp, .c; the first names the program
    std::vector<std::filesystem::path> include;
    std::map<std::string, std::string> defines;
    std::vector<std::string> options;  ///< more of nvcc's: "-std=c++20"
    compile::View view = compile::View::written;
    unsigned arch = 75;
};

struct Built {
    std::filesystem::path program;
    std::vector<compile::Diagnostic> diagnostics;  ///< warnings
    bool cached = false;
};

/// Compiles and links, or finds what was built before from the same sources and headers.
[[nodiscard]] std::expected<Built, compile::CompileFailure> build(const BuildRequest& request, Progress& progress);

}  // namespace lanescope::host
