#include "ui/panels/change_strip.h"

#include "scene/program_tag.h"
#include "scene/text.h"
#include "ui/panels/strip.h"
#include "ui/sentences.h"
#include "ui/shell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float text_em = 14, name_em = 12.5F, above = 1, strip_padding = 18;
constexpr float most_names = 0.26F;  // of the width

/// Draws the letter in its color; returns the width that it takes, pixels.
float draw_tag(const Look& look, ImVec2 at, float size, std::size_t program) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const std::string letter(1, scene::letter_of_program(program));
    list->AddRectFilled(at, {at.x + size, at.y + size}, look.color(scene::role_of_program(program)), look.px(3));
    look.text(list, Font::words_bold, name_em,
              {at.x + (size - look.text_width(Font::words_bold, name_em, letter)) * 0.5F,
               at.y + (size - look.line_height(Font::words_bold, name_em)) * 0.5F},
              look.color(Role::on_useful), letter);
    return size + look.px(6);
}

/// In two lines, as large as they allow; the second is elided where even the smallest type does not fit.
struct TwoLines {
    float em = 0;
    std::vector<std::string> lines;
    bool whole = false;
};
TwoLines set_in_two_lines(const std::string& text, float width) {
    TwoLines set;
    for (const float em : {20.0F, 18.0F, 16.0F, text_em}) {
        set = {em, scene::wrapped(Font::words_medium, em, text, width), false};
        if (static_cast<float>(set.lines.size()) * em <= 2 * text_em) {
            set.whole = true;
            return set;
        }
    }
    const std::string rest = fmt::format("{}", fmt::join(set.lines.begin() + 1, set.lines.end(), " "));
    set.lines = {set.lines.front(), scene::fitted(Font::words_medium, set.em, rest, width)};
    return set;
}

/// The whole sentence where it fits, else without the counts that are equal, else with the largest changes alone. The
/// reason why the two are not the same task is always shown.
TwoLines words_of(const Shell& shell, std::size_t number, float width) {
    const Comparing& comparing = shell.comparing();
    const char letter = scene::letter_of_program(number + 1);
    const analysis::Comparison* const comparison = comparing.comparison(number);
    if (comparison == nullptr)
        return set_in_two_lines(why_not_compared(shell.workspace(), comparing.other(number), letter), width);
    const std::string& caveat = comparing.caveat(number);
    const auto set = [&](bool with_unchanged, std::size_t most) {
        return set_in_two_lines(
            fmt::format("{} against A: {}{}{}", letter, analysis::change_sentence(*comparison, with_unchanged, most),
                        caveat.empty() ? "" : " ", caveat),
            width);
    };
    const std::size_t changes = comparison->columns.size();
    TwoLines words = set(true, changes);
    for (std::size_t most = changes; !words.whole && most > 0; --most) words = set(false, most);
    return words;
}

}  // namespace

float draw_change_strip(Context& context, Shell& shell, float bottom) {
    if (!shell.shows_changes()) return 0;
    const Comparing& comparing = shell.comparing();
    const Look& look = context.look;
    const std::size_t number = std::min(shell.described_other(), comparing.others() - 1);
    const float line = look.line_height(Font::words_medium, text_em), words = std::ceil(2 * line);
    const float height = std::ceil(words + 2 * look.px(above));
    const Area place = begin_strip(look, "##changes", bottom, height);
    const float left = place.low.x + look.px(strip_padding), right = place.high.x - look.px(strip_padding);
    const std::vector<std::string> names = comparing.all_names(context.workspace);
    const float tag = std::floor(line * 0.92F), most = (right - left) * most_names - tag - look.px(6);
    float names_end = left;
    float y = place.low.y + look.px(above) + 1;
    for (const std::size_t program : {std::size_t{0}, number + 1}) {
        const float x = left + draw_tag(look, {left, y}, tag, program);
        const std::string name = elided(look, Font::words_medium, name_em, names[program], most);
        const float wide = look.text(ImGui::GetWindowDrawList(), Font::words_medium, name_em,
                                     {x, y + (tag - look.line_height(Font::words_medium, name_em)) * 0.5F},
                                     look.color(Role::text), name);
        names_end = std::max(names_end, x + wide);
        y += line;
    }
    const ImVec2 from(names_end + look.px(16), place.low.y + look.px(above));
    const TwoLines set = words_of(shell, number, (right - from.x) / look.scale());
    const float step = look.line_height(Font::words_medium, set.em);
    float top = from.y + (words - step * static_cast<float>(set.lines.size())) * 0.5F;
    for (const std::string& each : set.lines) {
        look.text(ImGui::GetWindowDrawList(), Font::words_medium, set.em, {from.x, top}, look.color(Role::text), each);
        top += step;
    }
    ImGui::End();
    return height;
}

}  // namespace lanescope::ui
