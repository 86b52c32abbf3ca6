// The CUDA driver, loaded at run time: it is needed neither to build nor to start. Names and meanings are those of the
// CUDA Driver API reference manual; only what is used here is declared.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>

namespace lanescope::execute {

/// The remedy if there is no GPU.
inline constexpr const char* works_without_gpu = "Everything but timing, verifying and counters works without one.";

/// CUresult, CUdevice, CUcontext, ...: as wide as the library's own.
using Status = int;
using DeviceNumber = int;
using DeviceAddress = unsigned long long;
struct ContextTag;
struct ModuleTag;
struct FunctionTag;
struct StreamTag;
struct EventTag;

/// The functions, each null until loaded. A test supplies its own.
struct Driver {
    Status (*init)(unsigned flags) = nullptr;
    Status (*version)(int* version) = nullptr;
    Status (*error_string)(Status status, const char** text) = nullptr;
    Status (*device_count)(int* count) = nullptr;
    Status (*device)(DeviceNumber* device, int ordinal) = nullptr;
    Status (*device_name)(char* name, int length, DeviceNumber device) = nullptr;
    Status (*device_attribute)(int* value, int attribute, DeviceNumber device) = nullptr;
    Status (*device_memory)(std::size_t* bytes, DeviceNumber device) = nullptr;
    Status (*retain_context)(ContextTag** context, DeviceNumber device) = nullptr;
    Status (*release_context)(DeviceNumber device) = nullptr;
    Status (*use_context)(ContextTag* context) = nullptr;
    Status (*synchronize)() = nullptr;
    Status (*load_module)(ModuleTag** module, const void* image, unsigned options, int* names, void** values) = nullptr;
    Status (*unload_module)(ModuleTag* module) = nullptr;
    Status (*function)(FunctionTag** function, ModuleTag* module, const char* name) = nullptr;
    Status (*set_function_attribute)(FunctionTag* function, int attribute, int value) = nullptr;
    Status (*variable)(DeviceAddress* address, std::size_t* bytes, ModuleTag* module, const char* name) = nullptr;
    Status (*allocate)(DeviceAddress* address, std::size_t bytes) = nullptr;
    Status (*release)(DeviceAddress address) = nullptr;
    Status (*to_device)(DeviceAddress to, const void* from, std::size_t bytes) = nullptr;
    Status (*to_host)(void* to, DeviceAddress from, std::size_t bytes) = nullptr;
    Status (*copy)(DeviceAddress to, DeviceAddress from, std::size_t bytes, StreamTag* stream) = nullptr;
    Status (*fill)(DeviceAddress at, unsigned char value, std::size_t bytes, StreamTag* stream) = nullptr;
    Status (*launch)(FunctionTag* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                     unsigned block_y, unsigned block_z, unsigned shared_bytes, StreamTag* stream, void** arguments,
                     void** extra) = nullptr;
    Status (*launch_cooperative)(FunctionTag* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                 StreamTag* stream, void** arguments) = nullptr;
    Status (*create_event)(EventTag** event, unsigned flags) = nullptr;
    Status (*destroy_event)(EventTag* event) = nullptr;
    Status (*record_event)(EventTag* event, StreamTag* stream) = nullptr;
    Status (*elapsed)(float* milliseconds, EventTag* start, EventTag* end) = nullptr;

    /// Loads the library and initializes the driver. Fails, with a remedy, if there is no driver or it does not work.
    [[nodiscard]] static Result<Driver> load(const std::string& library = "libcuda.so.1");

    /// The problem that `what` failed with `status`: a plain sentence with the driver's own name for it, and a remedy
    /// if one is known.
    [[nodiscard]] Problem problem(std::string what, Status status) const;
};

}  // namespace lanescope::execute
