// UTF-8 -> code points, for text that comes from users' files: what is malformed becomes U+FFFD, never an error.
#pragma once

#include <cstddef>
#include <string_view>

namespace lanescope::scene {

inline constexpr char32_t replacement_character = 0xFFFD;

/// The code point that begins at `at`, which then is advanced past it. `at` must be inside the text.
[[nodiscard]] char32_t next_code_point(std::string_view utf8, std::size_t& at);

}  // namespace lanescope::scene
