#include "scene/time_axis.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace lanescope::scene {

namespace {

constexpr float number_size = 11;

}  // namespace

double round_step(double least) {
    double power = 1;
    while (power * 10 <= least) power *= 10;
    for (const double times : {1.0, 2.0, 5.0})
        if (power * times >= least) return power * times;
    return power * 10;
}

void BarsNote::draw(Layer& layer, float bottom) const {
    float y = bottom - 14 - extra();
    for (const std::string& line : lines) {
        layer.put(panel_padding, y, Anchor::start, {Font::words, size, {Role::soft, 1}}, line);
        y += line_height;
    }
}

Scene scene_of_bars(std::string title, std::string description, float width, float height, const TimeAxis& axis) {
    Scene scene;
    scene.title = std::move(title);
    scene.description = std::move(description);
    scene.width = width;
    scene.height = height;
    scene.viewports.push_back({.box = {axis.body.x, 0, axis.body.width, axis.body.bottom() + bars_axis},
                               .width = static_cast<float>(axis.content),
                               .height = axis.body.bottom() + bars_axis,
                               .scroll_x = static_cast<float>(axis.scroll)});
    return scene;
}

void clip_to_bars(Scene& scene, const Box& body) {
    scene.shapes.emplace_back(ClipBegin{body.x - 8, bars_heading - 12, body.width + 16, body.height + bars_axis + 12});
}

void draw_time_axis(Layer& below, Layer& above, const TimeAxis& axis, const std::function<std::string(double)>& text) {
    constexpr double apart = 90;  // points between two numbers
    const double step = round_step(std::max(apart * axis.end / axis.content, 1.0));
    const double hidden = axis.scroll / axis.content * axis.end;
    const Box& body = axis.body;
    const auto last = static_cast<std::int64_t>(axis.end / step);
    for (auto mark = static_cast<std::int64_t>(hidden / step); mark <= last; ++mark) {
        const double at = static_cast<double>(mark) * step;
        const auto where = static_cast<float>(static_cast<double>(body.x) - axis.scroll + at / axis.end * axis.content);
        if (where > body.right() + 1) break;
        if (where < body.x - 1) continue;
        below.curves.push_back(line(where, body.y - 6, where, axis.bottom + 4, {Role::line, 0.7F}));
        std::string number = text(at);
        const float half = text_width(Font::words, number_size, number) / 2;
        if (where + half > body.right() + 8) continue;
        const bool at_edge = where - half < body.x - 8;
        above.put(at_edge ? body.x : where, axis.bottom + 13, at_edge ? Anchor::start : Anchor::middle,
                  {Font::words, number_size, {Role::soft, 1}}, std::move(number));
    }
}

}  // namespace lanescope::scene
