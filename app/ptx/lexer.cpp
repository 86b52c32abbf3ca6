#include "ptx/lexer.h"

#include "base/whole_number.h"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <charconv>
#include <string>
#include <utility>

namespace lanescope::ptx {
namespace {

// The C library's classification depends on the locale and on the sign of char.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool begins_name(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
bool continues_name(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

constexpr std::string_view punctuation = "()[]{}<>,;:=+-*/!@|&~^?";

}  // namespace

void Lexer::refuse(const Token& at, std::string what, std::string remedy) const {
    throw Refusal{Problem{std::move(what), Place{file_, at.line, at.column}, std::move(remedy)}};
}

Token Lexer::make(Token::Kind kind, std::size_t begin, std::size_t end) {
    position_ = end;
    return Token{kind, text_.substr(begin, end - begin), line_, static_cast<std::uint32_t>(begin - line_start_ + 1)};
}

void Lexer::newline(std::size_t at) {
    ++line_;
    line_start_ = at + 1;
}

void Lexer::skip_blanks() {
    while (position_ < text_.size()) {
        const char c = text_[position_];
        if (c == '\n') {
            newline(position_++);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++position_;
        } else if (c == '/' && at(position_ + 1) == '/') {
            position_ = std::min(text_.find('\n', position_), text_.size());
        } else if (c == '/' && at(position_ + 1) == '*') {
            const Token open = make(Token::Kind::punctuation, position_, position_ + 2);
            const std::size_t close = text_.find("*/", position_);
            if (close == std::string_view::npos) refuse(open, "this comment is never closed", "Close it with */.");
            for (; position_ < close; ++position_)
                if (text_[position_] == '\n') newline(position_);
            position_ = close + 2;
        } else {
            return;
        }
    }
}

Token Lexer::next() {
    skip_blanks();
    const std::size_t begin = position_;
    if (begin >= text_.size()) return make(Token::Kind::end, text_.size(), text_.size());

    const char first = text_[begin];
    if (begins_name(first) || (first == '.' && begins_name(at(begin + 1)))) {
        // ".reg.b32" is two directives, "ld.global.u32" one instruction.
        const bool dots = first != '.';
        std::size_t end = begin + 1;
        for (;;) {
            if (continues_name(at(end)) || (dots && at(end) == '.' && continues_name(at(end + 1)))) {
                ++end;
            } else if (at(end) == ':' && at(end + 1) == ':' && continues_name(at(end + 2))) {
                end += 2;  // .shared::cta
            } else {
                return make(Token::Kind::word, begin, end);
            }
        }
    }
    if (is_digit(first)) {
        const bool prefixed = first == '0' && is_letter(at(begin + 1)) && at(begin + 1) != 'U';
        std::size_t end = begin + 1;
        for (;; ++end) {
            const bool sign =
                !prefixed && (at(end) == '+' || at(end) == '-') && (at(end - 1) == 'e' || at(end - 1) == 'E');
            if (!is_digit(at(end)) && !is_letter(at(end)) && at(end) != '.' && !sign) break;
        }
        return make(Token::Kind::number, begin, end);
    }
    if (first == '"') {
        const std::size_t end = text_.find_first_of("\"\n", begin + 1);
        if (end == std::string_view::npos || text_[end] == '\n')
            refuse(make(Token::Kind::string, begin, begin + 1), "this string is never closed", "Close it with a \".");
        Token token = make(Token::Kind::string, begin + 1, end);
        --token.column;
        position_ = end + 1;
        return token;
    }
    if (punctuation.find(first) != std::string_view::npos) return make(Token::Kind::punctuation, begin, begin + 1);

    const auto byte = static_cast<unsigned char>(first);
    refuse(make(Token::Kind::punctuation, begin, begin + 1),
           byte > 0x20 && byte < 0x7f ? fmt::format("unexpected \"{}\"", first)
                                      : fmt::format("unexpected byte 0x{:02x}", byte),
           "PTX is plain ASCII text.");
}

std::string_view Lexer::skip_to_brace() {
    const std::size_t begin = position_;
    const std::size_t end = std::min(text_.find('}', begin), text_.size());
    for (std::size_t i = begin; i < end; ++i)
        if (text_[i] == '\n') newline(i);
    position_ = std::min(end + 1, text_.size());
    return text_.substr(begin, end - begin);
}

bool decode_constant(std::string_view text, Constant& constant) {
    const auto integer = [&](std::string_view digits, int base) {
        constant = {};
        return read_whole_number(digits, constant.bits, base);
    };
    const auto starts = [&](std::string_view lower, std::string_view upper) {
        return text.starts_with(lower) || text.starts_with(upper);
    };
    if (starts("0f", "0F") || starts("0d", "0D")) {
        const bool single = starts("0f", "0F");
        if (text.size() != (single ? 10U : 18U) || !integer(text.substr(2), 16)) return false;
        constant.floating = true;
        constant.single = single;
        return true;
    }
    if (text.find('.') != std::string_view::npos ||
        (!starts("0x", "0X") && text.find_first_of("eE") != std::string_view::npos)) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size()) return false;
        constant = {.floating = true, .single = false, .bits = std::bit_cast<std::uint64_t>(value)};
        return true;
    }
    if (text.ends_with('U')) text.remove_suffix(1);
    if (starts("0x", "0X")) return integer(text.substr(2), 16);
    if (starts("0b", "0B")) return integer(text.substr(2), 2);
    if (text.size() > 1 && text.front() == '0') return integer(text.substr(1), 8);
    return integer(text, 10);
}

}  // namespace lanescope::ptx
