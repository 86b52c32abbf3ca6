#include "scene/xy_plot.h"

#include "scene/rule_names.h"
#include "scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::scene {
namespace {

constexpr float tick_size = 10.5F, legend_size = 11.5F, axis_size = 11;
constexpr float below = 34, above = 16;  // of the box: numbers and the x axis' title; the y axis' title
constexpr float sign_room = 24;          // of a legend's row
constexpr float rule_name_height = 13, selected_radius = 8, pin_distance = 10;
constexpr float hidden = 0.45F;  // of what is in the legend only
constexpr double margin = 0.04;  // of an axis, beyond its last point

std::string decimal(double value) {
    if (value >= 1e6 || value < 1e-3) return fmt::format("{:.0e}", value);
    return fmt::format("{:g}", value);
}

/// Steps of an axis in decades: all, 1 2 5, or 1 alone; ever fewer.
std::vector<double> decimal_places(double from, double to, unsigned most) {
    const auto first = static_cast<int>(std::floor(std::log10(from)));
    const auto last = static_cast<int>(std::ceil(std::log10(to)));
    const auto places = [&](std::initializer_list<double> of_decade, int stride) {
        std::vector<double> found;
        for (int decade = first; decade <= last; ++decade) {
            if (decade % stride != 0) continue;
            for (const double step : of_decade) {
                const double value = step * std::pow(10.0, decade);
                if (value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9)) found.push_back(value);
            }
        }
        return found;
    };
    for (const auto& steps : {std::initializer_list<double>{1, 1.5, 2, 3, 4, 5, 6, 8}, {1, 2, 5}, {1}}) {
        if (auto found = places(steps, 1); found.size() <= most) return found;
    }
    return places({1}, 2);
}

struct Plot {
    const XyPlot& of;
    Box box;
    [[nodiscard]] float x_of(double x) const { return box.x + static_cast<float>(of.x.share(x)) * box.width; }
    [[nodiscard]] float y_of(double y) const { return box.bottom() - static_cast<float>(of.y.share(y)) * box.height; }
};

void draw_axes(Layer& layer, const Plot& plot) {
    const auto y_ticks = plot.of.y.ticks(plot.of.y.low, plot.of.y.high, static_cast<unsigned>(plot.box.height / 26));
    for (const auto& [value, text] : y_ticks) {
        const float y = snapped(plot.y_of(value));
        layer.rects.push_back(rect({plot.box.x, y, plot.box.width, 1}, 0, {Role::line, 0.7F}));
        layer.texts.push_back(text_at(plot.box.x - 7, y, Anchor::end, {Font::code, tick_size, {Role::soft, 1}}, text));
    }
    const auto x_ticks = plot.of.x.ticks(plot.of.x.low, plot.of.x.high, static_cast<unsigned>(plot.box.width / 48));
    for (const auto& [value, text] : x_ticks) {
        const float x = snapped(plot.x_of(value));
        layer.rects.push_back(rect({x, plot.box.y, 1, plot.box.height}, 0, {Role::line, 0.35F}));
        layer.texts.push_back(
            text_at(x, plot.box.bottom() + 11, Anchor::middle, {Font::code, tick_size, {Role::soft, 1}}, text));
    }
    layer.texts.push_back(text_at(plot.box.right(), plot.box.bottom() + 26, Anchor::end,
                                  {Font::words, axis_size, {Role::soft, 1}}, plot.of.x.title));
    layer.texts.push_back(text_at(plot.box.x, plot.box.y - above / 2 - 2, Anchor::start,
                                  {Font::words, axis_size, {Role::soft, 1}}, plot.of.y.title));
}

void draw_marker(Layer& layer, float x, float y, float radius, Marker marker, Paint paint) {
    switch (marker) {
        case Marker::none: break;
        case Marker::disc: layer.circles.push_back({.x = x, .y = y, .radius = radius, .fill = paint}); break;
        case Marker::ring:
            layer.circles.push_back({.x = x,
                                     .y = y,
                                     .radius = radius + 0.5F,
                                     .fill = {Role::panel, 1},
                                     .stroke = paint,
                                     .stroke_width = 1.5F});
            break;
        case Marker::square:
            layer.rings.push_back(rect({x - radius, y - radius, 2 * radius, 2 * radius}, 0, paint));
            break;
        case Marker::frame:
            layer.rings.push_back(
                rect({x - radius, y - radius, 2 * radius, 2 * radius}, 0, {Role::panel, 1}, paint, 1.5F));
            break;
    }
}

