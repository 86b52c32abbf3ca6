// A texture object or surface object in device memory: its handle is the address of one of these, so that whatever
// keeps the memory keeps the objects. The CUDA runtime of programs writes it, the emulator reads it.
//
// Included by the runtime, too, which is compiled with the program: no more than the standard library of C++17.
#pragma once

#include <cstdint>

namespace lanescope {

struct TextureObject {
    static constexpr std::uint64_t texture_magic = 0x3174636A624F7854, surface_magic = 0x3174636A624F7553;

    enum Resource : std::uint32_t { linear, pitched, array };
    enum Format : std::uint32_t { unsigned_number, signed_number, real };
    enum Address : std::uint32_t { wrap, clamp, mirror, border };

    std::uint64_t magic = 0;
    std::uint64_t memory = 0;                        ///< address of the first texel
    std::uint64_t pitch = 0, slice = 0;              ///< bytes from row to row, from one 2-D slice to the next
    std::uint64_t width = 0, height = 1, depth = 1;  ///< in texels
    std::uint32_t resource = linear;
    std::uint32_t channels = 1, channel_bytes = 4, format = real;
    std::uint32_t address[3] = {clamp, clamp, clamp};  ///< of x, y, z
    std::uint32_t interpolates = 0;                    ///< a linear filter; else the nearest texel
    std::uint32_t normalized_coordinates = 0;
    std::uint32_t normalized_values = 0;  ///< whole numbers are read as floats of 0 to 1, or of -1 to 1
    float border_color[4] = {};
    std::uint32_t unused = 0;
};

}  // namespace lanescope
