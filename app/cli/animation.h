// A run -> the moments that an animation of one of its blocks shows, and the animation's file.
#pragma once

#include "cli/options.h"
#include "cli/panel_picture.h"

#include <vector>

namespace lanescope::cli {

/// One for each pass, or for each event of warp 0, in the launch and block of `moment`; the last one is the end of the
/// block.
[[nodiscard]] std::vector<Moment> moments_of_animation(const session::Run& run, const Moment& moment, FrameUnit unit);

/// Writes RenderOptions::animation; reports its progress if standard error is a terminal.
[[nodiscard]] Result<void> animate(const session::Run& run, const std::vector<Moment>& moments,
                                   const RenderOptions& options, Environment& environment);

}  // namespace lanescope::cli
