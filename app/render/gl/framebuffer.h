// Reads the framebuffer back, for pictures of the window.
#pragma once

#include <cstdint>
#include <vector>

namespace lanescope::render {

/// RGBA of the bound framebuffer, rows top down, alpha opaque; of the frame not yet swapped. Needs the context current.
[[nodiscard]] std::vector<std::uint8_t> read_framebuffer(int width, int height);

}  // namespace lanescope::render
