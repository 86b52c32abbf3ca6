// Text of a command line <-> its words, quoted as in a shell.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// Splits at white space. Quotes ('...' or "...") keep spaces; except in '...', a backslash takes the next character
/// literally. Nothing if a quote is not closed.
[[nodiscard]] std::optional<std::vector<std::string>> command_words(std::string_view text);

/// The words in one line, quoted where necessary: command_words() returns them unchanged.
[[nodiscard]] std::string command_text(const std::vector<std::string>& words);

}  // namespace lanescope
