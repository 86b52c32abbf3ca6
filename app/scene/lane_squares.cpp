#include "scene/lane_squares.h"

#include <algorithm>
#include <string>

namespace lanescope::scene {
namespace {

enum class LaneLook : std::uint8_t { none, useful, decided, ran, skipped, masked, exited };

LaneLook lane_look_of(const LaneStates& states, unsigned lane) {
    if (states.useful.has(lane)) return LaneLook::useful;
    if (states.decided.has(lane)) return LaneLook::decided;
    if (states.ran.has(lane)) return LaneLook::ran;
    if (states.exited.has(lane)) return LaneLook::exited;
    if (states.skipped.has(lane)) return LaneLook::skipped;
    return states.masked.has(lane) ? LaneLook::masked : LaneLook::none;
}

void draw_square(const Box& cell, LaneLook look, Role filled, const TraceRef& ref, Layer& layer) {
    if (look == LaneLook::none) return;
    const float gap = cell.width > 7 && cell.height > 7 ? 1.0F : 0.5F;
    const Box box = cell.grown(-gap);
    const float radius = std::min(2.0F, box.width * 0.15F);
    Rect shape;
    switch (look) {
        case LaneLook::useful: shape = rect(box, radius, {filled, 1}); break;
        case LaneLook::decided: shape = rect(box, radius, {Role::raised, 1}, {Role::soft, 0.6F}); break;
        case LaneLook::ran: {
            shape = rect(box, radius, {Role::raised, 1});
            const float bar = std::max(1.0F, box.height * 0.12F);
            layer.rings.push_back(rect({box.x + box.width * 0.3F, box.center_y() - bar / 2, box.width * 0.4F, bar}, 0,
                                       {Role::soft, 0.75F}));
            break;
        }
        case LaneLook::skipped: {
            shape = rect(box, radius, {Role::raised, 1}, {Role::soft, 0.6F});
            const float inset = std::min(box.width, box.height) * 0.28F;
            Curve stroke;
            stroke.x0 = stroke.x1 = box.x + inset;
            stroke.y0 = stroke.y1 = box.bottom() - inset;
            stroke.x2 = stroke.x3 = box.right() - inset;
            stroke.y2 = stroke.y3 = box.y + inset;
            stroke.stroke = {Role::soft, 0.9F};
            stroke.stroke_width = 1.25F;
            layer.curves.push_back(stroke);
            break;
        }
        case LaneLook::masked:
            shape = rect(box, radius, {Role::raised, 0.7F});
            shape.hatch = {Role::soft, 0.45F};
            break;
        case LaneLook::exited: {
            shape = rect(box, radius, {});
            Circle dot;
            dot.x = box.center_x();
            dot.y = box.center_y();
            dot.radius = std::max(1.0F, std::min(box.width, box.height) * 0.14F);
            dot.fill = {Role::soft, 0.8F};
            layer.circles.push_back(dot);
            break;
        }
        case LaneLook::none: break;
    }
    shape.ref = ref;
    layer.rects.push_back(shape);
}

}  // namespace

LaneStates states_of(const analysis::WarpRow& row) {
    return {.useful = row.useful,
            .decided = row.decided,
            .ran = row.ran,
            .exited = row.exited,
            .skipped = {},
            .masked = row.masked};
}

bool some_decided(const analysis::WarpPicture& picture) {
    return std::ranges::any_of(picture.rows, [](const analysis::WarpRow& row) { return row.decided.any(); });
}

void draw_lane_squares(const LaneColumns& columns, float top, float height, const LaneStates& states, Role filled,
                       std::uint32_t row, Layer& layer, LaneRange lanes) {
    for (unsigned lane = lanes.first; lane < lanes.past; ++lane) {
        draw_square(columns.box(top, height, lane), lane_look_of(states, lane), filled,
                    {TraceRef::Kind::lane, row, lane, {}}, layer);
    }
}

void draw_lane_square(const Box& box, const LaneStates& states, unsigned lane, std::uint32_t row, Layer& layer) {
    draw_square(box, lane_look_of(states, lane), Role::useful, {TraceRef::Kind::lane, row, lane, {}}, layer);
}

void draw_lane_boxes(const LaneColumns& columns, float top, float height, const LaneStates& states, std::uint32_t row,
                     std::uint32_t first, Layer& layer) {
    constexpr float least_square = 5;
    for (unsigned lane = 0; lane < warp_size;) {
        const LaneLook look = lane_look_of(states, lane);
        unsigned past = lane + 1;
        while (columns.pitch < least_square && past < warp_size && lane_look_of(states, past) == look) ++past;
        Box box = columns.box(top, height, lane);
        box.width *= static_cast<float>(past - lane);
        draw_square(box, look, Role::useful, {TraceRef::Kind::lane, row, first + lane, {}, past - lane}, layer);
        lane = past;
    }
}

void draw_lane_numbers(const LaneColumns& columns, float y, float size, Layer& layer) {
    for (unsigned lane = 0; lane < warp_size; lane += 8) {
        layer.put(columns.box(0, 0, lane).center_x(), y, Anchor::middle, {Font::code, size, {Role::soft, 1}},
                  std::to_string(lane));
    }
}

void draw_chosen_lane(const LaneColumns& columns, float top, float bottom, unsigned lane, Layer& layer) {
    layer.rings.push_back(ring(columns.box(top, bottom - top, lane), 2, 0.5F, {Role::selected, 1}, 2));
}

void draw_lane_legend(float left, float y, float width, float scale, const LaneLegend& legend, Layer& layer) {
    struct Entry {
        LaneLook look;
        const char* name;
        bool shown;
    };
    const float size = std::max(smallest_text, 11.5F * scale), side = 12 * scale;
    for (const Entry& entry :
         {Entry{LaneLook::useful, "useful", true}, Entry{LaneLook::decided, "condition only", legend.decided},
          Entry{LaneLook::ran, "wasted", true}, Entry{LaneLook::skipped, "predicated off", legend.predicated},
          Entry{LaneLook::masked, "masked off", true}, Entry{LaneLook::exited, "exited", true}}) {
        if (!entry.shown) continue;
        const float wide = text_width(Font::words, size, entry.name);
        if (left + side + wide + 8 > width) return;
        draw_square({left, y - side / 2, side, side}, entry.look, Role::useful, {}, layer);
        layer.texts.push_back(
            text_at(left + side + 5 * scale, y, Anchor::start, {Font::words, size, {Role::soft, 1}}, entry.name));
        left += side + wide + 22 * scale;
    }
}

}  // namespace lanescope::scene
