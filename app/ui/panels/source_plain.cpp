#include "ui/panels/source_plain.h"

#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

void PlainSource::draw(const Context& context, const std::string& text) {
    const Look& look = context.look;
    const Workspace& workspace = context.workspace;
    const float row = look.px(source_line_height), gutter = look.px(source_gutter), edge = look.px(2);
    bool first_time = false;
    if (text_ != text) {
        text_ = text;
        lines_ = tinted(look, lines_of(text_), Language::cuda);
        first_time = true;
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x + edge, ImGui::GetCursorScreenPos().y});
    ImGui::BeginChild("plain", {room.x - 2 * edge, room.y - edge}, ImGuiChildFlags_None,
                      ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float left = ImGui::GetWindowPos().x, width = ImGui::GetWindowWidth();
    ImGui::Dummy({1, look.px(gap)});
    for (std::size_t index = 0; index < lines_.lines.size(); ++index) {
        const TintedLine& line = lines_.lines[index];
        const auto number = static_cast<std::uint32_t>(index + 1);
        const auto complaint =
            std::ranges::find_if(workspace.diagnostics(), [&](const compile::Diagnostic& diagnostic) {
                return diagnostic.line == number && diagnostic.severity == compile::Diagnostic::Severity::error;
            });
        const bool wrong = complaint != workspace.diagnostics().end();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (wrong) {
            list->AddRectFilled({left, at.y}, {left + width, at.y + 2 * row}, look.color(Role::cost, 0.16F));
            draw_icon(list, Icon::warning, {left + look.px(48), at.y + row * 0.5F}, look.px(12),
                      look.color(Role::cost));
            if (first_time) ImGui::SetScrollHereY(0.4F);
        }
        const std::string label = fmt::format("{}", number);
        const auto top = [&](float em) { return at.y + std::floor((row - look.line_height(Font::code, em)) * 0.5F); };
        look.text(list, Font::code, type::label,
                  {left + look.px(38) - look.text_width(Font::code, type::label, label), top(type::label)},
                  look.color(Role::soft), label);
        look.text(list, Font::code, type::code, {at.x + gutter, top(type::code)}, look.color(Role::text), line.text);
        ImGui::Dummy({gutter + look.text_width(Font::code, type::code, line.text), row});
        if (!wrong) continue;
        look.text(list, Font::words_medium, type::label,
                  {at.x + gutter, at.y + row + (row - look.line_height(Font::words_medium, type::label)) * 0.5F},
                  look.color(Role::cost), complaint->text);
        ImGui::Dummy({gutter + look.text_width(Font::words_medium, type::label, complaint->text), row});
    }
    ImGui::PopStyleVar();
    ImGui::EndChild();
}

}  // namespace lanescope::ui
