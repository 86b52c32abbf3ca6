// A trace and its code -> every value that the trace holds, and what each was made of.
//
// One walk forward over the steps, each of them as a FlowStep. It knows which value every register of every lane holds.
//
//     step  -> StepReads: the values that it loads, from TracedMemory
//           -> ValueBuilder: a new value and its parents, in the ValueGraph
//           -> Decisions (comparisons, selections), FlagSums (sums of flags, votes), BranchWays (the way that a lane is
//              on): what the value stands for, in Lineages
//     host  -> HostFlow (copies, fills, reads between launches)
//     end   -> ValueGraph::finish_operations(), mark_outputs()
//
// A branch on the data also decides about values on the way that a lane does not take: moves_on_way() reads that way's
// instructions without executing them, from what LearnedAddresses and TracedMemory know.
#pragma once

#include "analysis/dataflow/instruction_table.h"
#include "analysis/dataflow/traced_memory.h"
#include "analysis/dataflow/value_graph.h"

#include <vector>

namespace lanescope::analysis {

struct DataFlow {
    ValueGraph values;
    std::vector<ValueRange> written;  ///< by step
    std::vector<LaneMask> exited;     ///< by step: lanes of its warp that had exited before it
    MemoryHistories memories;
};

/// O(lane results). `instructions` is of `module`, and names its registers as the trace does.
[[nodiscard]] DataFlow follow_data(const trace::Trace& trace, const ptx::Module& module,
                                   const InstructionTable& instructions);

}  // namespace lanescope::analysis
