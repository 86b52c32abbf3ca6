#include "unit/scene/legibility.h"

#include "scene/layers.h"
#include "scene/text.h"

#include <fmt/format.h>

#include <cmath>

namespace lanescope::scene {
namespace {

struct Placed {
    Box box;
    std::string text;
};

Placed placed(const Text& t) {
    const float width = text_width(t.font, t.size, t.text);
    const float left = t.anchor == Anchor::start ? t.x : t.anchor == Anchor::middle ? t.x - width / 2 : t.x - width;
    const float height = cap_height(t.font, t.size);
    return {{left, t.y - height, width, height}, t.text};
}

bool overlap(const Box& a, const Box& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

bool within(const Box& inner, const Box& outer) {
    constexpr float slack = 0.01F;
    return inner.x >= outer.x - slack && inner.right() <= outer.right() + slack && inner.y >= outer.y - slack &&
           inner.bottom() <= outer.bottom() + slack;
}

}  // namespace

std::vector<std::string> illegible(const Scene& scene) {
    std::vector<std::string> wrong;
    const Box page{0, 0, scene.width, scene.height};
    std::vector<Placed> texts;
    for (const Text& text : all<Text>(scene)) {
        texts.push_back(placed(text));
        if (text.size < 10) wrong.push_back(fmt::format("\"{}\" is {} points high", text.text, text.size));
        if (!within(texts.back().box, page)) wrong.push_back(fmt::format("\"{}\" leaves the page", text.text));
    }
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::size_t j = i + 1; j < texts.size(); ++j)
            if (overlap(texts[i].box, texts[j].box))
                wrong.push_back(fmt::format("\"{}\" and \"{}\" overlap", texts[i].text, texts[j].text));

    std::vector<Box> cells;
    for (const Rect& rect : all<Rect>(scene))
        if (rect.ref.kind == TraceRef::Kind::cell) cells.push_back({rect.x, rect.y, rect.width, rect.height});
    const auto circles = all<Circle>(scene);
    for (const Placed& text : texts)
        for (const Box& cell : cells)
            if (overlap(text.box, cell) && !within(text.box, cell))
                wrong.push_back(fmt::format("\"{}\" crosses the edge of a cell", text.text));
    for (std::size_t i = 0; i < circles.size(); ++i) {
        const Circle& c = circles[i];
        const Box around{c.x - c.radius, c.y - c.radius, 2 * c.radius, 2 * c.radius};
        if (!within(around, page)) wrong.push_back("a circle leaves the page");
        for (const Box& cell : cells)
            if (overlap(around, cell)) wrong.push_back(fmt::format("the circle at {}, {} covers a cell", c.x, c.y));
        for (std::size_t j = i + 1; j < circles.size(); ++j)
            if (std::hypot(c.x - circles[j].x, c.y - circles[j].y) < c.radius + circles[j].radius)
                wrong.push_back(fmt::format("the circles at {} and {}, {} overlap", c.x, circles[j].x, c.y));
        for (const Placed& text : texts) {
            if (!overlap(text.box, around)) continue;
            const float reach = std::hypot(text.box.width / 2 + std::abs(text.box.center_x() - c.x),
                                           text.box.height / 2 + std::abs(text.box.center_y() - c.y));
            if (reach > c.radius) wrong.push_back(fmt::format("\"{}\" crosses a circle", text.text));
        }
    }
    return wrong;
}

std::vector<std::string> texts_of(const Scene& scene) {
    std::vector<std::string> texts;
    for (const Text& text : all<Text>(scene)) texts.push_back(text.text);
    return texts;
}

}  // namespace lanescope::scene
