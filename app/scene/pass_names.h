// Short names of passes: their common part is written once, and as many names are shown side by side as fit.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lanescope::scene {

/// "load", "s = 1", "s = 2" -> "s" over "load", "1", "2".
struct ShortNames {
    std::string head;  ///< the variable that all names with a value share; empty: the names are unchanged
    std::vector<std::string> names;
};
[[nodiscard]] ShortNames short_names(std::span<const std::string> names);

/// The place of a name along a line.
struct Extent {
    float from = 0, to = 0;
};
/// The least k for which every k-th name, from the first on, is at least `gap` from its neighbors; at least 1.
[[nodiscard]] std::size_t every_that_fits(std::span<const Extent> names, float gap);

}  // namespace lanescope::scene
