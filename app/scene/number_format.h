// How a person wants numbers written: as their type says, or their bits as something else.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <string>

namespace lanescope::scene {

enum class NumberFormat : std::uint8_t { natural, decimal, hexadecimal, floating, binary };

/// The low bytes of `bits`, an element of that type: "-3", "0xFFFFFFFD", "2.5", "00000000 00000000 00000000 00000101".
/// Bytes that hold no floating-point type are decimal where they are asked for as one.
[[nodiscard]] std::string written(NumberFormat format, trace::Element element, std::uint64_t bits);

/// A count or a measurement in at most four significant digits: "0.0123", "753.6", "12,350", "1,073,741,824"; whole
/// numbers keep all of theirs.
[[nodiscard]] std::string number_text(double value);

/// Characters that numbers of that type mostly need at most.
[[nodiscard]] unsigned usual_length(NumberFormat format, trace::Element element);

}  // namespace lanescope::scene
