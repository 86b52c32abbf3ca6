// The texels that a texture fetch reads, and how it combines them: CUDA C++ Programming Guide, "Texture Fetching". Pure
// functions of a texture object; they read no memory. The guide states that weights have 8 fractional bits, but not how
// those of two and three dimensions are rounded: here as in fetches of an H100, all but a few of which agree.
#pragma once

#include "base/texture_object.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lanescope::execute {

/// The texels of one fetch, at most 2 in each dimension. One of weight 0 is left out.
struct Footprint {
    struct Texel {
        std::optional<std::uint64_t> offset;  ///< bytes from the first texel of the texture; none: the border
        float weight = 1;
    };
    std::array<Texel, 8> texels;
    unsigned count = 0;
};

/// The coordinates of dimensions that the fetch does not have are ignored.
[[nodiscard]] Footprint footprint_at(const TextureObject& texture, unsigned dimensions,
                                     const std::array<float, 3>& coordinates);
/// By texel index, without a filter: tex1Dfetch.
[[nodiscard]] Footprint footprint_at(const TextureObject& texture, unsigned dimensions,
                                     const std::array<std::int32_t, 3>& coordinates);

/// The channels of a texel as they lie in memory, zero-extended.
using Channels = std::array<std::uint64_t, 4>;
/// The four components, as the bits of f32 or of a 32-bit integer.
using Components = std::array<std::uint32_t, 4>;

[[nodiscard]] Components components_of(const TextureObject& texture, const Channels& channels);
[[nodiscard]] Components border_of(const TextureObject& texture);
/// Adds a weighted texel to the sum of the texels before it. Without a filter there is only one.
void add_texel(const TextureObject& texture, const Components& texel, float weight, Components& sum);
/// Whether a fetch returns floats: only these are filtered.
[[nodiscard]] bool returns_floats(const TextureObject& texture);

}  // namespace lanescope::execute
