// A GPU's measured limits: a copy from its memory to its memory, a read of its memory, a launch of an empty kernel. The
// same rules as in timer.h.
#pragma once

#include "base/progress.h"
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
/// Reads `bytes` by a kernel that only reads them, past the L2 cache. `bytes`: a multiple of 16.
[[nodiscard]] Result<ReadSweep> time_read_sweep(const Device& device, std::uint64_t bytes, unsigned samples);

/// The same with few warps on each multiprocessor, each in a loop: what is in flight limits the bandwidth.
struct ResidentRead {
    unsigned warps = 0;       ///< resident on each multiprocessor
    unsigned in_flight = 0;   ///< loads of a thread before it uses the first
    unsigned load_bytes = 0;  ///< of one load: 4 or 16
    std::vector<double> microseconds;
};
/// Measures each power of two of warps that fits, for several numbers of loads. If cancelled, returns what it has
/// measured.
[[nodiscard]] Result<std::vector<ResidentRead>> time_resident_reads(const Device& device, std::uint64_t bytes,
                                                                    unsigned samples, Progress& progress);

/// Launches an empty kernel.
[[nodiscard]] Result<std::vector<double>> time_empty_launch(const Device& device, unsigned samples);

}  // namespace lanescope::execute
