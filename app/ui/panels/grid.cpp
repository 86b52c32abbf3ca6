#include "ui/panels/grid.h"

#include "analysis/source/display_names.h"
#include "analysis/source/element_type.h"
#include "base/command_line.h"
#include "base/grouped.h"
#include "scene/grid/arc_bundles.h"
#include "scene/timeline_scene.h"
#include "scene/warp_timeline_scene.h"
#include "trace/record_extent.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

/// "this launch", "n = 524,288", "n = 524,288, compiled".
std::string label_of(const session::HardwareTimeline& recorded) {
    if (recorded.same_launch) return "this launch";
    return fmt::format("n = {}, {}", grouped(recorded.timeline->n), recorded.timeline->view);
}

/// "states[3] = 17": what the first read of the arc found.
std::string read_text(const Context& context, const GridArc& arc) {
    const Shown& shown = *context.workspace.shown();
    const trace::Trace& trace = shown.trace();
    const trace::Buffer& buffer = trace.buffers[arc.buffer];
    const trace::Element element =
        trace::bytes_of(buffer.element) == arc.bytes ? buffer.element : analysis::element_of(ptx::Type::b32, arc.bytes);
    return fmt::format(
        "{} = {}",
        analysis::memory_name(trace, shown.module(), arc.to_launch, trace::Space::global, arc.address, arc.bytes),
        trace::text_of(element, arc.bits));
}

/// Of many printed lines the first ones: Program has them all.
std::string printed_text(const std::vector<std::string>& lines) {
    constexpr std::size_t most = 12;
    std::string text = "printed:";
    for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) text += "\n" + lines[i];
    if (lines.size() > most) text += fmt::format("\nand {}, in Program", counted(lines.size() - most, "more line"));
    return text;
}

}  // namespace

std::vector<std::string> GridPanel::subtitle(const Context& context) const {
    const Shown* const shown = context.workspace.shown();
    if (shown == nullptr) return {};
    const std::uint64_t blocks = shown->trace().blocks();
    const std::string launches = counted(shown->trace().launches.size(), "launch");
    return {fmt::format("{} in {}, {} on screen", counted(blocks, "block"), launches,
                        block_name(shown->trace(), shown->launch, shown->block)),
            fmt::format("{} in {}", counted(blocks, "block"), launches)};
}

float GridPanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    if (context.workspace.shown() == nullptr) return right;
    constexpr ButtonLook how{.quiet = true, .height = 24};
    const auto place = [&](const std::string& label) {
        const ImVec2 size = button_size(look, label, Icon::none, Icon::none, how);
        right -= size.x + look.px(gap);
        ImGui::SetCursorScreenPos({right + look.px(gap), top + (height - size.y) * 0.5F});
    };
    if (zoom_ > 1 || (shows_hardware() && hardware_zoom_ > 1)) {
        place("Whole run");
        if (button(look, "##whole", "Whole run", Icon::none, Icon::none, how))
            zoom_ = hardware_zoom_ = 1, scroll_ = hardware_scroll_ = 0;
        tip(look, "Show the whole run. The wheel zooms, Shift and the wheel scroll.");
    }
    const std::string label = !shows_hardware()    ? "GPU: hidden"
                              : timelines_.empty() ? "GPU: no recording"
                                                   : fmt::format("GPU: {}", label_of(timelines_[recorded_ - 1]));
    place(label);
    if (button(look, "##gpu", label, Icon::none, Icon::none, how)) {
        recorded_ = recorded_ >= std::max<std::size_t>(timelines_.size(), 1) ? 0 : recorded_ + 1;
        hardware_zoom_ = 1, hardware_scroll_ = 0;
    }
    tip(look, "When a GPU ran each block, below the emulated grid. A click shows the next recording, or hides it.");
    if (block_with_warps(context.workspace) != nullptr) {
        place(warps_ ? "Blocks" : "Warps");
        if (button(look, "##warps", warps_ ? "Blocks" : "Warps", Icon::none, Icon::none, how)) {
            warps_ = !warps_;
            hardware_zoom_ = 1, hardware_scroll_ = 0;
        }
        tip(look, warps_ ? "Show all blocks of the recording."
                         : "Show when the warps of the block on screen worked on the GPU, and when they waited at "
                           "barriers.");
    }
    return record_button(context, right, top, height);
}

