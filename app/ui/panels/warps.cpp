#include "ui/panels/warps.h"

#include "analysis/costs.h"
#include "analysis/dataflow/usefulness.h"
#include "analysis/source/source_line.h"
#include "base/grouped.h"
#include "base/lane_list.h"
#include "scene/warps_scene.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::ui {

using scene::TraceRef;

namespace {

std::string lane_state(const analysis::WarpRow& row, unsigned lane) {
    if (row.unknown.has(lane))
        return "executes instructions in this pass; whether a result reaches an output is not known, because blocks "
               "that are not recorded may read it";
    if (row.useful.has(lane)) return "does useful work in this pass: a result reaches an output";
    if (row.decided.has(lane))
        return "only computes indices and conditions in this pass: no value that it loads, combines, stores or passes "
               "on reaches an output";
    if (row.ran.has(lane))
        return "executes instructions in this pass, but no value that it loads, combines or stores reaches an output";
    if (row.exited.has(lane)) return "has exited";
    if (row.masked.has(lane)) return "is masked off for the whole pass";
    return "has no thread";
}

const trace::Dim3& block_of(const Shown& shown) { return shown.trace().launches[shown.launch].block; }

/// Whether the threads of the block form more than one row.
bool has_shape(const trace::Dim3& block) { return block.y > 1 || block.z > 1; }

/// "5", or "(5, 0)" where threads have two numbers.
std::string thread_name(std::uint32_t thread, const trace::Dim3& block) {
    if (!has_shape(block)) return std::to_string(thread);
    const std::uint32_t x = thread % block.x, y = thread / block.x % block.y, z = thread / block.x / block.y;
    return block.z > 1 ? fmt::format("({}, {}, {})", x, y, z) : fmt::format("({}, {})", x, y);
}

std::string lane_text(const analysis::WarpRow& row, unsigned lane, const trace::Dim3& block) {
    return fmt::format("Lane {} of warp {} (thread {}) {}.\n", lane, row.warp.value,
                       thread_name(row.warp.value * warp_size + lane, block), lane_state(row, lane));
}

std::string lane_state(const analysis::InstructionRow& row, unsigned lane) {
    if (row.unknown.has(lane))
        return "executes it; whether the result reaches an output is not known, because blocks that are not recorded "
               "may read it";
    if (row.useful.has(lane)) return "executes it, and the result reaches an output";
    if (row.executed.has(lane)) return "executes it, but the result reaches no output";
    if (row.exited.has(lane)) return "has exited";
    if (row.predicated_off.has(lane)) return "is predicated off";
    if (row.inactive.has(lane)) return "is at another instruction and waits to reconverge";
    return "has no thread";
}

}  // namespace

std::vector<std::string> WarpsPanel::subtitle(const Context& context) const {
    const Shown* shown = context.workspace.shown();
    if (shown == nullptr) return {};
    if (shown_rows_ == Rows::instructions) return {fmt::format("warp {}", context.workspace.at().followed().value)};
    if (shown_rows_ == Rows::passes) return {counted(shown->passes->passes.size(), "pass")};
    const analysis::WarpTotals totals = picture_.totals();
    if (totals.warp_instructions == 0) return {};
    const std::string whole =
        fmt::format("{}{:.0f} %", totals.use_known ? "" : "at most ", totals.efficiency_percent());
    if (!so_far_) return {"whole pass: efficiency " + whole, "efficiency " + whole};
    // Counts shows the efficiency so far: even the shortest heading says that this is the whole pass.
    const std::string so_far = fmt::format("so far {}{:.0f} %", so_far_known_ ? "" : "at most ", *so_far_);
    return {"whole pass: efficiency " + whole + ", " + so_far, "whole pass " + whole + ", " + so_far,
            "whole pass " + whole};
}

float WarpsPanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    constexpr float control = 22;
    const std::initializer_list<std::string_view> of_a_line = {"warps", "instructions", "passes"};            // as Rows
    const std::initializer_list<std::string_view> of_a_shape = {"warps", "instructions", "passes", "block"};  // as Rows
    const bool shaped = context.workspace.shown() != nullptr && has_shape(block_of(*context.workspace.shown()));
    const std::initializer_list<std::string_view> names = shaped ? of_a_shape : of_a_line;
    const float width = segmented_width(look, names, type::small);
    ImGui::SetCursorScreenPos({right - width, top + (height - look.px(control)) * 0.5F});
    if (const auto chosen = segmented(look, "##rows", names, static_cast<int>(shown_rows_), control, type::small)) {
        shown_rows_ = static_cast<Rows>(*chosen);
        pan_ = 0;
    }
    return right - width - look.px(gap);
}

