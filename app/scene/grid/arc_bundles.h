// More arcs than can be told apart -> bundles with a count: in each track, from one stretch of the panel's width to
// another.
#pragma once

#include "analysis/panels/grid_picture.h"
#include "scene/grid/layout.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::scene {

struct ArcBundle {
    std::uint32_t track = 0;
    bool atomic = false;         ///< all of its arcs are atomic
    std::size_t first = 0;       ///< the number of one of its arcs
    std::size_t arcs = 0;        ///< pairs of blocks
    std::uint64_t reads = 0;     ///< by lanes
    double from = 0, to = 0;     ///< points: the middles of the two stretches
    bool within = false;         ///< both ends in one stretch
    analysis::GridSpan blocks;   ///< from the lowest reading block to one past the highest
    analysis::GridSpan sources;  ///< the same for the blocks that wrote
    analysis::GridSpan ticks;    ///< from the first write to the last read
};

/// The bundles of the arcs in the visible part of the clock, by track, then from left to right. The layout must have
/// tracks.
[[nodiscard]] std::vector<ArcBundle> arc_bundles(const analysis::GridPicture& picture, const GridPanelLayout& layout);

}  // namespace lanescope::scene
