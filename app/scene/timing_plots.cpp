#include "scene/timing_plots.h"

#include "base/grouped.h"
#include "timing/document_claims.h"
#include "timing/families.h"
#include "timing/limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lanescope::scene {

using timing::Recording;
using timing::Setting;

namespace {

constexpr std::string_view lecture_id = "lecture", cards_id = "cards", estimate_id = "estimate",
                           overhead_id = "overhead";

/// The axes of a chart, and the x of a point.
struct Axes {
    PlotAxis x, y;
    bool time = false;  ///< y is a time, not a bandwidth
    double (*place)(const timing::Point&) = nullptr;
};

PlotPoint plot_point(const Axes& axes, const timing::Point& point, std::size_t source) {
    const auto y_of = [&](double microseconds) {
        return axes.time ? microseconds : static_cast<double>(point.bytes) / microseconds / 1e3;
    };
    const double one = y_of(point.time.p10), other = y_of(point.time.p90);
    const double y = axes.time ? point.time.median : point.bandwidth();
    const bool spread = point.time.samples > 0;
    return {.x = axes.place(point),
            .y = y,
            .low = spread ? std::min(one, other) : y,
            .high = spread ? std::max(one, other) : y,
            .source = source,
            .wrong = !point.agrees};
}

/// Of several points at one place, such as those of several grids, the fastest is shown.
std::vector<PlotPoint> best_points(const Recording& recording, const Axes& axes,
                                   const std::vector<std::size_t>& chosen) {
    std::map<double, std::size_t> best;
    for (const std::size_t index : chosen) {
        const double x = axes.place(recording.points[index]);
        if (x <= 0 || recording.points[index].time.median <= 0) continue;
        const auto [found, fresh] = best.try_emplace(x, index);
        if (!fresh && timing::stands_before(recording.points[index], recording.points[found->second]))
            found->second = index;
    }
    std::vector<PlotPoint> points;
    points.reserve(best.size());
    for (const auto& [x, index] : best) points.push_back(plot_point(axes, recording.points[index], index));
    return points;
}

bool belongs(const TimingView& view, const Setting& setting, const timing::Point& point) {
    switch (view.chart) {
        case TimingChart::bandwidth:
        case TimingChart::time: return point.block == setting.block || timing::of_library(point.kernel);
        case TimingChart::block: return point.n == setting.n && !timing::of_library(point.kernel);
        case TimingChart::per_thread:
            return point.n == setting.n && point.block == setting.block && point.grid > 0 &&
                   !timing::of_library(point.kernel);
        default: return point.n == setting.n && point.block == setting.block;
    }
}

Axes axes_of(const TimingView& view, const Setting& setting) {
    Axes axes;
    axes.time = view.chart == TimingChart::time;
    axes.y.title = axes.time ? "time, µs" : "effective bandwidth, GB/s";
    axes.x.kind = PlotAxis::Kind::powers_of_two;
    switch (view.chart) {
        case TimingChart::block:
            axes.x.title = fmt::format("threads per block, N = {}", size_text(setting.n));
            axes.place = [](const timing::Point& point) { return static_cast<double>(point.block); };
            break;
        case TimingChart::per_thread:
            axes.x.title =
                fmt::format("elements per thread, N = {}, blocks of {}", size_text(setting.n), grouped(setting.block));
            axes.place = [](const timing::Point& point) { return point.per_thread(); };
            break;
        default:
            axes.x.title = fmt::format("elements N, blocks of {}", counted(setting.block, "thread"));
            axes.place = [](const timing::Point& point) { return static_cast<double>(point.n); };
            break;
    }
    return axes;
}

void add_variants(const TimingSubject& subject, const TimingView& view, const Setting& setting, const Axes& axes,
                  XyPlot& plot) {
    for (const PlottedKernel& plotted : plotted_kernels(subject, view)) {
        const std::string& kernel = plotted.kernel;
        const std::string_view element = timing::element_of(subject.recording, kernel, setting.element);
        std::vector<std::size_t> chosen;
        for (std::size_t at = 0; at < subject.recording.points.size(); ++at) {
            const timing::Point& point = subject.recording.points[at];
            if (point.kernel == kernel && point.element == element && belongs(view, setting, point))
                chosen.push_back(at);
        }
        if (chosen.empty()) continue;
        const bool parts = std::ranges::all_of(
            chosen, [&](std::size_t at) { return of_parts(subject, subject.recording.points[at]); });
        plot.series.push_back(
            {.id = kernel,
             .name = lettered_name(subject, view, kernel) + (parts ? ", parts" : ""),
             .details = parts ? "Each block leaves its own result. A complete reduction costs more." : "",
             .role = plotted.role,
             .marker = plotted.marker,
             .dashed = plotted.dashed,
             .highlight = highlight_of(view, kernel),
             .shown = plotted.shown,
             .points = best_points(subject.recording, axes, chosen)});
    }
    // In the order in which the lines end, so that the legend reads like the plot from top to bottom.
    std::ranges::stable_sort(plot.series, [&](const PlotSeries& one, const PlotSeries& other) {
        const double a = one.points.empty() ? 0 : one.points.back().y;
        const double b = other.points.empty() ? 0 : other.points.back().y;
        return a > b;
    });
}

/// Hollow and dashed; shown alone where the kernel was not measured.
void add_estimates(const TimingSubject& subject, const TimingView& view, const Setting& setting, const Axes& axes,
                   XyPlot& plot) {
    if (subject.estimates == nullptr || subject.estimates->points.empty()) return;
    const timing::Estimates& estimates = *subject.estimates;
    const std::string_view family = timing::family_of(estimates.points.front().kernel);
    if (family != "file" && family != view.family) return;  // a person's own may stand beside any
    std::vector<PlotPoint> points;
    points.reserve(estimates.points.size());
    for (const timing::Point& point : estimates.points) points.push_back(plot_point(axes, point, PlotPoint::no_source));
    const std::string& kernel = estimates.points.front().kernel;
    const bool measured = std::ranges::find(plot.series, kernel, &PlotSeries::id) != plot.series.end();
    // Whether the results of a user's own kernel must be combined is unknown.
    const bool one_launch = family == "file" && std::ranges::all_of(estimates.points, [](const timing::Point& point) {
                                return point.launches == 1 && point.grid != 1;
                            });
    // The axis names the measured block size; a kernel may require another one.
    const std::uint32_t block = estimates.points.front().block;
    const std::string blocks = block == setting.block ? "" : fmt::format(", blocks of {}", grouped(block));
    plot.series.push_back(
        {.id = std::string(estimate_id),
         .name = fmt::format("estimate ({:.0f} % median error): {}{}{}", 100 * estimates.median_error,
                             lettered_name(subject, view, kernel), blocks, one_launch ? ", one launch" : ""),
         .details = estimates.sentence,
         .role = highlight_of(view, kernel).value_or(Role::selected),
         .marker = Marker::diamond,
         .dashed = true,
         .highlight = measured ? std::nullopt : highlight_of(view, kernel),
         .shown = is_shown(view, estimate_id, !measured),
         .points = points});
}

void add_lecture(const TimingSubject& subject, const TimingView& view, const Axes& axes, XyPlot& plot) {
    if (subject.lecture == nullptr || view.family != "reduce" || view.chart == TimingChart::per_thread) return;
    std::vector<PlotPoint> points;
    points.reserve(subject.lecture->points.size());
    for (const timing::Point& point : subject.lecture->points)
        points.push_back(plot_point(axes, point, PlotPoint::no_source));
    plot.series.push_back({.id = std::string(lecture_id),
                           .name = fmt::format("{}, the lecture's table", subject.lecture->device),
                           .role = Role::soft,
                           .marker = Marker::diamond,  // which no kernel has
                           .line = false,
                           .named = true,
                           .shown = is_shown(view, lecture_id, view.chart == TimingChart::time),
                           .points = points});
}

/// The bandwidth of a kernel that only copies or only reads, on the same machine, at the N with as many bytes.
template <class Ceiling>
void add_ceiling(const std::vector<Ceiling>& measured, std::uint64_t element_bytes, std::string_view id,
                 std::string name, Role role, const TimingView& view, XyPlot& plot) {
    std::vector<PlotPoint> points;
    for (const Ceiling& each : measured) {
        const double n = static_cast<double>(each.bytes) / static_cast<double>(element_bytes), y = each.bandwidth();
        if (each.bytes > 0 && y > 0) points.push_back({.x = n, .y = y, .low = y, .high = y});
    }
    if (points.empty()) return;
    std::ranges::sort(points, {}, &PlotPoint::x);
    plot.series.insert(plot.series.begin(), {.id = std::string(id),
                                             .name = std::move(name),
                                             .role = role,
                                             .marker = Marker::none,
                                             .dashed = true,
                                             .shown = is_shown(view, id, true),
                                             .points = points});
}

/// The points of the recording that the plot shows.
std::vector<std::size_t> sources_of(const XyPlot& plot) {
    std::vector<std::size_t> sources;
    for (const PlotSeries& series : plot.series)
        for (const PlotPoint& point : series.points)
            if (point.source != PlotPoint::no_source) sources.push_back(point.source);
    return sources;
}

void add_rules(const TimingSubject& subject, const TimingView& view, const Axes& axes, XyPlot& plot) {
    const auto across = [&](std::string_view id, std::string switched, std::string name, std::string brief, double y,
                            bool shown, std::string details) {
        plot.rules.push_back({.id = std::string(id),
                              .name = std::move(name),
                              .brief = std::move(brief),
                              .switched = std::move(switched),
                              .y0 = y,
                              .y1 = y,
                              .role = Role::soft,
                              .shown = is_shown(view, id, shown),
                              .details = std::move(details)});
    };
    const Recording& recording = subject.recording;
    if (axes.time) {
        const double overhead = timing::overhead_of(recording, sources_of(plot));
        if (overhead > 0) {
            across(overhead_id, "launch of an empty kernel",
                   fmt::format("launch of an empty kernel: {:.1f} µs", overhead),
                   fmt::format("empty kernel: {:.1f} µs", overhead), overhead, true,
                   "The time to launch an empty kernel, measured in the run that most of these points come from.");
        }
        return;
    }
    if (recording.peak > 0) plot.rules.push_back(peak_rule(recording, view));
    if (view.family != "reduce") return;
    for (const timing::StatedCard& card : timing::stated_cards) {
        across(cards_id, "P40, V100 (moderngpu)",
               fmt::format("{}: {} of {}", card.name, rounded(card.reached), rounded(card.peak)), "", card.reached,
               view.chart == TimingChart::bandwidth, "As stated in GPU Programming - Reduce (moderngpu).");
    }
    if (is_shown(view, lecture_id, false)) {
        across(lecture_id, "the lecture's GPU",
               fmt::format("{} {:.2f}: {}", timing::lecture_card, timing::lecture_peak, timing::lecture_peak_formula),
               fmt::format("{} {:.2f}", timing::lecture_card, timing::lecture_peak), timing::lecture_peak, true,
               "The theoretical peak that the lecture computes.");
    }
}

/// The compared programs come first in the legend, A first, and are named at the ends of their lines.
void put_compared_first(XyPlot& plot) {
    const auto others = std::ranges::stable_partition(plot.series, &PlotSeries::is_highlighted);
    std::sort(plot.series.begin(), others.begin(),
              [](const PlotSeries& one, const PlotSeries& other) { return one.name < other.name; });
    for (auto series = plot.series.begin(); series != others.begin(); ++series) series->named = true;
}

void stretch_rules(XyPlot& plot) {
    for (PlotRule& rule : plot.rules) {
        rule.x0 = plot.x.low;
        rule.x1 = plot.x.high;
    }
}

}  // namespace

