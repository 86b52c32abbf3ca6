// The words and signs that the forms of the Warps panel share: a table of warps, warps with large squares, and the
// instructions of one warp.
#pragma once

#include "scene/lane_squares.h"
#include "scene/layers.h"
#include "scene/warps_scene.h"

#include <algorithm>
#include <string>

namespace lanescope::scene {

/// Points at scale 1.
inline constexpr float most_warp_row = 18, warps_legend_height = 26;
/// A lane's square is at most so many times as high as it is wide.
inline constexpr float most_upright = 1.7F;

struct WarpsDrawing {
    float scale;
    Layer& layer;
    LaneColumns columns{};

    [[nodiscard]] float text(float size) const { return std::max(smallest_text, size * scale); }
    void put(float x, float y, Anchor anchor, Font font, float size, Paint paint, std::string words) const {
        layer.put(x, y, anchor, {font, text(size), paint}, std::move(words));
    }
};

/// "12 of 32": the useful lanes of those that have a thread; else why there are none.
[[nodiscard]] std::string share_of(const analysis::WarpRow& row);
/// "38 %", "≤ 38 %"; empty for a warp without instructions.
[[nodiscard]] std::string efficiency_of(const analysis::WarpRow& row);
/// The lanes of the instruction that executes next.
[[nodiscard]] LaneStates states_of(const NextInstruction& next);

/// A bar at the left of a row: it executes next.
void draw_cursor(const WarpsDrawing& d, float left, float top, float height);
/// Two bars, as in the Source panel at the line where a warp waits; the words are at the right of `right`.
void draw_pause(const WarpsDrawing& d, float right, float middle, float size);

}  // namespace lanescope::scene
