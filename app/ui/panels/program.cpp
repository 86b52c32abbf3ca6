#include "ui/panels/program.h"

#include "trace/record_extent.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanescope::ui {

using scene::TraceRef;
using Field = session::LaunchField;

std::shared_ptr<const session::LiveSteps> ProgramPanel::live_steps(const Workspace& workspace) {
    auto steps = workspace.busy() ? workspace.busy_steps() : nullptr;
    return steps != nullptr && steps->changes() > 0 ? steps : nullptr;
}

bool ProgramPanel::has_run(const Workspace& workspace) {
    return workspace.shown() != nullptr && analysis::is_program(workspace.shown()->trace());
}

bool ProgramPanel::exists(const Workspace& workspace) const {
    return live_steps(workspace) != nullptr || has_run(workspace);
}

bool ProgramPanel::appears(const Workspace& workspace) {
    if (live_steps(workspace) != nullptr) return std::exchange(appeared_for_, workspace.file()) != workspace.file();
    if (workspace.shown() == nullptr) return false;
    const session::Program& program = workspace.shown()->run->program;
    const std::string& file = program.source.name;
    const bool fresh = has_run(workspace) && !program.source.built_in && file != appeared_for_;
    appeared_for_ = file;
    return fresh;
}

std::vector<std::string> ProgramPanel::subtitle(const Context& context) const {
    if (live_steps(context.workspace) != nullptr) return {"running: what it has done so far"};
    if (!has_run(context.workspace)) return {};
    const trace::Trace& trace = context.workspace.shown()->trace();
    return {trace.running ? "running: its first launch is shown" : trace.host_end};
}

Needs ProgramPanel::needs(const Workspace& workspace) const {
    constexpr float around = 50, least = 160, most_least = 240, usual = 300, most = 440;
    const bool known = workspace.shown() != nullptr && run_ == workspace.shown()->run && !rows_.empty();
    const float high = known ? around + static_cast<float>(scene::program_height(rows_)) : usual;
    return {.width = {.least = 300, .wanted = 480, .grows = 0.3F},
            .height = {
                .least = std::clamp(high, least, most_least), .wanted = std::clamp(high, least, most), .grows = 0.3F}};
}

void ProgramPanel::take_live(std::shared_ptr<const session::LiveSteps> steps) {
    const std::uint64_t changes = steps->changes();
    run_.reset();
    followed_.reset();
    if (live_ == steps && changes_ == changes) return;
    live_ = std::move(steps);
    changes_ = changes;
    lines_ = live_->lines();
    rows_width_ = 0;
}

void ProgramPanel::take(const Workspace& workspace, std::shared_ptr<const session::LiveSteps> live, float width) {
    if (live != nullptr) {
        take_live(std::move(live));
    } else if (const auto& run = workspace.shown()->run; run_ != run) {
        run_ = run;
        live_.reset();
        changes_ = 0;
        lines_ = analysis::program_lines(run->trace());
        rows_width_ = 0;
        followed_.reset();
    }
    if (rows_width_ == width) return;
    rows_width_ = width;
    rows_ = scene::program_rows(lines_, width);
}

