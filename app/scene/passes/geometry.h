// The layout of a Passes picture: how much room a cell has, and so how much it shows.
#pragma once

#include "analysis/passes_picture/joint_values.h"
#include "analysis/passes_picture/picture.h"
#include "scene/layers.h"
#include "scene/passes_scene.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::scene {

/// The density of a cell's contents.
enum class Density : std::uint8_t {
    values,  ///< its value
    cells,   ///< a color
    bars,    ///< narrower than a pixel: several cells share a bar
};

struct PassesGeometry {
    Density density = Density::values;
    float scale = 1;
    float width = 0, height = 0;           ///< of the scene
    Box view;                              ///< the visible part of the scene
    float head = 0;                        ///< height of the names and indices
    float label_x = 0, label_width = 0;    ///< pass labels, left
    float lanes_x = 0;                     ///< right end of "8 of 16 lanes"
    float label_end = 0, lanes_begin = 0;  ///< the cells are between these two
    std::size_t label_every = 1;           ///< rows between two labels
    bool lanes_shown = true;
    bool two_lines = true;  ///< labels have room for two lines

    /// The name of an array: it begins over its first column, or at the edge of the view.
    struct ArrayName {
        std::uint32_t group = 0;
        float from = 0, room = 0;
        bool upper = false;  ///< in the upper of two lines
    };
    std::vector<ArrayName> array_names;
    float name_size = 0;            ///< em size
    float upper_names_y = 0;        ///< middle of the upper line, where there are two
    float names_y = 0;              ///< middle of the line of array names; 0: not shown
    float indices_y = 0;            ///< middle of the line of element indices
    std::uint32_t index_every = 1;  ///< columns between two indices

    float pitch = 0;  ///< from column to column
    /// Beside an array whose cells are too narrow for values, an array of few cells (a counter, flags) gets room for
    /// its name and, if possible, for its values. By column, its own pitch; 0, or empty: `pitch`.
    std::vector<float> own_pitch;
    [[nodiscard]] bool is_roomy(std::uint32_t column) const { return !own_pitch.empty() && own_pitch[column] > 0; }
    [[nodiscard]] float pitch_of(std::uint32_t column) const { return is_roomy(column) ? own_pitch[column] : pitch; }
    float cell_width = 0, cell_height = 0, radius = 0;
    float value_size = 0;          ///< em size of values
    bool two_line_values = false;  ///< cells are as high as two lines of text, because most values do not fit into one
    float first_top = 0, row_pitch = 0;  ///< of the rows' cells
    float first_height = 0;              ///< of the first row's cells: lower than the others' where they are all input
    float line_between = 0;         ///< height of the line below a row that names the passes without a row; 0: none
    std::vector<float> moved_down;  ///< by row: how far the lines above it move it down; empty: not at all
    float node_radius = 0;          ///< of the circles
    float node_size = 0;            ///< em size of the numbers in them; 0: no room, circles are dots

    std::vector<float> column_left;  ///< left edge of each column's share of the width
    /// By column, where arrays form one value: the column of its first part, which is at the same place, and the line
    /// of the cell for this part. Empty: every column has its own place.
    struct Line {
        std::uint32_t lead = 0;
        std::uint8_t number = 0, of = 1;
    };
    std::vector<Line> lines;
    std::size_t most_lines = 1;
    /// Adjacent columns in one line, of one array.
    struct Stretch {
        std::uint32_t first = 0, past_last = 0;
    };
    std::vector<Stretch> stretches;
    /// Arrays that follow one another are drawn one above the other: an input that threads combine before they first
    /// store, above the cells that are made of it; or the cells above an output that only the last row writes. By
    /// column: is it one of the upper ones? Empty: all columns are side by side in all rows.
    std::vector<bool> above;
    std::size_t first_lower_row = 1;      ///< where there are upper columns: the rows before it show them
    std::uint64_t first_upper_index = 0;  ///< of the element in the leftmost upper column

