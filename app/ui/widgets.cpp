#include "ui/widgets.h"

#include "ui/drop_list.h"
#include "ui/fact_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float button_padding = 12, icon_size = 9, icon_gap = 7, segment_padding = 14, badge_padding = 8;

void triangle(ImDrawList* list, ImVec2 center, float size, bool right, ImU32 color) {
    const float dx = right ? size * 0.5F : -size * 0.5F;
    list->AddTriangleFilled({center.x - dx, center.y - size * 0.5F}, {center.x - dx, center.y + size * 0.5F},
                            {center.x + dx, center.y}, color);
}

// Places the next window of about `size` beside `clear`: at the right, at the left, else above or below.
void place_beside(const Area& clear, ImVec2 size) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const ImVec2 far(viewport.Pos.x + viewport.Size.x, viewport.Pos.y + viewport.Size.y);
    const float away = ImGui::GetFontSize() * 0.75F;
    const float y = std::max(viewport.Pos.y, std::min(clear.low.y, far.y - size.y - away));
    if (clear.high.x + away + size.x <= far.x) {
        ImGui::SetNextWindowPos({clear.high.x + away, y});
    } else if (clear.low.x - away - size.x >= viewport.Pos.x) {
        ImGui::SetNextWindowPos({clear.low.x - away, y}, ImGuiCond_Always, {1, 0});
    } else {
        const float x = std::min(ImGui::GetMousePos().x, far.x - size.x - away);
        const bool below = clear.high.y + away + size.y <= far.y;
        ImGui::SetNextWindowPos({x, below ? clear.high.y + away : clear.low.y - away}, ImGuiCond_Always,
                                {0, below ? 0.0F : 1.0F});
    }
}

// The top of a line of text that is centered in `height`.
float centered_top(const Look& look, Font font, float em, float top, float height) {
    return std::floor(top + (height - look.line_height(font, em)) * 0.5F);
}

}  // namespace

