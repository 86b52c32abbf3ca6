#include "scene/chart.h"

#include "scene/labels.h"
#include "scene/text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace lanescope::scene {
namespace {

constexpr float title_size = 12.5F, legend_size = 11.5F, tick_size = 10.5F, label_gap = 8;
constexpr float title_height = 26, ticks_height = 20;
constexpr float ghost = 0.16F;

/// The area of the plot, without title, ticks and labels.
struct Plot {
    Box box;
    double top = 1;
    float step = 0;  // of a category

    [[nodiscard]] float y_of(double value) const { return box.bottom() - static_cast<float>(value / top) * box.height; }
    [[nodiscard]] float x_of(std::size_t category) const {
        return box.x + step * (static_cast<float>(category) + 0.5F);
    }
};

void draw_axis(Layer& layer, const Plot& plot, const Chart& chart) {
    for (const double value : chart.ticks()) {
        const float y = snapped(plot.y_of(value));
        layer.rects.push_back(rect({plot.box.x, y, plot.box.width, 1}, 0, {Role::line, value == 0 ? 1 : 0.7F}));
        layer.texts.push_back(
            text_at(plot.box.x - 7, y, Anchor::end, {Font::code, tick_size, {Role::soft, 1}}, number_text(value)));
    }
}

void draw_bars(Layer& layer, const Plot& plot, const Chart& chart) {
    const float width = std::clamp(plot.step * 0.62F, 1.0F, 34.0F);
    for (std::size_t category = 0; category < chart.labels.size(); ++category) {
        double so_far = 0, whole = 0;
        for (const Series& series : chart.series) whole += series.whole[category];
        const float x = plot.x_of(category) - width / 2;
        const auto bar = [&](double from, double to, Paint paint) {
            if (to <= from) return;
            const float top = plot.y_of(to);
            layer.rects.push_back(rect({x, top, width, std::max(plot.y_of(from) - top, 1.0F)}, 1, paint));
        };
        if (category >= chart.reached || chart.current == category) bar(0, whole, {Role::soft, ghost});
        for (const Series& series : chart.series) {
            bar(so_far, so_far + series.values[category], {series.role, 1});
            so_far += series.values[category];
        }
    }
}

/// The part not yet executed begins at the last executed point. An unknown value has no point: a question mark takes
/// its place.
void draw_lines(Layer& layer, const Plot& plot, const Chart& chart) {
    const float radius = plot.step < 10 ? 1.5F : 3.2F;
    std::set<std::size_t> unknown;
    for (const Series& series : chart.series) {
        const auto value_of = [&](std::size_t category) {
            return category < chart.reached ? series.values[category] : series.whole[category];
        };
        for (std::size_t category = 0; category < chart.labels.size(); ++category) {
            if (std::isinf(value_of(category))) {
                unknown.insert(category);
                continue;
            }
            const float x = plot.x_of(category), y = plot.y_of(value_of(category));
            const Paint paint{series.role, category < chart.reached ? 1 : ghost};
            if (category > 0 && !std::isinf(value_of(category - 1))) {
                layer.curves.push_back(
                    line(plot.x_of(category - 1), plot.y_of(value_of(category - 1)), x, y, paint, 1.75F));
            }
            layer.circles.push_back(
                {.x = x, .y = y, .radius = radius, .fill = paint, .stroke = {}, .stroke_width = 1, .ref = {}});
        }
    }
    float free_from = plot.box.x - 1;
    for (const std::size_t category : unknown) {
        const float x = plot.x_of(category);
        if (x < free_from) continue;
        layer.put(x, plot.y_of(chart.top() / 2), Anchor::middle, {Font::words_medium, title_size, {Role::soft, 1}},
                  "?");
        free_from = x + title_size;
    }
}

/// Draws the legend from the right; returns its left edge.
float draw_legend(Layer& layer, const Box& box, const Chart& chart) {
    float x = box.right();
    for (std::size_t index = chart.series.size(); index-- > 0 && chart.series.size() > 1;) {
        const Series& series = chart.series[index];
        x -= text_width(Font::words, legend_size, series.name);
        layer.put(x, box.y + title_size / 2, Anchor::start, {Font::words, legend_size, {Role::soft, 1}}, series.name);
        x -= 13;
        layer.rects.push_back(rect({x, box.y + title_size / 2 - 4, 8, 8}, 1.5F, {series.role, 1}));
        x -= 10;
    }
    return x;
}

}  // namespace

