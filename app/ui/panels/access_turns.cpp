#include "ui/panels/access_turns.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

namespace lanescope::ui {

AccessPlace access_place(const Workspace& workspace) {
    return {.run = workspace.shown()->id, .position = workspace.position(), .warp = workspace.at().followed()};
}

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

}  // namespace lanescope::ui
