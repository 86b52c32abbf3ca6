// The current step in words, with its own numbers: what the lecturer would say.
#pragma once

#include "analysis/block_view.h"

#include <optional>
#include <string>

namespace lanescope::analysis {

/// One or two sentences for the step that executes next: "Pass 3, s = 4. Lane 8 adds sdata[12] = 13 to sdata[8] = 4 and
/// keeps 17. 2 of 16 lanes work; the other 14 wait at the barrier." For every kind of instruction. `index` counts in
/// passes.steps; past the end, the result. `lane`: the one to speak of; 32 = choose one that works.
[[nodiscard]] std::string narrate(const BlockView& block, std::size_t index, unsigned lane = 32);

/// What the whole pass does, for stepping by pass.
[[nodiscard]] std::string narrate_pass(const BlockView& block, PassId pass);

/// A finding of the launch as one step has part in it.
struct Fault {
    const trace::Finding* finding = nullptr;
    unsigned lane = 0;          ///< of the step's warp
    bool earlier_side = false;  ///< the step is the one of a race that came first
};

/// Nothing where the step has no part in any. A fault of its own goes before the earlier side of a race.
[[nodiscard]] std::optional<Fault> fault_at(const BlockView& block, StepId step);

/// Who does what, where, and what should have been: "Out of bounds: thread 31 reads left[32], 1 element past the end of left (32
/// elements). A condition on the index should keep that thread out." Empty where fault_at() knows nothing.
[[nodiscard]] std::string describe_fault(const BlockView& block, StepId step);

/// Those of a pass, shortly: "Fault in this pass: race (sdata)." Empty where nothing was found.
[[nodiscard]] std::string describe_faults(const BlockView& block, const Pass& pass);

}  // namespace lanescope::analysis
