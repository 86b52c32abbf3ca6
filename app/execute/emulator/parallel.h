// Executes the blocks of a launch on several host threads if the blocks prove independent. Results, counts and findings
// are those of one thread, bit for bit.
//
// The first blocks run alone, including the recorded ones, and show which buffers the kernel writes. The others run in
// parts. Where two parts access one word, or a finding occurs, memory is restored and the rest runs on one thread, so
// that no result depends on a guess.
#pragma once

#include "base/progress.h"
#include "execute/emulator/grid.h"
#include "execute/emulator/interpreter.h"

#include <cstdint>

namespace lanescope::execute {

/// Whether the launch may run in parallel: nothing in the kernel signals other blocks, and enough blocks are left.
[[nodiscard]] bool may_run_in_parallel(const Code& code, const Limits& limits, std::uint64_t blocks_left);

/// Runs blocks [first, past_last) of the launch of `state`. Grid::End::complete, ::cancelled, or ::stopped: then memory
/// and counts are as before, and the blocks must run one after the other.
[[nodiscard]] Grid::End run_in_parallel(LaunchState& state, const LaunchRequest& request, const Limits& limits,
                                        std::uint64_t first, std::uint64_t past_last, std::uint64_t& budget,
                                        Progress& progress, BlocksDone& done);

}  // namespace lanescope::execute
