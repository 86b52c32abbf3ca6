// Numbers in groups of three digits.
#pragma once

#include <string>
#include <string_view>

namespace lanescope {

/// 1234567 -> "1,234,567", by `separator`; numbers of fewer than `least` digits stay as they are.
[[nodiscard]] inline std::string grouped(std::string digits, std::string_view separator, std::size_t least = 4) {
    if (digits.size() < least) return digits;
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, separator);
    return digits;
}

}  // namespace lanescope
