#include "render/gl/framebuffer.h"

#include <glad/gl.h>

#include <algorithm>
#include <cstddef>

namespace lanescope::render {

std::vector<std::uint8_t> read_framebuffer(int width, int height) {
    const auto row = static_cast<std::size_t>(width) * 4;
    const auto rows = static_cast<std::size_t>(height);
    std::vector<std::uint8_t> pixels(row * rows);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    for (std::size_t low = 0, high = rows; low + 1 < high; ++low) {  // OpenGL's rows go up
        --high;
        std::swap_ranges(pixels.begin() + static_cast<std::ptrdiff_t>(low * row),
                         pixels.begin() + static_cast<std::ptrdiff_t>((low + 1) * row),
                         pixels.begin() + static_cast<std::ptrdiff_t>(high * row));
    }
    for (std::size_t alpha = 3; alpha < pixels.size(); alpha += 4) pixels[alpha] = 255;
    return pixels;
}

}  // namespace lanescope::render
