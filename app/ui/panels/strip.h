// A strip across the window, above the narration.
#pragma once

#include "ui/widgets.h"

namespace lanescope::ui {

/// Begins a window that ends at `bottom`, until ImGui::End(). Returns its place. Pixels.
inline Area begin_strip(const Look& look, const char* name, float bottom, float height) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const ImVec2 corner(viewport.Pos.x, bottom - height), past(corner.x + viewport.Size.x, bottom);
    ImGui::SetNextWindowPos(corner);
    ImGui::SetNextWindowSize({viewport.Size.x, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PopStyleVar();
    ImGui::GetWindowDrawList()->AddLine(corner, {past.x, corner.y}, look.color(scene::Role::line));
    return {corner, past};
}

}  // namespace lanescope::ui
