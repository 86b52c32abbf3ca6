// UTF-8 -> code points, for text from users' files: malformed text becomes U+FFFD, never an error.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <string_view>

namespace lanescope::scene {

inline constexpr char32_t replacement_character = 0xFFFD;

/// The code point that begins at `at`, which then is advanced past it. `at` must be inside the text.
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

}  // namespace lanescope::scene
