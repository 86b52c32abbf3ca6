#include "ui/panels/source_breakpoints.h"

#include "base/text.h"
#include "ui/widgets.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

const Breakpoints::Placed* placed_at(const Workspace& workspace, const Breakpoint& line) {
    return workspace.breakpoints().at(line.ptx, line.file, line.line);
}

}  // namespace

const std::string& SourceBreakpoints::condition_of(const Workspace& workspace, const Breakpoints::Placed& placed) {
    return workspace.breakpoints().kept()[placed.kept].condition;
}

void SourceBreakpoints::toggle(Workspace& workspace, const Breakpoint& line, bool runs) {
    if (!runs && placed_at(workspace, line) == nullptr)
        return workspace.say(fmt::format("Line {} has no instructions, so no breakpoint is set.", line.line));
    const bool set = workspace.toggle_breakpoint(line);
    const Breakpoints::Placed* const placed = placed_at(workspace, line);
    if (set && placed != nullptr && placed->visits == 0)
        workspace.say(fmt::format("No warp of this block executes line {}.", line.line));
}

void SourceBreakpoints::menu_items(Context& context, const Breakpoint& line, bool runs) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    const Breakpoints::Placed* const placed = placed_at(workspace, line);
    if (ImGui::IsWindowAppearing()) {
        condition_ = placed == nullptr ? "" : condition_of(workspace, *placed);
        condition_problem_ = placed == nullptr ? "" : placed->problem;
    }
    if (ImGui::MenuItem(placed == nullptr ? "Set breakpoint" : "Delete breakpoint", nullptr, false,
                        runs || placed != nullptr))
        toggle(workspace, line, runs);
    if (!runs) return;
    ImGui::Separator();
    ImGui::TextColored(look.color4(Role::soft), "Stop only if");
    const Type code(look, Font::code, type::code);
    ImGui::SetNextItemWidth(look.px(260));
    if (ImGui::InputTextWithHint("##condition", "stride == 2 && lane < 4", &condition_,
                                 ImGuiInputTextFlags_EnterReturnsTrue)) {
        const auto set = workspace.set_condition(line, condition_);
        condition_problem_ = set ? "" : set.error().message();
        if (set) ImGui::CloseCurrentPopup();
    }
    if (!condition_problem_.empty()) {
        const Type words(look, Font::words, type::label);
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + look.px(260));
        ImGui::TextColored(look.color4(Role::cost), "%s", condition_problem_.c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::Separator();
}

void SourceBreakpoints::draw(const Look& look, const Breakpoints::Placed& placed, ImVec2 number, float width) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float half = look.px(8);
    const ImVec2 low(number.x - width - look.px(4), number.y - half), high(number.x + look.px(4), number.y + half);
    const ImU32 ink = look.color(Role::text);
    if (placed.visits > 0) {
        list->AddRectFilled(low, high, ink, half);
    } else {
        list->AddRect(low, high, ink, half);
    }
}

std::string SourceBreakpoints::explanation(const Breakpoints::Placed& placed) {
    if (!placed.problem.empty()) return "Breakpoint, never reached: " + placed.problem;
    if (placed.visits == 0) return "Breakpoint. No warp of this block executes this line.";
    return fmt::format("Breakpoint. Warps of this block reach this line {}.", counted(placed.visits, "time"));
}

}  // namespace lanescope::ui
