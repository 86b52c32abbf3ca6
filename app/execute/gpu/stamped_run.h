// Runs a program whose warps stamp (stamp.h) on a GPU -> when each block of each launch ran there, and on which
// multiprocessor.
#pragma once

#include "base/progress.h"
#include "execute/gpu/device.h"
#include "execute/gpu/program.h"
#include "execute/gpu/stamp.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::execute {

/// The times of a warp, in cycles after the first warp of its block began.
struct WarpTime {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t waits = 0;      ///< all, also those that are not in `kept`
    std::vector<WaitStamp> kept;  ///< the first of them
};

/// From the start of its first warp to the end of its last one. Nanoseconds after the program's first stamp.
struct BlockTime {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t cycles = 0;  ///< of its multiprocessor's clock, from its first warp's start to its last one's end
    std::uint32_t multiprocessor = 0;
    std::uint64_t polled_cycles = 0;              ///< of the lane with the most; 0: no poll failed
    std::uint64_t first_poll = 0, last_poll = 0;  ///< when its first and its last failed poll ended
    bool whole = true;                            ///< false: a warp of it did not begin or left no end
    std::vector<WarpTime> warps;                  ///< in their order
};

struct StampedRun {
    std::vector<std::vector<BlockTime>> launches;  ///< by block
    std::uint64_t span = 0;                        ///< nanoseconds, from the first begin to the last end
};

/// A warp's stamps and its waits, room for `Stamped::waits` of them.
struct WarpStamps {
    Stamps stamps;
    std::vector<WaitStamp> waits;
};
/// The stamps as they are in the GPU's memory, warp by warp.
[[nodiscard]] std::vector<WarpStamps> warp_stamps(std::span<const std::byte> bytes, unsigned waits);

/// The blocks of a launch by the stamps of its warps; `first`: the program's first stamp.
[[nodiscard]] std::vector<BlockTime> block_times(std::span<const WarpStamps> warps, std::uint32_t warps_of_block,
                                                 std::uint64_t first);

/// The program with room for its stamps, and one argument more for each launch. `stamped`: of the program's own PTX.
[[nodiscard]] GpuProgram stamped_program(GpuProgram program, const Stamped& stamped);

/// Of `runs` runs, the one of median span, after a run that warms up. Each begins with the initial memory, of which
/// nothing is in the L2 cache; launches are queued without a gap, unless the host writes between them. `waits`: see
/// Stamped.
[[nodiscard]] Result<StampedRun> run_stamped(const Device& device, const GpuProgram& stamped, unsigned waits,
                                             unsigned runs, Progress& progress);

/// The least difference between two readings of %globaltimer that differ, in nanoseconds: its step on this device.
[[nodiscard]] Result<std::uint64_t> timer_step(const Device& device);

}  // namespace lanescope::execute
