#include "ui/panels/lecture_strip.h"

#include "base/markdown.h"
#include "ui/panels/narration.h"
#include "ui/panels/strip.h"
#include "ui/shell.h"
#include "ui/widgets.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <cmath>
#include <string>
#include <string_view>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float strip_padding = 18, above = 8, strip_button_height = 30;

bool in_view(const Shell& shell) {
    if (shell.alone() != nullptr) return std::string_view(shell.alone()->title()) == "Lecture";
    const ImGuiWindow* const window = ImGui::FindWindowByName("Lecture");
    return window != nullptr && window->WasActive && (!window->DockIsActive || window->DockTabIsVisible);
}

/// The words of a block without their marks: "a thread that adds" of "a *thread* that adds".
void add_words(const markdown::Block& block, std::string& text) {
    if (!text.empty() && !block.spans.empty()) text += ' ';
    for (const markdown::Span& span : block.spans) text += span.text;
    for (const markdown::Block& child : block.children) add_words(child, text);
}

std::string words_of(const Presentation& presentation, const Shell& shell) {
    const session::LectureStep& step = *presentation.current();
    if (!presentation.problem().empty()) return presentation.problem();
    if (std::string running = presentation.running_text(shell); !running.empty()) return running;
    const session::LectureWords& words = presentation.words();
    const bool asked = !words.questions.empty();
    const std::size_t answered = presentation.revealed();
    const std::string& markdown = !asked                 ? words.caption
                                  : presentation.waits() ? words.questions[answered].ask
                                                         : words.questions[answered - 1].answer;
    std::string text = step.heading;
    if (text.empty() || std::string_view(".?!:").find(text.back()) == std::string_view::npos) text += '.';
    add_words(markdown::parsed(markdown), text);
    return text;
}

}  // namespace

float draw_lecture_strip(Context& context, Shell& shell, float bottom) {
    Presentation& presentation = shell.presentation();
    if (presentation.current() == nullptr || (in_view(shell) && !shell.presenter())) return 0;
    const Look& look = context.look;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const float words = 2 * look.line_height(Font::words_medium, type::narration);
    const float height = std::ceil(words + 2 * look.px(above));
    const ImVec2 corner = begin_strip(look, "##lecture-strip", bottom, height).low;
    const std::string number = fmt::format("{} / {}", presentation.step() + 1, presentation.lecture().steps.size());
    float right =
        corner.x + viewport.Size.x - look.px(strip_padding) - look.text_width(Font::words, type::heading, number);
    look.text(ImGui::GetWindowDrawList(), Font::words, type::heading,
              {right, corner.y + (height - look.line_height(Font::words, type::heading)) * 0.5F},
              look.color(Role::soft), number);
    if (presentation.waits()) {
        const ButtonLook how{.height = strip_button_height};
        right -= look.px(gap) + button_size(look, "Reveal", Icon::none, Icon::none, how).x;
        ImGui::SetCursorScreenPos({right, std::floor(corner.y + (height - look.px(strip_button_height)) * 0.5F)});
        if (button(look, "reveal", "Reveal", Icon::none, Icon::none, how)) presentation.reveal();
        tip(look, "Reveal the answer (Page Down)");
    }
    const bool bad = !presentation.problem().empty();
    if (bad) ImGui::PushStyleColor(ImGuiCol_Text, look.color(Role::cost));
    Narration::sentence(look, words_of(presentation, shell),
                        {corner.x + look.px(strip_padding), corner.y + look.px(above)},
                        right - look.px(2 * gap) - corner.x - look.px(strip_padding));
    if (bad) ImGui::PopStyleColor();
    ImGui::End();
    return height;
}

void draw_pointer(const Look& look, const Presentation& presentation) {
    if (!presentation.pointer || !ImGui::IsMousePosValid()) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_None);
    const ImVec2 at = ImGui::GetIO().MousePos;
    ImDrawList* const list = ImGui::GetForegroundDrawList();
    list->AddCircleFilled(at, look.px(16), look.color(Role::cursor, 0.25F));
    list->AddCircleFilled(at, look.px(7), look.color(Role::cursor));
    list->AddCircle(at, look.px(7.5F), look.color(Role::ground), 0, look.px(1.5F));
}

void draw_black_screen(Presentation& presentation) {
    if (!presentation.black) return;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(viewport.Pos);
    ImGui::SetNextWindowSize(viewport.Size);
    ImGui::SetNextWindowFocus();
    ImGui::Begin("##black", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground);
    ImGui::GetForegroundDrawList()->AddRectFilled(
        viewport.Pos, {viewport.Pos.x + viewport.Size.x, viewport.Pos.y + viewport.Size.y}, IM_COL32_BLACK);
    ImGui::SetMouseCursor(ImGuiMouseCursor_None);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) presentation.black = false;
    ImGui::End();
}

}  // namespace lanescope::ui
