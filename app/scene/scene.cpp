#include "scene/scene.h"

#include "scene/text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <ranges>
#include <type_traits>

namespace lanescope::scene {
namespace {

bool inside(const Box& box, Point p) { return box.contains(p.x, p.y); }

float distance_to_segment(Point a, Point b, Point p) {
    const float dx = b.x - a.x, dy = b.y - a.y;
    const float length2 = dx * dx + dy * dy;
    const float t = length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0F, 1.0F) : 0.0F;
    return std::hypot(p.x - (a.x + t * dx), p.y - (a.y + t * dy));
}

Point at(const Curve& c, float t) {
    const float s = 1 - t;
    const float b0 = s * s * s, b1 = 3 * s * s * t, b2 = 3 * s * t * t, b3 = t * t * t;
    return {b0 * c.x0 + b1 * c.x1 + b2 * c.x2 + b3 * c.x3, b0 * c.y0 + b1 * c.y1 + b2 * c.y2 + b3 * c.y3};
}

bool near(const Curve& c, Point p, float reach) {
    // A Bezier curve is inside the box of its control points, which decides for most curves.
    const auto [left, right] = std::minmax({c.x0, c.x1, c.x2, c.x3});
    const auto [top, bottom] = std::minmax({c.y0, c.y1, c.y2, c.y3});
    if (p.x < left - reach || p.x > right + reach || p.y < top - reach || p.y > bottom + reach) return false;
    constexpr int pieces = 24;
    Point from{c.x0, c.y0};
    for (int i = 1; i <= pieces; ++i) {
        const Point to = at(c, static_cast<float>(i) / pieces);
        if (distance_to_segment(from, to, p) <= reach) return true;
        from = to;
    }
    return false;
}

Box box_around(const Rect& r) { return {r.x, r.y, r.width, r.height}; }
Box box_around(const Circle& c) { return {c.x - c.radius, c.y - c.radius, 2 * c.radius, 2 * c.radius}; }

/// Calls visit(box, ref) for each rectangle and circle of that kind.
template <class Visit>
void each_box(const Scene& scene, TraceRef::Kind kind, const Visit& visit) {
    for (const Shape& shape : scene.shapes) {
        if (const auto* rect = std::get_if<Rect>(&shape); rect && rect->ref.kind == kind) {
            visit(box_around(*rect), rect->ref);
        } else if (const auto* circle = std::get_if<Circle>(&shape); circle && circle->ref.kind == kind) {
            visit(box_around(*circle), circle->ref);
        }
    }
}

struct Under {
    Point point;
    float tolerance;

    bool operator()(const Rect& r) const { return inside(box_around(r), point); }
    bool operator()(const Circle& c) const { return std::hypot(point.x - c.x, point.y - c.y) <= c.radius; }
    bool operator()(const Curve& c) const { return near(c, point, tolerance + c.stroke_width / 2); }
    bool operator()(const Text& t) const {
        const float width = text_width(t.font, t.size, t.text);
        const float up = ascent(t.font, t.size);
        return inside({left_of(t), t.y - up, width, up + descent(t.font, t.size)}, point);
    }
};

/// The column under the point, of those that the shape represents.
TraceRef narrowed(TraceRef ref, const Rect& rect, float x) {
    if (ref.span <= 1) return ref;
    const float share = (x - rect.x) / rect.width;
    ref.column += std::min(static_cast<std::uint32_t>(share * static_cast<float>(ref.span)), ref.span - 1);
    ref.span = 1;
    return ref;
}

/// The shape's reference, if it has one and the point is on it.
std::optional<TraceRef> reference_under(const Shape& shape, const Under& under) {
    return std::visit(
        [&](const auto& drawn) -> std::optional<TraceRef> {
            if constexpr (requires { drawn.ref; }) {
                if (drawn.ref.kind == TraceRef::Kind::none || !under(drawn)) return std::nullopt;
                if constexpr (std::is_same_v<std::decay_t<decltype(drawn)>, Rect>)
                    return narrowed(drawn.ref, drawn, under.point.x);
                return drawn.ref;
            } else {
                return std::nullopt;
            }
        },
        shape);
}

}  // namespace

Curve line(float x0, float y0, float x1, float y1, Paint stroke, float width) {
    const float dx = (x1 - x0) / 3, dy = (y1 - y0) / 3;
    Curve curve;
    curve.x0 = x0, curve.y0 = y0;
    curve.x1 = x0 + dx, curve.y1 = y0 + dy;
    curve.x2 = x1 - dx, curve.y2 = y1 - dy;
    curve.x3 = x1, curve.y3 = y1;
    curve.stroke = stroke;
    curve.stroke_width = width;
    return curve;
}

TraceRef hit(const Scene& scene, float x, float y, float tolerance) {
    const Under under{{x, y}, tolerance};
    // From the top down, so that a clip's end comes before its start: a hit between the two counts only if the clip,
    // known by then, contains the point. One entry for each open clip.
    std::vector<std::optional<TraceRef>> found(1);
    for (const Shape& shape : std::views::reverse(scene.shapes)) {
        if (std::holds_alternative<ClipEnd>(shape)) {
            found.emplace_back();
        } else if (const auto* clip = std::get_if<ClipBegin>(&shape); clip && found.size() > 1) {
            const auto inner = found.back();
            found.pop_back();
            if (!found.back() && inside({clip->x, clip->y, clip->width, clip->height}, {x, y})) found.back() = inner;
        } else if (!found.back()) {
            found.back() = reference_under(shape, under);
        }
        if (found.size() == 1 && found.back()) break;
    }
    return found.front().value_or(TraceRef{});
}

TraceRef nearest(const Scene& scene, TraceRef::Kind kind, float x, float y, float reach) {
    TraceRef found;
    each_box(scene, kind, [&](const Box& box, const TraceRef& ref) {
        const float distance = std::hypot(box.center_x() - x, box.center_y() - y);
        if (distance > reach) return;
        reach = distance;
        found = ref;
    });
    return found;
}

std::optional<Box> box_of_row(const Scene& scene, TraceRef::Kind kind, std::uint32_t row) {
    std::optional<Box> all;
    each_box(scene, kind, [&](Box box, const TraceRef& ref) {
        if (ref.row != row) return;
        if (!all) all = box;
        const float x = std::min(all->x, box.x), y = std::min(all->y, box.y);
        all = Box{x, y, std::max(all->right(), box.right()) - x, std::max(all->bottom(), box.bottom()) - y};
    });
    return all;
}

std::optional<Box> box_of(const Scene& scene, TraceRef::Kind kind, std::uint32_t row,
                          std::optional<std::uint32_t> column) {
    std::optional<Box> found;
    each_box(scene, kind, [&](Box box, const TraceRef& ref) {
        if (found || ref.row != row) return;
        if (!column || (ref.span <= 1 && *column == ref.column)) {
            found = box;
        } else if (*column >= ref.column && *column - ref.column < ref.span) {
            box.width /= static_cast<float>(ref.span);
            box.x += box.width * static_cast<float>(*column - ref.column);
            found = box;
        }
    });
    return found;
}

}  // namespace lanescope::scene
