#include "scene/timing_plots.h"

#include "base/grouped.h"
#include "model/device_limits.h"
#include "timing/documents.h"
#include "timing/extrapolated_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace lanescope::scene {

using timing::Point;
using timing::Recording;
using timing::Setting;

namespace {

constexpr double sector_bytes = 32;
constexpr std::string_view lecture_id = "lecture", copy_id = "copy", sweep_id = "sweep", peak_id = "peak",
                           cards_id = "cards", issue_id = "issue", estimate_id = "estimate", overhead_id = "overhead";

struct Sign {
    Role role;
    Marker marker;
};
constexpr std::array roles = {Role::useful, Role::agrees, Role::read, Role::cost, Role::text, Role::soft};
constexpr std::array markers = {Marker::disc, Marker::square, Marker::ring, Marker::frame};
/// Adjacent ones differ in both.
Sign sign_of(std::size_t index) {
    return {roles[index % roles.size()], markers[(index + index / roles.size()) % markers.size()]};
}

/// The color of kernels[index]. Colors stay the same while a recording grows; kernels without a lesson come after all
/// others.
Sign sign_of(const TimingSubject& subject, const std::vector<std::string>& kernels, std::size_t index) {
    const std::string& kernel = kernels[index];
    std::size_t place = 0;
    for (const Variant& variant : subject.variants) {
        if (variant.kernel == kernel) return sign_of(place);
        if (family_of(variant.kernel) == family_of(kernel)) ++place;
    }
    for (std::size_t before = 0; before < index; ++before)
        if (std::ranges::find(subject.variants, kernels[before], &Variant::kernel) == subject.variants.end()) ++place;
    return sign_of(place);
}

bool of_ladder(std::string_view kernel) {
    return std::ranges::find(timing::lecture_stages, kernel, &timing::Stage::kernel) != timing::lecture_stages.end();
}

/// The family's measured kernels, in the order of the lessons; those without a lesson last.
std::vector<std::string> kernels_of(const TimingSubject& subject, const TimingView& view) {
    std::vector<std::string> kernels;
    const auto add = [&](const std::string& kernel) {
        if (std::ranges::find(kernels, kernel) == kernels.end()) kernels.push_back(kernel);
    };
    const auto measured = [&](const std::string& kernel) {
        return std::ranges::find(subject.recording.points, kernel, &Point::kernel) != subject.recording.points.end();
    };
    for (const Variant& variant : subject.variants) {
        if (family_of(variant.kernel) == view.family && measured(variant.kernel)) add(variant.kernel);
    }
    for (const Point& point : subject.recording.points) {
        if (family_of(point.kernel) == view.family) add(point.kernel);
    }
    return kernels;
}

/// Is the point's time that of partial results? Then its kernel leaves work that others have done.
bool of_parts(const TimingSubject& subject, const Point& point) {
    const auto variant = std::ranges::find(subject.variants, point.kernel, &Variant::kernel);
    return variant != subject.variants.end() && variant->parts && !point.until_one;
}

/// The kernels shown by default: of reductions the lecture's seven, the library's and the fastest, because more would
/// be indistinguishable; of other families all.
std::set<std::string> shown_at_first(const TimingSubject& subject, const TimingView& view,
                                     const std::vector<std::string>& kernels) {
    std::set<std::string> shown;
    if (std::ranges::none_of(kernels, of_ladder)) return {kernels.begin(), kernels.end()};
    const auto setting = setting_of(subject.recording, view);
    double least = 0;
    std::string fastest;
    for (const std::string& kernel : kernels) {
        if (of_ladder(kernel) || of_library(kernel) || kernel == view.current) shown.insert(kernel);
        const auto point = setting ? timing::point_of(subject.recording, kernel, *setting) : std::nullopt;
        if (!point || of_parts(subject, subject.recording.points[*point])) continue;
        const double time = subject.recording.points[*point].time.median;
        if (!fastest.empty() && time >= least) continue;
        least = time;
        fastest = kernel;
    }
    if (!fastest.empty()) shown.insert(fastest);
    return shown;
}

bool writes_as_much(const TimingView& view) { return view.family == "scan"; }

bool is_shown(const TimingView& view, std::string_view id, bool otherwise) {
    const auto said = view.shown.find(std::string(id));
    return said == view.shown.end() ? otherwise : said->second;
}

/// The axes of a chart, and the x of a point.
struct Axes {
    PlotAxis x, y;
    bool time = false;  ///< y is a time, not a bandwidth
    double (*place)(const Point&) = nullptr;
};

PlotPoint plot_point(const Axes& axes, const Point& point, std::size_t source) {
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

/// Of several points at one place, of grids for example, the fastest is shown.
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

bool belongs(const TimingView& view, const Setting& setting, const Point& point) {
    switch (view.chart) {
        case TimingChart::bandwidth:
        case TimingChart::time: return point.block == setting.block || of_library(point.kernel);
        case TimingChart::block: return point.n == setting.n && !of_library(point.kernel);
        case TimingChart::per_thread:
            return point.n == setting.n && point.block == setting.block && point.grid > 0 && !of_library(point.kernel);
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
            axes.x.title = fmt::format("threads a block, N = {}", size_text(setting.n));
            axes.place = [](const Point& point) { return static_cast<double>(point.block); };
            break;
        case TimingChart::per_thread:
            axes.x.title =
                fmt::format("elements a thread, N = {}, blocks of {}", size_text(setting.n), grouped(setting.block));
            axes.place = [](const Point& point) { return point.per_thread(); };
            break;
        default:
            axes.x.title = fmt::format("elements N, blocks of {} threads", setting.block);
            axes.place = [](const Point& point) { return static_cast<double>(point.n); };
            break;
    }
    return axes;
}

void add_variants(const TimingSubject& subject, const TimingView& view, const Setting& setting, const Axes& axes,
                  XyPlot& plot) {
    const std::vector<std::string> kernels = kernels_of(subject, view);
    const std::set<std::string> first = shown_at_first(subject, view, kernels);
    for (std::size_t index = 0; index < kernels.size(); ++index) {
        const std::string& kernel = kernels[index];
        const std::string_view element = timing::element_of(subject.recording, kernel, setting.element);
        std::vector<std::size_t> chosen;
        for (std::size_t at = 0; at < subject.recording.points.size(); ++at) {
            const Point& point = subject.recording.points[at];
            if (point.kernel == kernel && point.element == element && belongs(view, setting, point))
                chosen.push_back(at);
        }
        if (chosen.empty()) continue;
        const Sign sign = sign_of(subject, kernels, index);
        const bool parts = std::ranges::all_of(
            chosen, [&](std::size_t at) { return of_parts(subject, subject.recording.points[at]); });
        plot.series.push_back(
            {.id = kernel,
             .name = short_name(subject, kernel) + (parts ? ", parts" : ""),
             .tells = parts ? "Each block leaves its own result. A complete reduction costs more." : "",
             .role = sign.role,
             .marker = sign.marker,
             .current = kernel == view.current,
             .shown = is_shown(view, kernel, first.contains(kernel)),
             .points = best_points(subject.recording, axes, chosen)});
    }
    // As the lines end: the legend reads from top to bottom like the plot.
    std::ranges::stable_sort(plot.series, [&](const PlotSeries& one, const PlotSeries& other) {
        const double a = one.points.empty() ? 0 : one.points.back().y;
        const double b = other.points.empty() ? 0 : other.points.back().y;
        return a > b;
    });
}

/// Hollow and dashed; shown by itself where nothing of the kernel was measured.
void add_estimates(const TimingSubject& subject, const TimingView& view, const Setting& setting, const Axes& axes,
                   XyPlot& plot) {
    if (subject.estimates == nullptr || subject.estimates->points.empty()) return;
    const timing::Estimates& estimates = *subject.estimates;
    const std::string_view family = family_of(estimates.points.front().kernel);
    if (family != "file" && family != view.family) return;  // a person's own may stand beside any
    std::vector<PlotPoint> points;
    points.reserve(estimates.points.size());
    for (const Point& point : estimates.points) points.push_back(plot_point(axes, point, PlotPoint::no_source));
    const std::string& kernel = estimates.points.front().kernel;
    const bool measured = std::ranges::find(plot.series, kernel, &PlotSeries::id) != plot.series.end();
    // Whether the results of a user's own kernel have to be combined is not known.
    const bool one_launch = family == "file" && std::ranges::all_of(estimates.points, [](const Point& point) {
                                return point.launches == 1 && point.grid != 1;
                            });
    // The axis names the measured block size; a kernel may require another one.
    const std::uint32_t block = estimates.points.front().block;
    const std::string blocks = block == setting.block ? "" : fmt::format(", blocks of {}", block);
    plot.series.push_back({.id = std::string(estimate_id),
                           .name = fmt::format("estimate ({:.0f} % median error): {}{}{}", 100 * estimates.median_error,
                                               short_name(subject, kernel), blocks, one_launch ? ", one launch" : ""),
                           .tells = estimates.sentence,
                           .role = Role::selected,
                           .marker = Marker::ring,
                           .dashed = true,
                           .shown = is_shown(view, estimate_id, !measured),
                           .points = points});
}

void add_lecture(const TimingSubject& subject, const TimingView& view, const Axes& axes, XyPlot& plot) {
    if (subject.lecture == nullptr || view.family != "reduce" || view.chart == TimingChart::per_thread) return;
    std::vector<PlotPoint> points;
    points.reserve(subject.lecture->points.size());
    for (const Point& point : subject.lecture->points) points.push_back(plot_point(axes, point, PlotPoint::no_source));
    plot.series.push_back({.id = std::string(lecture_id),
                           .name = fmt::format("{}, the lecture's table", subject.lecture->device),
                           .role = Role::soft,
                           .marker = Marker::frame,
                           .line = false,
                           .named = true,
                           .shown = is_shown(view, lecture_id, view.chart == TimingChart::time),
                           .points = points});
}

/// The bandwidth of a kernel that only copies, or only reads, on the same machine, against N.
template <class Ceiling>
void add_ceiling(const std::vector<Ceiling>& measured, std::string_view id, std::string name, Role role,
                 const TimingView& view, XyPlot& plot) {
    std::vector<PlotPoint> points;
    for (const Ceiling& each : measured) {
        const double n = static_cast<double>(each.bytes) / sizeof(std::int32_t), y = each.bandwidth();
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

/// The launch overhead of the run that most of the plot's points come from: it differs from run to run.
double overhead_of(const Recording& recording, const XyPlot& plot) {
    std::map<double, std::size_t> votes;
    for (const PlotSeries& series : plot.series)
        for (const PlotPoint& point : series.points)
            if (point.source != PlotPoint::no_source) ++votes[recording.points[point.source].overhead];
    votes.erase(0);
    if (votes.empty()) return recording.overhead.median;
    return std::ranges::max_element(votes, {}, &std::pair<const double, std::size_t>::second)->first;
}

void add_rules(const TimingSubject& subject, const TimingView& view, const Axes& axes, XyPlot& plot) {
    const auto across = [&](std::string_view id, std::string switched, std::string name, std::string brief, double y,
                            bool shown, std::string tells) {
        plot.rules.push_back({.id = std::string(id),
                              .name = std::move(name),
                              .brief = std::move(brief),
                              .switched = std::move(switched),
                              .y0 = y,
                              .y1 = y,
                              .role = Role::soft,
                              .shown = is_shown(view, id, shown),
                              .tells = std::move(tells)});
    };
    const Recording& recording = subject.recording;
    if (axes.time) {
        const double overhead = overhead_of(recording, plot);
        if (overhead > 0) {
            across(overhead_id, "launch of an empty kernel",
                   fmt::format("launch of an empty kernel: {:.1f} µs", overhead),
                   fmt::format("empty kernel: {:.1f} µs", overhead), overhead, true,
                   "The time to launch an empty kernel, measured in the run that most of these points come from.");
        }
        return;
    }
    if (recording.peak > 0) {
        const std::string formula =
            recording.peak_formula.empty() ? "bus width / 8 x memory clock x 2" : recording.peak_formula;
        across(peak_id, "theoretical peak", fmt::format("theoretical peak {}: {}", rounded(recording.peak), formula),
               fmt::format("theoretical peak {}", rounded(recording.peak)), recording.peak, true,
               fmt::format("The memory bandwidth that the driver's numbers allow: {}.", formula));
    }
    if (view.family != "reduce") return;
    for (const timing::StatedCard& card : timing::stated_cards) {
        across(cards_id, "P40, V100 (moderngpu)",
               fmt::format("{}: {} of {}", card.name, rounded(card.reached), rounded(card.peak)), "", card.reached,
               view.chart == TimingChart::bandwidth, "As stated in GPU Programming - Reduce (moderngpu).");
    }
    if (is_shown(view, lecture_id, false)) {
        across(lecture_id, "the lecture\'s card",
               fmt::format("{} {:.2f}: {}", timing::lecture_card, timing::lecture_peak, timing::lecture_peak_formula),
               fmt::format("{} {:.2f}", timing::lecture_card, timing::lecture_peak), timing::lecture_peak, true,
               "The theoretical peak that the lecture computes.");
    }
}

void stretch_rules(XyPlot& plot) {
    for (PlotRule& rule : plot.rules) {
        rule.x0 = plot.x.low;
        rule.x1 = plot.x.high;
    }
}

}  // namespace

std::string short_name(const TimingSubject& subject, std::string_view kernel) {
    const auto found = std::ranges::find(subject.variants, kernel, &Variant::kernel);
    if (found == subject.variants.end()) return std::string(kernel);
    const std::string& title = found->title;
    const std::size_t colon = title.find(": ");
    if (colon == std::string::npos) return title;
    std::string rest = title.substr(colon + 2);
    if (const std::size_t more = rest.find(" ("); more != std::string::npos) rest.resize(more);
    const std::size_t number = title.find_last_of(' ', colon);
    const bool numbered = number != std::string::npos && number + 1 < colon && std::isdigit(title[number + 1]) != 0;
    return numbered ? fmt::format("{} {}", title.substr(number + 1, colon - number - 1), rest) : rest;
}

std::optional<std::pair<double, double>> on_roofline(const Point& point) {
    if (!point.counts || point.counts->sectors == 0 || point.counts->instructions == 0 || point.time.median <= 0)
        return std::nullopt;
    const auto instructions = static_cast<double>(point.counts->instructions);
    return std::pair(instructions / (static_cast<double>(point.counts->sectors) * sector_bytes),
                     instructions / point.time.median / 1e3);
}

namespace {

XyPlot roofline(const TimingSubject& subject, const TimingView& view, const Setting& setting) {
    XyPlot plot;
    plot.x = {.kind = PlotAxis::Kind::decimal, .title = "warp instructions per byte moved, counted by the emulator"};
    plot.y = {.kind = PlotAxis::Kind::decimal,
              .title = fmt::format("billions of warp instructions per second, N = {}, blocks of {}",
                                   size_text(setting.n), setting.block)};
    const std::vector<std::string> kernels = kernels_of(subject, view);
    const std::set<std::string> first = shown_at_first(subject, view, kernels);
    std::uint64_t counted_to = 0;
    for (std::size_t index = 0; index < kernels.size(); ++index) {
        const auto at = timing::point_of(subject.recording, kernels[index], setting);
        if (!at) continue;
        Point point = subject.recording.points[*at];
        const auto counts = timing::counts_in(subject.recording, point);
        if (!counts) continue;
        point.counts = counts->counts;
        counted_to = std::max(counted_to, counts->counted_to);
        const auto place = on_roofline(point);
        if (!place) continue;
        const Sign sign = sign_of(subject, kernels, index);
        plot.series.push_back(
            {.id = kernels[index],
             .name = short_name(subject, kernels[index]),
             .role = sign.role,
             .marker = sign.marker,
             .line = false,
             .named = true,
             .current = kernels[index] == view.current,
             .shown = is_shown(view, kernels[index], first.contains(kernels[index])),
             .points = {
                 {.x = place->first, .y = place->second, .low = place->second, .high = place->second, .source = *at}}});
    }
    if (plot.series.empty()) {
        plot.lacks = "This recording has no emulated counts.";
        return plot;
    }
    if (counted_to > 0) plot.x.title += fmt::format(" up to N = {}, extrapolated beyond", size_text(counted_to));
    plot.fit();
    plot.x.low /= 2;
    plot.x.high *= 1.4;
    plot.y.low /= 2;  // room for names
    const auto roof = [&](std::string_view id, std::string switched, std::string name, double bandwidth,
                          std::string tells, bool shown) {
        // Instructions a second = bandwidth x instructions a byte.
        plot.rules.push_back({.id = std::string(id),
                              .name = std::move(name),
                              .switched = std::move(switched),
                              .x0 = plot.x.low,
                              .y0 = plot.x.low * bandwidth,
                              .x1 = plot.x.high,
                              .y1 = plot.x.high * bandwidth,
                              .role = Role::agrees,
                              .shown = is_shown(view, id, shown),
                              .tells = std::move(tells)});
    };
    // The bandwidth measured at this size: small sizes reach less, because launch overhead takes part of the time.
    const auto nearest = [&](const auto& measured) {
        const auto bytes = static_cast<double>(setting.n * sizeof(std::int32_t));
        const auto found = std::ranges::min_element(measured, {}, [&](const auto& each) {
            return std::abs(std::log(static_cast<double>(each.bytes) / bytes));
        });
        return found == measured.end() ? std::pair(0.0, std::string())
                                       : std::pair(found->bandwidth(), size_text(found->bytes / sizeof(std::int32_t)));
    };
    const auto [copied, copied_n] = nearest(subject.recording.copies);
    const auto [read, read_n] = nearest(subject.recording.sweeps);
    // Reductions read; a copy replaces the read-only kernel where that was not measured, or where as much is written.
    const bool by_copy = read == 0 || writes_as_much(view);
    if (copied > 0) {
        roof(copy_id, "roof: memory, copy", fmt::format("memory, copy of {}: {} GB/s", copied_n, rounded(copied)),
             copied, "The recording's copy, of the same number of elements.", by_copy);
    }
    if (read > 0 && !writes_as_much(view)) {
        roof(sweep_id, "roof: memory, read", fmt::format("memory, read of {}: {} GB/s", read_n, rounded(read)), read,
             "The recording's read-only kernel, for the same number of elements.", true);
    }
    const unsigned schedulers = model::limits_of(subject.recording.arch).schedulers;
    const double issue = subject.recording.processors * schedulers * subject.recording.clock_mhz / 1e3;
    if (issue > 0) {
        plot.rules.push_back({.id = std::string(issue_id),
                              .name = fmt::format("issue: {} x {} x {:.2f} GHz = {}", subject.recording.processors,
                                                  schedulers, subject.recording.clock_mhz / 1e3, rounded(issue)),
                              .brief = fmt::format("issue: {}", rounded(issue)),
                              .switched = "roof: instructions issued",
                              .x0 = plot.x.low,
                              .y0 = issue,
                              .x1 = plot.x.high,
                              .y1 = issue,
                              .role = Role::soft,
                              .shown = is_shown(view, issue_id, true),
                              .tells = "Multiprocessors x warp instructions issued per cycle x clock."});
        plot.y.high = std::max(plot.y.high, issue * 1.5);
    }
    return plot;
}

}  // namespace

XyPlot timing_plot(const TimingSubject& subject, const TimingView& view) {
    XyPlot plot;
    const auto setting = setting_of(subject.recording, view);
    if (!setting) {
        plot.lacks = "No kernel of this family was measured.";
        return plot;
    }
    if (view.chart == TimingChart::roofline) return roofline(subject, view, *setting);
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
        add_ceiling(subject.recording.copies, copy_id, "ceiling: copy", Role::agrees, view, plot);
        // A scan writes as much as it reads: only the copy is its ceiling.
        if (!writes_as_much(view))
            add_ceiling(subject.recording.sweeps, sweep_id, "ceiling: read only", Role::text, view, plot);
    }
    add_rules(subject, view, axes, plot);
    plot.fit();
    if (!axes.time) plot.y.high *= 1.6;  // room for the peak's name over it
    stretch_rules(plot);
    return plot;
}

}  // namespace lanescope::scene