// A row for each warp, and one for the next instruction.
Needs WarpsPanel::needs(const Workspace& workspace) const {
    constexpr float around = 50 + 24 + 30 + 28, usual_row = 20, low_row = 14;
    constexpr unsigned most_rows = 14;
    const Shown* const shown = workspace.shown();
    if (shown == nullptr) return {};
    const auto rows = static_cast<float>(std::min((shown->threads() + warp_size - 1) / warp_size, most_rows));
    return {.width = {.least = 400, .wanted = 700, .grows = 0.5F},
            .height = {.least = around + rows * low_row, .wanted = around + rows * usual_row, .grows = 0.1F}};
}

/// The data of the pictures, computed again when pass, warp or program change.
void WarpsPanel::count(const Workspace& workspace) {
    const Shown& shown = *workspace.shown();
    const Counted now{shown.id, workspace.pass(), workspace.at().followed(),
                      workspace.settings.source_view != SourceView::ptx};
    if (counted_for_ == now) return;
    const PassId pass = shown.passes->passes[now.pass].id;
    picture_ = analysis::warp_picture(shown.view(), pass);
    rows_ = analysis::instruction_rows(shown.view(), pass, now.warp, now.by_line);
    texts_.clear();
    for (const analysis::InstructionRow& row : rows_) {
        const trace::Origin& origin = shown.trace().origin;
        const bool as_ptx = !now.by_line || row.source_line == 0 || origin.source.empty();
        texts_.emplace_back(as_ptx ? analysis::trimmed_line(origin.ptx, row.line.value)
                                   : analysis::trimmed_line(origin.source, row.source_line));
    }
    counted_for_ = now;
    pan_ = 0;
}

/// The efficiency of the executed part of the pass, as in Counts; nothing at its start, and once it is complete.
void WarpsPanel::count_so_far(const Workspace& workspace) {
    const Shown& shown = *workspace.shown();
    if (measured_for_ != shown.id) under_way_.emplace(shown.view());
    if (measured_for_ == shown.id && measured_at_ == workspace.position()) return;
    measured_for_ = shown.id;
    measured_at_ = workspace.position();
    so_far_.reset();
    if (workspace.position() >= shown.passes->steps.size()) return;
    const analysis::Pass& pass = under_way_->at(workspace.position());
    so_far_known_ = pass.unknown_lanes == 0;
    if (pass.counts.warp_instructions > 0)
        so_far_ = analysis::percent_of_lanes(pass.useful_lanes, pass.counts.warp_instructions);
}

void WarpsPanel::build(const Workspace& workspace, const Look& look, ImVec2 room) {
    count(workspace);
    count_so_far(workspace);
    const Key key{*counted_for_, workspace.position(), room.x, room.y, shown_rows_, workspace.lane()};
    if (built_for_ == key) return;
    built_for_ = key;
    const float width = room.x / look.scale(), height = room.y / look.scale();
    switch (shown_rows_) {
        case Rows::warps: return build_warps(workspace, width, height);
        case Rows::instructions: return build_instructions(workspace, width, height);
        case Rows::passes: return build_passes(workspace, width, height);
        case Rows::block: return build_block(workspace, width, height);
    }
}

void WarpsPanel::build_block(const Workspace& workspace, float width, float height) {
    scene::WarpsOptions options;
    options.width = width;
    options.height = height;
    options.warp = workspace.at().followed();
    if (workspace.lane() && workspace.lane()->warp == options.warp) options.lane = workspace.lane()->number;
    view_.set(scene::block_shape_scene(picture_, block_of(*workspace.shown()), options));
}

