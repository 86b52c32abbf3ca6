#include "ui/source_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lanescope::ui {

using scene::Font;

namespace {

bool is_part_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

// Instructions that end a pass are bold.
bool is_strong(std::string_view word, Language language) {
    if (language == Language::sass)
        return word.starts_with("BAR.") || word.starts_with("SHFL.") || word.starts_with("WARPSYNC");
    if (language == Language::ptx)
        return word.starts_with("bar.") || word.starts_with("barrier.") || word.starts_with("shfl.");
    constexpr std::array begins = {"__sync", "__shfl", "__reduce_", "__ballot", "__any_", "__all_", "__match"};
    return std::ranges::any_of(begins, [&](const char* begin) { return word.starts_with(begin); });
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

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

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
        TintedLine made{expanded(line), {}};
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
        text.width_em = std::max(text.width_em, look.text_width(Font::code, type::code, s) / look.px(type::code));
        text.lines.push_back(std::move(made));
    }
    return text;
}

}  // namespace lanescope::ui
