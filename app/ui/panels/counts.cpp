#include "ui/panels/counts.h"

#include "base/grouped.h"
#include "scene/labels.h"
#include "session/theory.h"
#include "ui/comparing.h"
#include "ui/glossary.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lanescope::ui {

using analysis::CountColumn;
using analysis::CountRow;
using scene::TraceRef;

namespace {

constexpr float least_counts_width = 480;  // points wide
constexpr float tab_height = 24;

/// The meaning of the number beside the column, for its tooltip.
const char* excess_meaning(std::uint64_t analysis::Excess::*excess) {
    return excess == &analysis::Excess::wavefronts
               ? ". Excessive: beyond the wavefronts that the same lanes need at adjacent addresses"
               : ". Excessive, of loads and stores: beyond the sectors that their bytes fill side by side";
}

/// Active lanes of 32, per instruction.
double lanes_on(const timing::Counters& counters) {
    if (counters.warp_instructions == 0) return 0;
    return static_cast<double>(counters.thread_instructions) / static_cast<double>(counters.warp_instructions);
}

}  // namespace

std::vector<std::string> CountsPanel::subtitle(const Context& context) const {
    const Shown* shown = context.workspace.shown();
    if (shown == nullptr) return {};
    std::string text = "by pass", block;
    if (shown->trace().launches[shown->launch].grid.count() > 1)
        text += block = fmt::format(", block {}", shown->block.value);
    // "So far", because Warps shows the whole pass.
    const auto now = std::ranges::find(picture_.rows, CountRow::State::under_way, &CountRow::state);
    if (now == picture_.rows.end()) return {text, "by pass"};
    const std::string so_far = fmt::format("{} so far", now->whole.label);
    return {text + ", " + so_far, so_far + block, so_far, "by pass"};
}

std::string CountsPanel::csv(const Workspace& workspace) const {
    const Shown* shown = workspace.shown();
    return shown == nullptr ? std::string() : analysis::counts_csv(shown->view());
}

// A row for each pass, the text about the run, and the chart.
Needs CountsPanel::needs(const Workspace& workspace) const {
    constexpr float around = 50 + 24 + 72, chart = 190, low_chart = 120, row = 24;
    constexpr std::size_t few = 6, most = 14;
    const Shown* const shown = workspace.shown();
    if (shown == nullptr) return {};
    const std::size_t rows = shown->passes->passes.size() + 1;
    const auto high = [&](std::size_t count) { return around + row * static_cast<float>(count); };
    const float wide = workspace.settings.all_counts ? 620 : 500;  // with whole headings
    return {.width = {.least = 330, .wanted = wide, .grows = 0.3F},
            .height = {.least = high(std::min(rows, few)) + low_chart,
                       .wanted = high(std::min(rows, most)) + chart,
                       .grows = 0.5F}};
}

float CountsPanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    if (context.workspace.shown() == nullptr) return right;
    const ButtonLook how{.quiet = true, .height = 24};
    const ImVec2 size = button_size(look, "CSV", Icon::none, Icon::none, how);
    ImGui::SetCursorScreenPos({right - size.x, top + (height - size.y) * 0.5F});
    if (button(look, "##csv", "CSV", Icon::none, Icon::none, how))
        ImGui::SetClipboardText(csv(context.workspace).c_str());
    tip(look, "Copy all counts, pass by pass, as comma-separated values");
    const float left = right - size.x - look.px(gap);
    if (picture_.baseline_total) return left;
    bool& all = context.workspace.settings.all_counts;
    const ButtonLook as_wide{.quiet = true, .height = 24, .room_for = "Fewer"};
    const char* const words = all ? "Fewer" : "More";
    const ImVec2 wide = button_size(look, words, Icon::none, Icon::none, as_wide);
    ImGui::SetCursorScreenPos({left - wide.x, top + (height - wide.y) * 0.5F});
    if (button(look, "##columns", words, Icon::none, Icon::none, as_wide)) all = !all;
    tip(look, all ? "Show five columns: efficiency, wavefronts, sectors, instructions, work"
                  : fmt::format("Show all {}: operations, useful threads, wavefronts of loads and stores, span",
                                counted(picture_.columns.size(), "column")));
    return left - wide.x - look.px(gap);
}

scene::Scene CountsPanel::whole_picture(const Workspace&) const {
    return scene::counts_scene(picture_, {.width = std::max(width_, least_counts_width), .hardware = notes()});
}

