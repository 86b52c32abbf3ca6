// A text without the spaces, tabs and carriage returns around it.
#pragma once

#include <string_view>

namespace lanescope {

[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r";
    const std::size_t begin = text.find_first_not_of(blank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

}  // namespace lanescope
