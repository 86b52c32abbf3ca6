#include "scene/timing_scene.h"

#include "base/grouped.h"
#include "scene/brief_plot.h"
#include "scene/text.h"
#include "timing/families.h"
#include "timing/recording_library.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::scene {

using timing::Recording;

namespace {

constexpr float least_legend = 150, gap = 14;
constexpr float least_plot_width = 220;
constexpr float most_legend = 0.4F;  // of the picture's width

/// A sentence a row, for users who cannot see the picture.
std::string description_of(const XyPlot& plot) {
    std::string text;
    for (const PlotSeries& series : plot.series) {
        if (!series.shown || series.points.empty()) continue;
        const PlotPoint& last = series.points.back();
        text += fmt::format("{}: {} at {}.\n", series.name, plot.y.text(last.y), plot.x.text(last.x));
    }
    for (const PlotRule& rule : plot.rules) {
        if (rule.shown) text += rule.name + ".\n";
    }
    for (const PlotPin& pin : plot.pins) {
        const bool in_sight = std::ranges::any_of(plot.series, [&](const PlotSeries& series) {
            return series.shown &&
                   std::ranges::find(series.points, pin.source, &PlotPoint::source) != series.points.end();
        });
        if (in_sight) text += pin.text + ".\n";
    }
    return text;
}

std::string residency_csv(const Recording& recording) {
    std::string csv =
        "device,driver,toolkit,date,warps_per_multiprocessor,loads_in_flight,load_bytes,bytes,median_us,p10_us,p90_us,"
        "samples,gb_s\n";
    for (const Recording::ResidentRead& read : recording.resident_reads)
        csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.3f}\n", recording.device, recording.driver,
                           recording.toolkit, recording.date, read.warps, read.in_flight, read.load_bytes, read.bytes,
                           read.time.median, read.time.p10, read.time.p90, read.time.samples, read.bandwidth());
    return csv;
}

}  // namespace

const Recording& recording_of(const TimingSubject& subject, const TimingView& view) {
    const bool of_another = view.chart == TimingChart::residency && subject.resident != nullptr;
    return of_another ? *subject.resident : subject.recording;
}

Scene plot_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options,
                 const XyPlot& plot) {
    Scene scene;
    scene.title = title_of(view);
    scene.description =
        timing::label(recording_of(subject, view)) + ".\n" + (plot.lacks.empty() ? description_of(plot) : plot.lacks);
    scene.width = options.width;
    scene.height = options.height;
    Layer layer;
    const float top = draw_heading(layer, options, scene.title, recording_of(subject, view));
    layer.flush(scene);
    Box box{panel_padding, top, options.width - 2 * panel_padding, options.height - top - panel_padding / 2};
    const float size = plot_text_size(box.width);
    if (options.brief && plot.lacks.empty()) {
        const float names = end_names_width(plot, size + 1, box.width * most_legend);
        box.width -= names;
        draw_plot(scene, box, plot, size);
        if (const auto axes = box_of(scene, TraceRef::Kind::plot)) draw_end_names(scene, *axes, names, plot, size + 1);
        return scene;
    }
    if (plot.lacks.empty() && box.width > least_plot_width + least_legend) {
        const float legend = legend_width(plot, options.legend.switches, size, least_legend, box.width * most_legend);
        box.width -= legend + gap;
        draw_legend(scene, {box.right() + gap, top + 12, legend, box.height - 16}, plot, size, options.legend);
    }
    draw_plot(scene, box, plot, size);
    return scene;
}

Scene timing_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options) {
    if (view.chart == TimingChart::steps) return steps_scene(subject, view, options);
    if (view.chart == TimingChart::limit) return limit_scene(subject, view, options);
    if (view.chart == TimingChart::claims) return claims_scene(subject, view, options);
    return plot_scene(subject, view, options, timing_plot(subject, view));
}

Scene difference_scene(const TimingSubject& subject, const timing::Difference& difference, float width) {
    constexpr float row = 19, names = 140, most_column = 190, size = 11.5F, sentence_size = 12.5F;
    Scene scene;
    scene.width = width;
    Layer layer;
    const auto name_of = [&](std::size_t point) { return short_name(subject, subject.recording.points[point].kernel); };
    layer.rects.push_back(rect({0, 0, width, 1}, 0, {Role::line, 1}));
    float y = 6 + row / 2;
    const auto put = [&](float x, Anchor anchor, const Style& style, std::string_view text, float room) {
        layer.put(x, y, anchor, style, fitted(style.font, style.size, text, room));
    };
    const std::string title = fmt::format("{} after {}", name_of(difference.after), name_of(difference.before));
    put(0, Anchor::start, {Font::words_medium, sentence_size, {Role::text, 1}}, title, width);
    y += row;
    put(0, Anchor::start, {Font::words, sentence_size, {Role::soft, 1}}, difference.sentence, width);
    y += row;
    scene.title = title;
    scene.description = difference.sentence + "\n";
    const float column = std::min((width - names) / 3, most_column);
    const auto cells = [&](Font font, Role role, const std::array<std::string, 3>& texts) {
        for (std::size_t index = 0; index < texts.size(); ++index)
            put(names + column * static_cast<float>(index + 1), Anchor::end, {font, size, {role, 1}}, texts[index],
                column - 6);
        y += row;
    };
    if (!difference.counts.empty())
        cells(Font::words, Role::soft, {name_of(difference.before), name_of(difference.after), "times fewer"});
    for (const timing::CountChange& change : difference.counts) {
        put(0, Anchor::start, {Font::words, size, {Role::text, 1}}, change.name, names);
        const auto fewer = change.fewer();
        cells(Font::code, Role::text,
              {grouped(change.before), grouped(change.after), fewer ? fmt::format("{:.2f}", *fewer) : "–"});
    }
    scene.height = y - row / 2 + 10;
    layer.flush(scene);
    return scene;
}

std::string timing_csv(const TimingSubject& subject, const TimingView& view) {
    if (view.chart == TimingChart::residency) return residency_csv(recording_of(subject, view));
    std::string csv =
        "device,driver,toolkit,date,kernel,element,n,block,grid,launches,bytes,median_us,p10_us,p90_us,samples,gb_s,"
        "launch_us\n";
    const Recording& recording = subject.recording;
    for (const timing::Point& point : recording.points) {
        if (timing::family_of(point.kernel) != view.family) continue;
        csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.3f},{:.3f}\n", recording.device,
                           recording.driver, recording.toolkit, recording.date, point.kernel, point.element, point.n,
                           point.block, point.grid, point.launches, point.bytes, point.time.median, point.time.p10,
                           point.time.p90, point.time.samples, point.bandwidth(), point.overhead);
    }
    return csv;
}

}  // namespace lanescope::scene
