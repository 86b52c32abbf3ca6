#include "scene/access_foot.h"

#include "scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace lanescope::scene {
namespace {

using Lines = std::vector<std::string>;  ///< the first stands beside the verdict, the others below it

constexpr float foot_edge = 12, first_line = 20, line_height = 20, to_buttons = 26, button_line = 24, button_side = 20;
constexpr float lowest = 16;  ///< from the middle of the last line down to the lower edge

/// Sizes in the scale of the picture.
struct Measures {
    const FootContent& content;

    [[nodiscard]] float px(float points) const { return points * content.scale; }
    [[nodiscard]] float size(float points) const { return std::max(smallest_text, px(points)); }
    [[nodiscard]] float width(Font font, float points, const std::string& text) const {
        return text_width(font, size(points), text);
    }
    [[nodiscard]] float left() const { return px(foot_edge); }
    [[nodiscard]] float right() const { return content.width - px(foot_edge); }
    /// The left edge of the text beside the verdict.
    [[nodiscard]] float beside() const { return left() + width(Font::words_bold, 15, content.verdict) + px(foot_edge); }
    [[nodiscard]] float room_of_line(std::size_t line) const { return right() - (line == 0 ? beside() : left()); }
    [[nodiscard]] bool fits(const std::string& text, std::size_t line) const {
        return width(Font::words, 12.5F, text) <= room_of_line(line);
    }
};

/// Breaks every full line.
Lines wrapped(const Measures& m, const std::string& text) {
    Lines lines(1);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t space = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, space - at);
        at = space + 1;
        const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
        if (m.fits(longer, lines.size() - 1)) {
            lines.back() = longer;
        } else {
            lines.push_back(word);
        }
    }
    return lines;
}

/// The ways to break the sentence into lines, the best first.
std::vector<Lines> ways_to_break(const Measures& m) {
    const std::string& access = m.content.access;
    const std::string& text = m.content.arithmetic;
    const std::size_t colon = text.rfind(": ");
    std::vector<Lines> ways = {{m.content.sentence()}, {access, text}};
    if (colon != std::string::npos) {
        const std::string where = text.substr(0, colon + 1), what = text.substr(colon + 2);
        if (access.empty()) ways.push_back({where, what});
        ways.push_back({access, where, what});
    }
    std::erase_if(ways, [&](const Lines& lines) {
        for (std::size_t line = 0; line < lines.size(); ++line) {
            if (!m.fits(lines[line], line)) return true;
        }
        return false;
    });
    const Lines full = wrapped(m, m.content.sentence());
    if (std::ranges::none_of(ways, [&](const Lines& lines) { return lines.size() <= full.size(); }))
        ways.push_back(full);
    return ways;
}

std::string said_of(const FootContent& content, std::size_t turn, bool named) {
    return named ? content.turns[turn].says : fmt::format("{}: {}", turn + 1, content.turns[turn].says);
}

/// The width of the text of any turn, so that the buttons stay in place when one is chosen.
float room_to_say(const Measures& m, bool named) {
    constexpr float enough = 190;
    float widest = 0;
    for (std::size_t turn = 0; turn < m.content.turns.size(); ++turn) {
        widest = std::max(widest, m.width(Font::words, 12, said_of(m.content, turn, named)));
        if (widest > m.px(enough)) return m.px(enough);
    }
    return widest;
}

/// Numbered buttons in as many lines as they need, the last with room for the text; or buttons without numbers in one
/// line, as narrow as necessary. Returns the number of lines.
std::size_t place_buttons(const Measures& m, bool named, float y, AccessFoot& foot) {
    const float side = m.px(button_side), right = m.right(), say = room_to_say(m, named);
    const float first = m.left() + m.width(Font::words, 12, m.content.turn) + m.px(10);
    const auto count = static_cast<std::uint32_t>(m.content.turns.size());
    const auto wide = [&](const std::string& name) { return std::max(side, m.width(Font::code, 12, name) + m.px(6)); };
    const float of_all = m.width(Font::code, 12, "all") + m.px(10), all = of_all + m.px(4);
    const float strip = std::max((right - first - all - m.px(6) - say) / static_cast<float>(count), 3.0F);
    std::size_t lines = 1;
    float x = first;
    const auto add = [&](std::uint32_t number, std::uint32_t span, std::string name, float width, float gap) {
        foot.buttons.push_back({{x, y - side / 2, width, side}, number, span, std::move(name)});
        x += width + gap;
    };
    const auto break_line = [&] {
        x = m.left();
        y += m.px(button_line);
        ++lines;
    };
    add(0, 0, "all", of_all, m.px(4));
    for (std::uint32_t w = 0; w < count; ++w) {
        if (!named) {
            add(w, 1, "", strip - 1, 1);
            continue;
        }
        const std::string name = std::to_string(w + 1);
        if (w > 0 && m.content.turns[w].begins_group) x += m.px(8);  // another group of lanes
        if (x + wide(name) > right) break_line();
        add(w, 1, name, wide(name), m.px(4));
    }
    x += m.px(6);
    if (named && x > m.left() + m.px(6) && right - x < std::min(say, right - m.left())) break_line();
    foot.said = {x, y, std::max(right - x, 1.0F), 0};
    return lines;
}

