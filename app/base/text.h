// Characters and encodings of source text.
#pragma once

#include <bit>
#include <cassert>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// The text without the spaces, tabs and carriage returns around it.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r";
    const std::size_t begin = text.find_first_not_of(blank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

/// The text with A to Z as small letters.
[[nodiscard]] std::string in_small_letters(std::string_view text);

/// A character of a C++ name: a letter, a digit, '_'.
[[nodiscard]] inline bool is_identifier_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The position after the characters of a name that begin at `at`; `at` itself if there are none.
[[nodiscard]] inline std::size_t end_of_identifier(std::string_view text, std::size_t at) {
    while (at < text.size() && is_identifier_character(text[at])) ++at;
    return at;
}

/// The position of the word at or after `from` where no other character of a name touches it; npos if there is none.
[[nodiscard]] std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0);

/// "a, b and c"; empty without parts.
[[nodiscard]] std::string listed(const std::vector<std::string>& parts);

/// The lines without their ends; valid as long as the text.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

/// Whether the bytes are UTF-8 (RFC 3629).
[[nodiscard]] bool is_utf8(std::string_view bytes);

/// The text as UTF-8: unchanged if it is UTF-8; converted from GB 2312 if all bytes beyond ASCII form its pairs; else
/// from Latin-1, whose control characters become U+FFFD. Lines and columns of ASCII text do not change. Source files
/// come in the encodings of their authors' editors; all text in Lanescope is UTF-8.
[[nodiscard]] std::string to_utf8(std::string bytes);

/// Replaces malformed text, which is never an error.
inline constexpr char32_t replacement_character = 0xFFFD;

/// Returns the code point that begins at `at`, and moves `at` past it. `at` must be inside the text.
[[nodiscard]] inline char32_t next_code_point(std::string_view utf8, std::size_t& at) {
    assert(at < utf8.size());
    const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(utf8[i]); };
    const unsigned char lead = byte_at(at++);
    if (lead < 0x80) return lead;

    const int length = std::countl_one(lead);
    if (length < 2 || length > 4) return replacement_character;
    char32_t code = lead & (0x7FU >> length);
    for (int i = 1; i < length; ++i) {
        if (at == utf8.size() || (byte_at(at) & 0xC0U) != 0x80U) return replacement_character;
        code = (code << 6U) | (byte_at(at++) & 0x3FU);
    }
    constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < smallest[length] || code > 0x10FFFF || surrogate ? replacement_character : code;
}

}  // namespace lanescope
