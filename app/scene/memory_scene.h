// analysis::MemoryTable -> shapes: the Memory panel. One table an array, as many elements a row as have room, so that
// where 32 words fit a bank is a column; before or after them the variables of one lane.
#pragma once

#include "analysis/panels/memory_table.h"
#include "scene/labels.h"
#include "scene/scene.h"

#include <optional>

namespace lanescope::scene {

struct MemoryOptions {
    float width = 480, height = 320;  ///< points available; height 0: as high as it needs, long arrays cut
    double top = 0;                   ///< points scrolled away at the top
    NumberFormat format = NumberFormat::natural;
    std::optional<analysis::ValueId> selected;  ///< the value that is lit, and everything it was made of
};

/// References: cell (row = the area's number, column = the element), lane (column = the variable's number).
[[nodiscard]] Scene memory_scene(const analysis::MemoryTable& table, const MemoryOptions& options);

/// The legend of the colours stands below in its own strip and does not scroll.
inline constexpr float memory_legend_height = 28;

/// Height of everything that can be scrolled, and of the legend, points.
[[nodiscard]] double memory_height(const analysis::MemoryTable& table, const MemoryOptions& options);

/// Where the row of an element lies from the top of it all, points.
struct RowExtent {
    double top = 0, bottom = 0;
};
[[nodiscard]] RowExtent memory_row(const analysis::MemoryTable& table, const MemoryOptions& options,
                                   const analysis::MemoryTable::Place& place);

}  // namespace lanescope::scene
