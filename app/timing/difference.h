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
    /// How many times as many there were before; nothing where one of the two is none.
    [[nodiscard]] std::optional<double> fewer() const {
        if (before == 0 || after == 0) return std::nullopt;
        return static_cast<double>(before) / static_cast<double>(after);
    }
};

struct Difference {
    std::size_t before = 0, after = 0;  ///< of Recording::points
    double gain = 1;                    ///< how many times as fast
    std::vector<CountChange> counts;    ///< empty where the recording has none; the one that changed most first
    std::string counted;                ///< of what, where not of the points themselves, a sentence; else empty
    std::string sentence;
};

/// The point's neighbour: the step before it in the lecture's table, else the kernel before it among `order`, that was
/// measured at the same size. Nothing where there is none.
[[nodiscard]] std::optional<std::size_t> neighbour_of(const Recording& recording, std::size_t point,
                                                      const std::vector<std::string>& order);

/// Where the points were too large to emulate, their counts are extended from smaller sizes (extrapolated_counts.h), or
/// else both are those of the largest smaller size that has them.
[[nodiscard]] Difference difference(const Recording& recording, std::size_t before, std::size_t after);

}  // namespace lanescope::timing
