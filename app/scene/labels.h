// The text of numbers and of pass names where room is short.
#pragma once

#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::scene {

// --- Numbers (number_format.cpp)

/// The notation of numbers that the user wants: as their type says, or their bits in another one.
enum class NumberFormat : std::uint8_t { natural, decimal, hexadecimal, floating, binary };

/// The low bytes of `bits` as an element of that type: "-3", "0xFFFFFFFD", "2.5",
/// "00000000 00000000 00000000 00000101". `floating` falls back to decimal for sizes that no floating-point type has.
[[nodiscard]] std::string written(NumberFormat format, trace::Element element, std::uint64_t bits);

/// A count or a measurement in at most four significant digits: "0.0123", "753.6", "12,350", "1,073,741,824"; whole
/// numbers keep all of theirs.
[[nodiscard]] std::string number_text(double value);

/// A count in at most five digits: "99,999"; from 100,000 on three significant digits and a unit: "12.3" and "M".
struct ShortCount {
    std::string digits;
    std::string_view unit;                   ///< k, M, G, T; empty: the digits are exact
    [[nodiscard]] std::string text() const;  ///< "12.3 M"
};
[[nodiscard]] ShortCount short_count(double value);

/// The length that numbers of that type mostly do not exceed, characters.
[[nodiscard]] unsigned usual_length(NumberFormat format, trace::Element element);

// --- Names (pass_names.cpp): the part that all share is written once, and as many stand side by side as fit.

/// "load", "s = 1", "s = 2" -> "s" over "load", "1", "2"; "size = 4, gap = 2" -> "size, gap" over "4, 2".
struct ShortNames {
    std::string head;  ///< the variables that all names with a value share; empty: the names are unchanged
    std::vector<std::string> names;
};
[[nodiscard]] ShortNames short_names(std::span<const std::string> names);

/// Where a name would stand along a line.
struct Extent {
    float from = 0, to = 0;
};
/// The least k for which every k-th name, from the first on, stands apart from its neighbors by `gap`; at least 1.
[[nodiscard]] std::size_t every_that_fits(std::span<const Extent> names, float gap);

}  // namespace lanescope::scene