void WarpsPanel::build_warps(const Workspace& workspace, float width, float height) {
    const Shown& shown = *workspace.shown();
    scene::WarpsOptions options;
    options.width = width;
    options.height = height;
    if (const StepId next = workspace.next_step(); next.valid()) {
        const trace::Step& step = shown.trace().step(next);
        const analysis::StepFacts facts = analysis::facts_of(shown.trace(), *shown.analysis().provenance, next);
        options.next = scene::NextInstruction{.warp = step.warp,
                                              .executed = step.executed,
                                              .predicated_off = facts.predicated_off,
                                              .inactive = facts.inactive,
                                              .exited = facts.exited};
    }
    for (std::uint32_t warp = 0; warp < shown.courses->warps(); ++warp) {
        if (const auto missing = shown.courses->waits_for(WarpId(warp), workspace.position())) {
            const char* one = missing->size() == 1 ? "warp " : "";  // the number of several warps says "warps"
            options.states.push_back(
                {missing->empty() ? "deadlocked" : "waits for " + (one + warp_list(*missing, 1)), true});
        } else if (const auto next = shown.courses->next(WarpId(warp), workspace.position())) {
            const std::uint32_t line = shown.cuda_line_at(*next);
            options.states.push_back({line == 0 ? "" : fmt::format("line {}", line), false});
        } else {
            options.states.push_back({"done", false});
        }
    }
    options.warp = workspace.at().followed();
    if (workspace.lane() && workspace.lane()->warp == options.warp) options.lane = workspace.lane()->number;
    view_.set(scene::warps_scene(picture_, options));
}

void WarpsPanel::build_instructions(const Workspace& workspace, float width, float height) {
    scene::InstructionsOptions options;
    options.width = width;
    options.height = height;
    options.position = workspace.position();
    if (workspace.lane() && workspace.lane()->warp == workspace.at().followed())
        options.lane = workspace.lane()->number;
    view_.set(scene::instructions_scene(rows_, texts_, options));
    const auto now = std::ranges::find_if(
        rows_, [&](const analysis::InstructionRow& row) { return row.last >= workspace.position(); });
    keep_in_sight(static_cast<std::size_t>(now - rows_.begin()), rows_.size(), height);
}

void WarpsPanel::build_passes(const Workspace& workspace, float width, float height) {
    const Shown& shown = *workspace.shown();
    if (passes_for_ != shown.id) {
        passes_ = analysis::warp_pictures(shown.view());
        passes_for_ = shown.id;
    }
    scene::WarpPassesOptions options;
    options.width = width;
    options.height = height;
    options.pass = workspace.pass();
    options.warp = workspace.at().followed();
    if (workspace.lane() && workspace.lane()->warp == options.warp) options.lane = workspace.lane()->number;
    view_.set(scene::warp_passes_scene(passes_, *shown.passes, options));
    keep_in_sight(workspace.pass(), passes_.size(), height);
}

/// The current row, of `count` in the scene between its heading and its legend.
void WarpsPanel::keep_in_sight(std::size_t row, std::size_t count, float height) {
    const auto index = static_cast<float>(row);
    const float each = view_.scene().height / static_cast<float>(count + 2);
    if (index * each < pan_) pan_ = index * each;
    if ((index + 4) * each > pan_ + height) pan_ = (index + 4) * each - height;
}

void WarpsPanel::draw(Context& context) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    if (workspace.shown() == nullptr || workspace.shown()->passes->passes.empty()) {
        note(look, why_empty(context.workspace, "The warps and their lanes"));
        return;
    }
    if (shown_rows_ == Rows::block && !has_shape(block_of(*workspace.shown()))) shown_rows_ = Rows::warps;
    const SceneView::Surface surface = SceneView::surface(look);
    build(workspace, look, surface.room);
    const bool scrolls = shown_rows_ != Rows::warps;
    if (scrolls) pan_ = view_.scrolled(pan_, surface, look.scale());
    view_.draw(context, surface.at, surface.room, {0, scrolls ? pan_ : 0}, look.scale());
    if (scrolls) view_.draw_scrollbar(look, surface, pan_, look.scale());
    if (!surface.hovered) return;
    view_.explain_words(look);

    const TraceRef under = view_.under_mouse();
    const bool on_lane = under.kind == TraceRef::Kind::lane;
    if (surface.clicked && !on_lane && under.kind != TraceRef::Kind::row) workspace.clear_selection();
    if (!on_lane && under.kind != TraceRef::Kind::row) return;
    const std::size_t rows = shown_rows_ == Rows::instructions ? rows_.size()
                             : shown_rows_ == Rows::passes     ? passes_.size()
                                                               : picture_.rows.size();
    if (under.row >= rows) return;
    switch (shown_rows_) {
        case Rows::warps:
        case Rows::block: explain_warp(look, workspace, under); break;
        case Rows::instructions: explain_row(look, workspace, under); break;
        case Rows::passes: explain_pass(look, workspace, under); break;
    }
    if (surface.clicked) click(workspace, under);
}

