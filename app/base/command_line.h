// The words of a command line as one text, and back, as a shell reads it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// Words between spaces; quotes ('...' or "...") keep spaces, and within "..." and outside a backslash keeps the next
/// character. Nothing where a quote does not end.
[[nodiscard]] std::optional<std::vector<std::string>> command_words(std::string_view text);

/// The words with quotes where they need them: command_words() gives them back.
[[nodiscard]] std::string command_text(const std::vector<std::string>& words);

}  // namespace lanescope
