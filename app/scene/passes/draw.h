// The parts of a Passes picture, each drawn into the layers of one scene.
#pragma once

#include "scene/layers.h"
#include "scene/passes/geometry.h"
#include "scene/passes/state.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::scene {

/// The input of all parts.
struct PassesDrawing {
    const analysis::Picture& picture;
    const PassesOptions& options;
    const PassesState& state;
    const PassesGeometry& geometry;
    std::vector<bool> in_past;  ///< cells_in_past
    bool grids = false;         ///< cells are close on all sides: outlines are thinner

    [[nodiscard]] bool lit(std::size_t row, std::uint32_t column) const {
        return !in_past.empty() && in_past[row * picture.columns + column];
    }
    [[nodiscard]] bool hovered(std::size_t row, std::uint32_t column) const {
        return options.hovered_row == row && options.hovered_column == column;
    }
};

/// A line of a row's name, drawn at label_x: `text` is elided to the column of the labels, `y` is its middle.
struct RowNameLine {
    float y;
    Font font;
    float size;
    Role role;
    std::string text;
};
/// One line where the rows are low or there is no second line; otherwise two.
[[nodiscard]] std::vector<RowNameLine> row_name(const PassesDrawing& drawing, std::size_t row);

/// Alpha of everything that has not been executed yet.
inline constexpr float ghost = 0.26F;

/// The pass and the lanes of each row, at the edges of the view; they cover shapes that come earlier in the scene. The
/// strip at the left refers to its row, with column 1.
void draw_row_labels(const PassesDrawing& drawing, Layer& layer, Scene& scene);
/// The headings of columns that are members of elements, by member: the first has none, because the element's number is
/// over it; the others have their names, whole or cut where they still differ ("m…"). Empty where not even those fit
/// into `room`.
[[nodiscard]] std::vector<std::string> member_names(const analysis::ColumnGroup& group, float size, float room);
/// The names and indices of the columns, at the top of the view, where they cover earlier shapes, too.
void draw_column_labels(const PassesDrawing& drawing, Layer& layer, Scene& scene);

/// The lanes between row - 1 and row: arcs, circles, thread numbers.
void draw_lanes(const PassesDrawing& drawing, std::size_t row, Layer& layer);

/// Writes into `line` the passes between the row and the next: their numbers, and as much of their activity as fits.
void draw_between(const PassesDrawing& drawing, std::size_t row, const Box& line, Layer& layer);

/// The row's cells: with values, as colors, or several to a bar.
void draw_cells(const PassesDrawing& drawing, std::size_t row, Layer& layer);

/// The faults of the block: PassesOptions::faults.
void draw_faults(const PassesDrawing& drawing, Layer& layer);
/// The same, where `place` returns the box of a column's cell in a row, if that shows it, and `beside` returns the
/// place of the sign for a fault without a cell.
using CellPlace = std::function<std::optional<Box>(std::uint32_t row, std::uint32_t column)>;
using RowPlace = std::function<Point(std::uint32_t row)>;
void draw_faults(const PassesDrawing& drawing, const CellPlace& place, const RowPlace& beside, Layer& layer);

/// A line around a stencil's halo in the row: Picture::halo.
void draw_halo(const PassesDrawing& drawing, std::uint32_t row, const CellPlace& place, Layer& layer);

/// One cell with its value in any box, for the rows and for the lens. `most`: em size of the value.
void draw_cell(const PassesDrawing& drawing, std::size_t row, std::uint32_t column, const Box& box, float most,
               Layer& layer);

/// A cell without room for its value, as a color.
void draw_colored_cell(const PassesDrawing& drawing, std::size_t row, std::uint32_t column, const Box& box,
                       float radius, Layer& layer);

/// The actual cells under the mouse, where the rows have no room for values.
void draw_lens(const PassesDrawing& drawing, Layer& layer);

/// Draws the whole picture from its parts, without a trace; passes_scene calls it once it knows the state.
[[nodiscard]] Scene draw_passes(const analysis::Picture& picture, const PassesState& state,
                                const PassesOptions& options);

/// The looks of a written cell, the same in every density.
enum class CellLook : std::uint8_t {
    unknown,   ///< never written
    dead,      ///< never read again
    alive,     ///< read later
    moved,     ///< written in this pass: loaded, a constant, or copied unchanged to the same column
    computed,  ///< written in this pass by a lane that computed it or copied it from another column
    wasted,    ///< written in this pass, but reaches no output
};
[[nodiscard]] CellLook look_of(const analysis::PictureRow& row, const analysis::Cell& cell, std::uint32_t column);

/// The last node of the row that writes the column, or null.
[[nodiscard]] const analysis::Node* last_node(const analysis::PictureRow& row, std::uint32_t column);

}  // namespace lanescope::scene
