#include "ui/fact_strip.h"

#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

// One mouse, one window: fact_sheet() is called deep in the panels, which do not pass this state on.
bool docked_now = false;
Area strip_place;  // of the last frame
Facts kept;
struct Words {
    std::string headword, text;
} kept_words;

void begin_strip() {
    ImGui::SetNextWindowPos(strip_place.low);
    ImGui::SetNextWindowSize({strip_place.high.x - strip_place.low.x, strip_place.high.y - strip_place.low.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("##facts", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleVar();
}

/// Draws the words in the largest type in which all fit.
void draw_words(const Look& look, const Words& words) {
    const float margin_x = look.px(18), width = strip_place.high.x - strip_place.low.x - 2 * margin_x,
                tall = strip_place.high.y - strip_place.low.y;
    constexpr float most = 15, least = 9, step = 0.5F, least_head = 12.5F;
    const float head_em = std::max(type::heading, least_head);
    const float head =
        words.headword.empty() ? 0 : look.text_width(Font::words_bold, head_em, words.headword) + look.px(14);
    const char* const end = words.text.data() + words.text.size();
    float em = most;
    float lines = 0;
    for (;; em -= step) {
        const Type font(look, Font::words, em);
        lines = ImGui::CalcTextSize(words.text.data(), end, false, width - head).y;
        if (lines <= tall || em <= least) break;
    }
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const float left = strip_place.low.x + margin_x;
    if (head > 0)
        look.text(list, Font::words_bold, head_em,
                  {left, strip_place.low.y + (tall - look.line_height(Font::words_bold, head_em)) * 0.5F},
                  look.color(Role::text), words.headword);
    const Type font(look, Font::words, em);
    ImGui::SetCursorScreenPos({left + head, strip_place.low.y + std::max(tall - lines, 0.0F) * 0.5F});
    ImGui::PushTextWrapPos(left + width - ImGui::GetWindowPos().x);
    ImGui::TextUnformatted(words.text.data(), end);
    ImGui::PopTextWrapPos();
}

void draw_facts(const Look& look, const Facts& facts) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const float space = look.px(16), between = look.px(6);
    const auto& [name, value] = facts.front();
    const std::string headline = value.empty() ? name : name + " = " + value;
    const float tall = strip_place.high.y - strip_place.low.y;
    const float head_em = type::narration * 0.9F;
    const float room = strip_place.high.x - strip_place.low.x;
    const std::string head = elided(look, Font::code_bold, head_em, headline, room * 0.45F);
    float left = strip_place.low.x + look.px(18);
    left += look.text(list, Font::code_bold, head_em,
                      {left, strip_place.low.y + (tall - look.line_height(Font::code_bold, head_em)) * 0.5F},
                      look.color(Role::text), head) +
            space;
    // The others from left to right in two lines, set smaller where they need more.
    const float end = strip_place.high.x - look.px(18);
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
    const float top = strip_place.low.y + (tall - line * lines) * 0.5F;
    for (std::size_t index = 1; index < facts.size(); ++index) {
        const auto [x, number] = places[index - 1];
        const float y = top + line * static_cast<float>(number);
        const float name_width =
            look.text(list, Font::words, em, {x, y}, look.color(Role::soft), facts[index].first) + between;
        look.text(list, Font::code, em, {x + name_width, y}, look.color(Role::text),
                  elided(look, Font::code, em, facts[index].second, end - x - name_width));
    }
}

}  // namespace

void dock_facts(bool docked) { docked_now = docked; }
bool facts_are_docked() { return docked_now; }
bool docks_words() {
    if (!docked_now) return false;
    const ImRect& item = ImGui::GetCurrentContext()->LastItemData.Rect;
    return !item.Overlaps({strip_place.low, strip_place.high});
}
void keep_facts(const Facts& facts) { kept = facts; }
void keep_words(std::string_view headword, std::string text) {
    std::ranges::replace(text, '\n', ' ');
    kept_words = {std::string(headword), std::move(text)};
}

void draw_fact_strip(const Look& look, const Area& place) {
    strip_place = place;
    const Facts facts = std::exchange(kept, {});
    const Words words = std::exchange(kept_words, {});
    if (facts.empty() && words.text.empty()) return;
    begin_strip();
    if (facts.empty()) {
        draw_words(look, words);
    } else {
        draw_facts(look, facts);
    }
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    ImGui::End();
}

}  // namespace lanescope::ui
