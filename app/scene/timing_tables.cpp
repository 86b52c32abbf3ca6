#include "scene/timing_tables.h"

#include "base/grouped.h"
#include "scene/text.h"
#include "timing/document_claims.h"
#include "timing/families.h"
#include "timing/limit.h"
#include "timing/recording_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

namespace lanescope::scene {

using timing::Recording;
using timing::Step;
using timing::Steps;

namespace {

constexpr float title_row = 24, label_row = 20, table_gap = 14;

}  // namespace

float draw_heading(Layer& layer, const TimingOptions& options, std::string_view title, const Recording& recording) {
    if (!options.heading) return panel_padding / 2;
    const float width = options.width;
    layer.put(panel_padding, panel_padding + title_row / 2, Anchor::start, {Font::words_bold, 14, {Role::text, 1}},
              fitted(Font::words_bold, 14, title, width - 2 * panel_padding));
    layer.put(panel_padding, panel_padding + title_row + label_row / 2, Anchor::start,
              {Font::words, 12, {Role::soft, 1}},
              fitted(Font::words, 12, timing::label(recording), width - 2 * panel_padding));
    return panel_padding + title_row + label_row + table_gap / 2;
}

std::string title_of(const TimingView& view) {
    switch (view.chart) {
        case TimingChart::bandwidth: return "Effective bandwidth against N";
        case TimingChart::time: return "Time against N";
        case TimingChart::steps: return "The lecture's table";
        case TimingChart::limit: return "Bandwidth as a share of the memory's limits";
        case TimingChart::block: return "Effective bandwidth against the block size";
        case TimingChart::per_thread: return "Effective bandwidth against elements per thread";
        case TimingChart::residency: return "Read bandwidth against resident warps and loads in flight per thread";
        case TimingChart::roofline: return "Roofline: limits of memory and issue rate";
        case TimingChart::claims: break;
    }
    return "Claims of the documents, and this machine";
}

// --- The lecture's table ---------------------------------------------------------------------------------------------

namespace {

constexpr float most_bars_row = 40, least_bars_row = 30, bar_height = 12, number_width = 62, head_row = 22,
                group_row = 21;

/// The right end of a column of numbers.
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
    layout.bars_width = std::max(width - layout.bars - numbers - panel_padding - table_gap, 24.0F);
    float right = layout.bars + layout.bars_width + table_gap;
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
    // Relative to each machine's own best, because on one scale the lecture's bars would be dots.
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
        layer.put(panel_padding + 18, y, Anchor::start, {Font::words, 12.5F, {Role::text, 1}},
                  fitted(Font::words, 12.5F, text, width - 2 * panel_padding - 18));
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

/// Where a stage was measured in several grids, the best one: "best of 12 grids: 1,056 blocks"; otherwise empty.
std::string grids_text(const Recording& recording, const Step& step) {
    const timing::Point& best = recording.points[step.point];
    std::set<std::uint64_t> grids;
    for (const timing::Point& point : recording.points) {
        const bool same = point.kernel == best.kernel && point.element == best.element && point.n == best.n &&
                          point.block == best.block && point.until_one == best.until_one;
        if (same) grids.insert(point.grid);
    }
    if (grids.size() < 2) return {};
    return fmt::format("best of {}: {}", counted(grids.size(), "grid"), counted(best.grid, "block"));
}

struct Table {
    Scene scene;
    Layer layer;
    float y = 0;  ///< below the heading
};

Table begin_table(const TimingSubject& subject, const TimingView& view, const TimingOptions& options) {
    Table table;
    table.scene.title = title_of(view);
    table.scene.width = options.width;
    table.y = draw_heading(table.layer, options, table.scene.title, subject.recording);
    return table;
}

}  // namespace

Scene steps_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options) {
    auto [scene, layer, y] = begin_table(subject, view, options);
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
        wanted ? fmt::format("upper bar: {}, N = {} ({}), blocks of {}; lower: {}, N = {} (int), blocks of {}",
                             subject.recording.device, size_text(setting.n), setting.element, grouped(setting.block),
                             lecture_name, size_text(timing::lecture_n), timing::lecture_block)
               : "None of the lecture's kernels was measured.";
    scene.description = timing::label(subject.recording) + ".\n" + about + ".\n";
    layer.put(panel_padding, y + 8, Anchor::start, {Font::words, 11.5F, {Role::soft, 1}},
              fitted(Font::words, 11.5F, about, options.width - 2 * panel_padding));
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
        const std::optional<Role> highlight = highlight_of(view, stage.kernel);
        const bool current = highlight.has_value();
        Rect row = rect({panel_padding / 2, y, options.width - panel_padding, bars_row - 2}, 3,
                        current ? Paint{*highlight, 0.16F} : Paint{Role::panel, 1});
        row.ref = {.kind = TraceRef::Kind::row, .row = static_cast<std::uint32_t>(index)};
        if (current) row.stroke = {*highlight, 1};
        layer.rects.push_back(row);
        const Step* const measured = step_at(today, stage.kernel);
        const std::string grids = measured != nullptr ? grids_text(subject.recording, *measured) : std::string();
        const float name_y = y + bars_row / 2 - 1 - (grids.empty() ? 0 : 7);
        layer.put(panel_padding, name_y, Anchor::start,
                  {current ? Font::words_medium : Font::words, 12.5F, {Role::text, 1}},
                  fitted(Font::words, 12.5F, lettered_name(subject, view, stage.kernel), layout.names - 10));
        if (!grids.empty()) {
            layer.put(panel_padding, name_y + 14, Anchor::start, {Font::words, 11, {Role::soft, 1}},
                      fitted(Font::words, 11, grids, layout.names - 10));
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

// --- Limit -----------------------------------------------------------------------------------------------------------

namespace {

constexpr float limit_row = 24, share_width = 86;

/// The kernels of the view's family, and the size that the view shows.
struct LimitTable {
    timing::Setting setting;
    timing::BandwidthLimits limits;
};
std::optional<LimitTable> limit_table(const TimingSubject& subject, const TimingView& view) {
    const auto setting = setting_of(subject.recording, view);
    if (!setting) return std::nullopt;
    std::vector<std::string> kernels;
    for (const PlottedKernel& plotted : plotted_kernels(subject, view)) kernels.push_back(plotted.kernel);
    return LimitTable{*setting, timing::limits_of(subject.recording, kernels, setting->n, setting->element)};
}

struct ShareColumn {
    std::string_view name;
    double timing::LimitRow::*share;
    double ceiling = 0;
};
/// The columns for the known ceilings: the copy for a kernel that writes as much as it reads; also the sweep for one
/// that only reads.
std::vector<ShareColumn> share_columns(const timing::BandwidthLimits& limits, const TimingView& view) {
    std::vector<ShareColumn> columns;
    if (limits.sweep > 0 && !writes_as_much(view))
        columns.push_back({"of reading", &timing::LimitRow::of_sweep, limits.sweep});
    if (limits.copy > 0) columns.push_back({"of the copy", &timing::LimitRow::of_copy, limits.copy});
    if (limits.nominal > 0) columns.push_back({"of nominal", &timing::LimitRow::of_nominal, limits.nominal});
    return columns;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

/// Was a library's function timed in the same rounds as any of the kernels?
bool beside_a_library(const LimitTable& table, const Recording& recording) {
    return std::ranges::any_of(
        table.limits.rows, [&](const timing::LimitRow& row) { return recording.points[row.point].beside.has_value(); });
}

/// "N = 2³⁰ (int): the copy reaches 4,286 GB/s; nominal 4,814 GB/s = 6016/8 x 3.201 GHz x 2".
std::string about_limits(const LimitTable& table, const TimingView& view, const Recording& recording) {
    const timing::BandwidthLimits& limits = table.limits;
    std::string text = fmt::format("N = {} ({}), each kernel with its fastest block and grid",
                                   size_text(table.setting.n), table.setting.element);
    if (limits.sweep > 0 && !writes_as_much(view))
        text += fmt::format("; reading alone: {} GB/s", rounded(limits.sweep));
    text += limits.copy > 0 ? fmt::format("; a copy: {} GB/s", rounded(limits.copy)) : "; no copy was measured";
    if (limits.nominal > 0)
        text += fmt::format("; nominal: {} GB/s = {}", rounded(limits.nominal), recording.peak_formula);
    return text;
}

/// The columns of the table from the left: names, bars, GB/s, a share of each ceiling, the time beside a library's.
struct LimitLayout {
    std::vector<ShareColumn> columns;
    bool library;
    float names;
    float bars = panel_padding + names;
    float bars_width, first_column;
    double longest;  ///< GB/s at the end of the bars

    [[nodiscard]] float share(std::size_t column) const {
        return first_column + share_width * static_cast<float>(column + 1);
    }
    [[nodiscard]] float last_column() const { return share(columns.size()); }
    [[nodiscard]] float length(double bandwidth) const { return static_cast<float>(bandwidth / longest) * bars_width; }
};
LimitLayout limit_layout(const LimitTable& table, const TimingView& view, const Recording& recording, float width) {
    LimitLayout layout{.columns = share_columns(table.limits, view),
                       .library = beside_a_library(table, recording),
                       .names = width > 700   ? 260.0F
                                : width > 560 ? 210.0F
                                              : 140.0F,
                       .bars_width = 0,
                       .first_column = 0,
                       .longest = table.limits.nominal};
    const float numbers =
        number_width + share_width * static_cast<float>(layout.columns.size() + (layout.library ? 1 : 0));
    layout.bars_width = std::max(width - panel_padding - layout.bars - numbers - table_gap, 24.0F);
    layout.first_column = layout.bars + layout.bars_width + table_gap + number_width;
    for (const ShareColumn& column : layout.columns) layout.longest = std::max(layout.longest, column.ceiling);
    for (const timing::LimitRow& row : table.limits.rows)
        layout.longest = std::max(layout.longest, recording.points[row.point].bandwidth());
    return layout;
}

void draw_limit_headings(Layer& layer, const LimitLayout& layout, float y) {
    const auto head = [&](float x, std::string_view name) {
        layer.put(x, y + 4, Anchor::end, {Font::words, 12, {Role::soft, 1}}, std::string(name));
    };
    head(layout.first_column, "GB/s");
    for (std::size_t index = 0; index < layout.columns.size(); ++index)
        head(layout.share(index), layout.columns[index].name);
    if (layout.library) head(layout.last_column(), "time / CUB's");
}

/// The kernel's name, whether its time is that of partial results, and the block size of its row.
std::string name_of_limit(const TimingSubject& subject, const TimingView& view, const timing::Point& point) {
    return lettered_name(subject, view, point.kernel) + (of_parts(subject, point) ? ", parts" : "") +
           (point.block > 0 ? fmt::format(", {}", point.block) : std::string());
}

/// Draws the numbers right of a row's bar. Returns them in words: ", 71.2 % of the copy".
std::string draw_limit_numbers(Layer& layer, const LimitLayout& layout, const timing::LimitRow& row,
                               const timing::Point& point, float middle) {
    const auto number = [&](float x, std::string text, Role role) {
        layer.put(x, middle, Anchor::end, {Font::code, 12, {role, 1}}, std::move(text));
    };
    number(layout.first_column, bandwidth_text(point.bandwidth()), Role::text);
    std::string shares;
    for (std::size_t column = 0; column < layout.columns.size(); ++column) {
        const std::string text = point.agrees ? percent(row.*layout.columns[column].share) : "wrong";
        number(layout.share(column), text, point.agrees ? Role::text : Role::cost);
        shares += fmt::format(", {} {}", text, layout.columns[column].name);
    }
    if (point.beside && point.agrees) {
        const std::string ratio = fmt::format("{:.2f}", point.over_library());
        number(layout.last_column(), ratio, Role::text);
        shares += fmt::format(", {} of the time of {}", ratio, point.beside->name);
    }
    return shares;
}

/// Draws the band and the name of a row; the shapes carry its index.
void draw_limit_name(Layer& layer, const LimitLayout& layout, std::optional<Role> highlight, const std::string& name,
                     std::size_t index, float y, float width) {
    const bool current = highlight.has_value();
    Rect band = rect({panel_padding / 2, y, width - panel_padding, limit_row - 2}, 3,
                     current ? Paint{*highlight, 0.16F} : Paint{Role::panel, 1});
    band.ref = {.kind = TraceRef::Kind::row, .row = static_cast<std::uint32_t>(index)};
    if (current) band.stroke = {*highlight, 1};
    layer.rects.push_back(band);
    layer.put(panel_padding, y + limit_row / 2 - 1, Anchor::start,
              {current ? Font::words_medium : Font::words, 13, {Role::text, 1}},
              fitted(Font::words, 13, name, layout.names - 10));
}

/// The ceilings, through the rows from `top` to `bottom`. A name stands over its line, or beside it where it would
/// cover another; without room for it, the heading of the column must do.
void draw_ceilings(Layer& layer, const LimitLayout& layout, float top, float bottom) {
    std::vector<Box> named;
    for (const ShareColumn& column : layout.columns) {
        const float x = layout.bars + layout.length(column.ceiling);
        layer.rects.push_back(rect({x - 0.75F, top - 4, 1.5F, bottom - top + 4}, 0, {Role::agrees, 0.8F}));
        const std::string_view name = column.name.substr(column.name.find_last_of(' ') + 1);
        const float width = text_width(Font::words, 12, name) + 8;
        for (const Anchor anchor : {Anchor::middle, Anchor::start, Anchor::end}) {
            const float before = anchor == Anchor::middle ? width / 2 : anchor == Anchor::start ? 4 : width - 4;
            const Box box{x - before, 0, width, 1};
            if (std::ranges::any_of(named,
                                    [&](const Box& other) { return box.x < other.right() && other.x < box.right(); }))
                continue;
            named.push_back(box);
            layer.texts.push_back(
                text_at(x, top - head_row + 4, anchor, {Font::words, 12, {Role::agrees, 1}}, std::string(name)));
            break;
        }
    }
}

}  // namespace

Scene limit_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options) {
    auto [scene, layer, y] = begin_table(subject, view, options);
    const auto table = limit_table(subject, view);
    const std::string about =
        table ? about_limits(*table, view, subject.recording) : "Nothing of the family was measured.";
    scene.description = timing::label(subject.recording) + ".\n" + about + ".\n";
    for (const std::string& line : wrapped(Font::words, 12, about, options.width - 2 * panel_padding)) {
        layer.put(panel_padding, y + 8, Anchor::start, {Font::words, 12, {Role::soft, 1}}, line);
        y += 18;
    }
    y += 6;
    if (!table) {
        scene.height = y;
        layer.flush(scene);
        return scene;
    }
    const LimitLayout layout = limit_layout(*table, view, subject.recording, options.width);
    draw_limit_headings(layer, layout, y);
    y += head_row;
    const float top = y;
    for (std::size_t index = 0; index < table->limits.rows.size(); ++index, y += limit_row) {
        const timing::LimitRow& row = table->limits.rows[index];
        const timing::Point& point = subject.recording.points[row.point];
        const std::string name = name_of_limit(subject, view, point);
        draw_limit_name(layer, layout, highlight_of(view, point.kernel), name, index, y, options.width);
        const float middle = y + limit_row / 2 - 1;
        const Paint paint{timing::of_library(point.kernel) ? Role::read : Role::useful, point.agrees ? 1.0F : 0.3F};
        const float length = std::max(layout.length(point.bandwidth()), 1.5F);
        layer.rects.push_back(rect({layout.bars, middle - bar_height / 2, length, bar_height}, 2, paint));
        const std::string shares = draw_limit_numbers(layer, layout, row, point, middle);
        scene.description += fmt::format("{}: {} GB/s{}.\n", name, bandwidth_text(point.bandwidth()), shares);
    }
    layer.flush(scene);
    draw_ceilings(layer, layout, top, y);
    layer.flush(scene);
    scene.height = y + panel_padding / 2;
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
    auto [scene, layer, y] = begin_table(subject, view, options);
    scene.description = timing::label(subject.recording) + ".\n";
    const auto setting = steps_setting(subject.recording, {}).value_or(timing::Setting{});
    constexpr float verdict_width = 92;
    const float room = options.width - 2 * panel_padding - verdict_width;
    for (const timing::Claim& claim : timing::claims(subject.recording, setting)) {
        const Verdict verdict = verdict_of(claim.outcome);
        layer.rects.push_back(rect({panel_padding, y, options.width - 2 * panel_padding, 1}, 0, {Role::line, 1}));
        y += 8;
        layer.put(panel_padding, y + claim_line / 2, Anchor::start, {Font::words_medium, 12, {verdict.role, 1}},
                  std::string(verdict.word));
        const auto lines = [&](std::string_view text, Font font, float size, Role role) {
            for (const std::string& line : wrapped(font, size, text, room)) {
                layer.put(panel_padding + verdict_width, y + claim_line / 2, Anchor::start, {font, size, {role, 1}},
                          line);
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

std::optional<std::size_t> point_of_row(const TimingSubject& subject, const TimingView& view, std::size_t row) {
    if (view.chart == TimingChart::limit) {
        const auto table = limit_table(subject, view);
        if (!table || row >= table->limits.rows.size()) return std::nullopt;
        return table->limits.rows[row].point;
    }
    const auto setting = steps_setting(subject.recording, view);
    if (view.chart != TimingChart::steps || !setting || row >= timing::lecture_stages.size()) return std::nullopt;
    return timing::point_of(subject.recording, timing::lecture_stages[row].kernel, *setting);
}

}  // namespace lanescope::scene
