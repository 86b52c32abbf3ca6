#include "render/image/image.h"

#include <cassert>

#define STB_IMAGE_WRITE_STATIC  // the test engine has its own copy
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

namespace lanescope::render {

namespace {

// PNG, 5.2: a signature of 8 bytes, then chunks: length, type, data, checksum of type and data. The first is IHDR.
constexpr std::string_view signature = "\x89PNG\r\n\x1A\n", keyword("Source\0", 7), text_chunk = "tEXt";
constexpr std::size_t number_bytes = 4, around_data = 3 * number_bytes,
                      header_end = signature.size() + around_data + 13;

std::string number(std::uint32_t value) {
    std::string bytes;
    for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(value >> shift & 0xFFU);
    return bytes;
}

std::size_t number_at(std::string_view bytes, std::size_t at) {
    std::size_t value = 0;
    for (std::size_t byte = 0; byte < number_bytes; ++byte)
        value = value << 8U | static_cast<unsigned char>(bytes[at + byte]);
    return value;
}

std::string chunk_of(std::string_view source) {
    std::string typed(text_chunk);
    typed += keyword;
    typed += source;
    const std::uint32_t checksum =
        stbiw__crc32(reinterpret_cast<unsigned char*>(typed.data()), static_cast<int>(typed.size()));
    return number(static_cast<std::uint32_t>(typed.size() - text_chunk.size())) + typed + number(checksum);
}

}  // namespace

bool is_png(std::string_view bytes) { return bytes.starts_with(signature); }

std::string source_of_png(std::string_view png) {
    if (!is_png(png)) return {};
    for (std::size_t at = signature.size(); png.size() - at >= around_data;) {
        const std::size_t size = number_at(png, at);
        if (size > png.size() - at - around_data) break;
        const std::string_view data = png.substr(at + 2 * number_bytes, size);
        if (png.substr(at + number_bytes, number_bytes) == text_chunk && data.starts_with(keyword))
            return std::string(data.substr(keyword.size()));
        at += around_data + size;
    }
    return {};
}

std::vector<std::byte> to_png(const Pixels& pixels, std::string_view source) {
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
    if (!source.empty()) {
        const std::string chunk = chunk_of(source);
        const auto* const bytes = reinterpret_cast<const std::byte*>(chunk.data());
        png.insert(png.begin() + header_end, bytes, bytes + chunk.size());
    }
    return png;
}

}  // namespace lanescope::render