float GridPanel::record_button(Context& context, float right, float top, float height) {
    TimelineRecorder& recorder = context.workspace.timeline_recorder();
    if (!shows_hardware() || (shows_own_launch() && !recorder.running())) return right;
    const Look& look = context.look;
    const std::string label = recorder.running() ? "Cancel measurement" : "Measure on this GPU";
    constexpr ButtonLook how{.quiet = true, .height = 24};
    const ImVec2 size = button_size(look, label, Icon::none, Icon::none, how);
    right -= size.x + look.px(gap);
    ImGui::SetCursorScreenPos({right + look.px(gap), top + (height - size.y) * 0.5F});
    if (button(look, "##record", label, Icon::none, Icon::none, how)) {
        if (recorder.running())
            recorder.cancel();
        else
            recorder.start(context.workspace.shown()->run);
        if (!recorder.running() && !recorder.said().empty()) context.workspace.say(recorder.said());
    }
    tip(look, recorder.running() ? "This launch runs on this machine's NVIDIA GPU, in the background."
                                 : "Record on this machine's NVIDIA GPU when each block of this launch runs, and on "
                                   "which multiprocessor.");
    return right;
}

scene::Scene GridPanel::whole_picture(const Workspace& workspace) const {
    // A run that came while the panel was hidden is not drawn yet.
    if (workspace.shown() == nullptr || workspace.shown()->run != run_) return view_.scene();
    scene::GridOptions whole = options(workspace);
    whole.zoom = 1;
    whole.scroll_x = 0;
    return drawing(workspace, whole, 1, 0);
}

scene::Scene GridPanel::drawing(const Workspace& workspace, const scene::GridOptions& grid, double zoom,
                                double scroll) const {
    const Shown& shown = *workspace.shown();
    if (!shows_hardware()) return scene::grid_scene(shown.trace(), picture_, grid);
    scene::GridOptions above = grid;
    if (timelines_.empty()) {
        constexpr float least = 150;
        scene::Scene below =
            scene::no_timeline_scene(grid.width, 0, std::string(scene::no_timeline),
                                     "lanescope " + command_text(session::timeline_arguments(*shown.run)));
        if (grid.height > 0) above.height = std::max(grid.height - below.height, least);
        return scene::stacked(scene::grid_scene(shown.trace(), picture_, above), std::move(below));
    }
    scene::Scene below = hardware_drawing(workspace, grid, zoom, scroll);
    if (grid.height > 0) above.height = grid.height - below.height;
    return scene::stacked(scene::grid_scene(shown.trace(), picture_, above), std::move(below));
}

scene::Scene GridPanel::hardware_drawing(const Workspace& workspace, const scene::GridOptions& grid, double zoom,
                                         double scroll) const {
    // The recording takes the larger part where it has many rows, and no more than it needs; one of another launch the
    // smaller.
    const bool same_launch = timelines_[recorded_ - 1].same_launch;
    const float most_share = same_launch ? 0.58F : 0.38F;
    constexpr float least = 150;
    const auto height_for = [&](float wanted) {
        if (grid.height <= 0) return 0.0F;
        if (wanted > least && grid.height * most_share > wanted) return wanted;
        return std::clamp(grid.height * most_share, std::min(least, grid.height * 0.5F), std::max(wanted, least));
    };
    const Shown& shown = *workspace.shown();
    const session::HardwareTimeline& recorded = timelines_[recorded_ - 1];
    const timing::TimelineBlock* const block = block_with_warps(workspace);
    const analysis::BlockView view = shown.view();
    std::vector<analysis::WarpPlace> places;
    std::optional<WarpId> followed;
    if (block != nullptr && recorded.same_launch) {
        places = analysis::warp_places(view, workspace.position());
        followed = workspace.at().followed();
    }
    if (warps_ && block != nullptr) {
        return scene::warp_timeline_scene(
            *recorded.timeline, shown.launch, shown.block,
            {.width = grid.width,
             .height = height_for(scene::warp_timeline_height(*block)),
             .zoom = zoom,
             .scroll_x = scroll,
             .places = std::move(places),
             .followed = followed,
             .origin = recorded.origin,
             .instead =
                 recorded.same_launch ? std::string() : session::how_run_differs(*shown.run, *recorded.timeline)});
    }
    scene::TimelineOptions how{
        .width = grid.width,
        .height = height_for(scene::timeline_height(*recorded.timeline)),
        .zoom = zoom,
        .scroll_x = scroll,
        .shown = grid.shown,
        .same_launch = recorded.same_launch,
        .instead = recorded.same_launch ? std::string() : session::how_run_differs(*shown.run, *recorded.timeline),
        .origin = recorded.origin,
        .now = {}};
    if (followed && followed->index() < places.size())
        how.now = timing::moment_of(*block, followed->index(), places[followed->index()].waits,
                                    places[followed->index()].waiting);
    return scene::timeline_scene(*recorded.timeline, how);
}

