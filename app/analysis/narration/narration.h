// The sentences about a step, a pass or a finding, with its own numbers.
#pragma once

#include "analysis/block_view.h"

#include <optional>
#include <string>

namespace lanescope::analysis {

/// A few sentences for the step that executes next, what matters first: a fault, the excessive cost, the lanes
/// that wait, then the example: "Pass 3, s = 4. 14 of 16 lanes wait at the barrier. Lane 8 adds sdata[12] = 13 to
/// sdata[8] = 4 and keeps 17." For every kind of instruction. Past the last step: the result. `lane`: the example; 32
/// chooses one that takes part.
[[nodiscard]] std::string narrate(const BlockView& block, std::size_t index, unsigned lane = 32);

/// The work of a whole pass, for stepping by pass.
[[nodiscard]] std::string narrate_pass(const BlockView& block, PassId pass);

/// A finding that a step takes part in.
struct Fault {
    const trace::Finding* finding = nullptr;
    unsigned lane = 0;          ///< of the step's warp
    bool earlier_side = false;  ///< the step is the earlier access of a race
};

/// Nothing where the step takes part in no finding. The step's own fault precedes the earlier side of a race.
[[nodiscard]] std::optional<Fault> fault_at(const BlockView& block, StepId step);

/// The fault and its remedy: "Out of bounds: thread 31 reads left[32], 1 element past the end of left (32 elements).
/// Guard the access with a bounds check on the index." Empty where fault_at() has nothing.
[[nodiscard]] std::string describe_fault(const BlockView& block, StepId step);

/// The findings of a pass: "Fault in this pass: race (sdata)." Empty where there is none.
[[nodiscard]] std::string describe_faults(const BlockView& block, const Pass& pass);

}  // namespace lanescope::analysis
