#include "scene/timing_plots.h"

#include "base/grouped.h"
#include "model/device_limits.h"
#include "model/model.h"
#include "timing/extrapolated_counts.h"
#include "timing/limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace lanescope::scene {

namespace {

constexpr std::string_view issue_id = "issue";

/// The point's place on the two axes; nothing without counts.
std::optional<std::pair<double, double>> on_roofline(const timing::Point& point) {
    if (!point.counts || point.counts->sectors == 0 || point.counts->instructions == 0 || point.time.median <= 0)
        return std::nullopt;
    const auto instructions = static_cast<double>(point.counts->instructions);
    return std::pair(instructions / (static_cast<double>(point.counts->sectors) * model::sector_bytes),
                     instructions / point.time.median / 1e3);
}

}  // namespace

XyPlot roofline_plot(const TimingSubject& subject, const TimingView& view, const timing::Setting& setting) {
    XyPlot plot;
    plot.x = {.kind = PlotAxis::Kind::decimal, .title = "warp instructions per byte moved, counted by the emulator"};
    plot.y = {.kind = PlotAxis::Kind::decimal,
              .title = fmt::format("billions of warp instructions per second, N = {}, blocks of {}",
                                   size_text(setting.n), grouped(setting.block))};
    std::uint64_t counted_to = 0;
    for (const PlottedKernel& plotted : plotted_kernels(subject, view)) {
        const auto at = timing::point_of(subject.recording, plotted.kernel, setting);
        if (!at) continue;
        timing::Point point = subject.recording.points[*at];
        const auto counts = timing::counts_in(subject.recording, point);
        if (!counts) continue;
        point.counts = counts->counts;
        counted_to = std::max(counted_to, counts->counted_to);
        const auto place = on_roofline(point);
        if (!place) continue;
        plot.series.push_back(
            {.id = plotted.kernel,
             .name = lettered_name(subject, view, plotted.kernel),
             .role = plotted.role,
             .marker = plotted.marker,
             .line = false,
             .named = true,
             .highlight = highlight_of(view, plotted.kernel),
             .shown = plotted.shown,
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
                          std::string details, bool shown) {
        // Instructions per second = bandwidth x instructions per byte.
        plot.rules.push_back({.id = std::string(id),
                              .name = std::move(name),
                              .switched = std::move(switched),
                              .x0 = plot.x.low,
                              .y0 = plot.x.low * bandwidth,
                              .x1 = plot.x.high,
                              .y1 = plot.x.high * bandwidth,
                              .role = Role::agrees,
                              .shown = is_shown(view, id, shown),
                              .details = std::move(details)});
    };
    // The bandwidth measured at this size: smaller sizes reach less, because the launch takes a share of the time.
    const auto nearest = [&](const auto& measured) {
        const std::uint64_t element = timing::bytes_of_element(setting.element);
        const auto bytes = static_cast<double>(setting.n * element);
        const auto found = std::ranges::min_element(measured, {}, [&](const auto& each) {
            return std::abs(std::log(static_cast<double>(each.bytes) / bytes));
        });
        return found == measured.end() ? std::pair(0.0, std::string())
                                       : std::pair(found->bandwidth(), size_text(found->bytes / element));
    };
    const auto [copied, copied_n] = nearest(subject.recording.copies);
    const auto [read, read_n] = nearest(subject.recording.sweeps);
    // Reductions read, so reading is their limit; a copy replaces it where no read was measured, or where as much is
    // written.
    const bool by_copy = read == 0 || writes_as_much(view);
    if (copied > 0) {
        roof(copy_id, "memory roof (copy)", fmt::format("copy of {}: {} GB/s", copied_n, rounded(copied)), copied,
             "The recording's copy of as many elements.", by_copy);
    }
    if (read > 0 && !writes_as_much(view)) {
        roof(sweep_id, "memory roof (read)", fmt::format("read of {}: {} GB/s", read_n, rounded(read)), read,
             "The recording's sweep over as many elements.", true);
    }
    const unsigned schedulers = model::limits_of(subject.recording.arch).schedulers;
    const double issue = subject.recording.processors * schedulers * subject.recording.clock_mhz / 1e3;
    if (issue > 0) {
        plot.rules.push_back({.id = std::string(issue_id),
                              .name = fmt::format("issue: {} x {} x {:.2f} GHz = {:.0f}", subject.recording.processors,
                                                  schedulers, subject.recording.clock_mhz / 1e3, issue),
                              .brief = fmt::format("issue: {:.0f}", issue),
                              .switched = "roof: instructions issued",
                              .x0 = plot.x.low,
                              .y0 = issue,
                              .x1 = plot.x.high,
                              .y1 = issue,
                              .role = Role::soft,
                              .shown = is_shown(view, issue_id, true),
                              .details = "Multiprocessors x warp instructions issued per cycle x clock."});
        plot.y.high = std::max(plot.y.high, issue * 1.5);
    }
    return plot;
}

}  // namespace lanescope::scene
