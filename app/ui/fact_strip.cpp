#include "ui/fact_strip.h"

#include <imgui_internal.h>

#include <utility>
#include <vector>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

// One mouse, one window: fact_sheet() is called deep in the panels, without a way to hand this on.
bool docked_now = false;
Facts kept;

}  // namespace

void dock_facts(bool docked) { docked_now = docked; }
bool facts_are_docked() { return docked_now; }
void keep_facts(const Facts& facts) { kept = facts; }

bool draw_fact_strip(const Look& look, const Area& place) {
    const Facts facts = std::exchange(kept, {});
    if (facts.empty()) return false;
    ImGui::SetNextWindowPos(place.low);
    ImGui::SetNextWindowSize({place.high.x - place.low.x, place.high.y - place.low.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("##facts", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleVar();
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const float space = look.px(16), between = look.px(6);
    const auto& [name, value] = facts.front();
    const std::string headline = value.empty() ? name : name + " = " + value;
    const float tall = place.high.y - place.low.y;
    const float head_em = type::narration * 0.9F;
    const float room = place.high.x - place.low.x;
    const std::string head = elided(look, Font::code_bold, head_em, headline, room * 0.45F);
    float left = place.low.x + look.px(18);
    left += look.text(list, Font::code_bold, head_em,
                      {left, place.low.y + (tall - look.line_height(Font::code_bold, head_em)) * 0.5F},
                      look.color(Role::text), head) +
            space;
    // The others from left to right in two lines, set smaller where they need more.
    const float end = place.high.x - look.px(18);
    struct Placed {
        float x = 0;
        int line = 0;
    };
    const auto lay_out = [&](float em) {
        std::vector<Placed> all;
        Placed next{left, 0};
        for (std::size_t index = 1; index < facts.size(); ++index) {
            const float wide = look.text_width(Font::words, em, facts[index].first) + between +
                               look.text_width(Font::code, em, facts[index].second);
            if (next.x > left && next.x + wide > end) next = {left, next.line + 1};
            all.push_back(next);
            next.x += wide + space;
        }
        return all;
    };
    float em = type::label;
    std::vector<Placed> places = lay_out(em);
    constexpr float smallest = 9;
    while (!places.empty() && places.back().line > 1 && em > smallest) places = lay_out(em -= 0.5F);
    const float line = look.line_height(Font::words, em);
    const float lines = places.empty() ? 0 : static_cast<float>(places.back().line + 1);
    const float top = place.low.y + (tall - line * lines) * 0.5F;
    for (std::size_t index = 1; index < facts.size(); ++index) {
        const auto [x, number] = places[index - 1];
        const float y = top + line * static_cast<float>(number);
        const float name_width =
            look.text(list, Font::words, em, {x, y}, look.color(Role::soft), facts[index].first) + between;
        look.text(list, Font::code, em, {x + name_width, y}, look.color(Role::text),
                  elided(look, Font::code, em, facts[index].second, end - x - name_width));
    }
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    ImGui::End();
    return true;
}

}  // namespace lanescope::ui
