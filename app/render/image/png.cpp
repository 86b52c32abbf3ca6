#include "render/image/image.h"

#include <cassert>

#define STB_IMAGE_WRITE_STATIC  // the test engine has a copy of its own
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

namespace lanescope::render {

std::vector<std::byte> to_png(const Pixels& pixels) {
    assert(pixels.rgba.size() == std::size_t{pixels.width} * pixels.height * 4);
    std::vector<std::byte> png;
    const auto append = [](void* context, void* data, int size) {
        const auto* bytes = static_cast<const std::byte*>(data);
        static_cast<std::vector<std::byte>*>(context)->insert(static_cast<std::vector<std::byte>*>(context)->end(),
                                                              bytes, bytes + size);
    };
    [[maybe_unused]] const int written =
        stbi_write_png_to_func(append, &png, static_cast<int>(pixels.width), static_cast<int>(pixels.height), 4,
                               pixels.rgba.data(), static_cast<int>(pixels.width) * 4);
    assert(written != 0);
    return png;
}

}  // namespace lanescope::render
