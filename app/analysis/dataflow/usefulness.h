// Which lanes of each step worked for an output, and which were wasted.
#pragma once

#include "analysis/dataflow/instruction_table.h"
#include "analysis/dataflow/provenance.h"

#include <vector>

namespace lanescope::analysis {

/// Goes through the trace once, backwards, with the set of registers and memory values that outputs still need. A
/// lane's result is useful when an output depends on it: by data, as an address, or through a branch that the lane took
/// before it did something useful. An instruction without a result is useful where it serves the lane's useful work: a
/// jump that leads to some, a barrier that orders some. Exiting wastes no lane. The needs begin with the values whose
/// `seed` is set: TracedValue::reaches_output, or use_known.
[[nodiscard]] std::vector<LaneMask> useful_lanes(const trace::Trace& trace, const InstructionTable& code,
                                                 const Provenance& provenance, bool TracedValue::*seed);

/// The step's useful lanes whose result is the purpose of a pass: data loaded, combined, stored or passed to another
/// lane. Data that a lane loads to compare it is, too; indices, addresses and conditions are not. Passes count these
/// lanes, and Warps fills them.
[[nodiscard]] LaneMask lanes_with_results(const trace::Trace& trace, const Provenance& provenance, StepId step);
/// The other lanes with such a result: it reaches no output.
[[nodiscard]] LaneMask lanes_with_wasted_results(const trace::Trace& trace, const Provenance& provenance, StepId step);

/// The lanes that the step ends; none where it is no exit.
[[nodiscard]] LaneMask exiting_lanes(const trace::Trace& trace, const trace::Step& step);

/// Lanes per warp instruction, % of 32: with the useful lanes, the efficiency (app/README.md, Terms). NaN where no warp
/// instruction was executed.
[[nodiscard]] inline double percent_of_lanes(std::uint64_t lanes, std::uint64_t warp_instructions) {
    return 100.0 * static_cast<double>(lanes) / (warp_size * static_cast<double>(warp_instructions));
}

}  // namespace lanescope::analysis
