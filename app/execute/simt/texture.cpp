#include "execute/simt/texture.h"

#include "execute/simt/half.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lanescope::execute {

namespace {

/// A weight has 9 bits, 8 of them fractional, so that 1 is exact: it counts these steps.
constexpr int weight_steps = 256;

/// The two texels between which a coordinate lies in one dimension, and the weight of the second. Without a filter the
/// weight is 0.
struct Taps {
    std::array<std::optional<std::uint64_t>, 2> index{};  ///< none: past the border
    int weight = 0;
};

std::uint64_t size_in(const TextureObject& texture, unsigned dimension) {
    const std::uint64_t size = dimension == 0 ? texture.width : dimension == 1 ? texture.height : texture.depth;
    return std::max<std::uint64_t>(size, 1);
}

/// The texel that index `at`, which may lie outside, selects among `size` texels; none: the border.
std::optional<std::uint64_t> addressed(std::int64_t at, std::uint64_t size, std::uint32_t mode) {
    const auto last = static_cast<std::int64_t>(size) - 1;
    const auto period = [&](std::int64_t length) { return ((at % length) + length) % length; };
    switch (mode) {
        case TextureObject::wrap: return static_cast<std::uint64_t>(period(last + 1));
        case TextureObject::mirror: {
            const std::int64_t place = period(2 * (last + 1));
            return static_cast<std::uint64_t>(place <= last ? place : 2 * last + 1 - place);
        }
        case TextureObject::border:
            if (at < 0 || at > last) return std::nullopt;
            return static_cast<std::uint64_t>(at);
        default: return static_cast<std::uint64_t>(std::clamp<std::int64_t>(at, 0, last));
    }
}

/// The index of the texel that begins at or before `x`. A coordinate far outside stays outside; NaN is texel 0.
std::int64_t floor_of(float x) {
    constexpr float far = 1e15F;
    return std::isnan(x) ? 0 : static_cast<std::int64_t>(std::floor(std::clamp(x, -far, far)));
}

Taps taps_at(const TextureObject& texture, unsigned dimension, float coordinate) {
    const std::uint64_t size = size_in(texture, dimension);
    std::uint32_t mode = texture.address[dimension];
    float x = coordinate;
    if (texture.normalized_coordinates != 0)
        x *= static_cast<float>(size);
    else if (mode == TextureObject::wrap || mode == TextureObject::mirror)
        mode = TextureObject::clamp;  // as the guide says of coordinates that are not normalized
    if (texture.interpolates == 0) return {.index = {addressed(floor_of(x), size, mode), {}}, .weight = 0};
    // The position is rounded, so that a weight of 1 is the next texel's 0.
    const std::int64_t position = floor_of((x - 0.5F) * weight_steps + 0.5F);
    const std::int64_t first = position >> 8;
    return {.index = {addressed(first, size, mode), addressed(first + 1, size, mode)},
            .weight = static_cast<int>(position & (weight_steps - 1))};
}

/// tex1D fetches from an array as from a plane of one row, at y = 0, which is its edge: with a filter and a border,
/// half of the weight is the border's.
Taps row_of_1d(const TextureObject& texture) {
    const bool at_border = texture.interpolates != 0 && texture.address[1] == TextureObject::border;
    return {.index = {at_border ? std::nullopt : std::optional<std::uint64_t>(0), 0},
            .weight = at_border ? weight_steps / 2 : 0};
}

int rounded_weight(int steps) { return (steps + weight_steps / 2) / weight_steps; }

/// Weights of texels, by whether they are the second in x, in y and in z.
using Weights = std::array<std::array<std::array<int, 2>, 2>, 2>;

/// A weight is not the exact product of those of its dimensions: each product is rounded to a step, and the rest of a
/// weight goes to the neighbor, so that all add up to 1. The products are chosen as an H100 does.
Weights weights_of(int x, int y, int z) {
    Weights weights{};
    if (z == 0) {
        const int both = rounded_weight(x * y);
        weights[0][0][0] = weight_steps - x - y + both;
        weights[1][0][0] = x - both;
        weights[0][1][0] = y - both;
        weights[1][1][0] = both;
        return weights;
    }
    const int both = rounded_weight(x * z);
    const std::array<std::array<int, 2>, 2> of_xz{{{weight_steps - x - z + both, z - both}, {x - both, both}}};
    for (unsigned at_x = 0; at_x < 2; ++at_x) {
        for (unsigned at_z = 0; at_z < 2; ++at_z) {
            const int near = rounded_weight(of_xz[at_x][at_z] * (weight_steps - y));
            weights[at_x][0][at_z] = near;
            weights[at_x][1][at_z] = of_xz[at_x][at_z] - near;
        }
    }
    return weights;
}

Footprint footprint_of(const TextureObject& texture, const std::array<Taps, 3>& taps) {
    Footprint footprint;
    const std::uint64_t texel_bytes = std::uint64_t{texture.channels} * texture.channel_bytes;
    const Weights weights = weights_of(taps[0].weight, taps[1].weight, taps[2].weight);
    for (unsigned z = 0; z < 2; ++z) {
        for (unsigned y = 0; y < 2; ++y) {
            for (unsigned x = 0; x < 2; ++x) {
                if (weights[x][y][z] == 0) continue;
                const auto &at_x = taps[0].index[x], &at_y = taps[1].index[y], &at_z = taps[2].index[z];
                Footprint::Texel& texel = footprint.texels[footprint.count++];
                texel.weight = static_cast<float>(weights[x][y][z]) / weight_steps;
                if (at_x && at_y && at_z)
                    texel.offset = *at_x * texel_bytes + *at_y * texture.pitch + *at_z * texture.slice;
            }
        }
    }
    return footprint;
}

Taps first_texel() { return {.index = {0, {}}, .weight = 0}; }

/// The largest whole number of a channel.
float largest_of(const TextureObject& texture) {
    const unsigned sign = texture.format == TextureObject::signed_number ? 1 : 0;
    return static_cast<float>((std::uint64_t{1} << (8 * texture.channel_bytes - sign)) - 1);
}

/// A whole number as a fraction of the largest one. -128 and -127 are both -1.
float normalized(const TextureObject& texture, std::uint32_t bits) {
    if (texture.format == TextureObject::unsigned_number) return static_cast<float>(bits) / largest_of(texture);
    return std::max(static_cast<float>(static_cast<std::int32_t>(bits)) / largest_of(texture), -1.0F);
}

}  // namespace