void CountsPanel::count(const Workspace& workspace, const Comparing* comparing) {
    const Shown& shown = *workspace.shown();
    const Shown* const baseline = comparing == nullptr ? nullptr : comparing->other()->shown();
    const std::uint64_t baseline_id = baseline == nullptr ? 0 : baseline->id;
    picture_.all_columns = workspace.settings.all_counts;
    if (counted_for_ == shown.id && counted_at_ == workspace.position() && baseline_ == baseline_id) return;
    baseline_ = baseline_id;
    if (counted_for_ != shown.id) {
        hardware_ = session::hardware_counts(*shown.run);
        hardware_lines_ = hardware_ ? lines_of(*hardware_) : std::vector<HardwareLine>();
        under_way_.emplace(shown.view());
        excess_.emplace(shown.view());
    }
    counted_for_ = shown.id;
    counted_at_ = workspace.position();
    picture_ = analysis::counts_picture(shown.view(), *under_way_, *excess_, workspace.position());
    picture_.all_columns = workspace.settings.all_counts;
    picture_.forms = session::closed_forms(*shown.run);
    if (baseline == nullptr) return;
    std::vector<std::optional<std::size_t>> counterparts;
    for (std::size_t pass = 0; pass < picture_.rows.size(); ++pass)
        counterparts.push_back(comparing->counterpart(pass));
    analysis::add_baseline(picture_, *baseline->passes, counterparts);
}

// The share of the pass at the cursor in the run's estimated time, as a line and as a chart.
void CountsPanel::share_time(Workspace& workspace) {
    const Shown& shown = *workspace.shown();
    TimeShares& shares = workspace.time_shares();
    shares.follow(shown.run);
    estimating_ = shares.busy();
    picture_.time_shares = shares.of_passes(shown);
    time_line_ = {};
    const session::TimeOfPasses* const known = shares.known();
    const std::size_t pass = workspace.pass();
    if (known == nullptr || !known->total || pass >= picture_.time_shares.size() || !picture_.time_shares[pass]) return;
    time_line_.text =
        fmt::format("{}: {:.1f} % of the estimated time (error {:.0f} %)", shown.passes->passes[pass].label,
                    *picture_.time_shares[pass], 100 * known->median_error);
    time_line_.meaning = fmt::format(
        "The cost model estimates {:.2f} µs for this run on {}; its median error for such launches is {:.0f} %.\n"
        "All blocks together. The rest is the time of launches and blocks, which belongs to no pass.\n"
        "Click: Timing.",
        *known->total, known->device, 100 * known->median_error);
}

std::vector<scene::CountsNote> CountsPanel::notes() const {
    std::vector<scene::CountsNote> notes;
    notes.reserve(hardware_lines_.size());
    for (const HardwareLine& line : hardware_lines_) notes.push_back({.agrees = line.equal, .text = line.text});
    if (!time_line_.text.empty()) notes.push_back({.agrees = {}, .text = time_line_.text});
    return notes;
}

void CountsPanel::build(const Workspace& workspace, const Look& look, const SceneView::Surface& surface) {
    const float scale = look.scale();
    if (!view_.scene().viewports.empty())
        scroll_ = SceneView::scrolled(view_.scene().viewports.front(), surface, scale);
    const Key key{.shown = counted_for_,
                  .baseline = baseline_,
                  .position = counted_at_,
                  .chart = chosen_chart_,
                  .all_columns = picture_.all_columns,
                  .width = surface.room.x / scale,
                  .height = surface.room.y / scale,
                  .scroll_x = scroll_.x,
                  .scroll_y = scroll_.y,
                  .hovered = hovered_,
                  .time = fmt::format("{}{}", time_line_.text, picture_.time_shares.size())};
    if (built_for_ == key) return;
    scene::CountsOptions options{.width = key.width,
                                 .height = key.height,
                                 .scroll_x = scroll_.x,
                                 .scroll_y = scroll_.y,
                                 .hovered = hovered_,
                                 .chart = chosen_chart_,
                                 .hardware = notes()};
    const std::size_t pass = workspace.pass();
    const bool under_way = pass < picture_.rows.size() && picture_.rows[pass].state == CountRow::State::under_way;
    if (under_way && std::exchange(brought_, std::pair(counted_for_, pass)) != std::pair(counted_for_, pass))
        options.centered = pass;
    view_.set(scene::counts_scene(picture_, options));
    rounded_ = scene::rounds_counts(picture_, options);
    scroll_ = {0, 0};
    if (!view_.scene().viewports.empty())
        scroll_ = {view_.scene().viewports.front().scroll_x, view_.scene().viewports.front().scroll_y};
    built_for_ = key;
    built_for_->scroll_x = scroll_.x;
    built_for_->scroll_y = scroll_.y;
    width_ = key.width;
}

