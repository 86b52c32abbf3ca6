// Why one variant is faster than the one before it: which of the emulator's counts changed, and by how much.
#pragma once

#include "timing/steps.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::timing {

struct CountChange {
    std::string_view name;  ///< "instructions issued"
    std::uint64_t before = 0, after = 0;
    /// The count before as a multiple of the count after; nothing where one of the two is 0.
    [[nodiscard]] std::optional<double> fewer() const {
        if (before == 0 || after == 0) return std::nullopt;
        return static_cast<double>(before) / static_cast<double>(after);
    }
};

struct Difference {
    std::size_t before = 0, after = 0;  ///< of Recording::points
    double gain = 1;                    ///< how many times as fast
    std::vector<CountChange> counts;    ///< empty where the recording has none; the one that changed most first
    std::string counted;                ///< a sentence where the counts are of other sizes than the points'; else empty
    std::string sentence;
};

/// The point's neighbor: the previous step of the lecture's table, otherwise the previous kernel of `order`, measured
/// at the same size. Nothing where there is none.
[[nodiscard]] std::optional<std::size_t> neighbor_of(const Recording& recording, std::size_t point,
                                                     const std::vector<std::string>& order);

/// Where the points were too large to emulate, their counts are extrapolated from smaller sizes
/// (extrapolated_counts.h); failing that, both have the counts of the largest smaller size with counts.
[[nodiscard]] Difference difference(const Recording& recording, std::size_t before, std::size_t after);

}  // namespace lanescope::timing