void draw_series(Layer& layer, const Plot& plot, const PlotSeries& series) {
    const Paint paint{series.current ? Role::selected : series.role, 1};
    const float width = series.current ? 3.0F : 1.75F;
    for (std::size_t index = 0; index < series.points.size(); ++index) {
        const PlotPoint& point = series.points[index];
        const float x = plot.x_of(point.x), y = plot.y_of(point.y);
        if (series.line && index > 0) {
            const PlotPoint& last = series.points[index - 1];
            Curve curve = line(plot.x_of(last.x), plot.y_of(last.y), x, y, paint, width);
            curve.dashed = series.dashed;
            layer.curves.push_back(curve);
        }
        if (point.low < point.high)
            layer.curves.push_back(line(x, plot.y_of(point.low), x, plot.y_of(point.high), paint, 1));
        draw_marker(layer, x, y, series.current ? current_radius : marker_radius, series.marker, paint);
        if (!point.wrong) continue;
        const Paint cross{Role::cost, 1};
        layer.curves.push_back(
            line(x - cross_radius, y - cross_radius, x + cross_radius, y + cross_radius, cross, 2.5F));
        layer.curves.push_back(
            line(x - cross_radius, y + cross_radius, x + cross_radius, y - cross_radius, cross, 2.5F));
    }
}

void draw_rules(Layer& layer, const Plot& plot) {
    for (const PlotRule& rule : plot.of.rules) {
        if (!rule.shown) continue;
        Curve curve =
            line(plot.x_of(rule.x0), plot.y_of(rule.y0), plot.x_of(rule.x1), plot.y_of(rule.y1), {rule.role, 1}, 1.25F);
        curve.dashed = true;
        layer.curves.push_back(curve);
    }
}

/// On top of the lines, readable wherever they run.
void name_rules(Layer& layer, const Plot& plot) {
    const auto width_of = [](const std::string& name) { return text_width(Font::words, tick_size, name) + 4; };
    std::vector<NamedLine> lines;
    std::vector<const PlotRule*> rules;
    for (const PlotRule& rule : plot.of.rules) {
        if (!rule.shown) continue;
        lines.push_back({.x0 = plot.x_of(rule.x0),
                         .y0 = plot.y_of(rule.y0),
                         .x1 = plot.x_of(rule.x1),
                         .y1 = plot.y_of(rule.y1),
                         .width = width_of(rule.name),
                         .brief_width = rule.brief.empty() ? 0 : width_of(rule.brief)});
        rules.push_back(&rule);
    }
    std::vector<std::vector<Place>> series;
    for (const PlotSeries& each : plot.of.series) {
        if (!each.shown) continue;
        std::vector<Place>& places = series.emplace_back();
        for (const PlotPoint& point : each.points) places.emplace_back(plot.x_of(point.x), plot.y_of(point.y));
    }
    const auto boxes = places_of_names(plot.box, rule_name_height, lines, series);
    for (std::size_t index = 0; index < rules.size(); ++index) {
        if (!boxes[index]) continue;
        const Box& box = *boxes[index];
        const PlotRule& rule = *rules[index];
        layer.rects.push_back(rect(box, 2, {Role::panel, 0.8F}));
        layer.texts.push_back(text_at(box.x + 2, box.center_y(), Anchor::start,
                                      {Font::words, tick_size, {rule.role, 1}},
                                      box.width < lines[index].width ? rule.brief : rule.name));
    }
}

