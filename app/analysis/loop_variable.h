// Which variable of the source steps a kernel's passes, and its value in each: the `s = 4` beside a pass.
#pragma once

#include "analysis/passes.h"
#include "analysis/traffic.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <span>
#include <vector>

namespace lanescope::analysis {

/// For each of `passes` (ranges of `steps`, one block's), the variables that step a loop, with their values in it: those
/// which a loop with a barrier tests and changes, outermost loop first; then others that all lanes agree on and that
/// differ from a neighbouring pass. A value counts at the pass's first traffic.
/// `tested` variables come first; all are empty where DWARF names none.
struct SteppingVariables {
    std::vector<LoopVariable> tested, others;
};
[[nodiscard]] std::vector<SteppingVariables> stepping_variables(const trace::Trace& trace,
                                                                const ptx::Function& function,
                                                                std::span<const StepId> steps,
                                                                std::span<const Pass> passes, const Traffic& traffic);

}  // namespace lanescope::analysis
