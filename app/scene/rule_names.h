// Where the names of a plot's rules and points stand: where they cover the least of what was measured.
#pragma once

#include "scene/layers.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lanescope::scene {

/// A straight line across the plot and the widths of its names, in the plot's own unit of length.
struct NamedLine {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< x0 < x1; it goes on beyond both
    float width = 0;
    float brief_width = 0;  ///< of the name that it may have instead; 0: none
};

using Place = std::pair<float, float>;  ///< x, y

/// The boxes of the names, `height` high, inside `plot`: above its line or below it, at the left where nothing else
/// decides; as wide as the brief name where that covers less. `series`: what is drawn, each joined by lines or, of one
/// place, a point. Nothing for a line that is out of sight.
[[nodiscard]] std::vector<std::optional<Box>> places_of_names(const Box& plot, float height,
                                                              std::span<const NamedLine> lines,
                                                              std::span<const std::vector<Place>> series);

/// A point and the width of its name.
struct NamedPoint {
    Place at;
    float width = 0;
};
/// The boxes of the names, `away` from their points: at the right, where it is free; else at the left, else above or
/// below. `series`: other lines that names had better not cover. Nothing where each place is cut off or on another
/// name: of crowded points the first are named.
[[nodiscard]] std::vector<std::optional<Box>> places_of_point_names(const Box& plot, float height, float away,
                                                                    std::span<const NamedPoint> points,
                                                                    std::span<const std::vector<Place>> series = {});

}  // namespace lanescope::scene
