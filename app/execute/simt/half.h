// f16 and bf16: 16 bits, computed as f64 and rounded once. PTX ISA 5.2.3, 5.2.4.
#pragma once

#include "base/float16.h"
#include "ptx/module.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace lanescope::execute {

[[nodiscard]] Format16 format_of(ptx::Type type);  ///< of f16, bf16 or a pair of them
/// .ftz: subnormals of the format become zeros of their sign.
[[nodiscard]] double flushed(Format16 format, double value);

/// Rounds once; past the largest number to infinity, or to that number if the rounding mode requires it.
[[nodiscard]] std::uint16_t encode16(Format16 format, double value, ptx::Rounding rounding);

/// a * b + c for numbers of at most 24 bits, rounded to odd: rounding it again to fewer than 52 bits is exact.
[[nodiscard]] double fma_to_odd(double a, double b, double c);

}  // namespace lanescope::execute
