#include "ui/look.h"

#include "scene/text.h"

#include <cmath>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

void Look::load_fonts() {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    const auto add = [&](std::string_view bytes, bool merge) {
        ImFontConfig config;
        config.FontDataOwnedByAtlas = false;
        config.MergeMode = merge;
        // ImGui takes a mutable pointer but does not write through it.
        return atlas.AddFontFromMemoryTTF(const_cast<char*>(bytes.data()), static_cast<int>(bytes.size()), 0, &config);
    };
    const std::string_view fallback = scene::fallback_font_bytes();
    for (const Font font : {Font::words_medium, Font::words, Font::words_bold, Font::code, Font::code_bold}) {
        Face& made = faces_[static_cast<std::size_t>(font)];
        made.font = add(scene::font_bytes(font), false);
        made.line_per_em = scene::ascent(font, 1) + scene::descent(font, 1);
        if (!fallback.empty()) add(fallback, true);
    }
    ImGui::GetIO().FontDefault = face(Font::words_medium).font;  // panel titles, which ImGui draws
}

ImVec4 Look::color4(Role role, float alpha) const {
    const scene::Color color = scene::color_of(theme_, {role, alpha});
    return {static_cast<float>(color.r) / 255, static_cast<float>(color.g) / 255, static_cast<float>(color.b) / 255,
            color.a};
}

ImU32 Look::color(Role role, float alpha) const { return ImGui::ColorConvertFloat4ToU32(color4(role, alpha)); }

void Look::push(Font font, float em) const { ImGui::PushFont(face(font).font, em * face(font).line_per_em); }

float Look::line_height(Font font, float em) const { return std::ceil(px(em * face(font).line_per_em)); }

float Look::text_width(Font font, float em, std::string_view text) const {
    if (text.empty()) return 0;  // to ImGui an end that is null means a C string
    return face(font)
        .font->CalcTextSizeA(px(em * face(font).line_per_em), 1e9F, 0, text.data(), text.data() + text.size())
        .x;
}

float Look::text(ImDrawList* list, Font font, float em, ImVec2 at, ImU32 color, std::string_view text) const {
    if (text.empty()) return 0;
    const float size = px(em * face(font).line_per_em);
    const ImVec2 snapped(std::floor(at.x), std::floor(at.y));
    list->AddText(face(font).font, size, snapped, color, text.data(), text.data() + text.size());
    const float width = text_width(font, em, text);
    if (log_ != nullptr) {
        log_->push_back({std::string(text),
                         list,
                         snapped,
                         {snapped.x + width, snapped.y + line_height(font, em)},
                         list->GetClipRectMin(),
                         list->GetClipRectMax()});
    }
    return width;
}

