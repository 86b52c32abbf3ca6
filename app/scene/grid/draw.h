// The parts of a Grid picture, each drawn into the layers of one scene.
#pragma once

#include "analysis/panels/grid_picture.h"
#include "scene/grid/layout.h"
#include "scene/layers.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::scene {

/// Sizes of text in a Grid picture, points.
namespace grid_text {
inline constexpr float kernel = 13, detail = 12, clock = 11, key = 12, host = GridPanelLayout::host_size;
}

/// The input of all parts, and the layers that they draw into, bottom first.
struct GridDrawing {
    const trace::Trace& trace;
    const analysis::GridPicture& picture;
    const GridOptions& options;
    GridPanelLayout layout;
    Layer below{}, above{}, names{};
    std::vector<std::uint32_t> arrays{};  ///< buffers, in the order in which they are first read
    std::vector<Box> plates{};            ///< the backgrounds of texts over unrecorded blocks
    std::size_t seen_arcs = 0;            ///< the number of those drawn one by one

    /// Whether a part of the range of x is in view.
    [[nodiscard]] bool visible(double from, double to) const;
    /// The color of a buffer's arcs.
    [[nodiscard]] Role role_of(std::uint32_t buffer) const;
    /// Ended by the step limit or by the user, not by a fault of the launch.
    [[nodiscard]] bool ended_early() const;
    [[nodiscard]] bool has_unrecorded() const;
};

[[nodiscard]] GridDrawing grid_drawing(const trace::Trace& trace, const analysis::GridPicture& picture,
                                       const GridOptions& options);

// Launches: their headings, clocks, multiprocessors and queues, and the steps of the host between them.
void draw_launch_frame(GridDrawing& d, std::size_t number);
void draw_host(GridDrawing& d, std::size_t number, const std::vector<analysis::GridHostStep>& steps, double left,
               double width);
/// The names of the multiprocessors in the first launch in view that has any.
void draw_lane_names(GridDrawing& d);

// Blocks with a bar of their own.
/// The name of a block, between `x` and `to` in its bar.
struct BlockName {
    Box bar;
    const analysis::GridBlock* block;
    Style style;
    std::string text;
    float x, to;
};
/// Draws the bar; its name, if it has room, is added to `names`.
void draw_block(GridDrawing& d, std::size_t number, const analysis::GridBlock& block, std::vector<BlockName>& names);
/// Call it after the arcs are drawn: a name stands beside them, moved to the right where the bar has room, otherwise
/// over them on a plate.
void draw_names(GridDrawing& d, const std::vector<BlockName>& names);
/// Labels the blocks that were only counted, because gray alone says nothing.
void draw_unrecorded(GridDrawing& d, std::size_t number);

// Rows that show several blocks at once.
/// The blocks of a row in which several are resident at once.
struct RowBlocks {
    std::uint64_t count = 0, recorded = 0;
    std::uint32_t first = 0, last = 0;

    void add(const analysis::GridBlock& block);
    /// "0 to 83"
    [[nodiscard]] std::string range() const;
    /// "blocks 0 to 83", "2,940 blocks, 0 to 99,999"
    [[nodiscard]] std::string text() const;
};
/// Draws in each row the share of its blocks that is resident at a time and, of these, from the top, the share that is
/// recorded. Returns the blocks of each row; none where a row is one slot.
std::vector<RowBlocks> draw_strips(GridDrawing& d, std::size_t number);
void draw_row_names(GridDrawing& d, std::size_t number, const std::vector<RowBlocks>& rows);

// Arcs from the block that wrote to the block that reads.
inline constexpr std::size_t most_arcs = 1'500;
/// One by one, or in bundles where the layout has tracks for them.
void draw_arcs(GridDrawing& d);
struct ArcEnds {
    float x0, y0, x1, y1;
};
/// Nothing for blocks without a bar.
[[nodiscard]] std::optional<ArcEnds> ends_of(const GridDrawing& d, const analysis::GridArc& arc);
/// Boxes around the parts near `area` of the arcs that are drawn, their ends included.
[[nodiscard]] std::vector<Box> arcs_in(const GridDrawing& d, const Box& area);

// The legend and the note below the picture.
/// Returns the rows that it takes.
std::size_t draw_legend(GridDrawing& d);
/// Returns the lines that it takes.
std::size_t draw_note(GridDrawing& d);

}  // namespace lanescope::scene
