#include "ui/panels/access_turns.h"

#include "analysis/panels/access_near.h"
#include "base/grouped.h"
#include "base/lane_list.h"
#include "ui/widgets.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>

namespace lanescope::ui {

const char* name_of_access(trace::EffectKind kind) {
    switch (kind) {
        case trace::EffectKind::load: return "load";
        case trace::EffectKind::store: return "store";
        default: return "atomic";
    }
}

std::vector<std::string> access_subtitle(const Workspace& workspace, std::size_t index, trace::EffectKind kind_of,
                                         const std::string& what) {
    const Shown& shown = *workspace.shown();
    const std::uint32_t line = shown.cuda_line_at(index);
    const std::size_t position = workspace.position();
    const std::string when = index == position ? "next: " : index > position ? "later: " : "last: ";
    const std::string kind = when + std::string(name_of_access(kind_of));
    const std::string of = what.empty() ? "" : " of " + what;
    const std::string at = line == 0 ? "" : fmt::format(", line {}", line);
    const std::string by = fmt::format(", warp {}", shown.view().step_at(index).warp.value);
    return {kind + of + at + by, kind + at + by, kind + at, kind};
}

void AccessTurns::reset() {
    shown_.reset();
    playing_ = false;
}

void AccessTurns::play(std::size_t count) {
    constexpr double seconds_a_turn = 0.6;
    if (!playing_ || ImGui::GetTime() - since_ <= seconds_a_turn) return;
    since_ = ImGui::GetTime();
    const unsigned next = shown_.value_or(0) + 1;
    if (next < count) {
        shown_ = next;
    } else {
        playing_ = false;
    }
}

void AccessTurns::click(const scene::TraceRef& button) {
    const bool all = button.span == 0;
    playing_ = all && !shown_;
    since_ = ImGui::GetTime();
    shown_ = all ? std::nullopt : std::optional(button.column);
    if (playing_) shown_ = 0;
}

void AccessTurns::turn_wheel(int down, std::size_t count) {
    const int now = shown_ ? static_cast<int>(*shown_) : -1;
    const int then = std::clamp(now + down, -1, static_cast<int>(count) - 1);
    shown_ = then < 0 ? std::nullopt : std::optional(static_cast<unsigned>(then));
    playing_ = false;
}

bool NearAccess::find(const Workspace& workspace) {
    const Shown& shown = *workspace.shown();
    const WarpId warp = workspace.at().followed();
    same_run_ = run_ == shown.id;
    if (same_run_ && position_ == workspace.position() && warp_ == warp) return false;
    if (!same_run_) uses_ = analysis::launch_accesses(shown.trace(), shown.launch, space_);
    run_ = shown.id;
    position_ = workspace.position();
    warp_ = warp;
    index_ = analysis::access_near(shown.view(), position_, warp, space_);
    return true;
}

void NearAccess::arrive(StepId before, StepId now) {
    if (now.valid() && before == now) return;
    turns.reset();
    first_row_ = 0;
}

void NearAccess::turn_wheel(bool over_buttons, std::size_t turns_of_access, std::size_t rows_beyond) {
    const int down = ImGui::GetIO().MouseWheel < 0 ? 1 : -1;
    if (over_buttons) return turns.turn_wheel(down, turns_of_access);
    const int row = std::clamp(static_cast<int>(first_row_) + 2 * down, 0, static_cast<int>(rows_beyond));
    first_row_ = static_cast<std::size_t>(row);
}

void NearAccess::explain(const Look& look, const scene::TraceRef& button, std::string_view turn, std::size_t count,
                         const std::function<LaneMask(std::size_t)>& lanes_of) {
    if (button.kind != scene::TraceRef::Kind::wavefront) return;
    if (button.span == 0)
        return tip(look, fmt::format("All at once; click again to play the {} one after the other.", plural_of(turn)));
    if (button.column >= count) return;
    std::string name(turn);
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    const LaneMask lanes = lanes_of(button.column);
    tip(look, fmt::format("{} {} of {} serves {} {}.\nThe wheel moves to the next.", name, button.column + 1, count,
                          noun(lanes.count(), "lane"), lane_list(lanes)));
}

}  // namespace lanescope::ui
