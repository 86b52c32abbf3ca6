// Counts of sizes that are too large to emulate, extrapolated from smaller ones: the work of each block, or of each
// iteration of a grid-stride loop, is repeated proportionally.
#pragma once

#include "timing/measurement.h"

#include <cstdint>
#include <optional>
#include <span>

namespace lanescope::timing {

/// The counts of `point`, extrapolated from points in `counted` of the same algorithm and block size, with counts, at
/// smaller n. Where the grid grows with n, the first two of three sizes must predict the last to 1 %; where it stays
/// the same, its loop iterates more often. Nothing for a grid by another rule, or counts that depend on the data. The
/// recordings that ship predict their own last size to 0.8 %, mostly exactly.
[[nodiscard]] std::optional<CostCounts> extrapolated_counts(std::span<const Point> counted, const Point& point);

/// The point's own counts or, without these, counts extrapolated from its recording.
struct FoundCounts {
    CostCounts counts;
    std::uint64_t counted_to = 0;  ///< the largest n that was emulated; 0: the point itself was
};
[[nodiscard]] std::optional<FoundCounts> counts_in(const Recording& recording, const Point& point);

}  // namespace lanescope::timing