double Chart::top() const {
    if (percent) return 100;
    double most = 0;
    for (std::size_t category = 0; category < labels.size(); ++category) {
        double sum = 0;
        for (const Series& each : series)
            sum = kind == Kind::bars ? sum + each.whole[category] : std::max(sum, each.whole[category]);
        most = std::max(most, sum);
    }
    if (most <= 1) return 1;
    const double power = std::pow(10.0, std::floor(std::log10(most)));
    for (const double step : {1.0, 1.2, 1.6, 2.0, 2.4, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0}) {
        if (step * power >= most) return step * power;
    }
    return 10 * power;
}

std::vector<double> Chart::ticks() const {
    const double end = top(), middle = end / 2;
    return middle == std::floor(middle) ? std::vector{0.0, middle, end} : std::vector{0.0, end};
}

std::vector<std::size_t> labels_that_fit(const std::vector<std::string>& labels, float first, float step, float size) {
    std::vector<Extent> extents;
    for (std::size_t index = 0; index < labels.size(); ++index) {
        const float middle = first + step * static_cast<float>(index);
        const float half = text_width(Font::code, size, labels[index]) / 2;
        extents.push_back({middle - half, middle + half});
    }
    std::vector<std::size_t> fitting;
    const std::size_t every = every_that_fits(extents, label_gap);
    for (std::size_t index = 0; index < labels.size(); index += every) fitting.push_back(index);
    return fitting;
}

void draw_chart(Layer& layer, const Box& box, const Chart& chart, std::size_t number) {
    const float title = draw_legend(layer, box, chart) - box.x;
    layer.put(box.x, box.y + title_size / 2, Anchor::start, {Font::words, title_size, {Role::text, 1}},
              fitted(Font::words, title_size, chart.title, title));
    Rect heading = rect({box.x, box.y - 4, std::max(title, 0.0F), title_height - 6}, 0, {});
    heading.ref = ref_to(TraceRef::Kind::heading, 1, number);
    layer.rects.push_back(heading);
    Plot plot;
    plot.top = chart.top();
    float ticks = 0;
    for (const double value : chart.ticks())
        ticks = std::max(ticks, text_width(Font::code, tick_size, number_text(value)));
    const float left = ticks + 10, above = title_height + 4;
    plot.box = {box.x + left, box.y + above, box.width - left, box.height - above - ticks_height};
    if (plot.box.width < 20 || plot.box.height < 10 || chart.labels.empty()) return;
    plot.step = plot.box.width / static_cast<float>(chart.labels.size());
    for (std::size_t category = 0; category < chart.labels.size(); ++category) {
        Rect under = rect(
            {plot.box.x + plot.step * static_cast<float>(category), plot.box.y - 4, plot.step, plot.box.height + 4}, 2,
            chart.current == category ? Paint{Role::cursor, 0.26F} : Paint{});
        under.ref = ref_to(TraceRef::Kind::chart, category, number);
        layer.rects.push_back(under);
    }
    draw_axis(layer, plot, chart);
    if (chart.kind == Chart::Kind::bars) {
        draw_bars(layer, plot, chart);
    } else {
        draw_lines(layer, plot, chart);
    }
    for (const std::size_t index : labels_that_fit(chart.ticks_x, plot.x_of(0), plot.step, tick_size)) {
        layer.put(plot.x_of(index), plot.box.bottom() + 11, Anchor::middle, {Font::code, tick_size, {Role::soft, 1}},
                  chart.ticks_x[index]);
    }
}

}  // namespace lanescope::scene
