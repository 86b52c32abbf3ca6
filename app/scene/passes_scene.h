// analysis::Picture -> shapes: the Passes panel. Time runs down: a row of cells for each pass, and between two rows the
// lanes that worked, with the cells they read and wrote. Wide pictures leave out values first, then cells, but never
// meaning.
//
// Where arrays have rows and columns, the picture is a strip of frames, left to right and down: one a pass, with a grid
// for each array as it is after the pass, and only the arcs of the selected value.
#pragma once

#include "analysis/passes_picture/joint_values.h"
#include "analysis/passes_picture/picture.h"
#include "scene/scene.h"

#include <optional>
#include <vector>

namespace lanescope::scene {

enum class ArrayView : std::uint8_t {
    by_shape,  ///< grids where some array has rows and columns
    rows,      ///< each array is one row of cells
    grids,
};

/// The part of a strip of grids that is drawn, from seen_from on, in widths and heights of the view.
inline constexpr float grids_ahead = 2;

/// The height of the legend, points at scale 1.
inline constexpr float passes_legend_height = 30;

/// The opacity of cells of the current pass whose writers have not executed.
inline constexpr float not_yet = 0.26F;

/// The opacity of cells that a loaded or copied value was written to: clearly between `not_yet` and computed.
inline constexpr float moved_tint = 0.55F;

/// Size, position and marks of the picture.
struct PassesOptions {
    float width = 900;  ///< points available; height follows from the rows
    float height = 0;   ///< rows are spread to fill this height if they can; 0: natural height
    float zoom = 1;     ///< 1: fits the width
    ArrayView arrays = ArrayView::by_shape;
    bool whole = false;   ///< all rows within `height`, without values where those have no room
    bool frames = false;  ///< the same for the frames of grids, where a frame with values would be higher than `height`
    /// The scene's point at the top left of a view of `width` x `height`: names and indices stay at the view's edges. A
    /// strip of grids leaves out what stays invisible between there and `grids_ahead` times the view, so that not every
    /// move needs another scene. Nothing: all of it is visible.
    std::optional<Point> seen_from;
    std::size_t position = 0;  ///< the block's step that executes next: rows beyond it are ghosts
    std::optional<std::uint32_t> hovered_row, hovered_column;
    std::optional<analysis::ValueId> selected;  ///< its whole past is highlighted, and its readers
    std::vector<analysis::FaultMark> faults;    ///< of the block
    std::vector<analysis::JointValue> joint;    ///< of the picture: a row draws each as cells of several lines; empty:
                                                ///< every array by itself
    float lens_x = -1, lens_y = -1;             ///< mouse, for the lens where cells have no room for values; < 0: none
    float scale = 1;                            ///< text size; presenter mode 2
    bool legend = true;                         ///< below the picture, within `height`
};

/// Whether the picture is drawn as grids.
[[nodiscard]] bool draws_grids(const analysis::Picture& picture, ArrayView arrays);

[[nodiscard]] Scene passes_scene(const analysis::BlockPasses& passes, const analysis::Picture& picture,
                                 const analysis::Provenance& provenance, const PassesOptions& options);

/// The legend by itself: the looks of cells that occur in the picture, as many as fit into `width`, at scale 1.
/// `finished`: the whole block has executed.
[[nodiscard]] Scene passes_legend(const analysis::Picture& picture, bool finished, float width);

}  // namespace lanescope::scene
