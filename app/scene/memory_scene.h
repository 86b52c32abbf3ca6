// analysis::MemoryTable -> shapes: the Memory panel. One table an array, as many elements a row as fit, so that where
// 32 words fit a bank is a column; before or after them the variables of one lane.
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
    std::optional<analysis::ValueId> selected;  ///< the highlighted value, with everything it was computed from
};

/// References: cell (row = the area's number, column = the element), lane (column = the variable's number).
[[nodiscard]] Scene memory_scene(const analysis::MemoryTable& table, const MemoryOptions& options);

/// The legend of the colors is below in its own strip and does not scroll.
inline constexpr float memory_legend_height = 28;

/// Height of all scrollable content, and of the legend, points.
[[nodiscard]] double memory_height(const analysis::MemoryTable& table, const MemoryOptions& options);

/// The place of an element's row from the top of the content, points.
struct RowExtent {
    double top = 0, bottom = 0;
};
[[nodiscard]] RowExtent memory_row(const analysis::MemoryTable& table, const MemoryOptions& options,
                                   const analysis::MemoryTable::Place& place);

}  // namespace lanescope::scene