void draw_icon(ImDrawList* list, Icon icon, ImVec2 c, float size, ImU32 color) {
    const float h = size * 0.5F;
    const float stroke = std::max(1.0F, size * 0.16F);
    switch (icon) {
        case Icon::none: break;
        case Icon::to_start:
            list->AddRectFilled({c.x - h, c.y - h}, {c.x - h + stroke, c.y + h}, color);
            triangle(list, {c.x + stroke, c.y}, size, false, color);
            break;
        case Icon::to_end:
            list->AddRectFilled({c.x + h - stroke, c.y - h}, {c.x + h, c.y + h}, color);
            triangle(list, {c.x - stroke, c.y}, size, true, color);
            break;
        case Icon::back: triangle(list, c, size, false, color); break;
        case Icon::play:
        case Icon::forward: triangle(list, c, size, true, color); break;
        case Icon::pause:
            list->AddRectFilled({c.x - h * 0.8F, c.y - h}, {c.x - h * 0.2F, c.y + h}, color);
            list->AddRectFilled({c.x + h * 0.2F, c.y - h}, {c.x + h * 0.8F, c.y + h}, color);
            break;
        case Icon::sun:
            list->AddCircleFilled(c, size * 0.27F, color);
            for (int ray = 0; ray < 8; ++ray) {
                const float angle = static_cast<float>(ray) * 0.785398F;
                const ImVec2 way(std::cos(angle), std::sin(angle));
                list->AddLine({c.x + way.x * size * 0.40F, c.y + way.y * size * 0.40F},
                              {c.x + way.x * size * 0.56F, c.y + way.y * size * 0.56F}, color, stroke);
            }
            break;
        case Icon::moon: {
            // A crescent: the outer arc there, the inner arc back.
            constexpr int parts = 14;
            for (int i = 0; i <= parts; ++i) {
                const float angle = -0.9F + 3.6F * static_cast<float>(i) / parts;
                list->PathLineTo({c.x + std::cos(angle + 0.65F) * h, c.y + std::sin(angle + 0.65F) * h});
            }
            const float back = h * 0.82F;
            for (int i = 0; i <= parts; ++i) {
                const float angle = 3.05F - 2.75F * static_cast<float>(i) / parts;
                list->PathLineTo({c.x + h * 0.42F + std::cos(angle + 0.35F) * back,
                                  c.y - h * 0.38F + std::sin(angle + 0.35F) * back});
            }
            list->PathFillConcave(color);
            break;
        }
        case Icon::question:
            list->PathArcTo({c.x, c.y - h * 0.35F}, h * 0.55F, 3.14159F, 3.14159F * 2.30F, 12);
            list->PathLineTo({c.x, c.y + h * 0.35F});
            list->PathStroke(color, stroke);
            list->AddCircleFilled({c.x, c.y + h * 0.85F}, stroke * 0.75F, color);
            break;
        case Icon::check:
            list->PathLineTo({c.x - h, c.y + h * 0.05F});
            list->PathLineTo({c.x - h * 0.25F, c.y + h * 0.75F});
            list->PathLineTo({c.x + h, c.y - h * 0.75F});
            list->PathStroke(color, stroke * 1.25F);
            break;
        case Icon::cross:
            list->AddLine({c.x - h * 0.8F, c.y - h * 0.8F}, {c.x + h * 0.8F, c.y + h * 0.8F}, color, stroke * 1.25F);
            list->AddLine({c.x - h * 0.8F, c.y + h * 0.8F}, {c.x + h * 0.8F, c.y - h * 0.8F}, color, stroke * 1.25F);
            break;
        case Icon::warning:
            list->AddTriangle({c.x, c.y - h}, {c.x + h * 1.1F, c.y + h * 0.85F}, {c.x - h * 1.1F, c.y + h * 0.85F},
                              color, stroke);
            list->AddLine({c.x, c.y - h * 0.35F}, {c.x, c.y + h * 0.22F}, color, stroke);
            list->AddCircleFilled({c.x, c.y + h * 0.56F}, stroke * 0.6F, color);
            break;
        case Icon::ring: list->AddCircle(c, h * 0.8F, color, 0, stroke); break;
        case Icon::down:
            list->AddTriangleFilled({c.x - h * 0.8F, c.y - h * 0.45F}, {c.x + h * 0.8F, c.y - h * 0.45F},
                                    {c.x, c.y + h * 0.6F}, color);
            break;
        case Icon::fit:
            for (const ImVec2 corner : {ImVec2(-1, -1), ImVec2(1, -1), ImVec2(1, 1), ImVec2(-1, 1)}) {
                const ImVec2 at(c.x + corner.x * h, c.y + corner.y * h);
                list->PathLineTo({at.x - corner.x * h * 0.7F, at.y});
                list->PathLineTo(at);
                list->PathLineTo({at.x, at.y - corner.y * h * 0.7F});
                list->PathStroke(color, stroke);
            }
            break;
        case Icon::fit_width:
            for (const float side : {-1.0F, 1.0F}) {
                const float edge = c.x + side * h;
                list->AddLine({edge, c.y - h * 0.8F}, {edge, c.y + h * 0.8F}, color, stroke);
                list->AddTriangleFilled({edge - side * h * 0.75F, c.y - h * 0.4F},
                                        {edge - side * h * 0.75F, c.y + h * 0.4F}, {edge - side * h * 0.2F, c.y},
                                        color);
            }
            list->AddLine({c.x - h * 0.4F, c.y}, {c.x + h * 0.4F, c.y}, color, stroke);
            break;
        case Icon::plus: list->AddLine({c.x, c.y - h}, {c.x, c.y + h}, color, stroke); [[fallthrough]];
        case Icon::minus: list->AddLine({c.x - h, c.y}, {c.x + h, c.y}, color, stroke); break;
    }
}

ImVec2 button_size(const Look& look, std::string_view label, Icon before, Icon after, const ButtonLook& how) {
    const bool words = !label.empty();
    float width = words ? look.text_width(Font::words_medium, type::label, label) : 0;
    width = std::max(width, look.text_width(Font::words_medium, type::label, how.room_for));
    for (const Icon icon : {before, after}) {
        if (icon != Icon::none) width += look.px(icon_size + (words ? icon_gap : 0));
    }
    return {std::ceil(width + 2 * look.px(words ? button_padding : (how.height - icon_size) * 0.5F)),
            look.px(how.height)};
}