void name_points(Layer& layer, const Plot& plot) {
    std::vector<NamedPoint> points;
    const std::vector<const PlotSeries*> named = plot.of.named();
    for (const PlotSeries* series : named) {
        const Font font = series->current ? Font::words_medium : Font::words;
        points.push_back({.at = {plot.x_of(series->points.back().x), plot.y_of(series->points.back().y)},
                          .width = text_width(font, tick_size, series->name)});
    }
    std::vector<std::vector<Place>> lines;
    for (const PlotSeries& series : plot.of.series) {
        if (!series.shown || !series.line) continue;
        std::vector<Place>& places = lines.emplace_back();
        for (const PlotPoint& point : series.points) places.emplace_back(plot.x_of(point.x), plot.y_of(point.y));
    }
    for (const PlotRule& rule : plot.of.rules)
        if (rule.shown)
            lines.push_back({{plot.x_of(rule.x0), plot.y_of(rule.y0)}, {plot.x_of(rule.x1), plot.y_of(rule.y1)}});
    const auto boxes = places_of_point_names(plot.box, rule_name_height, pin_distance, points, lines);
    for (std::size_t index = 0; index < named.size(); ++index) {
        if (!boxes[index]) continue;
        const bool current = named[index]->current;
        layer.texts.push_back(
            text_at(boxes[index]->x, boxes[index]->center_y(), Anchor::start,
                    {current ? Font::words_medium : Font::words, tick_size, {current ? Role::text : Role::soft, 1}},
                    named[index]->name));
    }
}

/// The point that is selected, and the numbers of those that are pinned.
void draw_pins(Layer& layer, const Plot& plot) {
    for (const PlotSeries& series : plot.of.series) {
        if (!series.shown) continue;
        for (const PlotPoint& point : series.points) {
            if (point.source == PlotPoint::no_source) continue;
            const float x = plot.x_of(point.x), y = plot.y_of(point.y);
            if (plot.of.selected == point.source) {
                layer.circles.push_back({.x = x,
                                         .y = y,
                                         .radius = selected_radius,
                                         .fill = {Role::panel, 0},
                                         .stroke = {Role::selected, 1},
                                         .stroke_width = 2});
            }
            const auto pin = std::ranges::find(plot.of.pins, point.source, &PlotPin::source);
            if (pin == plot.of.pins.end()) continue;
            const float width = text_width(Font::words, tick_size, pin->text) + 4;
            const bool left_of = x + pin_distance + width > plot.box.right();
            const Box box{left_of ? x - pin_distance - width : x + pin_distance, y - rule_name_height - 3, width,
                          rule_name_height};
            layer.rects.push_back(rect(box, 2, {Role::panel, 0.8F}));
            layer.texts.push_back(text_at(box.x + 2, box.center_y(), Anchor::start,
                                          {Font::words, tick_size, {Role::text, 1}}, pin->text));
        }
    }
}

}  // namespace

std::vector<std::pair<double, std::string>> PlotAxis::ticks(double from, double to, unsigned most) const {
    std::vector<std::pair<double, std::string>> found;
    most = std::max(most, 2U);
    if (kind == Kind::decimal) {
        for (const double value : decimal_places(from, to, most)) found.emplace_back(value, decimal(value));
        return found;
    }
    const auto first = static_cast<int>(std::ceil(std::log2(from) - 1e-9));
    const auto last = static_cast<int>(std::floor(std::log2(to) + 1e-9));
    int stride = 1;
    while ((last - first) / stride + 1 > static_cast<int>(most)) ++stride;
    for (int power = first; power <= last; ++power) {
        if (power % stride != 0) continue;
        const bool small = power >= 0 && last <= 16;
        found.emplace_back(std::ldexp(1.0, power), small ? fmt::format("{}", 1 << power) : fmt::format("2^{}", power));
    }
    return found;
}

std::string PlotAxis::text(double value) const {
    const double power = std::log2(value);
    if (kind == Kind::powers_of_two && power >= 10 && power == std::floor(power)) return fmt::format("2^{:.0f}", power);
    return fmt::format("{:.4g}", value);
}

double PlotAxis::share(double value) const { return std::log(value / low) / std::log(high / low); }

std::vector<const PlotSeries*> XyPlot::named() const {
    std::vector<const PlotSeries*> found;
    for (const PlotSeries& each : series)
        if (each.shown && each.named && !each.points.empty()) found.push_back(&each);
    std::ranges::stable_partition(found, &PlotSeries::current);
    return found;
}

