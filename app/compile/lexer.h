// CUDA C++ text -> tokens: phases 1 to 3 of translation, as far as code differs from comments, strings and directives.
// It serves questions that no compiler answers: which part of a file is host code, to be masked for NVRTC, which
// kernels the rest names, and the texts that are not C++ (recipes, flags). No value and no layout comes from it.
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
    punctuation,  ///< longest match, but `>` stands alone (it may close template arguments) unless in `>=` and `->`
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

/// Every token of the source, in order. Takes any bytes; a string or comment that does not end ends with its line (a
/// raw string or block comment: with the text).
[[nodiscard]] std::vector<Token> tokenize(std::string_view source);

/// Which branch of `#if ... #elif ... #else ... #endif` to read: conditions are not evaluated; to see all code, read
/// the text once for each branch. `#if 0` is never read.
enum class Branch : std::uint8_t { first, last };

/// The tokens that make up the program: no comments, no directives, one branch of every `#if`, so that brackets match.
[[nodiscard]] std::vector<Token> code_of(const std::vector<Token>& tokens, Branch branch);

/// The directive's name, "include", and what follows it without comments: `<stdio.h>`.
struct DirectiveText {
    std::string_view name, rest;
};
[[nodiscard]] DirectiveText directive_text(std::string_view line);

}  // namespace lanescope::compile