void Look::apply(scene::Theme theme, float scale, bool roomy, bool slim) {
    theme_ = theme;
    scale_ = scale;
    roomy_ = roomy;
    slim_ = slim;
    ImGuiStyle style;
    style.FontSizeBase = type::heading * face(Font::words_medium).line_per_em;
    style.FontScaleMain = 1;

    style.WindowPadding = {0, 0};
    style.WindowRounding = card_radius;
    style.WindowBorderSize = 0;
    style.ChildBorderSize = 0;
    style.PopupRounding = card_radius;
    style.PopupBorderSize = 1;
    style.FrameRounding = control_radius;
    style.FrameBorderSize = 0;
    // Panel headers become 34 points high, 26 if slim, and their titles align with the text.
    style.FramePadding = {roomy ? 5.0F : 3.0F, slim ? 4.0F : 8.0F};
    style.ItemSpacing = {8, 6};
    style.ItemInnerSpacing = {6, 4};
    style.CellPadding = {8, 4};
    style.ScrollbarSize = 10;
    style.ScrollbarRounding = 5;
    style.GrabRounding = 4;
    style.TabRounding = 0;
    style.TabBorderSize = 0;
    style.TabBarBorderSize = 0;
    style.TabBarOverlineSize = 0;
    style.TabCloseButtonMinWidthSelected = 0;  // visible while the mouse is over the tab
    style.TabCloseButtonMinWidthUnselected = 0;
    style.TabMinWidthShrink = roomy ? 44.0F : 28.0F;  // many tabs lose their buttons before they scroll
    style.DockingSeparatorSize = gap;
    style.DockingNodeHasCloseButton = false;  // a panel's tab has one
    style.WindowMenuButtonPosition = ImGuiDir_None;
    style.SeparatorTextBorderSize = 1;
    style.HoverStationaryDelay = 0.05F;
    style.ScaleAllSizes(scale);
    style.FontScaleMain = scale;
    // At least one pixel.
    style.PopupBorderSize = std::max(1.0F, std::round(scale));

    const auto set = [&](ImGuiCol which, Role role, float alpha = 1) { style.Colors[which] = color4(role, alpha); };
    set(ImGuiCol_Text, Role::text);
    set(ImGuiCol_TextDisabled, Role::soft);
    set(ImGuiCol_TextLink, Role::useful);
    set(ImGuiCol_TextSelectedBg, Role::useful, 0.35F);
    set(ImGuiCol_InputTextCursor, Role::text);
    set(ImGuiCol_WindowBg, Role::panel);
    set(ImGuiCol_ChildBg, Role::none);
    set(ImGuiCol_PopupBg, Role::panel);
    set(ImGuiCol_Border, Role::line);
    set(ImGuiCol_BorderShadow, Role::none);
    set(ImGuiCol_FrameBg, Role::raised);
    set(ImGuiCol_FrameBgHovered, Role::line);
    set(ImGuiCol_FrameBgActive, Role::line);
    set(ImGuiCol_TitleBg, Role::panel);
    set(ImGuiCol_TitleBgActive, Role::panel);
    set(ImGuiCol_TitleBgCollapsed, Role::panel);
    set(ImGuiCol_MenuBarBg, Role::panel);
    set(ImGuiCol_ScrollbarBg, Role::none);
    set(ImGuiCol_ScrollbarGrab, Role::line);
    set(ImGuiCol_ScrollbarGrabHovered, Role::soft, 0.6F);
    set(ImGuiCol_ScrollbarGrabActive, Role::soft);
    set(ImGuiCol_CheckMark, Role::useful);
    set(ImGuiCol_SliderGrab, Role::useful);
    set(ImGuiCol_SliderGrabActive, Role::useful);
    set(ImGuiCol_Button, Role::raised);
    set(ImGuiCol_ButtonHovered, Role::line);
    set(ImGuiCol_ButtonActive, Role::line);
    set(ImGuiCol_Header, Role::useful, 0.20F);
    set(ImGuiCol_HeaderHovered, Role::line);
    set(ImGuiCol_HeaderActive, Role::useful, 0.30F);
    set(ImGuiCol_Separator, Role::none);
    set(ImGuiCol_SeparatorHovered, Role::useful, 0.5F);
    set(ImGuiCol_SeparatorActive, Role::useful);
    set(ImGuiCol_ResizeGrip, Role::none);
    set(ImGuiCol_ResizeGripHovered, Role::line);
    set(ImGuiCol_ResizeGripActive, Role::useful);
    set(ImGuiCol_Tab, Role::panel);
    set(ImGuiCol_TabHovered, Role::raised);
    set(ImGuiCol_TabSelected, Role::panel);
    set(ImGuiCol_TabSelectedOverline, Role::none);
    set(ImGuiCol_TabDimmed, Role::panel);
    set(ImGuiCol_TabDimmedSelected, Role::panel);
    set(ImGuiCol_TabDimmedSelectedOverline, Role::none);
    set(ImGuiCol_DockingPreview, Role::useful, 0.4F);
    set(ImGuiCol_DockingEmptyBg, Role::ground);
    set(ImGuiCol_PlotLines, Role::useful);
    set(ImGuiCol_TableHeaderBg, Role::none);
    set(ImGuiCol_TableBorderStrong, Role::line);
    set(ImGuiCol_TableBorderLight, Role::line);
    set(ImGuiCol_TableRowBg, Role::none);
    set(ImGuiCol_TableRowBgAlt, Role::none);
    set(ImGuiCol_NavCursor, Role::useful);
    set(ImGuiCol_ModalWindowDimBg, Role::ground, 0.6F);
    ImGui::GetStyle() = style;
}

}  // namespace lanescope::ui
