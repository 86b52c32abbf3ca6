// analysis::AccessMap -> shapes: the Map panel. A row is a warp (or a block, or a run of equal blocks), a column an
// access, and a cell is darker the more wavefronts or sectors are excessive.
#pragma once

#include "analysis/panels/access_map.h"
#include "scene/scene.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace lanescope::scene {

struct MapOptions {
    float width = 640, height = 0;                    ///< points available; height 0: as high as it needs
    float scroll_x = 0, scroll_y = 0;                 ///< of the cells, points; kept within their bounds
    std::optional<std::pair<BlockId, WarpId>> shown;  ///< the warp that stepping follows
    std::optional<std::size_t> next;                  ///< the column of that warp's next instruction
};

/// References: cell (row = the view's row, column = the column), row (row = the view's row), heading (column = the
/// column). Viewport 0: the cells, where they scroll.
[[nodiscard]] Scene map_scene(const analysis::AccessMap& map, const analysis::MapView& view, const MapOptions& options);

/// The most rows that can be told apart within that height; 0: those of a picture in a file.
[[nodiscard]] std::size_t map_rows_within(float height);

/// "block 3, warp 5", "block 3", "blocks 3 to 70".
[[nodiscard]] std::string row_name(const analysis::MapRow& row);
/// "wavefronts", "sectors".
[[nodiscard]] std::string unit_of(const analysis::MapColumn& column, std::uint64_t number);
/// "A row is a block: the sums of its warps." Empty for warps.
[[nodiscard]] std::string rows_sentence(analysis::MapRows kind);
/// "load", "load, execution 3", "load, executions from 24 on".
[[nodiscard]] std::string access_words(const analysis::MapColumn& column);

}  // namespace lanescope::scene
