// The places for the names of a plot's rules and points, where they cover the fewest measurements.
#pragma once

#include "scene/layers.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lanescope::scene {

/// A straight line across the plot and the widths of its names, in the plot's own unit of length.
struct NamedLine {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< x0 < x1; the line continues beyond both
    float width = 0;
    float brief_width = 0;  ///< of its short name; 0: none
};

using Place = std::pair<float, float>;  ///< x, y

/// The boxes of the names, `height` high, inside `plot`: above or below the line, at the left by default, and as wide
/// as the short name where that covers less. `series`: the drawn series, each joined by lines or, with one place, a
/// point. Nothing for a line that is not visible, or whose name would cover another.
[[nodiscard]] std::vector<std::optional<Box>> places_of_names(const Box& plot, float height,
                                                              std::span<const NamedLine> lines,
                                                              std::span<const std::vector<Place>> series);

/// A point and the width of its name.
struct NamedPoint {
    Place at;
    float width = 0;
};
/// The boxes of the names, `away` from their points: at the right, if that is free; otherwise at the left, above or
/// below. `series`: other lines to avoid. Nothing where every place is cut off or covers another name, so that of
/// crowded points the first are named.
[[nodiscard]] std::vector<std::optional<Box>> places_of_point_names(const Box& plot, float height, float away,
                                                                    std::span<const NamedPoint> points,
                                                                    std::span<const std::vector<Place>> series = {});

}  // namespace lanescope::scene
