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
/// Largest picture, so that a wrong `scale` cannot exhaust memory.
inline constexpr unsigned most_pixels_a_side = 16384;
inline constexpr std::uint64_t most_pixels = 64'000'000;
/// A problem when the scene at that scale is larger than that, or has no size. `or_svg`: it can be an SVG instead.
[[nodiscard]] Result<void> check_size(const scene::Scene& scene, float scale, bool or_svg = true);

/// `scale` pixels a point. The size must have passed check_size.
[[nodiscard]] Pixels rasterize(const scene::Scene& scene, scene::Theme theme, float scale = 2.0F);
/// `source`: where the picture is from, ASCII, kept in the file beside the pixels; empty: nothing.
[[nodiscard]] std::vector<std::byte> to_png(const Pixels& pixels, std::string_view source = {});
/// Whether the bytes begin as those of a PNG do.
[[nodiscard]] bool is_png(std::string_view bytes);
/// The text that to_png stored; empty where the bytes are no PNG, or have none.
[[nodiscard]] std::string source_of_png(std::string_view png);

/// Format by the path's extension: .svg or .png; `scale` applies to PNG. Fails for another extension, a size beyond
/// check_size, a folder that cannot be written. An existing file is replaced only by a complete new one.
[[nodiscard]] Result<void> write_image(const scene::Scene& scene, scene::Theme theme, const std::filesystem::path& path,
                                       float scale = 2.0F);

}  // namespace lanescope::render