bool button(const Look& look, const char* id, std::string_view label, Icon before, Icon after, const ButtonLook& how) {
    const ImVec2 size = button_size(look, label, before, after, how);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::BeginDisabled(!how.enabled);
    const bool clicked = ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
    ImGui::EndDisabled();
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 end(at.x + size.x, at.y + size.y);
    const float radius = look.px(control_radius);
    if (how.primary) {
        list->AddRectFilled(at, end, look.color(Role::useful, !how.enabled ? 0.3F : hovered ? 0.85F : 1), radius);
    } else if (!how.quiet || hovered) {
        list->AddRectFilled(at, end, look.color(hovered ? Role::line : Role::panel), radius);
        list->AddRect(at, end, look.color(Role::line), radius);
    }
    const Role role = how.primary ? Role::on_useful : how.quiet && !hovered ? Role::soft : Role::text;
    const ImU32 ink = look.color(role, how.enabled ? 1 : 0.35F);
    const float middle = at.y + size.y * 0.5F;
    const float icon = look.px(label.empty() && how.quiet ? icon_size * 1.5F : icon_size);
    if (label.empty()) {
        draw_icon(list, before, {at.x + size.x * 0.5F, middle}, icon, ink);
        return clicked;
    }
    const ImVec2 tight = button_size(look, label, before, after, {.height = how.height});
    float x = at.x + look.px(button_padding) + (size.x - tight.x) * 0.5F;
    if (before != Icon::none) {
        draw_icon(list, before, {x + icon * 0.5F, middle}, icon, ink);
        x += icon + look.px(icon_gap);
    }
    x += look.text(list, Font::words_medium, type::label,
                   {x, centered_top(look, Font::words_medium, type::label, at.y, size.y)}, ink, label);
    if (after != Icon::none) draw_icon(list, after, {x + look.px(icon_gap) + icon * 0.5F, middle}, icon, ink);
    return clicked;
}

float segmented_width(const Look& look, Labels labels, float em) {
    float width = 0;
    for (const std::string_view label : labels) {
        width += std::ceil(look.text_width(Font::words_medium, em, label) + 2 * look.px(segment_padding));
    }
    return width;
}

std::optional<int> segmented(const Look& look, const char* id, Labels labels, int selected, float height_points,
                             float em) {
    const float height = look.px(height_points);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float radius = look.px(control_radius);
    const float width = segmented_width(look, labels, em);
    list->AddRectFilled(at, {at.x + width, at.y + height}, look.color(Role::panel), radius);
    list->AddRect(at, {at.x + width, at.y + height}, look.color(Role::line), radius);

    ImGui::PushID(id);
    std::optional<int> chosen;
    int index = 0;
    float x = at.x;
    for (const std::string_view label : labels) {
        const float segment = std::ceil(look.text_width(Font::words_medium, em, label) + 2 * look.px(segment_padding));
        ImGui::SetCursorScreenPos({x, at.y});
        ImGui::PushID(index);
        if (ImGui::InvisibleButton("segment", {segment, height}, ImGuiButtonFlags_EnableNav) && index != selected)
            chosen = index;
        ImGui::PopID();
        const float inset = look.px(3);
        if (index == selected) {
            list->AddRectFilled({x + inset, at.y + inset}, {x + segment - inset, at.y + height - inset},
                                look.color(Role::useful), radius * 0.7F);
        }
        const Role ink = index == selected ? Role::on_useful : ImGui::IsItemHovered() ? Role::text : Role::soft;
        look.text(list, Font::words_medium, em,
                  {x + look.px(segment_padding), centered_top(look, Font::words_medium, em, at.y, height)},
                  look.color(ink), label);
        x += segment;
        ++index;
    }
    ImGui::PopID();
    return chosen;
}

void begin_dialog(const Look& look, const char* name, float width) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const float wide = std::min(look.px(width), viewport.Size.x - look.px(32));
    ImGui::SetNextWindowPos({viewport.Pos.x + viewport.Size.x * 0.5F, viewport.Pos.y + viewport.Size.y * 0.4F},
                            ImGuiCond_Appearing, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({wide, 0}, {wide, viewport.Size.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(18), look.px(16)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar(2);
}

Answer dialog_buttons(const Look& look, float right) {
    const float save = button_size(look, "Save", Icon::none, Icon::none).x;
    const float cancel = button_size(look, "Cancel", Icon::none, Icon::none).x;
    const float y = ImGui::GetCursorScreenPos().y;
    ImGui::SetCursorScreenPos({right - save - look.px(gap) - cancel, y});
    const bool away = button(look, "##cancel", "Cancel");
    ImGui::SetCursorScreenPos({right - save, y});
    const bool wanted = button(look, "##save", "Save", Icon::none, Icon::none, {.primary = true});
    if (away || ImGui::IsKeyPressed(ImGuiKey_Escape)) return Answer::cancel;
    return wanted ? Answer::save : Answer::none;
}

float badge_width(const Look& look, const Badge& badge) {
    const float icon = badge.icon == Icon::none ? 0 : look.px(icon_size + 2 + icon_gap);
    return std::ceil(icon + look.text_width(Font::words_medium, type::label, badge.text) + 2 * look.px(badge_padding));
}

bool badge(const Look& look, const char* id, const Badge& badge) {
    const ImVec2 size(badge_width(look, badge), look.px(control_height));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered()) {
        list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, look.color(Role::raised), look.px(control_radius));
    }
    const ImU32 ink = look.color(badge.role);
    float x = at.x + look.px(badge_padding);
    if (badge.icon != Icon::none) {
        const float icon = look.px(icon_size + 2);
        draw_icon(list, badge.icon, {x + icon * 0.5F, at.y + size.y * 0.5F}, icon, ink);
        x += icon + look.px(icon_gap);
    }
    look.text(list, Font::words_medium, type::label,
              {x, centered_top(look, Font::words_medium, type::label, at.y, size.y)}, ink, badge.text);
    return clicked;
}

