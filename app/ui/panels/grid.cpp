#include "ui/panels/grid.h"

#include "base/grouped.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::ui {

using analysis::GridArc;
using analysis::GridBlock;
using scene::TraceRef;

namespace {

constexpr double most_time_zoom = 4096;
constexpr float most_click_move = 4;  // pixels that a click may move

/// "block 3", with its launch where there are several.
std::string block_name(const trace::Trace& trace, std::uint32_t launch, BlockId block) {
    return trace.launches.size() > 1 ? fmt::format("block {} of launch {}", grouped(block.value), launch)
                                     : fmt::format("block {}", grouped(block.value));
}

}  // namespace

std::vector<std::string> GridPanel::subtitle(const Context& context) const {
    const Shown* const shown = context.workspace.shown();
    if (shown == nullptr) return {};
    std::uint64_t blocks = 0;
    for (const trace::Launch& launch : shown->trace().launches) blocks += launch.grid.count();
    const std::string launches = counted(shown->trace().launches.size(), "launch", "launches");
    return {fmt::format("{} in {}, {} on screen", counted(blocks, "block"), launches,
                        block_name(shown->trace(), shown->launch, shown->block)),
            fmt::format("{} in {}", counted(blocks, "block"), launches)};
}

float GridPanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    if (context.workspace.shown() == nullptr || zoom_ <= 1) return right;
    const ButtonLook how{.quiet = true, .height = 24};
    const ImVec2 size = button_size(look, "Whole run", Icon::none, Icon::none, how);
    ImGui::SetCursorScreenPos({right - size.x, top + (height - size.y) * 0.5F});
    if (button(look, "##whole", "Whole run", Icon::none, Icon::none, how)) zoom_ = 1, scroll_ = 0;
    tip(look, "Show the whole run. The wheel zooms, Shift and the wheel scroll.");
    return right - size.x - look.px(gap);
}

scene::Scene GridPanel::whole_picture(const Workspace& workspace) const {
    // A run that came while the panel was hidden is not drawn yet.
    if (workspace.shown() == nullptr || workspace.shown()->run != run_) return view_.scene();
    scene::GridOptions whole = options(workspace);
    whole.zoom = 1;
    whole.scroll_x = 0;
    return scene::grid_scene(workspace.shown()->trace(), picture_, whole);
}

void GridPanel::take(const Workspace& workspace) {
    const std::shared_ptr<const session::Run>& run = workspace.shown()->run;
    if (run_ == run) return;
    run_ = run;
    picture_ = analysis::grid_picture(run->trace());
    zoom_ = 1;
    scroll_ = 0;
}

std::optional<std::uint64_t> GridPanel::tick(const Workspace& workspace) const {
    const Shown& shown = *workspace.shown();
    const StepId next = workspace.next_step();
    if (next.valid() && next.index() < picture_.ticks.size()) return picture_.ticks[next.index()];
    const GridBlock* const block = picture_.block(shown.launch, shown.block);
    return block == nullptr ? std::nullopt : std::optional(block->time.past_last);
}

scene::GridOptions GridPanel::options(const Workspace& workspace) const {
    const Shown& shown = *workspace.shown();
    return {.width = width_,
            .height = height_,
            .zoom = zoom_,
            .scroll_x = scroll_,
            .shown = std::pair(shown.launch, shown.block),
            .tick = tick(workspace)};
}

void GridPanel::build(const Workspace& workspace) {
    const Key key{run_.get(), workspace.shown()->id, tick(workspace), width_, height_, zoom_, scroll_};
    if (built_for_ == key) return;
    view_.set(scene::grid_scene(workspace.shown()->trace(), picture_, options(workspace)));
    built_for_ = key;
}

void GridPanel::zoom_by(double factor, double at) {
    const double before = zoom_;
    zoom_ = std::clamp(zoom_ * factor, 1.0, most_time_zoom);
    const auto width = static_cast<double>(width_);
    scroll_ = std::clamp((scroll_ + at * width) * zoom_ / before - at * width, 0.0, width * (zoom_ - 1));
}

void GridPanel::move(const SceneView::Surface& surface, float scale) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!view_.scene().viewports.empty() && zoom_ > 1)
        scroll_ = static_cast<double>(SceneView::scrolled(view_.scene().viewports.front(), surface, scale).x);
    const auto on_bars = [&] {
        const scene::Box& bars = view_.scene().viewports.front().box;
        return io.MouseClickedPos[0].y < surface.at.y + bars.bottom() * scale;
    };
    if (zoom_ > 1 && ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left) && on_bars()) {
        const double right = static_cast<double>(width_) * (zoom_ - 1);
        scroll_ = std::clamp(scroll_ - static_cast<double>(io.MouseDelta.x / scale), 0.0, right);
    }
    if (!surface.hovered || io.KeyShift || io.MouseWheel == 0) return;
    const double at = static_cast<double>((io.MousePos.x - surface.at.x) / std::max(surface.room.x, 1.0F));
    zoom_by(std::pow(1.25, static_cast<double>(io.MouseWheel)), at);
}

