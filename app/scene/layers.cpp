#include "scene/layers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanescope::scene {
namespace {

template <class T>
bool seen(const T& shape) {
    if (shape.ref.kind != TraceRef::Kind::none) return true;
    if constexpr (requires { shape.hatch; })
        if (shape.hatch.visible()) return true;
    if constexpr (requires { shape.fill; })
        if (shape.fill.visible()) return true;
    if constexpr (requires { shape.stroke; })
        if (shape.stroke.visible()) return true;
    return false;
}

template <class T>
void move_to(Scene& scene, std::vector<T>& shapes) {
    for (T& shape : shapes)
        if (seen(shape)) scene.shapes.emplace_back(std::move(shape));
    shapes.clear();
}

/// Moves and scales the shapes of a scene.
struct Placed {
    float x, y, scale;

    Shape operator()(Rect shape) const {
        box(shape);
        shape.radius *= scale, shape.stroke_width *= scale;
        return shape;
    }
    Shape operator()(Circle shape) const {
        point(shape.x, shape.y);
        shape.radius *= scale, shape.stroke_width *= scale;
        return shape;
    }
    Shape operator()(Curve shape) const {
        point(shape.x0, shape.y0), point(shape.x1, shape.y1), point(shape.x2, shape.y2), point(shape.x3, shape.y3);
        shape.stroke_width *= scale;
        return shape;
    }
    Shape operator()(Text shape) const {
        point(shape.x, shape.y);
        shape.size *= scale;
        return shape;
    }
    Shape operator()(ClipBegin shape) const {
        box(shape);
        return shape;
    }
    Shape operator()(ClipEnd shape) const { return shape; }

  private:
    void point(float& at_x, float& at_y) const { at_x = x + at_x * scale, at_y = y + at_y * scale; }
    template <class Boxed>
    void box(Boxed& shape) const {
        point(shape.x, shape.y);
        shape.width *= scale, shape.height *= scale;
    }
};

}  // namespace

void Layer::put(float x, float y, Anchor anchor, const Style& style, std::string text, const TraceRef& ref) {
    texts.push_back(text_at(x, y, anchor, style, std::move(text)));
    texts.back().ref = ref;
}

void Layer::flush(Scene& scene) {
    scene.shapes.reserve(scene.shapes.size() + rects.size() + curves.size() + circles.size() + rings.size() +
                         texts.size());
    move_to(scene, rects);
    move_to(scene, curves);
    move_to(scene, circles);
    move_to(scene, rings);
    std::erase_if(texts, [](const Text& text) { return text.text.empty(); });
    move_to(scene, texts);
}

Rect rect(const Box& box, float radius, Paint fill, Paint stroke, float stroke_width) {
    Rect r;
    r.x = box.x, r.y = box.y, r.width = box.width, r.height = box.height;
    r.radius = std::min({radius, box.width / 2, box.height / 2});
    r.fill = fill, r.stroke = stroke, r.stroke_width = stroke_width;
    return r;
}

Rect ring(const Box& box, float radius, float gap, Paint stroke, float width) {
    return rect(box.grown(gap + width), radius + gap + width, {}, stroke, width);
}

Text text_at(float x, float y, Anchor anchor, const Style& style, std::string text) {
    Text t;
    t.x = x;
    t.y = y + cap_height(style.font, style.size) / 2;
    t.size = style.size;
    t.font = style.font;
    t.anchor = anchor;
    t.fill = style.fill;
    t.text = std::move(text);
    return t;
}

Text text_in(const Box& box, const Style& style, std::string text) {
    return text_at(box.center_x(), box.center_y(), Anchor::middle, style, std::move(text));
}

float size_to_fit(Font font, std::string_view text, float width, float most, float least) {
    const float ems = text_width(font, 1.0F, text);
    const float size = ems > 0 ? std::min(most, width / ems) : most;
    return size >= least ? size : 0.0F;
}

void put_lines(Layer& layer, const Box& box, Style style, const std::vector<std::string>& lines, float room) {
    const auto number = static_cast<float>(lines.size());
    if (lines.size() > 1) style.size = std::clamp((box.height - 2) / (1.1F * number), smallest_text, style.size);
    for (const std::string& line : lines)
        style.size = std::max(smallest_text, size_to_fit(style.font, line, room, style.size, smallest_text));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const float y = box.center_y() + (static_cast<float>(i) - (number - 1) / 2) * 1.1F * style.size;
        layer.put(box.center_x(), y, Anchor::middle, style, lines[i]);
    }
}

TraceRef ref_to(TraceRef::Kind kind, std::size_t row, std::size_t column) {
    return {
        .kind = kind, .row = static_cast<std::uint32_t>(row), .column = static_cast<std::uint32_t>(column), .step = {}};
}

void draw_verdict(Layer& layer, float x, float y, std::optional<bool> agrees) {
    constexpr float half = 5, width = 2;  // points
    if (!agrees) {
        layer.circles.push_back({.x = x,
                                 .y = y,
                                 .radius = half - 0.5F,
                                 .fill = {},
                                 .stroke = {Role::soft, 1},
                                 .stroke_width = 1.5F,
                                 .ref = {}});
        return;
    }
    const Paint paint{*agrees ? Role::agrees : Role::cost, 1};
    const auto stroke = [&](float x0, float y0, float x1, float y1) {
        layer.curves.push_back(line(x + x0 * half, y + y0 * half, x + x1 * half, y + y1 * half, paint, width));
    };
    if (*agrees) {
        stroke(-1, 0.05F, -0.25F, 0.75F);
        stroke(-0.25F, 0.75F, 1, -0.75F);
    } else {
        stroke(-0.8F, -0.8F, 0.8F, 0.8F);
        stroke(-0.8F, 0.8F, 0.8F, -0.8F);
    }
}

float snapped(float value) { return std::round(value); }

void place_scene(Scene& into, const Scene& part, float x, float y, float scale) {
    if (part.background.visible())
        into.shapes.emplace_back(rect({x, y, part.width * scale, part.height * scale}, 0, part.background));
    for (const Shape& shape : part.shapes) into.shapes.push_back(std::visit(Placed{x, y, scale}, shape));
}

}  // namespace lanescope::scene
