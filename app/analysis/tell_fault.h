// What is wrong at a step or in a pass, in words.
#pragma once

#include "analysis/passes.h"
#include "trace/trace.h"

#include <optional>
#include <string>

namespace lanescope::analysis {

/// A finding of the launch as one step has part in it.
struct Fault {
    const trace::Finding* finding = nullptr;
    unsigned lane = 0;          ///< of the step's warp
    bool earlier_side = false;  ///< the step is the one of a race that came first
};

/// Nothing where the step has no part in any. A fault of its own goes before the earlier side of a race.
[[nodiscard]] std::optional<Fault> fault_at(const trace::Trace& trace, const BlockPasses& passes, StepId step);

/// Who does what, where, and what should have been: "Out of bounds: thread 31 reads left[32], 1 element past the end of left (32
/// elements). A condition on the index should keep that thread out." Empty where fault_at() knows nothing.
[[nodiscard]] std::string tell_fault(const trace::Trace& trace, const BlockPasses& passes, StepId step);

/// Those of a pass, shortly: "Fault in this pass: race (sdata)." Empty where nothing was found.
[[nodiscard]] std::string tell_faults(const trace::Trace& trace, const BlockPasses& passes, const Pass& pass);

}  // namespace lanescope::analysis
