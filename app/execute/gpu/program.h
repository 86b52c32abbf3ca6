// The input of a GPU run: PTX, buffers by their initial contents, launches. Buffers can be as large as the device
// allows: a period describes their contents, which are never in the host's memory as a whole.
#pragma once

#include "execute/gpu/device.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::execute {

struct GpuBuffer {
    std::string name;
    trace::Element element = trace::Element::s32;
    std::uint64_t bytes = 0;
    std::vector<std::byte> period;  ///< repeated over the first `filled` bytes; zeros follow
    std::uint64_t filled = 0;       ///< 0: all zeros
    bool written = true;            ///< some launch may write to it: it is restored before each run
    bool result = false;            ///< read back after the first run
};

/// A host write to a buffer before a launch.
struct GpuWrite {
    std::uint32_t buffer = 0;
    std::uint64_t offset = 0;  ///< bytes
    std::vector<std::byte> bytes;
};

struct GpuArgument {
    std::optional<std::uint32_t> buffer;  ///< a pointer to the start of it, or `offset` bytes after
    std::uint64_t offset = 0;
    std::vector<std::byte> value;  ///< numbers, and null pointers

    /// A pointer in a structure: its offset in `value`, and its target.
    struct Pointer {
        std::size_t at = 0;
        std::uint32_t buffer = 0;
        std::uint64_t offset = 0;
    };
    std::vector<Pointer> pointers;
};

struct GpuLaunch {
    std::string kernel;  ///< function name in the PTX
    trace::Dim3 grid, block;
    std::uint64_t dynamic_shared_bytes = 0;
    std::vector<GpuArgument> arguments;
    std::vector<GpuWrite> writes;  ///< just before it
};

struct GpuProgram {
    std::string ptx;
    DeviceModule::Optimization optimization = DeviceModule::Optimization::usual;
    bool instrumented = false;             ///< instructions were added: registers are limited to what a block can have
    std::vector<ptx::Variable> variables;  ///< __device__ and __constant__: restored before each run
    std::vector<GpuBuffer> buffers;
    std::vector<GpuLaunch> launches;

    /// The host works between launches: each launch is timed separately.
    [[nodiscard]] bool host_between() const {
        for (std::size_t i = 1; i < launches.size(); ++i)
            if (!launches[i].writes.empty()) return true;
        return false;
    }
};

/// A launch of the trace, its pointers by buffer, without what the host writes before it.
[[nodiscard]] GpuLaunch gpu_launch(const trace::Trace& trace, const trace::Launch& launch);

/// A program that the emulator has run, for a GPU to run again.
[[nodiscard]] GpuProgram gpu_program(const trace::Trace& trace, const ptx::Module& module);

}  // namespace lanescope::execute
