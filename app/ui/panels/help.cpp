#include "ui/panels/help.h"

#include "ui/commands.h"
#include "ui/widgets.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

void draw_help(const Context& context, bool& open) {
    const Look& look = context.look;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const float row = look.px(24), column = look.px(390), pad = look.px(20);
    const bool two_columns = viewport.Size.x > 2 * column + 4 * pad;
    ImGui::SetNextWindowPos({viewport.Pos.x + viewport.Size.x * 0.5F, viewport.Pos.y + viewport.Size.y * 0.5F},
                            ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {viewport.Size.x - 2 * pad, viewport.Size.y - 2 * pad});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad, pad});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("Keys", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar(2);
    if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
    // A click beside it is as good as Escape.
    if (!ImGui::IsWindowAppearing() && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
        !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) {
        open = false;
    }
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 start = ImGui::GetCursorScreenPos();
    look.text(list, Font::words_bold, 17, start, look.color(Role::text), "Keys");
    const float close = control_height;
    ImGui::SetCursorScreenPos(
        {start.x + (two_columns ? 2 * column + pad : column) - look.px(close), start.y - look.px(6)});
    if (button(look, "##close", "", Icon::cross, Icon::none, {.quiet = true})) open = false;

    float x = start.x, y = start.y + look.px(38), tallest = y;
    std::string_view group;
    for (const Command& command : commands()) {
        if (command.group != group) {
            // The second half of the groups stands beside the first.
            if (two_columns && command.group == "Launch") {
                x += column + pad;
                y = start.y + look.px(38);
            } else if (!group.empty()) {
                y += look.px(10);
            }
            group = command.group;
            look.text(list, Font::words, type::label, {x, y}, look.color(Role::soft), group);
            y += row;
        }
        look.text(list, Font::words, type::body, {x, y}, look.color(Role::text), command.name);
        std::string keys(command.key.shown);
        if (!command.other_key.shown.empty()) keys += "  or  " + std::string(command.other_key.shown);
        const float wide = look.text_width(Font::code, type::label, keys);
        look.text(list, Font::code, type::label, {x + column - wide, y}, look.color(Role::soft), keys);
        y += row;
        tallest = std::max(tallest, y);
    }
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({two_columns ? 2 * column + pad : column, tallest - start.y});
    ImGui::End();
}

}  // namespace lanescope::ui
