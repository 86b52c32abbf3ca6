// Executes the blocks of a launch on several host threads, where they prove independent, with the results, counts and
// findings of one thread, bit for bit.
//
// The first blocks run alone, those that are recorded among them, and show which buffers the kernel writes. The others
// run in parts. Where two parts access one word, or anything is found wrong, memory is restored and the rest runs on
// one thread: no result rests on a guess.
#pragma once

#include "base/progress.h"
#include "execute/emulator/grid.h"
#include "execute/emulator/interpreter.h"

#include <cstdint>

namespace lanescope::execute {

/// Whether the launch may be tried so: nothing in the kernel signals other blocks, and enough blocks are left.
[[nodiscard]] bool may_run_in_parallel(const Code& code, const Limits& limits, std::uint64_t blocks_left);

/// Blocks [first, past_last) of the launch that `state` is of. Grid::End::complete, ::cancelled, or ::stopped: memory
/// and counts are as before, and the blocks are to run one after the other.
[[nodiscard]] Grid::End run_in_parallel(LaunchState& state, const LaunchRequest& request, const Limits& limits,
                                        std::uint64_t first, std::uint64_t past_last, std::uint64_t& budget,
                                        Progress& progress, BlocksDone& done);

}  // namespace lanescope::execute
