#include "scene/timing_scene.h"

#include "base/grouped.h"
#include "scene/brief_plot.h"
#include "scene/text.h"
#include "timing/document_claims.h"
#include "timing/recording_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace lanescope::scene {

using timing::Recording;
using timing::Step;
using timing::Steps;

namespace {

constexpr float title_row = 24, label_row = 20, least_legend = 150, gap = 14;
constexpr float least_plot_width = 220;
constexpr float most_legend = 0.4F;  // of the picture's width

float draw_heading(Layer& layer, const TimingOptions& options, std::string_view title, const Recording& recording) {
    if (!options.heading) return panel_padding / 2;
    const float width = options.width;
    layer.texts.push_back(text_at(panel_padding, panel_padding + title_row / 2, Anchor::start,
                                  {Font::words_bold, 14, {Role::text, 1}},
                                  fitted(Font::words_bold, 14, title, width - 2 * panel_padding)));
    layer.texts.push_back(text_at(panel_padding, panel_padding + title_row + label_row / 2, Anchor::start,
                                  {Font::words, 12, {Role::soft, 1}},
                                  fitted(Font::words, 12, timing::label(recording), width - 2 * panel_padding)));
    return panel_padding + title_row + label_row + gap / 2;
}

std::string title_of(const TimingView& view) {
    switch (view.chart) {
        case TimingChart::bandwidth: return "Effective bandwidth against N";
        case TimingChart::time: return "Time against N";
        case TimingChart::steps: return "The lecture's table";
        case TimingChart::block: return "Effective bandwidth against the block size";
        case TimingChart::per_thread: return "Effective bandwidth against elements per thread";
        case TimingChart::roofline: return "Roofline: limits of memory and issue rate";
        case TimingChart::claims: break;
    }
    return "Claims of the documents, and this machine";
}

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

}  // namespace

Scene plot_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options,
                 const XyPlot& plot) {
    Scene scene;
    scene.title = title_of(view);
    scene.description =
        timing::label(subject.recording) + ".\n" + (plot.lacks.empty() ? description_of(plot) : plot.lacks);
    scene.width = options.width;
    scene.height = options.height;
    Layer layer;
    const float top = draw_heading(layer, options, scene.title, subject.recording);
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
    if (view.chart == TimingChart::claims) return claims_scene(subject, view, options);
    return plot_scene(subject, view, options, timing_plot(subject, view));
}

// --- The lecture's table ---------------------------------------------------------------------------------------------

namespace {

constexpr float most_bars_row = 40, least_bars_row = 30, bar_height = 12, number_width = 62, head_row = 22,
                group_row = 21;

/// One column of numbers, its right end.
struct StepColumn {
    std::string_view name;
    float right = 0;
};

struct TableLayout {
    float names = 0;       ///< width of the first column
    float bars = 0;        ///< x where bars begin
    float bars_width = 0;  ///< of the longest
    std::vector<StepColumn> columns;
};

TableLayout layout_of(float width) {
    TableLayout layout;
    const bool wide = width > 560;
    layout.names = wide ? 190 : 130;
    layout.bars = panel_padding + layout.names;
    const float numbers = number_width * 4;
    layout.bars_width = std::max(width - layout.bars - numbers - panel_padding - gap, 24.0F);
    float right = layout.bars + layout.bars_width + gap;
    for (const std::string_view name : {"time, ms", "GB/s", "step", "together"}) {
        right += number_width;
        layout.columns.push_back({name, right});
    }
    return layout;
}

std::string times(std::optional<double> factor) { return factor ? fmt::format("{:.2f}x", *factor) : "–"; }

std::string bandwidth_text(double value) { return value < 100 ? fmt::format("{:.3f}", value) : rounded(value); }

/// One machine's bar and numbers of one step.
void draw_bar(Layer& layer, const TableLayout& layout, float y, const Step& step, double longest, Paint paint,
              Role ink) {
    // Relative to each machine's own best: on one scale the lecture's bars would be points.
    const double share = std::clamp(step.bandwidth / longest, 0.0, 1.0);
    layer.rects.push_back(rect(
        {layout.bars, y - bar_height / 2, std::max(static_cast<float>(share) * layout.bars_width, 1.5F), bar_height}, 2,
        paint));
    const std::array texts = {fmt::format("{:.4g}", step.microseconds / 1e3), bandwidth_text(step.bandwidth),
                              times(step.step), times(step.together)};
    for (std::size_t index = 0; index < texts.size(); ++index) {
        layer.texts.push_back(
            text_at(layout.columns[index].right, y, Anchor::end, {Font::code, 12, {ink, 1}}, texts[index]));
    }
}

const Step* step_at(const Steps& steps, std::string_view kernel) {
    const auto found = std::ranges::find(steps.rows, kernel, [](const Step& row) { return row.stage.kernel; });
    return found == steps.rows.end() ? nullptr : &*found;
}

double longest_of(const Steps& steps) {
    double longest = 0;
    for (const Step& row : steps.rows) longest = std::max(longest, row.bandwidth);
    return longest;
}

void draw_group_sums(Layer& layer, float y, float width, const Steps& today, const Steps& lecture,
                     std::string_view lecture_name) {
    const auto sum = [&](std::string_view name, std::optional<double> now, std::optional<double> then, Role role) {
        layer.rects.push_back(rect({panel_padding, y - 5, 10, 10}, 1.5F, {role, 1}));
        const std::string text =
            fmt::format("{}: {} today{}", name, now ? times(now) : "not all measured",
                        then ? fmt::format(", {} in the lecture ({})", times(then), lecture_name) : "");
        layer.texts.push_back(text_at(panel_padding + 18, y, Anchor::start, {Font::words, 12.5F, {Role::text, 1}},
                                      fitted(Font::words, 12.5F, text, width - 2 * panel_padding - 18)));
        y += group_row;
    };
    sum("Algorithmic: addressing, cascading", today.algorithmic, lecture.algorithmic, Role::useful);
    sum("Code: loop unrolling", today.code, lecture.code, Role::read);
}

}  // namespace