const timing::TimelineBlock* GridPanel::block_with_warps(const Workspace& workspace) const {
    if (!shows_hardware() || timelines_.empty() || workspace.shown() == nullptr) return nullptr;
    const Shown& shown = *workspace.shown();
    const std::vector<timing::TimelineLaunch>& launches = timelines_[recorded_ - 1].timeline->launches;
    if (shown.launch >= launches.size() || shown.block.value >= launches[shown.launch].blocks.size()) return nullptr;
    const timing::TimelineBlock& block = launches[shown.launch].blocks[shown.block.value];
    return block.warps.empty() ? nullptr : &block;
}

void GridPanel::take(const Workspace& workspace) {
    const std::shared_ptr<const session::Run>& run = workspace.shown()->run;
    const unsigned recordings = workspace.timeline_recorder().recordings();
    const bool recorded = std::exchange(recordings_, recordings) != recordings;
    if (run_ == run) {
        if (recorded) find_timelines();
        return;
    }
    run_ = run;
    picture_ = analysis::grid_picture(run->trace());
    zoom_ = hardware_zoom_ = 1;
    scroll_ = hardware_scroll_ = 0;
    find_timelines();
}

void GridPanel::find_timelines() {
    timelines_ = session::hardware_timelines(*run_, timing::all_timelines());
    if (shows_hardware()) recorded_ = 1;
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

scene::GridOptions GridPanel::drawn_options(const Workspace& workspace) const {
    scene::GridOptions drawn = options(workspace);
    drawn.height = view_.scene().viewports.front().height + scene::GridPanelLayout::legend;
    return drawn;
}

void GridPanel::build(const Workspace& workspace) {
    const Key key{run_.get(),
                  workspace.shown()->id,
                  tick(workspace),
                  width_,
                  height_,
                  zoom_,
                  scroll_,
                  hardware_zoom_,
                  hardware_scroll_,
                  recorded_,
                  recordings_,
                  warps_,
                  workspace.position()};
    if (built_for_ == key) return;
    view_.set(drawing(workspace, options(workspace), hardware_zoom_, hardware_scroll_));
    built_for_ = key;
}

void GridPanel::zoom_by(double factor, double at, bool hardware) {
    double& zoom = hardware ? hardware_zoom_ : zoom_;
    double& scroll = hardware ? hardware_scroll_ : scroll_;
    const double before = zoom;
    zoom = std::clamp(zoom * factor, 1.0, most_time_zoom);
    const auto width = static_cast<double>(width_);
    scroll = std::clamp((scroll + at * width) * zoom / before - at * width, 0.0, width * (zoom - 1));
}

void GridPanel::move(const SceneView::Surface& surface, float scale) {
    const ImGuiIO& io = ImGui::GetIO();
    const std::vector<scene::Viewport>& parts = view_.scene().viewports;
    // The grid's bars, and below them the recording's.
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const double zoom = part == 0 ? zoom_ : hardware_zoom_;
        double& scroll = part == 0 ? scroll_ : hardware_scroll_;
        if (zoom <= 1) continue;
        scroll = static_cast<double>(SceneView::scrolled(parts[part], surface, scale).x);
        const scene::Box& bars = parts[part].box;
        const float pressed = (io.MouseClickedPos[0].y - surface.at.y) / scale;
        if (!ImGui::IsItemActive() || !ImGui::IsMouseDragging(ImGuiMouseButton_Left)) continue;
        if (pressed < bars.y || pressed >= bars.bottom()) continue;
        const double right = static_cast<double>(width_) * (zoom - 1);
        scroll = std::clamp(scroll - static_cast<double>(io.MouseDelta.x / scale), 0.0, right);
    }
    if (!surface.hovered || io.KeyShift || io.MouseWheel == 0) return;
    const double at = static_cast<double>((io.MousePos.x - surface.at.x) / std::max(surface.room.x, 1.0F));
    const bool hardware = parts.size() > 1 && (io.MousePos.y - surface.at.y) / scale >= parts[1].box.y;
    zoom_by(std::pow(1.25, static_cast<double>(io.MouseWheel)), at, hardware);
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
    const std::vector<scene::Viewport>& parts = view_.scene().viewports;
    for (std::size_t part = 0; part < parts.size(); ++part)
        if ((part == 0 ? zoom_ : hardware_zoom_) > 1) view_.draw_scrollbars(look, parts[part], surface, scale);
    if (surface.hovered) act(context, surface, scale);
}

