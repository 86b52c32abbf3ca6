// 24-bit pixels -> at most 256 colors and an index for each pixel, as in GIF. Pictures of flat colors keep their
// colors; only the shades of smoothed edges are merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::render {

struct Palette {
    std::vector<std::uint32_t> colors;  ///< 0xRRGGBB
    std::vector<std::uint8_t> indices;  ///< of each pixel, among the colors
};

/// `pixels`: 0xRRGGBB each. With more than 256 different ones, the most frequent half of the palette is exact, and the
/// others are divided at the median of their widest channel until the palette is full (median cut, Heckbert 1982).
[[nodiscard]] Palette palette_of(std::span<const std::uint32_t> pixels);

}  // namespace lanescope::render
