// A number as text, for a cell that is narrower than all of its digits.
#pragma once

#include "scene/text.h"

#include <string>
#include <vector>

namespace lanescope::scene {

/// The digits that fit into one line: "3.14" for 3.14159, "123k" for 123456; with an exponent, "-2e9", only below 0.001
/// and from a million on. Empty where no digit fits.
[[nodiscard]] std::string abbreviated(const std::string& text, Font font, float width);

/// More digits, in two lines: "12," over "346" for 12346, "-1" over ".24" for -1.2358, "1.2" over "×10⁷", "-" over
/// "1e7". Empty where these do not fit either.
[[nodiscard]] std::vector<std::string> in_two_lines(const std::string& text, Font font, float width);

/// Do two lines have room for the number, as two lines or as one with an exponent?
[[nodiscard]] bool tells_in_two_lines(const std::string& text, Font font, float width);

/// The height of two lines of the size of text.
[[nodiscard]] constexpr float two_lines_height(float size) { return 2.2F * size + 2; }

/// The text of a number that is too long for a cell of that width and height, in one line or in two. Empty where none
/// fits.
[[nodiscard]] std::vector<std::string> short_value(const std::string& text, Font font, float width, float height);

/// The same with "≈" before a number that is rounded, because without its last digits it would read as another one; "…"
/// where not even that fits.
[[nodiscard]] std::vector<std::string> marked_value(const std::string& text, Font font, float width, float height);

/// Is it the decimal text of a finite number?
[[nodiscard]] bool is_decimal(const std::string& text);

}  // namespace lanescope::scene
