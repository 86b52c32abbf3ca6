// CUDA C++ text -> tokens: translation phases 1 to 3, as far as needed to separate code from comments, strings and
// directives. Used only for what the compiler cannot answer about a kernel:
//   - which code is host code, to mask it: NVRTC compiles no host code, and its messages name a line, not the end of a
//     function;
//   - which kernels host code launches, with which template arguments: that code is not compiled then, and a template
//     has neither PTX nor DWARF before it is instantiated;
//   - parameters of the catalog's kernels, so that listing them compiles nothing (a test compares them with DWARF),
//     and of its host functions, which NVRTC does not see;
//   - the same kernel for another element type, which is a change of the text;
//   - texts that are not C++: recipes, flags, messages.
// It determines no values and no layouts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lanescope::compile {

enum class TokenKind : std::uint8_t {
    identifier,
    number,
    string,  ///< with its quotes and prefix, raw strings too
    character,
    punctuation,  ///< longest match, except that `>` is a token of its own (it may close template arguments) unless in
                  ///< `>=` and `->`
    launch,       ///< `<<<`
    directive,    ///< a whole preprocessor line with its continuations
    comment,
};

/// `text` points into the source. Lines and columns count from 1, columns in bytes.
struct Token {
    TokenKind kind = TokenKind::punctuation;
    std::string_view text;
    std::size_t offset = 0;
    unsigned line = 0, column = 0;

    [[nodiscard]] std::size_t end() const { return offset + text.size(); }
    [[nodiscard]] bool is(std::string_view other) const { return text == other; }
};

/// Every token of the source, in order. Accepts any bytes; an unterminated string or comment ends with its line, a raw
/// string or block comment with the text.
[[nodiscard]] std::vector<Token> tokenize(std::string_view source);

/// Which branch of `#if ... #elif ... #else ... #endif` to read. Conditions are not evaluated: read the text once for
/// each branch to see more of the code. `#if 0` is never read.
enum class Branch : std::uint8_t { first, last };

/// The tokens that make up the program: no comments, no directives, one branch of every `#if`, so that brackets match.
[[nodiscard]] std::vector<Token> code_of(const std::vector<Token>& tokens, Branch branch);

/// The directive's name, "include", and what follows it without comments: `<stdio.h>`.
struct DirectiveText {
    std::string_view name, rest;
};
[[nodiscard]] DirectiveText directive_text(std::string_view line);

}  // namespace lanescope::compile
