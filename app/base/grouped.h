// Numbers as text for people: digits in groups of three, powers of two with their exponent raised.
//
// Included by the CUDA runtime of whole programs, too: no more than the standard library of C++17.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace lanescope {

/// 1234567 -> "1,234,567", with `separator`; numbers of fewer than `least` digits stay as they are.
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
    if (size < 1024 || (size & (size - 1)) != 0) return grouped(size);
    unsigned exponent = 0;
    while (size >> exponent != 1) ++exponent;
    return power_of_two(exponent);
}

/// 1024 -> "1,024", 16777216 -> "2²⁴": a limit is written as a power of two only where few read its digits.
[[nodiscard]] inline std::string limit_text(std::uint64_t limit) {
    return limit < 1U << 16U ? grouped(limit) : size_text(limit);
}

/// Groups the digits of every number in a text: "power of two, 2 to 1024" -> "power of two, 2 to 1,024".
[[nodiscard]] inline std::string with_grouped_numbers(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
        result += end > at ? grouped(std::string(text.substr(at, end - at))) : std::string(1, text[at]);
        at = std::max(end, at + 1);
    }
    return result;
}

/// Whether an s after the word needs an e before it: "access", "branch", "go".
[[nodiscard]] inline bool takes_es(std::string_view word) {
    const std::string_view ends[] = {"o", "s", "x", "ch", "sh"};
    return std::any_of(std::begin(ends), std::end(ends), [&](std::string_view end) {
        return word.size() > end.size() && word.substr(word.size() - end.size()) == end;
    });
}

/// "lane" -> "lanes", "access" -> "accesses"; of several words the last one changes: "resident blocks".
[[nodiscard]] inline std::string english_plural(std::string_view one) {
    return std::string(one) + (takes_es(one) ? "es" : "s");
}
/// Forms the plural of every noun beside a number. A test replaces it to check that every text uses it.
inline std::string (*plural_of)(std::string_view one) = english_plural;

/// "lane" of 1, "lanes" of 0 or 2.
[[nodiscard]] inline std::string noun(std::uint64_t number, std::string_view one) {
    return number == 1 ? std::string(one) : plural_of(one);
}

/// "1 lane", "0 lanes", "1,234 lanes".
[[nodiscard]] inline std::string counted(std::uint64_t number, std::string_view one) {
    return grouped(number) + ' ' + noun(number, one);
}

/// "This run has passes 0 to 4.", "This program has launch 0 only.": what is numbered from 0 to `last`.
[[nodiscard]] inline std::string numbers_of(const std::string& owner, std::string_view one, std::uint64_t last) {
    const std::string has = owner + " has " + noun(last + 1, one) + " 0 ";
    return has + (last == 0 ? "only." : "to " + grouped(last) + ".");
}

/// "executes" of 1, "execute" of 0 or 2; "reaches", "goes". `one` is an irregular singular, such as "is".
[[nodiscard]] inline std::string verb(std::uint64_t number, std::string_view many, std::string_view one = {}) {
    if (number != 1) return std::string(many);
    if (!one.empty()) return std::string(one);
    return std::string(many) + (takes_es(many) ? "es" : "s");
}

/// "0x7f0000000010".
[[nodiscard]] inline std::string address_text(std::uint64_t address) {
    std::string digits;
    do digits.insert(digits.begin(), "0123456789abcdef"[address & 15U]);
    while ((address >>= 4U) != 0);
    return "0x" + digits;
}

}  // namespace lanescope
