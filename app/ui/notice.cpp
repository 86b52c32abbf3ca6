#include "ui/notice.h"

#include "ui/widgets.h"

#include <algorithm>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr double seconds = 8;
constexpr float widest = 520;

}  // namespace

void Notice::say(std::string text, bool bad) {
    text_ = std::move(text);
    bad_ = bad;
    until_ = ImGui::GetTime() + seconds;
}

double Notice::seconds_until_redraw() const { return text_.empty() ? 0 : std::max(until_ - ImGui::GetTime(), 0.01); }

void Notice::draw(const Context& context, float bottom) {
    if (text_.empty()) return;
    if (ImGui::GetTime() >= until_) return text_.clear();
    const Look& look = context.look;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const float margin = look.px(16);
    ImGui::SetNextWindowPos({viewport.Pos.x + viewport.Size.x - margin, bottom - margin}, ImGuiCond_Always, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(14), look.px(10)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_Border, look.color(bad_ ? Role::cost : Role::agrees));
    ImGui::Begin("Notice", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
    const float icon = look.px(12), line = look.line_height(Font::words, type::body);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_icon(ImGui::GetWindowDrawList(), bad_ ? Icon::warning : Icon::check, {at.x + icon * 0.5F, at.y + line * 0.5F},
              icon, look.color(bad_ ? Role::cost : Role::agrees));
    ImGui::SetCursorScreenPos({at.x + icon + look.px(10), at.y});
    {
        const Type words(look, Font::words, type::body);
        ImGui::PushTextWrapPos(look.px(widest));
        ImGui::TextUnformatted(text_.data(), text_.data() + text_.size());
        ImGui::PopTextWrapPos();
    }
    // A click closes it.
    if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) text_.clear();
    ImGui::End();
}

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
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    const bool open = ImGui::BeginPopupModal(name, nullptr,
                                             ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                                 ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PopStyleVar(2);
    if (!open) return;
    if (!question) {  // answered, or another program was opened
        ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
        return;
    }
    using Permission = Workspace::Permission;
    std::optional<Permission> given;
    {
        const Type heading(look, Font::words_bold, type::heading);
        ImGui::TextUnformatted("Run this program?");
    }
    ImGui::Dummy({1, look.px(2)});
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
