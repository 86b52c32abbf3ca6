#include "base/grouped.h"
#include "scene/grid/arc_bundles.h"
#include "scene/grid/draw.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace lanescope::scene {

using analysis::GridArc;
using analysis::GridBlock;

namespace {

bool touches_shown(const GridDrawing& d, const GridArc& arc) {
    return d.options.shown && (*d.options.shown == std::pair(arc.from_launch, arc.from) ||
                               *d.options.shown == std::pair(arc.to_launch, arc.to));
}

Role role_of_track(const GridDrawing& d, std::uint32_t track) {
    const std::optional<std::uint32_t> array = d.layout.array_of(track);
    return array ? d.role_of(*array) : Role::soft;
}

void draw_bundle(GridDrawing& d, const ArcBundle& bundle, std::size_t number, std::vector<Box>& labels) {
    constexpr float pill = 15, padding = 7;
    const TraceRef ref = ref_to(TraceRef::Kind::arc, bundle.first, number + 1);
    const float bottom = d.layout.track_top(bundle.track) + GridPanelLayout::track_height - 3;
    const Role role = role_of_track(d, bundle.track);
    const std::string text = grouped(bundle.arcs);
    const float half = text_width(Font::words_medium, grid_text::clock, text) / 2 + padding;
    const auto from = static_cast<float>(bundle.from), to = static_cast<float>(bundle.to);
    const auto is_free = [&](const Box& label) {
        const auto overlaps = [&](const Box& other) {
            return other.x < label.right() && label.x < other.right() && other.y < label.bottom() &&
                   label.y < other.bottom();
        };
        return std::ranges::none_of(labels, overlaps);
    };
    if (bundle.within) {
        const Box& body = d.layout.body();
        const float middle = std::clamp(to, body.x + half, std::max(body.right() - half, body.x + half));
        const Box at{middle - half, bottom - pill, 2 * half, pill};
        if (!is_free(at)) return;
        labels.push_back(at);
        Rect box = rect(at, pill / 2, {Role::panel, 1}, {role, 0.9F});
        box.ref = ref;
        d.above.rects.push_back(box);
        d.above.put(middle, bottom - pill / 2, Anchor::middle, {Font::words_medium, grid_text::clock, {Role::text, 1}},
                    text, ref);
        return;
    }
    const float y = bottom - pill - 1, apex = y - 16;
    Curve curve;
    curve.x0 = from, curve.y0 = y, curve.x1 = from, curve.y1 = apex;
    curve.x2 = to, curve.y2 = apex, curve.x3 = to, curve.y3 = y;
    curve.stroke = {role, 0.75F};
    curve.stroke_width = 1.2F + 0.35F * std::log2(static_cast<float>(bundle.arcs));
    curve.dashed = bundle.atomic;
    curve.ref = ref;
    d.above.curves.push_back(curve);
    Circle end;
    end.x = to, end.y = y, end.radius = 2.6F, end.fill = {role, 1};
    d.above.circles.push_back(end);
    const Box label{(from + to) / 2 - half + 3, y - 20, 2 * half - 6, 13};
    if (!is_free(label)) return;
    labels.push_back(label);
    d.above.rings.push_back(rect(label, 3, {Role::panel, 0.9F}));
    d.above.put(label.x + label.width / 2, label.y + label.height / 2, Anchor::middle,
                {Font::words, grid_text::clock, {Role::text, 1}}, text, ref);
}

/// Below the rows: the number of arcs from one stretch of the clock to another, and within one.
void draw_bundles(GridDrawing& d) {
    const Box& body = d.layout.body();
    for (std::uint32_t track = 0; track < d.layout.tracks(); ++track) {
        const float y = d.layout.track_top(track);
        const std::optional<std::uint32_t> array = d.layout.array_of(track);
        d.below.rects.push_back(rect({body.x, y + 1, body.width, 1}, 0, {Role::line, 0.5F}));
        d.above.put(body.x, y + 8, Anchor::start, {Font::words_medium, grid_text::clock, {role_of_track(d, track), 1}},
                    array        ? d.trace.buffers[*array].name
                    : track == 0 ? "all arrays"
                                 : "other arrays");
    }
    std::vector<ArcBundle> bundles = arc_bundles(d.picture, d.layout);
    std::vector<std::size_t> order(bundles.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return bundles[i].arcs; });
    std::vector<Box> labels;
    for (const std::size_t i : order) draw_bundle(d, bundles[i], i, labels);
}