void GridPanel::act(Context& context, const SceneView::Surface& surface, float scale) {
    // The end of a drag is no click.
    const bool clicked =
        surface.clicked && ImGui::GetIO().MouseDragMaxDistanceSqr[0] < most_click_move * most_click_move;
    Workspace& workspace = context.workspace;
    const trace::Trace& trace = workspace.shown()->trace();
    const TraceRef ref = view_.under_mouse();
    switch (ref.kind) {
        case TraceRef::Kind::cell:
            describe_block(context, ref.row, BlockId(ref.column));
            enter_block(workspace, ref.row, BlockId(ref.column), clicked);
            break;
        case TraceRef::Kind::node:
            describe_recorded(context, ref.row, ref.column);
            if (ref.row < trace.launches.size()) enter_block(workspace, ref.row, BlockId(ref.column), clicked);
            break;
        case TraceRef::Kind::lane: act_on_warp(context, ref, clicked); break;
        case TraceRef::Kind::arc: {
            if (ref.column > 0) {
                show_bundle(context, ref.column - 1, clicked);
                break;
            }
            const GridArc& arc = picture_.arcs[ref.row];
            describe_arc(context, arc);
            if (!enter_block(workspace, arc.to_launch, arc.to, clicked)) break;
            workspace.seek_exactly(workspace.shown()->passes->position_of(arc.read));
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
        case TraceRef::Kind::line: act_on_host_step(context, ref, clicked); break;
        default:
            if (!show_moment(context, surface, scale, clicked)) view_.explain_words(context.look);
            break;
    }
}

/// Shows the block after a click, if it is recorded; returns whether it is shown.
bool GridPanel::enter_block(Workspace& workspace, std::uint32_t launch, BlockId block, bool clicked) {
    if (!workspace.shown()->trace().recorded(launch, block)) return false;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!clicked) return false;
    workspace.play(false);
    workspace.show_block(launch, block);
    return true;
}

void GridPanel::act_on_warp(Context& context, const TraceRef& ref, bool clicked) {
    Workspace& workspace = context.workspace;
    const std::optional<std::size_t> step =
        timelines_[recorded_ - 1].same_launch
            ? analysis::step_in_place(workspace.shown()->view(), WarpId(ref.row),
                                      {.waits = ref.column / 2, .waiting = ref.column % 2 != 0})
            : std::nullopt;
    describe_warp(context, ref.row, ref.column, step);
    if (!step) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!clicked) return;
    workspace.play(false);
    workspace.choose(WarpId(ref.row), std::nullopt);
    workspace.seek_exactly(*step);
}

void GridPanel::act_on_host_step(Context& context, const TraceRef& ref, bool clicked) const {
    Workspace& workspace = context.workspace;
    const auto& steps =
        ref.row < picture_.launches.size() ? picture_.launches[ref.row].host_steps : picture_.host_steps;
    const analysis::GridHostStep& step = steps[ref.column];
    if (!step.printed.empty())
        tip(context.look, printed_text(step.printed));
    else
        tip(context.look, step.source_line == 0 ? "host: " + step.text
                                                : fmt::format("host, line {}: {}", step.source_line, step.text));
    if (!clicked) return;
    if (!step.function.empty()) workspace.set_field(session::LaunchField::function, step.function);
    if (step.source_line == 0) return;
    workspace.goto_line = step.source_line;
    workspace.goto_file = step.source_file;
}

