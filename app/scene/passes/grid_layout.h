// The places of the frames, one a pass, in a Passes picture of arrays with rows and columns, and of their grids and
// cells.
#pragma once

#include "analysis/passes_picture/picture.h"
#include "scene/passes_scene.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::scene {

/// How the cells of an array are placed in rows and columns.
struct GridForm {
    std::uint32_t width = 1;    ///< cells of a row that are shown
    std::uint32_t rows = 1;     ///< in all planes
    std::uint32_t plane = 0;    ///< rows of a plane; 0: one plane
    std::uint32_t padding = 0;  ///< cells at the end of a row that no thread accesses
    bool wrapped = false;       ///< an array of one dimension, cut into rows to be shown

    [[nodiscard]] std::uint32_t planes() const { return plane == 0 ? 1 : (rows + plane - 1) / plane; }
    [[nodiscard]] std::uint32_t rows_of_plane() const { return plane == 0 ? rows : plane; }
};
/// `widest`: the width of a row for an array without a shape.
[[nodiscard]] GridForm form_of(const analysis::ColumnGroup& group, std::uint32_t widest);

/// "tile[16][17]", "in, rows of 64 (inferred)"; `brief`: without the part after the comma.
[[nodiscard]] std::string grid_title(const analysis::ColumnGroup& group, const GridForm& form, bool brief = false);

/// "64 of 64 lanes, 24 useful"
[[nodiscard]] std::string lanes_line(const analysis::PictureRow& row);

/// The places of frames, grids and cells.
struct GridLayout {
    struct Grid {
        std::uint32_t group = 0;
        float x = 0, y = 0;  ///< of the first cell's share
        float title_y = 0, title_room = 0;
    };
    struct Frame {
        Box box;
        std::vector<Grid> grids;
        float line_between = 0;  ///< top of the line that names the passes after it without a frame
    };
    float scale = 1;
    float width = 0, height = 0;     ///< of the scene
    float pitch_x = 0, pitch_y = 0;  ///< from cell to cell
    bool values = false;             ///< cells have room for them
    bool brief_titles = false;       ///< of grids, because longer ones would take room from the cells
    std::vector<GridForm> forms;     ///< by group
    std::vector<Frame> frames;       ///< by row of the picture

    /// Nothing where the frame does not show the array.
    [[nodiscard]] std::optional<Box> cell(const analysis::Picture& picture, std::size_t row,
                                          std::uint32_t column) const;
    [[nodiscard]] Box place(const Grid& grid, std::uint32_t number) const;
};
[[nodiscard]] GridLayout grid_layout(const analysis::Picture& picture, const PassesOptions& options);

}  // namespace lanescope::scene
