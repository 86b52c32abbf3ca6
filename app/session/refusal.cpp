// Makes sentences of problems and remedies.
#include "session/refusal.h"

#include <algorithm>
#include <utility>

namespace lanescope::session {

std::string sentence(std::string text) {
    if (text.empty()) return text;
    // A name or a piece of code at the beginning keeps its case: "n is ...", "sdata[3] ...".
    const std::size_t word = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), text.size());
    const bool plain_word = word > 1 && (word == text.size() || text[word] == ' ' || text[word] == ',');
    if (plain_word || text.starts_with("a ")) text[0] = static_cast<char>(text[0] - 'a' + 'A');
    if (text.back() != '.' && text.back() != '?') text += '.';
    return text;
}

std::unexpected<Refusal> refuse(std::string field, Problem problem) {
    problem.remedy = sentence(std::move(problem.remedy));
    return std::unexpected(
        Refusal{.problem = std::move(problem), .field = std::move(field), .diagnostics = {}, .by_rule = false});
}

std::unexpected<Refusal> refuse(std::string field, std::string what, std::string remedy) {
    return refuse(std::move(field), Problem{.what = std::move(what), .where = {}, .remedy = std::move(remedy)});
}

}  // namespace lanescope::session
