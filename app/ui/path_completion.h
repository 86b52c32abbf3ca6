// Files that a typed path may go on to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ui {

/// Does the text say a path: from the root, from home, or from here?
[[nodiscard]] bool is_path(std::string_view text);

/// The path with a leading ~ spelled out.
[[nodiscard]] std::string spelled_out(std::string_view path);

/// Folders (with a / at the end) and files that the window can open, whose path begins as typed: folders first, by
/// name. Hidden ones only when their dot was typed. Empty where there is no such folder.
[[nodiscard]] std::vector<std::string> paths_like(std::string_view typed);

}  // namespace lanescope::ui