void draw_arc(GridDrawing& d, std::size_t index) {
    const GridArc& arc = d.picture.arcs[index];
    const auto ends = ends_of(d, arc);
    if (!ends) return;
    const auto [x0, y0, x1, y1] = *ends;
    if (!d.visible(static_cast<double>(std::min(x0, x1)), static_cast<double>(std::max(x0, x1)))) return;
    const bool emphasized = touches_shown(d, arc);
    const std::size_t count = std::min(d.seen_arcs, most_arcs);
    const float usual = count <= 24 ? 0.85F : count <= 120 ? 0.5F : count <= 500 ? 0.3F : 0.15F;
    const Paint paint{d.role_of(arc.buffer), emphasized ? 1.0F : usual};
    const float bend = std::max((x1 - x0) * 0.5F, x1 - x0 < 16 ? 3.0F : 10.0F),
                lift = std::abs(y1 - y0) < 1 ? -16.0F : 0.0F;
    Curve curve;
    curve.x0 = x0, curve.y0 = y0, curve.x1 = x0 + bend, curve.y1 = y0 + lift;
    curve.x2 = x1 - bend, curve.y2 = y1 + lift, curve.x3 = x1, curve.y3 = y1;
    curve.stroke = paint;
    curve.stroke_width = emphasized ? 2.2F : 1.4F;
    curve.dashed = arc.atomic;
    curve.ref = ref_to(TraceRef::Kind::arc, index);
    d.above.curves.push_back(curve);
    constexpr std::size_t dotted = 200;
    if (count > dotted && !emphasized) return;
    Circle end;
    end.x = x1, end.y = y1, end.radius = emphasized ? 3.2F : 2.4F;
    end.fill = {paint.role, 1};
    d.above.circles.push_back(end);
}

}  // namespace

std::optional<ArcEnds> ends_of(const GridDrawing& d, const GridArc& arc) {
    const GridBlock* const from = d.picture.block(arc.from_launch, arc.from);
    const GridBlock* const to = d.picture.block(arc.to_launch, arc.to);
    if (from == nullptr || to == nullptr) return std::nullopt;
    return ArcEnds{.x0 = static_cast<float>(d.layout.x(arc.from_launch, arc.written_at + 1)),
                   .y0 = d.layout.y(arc.from_launch, from->slot) + d.layout.bar_height(arc.from_launch) / 2,
                   .x1 = static_cast<float>(d.layout.x(arc.to_launch, arc.read_at)),
                   .y1 = d.layout.y(arc.to_launch, to->slot) + d.layout.bar_height(arc.to_launch) / 2};
}

void draw_arcs(GridDrawing& d) {
    if (d.layout.tracks() > 0) {
        std::size_t emphasized = 0;
        constexpr std::size_t most_emphasized = 100;
        for (std::size_t i = 0; i < d.picture.arcs.size() && emphasized < most_emphasized; ++i) {
            if (!touches_shown(d, d.picture.arcs[i])) continue;
            draw_arc(d, i);
            ++emphasized;
        }
        return draw_bundles(d);
    }
    std::vector<std::size_t> seen;
    for (std::size_t i = 0; i < d.picture.arcs.size(); ++i)
        if (d.layout.sees(d.picture.arcs[i])) seen.push_back(i);
    d.seen_arcs = seen.size();
    const std::size_t every = (seen.size() + most_arcs - 1) / most_arcs;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (every <= 1 || i % every == 0 || touches_shown(d, d.picture.arcs[seen[i]])) draw_arc(d, seen[i]);
    }
}

std::vector<Box> arcs_in(const GridDrawing& d, const Box& area) {
    constexpr int parts = 24;
    constexpr float room = 3;
    std::vector<Box> found;
    const auto add = [&](float x0, float y0, float x1, float y1) {
        const Box part{std::min(x0, x1) - room, std::min(y0, y1) - room, std::abs(x1 - x0) + 2 * room,
                       std::abs(y1 - y0) + 2 * room};
        if (part.x < area.right() && area.x < part.right() && part.y < area.bottom() && area.y < part.bottom())
            found.push_back(part);
    };
    for (const Curve& arc : d.above.curves) {
        const auto [left, right] = std::minmax({arc.x0, arc.x1, arc.x2, arc.x3});
        const auto [top, bottom] = std::minmax({arc.y0, arc.y1, arc.y2, arc.y3});
        if (left > area.right() || right < area.x || top > area.bottom() || bottom < area.y) continue;
        float x = arc.x0, y = arc.y0;
        for (int i = 1; i <= parts; ++i) {
            const float t = static_cast<float>(i) / parts, u = 1 - t;
            const auto at = [&](float p0, float p1, float p2, float p3) {
                return u * u * u * p0 + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * p3;
            };
            const float next_x = at(arc.x0, arc.x1, arc.x2, arc.x3), next_y = at(arc.y0, arc.y1, arc.y2, arc.y3);
            add(x, y, next_x, next_y);
            x = next_x, y = next_y;
        }
    }
    return found;
}

}  // namespace lanescope::scene
