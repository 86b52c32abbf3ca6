// Counts of sizes that are too large to emulate, from those of smaller ones: what is done for each block, or for each
// turn of a grid's loop, is done as many times more.
#pragma once

#include "timing/measurement.h"

#include <cstdint>
#include <optional>
#include <span>

namespace lanescope::timing {

/// The counts of `point`, extended from those of `counted` that are of the same algorithm in the same blocks, with
/// counts, at smaller n. Where the grid grows with n the last of three sizes has to be foretold by the two before it,
/// to 1 %; where it stays the same, its loop turns more often. Else nothing: a grid by another rule, counts that depend
/// on the data. The recordings that ship foretell their own last size to 0.8 %, mostly exactly.
[[nodiscard]] std::optional<Counts> extrapolated_counts(std::span<const Point> counted, const Point& point);

/// The point's own counts, else those that its recording lets foretell.
struct FoundCounts {
    Counts counts;
    std::uint64_t counted_to = 0;  ///< the largest n that was emulated; 0: the point itself was
};
[[nodiscard]] std::optional<FoundCounts> counts_in(const Recording& recording, const Point& point);

}  // namespace lanescope::timing
