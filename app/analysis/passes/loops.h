// The loops of a kernel, and the source variables that step its passes: the `s = 4` beside a pass.
#pragma once

#include "analysis/passes/passes.h"
#include "analysis/passes/traffic.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

/// From the target of a backward branch to the last branch to it: NVRTC lays a loop out contiguously.
struct Loop {
    std::uint32_t first = 0, last = 0;  ///< instructions, inclusive
    [[nodiscard]] bool holds(std::uint32_t instruction) const { return first <= instruction && instruction <= last; }
};

/// Outer loops precede the loops inside them.
[[nodiscard]] std::vector<Loop> loops_of(const ptx::Function& function);

/// The two targets of a guarded branch that decides whether a loop continues. One of them is outside the loop, possibly
/// by way of an unguarded branch.
struct LoopDecision {
    bool decides = false;
    bool leaves_when_taken = false;
};
[[nodiscard]] LoopDecision decision_of(const ptx::Function& function, const Loop& loop, std::uint32_t branch);

/// For each of `passes` (ranges of `steps`, one block's), the variables that step a loop, with their values in it:
/// first the variables that a loop with a barrier tests and changes, outermost loop first; then others that all lanes
/// agree on and that a loop gives another value in a neighboring pass. A value counts at the pass's first traffic.
/// `tested` variables come first; all are empty where DWARF names none.
struct SteppingVariables {
    std::vector<LoopVariable> tested, others;
};
[[nodiscard]] std::vector<SteppingVariables> stepping_variables(const trace::Trace& trace,
                                                                const ptx::Function& function,
                                                                std::span<const StepId> steps,
                                                                std::span<const Pass> passes, const Traffic& traffic);

}  // namespace lanescope::analysis
