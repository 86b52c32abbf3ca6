#include "base/float16.h"

#include <bit>
#include <cmath>

namespace lanescope {

double decode16(Format16 format, std::uint16_t bits) {
    const unsigned fraction = bits & ((1U << format.fraction_bits) - 1U);
    const unsigned exponent =
        (static_cast<unsigned>(bits) >> format.fraction_bits) & ((1U << format.exponent_bits) - 1U);
    double magnitude = 0;
    if (exponent == (1U << format.exponent_bits) - 1U) {
        // A NaN keeps its payload and becomes quiet.
        const auto payload = std::uint64_t{fraction} << (52 - format.fraction_bits);
        magnitude = fraction == 0 ? HUGE_VAL : std::bit_cast<double>(0x7FF8'0000'0000'0000U | payload);
    } else if (exponent == 0) {
        magnitude = std::ldexp(fraction, 1 - format.bias() - format.fraction_bits);
    } else {
        magnitude = std::ldexp(fraction + (1U << format.fraction_bits),
                               static_cast<int>(exponent) - format.bias() - format.fraction_bits);
    }
    return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

}  // namespace lanescope