void GridPanel::describe_block(const Context& context, std::uint32_t launch, BlockId id) const {
    const trace::Trace& trace = context.workspace.shown()->trace();
    const GridBlock* const block = picture_.block(launch, id);
    if (block == nullptr) return;
    std::string extent = block->recorded ? "" : "not recorded";
    if (block->recorded_until) extent = fmt::format("recorded up to step {}", grouped(trace.steps_of(launch, id)));
    Facts facts{{block_name(trace, launch, id), extent}};
    if (const std::uint32_t all = picture_.launches[launch].multiprocessors; all > 0)
        facts.emplace_back("multiprocessor", grouped(block->slot % all));
    facts.emplace_back("resident", fmt::format("{} to {}", grouped(block->time.first), grouped(block->time.past_last)));
    // The clock of a recorded block goes on while none of its warps executes.
    const std::uint64_t idle = block->recorded ? block->waited + (block->stall ? block->stall->length() : 0) : 0;
    facts.emplace_back("instructions", fmt::format("{} of a warp, {} of all warps",
                                                   grouped(block->time.length() - std::min(idle, block->time.length())),
                                                   grouped(block->warp_instructions)));
    if (block->stall) facts.emplace_back("stalls", "for " + grouped(block->stall->length()));
    if (block->waited > 0) facts.emplace_back("waits", "for " + grouped(block->waited));
    constexpr std::size_t most = 6;
    if (!block->left.empty()) facts.emplace_back("wrote", block->left);
    for (std::size_t i = 0; i < std::min(block->also_left.size(), most); ++i)
        facts.emplace_back("wrote", block->also_left[i]);
    std::size_t reads = 0;
    for (const GridArc& arc : picture_.arcs) {
        if (arc.to_launch != launch || arc.to != id || ++reads > most) continue;
        facts.emplace_back(
            "reads", fmt::format("{} from {}{}", read_text(context, arc), block_name(trace, arc.from_launch, arc.from),
                                 arc.reads > 1 ? ", ..." : ""));
    }
    if (reads > most) facts.emplace_back("reads", counted(reads - most, "more block"));
    fact_sheet(context.look, facts);
}

void GridPanel::describe_recorded(const Context& context, std::uint32_t launch, std::uint32_t block) const {
    const session::HardwareTimeline& recorded = timelines_[recorded_ - 1];
    const timing::TimelineBlock& at = recorded.timeline->launches[launch].blocks[block];
    const auto time = [](std::uint64_t nanoseconds) {
        return fmt::format("{:.3f} µs", static_cast<double>(nanoseconds) / 1e3);
    };
    Facts facts{{fmt::format("block {} on the GPU", grouped(block)),
                 recorded.timeline->launches.size() > 1 ? fmt::format("launch {}", launch) : std::string()}};
    facts.emplace_back("multiprocessor", grouped(at.multiprocessor));
    facts.emplace_back("began", "at " + time(at.begin));
    facts.emplace_back("ended", "at " + time(at.end));
    facts.emplace_back("took", fmt::format("{}, {}", time(at.end - at.begin), counted(at.cycles, "cycle")));
    if (at.polled_cycles > 0)
        facts.emplace_back("failed polls", fmt::format("{}, from {} to {}", counted(at.polled_cycles, "cycle"),
                                                       time(at.first_poll), time(at.last_poll)));
    if (!recorded.same_launch)
        facts.emplace_back("", "of another launch; on screen: " +
                                   session::how_run_differs(*context.workspace.shown()->run, *recorded.timeline));
    fact_sheet(context.look, facts);
}

void GridPanel::describe_warp(const Context& context, std::uint32_t warp, std::uint32_t part,
                              std::optional<std::size_t> step) const {
    const timing::TimelineBlock* const block = block_with_warps(context.workspace);
    if (block == nullptr || warp >= block->warps.size()) return;
    const timing::TimelineWarp& of = block->warps[warp];
    const std::vector<scene::WarpPart> parts = scene::parts_of(of);
    if (part >= parts.size()) return;
    const scene::WarpPart& at = parts[part];
    const bool unknown = of.waits_in_all > of.waits.size() && part + 1 == parts.size();
    Facts facts{{fmt::format("warp {} on the GPU", warp), unknown             ? "works and waits"
                                                          : !at.place.waiting ? "works"
                                                          : at.mbarrier       ? "waits at an mbarrier"
                                                                              : "waits at a block barrier"}};
    if (unknown) facts.emplace_back("not kept", counted(of.waits_in_all - of.waits.size(), "wait"));
    facts.emplace_back("from", counted(at.from, "cycle"));
    facts.emplace_back("for", counted(at.to - at.from, "cycle"));
    facts.emplace_back(
        "the warp", fmt::format("{}, {} of them waiting", counted(of.end - of.begin, "cycle"), grouped(of.waited())));
    if (step) {
        const analysis::BlockPasses& passes = *context.workspace.shown()->passes;
        facts.emplace_back("on the emulator", "pass " + passes.passes[passes.pass_of(*step).index()].label);
    }
    fact_sheet(context.look, facts);
}

