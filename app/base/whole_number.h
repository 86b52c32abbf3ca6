// Text -> a whole number: from all of the text, or from the digits that it begins with.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace lanescope {

/// Takes the number at the beginning off the text: digits of the base, after a '-' if the type has a sign. Nothing, and
/// the text unchanged, if it begins with none or with one that the type cannot hold.
template <class Number>
[[nodiscard]] std::optional<Number> take_number(std::string_view& text, int base = 10) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// The number that the whole text is: digits of the base, after a '-' if the type has a sign. Nothing for any other
/// text, an empty one included, and for a number that the type cannot hold.
template <class Number>
[[nodiscard]] std::optional<Number> whole_number(std::string_view text, int base = 10) {
    const std::optional<Number> number = take_number<Number>(text, base);
    return text.empty() ? number : std::nullopt;
}

/// Whether the text is a number, which `number` is then set to; else `number` does not change.
template <class Number>
bool read_whole_number(std::string_view text, Number& number, int base = 10) {
    const std::optional<Number> read = whole_number<Number>(text, base);
    number = read.value_or(number);
    return read.has_value();
}

}  // namespace lanescope
