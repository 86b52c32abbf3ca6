// Text -> a whole number, where all of the text is one.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace lanescope {

/// Digits in the base, with a '-' before them where the type has a sign, and nothing else; nothing for any other text,
/// the empty one among them, and for a number that the type does not hold.
template <class Number>
[[nodiscard]] std::optional<Number> whole_number(std::string_view text, int base = 10) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Whether the text is one, which `number` then is; else it stays as it was.
template <class Number>
bool read_whole_number(std::string_view text, Number& number, int base = 10) {
    const std::optional<Number> read = whole_number<Number>(text, base);
    number = read.value_or(number);
    return read.has_value();
}

}  // namespace lanescope
