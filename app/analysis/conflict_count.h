// How many bank conflicts the launches of a trace have, as the hardware's own counters mean it.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::analysis {

/// Of loads and stores of shared memory: wavefronts beyond one for each group of lanes that the hardware serves together, which is
/// the warp for words, half of it for 8 bytes a lane, a quarter for 16 (README, "How conflicts are counted").
///
/// So l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum and _st of Nsight Compute count; seven kernels on an NVIDIA H200,
/// driver 580.159.04: of words it is wavefronts less instructions with a lane on (reduce/strided-index 1,520 - 400 = 1,120,
/// scan/up-sweep-down-sweep 3,928 - 928 = 3,000); where the driver's compiler merged loads, 65 wavefronts of 49 instructions had
/// none (scan/look-back): what the width alone needs is no conflict.
struct SharedConflicts {
    std::uint64_t loads = 0, stores = 0;
    friend bool operator==(const SharedConflicts&, const SharedConflicts&) = default;
};

/// By launch; nothing where not every block of it was recorded, for the counts of all blocks do not have them.
[[nodiscard]] std::vector<std::optional<SharedConflicts>> shared_conflicts(const trace::Trace& trace);

}  // namespace lanescope::analysis
