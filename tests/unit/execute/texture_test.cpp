// Texture fetches, against the formulas of the CUDA C++ Programming Guide, "Texture Fetching", and against what an H100
// returned (data/texture_fetches_h100.csv, by data/record_textures.py).
#include "execute/simt/texture.h"

#include "places.h"

#include <gmock/gmock.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace lanescope::execute {
namespace {

struct Texels {
    TextureObject object;
    std::vector<std::byte> bytes;
};

template <class T>
Texels texels_of(const std::vector<T>& values, std::array<std::uint64_t, 3> size, unsigned channels) {
    Texels made;
    made.object.resource = TextureObject::array;
    made.object.width = size[0];
    made.object.height = size[1];
    made.object.depth = size[2];
    made.object.channels = channels;
    made.object.channel_bytes = sizeof(T);
    made.object.format = std::is_floating_point_v<T> ? TextureObject::real
                         : std::is_signed_v<T>       ? TextureObject::signed_number
                                                     : TextureObject::unsigned_number;
    made.object.pitch = size[0] * channels * sizeof(T);
    made.object.slice = made.object.pitch * size[1];
    made.bytes.resize(values.size() * sizeof(T));
    std::memcpy(made.bytes.data(), values.data(), made.bytes.size());
    return made;
}

template <class Coordinate>
Components fetch(const Texels& texels, unsigned dimensions, const std::array<Coordinate, 3>& at) {
    const Footprint footprint = footprint_at(texels.object, dimensions, at);
    Components sum{};
    for (unsigned i = 0; i < footprint.count; ++i) {
        Channels channels{};
        for (unsigned c = 0; c < texels.object.channels && footprint.texels[i].offset; ++c)
            std::memcpy(
                &channels[c],
                texels.bytes.data() + *footprint.texels[i].offset + std::size_t{c} * texels.object.channel_bytes,
                texels.object.channel_bytes);
        const bool inside = footprint.texels[i].offset.has_value();
        add_texel(texels.object, inside ? components_of(texels.object, channels) : border_of(texels.object),
                  footprint.texels[i].weight, sum);
    }
    return sum;
}

float first(const Components& components) { return std::bit_cast<float>(components[0]); }

Texels row() { return texels_of<float>({10, 20, 40, 80}, {4, 1, 1}, 1); }

TEST(Texture, FetchesTheNearestTexelAndClamps) {
    const Texels texels = row();
    for (const auto& [x, value] : std::map<float, float>{{-3, 10}, {0, 10}, {0.99F, 10}, {1, 20}, {3.9F, 80}, {9, 80}})
        EXPECT_EQ(first(fetch<float>(texels, 1, {x, 0, 0})), value) << x;
}

TEST(Texture, FiltersWithWeightsOfEightFractionalBits) {
    Texels texels = row();
    texels.object.interpolates = 1;
    // xB = x - 0.5, i = floor(xB), alpha = frac(xB): (1 - alpha) T[i] + alpha T[i + 1]
    EXPECT_EQ(first(fetch<float>(texels, 1, {1.75F, 0, 0})), 0.75F * 20 + 0.25F * 40);
    EXPECT_EQ(first(fetch<float>(texels, 1, {1.5F, 0, 0})), 20);
    const float alpha = 77.0F / 256;  // 0.3 of 256 steps is 76.8
    EXPECT_EQ(first(fetch<float>(texels, 1, {1.8F, 0, 0})), (1 - alpha) * 20 + alpha * 40);
}

TEST(Texture, LeavesTexelsOfNoWeightOut) {
    Texels texels = row();
    texels.object.interpolates = 1;
    EXPECT_EQ(footprint_at(texels.object, 1, std::array{2.5F, 0.0F, 0.0F}).count, 1U);
    EXPECT_EQ(footprint_at(texels.object, 3, std::array{2.25F, 0.25F, 0.25F}).count, 8U);
}

TEST(Texture, WrapsAndMirrorsNormalizedCoordinatesOnly) {
    Texels texels = row();
    texels.object.address[0] = TextureObject::wrap;
    EXPECT_EQ(first(fetch<float>(texels, 1, {-0.5F, 0, 0})), 10);
    texels.object.normalized_coordinates = 1;
    EXPECT_EQ(first(fetch<float>(texels, 1, {-0.125F, 0, 0})), 80);
    EXPECT_EQ(first(fetch<float>(texels, 1, {2.375F, 0, 0})), 20);
    texels.object.address[0] = TextureObject::mirror;
    EXPECT_EQ(first(fetch<float>(texels, 1, {-0.375F, 0, 0})), 20);
    EXPECT_EQ(first(fetch<float>(texels, 1, {1.125F, 0, 0})), 80);
}

TEST(Texture, ReadsZeroPastTheEndOfLinearMemory) {
    Texels texels = row();
    texels.object.resource = TextureObject::linear;
    texels.object.border_color[0] = 7;
    EXPECT_EQ(first(fetch<std::int32_t>(texels, 1, {3, 0, 0})), 80);
    EXPECT_EQ(first(fetch<std::int32_t>(texels, 1, {4, 0, 0})), 0);
    EXPECT_EQ(first(fetch<std::int32_t>(texels, 1, {-1, 0, 0})), 0);
}

TEST(Texture, TakesCoordinatesThatAreNoNumbersOrFarAway) {
    for (const float x : {NAN, INFINITY, -INFINITY, 3e38F, -3e38F}) {
        for (std::uint32_t mode = 0; mode < 4; ++mode) {
            for (const std::uint32_t linear : {0U, 1U}) {
                Texels texels = row();
                texels.object.address[0] = mode;
                texels.object.normalized_coordinates = linear;
                texels.object.interpolates = linear;
                const Footprint footprint = footprint_at(texels.object, 1, std::array{x, x, x});
                ASSERT_GE(footprint.count, 1U);
                for (unsigned i = 0; i < footprint.count; ++i)
                    EXPECT_LT(footprint.texels[i].offset.value_or(0), texels.bytes.size());
            }
        }
    }
}

TEST(Texture, ReadsWholeNumbersAsTheyAreOrAsFractions) {
    Texels shorts = texels_of<std::int16_t>({-32768, -32767, -1, 32767}, {4, 1, 1}, 1);
    EXPECT_EQ(fetch<float>(shorts, 1, {2, 0, 0})[0], 0xFFFF'FFFFU);
    shorts.object.normalized_values = 1;
    EXPECT_EQ(first(fetch<float>(shorts, 1, {0, 0, 0})), -1);
    EXPECT_EQ(first(fetch<float>(shorts, 1, {1, 0, 0})), -1);
    EXPECT_EQ(first(fetch<float>(shorts, 1, {3, 0, 0})), 1);
    const Texels two_halves = [] {
        Texels made = texels_of<std::uint16_t>({0x3C00, 0xC000}, {2, 1, 1}, 1);
        made.object.format = TextureObject::real;
        return made;
    }();
    EXPECT_EQ(first(fetch<float>(two_halves, 1, {1, 0, 0})), -2);
}

template <class T>
Texels pattern(std::size_t count, unsigned factor, unsigned modulus, std::array<std::uint64_t, 3> size,
               unsigned channels, double divisor = 1) {
    std::vector<T> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<T>(double(i * factor % modulus) / divisor));
    return texels_of(values, size, channels);
}

std::map<std::string, std::pair<Texels, unsigned>> recorded_textures() {
    std::map<std::string, std::pair<Texels, unsigned>> textures;
    textures["row"] = {row(), 1};
    textures["plane"] = {pattern<float>(60, 37, 101, {6, 5, 1}, 2, 7), 2};
    textures["volume"] = {pattern<float>(120, 37, 101, {6, 5, 4}, 1), 3};
    textures["bytes"] = {pattern<std::uint8_t>(60, 37, 256, {5, 3, 1}, 4), 2};
    std::vector<std::int16_t> shorts;
    for (unsigned i = 0; i < 15; ++i) shorts.push_back(static_cast<std::int16_t>(i * 4999 % 65536));
    textures["shorts"] = {texels_of(shorts, {5, 3, 1}, 1), 2};
    for (auto& [name, texture] : textures) {
        TextureObject& object = texture.first.object;
        object.normalized_values = object.format == TextureObject::real ? 0 : 1;
        const std::array border{0.25F, 5.0F, -1.0F, 2.0F};
        std::ranges::copy(border, object.border_color);
    }
    return textures;
}

TEST(Texture, ReturnsWhatAnH100Returns) {
    std::ifstream in(std::string(LANESCOPE_SOURCE_DIR) + "/tests/unit/execute/data/texture_fetches_h100.csv");
    auto textures = recorded_textures();
    std::string line;
    std::getline(in, line);
    std::size_t lines = 0, other_bits = 0, other_sums = 0, other_weights = 0;
    while (std::getline(in, line)) {
        std::istringstream fields(line);
        std::vector<std::string> field;
        for (std::string text; std::getline(fields, text, ',');) field.push_back(text);
        ASSERT_EQ(field.size(), 11U) << line;
        auto& [texels, dimensions] = textures.at(field[0]);
        for (std::uint32_t& mode : texels.object.address) mode = static_cast<std::uint32_t>(std::stoul(field[1]));
        texels.object.interpolates = field[2] == "1" ? 1 : 0;
        texels.object.normalized_coordinates = field[3] == "1" ? 1 : 0;
        std::array<float, 7> numbers{};
        for (unsigned i = 0; i < numbers.size(); ++i)
            numbers[i] = std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(field[4 + i], nullptr, 16)));
        const Components result = fetch<float>(texels, dimensions, {numbers[0], numbers[1], numbers[2]});
        ++lines;
        const auto differs_by = [&](double share) {
            for (unsigned c = 0; c < texels.object.channels; ++c) {
                const double difference = std::abs(std::bit_cast<float>(result[c]) - numbers[3 + c]);
                if (difference > share * (1 + std::abs(numbers[3 + c]))) return true;
            }
            return false;
        };
        if (texels.object.interpolates == 0) {
            EXPECT_FALSE(differs_by(0)) << line;
            continue;
        }
        if (differs_by(0)) ++other_bits;
        if (differs_by(1e-6)) ++other_sums;
        if (differs_by(2e-5)) {
            ++other_weights;
            EXPECT_EQ(field[0], "volume") << line;  // the rounding of eight weights is not known in every case
            EXPECT_FALSE(differs_by(2.0 / 256)) << line;
        }
    }
    EXPECT_EQ(lines, 1920U);
    EXPECT_EQ(other_bits, 311U);
    EXPECT_EQ(other_sums, 160U);  // the hardware's order of additions, which affects the last bits, is not known
    EXPECT_EQ(other_weights, 5U);
}

}  // namespace
}  // namespace lanescope::execute
