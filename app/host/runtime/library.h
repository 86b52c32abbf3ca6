// Shared by the calls of CUDA libraries: a host library does the work on the same memory, and Lanescope records it as
// one step with the call's name.
#pragma once

#include "host/runtime/runtime.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lanescope::host {

/// A function of the library that the environment variable names. Ends the program if it is missing: going on would
/// leave the call's result undefined.
[[nodiscard]] void* library_function(const char* variable, const char* library, const char* function);

/// A part of device, managed or pinned memory that a call reads or writes.
struct DeviceRange {
    const void* pointer = nullptr;
    std::size_t bytes = 0;
    const char* which = "";  ///< its name in messages: "output"
};
/// Whether each range lies in one allocation; otherwise reports the fault.
[[nodiscard]] bool are_accessible(const std::vector<DeviceRange>& ranges, const char* function);

/// Notifies Lanescope before the work and after it. `label` names the step: "cublasSgemm, BLAS on the host". As after a
/// kernel, the host must synchronize before it accesses managed memory, unless the call itself waits.
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

/// The address at which the host accesses the memory of a device pointer.
template <class T>
[[nodiscard]] T* on_host(T* pointer) {
    if (!Runtime::is_device_address(pointer)) return pointer;
    return reinterpret_cast<T*>(Runtime::get().window(pointer));
}

}  // namespace lanescope::host
