#include "ui/panels/source_plain.h"

#include "base/text.h"
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
        folded_for_ = -1;
        first_time = true;
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x + edge, ImGui::GetCursorScreenPos().y});
    const float text_room =
        std::max(room.x - 2 * edge - gutter - look.px(gap) - ImGui::GetStyle().ScrollbarSize, look.px(gap));
    const float room_em = text_room / look.px(type::code);
    if (folded_for_ != room_em) rows_ = folded(look, lines_, room_em);
    folded_for_ = room_em;
    ImGui::BeginChild("plain", {room.x - 2 * edge, room.y - edge});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float left = ImGui::GetWindowPos().x, width = ImGui::GetWindowWidth();
    ImGui::Dummy({1, look.px(gap)});
    for (const TextRow& part : rows_.rows) {
        const TintedLine& line = lines_.lines[part.line];
        const std::uint32_t number = part.line + 1;
        const auto complaint =
            std::ranges::find_if(workspace.diagnostics(), [&](const compile::Diagnostic& diagnostic) {
                return diagnostic.line == number && diagnostic.severity == compile::Diagnostic::Severity::error;
            });
        const bool wrong = complaint != workspace.diagnostics().end();
        const bool is_first = part.begin == 0, is_last = part.end == line.text.size();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const auto middle = [&](Font font, float em) {
            return at.y + std::floor((row - look.line_height(font, em)) * 0.5F);
        };
        if (wrong) {
            list->AddRectFilled({left, at.y}, {left + width, at.y + row}, look.color(Role::cost, 0.16F));
            if (is_first) {
                draw_icon(list, Icon::warning, {left + look.px(48), at.y + row * 0.5F}, look.px(12),
                          look.color(Role::cost));
                if (first_time) ImGui::SetScrollHereY(0.4F);
            }
        }
        if (is_first) {
            const std::string label = fmt::format("{}", number);
            look.text(
                list, Font::code, type::label,
                {left + look.px(38) - look.text_width(Font::code, type::label, label), middle(Font::code, type::label)},
                look.color(Role::soft), label);
        }
        look.text(list, Font::code, type::code,
                  {at.x + gutter + part.indent_em * look.px(type::code), middle(Font::code, type::code)},
                  look.color(Role::text), std::string_view(line.text).substr(part.begin, part.end - part.begin));
        ImGui::Dummy({width - gutter, row});
        if (!wrong || !is_last) continue;
        const Type words(look, Font::words_medium, type::label);
        const float high = ImGui::CalcTextSize(complaint->text.c_str(), nullptr, false, text_room).y;
        const ImVec2 below = ImGui::GetCursorScreenPos();
        const float padding = std::max(row - ImGui::GetTextLineHeight(), 0.0F);
        list->AddRectFilled({left, below.y}, {left + width, below.y + high + padding}, look.color(Role::cost, 0.16F));
        ImGui::SetCursorScreenPos({below.x + gutter, below.y + padding * 0.5F});
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + text_room);
        ImGui::TextColored(look.color4(Role::cost), "%s", complaint->text.c_str());
        ImGui::PopTextWrapPos();
        ImGui::SetCursorScreenPos({below.x, below.y + high + padding});
        ImGui::Dummy({1, 0});
    }
    ImGui::PopStyleVar();
    ImGui::EndChild();
}

}  // namespace lanescope::ui