void CountsPanel::draw(Context& context) {
    const Look& look = context.look;
    if (context.workspace.shown() == nullptr) {
        note(look, why_empty(context.workspace, "The counts of each pass"));
        return;
    }
    count(context.workspace, context.comparing);
    share_time(context.workspace);
    const SceneView::Surface surface = SceneView::surface(look, true);
    build(context.workspace, look, surface);
    view_.draw(context, surface.at, surface.room, {0, 0}, look.scale());
    for (const scene::Viewport& part : view_.scene().viewports)
        view_.draw_scrollbars(look, part, surface, look.scale());
    hovered_.reset();
    if (surface.hovered) answer_mouse(context, surface);
    if (const auto tabs = scene::box_of(view_.scene(), TraceRef::Kind::control)) {
        ImGui::SetCursorScreenPos(view_.on_screen(tabs->x, tabs->y));
        std::vector<std::string_view> charts{"shares", "wavefronts", "operations", "sectors", "instructions"};
        if (!picture_.time_shares.empty()) charts.emplace_back("time");
        chosen_chart_ = std::min(chosen_chart_, charts.size() - 1);
        if (const auto chosen =
                choice(look, "chart", charts, static_cast<int>(chosen_chart_), tab_height, look.px(tabs->width)))
            chosen_chart_ = static_cast<std::size_t>(*chosen);
    }
}

void CountsPanel::answer_mouse(Context& context, const SceneView::Surface& surface) {
    const Look& look = context.look;
    const TraceRef under = view_.under_mouse();
    switch (under.kind) {
        case TraceRef::Kind::row: {
            explain_row(look, under.row);
            if (under.row >= picture_.rows.size()) break;  // the total
            hovered_ = under.row;
            if (surface.clicked) context.workspace.seek_pass(under.row);
            break;
        }
        case TraceRef::Kind::heading:
            if (under.row == 0) {
                const CountColumn column = analysis::table_columns(picture_)[under.column];
                const bool excess = !picture_.baseline_total && analysis::has_excess(column, picture_);
                explain(look, column.term,
                        fmt::format("{}{}", column.name, excess ? excess_meaning(column.excess) : ""));
            } else {
                explain(look, scene::counts_charts(picture_)[under.column].term);
            }
            break;
        case TraceRef::Kind::note:
            if (!time_line_.text.empty() && under.row == picture_.forms.size() + hardware_lines_.size()) {
                ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
                tip(look, time_line_.meaning);
                if (surface.clicked) to_timing_();
                break;
            }
            explain_note(look, under.row);
            if (surface.clicked && under.row >= picture_.forms.size() &&
                !hardware_lines_[under.row - picture_.forms.size()].equal)
                show_counted_launch(context.workspace);
            break;
        case TraceRef::Kind::chart:
            explain_category(look, scene::counts_charts(picture_)[under.column], under.row);
            if (surface.clicked) context.workspace.seek_pass(under.row);
            break;
        default: break;
    }
}

/// The progress of the pass under way, and all digits of counts that the table rounds.
void CountsPanel::explain_row(const Look& look, std::size_t index) const {
    const CountRow* const row = index < picture_.rows.size() ? &picture_.rows[index] : nullptr;
    std::string progress;
    if (row != nullptr && row->state == CountRow::State::under_way)
        progress = fmt::format("step {} of {}", grouped(row->pass.past_last - row->whole.first),
                               grouped(row->whole.past_last - row->whole.first));
    if (!rounded_ || (row != nullptr && row->state == CountRow::State::ahead)) {
        if (!progress.empty()) tip(look, fmt::format("{} is in progress: {}.", row->whole.label, progress));
        return;
    }
    Facts facts{{row == nullptr ? std::string("total") : row->whole.label, progress}};
    for (const CountColumn& column : analysis::table_columns(picture_)) {
        const auto value = row == nullptr ? analysis::total_of(column, picture_)
                                          : std::optional(column.value(row->pass, picture_.threads));
        if (value) facts.emplace_back(column.heading, analysis::text_of(column, *value));
        if (!picture_.baseline_total && analysis::has_excess(column, picture_))
            facts.emplace_back(fmt::format("excess {}", column.heading),
                               analysis::excess_text(column, row == nullptr ? picture_.total_excess : row->excess));
        if (row == nullptr) continue;
        if (const std::string change = analysis::change_text(column, *row); !change.empty())
            facts.emplace_back(fmt::format("{} vs B", column.heading), change);
    }
    fact_sheet(look, facts);
}

