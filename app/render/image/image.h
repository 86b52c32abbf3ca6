// Scene -> SVG text and PNG bytes, without a display.
#pragma once

#include "base/result.h"
#include "scene/scene.h"
#include "scene/theme.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::render {

/// SVG 1.1, text as <text> with the fonts' names; the same scene gives the same bytes on every machine.
[[nodiscard]] std::string to_svg(const scene::Scene& scene, scene::Theme theme);

/// 8-bit RGBA, rows top down.
struct Pixels {
    unsigned width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
};
/// `scale` pixels a point.
[[nodiscard]] Pixels rasterise(const scene::Scene& scene, scene::Theme theme, float scale = 2.0F);
[[nodiscard]] std::vector<std::byte> to_png(const Pixels& pixels);

/// By the ending of the path: .svg or .png.
[[nodiscard]] Result<void> write_image(const scene::Scene& scene, scene::Theme theme, const std::filesystem::path& path,
                                       float scale = 2.0F);

}  // namespace lanescope::render
