// Text -> a whole number: all of the text, or the digits that it begins with.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace lanescope {

/// The number that the text begins with, in the base, and with a '-' where the type has a sign; the text then begins
/// after it. Nothing, and the same text, where it begins with none or with one that the type does not hold.
template <class Number>
[[nodiscard]] std::optional<Number> take_number(std::string_view& text, int base = 10) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// Digits in the base, with a '-' before them where the type has a sign, and nothing else; nothing for any other text,
/// the empty one among them, and for a number that the type does not hold.
template <class Number>
[[nodiscard]] std::optional<Number> whole_number(std::string_view text, int base = 10) {
    const std::optional<Number> number = take_number<Number>(text, base);
    return text.empty() ? number : std::nullopt;
}

/// Whether the text is one, which `number` then is; else it stays as it was.
template <class Number>
bool read_whole_number(std::string_view text, Number& number, int base = 10) {
    const std::optional<Number> read = whole_number<Number>(text, base);
    number = read.value_or(number);
    return read.has_value();
}

}  // namespace lanescope
