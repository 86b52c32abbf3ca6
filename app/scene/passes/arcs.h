// The shapes of the arcs between two rows.
#pragma once

#include "scene/scene.h"

namespace lanescope::scene {

/// From (x0, y0) down to (x1, y1): straight, or an S whose ends are vertical.
[[nodiscard]] Curve fall(float x0, float y0, float x1, float y1);

/// From (x0, y0) to the side of a circle below: steep first, then flat. The nearest source has `rank` 0 and meets the
/// circle highest, so that the arcs of several sources fan out.
[[nodiscard]] Curve sweep(float x0, float y0, const Circle& circle, int rank);

/// From one circle over the space between to another at the same height, rising to `top` at most.
[[nodiscard]] Curve hop(const Circle& from, const Circle& to, float top);

}  // namespace lanescope::scene
