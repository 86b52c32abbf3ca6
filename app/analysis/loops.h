// The loops of a function, as NVRTC lays them out.
#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <vector>

namespace lanescope::analysis {

/// From the target of a backward branch to the last branch to it: NVRTC lays a loop out in one piece.
struct Loop {
    std::uint32_t first = 0, last = 0;  ///< instructions, inclusive
    [[nodiscard]] bool holds(std::uint32_t instruction) const { return first <= instruction && instruction <= last; }
};

/// Outer loops before the loops in them.
[[nodiscard]] std::vector<Loop> loops_of(const ptx::Function& function);

/// The two ways out of a guarded branch that decides whether a loop goes on: one of them lies outside, perhaps by way of
/// an unguarded branch.
struct LoopDecision {
    bool decides = false;
    bool leaves_when_taken = false;
};
[[nodiscard]] LoopDecision decision_of(const ptx::Function& function, const Loop& loop, std::uint32_t branch);

}  // namespace lanescope::analysis
