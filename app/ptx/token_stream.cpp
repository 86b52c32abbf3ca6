#include "ptx/token_stream.h"

#include "base/grouped.h"

#include <fmt/format.h>

namespace lanescope::ptx {

std::string quoted(const Token& token) {
    constexpr std::size_t longest = 60;
    if (token.kind == Token::Kind::end) return "the end of the text";
    if (token.text.size() > longest) return fmt::format("\"{}...\"", token.text.substr(0, longest));
    return fmt::format("\"{}\"", token.text);
}

Token TokenStream::take() {
    const Token taken = current_;
    current_ = lexer_.next();
    return taken;
}

bool TokenStream::accept(char c) {
    if (!current_.is(c)) return false;
    take();
    return true;
}

bool TokenStream::accept(std::string_view word) {
    if (!current_.is(word)) return false;
    take();
    return true;
}

void TokenStream::unexpected(std::string_view wanted) const {
    refuse(current_, fmt::format("expected {}, not {}", wanted, quoted(current_)));
}

Token TokenStream::expect(char c, std::string_view where) {
    if (!current_.is(c)) unexpected(fmt::format("\"{}\" {}", c, where));
    return take();
}

Token TokenStream::expect_word(std::string_view what) {
    if (current_.kind != Token::Kind::word) unexpected(what);
    return take();
}

Token TokenStream::expect_name(std::string_view what) {
    if (current_.kind != Token::Kind::word || current_.text.starts_with('.')) unexpected(what);
    return take();
}

Constant TokenStream::expect_constant(std::string_view what) {
    bool negative = false;
    while (accept('-')) negative = !negative;
    if (current_.kind != Token::Kind::number) unexpected(what);
    const Token token = take();
    Constant constant;
    if (!decode_constant(token.text, constant)) refuse(token, fmt::format("{} is not a number of PTX", quoted(token)));
    if (negative && constant.floating) constant.bits ^= std::uint64_t{1} << (constant.single ? 31U : 63U);
    if (negative && !constant.floating) constant.bits = ~constant.bits + 1;
    return constant;
}

std::uint64_t TokenStream::expect_count(std::string_view what, std::uint64_t most) {
    const Token token = current_;
    if (token.kind != Token::Kind::number) unexpected(what);
    const Constant constant = expect_constant(what);
    if (constant.floating) refuse(token, fmt::format("{} is not an integer", quoted(token)));
    if (constant.bits > most)
        refuse(token, fmt::format("{} {} is too large: the limit is {}", what, token.text, grouped(most)));
    return constant.bits;
}

std::string_view TokenStream::take_braced() {
    const std::string_view body = lexer_.skip_to_brace();
    current_ = lexer_.next();
    return body;
}

void TokenStream::skip_statement() {
    while (current_.kind != Token::Kind::end && !current_.is(';')) take();
    expect(';', "at the end of the statement");
}

}  // namespace lanescope::ptx
