#include "ui/trust_question.h"

#include "ui/widgets.h"

namespace lanescope::ui {

using scene::Font;
using scene::Role;

void ask_for_trust(const Context& context) {
    constexpr const char* name = "Run this program?###trust";
    constexpr float width = 520;  // points
    Workspace& workspace = context.workspace;
    const Look& look = context.look;
    const std::optional<Workspace::Question> question = workspace.question();
    if (question && !ImGui::IsPopupOpen(name)) ImGui::OpenPopup(name);
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos({viewport.Pos.x + viewport.Size.x * 0.5F, viewport.Pos.y + viewport.Size.y * 0.4F},
                            ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::SetNextWindowSize({look.px(width), 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(18), look.px(16)});
    const bool open = ImGui::BeginPopupModal(name, nullptr,
                                             ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                                 ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PopStyleVar();
    if (!open) return;
    if (!question) {  // answered, or another program was opened
        ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
        return;
    }
    using Permission = Workspace::Permission;
    std::optional<Permission> given;
    {
        const Type words(look, Font::words, type::body);
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(question->text.c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::Dummy({1, look.px(8)});
    if (button(look, "run", "Run", Icon::none, Icon::none, {.primary = true})) given = Permission::once;
    ImGui::SameLine(0, look.px(8));
    if (button(look, "folder", "Trust this folder and run")) given = Permission::folder;
    if (!question->kernel.empty()) {
        ImGui::SameLine(0, look.px(8));
        if (button(look, "kernel", "One kernel alone")) given = Permission::kernel_alone;
        tip(look, "Only " + question->kernel + " runs, on the emulator, with guessed arguments. main does not run.");
    }
    if (given) {
        workspace.answer_question(*given);
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

}  // namespace lanescope::ui
