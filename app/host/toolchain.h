// The compilers of host programs: an nvcc with its headers, and g++; other programs of the CUDA Toolkit.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace lanescope::host {

struct Toolchain {
    std::filesystem::path nvcc;
    std::filesystem::path include;  ///< of the CUDA headers that the runtime is compiled with
    std::string version;            ///< "13.0.88"
};
/// nvcc with g++, or what is missing and how to get it. nvcc is LANESCOPE_NVCC if that is set, else that of an
/// installed toolkit (CUDA_HOME, CUDA_PATH, /usr/local/cuda*, PATH), else that of a .venv, of the build or beside the
/// executable. The search runs once.
[[nodiscard]] const Result<Toolchain>& toolchain();

/// A program of the CUDA Toolkit, "ptxas", from the same places as nvcc, but .venv first. If the environment variable,
/// "LANESCOPE_PTXAS", is set, only that path; its value "none" means that there is none.
[[nodiscard]] std::optional<std::filesystem::path> toolkit_program(const std::string& name, const char* variable);

}  // namespace lanescope::host
