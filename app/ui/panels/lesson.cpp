#include "ui/panels/lesson.h"

#include "ui/sentences.h"

#include <fmt/format.h>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

void paragraph(const Look& look, Font font, float em, Role role, const std::string& text) {
    if (text.empty()) return;
    const Type set(look, font, em);
    ImGui::PushStyleColor(ImGuiCol_Text, look.color(role));
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopStyleColor();
}

void heading(const Look& look, const char* text) {
    ImGui::Dummy({1, look.px(gap)});
    paragraph(look, Font::words_medium, type::label, Role::soft, text);
}

/// A quotation: a bar at its left, as tall as its text.
void quotation(const Look& look, const std::string& text) {
    const float indent = look.px(12);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    ImGui::Indent(indent);
    paragraph(look, Font::words, type::body, Role::text, text);
    ImGui::Unindent(indent);
    const float bottom = ImGui::GetItemRectMax().y;
    ImGui::GetWindowDrawList()->AddRectFilled({top.x, top.y}, {top.x + look.px(3), bottom}, look.color(Role::line));
    ImGui::Dummy({1, look.px(4)});
}

/// One of several: a dot at its left.
void item(const Look& look, const std::string& text) {
    const float indent = look.px(12);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const float line = look.line_height(Font::words, type::body);
    ImGui::GetWindowDrawList()->AddCircleFilled({top.x + look.px(3), top.y + line * 0.5F}, look.px(2),
                                                look.color(Role::soft));
    ImGui::Indent(indent);
    paragraph(look, Font::words, type::body, Role::text, text);
    ImGui::Unindent(indent);
    ImGui::Dummy({1, look.px(2)});
}

}  // namespace

void LessonPanel::draw(Context& context) {
    const Look& look = context.look;
    const Shown* shown = context.workspace.shown();
    const float edge = look.px(2), pad = look.px(card_padding);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + edge);
    ImGui::BeginChild("text", {room.x - 2 * edge, room.y - edge});
    ImGui::SetCursorPos({pad, look.px(gap)});
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - pad);
    if (shown == nullptr) {
        paragraph(look, Font::words, type::body, Role::soft, "Choose a kernel above.");
    } else {
        const session::Program& program = shown->run->program;
        paragraph(look, Font::words_bold, type::narration, Role::text,
                  program.title.empty() ? program.name : program.title);
        ImGui::Dummy({1, look.px(4)});
        paragraph(look, Font::words, type::heading, Role::text,
                  program.summary.empty() ? "The file says nothing about itself; lines of the form \"// lanescope: "
                                            "summary = ...\" would stand here."
                                          : program.summary);
        const auto closed_form = [&](const char* what, const std::string& formula) {
            if (!formula.empty())
                paragraph(look, Font::words, type::body, Role::text, fmt::format("{} {}", what, formula));
        };
        if (!program.work.empty() || !program.span.empty()) heading(look, "Its cost");
        closed_form("Operator applications, the work:", program.work);
        closed_form("The longest chain of them, the span:", program.span);
        heading(look, "In this run");
        paragraph(look, Font::words, type::body, Role::text, run_sentence(*shown));
        if (!program.look.empty()) heading(look, "What to look at");
        for (const std::string& sentence : program.look) item(look, sentence);
        if (!program.words.empty()) heading(look, "In the lecture's words");
        for (const std::string& words : program.words) quotation(look, words);
        if (!program.lecture.empty()) heading(look, "From");
        paragraph(look, Font::words, type::body, Role::text, program.lecture);
        if (!program.reading.empty()) heading(look, "Further reading");
        for (const std::string& title : program.reading) item(look, title);
    }
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
    ImGui::EndChild();
}

}  // namespace lanescope::ui