void tip(const Look& look, std::string_view text) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled | ImGuiHoveredFlags_DelayShort |
                              ImGuiHoveredFlags_NoSharedDelay))
        return;
    if (docks_words()) return keep_words({}, std::string(text));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(10), look.px(8)});
    if (ImGui::BeginTooltip()) {
        {
            const Type words(look, Font::words, type::label);
            ImGui::PushTextWrapPos(look.px(420));
            ImGui::TextUnformatted(text.data(), text.data() + text.size());
            ImGui::PopTextWrapPos();
        }
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar();
}

float choice_width(const Look& look, Labels labels, int selected, float height, float width) {
    const float all = segmented_width(look, labels);
    if (all <= width) return all;
    return button_size(look, *(labels.begin() + selected), Icon::none, Icon::down, {.height = height}).x;
}

std::optional<int> choice(const Look& look, const char* id, Labels labels, int selected, float height, float width) {
    if (segmented_width(look, labels) <= width) return segmented(look, id, labels, selected, height);
    std::optional<int> chosen;
    ImGui::PushID(id);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (button(look, "##one", *(labels.begin() + selected), Icon::none, Icon::down, {.height = height}))
        open_list("all");
    drop_list(look, "all", {at.x, at.y + look.px(height + 4)}, {}, [&] {
        std::vector<ListEntry> entries;
        for (const std::string_view label : labels) {
            const int index = static_cast<int>(entries.size());
            entries.push_back({std::string(label), {}, {}, index == selected, [&chosen, index] { chosen = index; }});
        }
        return entries;
    });
    ImGui::PopID();
    return chosen;
}

void fact_sheet(const Look& look, const Facts& facts, const std::optional<Area>& clear) {
    if (facts.empty()) return;
    if (facts_are_docked()) return keep_facts(facts);
    float names = 0, values = 0;
    for (std::size_t index = 1; index < facts.size(); ++index) {
        names = std::max(names, look.text_width(Font::words, type::label, facts[index].first));
        values = std::max(values, look.text_width(Font::code, type::label, facts[index].second));
    }
    if (clear)
        place_beside(*clear,
                     {look.px(2 * 12 + 14) + names + values,
                      look.px(20) + static_cast<float>(facts.size()) * look.line_height(Font::words, type::heading)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(12), look.px(10)});
    if (ImGui::BeginTooltip()) {
        for (std::size_t index = 0; index < facts.size(); ++index) {
            const auto& [name, value] = facts[index];
            if (index == 0) {
                const Type strong(look, Font::code_bold, type::heading);
                ImGui::TextUnformatted(value.empty() ? name.c_str() : fmt::format("{} = {}", name, value).c_str());
                continue;
            }
            {
                const Type words(look, Font::words, type::label);
                ImGui::TextColored(look.color4(Role::soft), "%s", name.c_str());
            }
            ImGui::SameLine(look.px(12) + names + look.px(14));
            const Type code(look, Font::code, type::label);
            ImGui::TextUnformatted(value.c_str());
        }
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar();
}

void note(const Look& look, std::string_view text) {
    const float padding = look.px(14);
    ImGui::SetCursorPos({padding, ImGui::GetCursorPosY() + padding});
    ImGui::PushTextWrapPos(std::max(ImGui::GetWindowWidth() - padding, 2 * padding));
    ImGui::PushStyleColor(ImGuiCol_Text, look.color4(Role::soft));
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
}

std::string elided(const Look& look, Font font, float em, std::string_view text, float width) {
    if (look.text_width(font, em, text) <= width) return std::string(text);
    constexpr std::string_view ellipsis = "…";
    std::size_t low = 0, high = text.size();
    while (low < high) {
        const std::size_t middle = (low + high + 1) / 2;
        const bool fits =
            look.text_width(font, em, std::string(text.substr(0, middle)) + std::string(ellipsis)) <= width;
        if (fits)
            low = middle;
        else
            high = middle - 1;
    }
    // Not within a UTF-8 sequence.
    while (low > 0 && (static_cast<unsigned char>(text[low]) & 0xC0U) == 0x80U) --low;
    return std::string(text.substr(0, low)) + std::string(ellipsis);
}

}  // namespace lanescope::ui
