// The cost of a trace's instructions and launches on the hardware: wavefronts, sectors and conflicts of an access, of a
// step, of a source line, of a launch.
#pragma once

#include "analysis/dataflow/instruction_table.h"
#include "analysis/dataflow/provenance.h"
#include "model/model.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lanescope::analysis {

/// How the memory unit serves the effect, which must be a load, store or atomic (app/model/README.md).
[[nodiscard]] model::Access access_of(const trace::Effect& effect, const InstructionInfo* line);

/// False for textures and surfaces: they have a cache of their own, whose sectors are neither modeled nor counted.
[[nodiscard]] bool has_known_sectors(const InstructionInfo* line);

/// The shared memory that the trace's counts assume.
[[nodiscard]] inline model::BankModel banks_of(const trace::Trace& trace) {
    return model::BankModel::of(trace.origin.banks);
}

/// The lanes' byte addresses; 0 for lanes that take no part.
[[nodiscard]] model::Addresses addresses_of(const trace::Trace& trace, const trace::Effect& effect);

/// Bytes accessed by a lane, all elements of a vector access together.
[[nodiscard]] inline unsigned bytes_per_lane(const trace::Effect& effect) {
    return unsigned{effect.bytes} * effect.elements;
}

struct StepFacts {
    trace::Counts counts;     ///< of this step alone; but a block's barriers are counted by pass, not by warp
    LaneMask useful, wasted;  ///< lanes that execute it; useful: their result reaches an output
    LaneMask predicated_off;  ///< active, but its guard is false
    LaneMask inactive;        ///< lanes with a thread at another instruction, waiting to reconverge
    LaneMask exited;
    unsigned wavefronts = 0;  ///< of its shared access
    unsigned ways = 0;        ///< of its shared load or store: model::conflict_ways
    unsigned sectors = 0;     ///< of its global access
    bool divergent = false;   ///< a branch that only some of the active lanes take
};
/// Wavefronts are for the shared memory that the trace was counted for (trace::Origin::banks).
[[nodiscard]] StepFacts facts_of(const trace::Trace& trace, const Provenance& provenance, StepId step);

/// The wavefronts that as many lanes would need at adjacent addresses from the start of a row; at least 1.
[[nodiscard]] std::size_t least_wavefronts(model::Access access, unsigned bytes, LaneMask lanes,
                                           const model::BankModel& banks);

/// Sectors of a load or store of global memory: those that it needs, and as few as its lanes' bytes fill when adjacent.
struct SectorNeed {
    std::uint64_t sectors = 0, least = 0;
};
/// Zeros for any other effect.
[[nodiscard]] SectorNeed sector_need(const trace::Trace& trace, const trace::Effect& effect,
                                     const InstructionInfo* line);

/// The cost of one access: wavefronts of shared memory or sectors of global memory.
struct AccessNeed {
    std::uint64_t used = 0;
    std::optional<std::uint64_t> least;  ///< at most `used`; nothing for atomics of global memory
};
/// Nothing for other memory, for an effect that is not an access, or for an access without a lane.
[[nodiscard]] std::optional<AccessNeed> access_need(const trace::Trace& trace, const trace::Effect& effect,
                                                    const InstructionInfo* line);

/// Cost by CUDA source line, summed over the recorded blocks: the heat map in the margin. Lines in ascending order;
/// lines without an instruction are left out. A library's code counts for the line that calls it in the user's own
/// file.
struct LineCost {
    std::uint32_t source_line = 0;
    trace::Counts counts;
    std::uint64_t excess_wavefronts = 0;  ///< of shared memory, beyond those that the accesses need
    std::uint64_t idle_lanes = 0;  ///< lane slots without an executed lane: 32 x warp instructions - executed lanes
};
[[nodiscard]] std::vector<LineCost> line_costs(const trace::Trace& trace, const ptx::Module& module,
                                               const Provenance& provenance);

/// Each line's share of the worst line's excess wavefronts or idle lanes, the larger of the two: 0 to 1, by line.
[[nodiscard]] std::vector<float> relative_costs(const std::vector<LineCost>& lines);

/// The memory instructions, wavefronts and sectors by line of the PTX, summed over the recorded blocks.
[[nodiscard]] std::map<PtxLine, trace::Counts> access_counts(const trace::Trace& trace, const ptx::Module& module);

struct BlockView;

/// The threads of a block on one line of the source in one pass. A library's code counts as in LineCost.
struct LineActivity {
    unsigned executed = 0;  ///< threads that execute the line
    unsigned useful = 0;    ///< executing threads with a result there that reaches an output
    bool use_known = true;  ///< false: `useful` may count too many (Provenance::unknown_use)
    trace::Counts counts;
};
[[nodiscard]] LineActivity line_activity(const BlockView& block, PassId pass, std::uint32_t source_line);

/// Shared-memory bank conflicts of stores, of loads, and of the loads in the loops that some atomics are: wavefronts
/// beyond one for each group of lanes that the hardware serves together. A group is the warp for words, half of it for
/// 8 bytes a lane, a quarter for 16 (app/model/README.md).
///
/// Nsight Compute's l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum and _st count the same. Measured with
/// seven kernels on an NVIDIA H200, driver 580.159.04: for words it is wavefronts minus instructions that at least one
/// lane executes (reduce/strided-index 1,520 - 400 = 1,120, scan/up-sweep-down-sweep 3,928 - 928 = 3,000); where the
/// driver's compiler merged loads, 65 wavefronts of 49 instructions had none (scan/look-back): wavefronts due to the
/// width alone are not conflicts.
struct SharedConflicts {
    std::uint64_t loads = 0, stores = 0;
    friend bool operator==(const SharedConflicts&, const SharedConflicts&) = default;
};

/// By launch; nothing where some of its blocks were not recorded, because conflicts are not among the counts of the
/// whole grid.
[[nodiscard]] std::vector<std::optional<SharedConflicts>> shared_conflicts(const trace::Trace& trace,
                                                                           const InstructionTable& instructions);

/// Wavefronts that Nsight Compute's counter of shared atomics adds for atomics whose PTX names no state space, beyond
/// those that access shared memory. Where all lanes access global memory: one for each warp instruction, of 64 bits one
/// for each half-warp; two for a compare-and-swap. An operation that is a loop on shared memory adds one wherever its
/// lanes are, because the hardware first tries it without the loop, as measured (app/model/README.md). The trace's
/// counts do not include these. By launch; nothing where some of its blocks were not recorded.
[[nodiscard]] std::vector<std::optional<std::uint64_t>> generic_atomic_wavefronts(const trace::Trace& trace,
                                                                                  const InstructionTable& instructions);

}  // namespace lanescope::analysis
