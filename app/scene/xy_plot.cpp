#include "scene/xy_plot.h"

#include "base/grouped.h"
#include "scene/labels.h"
#include "scene/rule_names.h"
#include "scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::scene {
namespace {

constexpr float sign_width = 18, sign_room = 26;  // in a row of the legend
constexpr float legend_row = 1.75F;               // of the legend's text size
constexpr float least_legend_text = 11.5F, scroll_bar_room = 12;
constexpr float selected_radius = 8, name_distance = 10;
constexpr float hidden = 0.45F, hidden_name = 0.6F;  // of entries that are only in the legend
constexpr double margin = 0.04;                      // of an axis, beyond its last point

/// The labeled values of an axis by decade: every one, or 1, 2 and 5, or only 1; then fewer decades.
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

/// A plot at its place: converts values to points of the scene.
struct PlotDrawing {
    const XyPlot& of;
    Box box;         ///< within the axes
    float size = 0;  ///< of the text
    [[nodiscard]] float x_of(double x) const { return box.x + static_cast<float>(of.x.share(x)) * box.width; }
    [[nodiscard]] float y_of(double y) const { return box.bottom() - static_cast<float>(of.y.share(y)) * box.height; }
    [[nodiscard]] Place place(const PlotPoint& point) const { return {x_of(point.x), y_of(point.y)}; }
    [[nodiscard]] std::vector<Place> places(const PlotSeries& series) const {
        std::vector<Place> places;
        places.reserve(series.points.size());
        for (const PlotPoint& point : series.points) places.push_back(place(point));
        return places;
    }
    [[nodiscard]] float name_height() const { return 1.25F * size; }
};

std::vector<std::pair<double, std::string>> y_ticks(const XyPlot& plot, float height, float size) {
    return plot.y.ticks(plot.y.low, plot.y.high, static_cast<unsigned>(height / (2.4F * size)));
}

void draw_axes(Layer& layer, const PlotDrawing& plot, const Box& all) {
    const Style numbers{Font::code, plot.size, {Role::soft, 1}}, title{Font::words, plot.size + 0.5F, {Role::soft, 1}};
    const auto part = [&](const Box& box, std::size_t which) {
        Rect under = rect(box, 0, {});
        under.ref = ref_to(TraceRef::Kind::plot, 0, which);
        layer.rects.push_back(under);
    };
    part(plot.box, 0);
    part({plot.box.x, plot.box.bottom(), plot.box.width, all.bottom() - plot.box.bottom()}, 1);
    part({all.x, plot.box.y, plot.box.x - all.x, plot.box.height}, 2);
    for (const auto& [value, text] : y_ticks(plot.of, all.height, plot.size)) {
        const float y = snapped(plot.y_of(value));
        layer.rects.push_back(rect({plot.box.x, y, plot.box.width, 1}, 0, {Role::line, 0.7F}));
        layer.put(plot.box.x - 7, y, Anchor::end, numbers, text);
    }
    // The code face sets superscripts too far apart.
    const bool powers = plot.of.x.kind == PlotAxis::Kind::powers_of_two;
    const Style along{powers ? Font::words : Font::code, plot.size, {Role::soft, 1}};
    const auto most = static_cast<unsigned>(plot.box.width / (4.6F * plot.size));
    for (const auto& [value, text] : plot.of.x.ticks(plot.of.x.low, plot.of.x.high, most)) {
        const float x = snapped(plot.x_of(value));
        layer.rects.push_back(rect({x, plot.box.y, 1, plot.box.height}, 0, {Role::line, 0.35F}));
        layer.put(x, plot.box.bottom() + plot.size, Anchor::middle, along, text);
    }
    const auto fit = [&](const std::string& text) { return fitted(title.font, title.size, text, all.width); };
    layer.texts.push_back(
        text_at(all.right() - 4, all.bottom() - 0.7F * plot.size, Anchor::end, title, fit(plot.of.x.title)));
    layer.put(all.x, all.y + 0.5F * plot.size, Anchor::start, title, fit(plot.of.y.title));
}

void draw_marker(Layer& layer, float x, float y, float radius, Marker marker, Paint paint, const TraceRef& ref = {}) {
    const Box box{x - radius, y - radius, 2 * radius, 2 * radius};
    const auto circle = [&](float of, Paint fill, Paint stroke) {
        layer.circles.push_back(
            {.x = x, .y = y, .radius = of, .fill = fill, .stroke = stroke, .stroke_width = 1.5F, .ref = ref});
    };
    const auto square = [&](Paint fill, Paint stroke) {
        layer.rings.push_back(rect(box, 0, fill, stroke, 1.5F));
        layer.rings.back().ref = ref;
    };
    switch (marker) {
        case Marker::none: return circle(radius, {}, {});
        case Marker::disc: return circle(radius, paint, {});
        case Marker::ring: return circle(radius + 0.5F, {Role::panel, 1}, paint);
        case Marker::square: return square(paint, {});
        case Marker::frame: return square({Role::panel, 1}, paint);
        case Marker::diamond:
            circle(radius, {}, {});  // a target for the mouse
            for (const float side : {-1.4F * radius, 1.4F * radius}) {
                layer.curves.push_back(line(x - 1.4F * radius, y, x, y + side, paint, 1.75F));
                layer.curves.push_back(line(x + 1.4F * radius, y, x, y + side, paint, 1.75F));
            }
            return;
    }
}

Paint paint_of(const PlotSeries& series, float alpha) { return {series.highlight.value_or(series.role), alpha}; }
float width_of(const PlotSeries& series) { return series.highlight ? 3.0F : 1.75F; }
constexpr float rule_width = 1.25F;

void draw_series(Layer& layer, const PlotDrawing& plot, std::size_t number) {
    const PlotSeries& series = plot.of.series[number];
    const Paint paint = paint_of(series, 1);
    for (std::size_t index = 0; index < series.points.size(); ++index) {
        const PlotPoint& point = series.points[index];
        const auto [x, y] = plot.place(point);
        if (series.line && index > 0) {
            const auto [last_x, last_y] = plot.place(series.points[index - 1]);
            layer.curves.push_back(line(last_x, last_y, x, y, paint, width_of(series)));
            layer.curves.back().dashed = series.dashed;
        }
        if (point.low < point.high)
            layer.curves.push_back(line(x, plot.y_of(point.low), x, plot.y_of(point.high), paint, 1));
        draw_marker(layer, x, y, series.highlight ? current_radius : marker_radius, series.marker, paint,
                    ref_to(TraceRef::Kind::point, number, index));
        if (!point.wrong) continue;
        for (const float arm : {cross_radius, -cross_radius})
            layer.curves.push_back(line(x - cross_radius, y - arm, x + cross_radius, y + arm, {Role::cost, 1}, 2.5F));
    }
}

/// A rule continues beyond the points that define it to both ends of the plot: on these two axes it is straight.
void draw_rules(Layer& layer, const PlotDrawing& plot) {
    for (const PlotRule& rule : plot.of.rules) {
        const float x = plot.x_of(rule.x0), y = plot.y_of(rule.y0), wide = plot.x_of(rule.x1) - x;
        if (!rule.shown || wide < 1) continue;
        const float slope = (plot.y_of(rule.y1) - y) / wide;
        const auto y_at = [&](float at) { return y + slope * (at - x); };
        const float left = plot.box.x, right = plot.box.right();
        layer.curves.push_back(line(left, y_at(left), right, y_at(right), {rule.role, 1}, rule_width));
        layer.curves.back().dashed = true;
    }
}

/// Draws the name on a patch of the background, so that lines can run under it.
void draw_name(Layer& layer, const PlotDrawing& plot, const Box& box, Role role, std::string name) {
    layer.rects.push_back(rect(box, 2, {Role::panel, 0.8F}));
    layer.texts.push_back(
        text_at(box.x + 2, box.center_y(), Anchor::start, {Font::words, plot.size, {role, 1}}, std::move(name)));
}

/// Draws the names of rules on top of the lines, where each comes into view.
void name_rules(Layer& layer, const PlotDrawing& plot) {
    const float most = plot.box.width - 8;
    const auto wide = [&](const std::string& name) { return text_width(Font::words, plot.size, name); };
    std::vector<NamedLine> lines;
    std::vector<std::pair<const PlotRule*, std::string>> names;
    for (const PlotRule& rule : plot.of.rules) {
        const float left = plot.x_of(rule.x0), right = plot.x_of(rule.x1);
        if (!rule.shown || right - left < 1) continue;
        std::string name = fitted(Font::words, plot.size,
                                  !rule.brief.empty() && wide(rule.name) > most ? rule.brief : rule.name, most);
        lines.push_back({.x0 = left,
                         .y0 = plot.y_of(rule.y0),
                         .x1 = right,
                         .y1 = plot.y_of(rule.y1),
                         .width = wide(name) + 4,
                         .brief_width = rule.brief.empty() ? 0 : wide(rule.brief) + 4});
        names.emplace_back(&rule, std::move(name));
    }
    std::vector<std::vector<Place>> series;
    for (const PlotSeries& each : plot.of.series)
        if (each.shown) series.push_back(plot.places(each));
    const auto boxes = places_of_names(plot.box, plot.name_height(), lines, series);
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (!boxes[index]) continue;
        const auto& [rule, name] = names[index];
        draw_name(layer, plot, *boxes[index], rule->role,
                  boxes[index]->width < lines[index].width ? rule->brief : name);
    }
}

