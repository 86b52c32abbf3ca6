#include "scene/warps_scene.h"

#include "scene/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::scene {
namespace {

constexpr unsigned lanes_of_warp = 32;

/// What a square says of a lane.
enum class LaneLook : std::uint8_t { none, useful, ran, masked, exited };

struct Drawing {
    const WarpsOptions& options;
    Layer& layer;
    float left = 0, pitch = 0, right = 0;

    [[nodiscard]] float text(float size) const { return std::max(smallest_text, size * options.scale); }
    void put(float x, float y, Anchor anchor, Font font, float size, Paint paint, std::string words) const {
        layer.texts.push_back(text_at(x, y, anchor, {font, text(size), paint}, std::move(words)));
    }
    [[nodiscard]] Box lane(float top, float height, unsigned lane) const {
        return {left + pitch * static_cast<float>(lane), top, pitch, height};
    }
};

/// Useful: filled. Ran without use: a dash. Masked: hatched. Exited: a dot.
void draw_square(const Drawing& d, const Box& cell, LaneLook look, Role filled, const TraceRef& ref) {
    if (look == LaneLook::none) return;
    const float gap = cell.width > 7 && cell.height > 7 ? 1.0F : 0.5F;
    const Box box = cell.grown(-gap);
    const float radius = std::min(2.0F, box.width * 0.15F);
    Rect shape;
    switch (look) {
        case LaneLook::useful: shape = rect(box, radius, {filled, 1}); break;
        case LaneLook::ran: {
            shape = rect(box, radius, {Role::raised, 1});
            const float bar = std::max(1.0F, box.height * 0.12F);
            d.layer.rings.push_back(rect({box.x + box.width * 0.3F, box.center_y() - bar / 2, box.width * 0.4F, bar}, 0,
                                         {Role::soft, 0.75F}));
            break;
        }
        case LaneLook::masked:
            shape = rect(box, radius, {Role::raised, 0.7F});
            shape.hatch = {Role::soft, 0.45F};
            break;
        case LaneLook::exited:
            shape = rect(box, radius, {});
            d.layer.circles.push_back(Circle{.x = box.center_x(),
                                             .y = box.center_y(),
                                             .radius = std::max(1.0F, std::min(box.width, box.height) * 0.14F),
                                             .fill = {Role::soft, 0.8F},
                                             .stroke = {},
                                             .stroke_width = 1,
                                             .ref = {}});
            break;
        case LaneLook::none: break;
    }
    shape.ref = ref;
    d.layer.rects.push_back(shape);
}

LaneLook look_of(const analysis::WarpRow& row, unsigned lane) {
    if (row.useful.has(lane)) return LaneLook::useful;
    if (row.ran.has(lane)) return LaneLook::ran;
    if (row.exited.has(lane)) return LaneLook::exited;
    return row.masked.has(lane) ? LaneLook::masked : LaneLook::none;
}

std::string share_of(const analysis::WarpRow& row) {
    if (row.useful.any()) return fmt::format("{} of {}", row.useful.count(), row.threads.count());
    if (row.exited == row.threads) return "exited";
    return row.ran.any() ? fmt::format("0 of {}", row.threads.count()) : "idle";
}

/// What the squares mean, as many as fit.
void draw_legend(const Drawing& d, float y) {
    struct Entry {
        LaneLook look;
        const char* name;
    };
    float x = 12 * d.options.scale;
    for (const Entry& entry : {Entry{LaneLook::useful, "useful"}, Entry{LaneLook::ran, "ran without use"},
                               Entry{LaneLook::masked, "masked off"}, Entry{LaneLook::exited, "exited"}}) {
        const float side = 12 * d.options.scale, wide = text_width(Font::words, d.text(11.5F), entry.name);
        if (x + side + wide + 8 > d.options.width) return;
        draw_square(d, {x, y - side / 2, side, side}, entry.look, Role::useful, {});
        d.put(x + side + 5 * d.options.scale, y, Anchor::start, Font::words, 11.5F, {Role::soft, 1}, entry.name);
        x += side + wide + 22 * d.options.scale;
    }
}

void draw_next(const Drawing& d, const NextInstruction& next, float top, float height) {
    d.put(d.left - 8 * d.options.scale, top + height / 2, Anchor::end, Font::words, 12, {Role::text, 1}, "next");
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        LaneLook look = LaneLook::none;
        if (next.executed.has(lane)) look = LaneLook::useful;
        if (next.predicated_off.has(lane) || next.inactive.has(lane)) look = LaneLook::masked;
        if (next.exited.has(lane)) look = LaneLook::exited;
        draw_square(d, d.lane(top, height, lane), look, Role::cursor,
                    {TraceRef::Kind::lane, next.warp.value, lane, {}});
    }
    d.put(d.right, top + height / 2, Anchor::end, Font::code, 12, {Role::text, 1},
          fmt::format("{} run", next.executed.count()));
}

}  // namespace

