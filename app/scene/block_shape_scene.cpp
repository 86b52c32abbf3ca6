#include "scene/warps_scene.h"

#include "scene/lane_squares.h"
#include "scene/layers.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::scene {
namespace {

constexpr float shape_left = 44, shape_legend = 26;  // points at scale 1: the numbers of rows, the legend

/// The place of every thread: x to the right, y down, the slices of z one below the other.
struct BlockShape {
    trace::Dim3 block;
    float left = 0, top = 0, pitch = 0, height = 0, between_slices = 0;

    [[nodiscard]] Box box(std::uint32_t thread) const {
        const std::uint32_t x = thread % block.x, row = thread / block.x, slice = row / block.y;
        return {left + pitch * static_cast<float>(x),
                top + height * static_cast<float>(row) + between_slices * static_cast<float>(slice), pitch, height};
    }
    [[nodiscard]] std::uint32_t rows() const { return block.y * block.z; }
};

/// Lines where neighbors are threads of different warps.
void draw_warp_borders(const BlockShape& shape, Layer& layer) {
    const auto line = [&](float x, float y, float width, float height) {
        layer.rings.push_back(rect({x, y, width, height}, 0, {Role::soft, 0.8F}));
    };
    constexpr float thick = 1.5F;
    const auto count = static_cast<std::uint32_t>(shape.block.count());
    for (std::uint32_t thread = 0; thread < count; ++thread) {
        const Box box = shape.box(thread);
        const std::uint32_t below = thread + shape.block.x;
        const bool ends_row = (thread + 1) % shape.block.x == 0;
        const bool ends_slice = thread / shape.block.x % shape.block.y == shape.block.y - 1;
        if (!ends_row && (thread + 1) / warp_size != thread / warp_size)
            line(box.right() - thick / 2, box.y, thick, box.height);
        if (!ends_slice && below < count && below / warp_size != thread / warp_size)
            line(box.x, box.bottom() - thick / 2, box.width, thick);
    }
}

}  // namespace

Scene block_shape_scene(const analysis::WarpPicture& picture, const trace::Dim3& block, const WarpsOptions& options) {
    Scene scene;
    scene.title = fmt::format("Warps: a block of {} × {} × {}", block.x, block.y, block.z);
    const float scale = options.scale, size = std::max(smallest_text, 11 * scale);
    const float legend = shape_legend * scale, head = lane_numbers_height * scale;
    BlockShape shape{.block = block, .left = shape_left * scale, .top = head, .between_slices = 8 * scale};
    const float wide = (options.width - shape.left - 12 * scale) / static_cast<float>(block.x);
    const float slices = shape.between_slices * static_cast<float>(block.z - 1);
    const float high = (options.height - head - legend - slices) / static_cast<float>(shape.rows());
    constexpr float least_side = 5, most_side = 40;
    // Squares, because the picture shows the shape of the block. Beyond the panel's height it scrolls.
    shape.pitch = std::clamp(options.height > 0 ? std::min(wide, std::max(high, least_side * scale)) : wide, 1.0F,
                             most_side * scale);
    shape.height = std::max(shape.pitch, 2.0F);
    scene.width = options.width;
    const float bottom = shape.top + shape.height * static_cast<float>(shape.rows()) + slices;
    scene.height = std::max(options.height, bottom + legend);

    Layer layer;
    const auto every_of = [&](float room, float needed) {
        std::uint32_t every = 1;
        while (room * static_cast<float>(every) < needed) every *= 2;
        return every;
    };
    const auto put = [&](float x, float y, Anchor anchor, Font font, std::string words) {
        layer.put(x, y, anchor, {font, size, {Role::soft, 1}}, std::move(words));
    };
    const std::uint32_t every_x = every_of(shape.pitch, 2.6F * size), every_y = every_of(shape.height, 1.15F * size);
    for (std::uint32_t x = 0; x < block.x; x += every_x)
        put(shape.box(x).center_x(), head / 2, Anchor::middle, Font::code, std::to_string(x));
    put(shape.left - 8 * scale, head / 2, Anchor::end, Font::words, "y, x");
    for (std::uint32_t row = 0; row < shape.rows(); ++row) {
        if (row % block.y % every_y != 0) continue;
        put(shape.left - 8 * scale, shape.box(row * block.x).center_y(), Anchor::end, Font::code,
            std::to_string(row % block.y));
    }

    const auto count = static_cast<std::uint32_t>(block.count());
    for (const analysis::WarpRow& row : picture.rows) {
        const LaneStates states = states_of(row);
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::uint32_t thread = row.warp.value * warp_size + lane;
            if (thread >= count) break;
            const Box box = shape.box(thread);
            draw_lane_square(box, states, lane, row.warp.value, layer);
            if (options.warp == row.warp && options.lane == lane)
                layer.rings.push_back(ring(box, 2, 0.5F, {Role::selected, 1}, 2));
        }
        scene.description +=
            fmt::format("Warp {}: {} of {} useful. ", row.warp.value, row.useful.count(), row.threads.count());
    }
    draw_warp_borders(shape, layer);
    draw_lane_legend(12 * scale, scene.height - legend / 2, options.width, scale, {.decided = some_decided(picture)},
                     layer);
    layer.flush(scene);
    return scene;
}

}  // namespace lanescope::scene