void ProgramPanel::draw(Context& context) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    const auto steps = live_steps(workspace);  // asked once: the program may end meanwhile
    const bool live = steps != nullptr;
    if (!live && !has_run(workspace)) {
        note(look, "The steps of a program's host code appear here.");
        return;
    }
    const float scale = look.scale(), margin = look.px(2);
    const ImVec2 rest = ImGui::GetContentRegionAvail(), corner = ImGui::GetCursorScreenPos();
    const ImVec2 at(std::floor(corner.x + margin), std::floor(corner.y));
    ImVec2 room(std::max(rest.x - 2 * margin, 1.0F), std::max(rest.y - margin, 1.0F));
    ImGui::SetCursorScreenPos(at);
    ImGui::BeginChild("program", room);
    if (ImGui::GetScrollMaxY() > 0) room.x -= ImGui::GetStyle().ScrollbarSize;
    take(workspace, steps, room.x / scale);
    const double height = scene::program_height(rows_), seen = room.y / scale;
    double top = ImGui::GetScrollY() / scale;
    std::optional<std::uint32_t> launch;
    if (!live) launch = workspace.shown()->launch;
    if (live && changes_ != built_for_.value_or(Key()).changes) {  // the last line is in view
        top = std::max(0.0, height - seen);
        ImGui::SetScrollY(static_cast<float>(top) * scale);
    }
    if (launch && followed_ != launch) {
        const bool first = !followed_;  // a program that has just run is read from its beginning
        followed_ = launch;
        const auto row = scene::program_row(lines_, rows_, *launch);
        if (row && !first && (row->top < top || row->bottom > top + seen)) {
            top = std::clamp(row->top - seen / 3, 0.0, std::max(0.0, height - seen));
            ImGui::SetScrollY(static_cast<float>(top) * scale);
        }
    }
    const Key key{run_.get(), changes_, launch, room.x / scale, static_cast<float>(seen), top};
    if (built_for_ != key) {
        built_for_ = key;
        view_.set(scene::program_scene(lines_, rows_,
                                       {.width = key.width, .height = key.height, .top = top, .launch = launch}));
    }
    // As high as the content, so that ImGui scrolls; the picture itself stays in place and shows another part.
    const bool clicked =
        ImGui::InvisibleButton("picture", {room.x, std::max(static_cast<float>(height) * scale, room.y)});
    const bool hovered = ImGui::IsItemHovered();
    view_.draw(context, at, room, {0, 0}, scale);
    if (hovered && !live) act(context, view_.under_mouse(), clicked);
    ImGui::EndChild();
}

void ProgramPanel::act(Context& context, const TraceRef& ref, bool clicked) const {
    Workspace& workspace = context.workspace;
    if (ref.kind == TraceRef::Kind::row && ref.row < workspace.shown()->trace().launches.size()) {
        const trace::Trace& trace = workspace.shown()->trace();
        const trace::Launch& launch = trace.launches[ref.row];
        const bool recorded = !launch.recorded.empty();
        const bool chosen = workspace.shown()->run->request.record_launch == ref.row;
        const bool shares_room = trace.launches.size() > 1 || !recorded;
        const bool runs_again = (!recorded || launch.cut) && shares_room && !chosen && !trace.running;
        ImGui::SetMouseCursor(recorded || runs_again ? ImGuiMouseCursor_Hand : ImGuiMouseCursor_Arrow);
        if (!recorded || launch.cut)
            tip(context.look,
                fmt::format("{}. Counts covers {}.{}",
                            recorded ? trace::cut_text(trace, static_cast<std::uint32_t>(ref.row))
                                     : "No block of this launch is recorded step by step",
                            recorded ? "all of it" : "it",
                            runs_again ? " Click to run the program again, with room in the record for it." : ""));
        if (!clicked) return;
        workspace.play(false);
        if (runs_again)
            workspace.record_launch(ref.row);
        else
            workspace.show_launch(ref.row);
        for (const analysis::ProgramLine& line : lines_)
            if (line.launch == ref.row) {
                workspace.goto_line = line.source_line;
                workspace.goto_file = line.source_file;
            }
    } else if (ref.kind == TraceRef::Kind::line && ref.row < lines_.size()) {
        const std::string function = lines_[ref.row].function;
        if (!function.empty()) {
            ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            tip(context.look, fmt::format("Show {} as a launch of one thread. Undo returns to the program.", function));
        }
        if (!clicked) return;
        workspace.goto_line = ref.column;
        workspace.goto_file = lines_[ref.row].source_file;
        if (!function.empty()) workspace.set_field(Field::function, function);
    }
}

}  // namespace lanescope::ui
