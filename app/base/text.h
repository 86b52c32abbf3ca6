// Characters and encodings of source text.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace lanescope {

/// The text without the spaces, tabs and carriage returns around it.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r";
    const std::size_t begin = text.find_first_not_of(blank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

/// Of a C++ name: a letter, a digit, '_'.
[[nodiscard]] inline bool is_identifier_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whether the bytes are UTF-8 as RFC 3629 has it.
[[nodiscard]] bool is_utf8(std::string_view bytes);

/// The text as UTF-8: as it is where it is that; from GB 2312 where all bytes beyond ASCII come in its pairs; else from
/// Latin-1, whose controls become U+FFFD. Lines and columns of ASCII stay where they were. Source files come in the
/// encodings of their authors' editors; everything here speaks UTF-8.
[[nodiscard]] std::string to_utf8(std::string bytes);

}  // namespace lanescope
