// analysis::MemoryTable -> shapes: the Memory panel. One table an array, with as many elements a row as fit; where 32
// words fit, a column is a bank. The variables of one lane stand before or after the tables.
#pragma once

#include "analysis/panels/memory_table.h"
#include "scene/labels.h"
#include "scene/scene.h"

#include <optional>

namespace lanescope::scene {

struct MemoryOptions {
    float width = 480, height = 320;  ///< points available; height 0: as high as it needs, with long arrays cut
    double top = 0;                   ///< points scrolled away at the top
    NumberFormat format = NumberFormat::natural;
    std::optional<analysis::ValueId> selected;  ///< the highlighted value, with everything it was computed from
};

/// References: cell (row = the area's number, column = the element), lane (column = the variable's number).
[[nodiscard]] Scene memory_scene(const analysis::MemoryTable& table, const MemoryOptions& options);

/// The legend of the colors is in a strip of its own below and does not scroll.
inline constexpr float memory_legend_height = 28;

/// The height of all content that scrolls, and of the legend, points.
[[nodiscard]] double memory_height(const analysis::MemoryTable& table, const MemoryOptions& options);

/// The place of an element's row from the top of the content, points.
struct RowExtent {
    double top = 0, bottom = 0;
};
[[nodiscard]] RowExtent memory_row(const analysis::MemoryTable& table, const MemoryOptions& options,
                                   const analysis::MemoryTable::Place& place);

}  // namespace lanescope::scene
