#include "ui/panels/plots.h"

#include "ui/panels/plot_style.h"

#include <fmt/format.h>
#include <implot.h>

#include <cmath>
#include <string>
#include <vector>

namespace lanescope::ui {

using scene::Chart;
using scene::Role;
using scene::Series;

namespace {

constexpr float ghost = 0.16F;
constexpr double bar_width = 0.62;  // of a category

void set_up_axes(const Look& look, const Chart& chart, float width) {
    constexpr ImPlotAxisFlags still = ImPlotAxisFlags_Lock | ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_NoHighlight |
                                      ImPlotAxisFlags_NoSideSwitch | ImPlotAxisFlags_NoTickMarks;
    const double top = chart.top();
    const auto categories = static_cast<double>(chart.labels.size());
    ImPlot::SetupAxes(nullptr, nullptr, still | ImPlotAxisFlags_NoGridLines, still);
    // A little above the highest, so that points on the edge are whole.
    ImPlot::SetupAxesLimits(-0.5, categories - 0.5, 0, top * 1.06, ImPlotCond_Always);

    std::vector<double> places;
    std::vector<const char*> names;
    const float step = width / look.scale() / static_cast<float>(chart.labels.size());
    for (const std::size_t index : scene::labels_that_fit(chart.ticks_x, step / 2, step, PlotStyle::tick_em)) {
        places.push_back(static_cast<double>(index));
        names.push_back(chart.ticks_x[index].c_str());
    }
    ImPlot::SetupAxisTicks(ImAxis_X1, places.data(), static_cast<int>(places.size()), names.data());

    const std::vector<double> ticks = chart.ticks();
    std::vector<std::string> texts;
    for (const double value : ticks) texts.push_back(fmt::format("{:g}", value));
    std::vector<const char*> words;
    for (const std::string& text : texts) words.push_back(text.c_str());
    ImPlot::SetupAxisTicks(ImAxis_Y1, ticks.data(), static_cast<int>(ticks.size()), words.data());
}

// The category at hand, behind everything.
void draw_current(const Look& look, const Chart& chart) {
    if (!chart.current) return;
    const auto category = static_cast<double>(*chart.current);
    const ImVec2 low = ImPlot::PlotToPixels(category - 0.5, chart.top() * 1.06);
    const ImVec2 high = ImPlot::PlotToPixels(category + 0.5, 0.0);
    ImPlot::PushPlotClipRect();
    ImPlot::GetPlotDrawList()->AddRectFilled(
        low, high, look.color(Role::cursor, look.theme() == scene::Theme::dark ? 0.2F : 0.34F), look.px(2));
    ImPlot::PopPlotClipRect();
}

// Bars stand on each other: what comes later is drawn as the sum with what lies below it, the topmost first.
void draw_bars(const Look& look, const Chart& chart) {
    const std::size_t count = chart.labels.size();
    std::vector<double> sums(count), whole(count);
    for (const Series& series : chart.series) {
        for (std::size_t i = 0; i < count; ++i) {
            sums[i] += series.values[i];
            whole[i] += series.whole[i];
        }
    }
    const auto bars = [&](const char* name, const std::vector<double>& values, ImVec4 color) {
        ImPlotSpec spec;
        spec.FillColor = color;
        spec.LineColor = {0, 0, 0, 0};
        ImPlot::PlotBars(name, values.data(), static_cast<int>(count), bar_width, 0, spec);
    };
    // Nothing of the ghost is left where all has come.
    for (std::size_t i = 0; i < count; ++i) {
        if (i < chart.reached && chart.current != i) whole[i] = 0;
    }
    bars("##ghost", whole, look.color4(Role::soft, ghost));
    for (std::size_t index = chart.series.size(); index-- > 0;) {
        const Series& series = chart.series[index];
        bars(series.name.c_str(), sums, look.color4(series.role));
        for (std::size_t i = 0; i < count; ++i) sums[i] -= series.values[i];
    }
}

void draw_lines(const Look& look, const Chart& chart) {
    for (const Series& series : chart.series) {
        const auto line = [&](const char* name, const double* values, std::size_t from, std::size_t to, float alpha) {
            if (from >= to) return;
            ImPlotSpec spec;
            spec.LineColor = look.color4(series.role, alpha);
            spec.LineWeight = look.px(1.75F);
            spec.Marker = ImPlotMarker_Circle;
            spec.MarkerSize = look.px(chart.labels.size() > 40 ? 1.5F : 3.2F);
            spec.MarkerFillColor = spec.MarkerLineColor = look.color4(series.role, alpha);
            ImPlot::PlotLine(name, values + from, static_cast<int>(to - from), 1, static_cast<double>(from), spec);
        };
        // The ghost begins at the last point that has come.
        std::vector<double> ahead = series.whole;
        if (chart.reached > 0) ahead[chart.reached - 1] = series.values[chart.reached - 1];
        const std::size_t from = chart.reached > 0 ? chart.reached - 1 : 0;
        if (chart.reached < ahead.size())
            line(("##ghost" + series.name).c_str(), ahead.data(), from, ahead.size(), ghost);
        line(series.name.c_str(), series.values.data(), 0, chart.reached, 1);
    }
}

}  // namespace

Plots::Plots() : context_(ImPlot::CreateContext()) {}
Plots::~Plots() { ImPlot::DestroyContext(context_); }

std::optional<std::size_t> Plots::draw(const Look& look, const Chart& chart, ImVec2 at, ImVec2 size) {
    std::optional<std::size_t> under_mouse;
    if (chart.labels.empty() || size.x < look.px(60) || size.y < look.px(40)) return under_mouse;
    ImPlot::SetCurrentContext(context_);
    const PlotStyle style(look);
    ImGui::SetCursorScreenPos(at);
    constexpr ImPlotFlags plain = ImPlotFlags_CanvasOnly | ImPlotFlags_NoFrame;
    if (!ImPlot::BeginPlot(("##" + chart.title).c_str(), size, plain)) return under_mouse;
    set_up_axes(look, chart, size.x - look.px(36));
    ImPlot::SetupFinish();
    draw_current(look, chart);
    if (chart.kind == Chart::Kind::bars) {
        draw_bars(look, chart);
    } else {
        draw_lines(look, chart);
    }
    if (ImPlot::IsPlotHovered()) {
        const double x = std::round(ImPlot::GetPlotMousePos().x);
        if (x >= 0 && x < static_cast<double>(chart.labels.size())) under_mouse = static_cast<std::size_t>(x);
    }
    ImPlot::EndPlot();
    return under_mouse;
}

}  // namespace lanescope::ui
