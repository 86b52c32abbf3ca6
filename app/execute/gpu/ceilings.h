// A GPU's measured limits: a copy from its memory to its memory, a read of its memory, a launch of an empty kernel. The
// same rules as in timer.h.
#pragma once

#include "execute/gpu/device.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::execute {

/// Copies `bytes` from device memory to device memory, past the L2 cache. In microseconds, one a run.
[[nodiscard]] Result<std::vector<double>> time_copy(const Device& device, std::uint64_t bytes, unsigned samples);

struct ReadSweep {
    std::string shape;  ///< the fastest of those tried: "1056 blocks of 512 threads, 4 loads of 16 bytes in flight"
    std::vector<double> microseconds;
};
/// Reads `bytes` by a kernel that does nothing with them, past the L2 cache. `bytes`: a multiple of 16.
[[nodiscard]] Result<ReadSweep> time_read_sweep(const Device& device, std::uint64_t bytes, unsigned samples);

/// Launches an empty kernel.
[[nodiscard]] Result<std::vector<double>> time_empty_launch(const Device& device, unsigned samples);

}  // namespace lanescope::execute
