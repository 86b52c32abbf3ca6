// PTX text -> tokens with their places (PTX ISA 4.1 to 4.6). Words keep their dots: "ld.global.u32", ".reg", "%tid.x".
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::ptx {

/// How the parts of the parser report an error; parse() turns it into its Result. It never leaves this folder.
struct Refusal {
    Problem problem;
};

struct Token {
    enum class Kind : std::uint8_t { end, word, number, string, punctuation };
    Kind kind = Kind::end;
    std::string_view text;     ///< as in the source; a string without its quotes
    std::uint32_t line = 1;    ///< from 1
    std::uint32_t column = 1;  ///< from 1, in bytes

    [[nodiscard]] bool is(char c) const { return kind == Kind::punctuation && text.front() == c; }
    [[nodiscard]] bool is(std::string_view word) const { return kind == Kind::word && text == word; }
};

/// A constant of the text, before its type is known.
struct Constant {
    bool floating = false;   ///< `value` holds a float's bits: 32 if `single`, else 64
    bool single = false;     ///< 0f..., exactly these bits
    std::uint64_t bits = 0;  ///< an integer modulo 2^64
};

class Lexer {
  public:
    Lexer(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

    /// The next token; throws Refusal for anything else (a stray byte, an open comment or string).
    Token next();
    /// Moves past the next '}' (or to the end) and returns the text before it: the body of a .section.
    std::string_view skip_to_brace();

    [[noreturn]] void refuse(const Token& at, std::string what, std::string remedy = {}) const;
    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] std::uint32_t line() const { return line_; }

  private:
    void skip_blanks();
    void newline(std::size_t at);
    [[nodiscard]] char at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }
    Token make(Token::Kind kind, std::size_t begin, std::size_t end);

    std::string_view text_;
    std::string file_;
    std::size_t position_ = 0;
    std::size_t line_start_ = 0;
    std::uint32_t line_ = 1;
};

/// Decodes a number token: decimal, octal, 0x, 0b, with U; 0f and 0d bits; decimal floats (PTX ISA 4.5). False if it is
/// malformed or an integer needs more than 64 bits.
[[nodiscard]] bool decode_constant(std::string_view text, Constant& constant);

}  // namespace lanescope::ptx
