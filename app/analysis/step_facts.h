// What one warp instruction cost and who worked: the numbers behind narration, banks, warps and counts.
#pragma once

#include "analysis/provenance.h"
#include "trace/trace.h"

#include <vector>

namespace lanescope::analysis {

struct StepFacts {
    trace::Counts counts;     ///< of this step alone; but a block's barriers are counted by pass, not by warp
    LaneMask useful, wasted;  ///< executed, and its result reaches an output or not
    LaneMask predicated_off;  ///< active, but its guard says no
    LaneMask inactive;        ///< of the warp's threads: at another instruction, waiting to reconverge
    LaneMask exited;
    unsigned wavefronts = 0;  ///< of its shared access
    unsigned ways = 0;        ///< of its shared load or store: model::conflict_ways
    unsigned sectors = 0;     ///< of its global access
    bool divergent = false;   ///< a branch that some active lanes take and some do not
};
/// Wavefronts are of the shared memory that the trace was counted for (trace::Origin::banks).
[[nodiscard]] StepFacts facts_of(const trace::Trace& trace, const Provenance& provenance, StepId step);

/// Cost by CUDA source line, summed over the recorded blocks: the heat in the margin. Lines in ascending order, those
/// without an instruction left out. A library's code counts for the line that calls it in the user's own file.
struct LineCost {
    std::uint32_t source_line = 0;
    trace::Counts counts;
    std::uint64_t excess_wavefronts = 0;  ///< wavefronts beyond one an access of shared memory
    std::uint64_t idle_lanes = 0;  ///< lane slots without an executed lane: 32 x warp instructions - executed lanes
};
[[nodiscard]] std::vector<LineCost> line_costs(const trace::Trace& trace, const ptx::Module& module,
                                               const Provenance& provenance);

}  // namespace lanescope::analysis
