// A degree of conflict -> its color: of a bank in Banks, of an access in Map.
#pragma once

#include "scene/scene.h"

namespace lanescope::scene {

/// Degree 1 costs nothing; more is darker, up to `most`, the largest of the picture.
[[nodiscard]] inline Paint heat_paint(double degree, double most) {
    if (degree <= 1) return {Role::useful, 0.45F};
    return {Role::cost, 0.35F + 0.65F * static_cast<float>(degree / most)};
}

}  // namespace lanescope::scene
