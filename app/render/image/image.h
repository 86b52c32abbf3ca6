// Scene -> SVG text and PNG bytes, without a display.
#pragma once

#include "base/result.h"
#include "scene/scene.h"
#include "scene/theme.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::render {

/// SVG 1.1, text as <text> with the fonts' names; the same scene gives the same bytes on every machine.
[[nodiscard]] std::string to_svg(const scene::Scene& scene, scene::Theme theme);

/// 8-bit RGBA, rows top down.
struct Pixels {
    unsigned width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
};
/// The largest side of a picture, so that a wrong `scale` cannot exhaust memory.
inline constexpr unsigned most_pixels_a_side = 16384;
inline constexpr std::uint64_t most_pixels = 64'000'000;
/// Fails if the scene at that scale is larger, or has no size. `or_svg`: the remedy offers an SVG.
[[nodiscard]] Result<void> check_size(const scene::Scene& scene, float scale, bool or_svg = true);

/// `scale` pixels a point. The size must have passed check_size.
[[nodiscard]] Pixels rasterize(const scene::Scene& scene, scene::Theme theme, float scale = 2.0F);
/// `source`: the picture's origin, ASCII, kept in the file beside the pixels; empty: none.
[[nodiscard]] std::vector<std::byte> to_png(const Pixels& pixels, std::string_view source = {});
/// Do the bytes begin with the PNG signature?
[[nodiscard]] bool is_png(std::string_view bytes);
/// The text that to_png stored; empty where the bytes are not a PNG or have no such text.
[[nodiscard]] std::string source_of_png(std::string_view png);

/// The path's extension decides the format: .svg or .png; `scale` applies to PNG. Fails for another extension, for a
/// size beyond check_size, or if the folder cannot be written. An existing file is replaced only by a complete new one.
[[nodiscard]] Result<void> write_image(const scene::Scene& scene, scene::Theme theme, const std::filesystem::path& path,
                                       float scale = 2.0F);

}  // namespace lanescope::render
