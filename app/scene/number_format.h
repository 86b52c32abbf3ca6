// The text of numbers: by their type, or their bits in another notation.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <string>

namespace lanescope::scene {

enum class NumberFormat : std::uint8_t { natural, decimal, hexadecimal, floating, binary };

/// The low bytes of `bits`, an element of that type: "-3", "0xFFFFFFFD", "2.5", "00000000 00000000 00000000 00000101".
/// Bytes that are not a floating-point type are decimal where one is requested.
[[nodiscard]] std::string written(NumberFormat format, trace::Element element, std::uint64_t bits);

/// A count or a measurement in at most four significant digits: "0.0123", "753.6", "12,350", "1,073,741,824"; whole
/// numbers keep all of theirs.
[[nodiscard]] std::string number_text(double value);

/// The maximum number of characters that numbers of that type mostly need.
[[nodiscard]] unsigned usual_length(NumberFormat format, trace::Element element);

}  // namespace lanescope::scene
