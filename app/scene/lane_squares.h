// The lanes of a warp as a row of squares that show each lane's state by shape as well as by color. All pictures of
// warps use them.
#pragma once

#include "analysis/panels/warp_picture.h"
#include "base/ids.h"
#include "base/lane_mask.h"
#include "scene/layers.h"

#include <optional>

namespace lanescope::scene {

/// The state of each lane; a lane in none of the masks has no thread. A lane in several masks has the state of the
/// first.
struct LaneStates {
    LaneMask useful;   ///< filled
    LaneMask decided;  ///< an outline: conditions and indices only
    LaneMask ran;      ///< a dash: executed without use
    LaneMask exited;   ///< a dot
    LaneMask skipped;  ///< hatched, crossed out: predicated off
    LaneMask masked;   ///< hatched
};

/// In a pass.
[[nodiscard]] LaneStates states_of(const analysis::WarpRow& row);
/// Did any lane of the warps compute only conditions and indices in the pass?
[[nodiscard]] bool some_decided(const analysis::WarpPicture& picture);

/// Points at scale 1: the largest width of a square, and the height of the numbers above the rows.
inline constexpr float most_lane_pitch = 22, lane_numbers_height = 22;

/// The place of the squares: that of lane 0 begins at `left`, each is `pitch` wide. All in points.
struct LaneColumns {
    float left = 0, pitch = 0;
    [[nodiscard]] Box box(float top, float height, unsigned lane) const {
        return {left + pitch * static_cast<float>(lane), top, pitch, height};
    }
};

/// Lanes [first, past) of a warp.
struct LaneRange {
    unsigned first = 0, past = warp_size;
};

/// One row. References: lane (`row`, column = the lane). `filled`: the role of useful lanes.
void draw_lane_squares(const LaneColumns& columns, float top, float height, const LaneStates& states, Role filled,
                       std::uint32_t row, Layer& layer, LaneRange lanes = {});

/// One lane in a box of its own.
void draw_lane_square(const Box& box, const LaneStates& states, unsigned lane, std::uint32_t row, Layer& layer);

/// The same where lanes are too narrow for squares: adjacent lanes in the same state are one box. References: lane
/// (`row`, column = `first` + the lane, span = the lanes of the box).
void draw_lane_boxes(const LaneColumns& columns, float top, float height, const LaneStates& states, std::uint32_t row,
                     std::uint32_t first, Layer& layer);

/// Every eighth lane's number, above the rows, centered on `y`.
void draw_lane_numbers(const LaneColumns& columns, float y, float size, Layer& layer);

/// An outline around lane `lane` of the rows from `top` to `bottom`: the chosen lane.
void draw_chosen_lane(const LaneColumns& columns, float top, float bottom, unsigned lane, Layer& layer);

/// The legend of the squares in one line, as many entries as fit into `width`; only states that can occur in the
/// picture.
struct LaneLegend {
    bool predicated = false, decided = false;
};
void draw_lane_legend(float left, float y, float width, float scale, const LaneLegend& legend, Layer& layer);

}  // namespace lanescope::scene