bool returns_floats(const TextureObject& texture) {
    return texture.format == TextureObject::real || texture.normalized_values != 0;
}

Footprint footprint_at(const TextureObject& texture, unsigned dimensions, const std::array<float, 3>& coordinates) {
    std::array<Taps, 3> taps;
    for (unsigned i = 0; i < taps.size(); ++i)
        taps[i] = i < dimensions ? taps_at(texture, i, coordinates[i]) : first_texel();
    if (dimensions == 1) taps[1] = row_of_1d(texture);
    return footprint_of(texture, taps);
}

Footprint footprint_at(const TextureObject& texture, unsigned dimensions,
                       const std::array<std::int32_t, 3>& coordinates) {
    std::array<Taps, 3> taps;
    for (unsigned i = 0; i < taps.size(); ++i) {
        // Linear memory ignores the address mode (cudaTextureDesc): nothing past its end is read.
        const bool is_linear = texture.resource == TextureObject::linear;
        const std::uint32_t mode = is_linear ? TextureObject::border : texture.address[i];
        taps[i] = first_texel();
        if (i < dimensions) taps[i].index[0] = addressed(coordinates[i], size_in(texture, i), mode);
    }
    return footprint_of(texture, taps);
}

Components components_of(const TextureObject& texture, const Channels& channels) {
    Components components{};
    for (unsigned i = 0; i < texture.channels && i < components.size(); ++i) {
        auto bits = static_cast<std::uint32_t>(channels[i]);
        if (texture.format == TextureObject::real) {
            if (texture.channel_bytes == 2)
                bits = std::bit_cast<std::uint32_t>(
                    static_cast<float>(decode16(half_format, static_cast<std::uint16_t>(bits))));
        } else {
            const unsigned unused = 32 - 8 * texture.channel_bytes;
            if (texture.format == TextureObject::signed_number)
                bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits << unused) >> unused);
            if (texture.normalized_values != 0) bits = std::bit_cast<std::uint32_t>(normalized(texture, bits));
        }
        components[i] = bits;
    }
    return components;
}

void add_texel(const TextureObject& texture, const Components& texel, float weight, Components& sum) {
    const bool filters = texture.interpolates != 0 && returns_floats(texture);
    for (unsigned i = 0; i < sum.size(); ++i) {
        if (!filters) {
            sum[i] = texel[i];
            continue;
        }
        sum[i] = std::bit_cast<std::uint32_t>(std::bit_cast<float>(sum[i]) + weight * std::bit_cast<float>(texel[i]));
    }
}

/// A color is kept in the texels' own format: as the nearest number that they can hold.
Components border_of(const TextureObject& texture) {
    Components components{};
    if (texture.resource == TextureObject::linear || !returns_floats(texture)) return components;
    for (unsigned i = 0; i < texture.channels && i < components.size(); ++i) {
        float color = texture.border_color[i];
        if (texture.format != TextureObject::real) {
            const bool is_signed = texture.format == TextureObject::signed_number;
            const float largest = largest_of(texture);
            color = std::nearbyint(std::clamp(color, is_signed ? -1.0F : 0.0F, 1.0F) * largest) / largest;
        }
        components[i] = std::bit_cast<std::uint32_t>(color);
    }
    return components;
}

}  // namespace lanescope::execute