void name_points(Layer& layer, const PlotDrawing& plot) {
    std::vector<NamedPoint> points;
    const std::vector<const PlotSeries*> named = plot.of.named();
    const auto font_of = [](const PlotSeries& series) { return series.highlight ? Font::words_medium : Font::words; };
    points.reserve(named.size());
    for (const PlotSeries* series : named)
        points.push_back(
            {.at = plot.place(series->points.back()), .width = text_width(font_of(*series), plot.size, series->name)});
    std::vector<std::vector<Place>> lines;
    for (const PlotSeries& series : plot.of.series)
        if (series.shown && series.line) lines.push_back(plot.places(series));
    for (const PlotRule& rule : plot.of.rules)
        if (rule.shown)
            lines.push_back({{plot.x_of(rule.x0), plot.y_of(rule.y0)}, {plot.x_of(rule.x1), plot.y_of(rule.y1)}});
    const auto boxes = places_of_point_names(plot.box, plot.name_height(), name_distance, points, lines);
    for (std::size_t index = 0; index < named.size(); ++index) {
        if (!boxes[index]) continue;
        const Role role = named[index]->highlight ? Role::text : Role::soft;
        layer.put(boxes[index]->x, boxes[index]->center_y(), Anchor::start,
                  {font_of(*named[index]), plot.size, {role, 1}}, named[index]->name);
    }
}