void CountsPanel::explain_note(const Look& look, std::size_t index) const {
    if (index >= picture_.forms.size()) return tip(look, hardware_lines_[index - picture_.forms.size()].meaning);
    const analysis::ClosedForm& form = picture_.forms[index];
    explain(look, form.name,
            fmt::format("{}. The lecture's formula, beside the measurement of the whole run.", scene::text_of(form)));
}

void CountsPanel::explain_category(const Look& look, const scene::Chart& chart, std::size_t category) {
    Facts facts{{chart.labels[category], ""}};
    const bool now = chart.current == category, ahead = category >= chart.reached && !now;
    for (const scene::Series& series : chart.series) {
        facts.emplace_back(series.name, ahead ? "not executed yet"
                                              : fmt::format("{}{}{}", scene::number_text(series.values[category]),
                                                            chart.percent ? " %" : "", now ? " so far" : ""));
    }
    fact_sheet(look, facts);
}

void CountsPanel::show_counted_launch(Workspace& workspace) const {
    workspace.set_field(Field::block, std::to_string(hardware_->block));
    workspace.set_field(Field::n, std::to_string(hardware_->n));
    workspace.set_field(Field::grid, {});
    workspace.set_field(Field::input, hardware_->input);
}

std::vector<CountsPanel::HardwareLine> CountsPanel::lines_of(const session::HardwareCounts& counts) {
    const std::string source = fmt::format("Counted on {}: {}.", counts.device, counts.origin);
    const std::string launch =
        fmt::format("n = {}, block {}, {}", size_text(counts.n), grouped(counts.block), counts.input);
    const std::string_view maker = "NVIDIA ";
    const std::string device = counts.device.starts_with(maker) ? counts.device.substr(maker.size()) : counts.device;
    if (!counts.same_launch) {
        return {{.equal = {},
                 .text = fmt::format("{} counted block {}, N {}: click", device, grouped(counts.block),
                                     size_text(counts.n)),
                 .meaning = fmt::format(
                     "{} {}. On screen is another launch: {}. Click to show the counted one, with the hardware's "
                     "counters beside the emulator's.",
                     source, launch, counts.instead)}};
    }
    std::vector<HardwareLine> lines;
    for (std::size_t i = 0; i < counts.builds.size(); ++i) {
        const session::CountedBuild& build = counts.builds[i];
        const timing::Counters& there = build.hardware;
        const std::string name = build.optimized ? device : device + " at -O0";
        HardwareLine line{.equal = session::are_equal(there, build.emulator), .text = {}, .meaning = {}};
        if (*line.equal) {
            line.text = fmt::format(
                "{}: {}, {}, equal", name,
                counted(there.shared_load_wavefronts + there.shared_store_wavefronts + there.shared_atomic_wavefronts,
                        "wavefront"),
                counted(there.global_load_sectors + there.global_store_sectors + there.global_atomic_sectors,
                        "sector"));
        } else {
            const std::vector<session::CountedAlike> all = session::counted_alike(there, build.emulator);
            const auto first = std::ranges::find_if(
                all, [](const session::CountedAlike& alike) { return alike.hardware != alike.emulator; });
            line.text = fmt::format("{}: {}, emulated {}, {}", name, grouped(first->hardware), grouped(first->emulator),
                                    first->words);
        }
        line.meaning = fmt::format("{} {}, all blocks of all launches.\n", source, launch);
        for (const session::CountedAlike& alike : session::counted_alike(there, build.emulator))
            line.meaning +=
                fmt::format("{} {}, the emulator {}\n", grouped(alike.hardware), alike.words, grouped(alike.emulator));
        line.meaning +=
            fmt::format("{} warp instructions of SASS, {} of PTX; {:.1f} of 32 lanes active, {:.1f} in the emulator",
                        grouped(there.warp_instructions), grouped(build.emulator.warp_instructions), lanes_on(there),
                        lanes_on(build.emulator));
        if (!counts.why[i].empty()) line.meaning += "\n" + counts.why[i];
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace lanescope::ui
