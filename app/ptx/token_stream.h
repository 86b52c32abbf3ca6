// A stream of tokens with one token of lookahead, and the checks that every part of the parser needs.
#pragma once

#include "ptx/lexer.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::ptx {

class TokenStream {
  public:
    TokenStream(std::string_view text, std::string file) : lexer_(text, std::move(file)), current_(lexer_.next()) {}

    [[nodiscard]] const Token& peek() const { return current_; }
    Token take();
    bool accept(char c);
    bool accept(std::string_view word);
    /// The token expected, or a refusal: "expected ';' after the instruction, not 'foo'".
    Token expect(char c, std::string_view where);
    Token expect_word(std::string_view what);  ///< any word
    Token expect_name(std::string_view what);  ///< a word that is not a directive
    /// A constant integer from 0 to `most`.
    std::uint64_t expect_count(std::string_view what, std::uint64_t most);
    /// A constant with its sign.
    Constant expect_constant(std::string_view what);
    /// Whether a constant begins here.
    [[nodiscard]] bool at_constant() const { return current_.kind == Token::Kind::number || current_.is('-'); }

    /// The current token must be '{'. Returns the text up to its '}' and moves past it.
    std::string_view take_braced();
    void skip_statement();  ///< through the next ';'

    [[noreturn]] void refuse(const Token& at, std::string what, std::string remedy = {}) const {
        lexer_.refuse(at, std::move(what), std::move(remedy));
    }
    [[noreturn]] void unexpected(std::string_view wanted) const;

  private:
    Lexer lexer_;
    Token current_;
};

/// "'foo'", or "the end of the text", short enough for a message.
[[nodiscard]] std::string quoted(const Token& token);

}  // namespace lanescope::ptx