/// The point that is selected, and the numbers of those that are pinned.
void draw_pins(Layer& layer, const PlotDrawing& plot) {
    for (const PlotSeries& series : plot.of.series) {
        if (!series.shown) continue;
        for (const PlotPoint& point : series.points) {
            if (point.source == PlotPoint::no_source) continue;
            const auto [x, y] = plot.place(point);
            if (plot.of.selected == point.source) {
                layer.circles.push_back({.x = x,
                                         .y = y,
                                         .radius = selected_radius,
                                         .fill = {},
                                         .stroke = {Role::selected, 1},
                                         .stroke_width = 2,
                                         .ref = {}});
            }
            const auto pin = std::ranges::find(plot.of.pins, point.source, &PlotPin::source);
            if (pin == plot.of.pins.end()) continue;
            const float width = text_width(Font::words, plot.size, pin->text) + 4, height = plot.name_height();
            const bool left_of = x + name_distance + width > plot.box.right();
            draw_name(layer, plot,
                      {left_of ? x - name_distance - width : x + name_distance, y - height - 3, width, height},
                      Role::text, pin->text);
        }
    }
}

}  // namespace

std::vector<std::pair<double, std::string>> PlotAxis::ticks(double from, double to, unsigned most) const {
    std::vector<std::pair<double, std::string>> found;
    most = std::max(most, 2U);
    if (kind == Kind::decimal) {
        for (const double value : decimal_places(from, to, most)) found.emplace_back(value, number_text(value));
        return found;
    }
    const auto first = static_cast<int>(std::ceil(std::log2(from) - 1e-9));
    const auto last = static_cast<int>(std::floor(std::log2(to) + 1e-9));
    int stride = 1;
    while ((last - first) / stride + 1 > static_cast<int>(most)) ++stride;
    for (int power = first; power <= last; ++power) {
        if (power % stride != 0) continue;
        const double value = std::ldexp(1.0, power);
        const bool small = power < 0 || last <= 16;
        found.emplace_back(value, small ? number_text(value) : power_of_two(static_cast<unsigned>(power)));
    }
    return found;
}