void XyPlot::fit() {
    double x_low = 0, x_high = 0, y_low = 0, y_high = 0;
    const auto widen = [](double& least, double& most, double value) {
        if (value <= 0) return;
        least = least == 0 ? value : std::min(least, value);
        most = std::max(most, value);
    };
    for (const PlotSeries& each : series) {
        for (const PlotPoint& point : each.points) {
            if (!each.shown) continue;
            widen(x_low, x_high, point.x);
            widen(y_low, y_high, point.low);
            widen(y_low, y_high, point.high);
        }
    }
    for (const PlotRule& rule : rules) {
        if (!rule.shown) continue;
        widen(y_low, y_high, rule.y1);
    }
    const auto spread = [](PlotAxis& axis, double least, double most, double least_ratio) {
        if (most <= 0) return;
        const double missing = std::max(0.0, std::log(least_ratio) - std::log(most / least)) / 2;
        const double beyond = missing + margin * std::log(std::max(most / least, least_ratio));
        axis.low = least * std::exp(-beyond);
        axis.high = most * std::exp(beyond);
    };
    spread(x, x_low, x_high, 4);
    spread(y, y_low, y_high, 4);
}

void draw_plot(Scene& scene, const Box& box, const XyPlot& plot) {
    Layer frame, inside;
    if (!plot.lacks.empty()) {
        frame.texts.push_back(text_at(box.center_x(), box.center_y(), Anchor::middle,
                                      {Font::words, 13, {Role::soft, 1}},
                                      fitted(Font::words, 13, plot.lacks, box.width - 16)));
        frame.flush(scene);
        return;
    }
    float ticks = 0;
    for (const auto& [value, text] : plot.y.ticks(plot.y.low, plot.y.high, static_cast<unsigned>(box.height / 26)))
        ticks = std::max(ticks, text_width(Font::code, tick_size, text));
    const Plot at{plot, {box.x + ticks + 10, box.y + above, box.width - ticks - 14, box.height - above - below}};
    if (at.box.width < 20 || at.box.height < 10) return;
    draw_axes(frame, at);
    frame.flush(scene);
    scene.shapes.emplace_back(ClipBegin{at.box.x, at.box.y - 6, at.box.width + 6, at.box.height + 6});
    draw_rules(inside, at);
    inside.flush(scene);
    for (const bool current : {false, true}) {
        Layer layer;
        for (const PlotSeries& series : plot.series) {
            if (series.shown && series.current == current) draw_series(layer, at, series);
        }
        layer.flush(scene);
    }
    Layer names;
    name_rules(names, at);
    name_points(names, at);
    draw_pins(names, at);
    names.flush(scene);
    scene.shapes.emplace_back(ClipEnd{});
}

void draw_sign(Layer& layer, float x, float y, const PlotSeries& series) {
    const Paint paint{series.current ? Role::selected : series.role, series.shown ? 1 : hidden};
    if (series.line) {
        Curve curve = line(x, y, x + 16, y, paint, series.current ? 3.0F : 1.75F);
        curve.dashed = series.dashed;
        layer.curves.push_back(curve);
    }
    draw_marker(layer, x + 8, y, marker_radius, series.marker, paint);
}

float legend_width(const XyPlot& plot, float least, float most) {
    float widest = 0;
    for (const PlotSeries& series : plot.series) {
        if (!series.shown) continue;
        const Font font = series.current ? Font::words_medium : Font::words;
        widest = std::max(widest, text_width(font, legend_size, series.name));
    }
    return std::clamp(sign_room + std::ceil(widest) + 2, least, std::max(least, most));
}

void draw_legend(Layer& layer, const Box& box, const XyPlot& plot, float row) {
    float y = box.y + row / 2;
    for (const PlotSeries& series : plot.series) {
        if (!series.shown) continue;
        if (y > box.bottom()) return;
        draw_sign(layer, box.x, y, series);
        const Font font = series.current ? Font::words_medium : Font::words;
        layer.texts.push_back(text_at(box.x + sign_room, y, Anchor::start,
                                      {font, legend_size, {series.current ? Role::text : Role::soft, 1}},
                                      fitted(font, legend_size, series.name, box.width - sign_room)));
        y += row;
    }
}

}  // namespace lanescope::scene