AccessFoot laid_out(const Measures& m, const Lines& sentence, bool named) {
    AccessFoot foot;
    float y = m.px(first_line);
    for (std::size_t line = 0; line < sentence.size(); ++line) {
        if (line > 0) y += m.px(line_height);
        foot.sentence.push_back({line == 0 ? m.beside() : m.left(), y, sentence[line]});
    }
    // Without buttons their line stays free, so that the rows keep their place from step to step.
    y += m.px(to_buttons);
    foot.said = {m.left(), y, m.right() - m.left(), 0};
    if (m.content.turns.size() > 1) {
        const std::size_t lines = place_buttons(m, named, y, foot);
        y += m.px(button_line) * static_cast<float>(lines - 1);
    }
    foot.height = y + m.px(lowest);
    return foot;
}

}  // namespace

AccessFoot access_foot(const FootContent& content, const FootRoom& room) {
    const Measures m{content};
    const std::vector<Lines> ways = ways_to_break(m);
    for (const Lines& lines : ways) {
        AccessFoot foot = laid_out(m, lines, true);
        if (foot.height <= room.easy) return foot;
    }
    const Lines& fewest = *std::ranges::min_element(ways, {}, &Lines::size);
    for (const float height : {room.tight, room.most}) {
        for (const bool named : {true, false}) {
            AccessFoot foot = laid_out(m, fewest, named);
            if (foot.height <= height) return foot;
        }
    }
    // As many lines as there is room for; the last is elided.
    Lines lines = wrapped(m, content.sentence());
    while (lines.size() > 1 && laid_out(m, lines, false).height > room.most) {
        const std::string last = lines.back();
        lines.pop_back();
        lines.back() += " " + last;
    }
    AccessFoot foot = laid_out(m, lines, false);
    AccessFoot::Words& last = foot.sentence.back();
    foot.cut = !m.fits(last.text, lines.size() - 1);
    last.text = fitted(Font::words, m.size(12.5F), last.text, m.room_of_line(lines.size() - 1));
    return foot;
}

void draw_access_foot(const FootContent& content, const AccessFoot& foot, const std::string& note, float y,
                      Layer& layer) {
    const Measures m{content};
    const auto put = [&](float x, float at, Anchor anchor, Font font, float size, Paint paint, std::string words) {
        layer.put(x, y + at, anchor, {font, m.size(size), paint}, std::move(words));
    };
    put(m.left(), m.px(first_line), Anchor::start, Font::words_bold, 15, {content.excess ? Role::cost : Role::text, 1},
        m.content.verdict);
    for (const AccessFoot::Words& words : foot.sentence) {
        put(words.x, words.y, Anchor::start, Font::words, 12.5F, {Role::text, 1}, words.text);
    }
    if (foot.cut) {  // the panel's tooltip has the whole sentence
        const float top = foot.sentence.front().y - m.px(line_height) / 2;
        const float bottom = foot.sentence.back().y + m.px(line_height) / 2;
        Rect whole = rect({m.left(), y + top, m.right() - m.left(), bottom - top}, 0, {});
        whole.ref = {TraceRef::Kind::step, 0, 0, content.step};
        layer.rects.push_back(whole);
    }
    Box said = foot.said;
    if (!note.empty()) {
        put(m.right(), said.y, Anchor::end, Font::words, 11, {Role::soft, 1}, note);
        said.width -= m.width(Font::words, 11, note) + m.px(foot_edge);
    }
    if (foot.buttons.empty()) return;

    const std::optional<unsigned> chosen = content.chosen;
    put(m.left(), foot.buttons.front().box.center_y(), Anchor::start, Font::words, 12, {Role::soft, 1}, content.turn);
    bool named = true;
    for (const AccessFoot::Button& button : foot.buttons) {
        Box box = button.box;
        box.y += y;
        const bool on = button.span == 0 ? !chosen : chosen == button.number;
        Rect shape = rect(box, 3, on ? Paint{Role::cost, 1} : Paint{Role::raised, 1}, {Role::line, 1});
        shape.ref = {TraceRef::Kind::wavefront, 0, button.number, content.step, button.span};
        layer.rects.push_back(shape);
        layer.texts.push_back(
            text_in(box, {Font::code, m.size(12), {on ? Role::on_cost : Role::text, 1}}, button.name));
        named = named && !button.name.empty();
    }
    if (!chosen || said.width < m.px(40)) return;
    put(said.x, said.y, Anchor::start, Font::words, 12, {Role::text, 1},
        fitted(Font::words, m.size(12), said_of(content, *chosen, named), said.width));
}

void draw_rows_scrollbar(Layer& layer, const Box& rows, const RowsShown& of, float scale) {
    if (of.beyond == 0) return;
    const auto shown = static_cast<float>(of.shown), all = shown + static_cast<float>(of.beyond);
    const float before = static_cast<float>(std::min(of.first, of.beyond));
    const float wide = 4 * scale, x = rows.x + rows.width - wide - 3 * scale;
    layer.rects.push_back(rect({x, rows.y, wide, rows.height}, wide / 2, {Role::line, 0.5F}));
    layer.rects.push_back(
        rect({x, rows.y + rows.height * before / all, wide, rows.height * shown / all}, wide / 2, {Role::soft, 0.8F}));
}

}  // namespace lanescope::scene
