// Shared by the calls of CUDA libraries: a library of the host does the work on the same memory, and Lanescope records
// it as one step that bears the call's name.
#pragma once

#include "host/runtime/runtime.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lanescope::host {

/// A function of the library that the environment variable names; ends the program where there is none, for a result
/// would be missing.
[[nodiscard]] void* library_function(const char* variable, const char* library, const char* function);

/// A part of device, managed or pinned memory that a call reads or writes.
struct DeviceRange {
    const void* pointer = nullptr;
    std::size_t bytes = 0;
    const char* which = "";  ///< in messages: "output"
};
/// Whether each lies in one allocation; else the fault is reported.
[[nodiscard]] bool are_accessible(const std::vector<DeviceRange>& ranges, const char* function);

/// Lanescope is notified before the work is done and after it. `label` names the step: "cublasSgemm, BLAS on the host".
/// As after a kernel, the host may touch managed memory when it has synchronized, unless the call itself waits.
class LibraryStep {
  public:
    LibraryStep(std::string label, std::vector<DeviceRange> reads, std::vector<DeviceRange> writes, bool waits = false);
    LibraryStep(const LibraryStep&) = delete;
    LibraryStep& operator=(const LibraryStep&) = delete;
    ~LibraryStep();

  private:
    std::string label_;
    std::vector<DeviceRange> reads_, writes_;
};

/// Where the host reads or writes what a device pointer names.
template <class T>
[[nodiscard]] T* on_host(T* pointer) {
    if (!Runtime::is_device_address(pointer)) return pointer;
    return reinterpret_cast<T*>(Runtime::get().window(pointer));
}

}  // namespace lanescope::host