    /// Does the row have a cell in the column?
    [[nodiscard]] bool shows(std::size_t row, std::uint32_t column) const {
        return above.empty() || above[column] == (row < first_lower_row);
    }
    [[nodiscard]] float gap() const { return row_pitch - cell_height; }  ///< between two rows' cells
    [[nodiscard]] float row_top(std::size_t row) const { return row_bottom(row) - row_height(row); }
    [[nodiscard]] float row_bottom(std::size_t row) const {
        const float moved = moved_down.empty() ? 0 : moved_down[row];
        return first_top + row_pitch * static_cast<float>(row) + cell_height + moved;
    }
    /// Where the gap above a row's cells begins: at the previous row, or at the line below that.
    [[nodiscard]] float gap_top(std::size_t row) const { return row_top(row) - gap(); }
    [[nodiscard]] float row_middle(std::size_t row) const { return row_top(row) + row_height(row) / 2; }
    [[nodiscard]] float row_height(std::size_t row) const { return row == 0 ? first_height : cell_height; }
    [[nodiscard]] float column_center(std::uint32_t column) const { return column_left[column] + pitch_of(column) / 2; }
    /// The box of a cell; for a part of a value, its line in the cell.
    [[nodiscard]] Box cell(std::size_t row, std::uint32_t column) const {
        const float wide = is_roomy(column) ? std::max(own_pitch[column] - 2, own_pitch[column] * 0.6F) : cell_width;
        return {column_center(column) - wide / 2, line_top(row, column), wide, line_height(row, column)};
    }
    [[nodiscard]] float line_height(std::size_t row, std::uint32_t column) const {
        return lines.empty() ? row_height(row) : row_height(row) / static_cast<float>(lines[column].of);
    }
    [[nodiscard]] float line_top(std::size_t row, std::uint32_t column) const {
        return row_top(row) + (lines.empty() ? 0 : line_height(row, column) * static_cast<float>(lines[column].number));
    }
    [[nodiscard]] std::uint32_t lead_of(std::uint32_t column) const {
        return lines.empty() ? column : lines[column].lead;
    }
    /// Does the row have a label? All have, or some where there is not enough room; `current` always has.
    [[nodiscard]] bool labeled(std::size_t row, std::optional<std::size_t> current) const {
        if (label_every == 1 || row == current) return true;
        const std::size_t apart = !current ? label_every : row > *current ? row - *current : *current - row;
        return row % label_every == 0 && apart >= label_every;
    }
    /// Do names stay at the edges of a view that shows only a part of the scene?
    [[nodiscard]] bool pinned() const { return view.width < width || view.height < height; }
    /// From the first column's left edge to the last one's right edge.
    [[nodiscard]] Box columns(std::size_t row, std::uint32_t first, std::uint32_t last) const {
        return {column_left[first], line_top(row, first), column_left[last] + pitch_of(last) - column_left[first],
                line_height(row, first)};
    }
    /// The row's column under x, or the nearest one; for the parts of a value, the first. The picture has at least one.
    [[nodiscard]] std::uint32_t column_at(std::size_t row, float x) const;
};

/// "sdata", "temp, two buffers folded". For an array drawn below other arrays, "then sdata" or, where the index of its
/// first cell differs from theirs, "then out from 16". "slope, offset: one value".
[[nodiscard]] std::string title_of(const PassesGeometry& geometry, const PassesOptions& options,
                                   const analysis::ColumnGroup& group);

[[nodiscard]] PassesGeometry passes_geometry(const analysis::Picture& picture, const PassesOptions& options);

/// How a lane's store is shown above its row.
enum class LaneMark : std::uint8_t {
    none,    ///< none, above the first row
    lines,   ///< for an unchanged value: lines straight to the cell
    circle,  ///< with the thread's number
};
[[nodiscard]] LaneMark mark_of(const analysis::Node& node, std::size_t row);

/// The row's nodes as they are drawn: the nodes of one thread that write the parts of one value are one, in the column
/// of its first part, with each source cell once. A node whose value is in `past` stands for the others.
[[nodiscard]] std::vector<analysis::Node> joint_nodes(const analysis::PictureRow& row,
                                                      std::span<const analysis::JointValue> joint,
                                                      const analysis::SelectedPast& past);

/// The cell's value as text; empty where none was ever written.
[[nodiscard]] std::string value_text(const analysis::ColumnGroup& group, std::uint32_t column,
                                     const analysis::Cell& cell);
/// The threads that did useful work in the pass, "8 of 16": the same number as in Warps and Counts.
[[nodiscard]] std::string lanes_text(const analysis::PictureRow& row);
/// The text below it: "lanes"; or "32 write" where others write, too, as in a shuffle's tree, or where fewer write, as
/// in comparisons.
[[nodiscard]] std::string lanes_unit(const analysis::PictureRow& row);

}  // namespace lanescope::scene
