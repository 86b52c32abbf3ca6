// The current step in words, with its own numbers: what the lecturer would say.
#pragma once

#include "analysis/passes.h"
#include "analysis/provenance.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <string>

namespace lanescope::analysis {

/// One or two sentences for the step that executes next: "Pass 3, s = 4. Lane 8 adds sdata[12] = 13 to sdata[8] = 4 and
/// keeps 17. 2 of 16 lanes work; the other 14 wait at the barrier." For every kind of instruction. `index` counts in
/// passes.steps; past the end, the result. `lane`: the one to speak of; 32 = choose one that works.
[[nodiscard]] std::string narrate(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance,
                                  const BlockPasses& passes, std::size_t index, unsigned lane = 32);

/// What the whole pass does, for stepping by pass.
[[nodiscard]] std::string narrate_pass(const trace::Trace& trace, const ptx::Module& module,
                                       const Provenance& provenance, const BlockPasses& passes, PassId pass);

}  // namespace lanescope::analysis