std::string PlotAxis::text(double value) const {
    const double power = std::log2(value);
    if (kind == Kind::powers_of_two && power >= 10 && power == std::floor(power))
        return power_of_two(static_cast<unsigned>(power));
    return number_text(value);
}

double PlotAxis::share(double value) const { return std::log(value / low) / std::log(high / low); }

void PlotAxis::pan(double by) {
    const double factor = std::pow(high / low, -by);
    low *= factor;
    high *= factor;
}

void PlotAxis::zoom(double at, double factor) {
    // Between a hundredth of a decade and as many decades as a double has digits.
    const double decades = std::clamp(std::log10(high / low) * factor, 0.01, 24.0);
    const double middle = low * std::pow(high / low, at);
    low = middle * std::pow(10.0, -at * decades);
    high = middle * std::pow(10.0, (1 - at) * decades);
}

std::vector<const PlotSeries*> XyPlot::named() const {
    std::vector<const PlotSeries*> found;
    for (const PlotSeries& each : series)
        if (each.shown && each.named && !each.points.empty()) found.push_back(&each);
    std::ranges::stable_partition(found, &PlotSeries::is_highlighted);
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

float plot_text_size(float width) { return width >= 1150 ? 14 : width >= 760 ? 12 : 10.5F; }

void draw_plot(Scene& scene, const Box& box, const XyPlot& plot, float text_size) {
    Layer frame, inside;
    if (!plot.lacks.empty()) {
        constexpr float size = 13, line = 18;
        const std::vector<std::string> lines = wrapped(Font::words, size, plot.lacks, box.width - 16);
        float y = box.center_y() - line * static_cast<float>(lines.size() - 1) / 2;
        for (const std::string& each : lines) {
            frame.put(box.center_x(), y, Anchor::middle, {Font::words, size, {Role::soft, 1}}, each);
            y += line;
        }
        frame.flush(scene);
        return;
    }
    float ticks = 0;
    for (const auto& [value, text] : y_ticks(plot, box.height, text_size))
        ticks = std::max(ticks, text_width(Font::code, text_size, text));
    // Above the axes the title of y, below them the numbers and the title of x.
    const float above = 1.6F * text_size, below = 3.2F * text_size;
    const PlotDrawing at{
        plot, {box.x + ticks + 10, box.y + above, box.width - ticks - 14, box.height - above - below}, text_size};
    if (at.box.width < 20 || at.box.height < 10) return;
    draw_axes(frame, at, box);
    frame.flush(scene);
    scene.shapes.emplace_back(ClipBegin{at.box.x, at.box.y - 6, at.box.width + 6, at.box.height + 6});
    draw_rules(inside, at);
    inside.flush(scene);
    for (const bool current : {false, true}) {
        Layer layer;
        for (std::size_t index = 0; index < plot.series.size(); ++index) {
            if (plot.series[index].shown && plot.series[index].is_highlighted() == current)
                draw_series(layer, at, index);
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

std::vector<LegendEntry> legend_of(const XyPlot& plot, bool switches) {
    std::vector<LegendEntry> entries;
    for (const PlotSeries& series : plot.series) {
        if (!switches && !series.shown) continue;
        entries.push_back({.id = series.id,
                           .name = series.name,
                           .details = series.name + "\n" + (series.details.empty() ? "" : series.details + "\n"),
                           .shown = series.shown,
                           .current = series.is_highlighted(),
                           .series = &series});
    }
    for (const PlotRule& rule : plot.rules) {
        if (!switches || std::ranges::find(entries, rule.id, &LegendEntry::id) != entries.end()) continue;
        entries.push_back({.id = rule.id,
                           .name = rule.switched,
                           .details = rule.details + "\n",
                           .shown = rule.shown,
                           .role = rule.role});
    }
    return entries;
}

namespace {

Font font_of(const LegendEntry& entry) { return entry.current ? Font::words_medium : Font::words; }

void draw_sign(Layer& layer, float x, float y, const LegendEntry& entry) {
    const float alpha = entry.shown ? 1 : hidden;
    const PlotSeries* const series = entry.series;
    if (series == nullptr || series->line) {
        Curve curve = line(x, y, x + sign_width, y, series ? paint_of(*series, alpha) : Paint{entry.role, alpha},
                           series ? width_of(*series) : rule_width);
        curve.dashed = series == nullptr || series->dashed;
        layer.curves.push_back(curve);
    }
    if (series != nullptr)
        draw_marker(layer, x + sign_width / 2, y, marker_radius, series->marker, paint_of(*series, alpha));
}

}  // namespace

float legend_width(const XyPlot& plot, bool switches, float text_size, float least, float most) {
    float widest = 0;
    for (const LegendEntry& entry : legend_of(plot, switches))
        widest = std::max(widest, text_width(font_of(entry), std::max(text_size, least_legend_text), entry.name));
    return std::clamp(sign_room + std::ceil(widest) + scroll_bar_room, least, std::max(least, most));
}

namespace {

float row_height(float text_size) { return snapped(legend_row * std::max(text_size, least_legend_text)); }

}  // namespace

float legend_height(const XyPlot& plot, bool switches, float text_size) {
    return row_height(text_size) * static_cast<float>(legend_of(plot, switches).size());
}

void draw_legend(Scene& scene, const Box& box, const XyPlot& plot, float text_size, const LegendOptions& options) {
    const std::vector<LegendEntry> entries = legend_of(plot, options.switches);
    const float size = std::max(text_size, least_legend_text), row = row_height(text_size);
    Viewport part{.box = box, .width = box.width, .height = row * static_cast<float>(entries.size())};
    const bool scrolls = part.height > box.height;
    part.scroll_y = std::clamp(options.scroll, 0.0F, std::max(part.height - box.height, 0.0F));
    if (scrolls) {
        scene.viewports.push_back(part);
        scene.shapes.emplace_back(ClipBegin{box.x, box.y, box.width, box.height});
    }
    const float room = box.width - sign_room - (scrolls ? scroll_bar_room : 0);
    Layer layer;
    for (std::size_t index = 0; index < entries.size(); ++index) {
        const LegendEntry& entry = entries[index];
        const float top = box.y - part.scroll_y + row * static_cast<float>(index), middle = top + row / 2;
        if (top + row <= box.y || top >= box.bottom()) continue;
        Rect under = rect({box.x, top, box.width, row}, 3, options.hovered == index ? Paint{Role::raised, 1} : Paint{});
        under.ref = ref_to(TraceRef::Kind::series, index);
        layer.rects.push_back(under);
        draw_sign(layer, box.x + 2, middle, entry);
        layer.texts.push_back(
            text_at(box.x + sign_room, middle, Anchor::start,
                    {font_of(entry), size, {entry.current ? Role::text : Role::soft, entry.shown ? 1 : hidden_name}},
                    fitted(font_of(entry), size, entry.name, room)));
    }
    layer.flush(scene);
    if (scrolls) scene.shapes.emplace_back(ClipEnd{});
}

}  // namespace lanescope::scene
