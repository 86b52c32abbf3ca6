// Numbers as they are written for people: digits in groups of three, powers of two with their exponent raised.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope {

/// 1234567 -> "1,234,567", by `separator`; numbers of fewer than `least` digits stay as they are.
[[nodiscard]] inline std::string grouped(std::string digits, std::string_view separator = ",", std::size_t least = 4) {
    if (digits.size() < least) return digits;
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, separator);
    return digits;
}
[[nodiscard]] inline std::string grouped(std::uint64_t number) { return grouped(std::to_string(number)); }

/// 2114.4 -> "2,114", of a value of at least 0.
[[nodiscard]] inline std::string rounded(double value) {
    return grouped(static_cast<std::uint64_t>(std::nearbyint(value)));
}

/// 24 -> "2²⁴".
[[nodiscard]] inline std::string power_of_two(unsigned exponent) {
    static constexpr std::string_view raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = "2";
    for (const char digit : std::to_string(exponent)) text += raised[digit - '0'];
    return text;
}

/// 1000 -> "1,000", 1024 -> "2¹⁰": a size that is a power of two from 1024 on is written as one.
[[nodiscard]] inline std::string size_text(std::uint64_t size) {
    return size >= 1024 && std::has_single_bit(size) ? power_of_two(static_cast<unsigned>(std::countr_zero(size)))
                                                     : grouped(size);
}

/// "1 lane", "0 lanes", "1,234 lanes"; `many` where the plural is not `one` and an s: "accesses".
[[nodiscard]] inline std::string counted(std::uint64_t number, std::string_view one, std::string_view many = {}) {
    std::string text = grouped(number) + ' ';
    if (number == 1 || many.empty()) return text.append(one).append(number == 1 ? "" : "s");
    return text.append(many);
}

}  // namespace lanescope
