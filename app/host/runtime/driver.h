// Shared by the entries of the CUDA driver API.
#pragma once

#include "host/runtime/runtime.h"

#include <cuda.h>

#include <string>

namespace lanescope::host {

/// The driver API's error for a runtime error: the same number, except for errors that the driver API does not have.
[[nodiscard]] CUresult result_of(cudaError_t error);
/// As Runtime::fail.
CUresult fail(CUresult error, const char* function, const std::string& why);
/// Whether cuInit was called.
[[nodiscard]] bool driver_initialized();
[[nodiscard]] inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace lanescope::host

/// The beginning of every entry point: takes the lock, requires cuInit, and returns the sticky error after a fault.
#define LANESCOPE_DRIVER_ENTRY                                                                             \
    Runtime& runtime = Runtime::get();                                                                     \
    const std::lock_guard<std::recursive_mutex> entry_lock(runtime.mutex);                                 \
    if (!driver_initialized()) return fail(CUDA_ERROR_NOT_INITIALIZED, __func__, "cuInit was not called"); \
    if (runtime.has_failed()) return result_of(runtime.sticky())
