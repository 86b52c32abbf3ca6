// Which lanes of each step worked for an output, and which worked in vain.
#pragma once

#include "analysis/code.h"
#include "analysis/provenance.h"

#include <vector>

namespace lanescope::analysis {

/// Goes through the trace once, backwards, with the set of registers and memory values that outputs still need. A lane's
/// result is useful when an output depends on it: by data, as an address, or through a branch that the lane took before
/// it did something useful. What has no result of its own is useful where it serves the lane's useful work: a jump that
/// leads to some, a barrier that orders some. Nobody wastes anything by leaving.
/// `values[..].reaches_output` must be set; it is where need begins.
[[nodiscard]] std::vector<LaneMask> useful_lanes(const trace::Trace& trace, const Code& code,
                                                 const Provenance& provenance);

}  // namespace lanescope::analysis
