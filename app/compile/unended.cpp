#include "compile/unended.h"

#include "compile/declarations.h"
#include "compile/lexer.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::compile {

namespace {

bool may_be_macro(const Token& token, const Macros& macros) {
    return macros.contains(token.text) || std::ranges::none_of(token.text, [](char c) { return c >= 'a' && c <= 'z'; });
}

std::optional<Diagnostic> unended_in(const std::vector<Token>& code, const Macros& macros) {
    const auto ends = [](const Token& token) { return token.is(";") || token.is("}"); };
    std::size_t first = code.size();
    while (first > 0 && !ends(code[first - 1])) --first;
    if (code.size() < first + 2) return std::nullopt;  // one word: a macro of some header
    const bool words = std::ranges::all_of(
        code.begin() + std::ptrdiff_t(first), code.begin() + std::ptrdiff_t(first + 2),
        [&](const Token& token) { return token.kind == TokenKind::identifier && !may_be_macro(token, macros); });
    // Of an open brace the compiler says more.
    const bool open =
        std::any_of(code.begin() + std::ptrdiff_t(first), code.end(), [](const Token& token) { return token.is("{"); });
    if (!words || open) return std::nullopt;
    return Diagnostic{.severity = Diagnostic::Severity::error,
                      .line = code[first].line,
                      .column = code[first].column,
                      .text = fmt::format("'{}' at the end of the file is no declaration: it ends without a ';'",
                                          as_written(code, {first, std::min(code.size(), first + 8)}))};
}

}  // namespace

std::optional<Diagnostic> unended_piece(const std::string& source) {
    const std::vector<Token> tokens = tokenize(source);
    const Macros macros = macros_of(tokens);
    const auto found = unended_in(code_of(tokens, Branch::first), macros);
    return found && unended_in(code_of(tokens, Branch::last), macros) ? found : std::nullopt;
}

}  // namespace lanescope::compile
