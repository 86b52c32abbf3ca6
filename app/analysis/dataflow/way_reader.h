// The instructions on one way of a branch -> what they would move, read as a lane would execute them.
#pragma once

#include "analysis/dataflow/branch_regions.h"
#include "analysis/dataflow/flow_step.h"
#include "analysis/dataflow/learned_addresses.h"
#include "analysis/dataflow/lineage.h"
#include "analysis/dataflow/traced_memory.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lanescope::analysis {

/// The writes of one way of a branch for a lane, found without executing it.
struct WayMoves {
    bool first = false, second = false;  ///< a copy of the first, or the second, compared value
    bool replaces = false;               ///< in place of one of them, or in the memory that it came from
    std::vector<ValueId> replaced;       ///< what would be overwritten in memory
    std::vector<ValueId> flag_cells;     ///< those of them that are 0 and become 1, or the other way round
    /// Merged registers that it would write, each with its value where that is a literal.
    std::vector<std::pair<RegisterId, std::optional<std::uint64_t>>> written;
};

/// All that is known when a lane branches.
struct WayKnowledge {
    const ValueGraph& values;
    const Lineages& lineages;
    const LearnedAddresses& addresses;
    TracedMemory& memory;
    BranchRegions& regions;
};

/// `way`: instructions of the function of `step`, which branches or has a guard. `compared`: the values that its
/// condition compares, as they were first made; invalid where it compares no two values of the data. Copies and
/// whole-number addresses are followed, everything else is unknown.
[[nodiscard]] WayMoves moves_on_way(const WayKnowledge& known, const FlowStep& step, unsigned lane,
                                    const std::array<ValueId, 2>& compared, std::span<const std::uint32_t> way);

}  // namespace lanescope::analysis
