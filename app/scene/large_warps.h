// Few warps in a large panel: each warp is a line of words above its lanes, which are as large as the room allows, in
// one line or in several. warps_scene() draws them where they are larger than in its table.
#pragma once

#include "scene/warps_drawing.h"

#include <cstddef>
#include <optional>

namespace lanescope::scene {

class LargeWarps {
  public:
    /// `options.height` must be positive.
    LargeWarps(const analysis::WarpPicture& picture, const WarpsOptions& options);

    /// The shorter side of a lane's square, points.
    [[nodiscard]] float side() const;
    /// All but the legend.
    void draw(Layer& layer) const;

  private:
    [[nodiscard]] float group_height() const;
    void set(unsigned lanes_a_line);
    /// Draws one warp's lanes, below their numbers; returns the bottom.
    float draw_lanes(float top, float height, bool numbered, const LaneStates& states, Role filled, std::uint32_t row,
                     std::optional<unsigned> chosen, Layer& layer) const;
    void draw_words(const WarpsDrawing& d, float top, const analysis::WarpRow& row, const WarpState* state) const;

    const analysis::WarpPicture& picture_;
    const WarpsOptions& options_;
    std::size_t groups_;  // the warps, and the next instruction
    unsigned lanes_a_line_ = warp_size;
    float words_ = 0;               // size of the text, points at scale 1
    float pitch_ = 0, height_ = 0;  // of a square, points
};

}  // namespace lanescope::scene
