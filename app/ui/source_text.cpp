#include "ui/source_text.h"

#include "analysis/passes/traffic.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>

namespace lanescope::ui {

using scene::Font;

namespace {

bool is_part_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

// Instructions that end a pass are bold. PTX has the opcode table; CUDA and SASS are recognized by how a name begins.
bool is_strong(std::string_view word, Language language) {
    if (language == Language::sass)
        return word.starts_with("BAR.") || word.starts_with("SHFL.") || word.starts_with("WARPSYNC");
    if (language == Language::ptx) {
        const std::optional<ptx::Opcode> opcode = ptx::opcode_of(word);
        return opcode && analysis::may_end_pass(ptx::opcode_meanings()[static_cast<std::size_t>(*opcode)].action);
    }
    constexpr std::array begins = {"__sync", "__shfl", "__reduce_", "__ballot", "__any_", "__all_", "__match"};
    return std::ranges::any_of(begins, [&](const char* begin) { return word.starts_with(begin); });
}

/// How well a line is cut after a character.
enum class Cut : std::uint8_t { anywhere, after_bracket, after_operator, after_space };

Cut cut_after(char c) {
    if (c == ' ') return Cut::after_space;
    constexpr std::string_view operators = ",;+*", brackets = "([{";  // operators that are one character
    return operators.contains(c) ? Cut::after_operator : brackets.contains(c) ? Cut::after_bracket : Cut::anywhere;
}

/// One line -> its rows.
void fold_line(const TintedLine& line, std::uint32_t index, float room_em,
               const std::function<float(std::string_view)>& advance_em, std::vector<TextRow>& rows) {
    const std::string_view text = line.text;
    if (line.width_em <= room_em || text.empty()) {
        rows.push_back({index, 0, text.size(), 0});
        return;
    }
    constexpr std::size_t deeper = 4;
    const std::size_t indentation = std::min(text.find_first_not_of(' '), text.size());
    // The rows of a folded comment are aligned with its words.
    const std::size_t hanging = indentation + (text.substr(indentation).starts_with("// ") ? 3 : deeper);
    const float hanging_em = std::min(static_cast<float>(hanging) * advance_em(" "), room_em / 2);

    std::size_t begin = 0;
    while (begin < text.size()) {
        const float indent_em = begin == 0 ? 0 : hanging_em;
        float used = indent_em, at_best = 0;
        std::size_t at = begin, best_end = 0;
        Cut best = Cut::anywhere;
        while (at < text.size()) {
            std::size_t past = at;
            static_cast<void>(next_code_point(text, past));
            const float after = used + advance_em(text.substr(at, past - at));
            // A space at the edge takes no room; a row has one character at least.
            if (after > room_em && text[at] != ' ' && at > begin) break;
            used = after;
            const Cut cut = at < indentation ? Cut::anywhere : cut_after(text[at]);
            at = past;
            // An operator near the edge is better than a space far from it.
            const bool near_edge = at_best > 0 && used - at_best > room_em * 0.3F;
            if (cut != Cut::anywhere && (cut >= best || near_edge)) {
                best = cut;
                best_end = at;
                at_best = used;
            }
        }
        std::size_t end = at;
        if (at < text.size() && at_best > indent_em + (room_em - indent_em) * 0.4F) end = best_end;
        rows.push_back({index, begin, end, indent_em});
        begin = std::min(text.find_first_not_of(' ', end), text.size());
    }
}

std::string expanded(std::string_view line) {
    constexpr std::size_t tab = 4;
    std::string text;
    for (const char c : line) {
        if (c == '\t') {
            text.append(tab - text.size() % tab, ' ');
        } else {
            text.push_back(c);
        }
    }
    return text;
}

}  // namespace

std::size_t notes_begin(std::span<const std::string_view> lines) {
    constexpr std::string_view blank = " \t\r";
    std::size_t begin = lines.size();
    bool notes = false;
    while (begin > 0) {
        const std::string_view line = lines[begin - 1];
        const std::size_t first = std::min(line.find_first_not_of(blank), line.size());
        const bool note = line.substr(first).starts_with("// lanescope:");
        if (!note && first != line.size()) break;
        notes |= note;
        --begin;
    }
    return notes ? begin : lines.size();
}

SourceText tinted(const Look& look, std::span<const std::string_view> lines, Language language) {
    SourceText text;
    const bool assembly = language != Language::cuda;
    bool in_comment = false;
    for (const std::string_view line : lines) {
        TintedLine made{expanded(line), {}, 0};
        const std::string& s = made.text;
        const auto add = [&](std::size_t begin, std::size_t end, Tint tint) {
            if (begin == end) return;
            if (!made.runs.empty() && made.runs.back().tint == tint) {
                made.runs.back().end = end;
            } else {
                made.runs.push_back({begin, end, tint});
            }
        };
        const std::size_t first = std::min(s.find_first_not_of(' '), s.size());
        const bool directive = first < s.size() && (assembly ? s[first] == '.' : s[first] == '#');
        for (std::size_t at = 0; at < s.size();) {
            std::size_t end = at + 1;
            Tint tint = directive ? Tint::soft : Tint::plain;
            if (in_comment || s.compare(at, 2, "/*") == 0) {
                const std::size_t close = s.find("*/", in_comment ? at : at + 2);
                in_comment = close == std::string::npos;
                end = in_comment ? s.size() : close + 2;
                tint = Tint::soft;
            } else if (s.compare(at, 2, "//") == 0) {
                end = s.size();
                tint = Tint::soft;
            } else if (s[at] == '"') {
                while (end < s.size() && s[end] != '"') end += s[end] == '\\' ? 2 : 1;
                end = std::min(end + 1, s.size());
            } else if (is_part_of_word(s[at])) {
                while (end < s.size() && is_part_of_word(s[end])) ++end;
                if (is_strong(std::string_view(s).substr(at, end - at), language)) tint = Tint::strong;
            }
            add(at, end, tint);
            at = end;
        }
        const auto width_em = [&](std::size_t end) {
            return look.text_width(Font::code, type::code, std::string_view(s).substr(0, end)) / look.px(type::code);
        };
        made.width_em = width_em(s.size());
        const auto code = std::ranges::find_if(made.runs.rbegin(), made.runs.rend(), [&](const TintedRun& run) {
            return run.tint != Tint::soft && s.find_first_not_of(' ', run.begin) < run.end;
        });
        if (code != made.runs.rend()) {
            const std::size_t last = std::string_view(s).substr(0, code->end).find_last_not_of(' ');
            text.code_width_em = std::max(text.code_width_em, width_em(last + 1));
        }
        text.lines.push_back(std::move(made));
    }
    return text;
}

TextRows folded(const SourceText& text, float room_em, const std::function<float(std::string_view)>& advance_em) {
    TextRows folded;
    folded.rows.reserve(text.lines.size());
    folded.first.reserve(text.lines.size() + 1);
    for (std::size_t index = 0; index < text.lines.size(); ++index) {
        folded.first.push_back(static_cast<std::uint32_t>(folded.rows.size()));
        fold_line(text.lines[index], static_cast<std::uint32_t>(index), room_em, advance_em, folded.rows);
    }
    folded.first.push_back(static_cast<std::uint32_t>(folded.rows.size()));
    return folded;
}

TextRows folded(const Look& look, const SourceText& text, float room_em) {
    return folded(text, room_em, [&](std::string_view character) {
        return look.text_width(Font::code, type::code, character) / look.px(type::code);
    });
}

}  // namespace lanescope::ui
