#include "render/image/palette.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace lanescope::render {

namespace {

constexpr std::size_t most_colors = 256, kept_exact = 128;

struct Used {
    std::uint32_t color = 0;
    std::uint64_t pixels = 0;
};

unsigned channel_of(std::uint32_t color, unsigned channel) { return color >> (8 * channel) & 0xFFU; }

/// Colors that are merged into one.
struct ColorBox {
    std::span<Used> used;
    unsigned widest = 0;     // channel
    std::uint64_t cost = 0;  // its width times the pixels concerned
};

ColorBox box_of(std::span<Used> used) {
    ColorBox box{.used = used};
    std::uint64_t pixels = 0;
    for (const Used& each : used) pixels += each.pixels;
    for (unsigned channel = 0; channel < 3; ++channel) {
        const auto [least, most] =
            std::ranges::minmax(used, {}, [channel](const Used& each) { return channel_of(each.color, channel); });
        const std::uint64_t width = channel_of(most.color, channel) - channel_of(least.color, channel);
        if (width * pixels <= box.cost) continue;
        box.cost = width * pixels;
        box.widest = channel;
    }
    return box;
}

std::uint32_t mean_of(std::span<const Used> used) {
    std::array<std::uint64_t, 3> sums{};
    std::uint64_t pixels = 0;
    for (const Used& each : used) {
        for (unsigned channel = 0; channel < 3; ++channel)
            sums[channel] += each.pixels * channel_of(each.color, channel);
        pixels += each.pixels;
    }
    if (pixels == 0) return 0;
    std::uint32_t mean = 0;
    for (unsigned channel = 0; channel < 3; ++channel)
        mean |= static_cast<std::uint32_t>((sums[channel] + pixels / 2) / pixels) << (8 * channel);
    return mean;
}

/// Both parts have at least one color.
std::size_t middle_of(const ColorBox& box) {
    std::ranges::sort(box.used, {}, [&](const Used& each) { return channel_of(each.color, box.widest); });
    std::uint64_t pixels = 0, before = 0;
    for (const Used& each : box.used) pixels += each.pixels;
    std::size_t middle = 0;
    while (middle + 1 < box.used.size() && 2 * before < pixels) before += box.used[middle++].pixels;
    return std::max<std::size_t>(middle, 1);
}

std::vector<ColorBox> divide(std::span<Used> used, std::size_t wanted) {
    std::vector<ColorBox> boxes{box_of(used)};
    while (boxes.size() < wanted) {
        const auto widest = std::ranges::max_element(boxes, {}, &ColorBox::cost);
        if (widest->cost == 0) break;
        const std::span<Used> whole = widest->used;
        const std::size_t middle = middle_of(*widest);
        *widest = box_of(whole.first(middle));
        boxes.push_back(box_of(whole.subspan(middle)));
    }
    return boxes;
}

}  // namespace

Palette palette_of(std::span<const std::uint32_t> pixels) {
    std::unordered_map<std::uint32_t, std::uint64_t> counts;
    for (const std::uint32_t pixel : pixels) ++counts[pixel];
    std::vector<Used> used;
    used.reserve(counts.size());
    for (const auto& [color, count] : counts) used.push_back({.color = color, .pixels = count});
    // Sorted, because otherwise the order of a hash table would show in the file.
    std::ranges::sort(used, [](const Used& a, const Used& b) {
        return a.pixels != b.pixels ? a.pixels > b.pixels : a.color < b.color;
    });

    Palette palette;
    std::unordered_map<std::uint32_t, std::uint8_t> index;
    const std::size_t exact = used.size() <= most_colors ? used.size() : kept_exact;
    for (std::size_t at = 0; at < exact; ++at) {
        index[used[at].color] = static_cast<std::uint8_t>(at);
        palette.colors.push_back(used[at].color);
    }
    if (exact < used.size()) {
        for (const ColorBox& box : divide(std::span(used).subspan(exact), most_colors - exact)) {
            for (const Used& each : box.used) index[each.color] = static_cast<std::uint8_t>(palette.colors.size());
            palette.colors.push_back(mean_of(box.used));
        }
    }
    palette.indices.reserve(pixels.size());
    for (const std::uint32_t pixel : pixels) palette.indices.push_back(index[pixel]);
    return palette;
}

}  // namespace lanescope::render
