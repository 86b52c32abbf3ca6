// The stops of stepping through a block along one warp: at each of its instructions, events, lines or passes.
#pragma once

#include "analysis/block_view.h"
#include "analysis/source/source_map.h"

#include <cstddef>
#include <vector>

namespace lanescope::analysis {

/// Numbers in BlockPasses::steps, ascending; the first is the start, the last is the end.
struct WarpStops {
    std::vector<std::size_t> instructions{0};
    std::vector<std::size_t> events{0};  ///< is_event(), and the warp's first step of each pass
    std::vector<std::size_t> lines{0};   ///< where the warp enters another line of the map's source
    std::vector<std::size_t> passes{0};  ///< one a pass, by the pass's index even where a pass is empty, and the end
};

/// A pass in which the warp has no step has a stop at its start.
[[nodiscard]] WarpStops warp_stops(const BlockView& block, const SourceMap& map, WarpId warp);

}  // namespace lanescope::analysis
