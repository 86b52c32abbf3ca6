// How well do a few typed letters fit a name? For searching among names that are known.
#pragma once

#include <optional>
#include <string_view>

namespace lanescope::ui {

/// Higher is better; nothing where the letters do not all occur in the name in that order, whatever their case;
/// spaces in the query stand for a gap. Letters at the beginning of a word and letters that follow each other count
/// more, and among equals the shorter name is better. A query without letters fits everything equally.
[[nodiscard]] std::optional<int> fit(std::string_view query, std::string_view name);

}  // namespace lanescope::ui
