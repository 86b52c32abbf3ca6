// Matches typed text to names and to paths.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ui {

/// The text with ASCII letters in lower case.
[[nodiscard]] std::string lowered(std::string_view text);

/// A score, higher is better; nothing if the letters do not all occur in the name in that order, in either case; spaces
/// in the query stand for a gap. A name in which every word of the query begins a word comes first; letters at the
/// beginning of a word and letters that follow each other count more, and among equals the shorter name is better. A
/// query without letters fits everything equally.
[[nodiscard]] std::optional<int> fit(std::string_view query, std::string_view name);

/// Whether the text is a path: from the root, from home, or relative to here.
[[nodiscard]] bool is_path(std::string_view text);

/// The path with a leading ~ expanded.
[[nodiscard]] std::string spelled_out(std::string_view path);

/// Folders (with a / at the end) and files that the window can open whose path begins with `typed`: folders first, by
/// name. Hidden ones only if their dot was typed. Empty without such a folder.
[[nodiscard]] std::vector<std::string> paths_like(std::string_view typed);

}  // namespace lanescope::ui