std::optional<timing::Setting> steps_setting(const Recording& recording, const TimingView& view) {
    return timing::best_setting(recording, view.block, view.n);
}

namespace {

/// Where a stage was measured in several grids: "fastest of 12 grids: 1,056 blocks"; otherwise empty.
std::string grids_text(const Recording& recording, const Step& step) {
    const timing::Point& best = recording.points[step.point];
    std::set<std::uint64_t> grids;
    for (const timing::Point& point : recording.points) {
        const bool same = point.kernel == best.kernel && point.element == best.element && point.n == best.n &&
                          point.block == best.block && point.until_one == best.until_one;
        if (same) grids.insert(point.grid);
    }
    if (grids.size() < 2) return {};
    return fmt::format("best of {} grids: {} blocks", grids.size(), grouped(best.grid));
}

}  // namespace

Scene steps_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options) {
    Scene scene;
    scene.title = title_of(view);
    scene.width = options.width;
    Layer layer;
    float y = draw_heading(layer, options, scene.title, subject.recording);
    const auto wanted = steps_setting(subject.recording, view);
    const timing::Setting setting = wanted.value_or(timing::Setting{});
    const Steps today = timing::steps_of(subject.recording, setting);
    Steps lecture;
    if (subject.lecture != nullptr) {
        if (const auto stated = timing::best_setting(*subject.lecture))
            lecture = timing::steps_of(*subject.lecture, *stated);
    }
    const std::string lecture_name = subject.lecture == nullptr ? "" : subject.lecture->device;
    const TableLayout layout = layout_of(options.width);
    const std::string about =
        wanted ? fmt::format("upper bar: {}, N = {} ({}), blocks of {}; lower: {}, N = 2²² (int), blocks of 128",
                             subject.recording.device, size_text(setting.n), setting.element, grouped(setting.block),
                             lecture_name)
               : "None of the lecture's kernels was measured.";
    scene.description = timing::label(subject.recording) + ".\n" + about + ".\n";
    layer.texts.push_back(text_at(panel_padding, y + 8, Anchor::start, {Font::words, 11.5F, {Role::soft, 1}},
                                  fitted(Font::words, 11.5F, about, options.width - 2 * panel_padding)));
    y += head_row;
    draw_group_sums(layer, y + 6, options.width, today, lecture, lecture_name);
    y += 2 * group_row;
    for (const StepColumn& column : layout.columns) {
        layer.texts.push_back(
            text_at(column.right, y + 4, Anchor::end, {Font::words, 11, {Role::soft, 1}}, std::string(column.name)));
    }
    layer.texts.push_back(
        text_at(layout.bars, y + 4, Anchor::start, {Font::words, 11, {Role::soft, 1}},
                fitted(Font::words, 11, "bandwidth relative to each device's best", layout.bars_width)));
    y += head_row;
    const float left = options.height - y - panel_padding / 2;
    const float bars_row = std::clamp(std::floor(left / timing::lecture_stages.size()), least_bars_row, most_bars_row);
    const double longest = longest_of(today), longest_then = longest_of(lecture);
    for (std::size_t index = 0; index < timing::lecture_stages.size(); ++index) {
        const timing::Stage& stage = timing::lecture_stages[index];
        const bool current = stage.kernel == view.current;
        Rect row = rect({panel_padding / 2, y, options.width - panel_padding, bars_row - 2}, 3,
                        current ? Paint{Role::selected, 0.16F} : Paint{Role::panel, 1});
        row.ref = {.kind = TraceRef::Kind::row, .row = static_cast<std::uint32_t>(index)};
        if (current) row.stroke = {Role::selected, 1};
        layer.rects.push_back(row);
        const Step* const measured = step_at(today, stage.kernel);
        const std::string grids = measured != nullptr ? grids_text(subject.recording, *measured) : std::string();
        const float name_y = y + bars_row / 2 - 1 - (grids.empty() ? 0 : 7);
        layer.texts.push_back(text_at(
            panel_padding, name_y, Anchor::start, {current ? Font::words_medium : Font::words, 12.5F, {Role::text, 1}},
            fitted(Font::words, 12.5F, short_name(subject, stage.kernel), layout.names - 10)));
        if (!grids.empty()) {
            layer.texts.push_back(text_at(panel_padding, name_y + 14, Anchor::start, {Font::words, 11, {Role::soft, 1}},
                                          fitted(Font::words, 11, grids, layout.names - 10)));
        }
        const Role role = stage.kind == timing::Kind::code    ? Role::read
                          : stage.kind == timing::Kind::start ? Role::soft
                                                              : Role::useful;
        const float upper = y + bars_row / 2 - 1 - bar_height / 2 - 1, lower = upper + bar_height + 2;
        if (const Step* step = measured) {
            draw_bar(layer, layout, upper, *step, longest, {role, 1}, Role::text);
            scene.description +=
                fmt::format("{}: {:.4g} ms, {} GB/s, step {}, together {}{}.\n", short_name(subject, stage.kernel),
                            step->microseconds / 1e3, bandwidth_text(step->bandwidth), times(step->step),
                            times(step->together), grids.empty() ? "" : "; " + grids);
        } else {
            layer.texts.push_back(
                text_at(layout.bars, upper, Anchor::start, {Font::words, 11, {Role::soft, 1}}, "not measured"));
        }
        if (const Step* step = step_at(lecture, stage.kernel))
            draw_bar(layer, layout, lower, *step, longest_then, {role, 0.4F}, Role::soft);
        y += bars_row;
    }
    scene.height = y + panel_padding / 2;
    layer.flush(scene);
    return scene;
}

