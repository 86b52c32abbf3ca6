// CUDA libraries that a program calls besides the runtime: which of them have an implementation on the host, and where
// that library is.
#pragma once

#include "base/progress.h"
#include "base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::host {

struct CudaLibrary {
    std::string_view name;    ///< "cuFFT"
    std::string_view prefix;  ///< of its functions and headers: "cufft"
    bool run = false;         ///< app/host/runtime has its functions, or its own library runs without a GPU
};
/// The library of a function, "cufftPlan1d", or of a header, "cufft.h".
[[nodiscard]] std::optional<CudaLibrary> library_of(std::string_view name);
/// "Lanescope runs these CUDA libraries: cuRAND, cuBLAS."
[[nodiscard]] std::string libraries_that_run();

/// NVIDIA's cuRAND: from the toolkit, else from nvcc's Python environment, where it is installed on first use.
[[nodiscard]] Result<std::filesystem::path> curand_library(Progress& progress);
/// NVIDIA's NVRTC beside nvcc, which needs no GPU: the program itself is linked with it.
[[nodiscard]] Result<std::filesystem::path> nvrtc_library();
/// Any BLAS of the system, else the distribution's libblas3, fetched into the cache on first use.
[[nodiscard]] Result<std::filesystem::path> blas_library(Progress& progress);

/// "LANESCOPE_CURAND=...": the libraries found so far that execute the program's calls. Fetches nothing.
[[nodiscard]] std::vector<std::string> library_environment();

}  // namespace lanescope::host
