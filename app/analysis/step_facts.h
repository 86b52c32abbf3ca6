// What one warp instruction cost and who worked: the numbers behind narration, banks, warps and counts.
#pragma once

#include "analysis/provenance.h"
#include "model/model.h"
#include "trace/trace.h"

#include <vector>

namespace lanescope::analysis {

struct StepFacts {
    trace::Counts counts;        ///< of this step alone
    LaneMask useful, wasted;     ///< executed, and its result reaches an output or not
    LaneMask predicated_off;     ///< active, but its guard says no
    LaneMask inactive;           ///< of the warp's threads: at another instruction, waiting to reconverge
    LaneMask exited;
    unsigned wavefronts = 0;     ///< of its shared access
    unsigned sectors = 0;        ///< of its global access
    bool divergent = false;      ///< a branch that some active lanes take and some do not
};
[[nodiscard]] StepFacts facts_of(const trace::Trace& trace, const Provenance& provenance, StepId step,
                                 const model::BankModel& banks = {});

/// Cost by CUDA source line, of one block or the whole trace: the heat in the margin.
struct LineCost {
    std::uint32_t source_line = 0;
    trace::Counts counts;
    std::uint64_t excess_wavefronts = 0;  ///< wavefronts beyond one an access
    std::uint64_t idle_lanes = 0;         ///< 32 x warp instructions - executed lanes
};
[[nodiscard]] std::vector<LineCost> line_costs(const trace::Trace& trace, const ptx::Module& module);

}  // namespace lanescope::analysis
