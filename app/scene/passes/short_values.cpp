#include "scene/passes/short_values.h"

#include "base/grouped.h"
#include "scene/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace lanescope::scene {
namespace {

bool fits(Font font, float width, const std::string& text) { return text_width(font, smallest_text, text) <= width; }

std::optional<double> number_of(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

/// Is the value written as decimals? Those of large numbers are long, and those of small ones are zeros: they have an
/// exponent.
bool as_decimals(double value) { return value == 0 || (std::abs(value) >= 1e-3 && std::abs(value) < 1e6); }

/// An exponent's sign and leading zero only take room: e+09 -> e9, e-07 -> e-7.
std::string with_exponent(double value, int digits) {
    std::string text = fmt::format("{:.{}e}", value, digits);
    if (const auto plus = text.find("e+"); plus != std::string::npos) text.erase(plus + 1, 1);
    if (const auto zero = text.find_last_of("e-") + 1; zero + 1 < text.size() && text[zero] == '0') text.erase(zero, 1);
    return text;
}

/// -7 -> "10⁻⁷".
std::string power_of_ten(int exponent) {
    const std::string raised = power_of_two(static_cast<unsigned>(std::abs(exponent))).substr(1);
    return (exponent < 0 ? "10⁻" : "10") + raised;
}

/// Without trailing zeros, and without a point at the end.
std::string trimmed(std::string decimals) {
    if (!decimals.contains('.')) return decimals;
    decimals.erase(decimals.find_last_not_of('0') + 1);
    if (decimals.ends_with('.')) decimals.pop_back();
    return decimals;
}

/// The digits that identify the value: without those of an exponent, leading zeros and the sign.
std::size_t digits_of(const std::string& text) {
    const std::string decimals = text.substr(0, std::min(text.find_first_of("ek"), text.find("×")));
    const auto first = decimals.find_first_of("123456789");
    if (first == std::string::npos) return 0;
    return static_cast<std::size_t>(std::count_if(decimals.begin() + static_cast<std::ptrdiff_t>(first), decimals.end(),
                                                  [](char c) { return c >= '0' && c <= '9'; }));
}

std::vector<std::string> thousands(double value) {
    const double whole = std::round(value), above = std::trunc(whole / 1000);
    return {fmt::format("{:.0f}", above), fmt::format("{:03.0f}", std::abs(whole - 1000 * above))};
}

/// Do the lines together tell all digits of the number?
bool are_exact(const std::vector<std::string>& lines, const std::string& text) {
    std::string all;
    for (const std::string& line : lines) all += line;
    std::erase(all, ',');
    const auto told = number_of(all);
    return told && told == number_of(text);
}

}  // namespace

std::string abbreviated(const std::string& text, Font font, float width) {
    const auto number = number_of(text);
    if (!number) return {};
    const double value = *number;
    if (as_decimals(value)) {
        for (const int digits : {5, 4, 3, 2, 1, 0}) {
            const std::string shorter = trimmed(fmt::format("{:.{}f}", value, digits));
            const bool is_not_zero = std::strtod(shorter.c_str(), nullptr) != 0;
            if (is_not_zero && fits(font, width, shorter)) return shorter;
        }
        const std::string in_thousands = fmt::format("{:.0f}k", value / 1e3);
        return std::abs(value) >= 1e3 && fits(font, width, in_thousands) ? in_thousands : std::string();
    }
    for (const int digits : {1, 0}) {
        const std::string shorter = with_exponent(value, digits);
        if (fits(font, width, shorter)) return shorter;
    }
    return {};
}

std::vector<std::string> in_two_lines(const std::string& text, Font font, float width) {
    const auto number = number_of(text);
    if (!number || *number == 0) return {};
    const double value = *number;
    const auto fit = [&](const std::string& above, const std::string& below) {
        return fits(font, width, above) && fits(font, width, below);
    };
    const bool has_thousands = std::abs(std::round(value)) >= 1000;
    if (as_decimals(value) && has_thousands) {
        std::vector<std::string> lines = thousands(value);
        if (fit(lines[0] + ",", lines[1])) lines[0] += ",";
        if (fit(lines[0], lines[1])) return lines;
    }
    if (!as_decimals(value) || has_thousands) {
        for (const int digits : {3, 2, 1, 0}) {
            const std::string shorter = with_exponent(value, digits);
            const auto at = shorter.find('e');
            const std::string mantissa = trimmed(shorter.substr(0, at));
            const std::string exponent = "×" + power_of_ten(std::atoi(shorter.c_str() + at + 1));
            if (fit(mantissa, exponent)) return {mantissa, exponent};
        }
        // "e7" by itself would read as another number: only the sign may be separated.
        const std::string shortest = with_exponent(std::abs(value), 0);
        return value < 0 && fit("-", shortest) ? std::vector<std::string>{"-", shortest} : std::vector<std::string>();
    }
    for (const int digits : {5, 4, 3, 2, 1}) {
        const std::string shorter = trimmed(fmt::format("{:.{}f}", value, digits));
        const auto point = shorter.find('.');
        if (point == std::string::npos) break;
        const std::string above = shorter.substr(0, point), below = shorter.substr(point);
        if (std::strtod(shorter.c_str(), nullptr) != 0 && fit(above, below)) return {above, below};
    }
    // The sign above up to three digits.
    const std::string whole = fmt::format("{:.0f}", value);
    return value < 0 && whole.size() > 1 && fit("-", whole.substr(1)) ? std::vector<std::string>{"-", whole.substr(1)}
                                                                      : std::vector<std::string>();
}

bool tells_in_two_lines(const std::string& text, Font font, float width) {
    return !in_two_lines(text, font, width).empty() || abbreviated(text, font, width).contains('e');
}

std::vector<std::string> short_value(const std::string& text, Font font, float width, float height) {
    constexpr std::size_t enough_digits = 3;
    const std::string line = abbreviated(text, font, width);
    const bool exact_enough = digits_of(line) >= enough_digits && !line.ends_with('k');
    const bool suffices = !line.empty() && (exact_enough || number_of(line) == number_of(text));
    if (!suffices && height >= two_lines_height(smallest_text)) {
        std::vector<std::string> lines = in_two_lines(text, font, width);
        if (!lines.empty() && digits_of(lines[0] + lines[1]) > digits_of(line)) return lines;
    }
    return line.empty() ? std::vector<std::string>() : std::vector{line};
}

std::vector<std::string> marked_value(const std::string& text, Font font, float width, float height) {
    constexpr std::string_view about = "≈";
    std::vector<std::string> lines = short_value(text, font, width, height);
    if (are_exact(lines, text)) return lines;
    lines = short_value(text, font, width - text_width(font, smallest_text, about), height);
    if (lines.empty()) return {"…"};
    lines.front().insert(0, about);
    return lines;
}

bool is_decimal(const std::string& text) { return number_of(text).has_value() && !text.contains('x'); }

}  // namespace lanescope::scene