void WarpsPanel::click(Workspace& workspace, const TraceRef& under) const {
    const bool on_lane = under.kind == TraceRef::Kind::lane;
    Lane lane{WarpId(under.row), under.column};
    switch (shown_rows_) {
        case Rows::warps:
        case Rows::block:
            if (!on_lane) return workspace.choose(lane.warp, std::nullopt);
            break;
        case Rows::instructions:
            if (!on_lane) return workspace.seek_exactly(rows_[under.row].first);
            lane.warp = workspace.at().followed();
            break;
        case Rows::passes: {
            if (workspace.pass() != under.row || !on_lane) workspace.seek_pass(under.row);
            if (!on_lane) return;
            lane = {WarpId(under.column / warp_size), under.column % warp_size};
            break;
        }
    }
    if (workspace.lane() == lane) {
        workspace.clear_selection();
    } else {
        workspace.choose(lane.warp, lane.number);
    }
}

void WarpsPanel::explain_warp(const Look& look, const Workspace& workspace, const TraceRef& under) const {
    const analysis::WarpRow& row = picture_.rows[under.row];
    std::string text;
    if (under.kind == TraceRef::Kind::lane) {
        text = lane_text(row, under.column, block_of(*workspace.shown()));
    }
    text += fmt::format("{}: {} in this pass, efficiency {}{:.0f} %.\nUseful lanes: {}.",
                        text.empty() ? fmt::format("Warp {}", row.warp.value) : "The warp",
                        counted(row.warp_instructions, "instruction"), row.use_known ? "" : "at most ",
                        row.efficiency_percent(), row.useful.any() ? lane_list(row.useful) : std::string("none"));
    if (const auto missing = workspace.shown()->courses->waits_for(row.warp, workspace.position())) {
        text += missing->empty() ? "\nIt waits at a barrier that no other warp reaches."
                                 : fmt::format("\nIt waits at the barrier for {} {}.", noun(missing->size(), "warp"),
                                               warp_list(*missing));
    }
    tip(look, text + (under.kind == TraceRef::Kind::lane ? "\nClick to choose the lane." : "\nClick to follow it."));
}

void WarpsPanel::explain_row(const Look& look, const Workspace& workspace, const TraceRef& under) const {
    const analysis::InstructionRow& row = rows_[under.row];
    std::string text;
    if (under.kind == TraceRef::Kind::lane) {
        text = fmt::format("Lane {} of warp {} {}.\n", under.column, workspace.at().followed().value,
                           lane_state(row, under.column));
    }
    text += fmt::format("{}\n{}, executed by {} of 32 lanes.", texts_[under.row],
                        counted(row.instructions, "instruction"), row.executed.count());
    tip(look, text + (under.kind == TraceRef::Kind::lane ? "" : "\nClick to go there."));
}

void WarpsPanel::explain_pass(const Look& look, const Workspace& workspace, const TraceRef& under) const {
    const analysis::Pass& pass = workspace.shown()->passes->passes[under.row];
    std::string text;
    if (under.kind == TraceRef::Kind::lane) {
        const unsigned lane = under.column % warp_size;
        const analysis::WarpRow& row = passes_[under.row].rows[under.column / warp_size];
        text = lane_text(row, lane, block_of(*workspace.shown()));
        if (row.warp_instructions > 0) {
            text += fmt::format("The warp: {} in this pass, efficiency {}{:.0f} %.\n",
                                counted(row.warp_instructions, "instruction"), row.use_known ? "" : "at most ",
                                row.efficiency_percent());
        }
    }
    tip(look, fmt::format("{}Pass: {}. Click to go there.{}", text, pass.label, name_signs(pass.label)));
}

}  // namespace lanescope::ui
