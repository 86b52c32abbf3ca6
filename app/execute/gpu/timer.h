// A program that the emulator has run, timed on a GPU: the same PTX, unmodified, on the same inputs.
//
// CUDA events stand around all launches of the program. Each run has its own copy of the buffers, as many as make together
// twice the L2 cache, so that no run finds its input there; written ones are restored between rounds, outside the timed part.
#pragma once

#include "base/progress.h"
#include "execute/gpu/device.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::execute {

struct TimerOptions {
    unsigned warm_ups = 3;
    unsigned samples = 31;
};

struct Timed {
    std::vector<double> microseconds;  ///< one a run
    unsigned copies = 1;               ///< of the buffers, taken in turn
    /// The first buffer whose bytes after a first run are not the emulator's; empty: they agree.
    std::string differs;
};

/// `trace`: of the emulator, with its final memory. Fails where the device cannot run it, and where the host has a part
/// between launches, which no event can leave out.
[[nodiscard]] Result<Timed> time_program(const Device& device, const trace::Trace& trace, const ptx::Module& module,
                                         const TimerOptions& options, Progress& progress);

/// Of `bytes` copied from device memory to device memory, past the L2 cache. In microseconds, one a run.
[[nodiscard]] Result<std::vector<double>> time_copy(const Device& device, std::uint64_t bytes, unsigned samples);

/// Of the launch of a kernel that does nothing.
[[nodiscard]] Result<std::vector<double>> time_empty_launch(const Device& device, unsigned samples);

}  // namespace lanescope::execute
