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
/// LANESCOPE_NVCC alone where it is set; else an installed toolkit's nvcc (CUDA_HOME, CUDA_PATH, /usr/local/cuda*,
/// PATH), else that of .venv, the build's or one beside the program; with g++. Or what is missing and how to get it.
/// Found once.
[[nodiscard]] const Result<Toolchain>& toolchain();

/// A program of the CUDA Toolkit, "ptxas", where nvcc is looked for, but .venv first. `variable`, "LANESCOPE_PTXAS",
/// alone where it is set; "none": as if there is none.
[[nodiscard]] std::optional<std::filesystem::path> toolkit_program(const std::string& name, const char* variable);

}  // namespace lanescope::host
