#include "ui/menu.h"

#include "ui/commands.h"
#include "ui/shell.h"
#include "ui/widgets.h"

#include <cmath>
#include <string>
#include <vector>

namespace lanescope::ui {

using scene::Font;

namespace {

constexpr float word_padding = 10;
constexpr const char* all_in_one = "Menu";

std::vector<std::string> menus() {
    std::vector<std::string> names;
    for (const Command& command : commands()) {
        if (names.empty() || names.back() != command.menu) names.emplace_back(command.menu);
    }
    return names;
}

void choices(Shell& shell, const std::vector<Choice>& all) {
    for (const Choice& choice : all) {
        // Two files may have one name.
        ImGui::PushID(choice.detail.c_str());
        if (ImGui::MenuItem(choice.name.c_str(), choice.detail.empty() ? nullptr : choice.detail.c_str(),
                            choice.checked.value_or(false))) {
            choice.act(shell);
        }
        ImGui::PopID();
    }
}

void rows(Shell& shell, const std::string& menu) {
    for (const Command& each : commands()) {
        if (each.menu != menu) continue;
        if (each.ruled) ImGui::Separator();
        const std::string name(each.name);
        if (each.choices != nullptr) {
            const std::vector<Choice> all = each.choices(shell);
            if (ImGui::BeginMenu(name.c_str(), !all.empty())) {
                choices(shell, all);
                ImGui::EndMenu();
            }
            continue;
        }
        const bool checked = each.checked != nullptr && each.checked(shell);
        if (ImGui::MenuItem(name.c_str(), std::string(each.key.shown).c_str(), checked, possible(each, shell)))
            each.act(shell);
    }
}

}  // namespace

float menu_width(const Look& look, bool brief) {
    const auto word = [&](const std::string& name) {
        return std::ceil(look.text_width(Font::words_medium, type::label, name) + 2 * look.px(word_padding));
    };
    if (brief) return word(all_in_one);
    float width = 0;
    for (const std::string& menu : menus()) width += word(menu);
    return width;
}

void draw_menu(const Look& look, Shell& shell, bool brief) {
    const Type words(look, Font::words_medium, type::label);
    // The bar is as tall as its text and the padding; ImGui leaves the item spacing on both sides of a word.
    const float inside = std::floor((look.px(control_height) - ImGui::GetFontSize()) * 0.5F);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.px(word_padding), inside});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look.px(word_padding), look.px(6)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("menu", {menu_width(look, brief), look.px(control_height)}, ImGuiChildFlags_None,
                      ImGuiWindowFlags_MenuBar | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    if (ImGui::BeginMenuBar()) {
        ImGui::SetCursorPosX(0);
        if (shell.take_menu_wanted()) ImGui::OpenPopup(brief ? all_in_one : menus().front().c_str());
        const auto menu = [&](const char* name, auto&& fill) {
            ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(8), look.px(8)});
            if (ImGui::BeginMenu(name)) {
                ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look.px(10), look.px(7)});
                fill();
                ImGui::PopStyleVar();
                ImGui::EndMenu();
            }
            ImGui::PopStyleVar();
        };
        if (brief) {
            menu(all_in_one, [&] {
                for (const std::string& name : menus()) menu(name.c_str(), [&] { rows(shell, name); });
            });
        } else {
            for (const std::string& name : menus()) menu(name.c_str(), [&] { rows(shell, name); });
        }
        ImGui::EndMenuBar();
    }
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
}

}  // namespace lanescope::ui
