// f16 and bf16: 16 bits, computed as f64 and rounded once. PTX ISA 5.2.3, 5.2.4.
#pragma once

#include "ptx/module.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace lanescope::execute {

/// A binary floating-point format of 16 bits.
struct Format16 {
    int fraction_bits;
    int exponent_bits;
};
inline constexpr Format16 half_format{.fraction_bits = 10, .exponent_bits = 5};
inline constexpr Format16 brain_float_format{.fraction_bits = 7, .exponent_bits = 8};

[[nodiscard]] Format16 format_of(ptx::Type type);  ///< of f16, bf16 or a pair of them
/// .ftz: subnormals of the format become zeros of their sign.
[[nodiscard]] double flushed(Format16 format, double value);

[[nodiscard]] double decode16(Format16 format, std::uint16_t bits);
/// Rounds once; past the largest number to infinity, or to that number if the rounding mode requires it.
[[nodiscard]] std::uint16_t encode16(Format16 format, double value, ptx::Rounding rounding);

/// a * b + c for numbers of at most 24 bits, rounded to odd: rounding it again to fewer than 52 bits is exact.
[[nodiscard]] double fma_to_odd(double a, double b, double c);

}  // namespace lanescope::execute