void GridPanel::show_bundle(const Context& context, std::size_t number, bool clicked) {
    const scene::GridPanelLayout layout(picture_, drawn_options(context.workspace));
    if (layout.tracks() == 0) return;
    const std::vector<scene::ArcBundle> bundles = scene::arc_bundles(picture_, layout);
    if (number >= bundles.size()) return;
    const scene::ArcBundle& bundle = bundles[number];
    const auto blocks = [](const analysis::GridSpan& span) {
        return span.length() == 1 ? fmt::format("block {}", grouped(span.first))
                                  : fmt::format("blocks {} to {}", grouped(span.first), grouped(span.past_last - 1));
    };
    const std::optional<std::uint32_t> array = layout.array_of(bundle.track);
    Facts facts{{array ? context.workspace.shown()->trace().buffers[*array].name : "several arrays",
                 counted(bundle.arcs, "arc")}};
    facts.emplace_back("written by", blocks(bundle.sources));
    facts.emplace_back("read by", blocks(bundle.blocks));
    facts.emplace_back("words", counted(bundle.reads, "read") + " by their threads");
    facts.emplace_back("", "a click zooms in");
    fact_sheet(context.look, facts);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!clicked) return;
    // The bundle's ticks fill the panel: exactly within one launch, nearly across launches.
    const GridArc& arc = picture_.arcs[bundle.first];
    const double left = layout.x(arc.from_launch, bundle.ticks.first),
                 right = layout.x(arc.to_launch, bundle.ticks.past_last);
    const double body = static_cast<double>(layout.body().width),
                 from = left + layout.scroll() - static_cast<double>(layout.body().x);
    const double factor = std::min(body / std::max(right - left, 1.0), most_time_zoom / zoom_);
    zoom_ = std::max(zoom_ * factor, 1.0);
    scroll_ = std::clamp(from * factor, 0.0, body * (zoom_ - 1));
}

bool GridPanel::show_moment(Context& context, const SceneView::Surface& surface, float scale, bool clicked) {
    if (!surface.hovered || view_.scene().viewports.empty()) return false;
    const ImVec2 mouse = ImGui::GetMousePos();
    const float x = (mouse.x - surface.at.x) / scale, y = (mouse.y - surface.at.y) / scale;
    const float below = view_.scene().viewports.front().box.bottom();
    if (y < below - scene::GridPanelLayout::axis || y >= below) return false;
    Workspace& workspace = context.workspace;
    const scene::GridPanelLayout layout(picture_, drawn_options(workspace));
    for (std::uint32_t launch = 0; launch < picture_.launches.size(); ++launch) {
        const scene::GridPanelLayout::Launch& at = layout.launch(launch);
        const auto across = static_cast<double>(x);
        if (across < at.from || across >= at.to) continue;
        const analysis::GridSpan& time = picture_.launches[launch].time;
        const auto tick = time.first + static_cast<std::uint64_t>((across - at.from) / (at.to - at.from) *
                                                                  static_cast<double>(time.length()));
        const auto moment =
            analysis::moment_at(workspace.shown()->trace(), picture_, launch, tick, workspace.shown()->block);
        if (!moment) return false;
        tip(context.look, fmt::format("at {}: {}. A click goes there.", grouped(tick),
                                      block_name(workspace.shown()->trace(), launch, moment->block)));
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (!clicked) return true;
        workspace.play(false);
        workspace.show_block(launch, moment->block);
        workspace.seek_exactly(workspace.shown()->passes->position_of(moment->step));
        return true;
    }
    return false;
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
    facts.emplace_back(arc.reads > 1 ? "first read" : "read", read_text(context, arc));
    facts.emplace_back("words", counted(arc.reads, "read") + " by its threads");
    fact_sheet(context.look, facts);
}

}  // namespace lanescope::ui
