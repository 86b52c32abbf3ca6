#include "ui/panel.h"

#include "scene/program_tag.h"
#include "ui/widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

// ImGui draws docked windows square and without a border. The card's corners are painted over with the background
// color, and the outline is drawn on top. The title is in the draw list of the host window, the content in the panel's
// own, which is drawn after it: each gets its half.
void round_corners(const Look& look, ImDrawList* list, ImRect card, bool top, float title_height) {
    const float radius = look.px(card_radius);
    const ImU32 ground = look.color(Role::ground), line = look.color(Role::line);
    const float split = card.Min.y + title_height;
    list->PushClipRect({card.Min.x, top ? card.Min.y : split}, {card.Max.x, top ? split : card.Max.y});
    const float y = top ? card.Min.y : card.Max.y;
    const float down = top ? 1.0F : -1.0F;
    for (const float side : {0.0F, 1.0F}) {
        const float x = side == 0 ? card.Min.x : card.Max.x;
        const float in = side == 0 ? 1.0F : -1.0F;
        const ImVec2 center(x + in * radius, y + down * radius);
        constexpr int parts = 8;
        for (int part = 0; part < parts; ++part) {
            const auto on_arc = [&](int at) {
                const float angle = 1.5707963F * static_cast<float>(at) / parts;
                return ImVec2(center.x - in * std::cos(angle) * radius, center.y - down * std::sin(angle) * radius);
            };
            list->AddTriangleFilled({x, y}, on_arc(part), on_arc(part + 1), ground);
        }
    }
    list->AddRect(card.Min, card.Max, line, radius);
    if (top) list->AddLine({card.Min.x, split - 1}, {card.Max.x, split - 1}, line);
    list->PopClipRect();
}

// The color of a panel's title.
Role role_of_title(const Panel& panel) {
    return panel.compared_program ? scene::role_of_program(*panel.compared_program) : Role::text;
}

// Along the top of a card that belongs to a compared program.
void draw_stripe(const Look& look, const Panel& panel, const ImRect& card) {
    if (!panel.compared_program) return;
    const float radius = look.px(card_radius), thick = look.px(3);
    ImGui::GetWindowDrawList()->AddRectFilled(
        {card.Min.x + radius, card.Min.y}, {card.Max.x - radius, card.Min.y + thick}, look.color(role_of_title(panel)));
}

// The right end of the tabs, pixels.
float past_tabs(const Look& look, const ImGuiDockNode& node) {
    float left = node.TabBar->BarRect.Min.x;
    for (const ImGuiTabItem& tab : node.TabBar->Tabs)
        left = std::max(left, node.TabBar->BarRect.Min.x + tab.Offset + tab.Width + look.px(gap));
    return left;
}

// Whether each tab of the window's dock has room for its whole name and a close button, as the dock was in the last
// frame. ImGui would cut the longest names.
bool has_room_for_crosses(const Look& look, const ImGuiWindow* window) {
    if (!look.roomy()) return false;
    if (window == nullptr || window->DockNode == nullptr || window->DockNode->TabBar == nullptr) return true;
    return width_of_tabs(*window->DockNode, true) <= window->DockNode->TabBar->BarRect.GetWidth();
}

// Whether the controls fit beside the tabs. They may cover the place of the last tab's close button, which is visible
// only while the mouse is over the tab.
bool has_room(const Look& look, const Panel& panel, float left, float right) {
    const float tab_button =
        look.roomy() ? ImGui::GetFontSize() + ImGui::GetStyle().ItemInnerSpacing.x + look.px(gap) : 0.0F;
    return right - panel.header_width >= left - tab_button;
}

// The subtitle that fits into `room` pixels; empty if none does.
std::string fitting_subtitle(const Panel& panel, const Context& context, float room) {
    const Look& look = context.look;
    const std::vector<std::string> subtitles = panel.subtitle(context);
    if (subtitles.empty() || room <= look.px(40)) return {};
    const auto fits = std::ranges::find_if(
        subtitles, [&](const std::string& each) { return look.text_width(Font::words, type::label, each) <= room; });
    if (fits != subtitles.end()) return *fits;
    return subtitles.size() > 1 ? std::string() : elided(look, Font::words, type::label, subtitles.front(), room);
}

void put_subtitle(const Look& look, const std::string& text, float x, float top, float height) {
    look.text(ImGui::GetWindowDrawList(), Font::words, type::label,
              {x, top + (height - look.line_height(Font::words, type::label)) * 0.5F}, look.color(Role::soft), text);
}

// The place of a panel's subtitle, pixels.
struct SubtitlePlace {
    float left = 0, top = 0, room = 0, height = 0;
};

// Draws the controls that do not fit beside the tabs on a line above the content; returns the room left of them.
std::optional<SubtitlePlace> draw_controls_inside(Panel& panel, Context& context, const ImGuiDockNode& node) {
    const Look& look = context.look;
    const float right = node.Pos.x + node.Size.x - look.px(card_padding);
    if (panel.header_width <= 0 || has_room(look, panel, past_tabs(look, node), right)) return {};
    constexpr float line = 32;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    if (ImGui::GetContentRegionAvail().y < 4 * look.px(line)) return {};
    const float controls = panel.header(context, right, corner.y, look.px(line));
    panel.header_width = right - controls;
    const float left = node.Pos.x + look.px(card_padding);
    ImGui::SetCursorScreenPos({corner.x, corner.y + look.px(line)});
    return SubtitlePlace{left, corner.y, controls - left, look.px(line)};
}