PlotRule peak_rule(const Recording& recording, const TimingView& view) {
    constexpr std::string_view id = "peak";
    const std::string formula =
        recording.peak_formula.empty() ? "bus width / 8 x memory clock x 2" : recording.peak_formula;
    return {.id = std::string(id),
            .name = fmt::format("theoretical peak {}: {}", rounded(recording.peak), formula),
            .brief = fmt::format("theoretical peak {}", rounded(recording.peak)),
            .switched = "theoretical peak",
            .y0 = recording.peak,
            .y1 = recording.peak,
            .role = Role::soft,
            .shown = is_shown(view, id, true),
            .details = fmt::format("The memory bandwidth that the driver's numbers allow: {}.", formula)};
}

XyPlot timing_plot(const TimingSubject& subject, const TimingView& view) {
    if (view.chart == TimingChart::residency) return residency_plot(subject, view);
    XyPlot plot;
    const auto setting = setting_of(subject.recording, view);
    if (!setting) {
        plot.lacks = "No kernel of this family was measured.";
        return plot;
    }
    if (view.chart == TimingChart::roofline) return roofline_plot(subject, view, *setting);
    const Axes axes = axes_of(view, *setting);
    plot.x = axes.x;
    plot.y = axes.y;
    add_variants(subject, view, *setting, axes, plot);
    const bool over_n = view.chart == TimingChart::bandwidth || view.chart == TimingChart::time;
    if (over_n) add_estimates(subject, view, *setting, axes, plot);
    if (plot.series.empty()) {
        plot.lacks = "No kernel was measured at this setting.";
        return plot;
    }
    add_lecture(subject, view, axes, plot);
    if (view.chart == TimingChart::bandwidth) {
        const std::uint64_t bytes = timing::bytes_of_element(setting->element);
        add_ceiling(subject.recording.copies, bytes, copy_id, "ceiling: copy", Role::agrees, view, plot);
        // A scan writes as much as it reads: only the copy is its ceiling.
        if (!writes_as_much(view))
            add_ceiling(subject.recording.sweeps, bytes, sweep_id, "ceiling: read only", Role::text, view, plot);
    }
    add_rules(subject, view, axes, plot);
    if (!view.compared.empty()) put_compared_first(plot);
    plot.fit();
    if (!axes.time) plot.y.high *= 1.6;  // room for the peak's name above it
    stretch_rules(plot);
    return plot;
}

}  // namespace lanescope::scene
