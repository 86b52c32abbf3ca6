// Roles -> numbers, dark and light: Okabe-Ito tuned for each background.
#pragma once

#include "scene/scene.h"

namespace lanescope::scene {

struct Color {
    std::uint8_t r = 0, g = 0, b = 0;
    float a = 1.0F;
};

enum class Theme : std::uint8_t { dark, light };

[[nodiscard]] Color color_of(Theme theme, Paint paint);  ///< alpha is the paint's

}  // namespace lanescope::scene
