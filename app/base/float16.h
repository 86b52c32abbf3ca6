// The binary floating-point formats of 16 bits: f16 (IEEE 754 binary16) and bf16. PTX ISA 5.2.3.
#pragma once

#include <cstdint>

namespace lanescope {

struct Format16 {
    int fraction_bits;
    int exponent_bits;
    [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};
inline constexpr Format16 half_format{.fraction_bits = 10, .exponent_bits = 5};
inline constexpr Format16 brain_float_format{.fraction_bits = 7, .exponent_bits = 8};

/// Exact: every number of these formats is a double. A NaN keeps its payload and becomes quiet.
[[nodiscard]] double decode16(Format16 format, std::uint16_t bits);

}  // namespace lanescope
