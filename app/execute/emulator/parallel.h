// The blocks of a launch on several threads, where they are shown not to depend on one another; with the results, counts and
// findings of one thread, bit for bit.
//
// The first blocks run alone, those that are recorded among them, and show which buffers the kernel writes. The others run in
// parts, and claim what they touch. Where two parts meet, or anything is found wrong, memory is put back and the rest runs on
// one thread after all: what is shown is never the guess.
#pragma once

#include "base/progress.h"
#include "execute/emulator/grid.h"
#include "execute/emulator/interpreter.h"

#include <cstdint>

namespace lanescope::execute {

/// Whether the launch may be tried so: nothing in the kernel speaks to other blocks, and enough blocks are left.
[[nodiscard]] bool may_run_in_parallel(const Code& code, const Limits& limits, std::uint64_t blocks_left);

/// Blocks [first, past_last) of the launch that `state` is of. Grid::End::complete, ::cancelled, or ::stopped: memory and
/// counts are as before, and the blocks are to run one after the other.
[[nodiscard]] Grid::End run_in_parallel(LaunchState& state, const LaunchRequest& request, const Limits& limits,
                                        std::uint64_t first, std::uint64_t past_last, std::uint64_t& budget,
                                        Progress& progress, BlocksDone& done);

}  // namespace lanescope::execute
