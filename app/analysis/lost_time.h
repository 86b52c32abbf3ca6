// Where a block loses its time: the pass that issues the most beyond what its useful lanes would need.
#pragma once

#include "analysis/passes.h"

#include <optional>

namespace lanescope::analysis {

/// Issue slots of a pass that do no useful work: warp instructions and the wavefronts of shared memory beyond one an access,
/// less what as many useful lanes would take in full warps.
[[nodiscard]] double lost_issues(const Pass& pass);

/// The index of the pass that loses the most, the first of equals; nothing without passes.
[[nodiscard]] std::optional<std::size_t> costliest_pass(const BlockPasses& passes);

}  // namespace lanescope::analysis
