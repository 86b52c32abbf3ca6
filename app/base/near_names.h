// A misspelt name -> the names that may have been meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// The candidates that a misspelt name may have meant, best first, three at most.
[[nodiscard]] std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& candidates);
/// `Did you mean "x" or "y"?`, or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace lanescope
