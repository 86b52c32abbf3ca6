#include "scene/timing_plots.h"

#include "base/grouped.h"
#include "base/ids.h"
#include "timing/limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lanescope::scene {

using timing::Recording;
using Read = Recording::ResidentRead;

namespace {

constexpr std::string_view little_id = "little";

std::string name_of(const Read& read) {
    return fmt::format("{} of {}", counted(read.in_flight, "load"), counted(read.load_bytes, "byte"));
}

double bytes_in_flight(const Recording& recording, const Read& read) {
    return static_cast<double>(recording.processors) * read.warps * warp_size * read.in_flight * read.load_bytes;
}

/// In ascending order of bytes a thread.
std::vector<PlotSeries> series_of(const Recording& recording, const TimingView& view) {
    std::vector<PlotSeries> all;
    std::vector<Read> reads = recording.resident_reads;
    std::ranges::stable_sort(reads, {}, [](const Read& read) { return read.in_flight * read.load_bytes; });
    for (const Read& read : reads) {
        if (read.time.median <= 0) continue;
        const std::string id = fmt::format("{}x{}", read.in_flight, read.load_bytes);
        auto found = std::ranges::find(all, id, &PlotSeries::id);
        if (found == all.end()) {
            const Sign sign = sign_of(all.size());
            all.push_back({.id = id,
                           .name = name_of(read),
                           .details = fmt::format("Each thread has {} in flight: {} in a warp.",
                                                  counted(read.in_flight * read.load_bytes, "byte"),
                                                  counted(warp_size * read.in_flight * read.load_bytes, "byte")),
                           .role = sign.role,
                           .marker = sign.marker,
                           .shown = is_shown(view, id, true),
                           .points = {}});
            found = std::prev(all.end());
        }
        const auto of_time = [&](double microseconds) { return static_cast<double>(read.bytes) / microseconds / 1e3; };
        found->points.push_back({.x = static_cast<double>(read.warps),
                                 .y = read.bandwidth(),
                                 .low = of_time(read.time.p90),
                                 .high = of_time(read.time.p10)});
    }
    for (PlotSeries& series : all) std::ranges::sort(series.points, {}, &PlotPoint::x);
    return all;
}

}  // namespace

XyPlot residency_plot(const TimingSubject& subject, const TimingView& view) {
    XyPlot plot;
    if (subject.resident == nullptr) {
        plot.lacks = "No recording has this. `lanescope time --residency --out FILE.json` makes one.";
        return plot;
    }
    const Recording& recording = *subject.resident;
    plot.x = {.kind = PlotAxis::Kind::powers_of_two,
              .title = fmt::format("warps per multiprocessor, {}", recording.device)};
    plot.y = {.kind = PlotAxis::Kind::decimal, .title = "read bandwidth, GB/s"};
    plot.series = series_of(recording, view);
    plot.fit();
    // Where few loads are in flight, only the memory's latency limits them.
    const auto least = std::ranges::min_element(recording.resident_reads, {},
                                                [&](const Read& read) { return bytes_in_flight(recording, read); });
    if (least != recording.resident_reads.end() && recording.processors > 0 && least->bandwidth() > 0) {
        const double nanoseconds = bytes_in_flight(recording, *least) / least->bandwidth();
        const double warps = least->warps;
        plot.rules.push_back({.id = std::string(little_id),
                              .name = fmt::format("bytes in flight / {:.0f} ns", nanoseconds),
                              .switched = "Little's law",
                              .x0 = plot.x.low,
                              .y0 = plot.x.low / warps * least->bandwidth(),
                              .x1 = plot.x.high,
                              .y1 = plot.x.high / warps * least->bandwidth(),
                              .role = Role::soft,
                              .shown = is_shown(view, little_id, true),
                              .details = fmt::format("Little's law: bandwidth = bytes in flight / latency. The latency "
                                                     "of {:.0f} ns is that of {}, with {} on each multiprocessor.",
                                                     nanoseconds, name_of(*least), counted(least->warps, "warp"))});
    }
    if (recording.peak > 0) {
        PlotRule& peak = plot.rules.emplace_back(peak_rule(recording, view));
        peak.x0 = plot.x.low;
        peak.x1 = plot.x.high;
        plot.y.high = std::max(plot.y.high, recording.peak * 1.6);  // room for its name above it
    }
    return plot;
}

}  // namespace lanescope::scene
