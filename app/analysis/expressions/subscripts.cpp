#include "analysis/expressions/access_text.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lanescope::analysis {
namespace {

/// The line without its comments. `quoted`: with its string literals, which are otherwise blanked out.
std::string code_of(std::string_view line, bool quoted) {
    std::string code(line);
    char quote = 0;
    const auto blank = [&](std::size_t at) {
        if (!quoted) code[at] = ' ';
    };
    for (std::size_t at = 0; at < code.size(); ++at) {
        const std::string_view here = std::string_view(code).substr(at);
        if (quote != 0) {
            const bool ends = code[at] == quote;
            if (code[at] == '\\' && at + 1 < code.size()) blank(at++);
            blank(at);
            if (ends) quote = 0;
        } else if (code[at] == '"' || code[at] == '\'') {
            quote = code[at];
            blank(at);
        } else if (here.starts_with("//")) {
            code.resize(at);
        } else if (here.starts_with("/*")) {
            const std::size_t end = code.find("*/", at + 2);
            if (end == std::string::npos) {
                code.resize(at);
            } else {
                std::fill(code.begin() + static_cast<std::ptrdiff_t>(at),
                          code.begin() + static_cast<std::ptrdiff_t>(end + 2), ' ');
            }
        }
    }
    return code;
}

std::size_t past_blanks(std::string_view code, std::size_t at) {
    while (at < code.size() && (code[at] == ' ' || code[at] == '\t')) ++at;
    return at;
}

/// Past the bracket that closes the one at `at`; nothing where the line does not close it.
std::optional<std::size_t> past_brackets(std::string_view code, std::size_t at) {
    int depth = 0;
    for (; at < code.size(); ++at) {
        depth += code[at] == '[' ? 1 : code[at] == ']' ? -1 : 0;
        if (depth == 0) return at + 1;
    }
    return std::nullopt;
}

Subscript::Use use_of(std::string_view code, std::size_t begin, std::size_t end) {
    std::string_view before = code.substr(0, begin);
    while (!before.empty() && (before.back() == ' ' || before.back() == '\t')) before.remove_suffix(1);
    // A member of the element: an access to it is an access to the element.
    end = past_blanks(code, end);
    while (end < code.size() && code[end] == '.') {
        end = past_blanks(code, end_of_identifier(code, past_blanks(code, end + 1)));
    }
    const std::string_view after = code.substr(end);
    if (before.ends_with("++") || before.ends_with("--") || after.starts_with("++") || after.starts_with("--"))
        return Subscript::Use::changed;
    if (before.ends_with('&') && !before.ends_with("&&")) {
        // `a & b[i]` is a value; after a bracket, a comma or an operator it is an address.
        before.remove_suffix(1);
        while (!before.empty() && (before.back() == ' ' || before.back() == '\t')) before.remove_suffix(1);
        if (before.empty() || (!is_identifier_character(before.back()) && before.back() != ')' && before.back() != ']'))
            return Subscript::Use::address;
    }
    if (after.starts_with('=') && !after.starts_with("==")) return Subscript::Use::assigned;
    constexpr std::array<std::string_view, 10> compound = {
        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    const bool changes = std::ranges::any_of(compound, [&](std::string_view sign) { return after.starts_with(sign); });
    return changes ? Subscript::Use::changed : Subscript::Use::read;
}

std::string with_single_blanks(std::string_view text) {
    std::string tidy;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\t';
        if (!blank || (!tidy.empty() && tidy.back() != ' ')) tidy += blank ? ' ' : c;
    }
    return tidy;
}

}  // namespace

std::vector<Subscript> subscripts_of(std::string_view line, std::string_view array) {
    std::vector<Subscript> found;
    const std::string code = code_of(line, false), text = code_of(line, true);
    const std::string_view view = code;
    for (std::size_t at = find_word(view, array); at != std::string_view::npos; at = find_word(view, array, at + 1)) {
        std::size_t end = at + array.size();
        const std::size_t name_ends = end;
        while (past_blanks(view, end) < view.size() && view[past_blanks(view, end)] == '[') {
            const auto past = past_brackets(view, past_blanks(view, end));
            if (!past) break;
            end = *past;
        }
        if (end == name_ends) continue;
        found.push_back({with_single_blanks(std::string_view(text).substr(at, end - at)), use_of(view, at, end)});
    }
    return found;
}

}  // namespace lanescope::analysis