// The right part of the title: the panel's controls, then its subtitle as far as it fits.
void draw_right(Panel& panel, Context& context, const ImRect& card, float left, float right, float height) {
    const Look& look = context.look;
    if (!has_room(look, panel, left, right)) return;
    const float controls = panel.header(context, right, card.Min.y, height);
    panel.header_width = right - controls;
    const std::string subtitle = fitting_subtitle(panel, context, controls - left);
    if (subtitle.empty()) return;
    const float width = look.text_width(Font::words, type::label, subtitle);
    put_subtitle(look, subtitle, controls - width, card.Min.y, height);
}

void draw_header(Panel& panel, Context& context, ImGuiDockNode& node) {
    const Look& look = context.look;
    const ImRect card(node.Pos, {node.Pos.x + node.Size.x, node.Pos.y + node.Size.y});
    const float height = node.TabBar->BarRect.GetHeight();
    const float left = past_tabs(look, node);
    // ImGui amends a title bar by appending to the dock's own window (DockNodeBeginAmendTabBar).
    ImGui::Begin(node.HostWindow->Name);
    draw_right(panel, context, card, left, card.Max.x - look.px(card_padding), height);
    round_corners(look, ImGui::GetWindowDrawList(), card, true, height);
    draw_stripe(look, panel, card);
    ImGui::End();
}

}  // namespace

float width_of_tabs(const ImGuiDockNode& node, bool crosses) {
    float width = 0;
    for (const ImGuiWindow* const window : node.Windows)
        width += ImGui::TabItemCalcSize(window->Name, crosses).x + ImGui::GetStyle().ItemInnerSpacing.x;
    return std::ceil(width);
}

void draw_card(Panel& panel, Context& context) {
    panel.under_mouse = false;
    if (!panel.open) return;
    const Look& look = context.look;
    if (panel.appear) {
        ImGui::SetNextWindowFocus();
        panel.appear = false;
    }
    ImGui::SetNextWindowSize({look.px(460), look.px(360)}, ImGuiCond_FirstUseEver);
    // An unselected tab has dimmed text: ImGui takes the colors of its window.
    const ImGuiWindow* last = ImGui::FindWindowByName(panel.title());
    const bool behind = last != nullptr && last->DockIsActive && !last->DockTabIsVisible;
    ImGui::PushStyleColor(ImGuiCol_Text, look.color(behind ? Role::soft : role_of_title(panel)));
    // A close button takes the width of two letters from every tab. Where the names need it, the View menu closes
    // panels. Panels that reappear after one was maximized must not take the focus, and with it the
    // selected tab.
    const bool visible = ImGui::Begin(panel.title(), has_room_for_crosses(look, last) ? &panel.open : nullptr,
                                      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar |
                                          ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleColor();
    ImGuiDockNode* node = ImGui::GetCurrentWindow()->DockIsActive ? ImGui::GetCurrentWindow()->DockNode : nullptr;
    const bool docked = node != nullptr && node->TabBar != nullptr && node->HostWindow != nullptr;
    // While tabs are being selected, two panels of a dock may be drawn in one frame, with one title bar.
    const bool titled = docked && (node->VisibleWindow == nullptr || node->VisibleWindow == ImGui::GetCurrentWindow());
    if (visible) {
        std::optional<SubtitlePlace> inside;
        if (docked) inside = draw_controls_inside(panel, context, *node);
        {
            const Type words(look, Font::words, type::body);
            panel.drawn_at = ImGui::GetFrameCount();
            panel.draw(context);
        }
        // The subtitle may change from frame to frame.
        if (inside) {
            if (const std::string subtitle = fitting_subtitle(panel, context, inside->room); !subtitle.empty())
                put_subtitle(look, subtitle, inside->left, inside->top, inside->height);
        }
        panel.under_mouse = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
        if (docked) {
            const ImRect card(node->Pos, {node->Pos.x + node->Size.x, node->Pos.y + node->Size.y});
            round_corners(look, ImGui::GetWindowDrawList(), card, false, node->TabBar->BarRect.GetHeight());
        }
    }
    ImGui::End();
    if (visible && titled) draw_header(panel, context, *node);
}

bool draw_alone(Panel& panel, Context& context, ImVec2 at, ImVec2 size) {
    const Look& look = context.look;
    const ImRect card(at, {at.x + size.x, at.y + size.y});
    constexpr float control = 24;
    // In the card's own scale, which the fonts of ImGui's frame do not have.
    const float height =
        std::max(look.line_height(Font::words_medium, type::heading) + 2 * ImGui::GetStyle().FramePadding.y,
                 look.px(control + 2));
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    const std::string name = std::string("##alone/") + panel.title();
    ImGui::Begin(name.c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float title = look.text(
        list, Font::words_medium, type::heading,
        {at.x + look.px(card_padding), at.y + (height - look.line_height(Font::words_medium, type::heading)) * 0.5F},
        look.color(role_of_title(panel)), panel.title());
    const float right = card.Max.x - look.px(card_padding) - look.px(control);
    ImGui::SetCursorScreenPos({right, at.y + (height - look.px(control)) * 0.5F});
    const bool back = button(look, "##back", "", Icon::cross, Icon::none, {.quiet = true, .height = control});
    tip(look, "Restore panel (Escape)");
    draw_right(panel, context, card, at.x + 2 * look.px(card_padding) + title, right - look.px(gap), height);
    round_corners(look, list, card, true, height);
    draw_stripe(look, panel, card);
    ImGui::SetCursorScreenPos({at.x, at.y + height});
    ImGui::BeginChild("content", {size.x, size.y - height}, ImGuiChildFlags_None,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    {
        const Type words(look, Font::words, type::body);
        panel.drawn_at = ImGui::GetFrameCount();
        panel.draw(context);
    }
    panel.under_mouse = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
    round_corners(look, ImGui::GetWindowDrawList(), card, false, height);
    ImGui::EndChild();
    ImGui::End();
    return back;
}

}  // namespace lanescope::ui
