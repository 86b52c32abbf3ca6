#include "ui/panels/help.h"

#include "ui/commands.h"
#include "ui/widgets.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float column_width = 350, group_gap = 0.5F;

using Group = std::vector<const Command*>;  // of one menu, those with keys
using Column = std::vector<Group>;

/// The groups in at most `most` columns: the largest first, each in the column that is lowest then. In a column, and
/// from one to the next, they keep the order of the menus.
std::vector<Column> columns_of(std::size_t most) {
    std::vector<Group> groups;
    for (const Command& command : commands()) {
        if (command.key.shown.empty()) continue;
        if (groups.empty() || groups.back().front()->menu != command.menu) groups.emplace_back();
        groups.back().push_back(&command);
    }
    std::vector<std::size_t> by_size(groups.size());
    std::iota(by_size.begin(), by_size.end(), std::size_t{0});
    std::ranges::stable_sort(by_size, std::greater<>(), [&](std::size_t group) { return groups[group].size(); });
    struct Filled {
        std::vector<std::size_t> groups;
        std::size_t rows = 0;
    };
    std::vector<Filled> filled(std::min(most, groups.size()));
    for (const std::size_t group : by_size) {
        Filled& lowest = *std::ranges::min_element(filled, {}, &Filled::rows);
        lowest.groups.push_back(group);
        lowest.rows += groups[group].size() + 1;
    }
    for (Filled& each : filled) std::ranges::sort(each.groups);
    std::ranges::sort(filled, {}, [](const Filled& each) { return each.groups.front(); });
    std::vector<Column> columns;
    for (const Filled& each : filled) {
        columns.emplace_back();
        for (const std::size_t group : each.groups) columns.back().push_back(groups[group]);
    }
    return columns;
}

/// The height in rows; a group begins with the name of its menu.
float rows_of(const Column& column) {
    float rows = group_gap * static_cast<float>(column.size() - 1);
    for (const Group& group : column) rows += static_cast<float>(group.size() + 1);
    return rows;
}

}  // namespace

void draw_help(const Context& context, bool& open) {
    const Look& look = context.look;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const float column = look.px(column_width), pad = look.px(20);
    const auto fitting = static_cast<int>((viewport.Size.x - 3 * pad) / (column + pad));
    const std::vector<Column> columns = columns_of(static_cast<std::size_t>(std::clamp(fitting, 1, 3)));
    // Rows move closer together in a low window but never overlap.
    float rows = 1;
    for (const Column& each : columns) rows = std::max(rows, rows_of(each));
    const float low = (viewport.Size.y - 4 * pad - look.px(38)) / rows;
    const float row = std::clamp(low, look.line_height(Font::words, type::body), look.px(22));
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
    // A click elsewhere closes it.
    if (!ImGui::IsWindowAppearing() && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
        !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) {
        open = false;
    }
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const auto count = static_cast<float>(columns.size());
    const float width = count * column + (count - 1) * pad;
    look.text(list, Font::words_bold, 17, start, look.color(Role::text), "Keys");
    ImGui::SetCursorScreenPos({start.x + width - look.px(control_height), start.y - look.px(6)});
    if (button(look, "##close", "", Icon::cross, Icon::none, {.quiet = true})) open = false;

    float x = start.x, tallest = 0;
    for (const Column& each : columns) {
        float y = start.y + look.px(38);
        for (const Group& group : each) {
            look.text(list, Font::words, type::label, {x, y}, look.color(Role::soft), group.front()->menu);
            y += row;
            for (const Command* command : group) {
                look.text(list, Font::words, type::body, {x, y}, look.color(Role::text), command->name);
                std::string keys(command->key.shown);
                if (!command->other_key.shown.empty()) keys += " or " + std::string(command->other_key.shown);
                const float wide = look.text_width(Font::code, type::label, keys);
                look.text(list, Font::code, type::label, {x + column - wide, y}, look.color(Role::soft), keys);
                y += row;
            }
            y += row * group_gap;
        }
        tallest = std::max(tallest, y - row * group_gap);
        x += column + pad;
    }
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({width, tallest - start.y});
    ImGui::End();
}

}  // namespace lanescope::ui