// --- Claims ----------------------------------------------------------------------------------------------------------

namespace {

constexpr float claim_size = 13, claim_line = 18;

struct Verdict {
    Role role;
    std::string_view word;
};
Verdict verdict_of(timing::Claim::Outcome outcome) {
    switch (outcome) {
        case timing::Claim::Outcome::holds: return {Role::agrees, "confirmed"};
        case timing::Claim::Outcome::does_not: return {Role::cost, "not confirmed"};
        case timing::Claim::Outcome::not_measured: break;
    }
    return {Role::soft, "not measured"};
}

}  // namespace

Scene claims_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options) {
    Scene scene;
    scene.title = title_of(view);
    scene.width = options.width;
    Layer layer;
    float y = draw_heading(layer, options, scene.title, subject.recording);
    scene.description = timing::label(subject.recording) + ".\n";
    const auto setting = steps_setting(subject.recording, {}).value_or(timing::Setting{});
    constexpr float verdict_width = 92;
    const float room = options.width - 2 * panel_padding - verdict_width;
    for (const timing::Claim& claim : timing::claims(subject.recording, setting)) {
        const Verdict verdict = verdict_of(claim.outcome);
        layer.rects.push_back(rect({panel_padding, y, options.width - 2 * panel_padding, 1}, 0, {Role::line, 1}));
        y += 8;
        layer.texts.push_back(text_at(panel_padding, y + claim_line / 2, Anchor::start,
                                      {Font::words_medium, 12, {verdict.role, 1}}, std::string(verdict.word)));
        const auto lines = [&](std::string_view text, Font font, float size, Role role) {
            for (const std::string& line : wrapped(font, size, text, room)) {
                layer.texts.push_back(text_at(panel_padding + verdict_width, y + claim_line / 2, Anchor::start,
                                              {font, size, {role, 1}}, line));
                y += claim_line;
            }
        };
        lines(claim.says, Font::words, claim_size, Role::text);
        lines("Here: " + claim.today, Font::words_medium, claim_size, verdict.role);
        lines(claim.source, Font::words, 11, Role::soft);
        y += 6;
        scene.description += fmt::format("{} ({}): {}. {}\n", claim.says, claim.source, verdict.word, claim.today);
    }
    scene.height = y + panel_padding / 2;
    layer.flush(scene);
    return scene;
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
        layer.texts.push_back(text_at(x, y, anchor, style, fitted(style.font, style.size, text, room)));
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
    std::string csv =
        "device,driver,toolkit,date,kernel,element,n,block,grid,launches,bytes,median_us,p10_us,p90_us,samples,gb_s,"
        "launch_us\n";
    const Recording& recording = subject.recording;
    for (const timing::Point& point : recording.points) {
        if (family_of(point.kernel) != view.family) continue;
        csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.3f},{:.3f}\n", recording.device,
                           recording.driver, recording.toolkit, recording.date, point.kernel, point.element, point.n,
                           point.block, point.grid, point.launches, point.bytes, point.time.median, point.time.p10,
                           point.time.p90, point.time.samples, point.bandwidth(), point.overhead);
    }
    return csv;
}

}  // namespace lanescope::scene
