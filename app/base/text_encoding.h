// Source files come in the encodings of their authors' editors; everything here speaks UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace lanescope {

/// Whether the bytes are UTF-8 as RFC 3629 has it.
[[nodiscard]] bool is_utf8(std::string_view bytes);

/// The text as UTF-8: as it is where it is that; from GB 2312 where all bytes beyond ASCII come in its pairs; else from
/// Latin-1, whose controls become U+FFFD. Lines and columns of ASCII stay where they were.
[[nodiscard]] std::string to_utf8(std::string bytes);

}  // namespace lanescope