void GridPanel::draw(Context& context) {
    const Look& look = context.look;
    if (context.workspace.shown() == nullptr) {
        note(look, why_empty(context.workspace, "The blocks of each launch"));
        return;
    }
    take(context.workspace);
    // A lecture shows one panel to a hall: then everything is larger.
    constexpr float usual_width = 1100, most_growth = 1.5F;
    const float scale =
        look.scale() * std::clamp(ImGui::GetContentRegionAvail().x / look.px(usual_width), 1.0F, most_growth);
    const SceneView::Surface surface = SceneView::surface(look);
    move(surface, scale);
    width_ = surface.room.x / scale;
    height_ = surface.room.y / scale;
    build(context.workspace);
    view_.draw(context, surface.at, surface.room, {0, 0}, scale);
    if (zoom_ > 1)
        for (const scene::Viewport& part : view_.scene().viewports) view_.draw_scrollbars(look, part, surface, scale);
    if (surface.hovered) act(context, surface);
}

void GridPanel::act(Context& context, const SceneView::Surface& surface) {
    // The end of a drag is no click.
    const bool clicked =
        surface.clicked && ImGui::GetIO().MouseDragMaxDistanceSqr[0] < most_click_move * most_click_move;
    Workspace& workspace = context.workspace;
    const trace::Trace& trace = workspace.shown()->trace();
    const TraceRef ref = view_.under_mouse();
    switch (ref.kind) {
        case TraceRef::Kind::cell: {
            const BlockId block(ref.column);
            describe_block(context, ref.row, block);
            if (!trace.recorded(ref.row, block)) break;
            ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            if (!clicked) break;
            workspace.play(false);
            workspace.show_block(ref.row, block);
            break;
        }
        case TraceRef::Kind::arc: {
            const GridArc& arc = picture_.arcs[ref.row];
            describe_arc(context, arc);
            ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            if (!clicked) break;
            workspace.play(false);
            workspace.show_block(arc.to_launch, arc.to);
            const std::vector<StepId>& steps = workspace.shown()->passes->steps;
            workspace.seek_exactly(static_cast<std::size_t>(std::ranges::lower_bound(steps, arc.read) - steps.begin()));
            break;
        }
        case TraceRef::Kind::heading:
            tip(context.look, fmt::format("launch {}: {}. {}.", ref.column, trace.launches[ref.column].kernel,
                                          scene::residency_text(picture_.launches[ref.column])));
            if (clicked) {
                workspace.play(false);
                workspace.show_launch(ref.column);
            }
            break;
        case TraceRef::Kind::line: {
            const auto& steps =
                ref.row < picture_.launches.size() ? picture_.launches[ref.row].host_steps : picture_.host_steps;
            const analysis::GridHostStep& step = steps[ref.column];
            tip(context.look, step.source_line == 0 ? "host: " + step.text
                                                    : fmt::format("host, line {}: {}", step.source_line, step.text));
            if (clicked && step.source_line != 0) {
                workspace.goto_line = step.source_line;
                workspace.goto_file = step.source_file;
            }
            break;
        }
        default: view_.explain_words(context.look); break;
    }
}

void GridPanel::describe_block(const Context& context, std::uint32_t launch, BlockId id) const {
    const trace::Trace& trace = context.workspace.shown()->trace();
    const GridBlock* const block = picture_.block(launch, id);
    if (block == nullptr) return;
    Facts facts{{block_name(trace, launch, id), block->recorded ? "" : "not recorded"}};
    if (const std::uint32_t all = picture_.launches[launch].multiprocessors; all > 0)
        facts.emplace_back("multiprocessor", grouped(block->slot % all));
    facts.emplace_back("resident", fmt::format("{} to {}", grouped(block->time.first), grouped(block->time.past_last)));
    // Of a recorded block, the clock goes on while no warp of it executes.
    const std::uint64_t idle = block->recorded ? block->waited + (block->stall ? block->stall->length() : 0) : 0;
    facts.emplace_back("instructions", fmt::format("{} of a warp, {} of all warps",
                                                   grouped(block->time.length() - std::min(idle, block->time.length())),
                                                   grouped(block->warp_instructions)));
    if (block->stall) facts.emplace_back("stalls", "for " + grouped(block->stall->length()));
    if (block->waited > 0) facts.emplace_back("waits", "for " + grouped(block->waited));
    constexpr std::size_t most = 6;
    std::size_t reads = 0;
    for (const GridArc& arc : picture_.arcs) {
        if (arc.to_launch != launch || arc.to != id || ++reads > most) continue;
        facts.emplace_back("reads " + trace.buffers[arc.buffer].name,
                           "from " + block_name(trace, arc.from_launch, arc.from));
    }
    if (reads > most) facts.emplace_back("reads", counted(reads - most, "more block"));
    fact_sheet(context.look, facts);
}

void GridPanel::describe_arc(const Context& context, const GridArc& arc) const {
    const Shown& shown = *context.workspace.shown();
    const trace::Trace& trace = shown.trace();
    const auto place = [&](StepId step, std::uint64_t tick) {
        const std::uint32_t line = shown.map->cuda_line(trace.step(step).line);
        return line == 0 ? "at " + grouped(tick) : fmt::format("line {}, at {}", line, grouped(tick));
    };
    Facts facts{{trace.buffers[arc.buffer].name, arc.atomic ? "atomic" : ""}};
    facts.emplace_back("written by", block_name(trace, arc.from_launch, arc.from));
    facts.emplace_back("", place(arc.write, arc.written_at));
    facts.emplace_back("read by", block_name(trace, arc.to_launch, arc.to));
    facts.emplace_back("", place(arc.read, arc.read_at));
    facts.emplace_back("words", counted(arc.reads, "read") + " by its threads");
    fact_sheet(context.look, facts);
}

}  // namespace lanescope::ui
