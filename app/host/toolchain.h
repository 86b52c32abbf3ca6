// The compilers of host programs: an nvcc with its headers, and g++.
#pragma once

#include "base/result.h"

#include <filesystem>
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

}  // namespace lanescope::host