Scene warps_scene(const analysis::WarpPicture& picture, const WarpsOptions& options) {
    Scene scene;
    scene.title = fmt::format("Warps: {}", picture.rows.size());
    for (const analysis::WarpRow& row : picture.rows) {
        scene.description +=
            fmt::format("Warp {}: {} useful, {} ran without use, {} masked off, {} exited. ", row.warp.value,
                        row.useful.count(), row.ran.count(), row.masked.count(), row.exited.count());
    }
    scene.width = options.width;
    scene.height = options.height;

    Layer layer;
    Drawing d{.options = options, .layer = layer};
    const float scale = options.scale, share = 76 * scale;
    d.left = 58 * scale;
    d.pitch = std::min((options.width - d.left - share) / lanes_of_warp, 22 * scale);
    float top = 22 * scale;
    const float legend = 26 * scale, next = options.next ? 30 * scale : 0;
    d.right = d.left + d.pitch * lanes_of_warp + share - 12 * scale;
    const auto rows = static_cast<float>(std::max<std::size_t>(picture.rows.size(), 1));
    float row_height = std::min(d.pitch, 18 * scale);
    if (options.height > 0) {
        row_height = std::min(row_height, std::max(options.height - top - legend - next, 8.0F) / rows);
    } else {
        scene.height = top + rows * row_height + next + legend + 8 * scale;
    }
    for (unsigned lane = 0; lane < lanes_of_warp; lane += 8) {
        d.put(d.lane(0, 0, lane).center_x(), 10 * scale, Anchor::middle, Font::code, 11, {Role::soft, 1},
              std::to_string(lane));
    }
    const auto every = static_cast<std::size_t>(std::max(1.0F, std::ceil(d.text(11) * 1.15F / row_height)));
    for (std::size_t index = 0; index < picture.rows.size(); ++index) {
        const analysis::WarpRow& row = picture.rows[index];
        if (options.next && options.next->warp == row.warp && picture.rows.size() > 1) {
            layer.rects.push_back(rect({6 * scale, top, 3 * scale, row_height}, 1, {Role::cursor, 1}));
        }
        if (index % every == 0) {
            const Paint soft{Role::soft, 1};
            d.put(d.left - 8 * scale, top + row_height / 2, Anchor::end, Font::words, 11.5F, soft,
                  fmt::format("warp {}", row.warp.value));
            d.put(d.right, top + row_height / 2, Anchor::end, Font::code, 11.5F,
                  row.useful.any() ? Paint{Role::text, 1} : soft, share_of(row));
        }
        for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
            draw_square(d, d.lane(top, row_height, lane), look_of(row, lane), Role::useful,
                        {TraceRef::Kind::lane, row.warp.value, lane, {}});
        }
        top += row_height;
    }
    if (options.next) draw_next(d, *options.next, top + 8 * scale, std::min(d.pitch, 18 * scale));
    draw_legend(d, scene.height - legend / 2);
    layer.flush(scene);
    return scene;
}

}  // namespace lanescope::scene
