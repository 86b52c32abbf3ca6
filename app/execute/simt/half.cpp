// Arithmetic of f16, bf16 and their pairs, PTX ISA 9.7.4. Lane by lane: the modifiers are read at run time.
#include "execute/simt/half.h"

#include "execute/simt/floats.h"
#include "execute/simt/lanes.h"

#include <array>

namespace lanescope::execute {

std::uint16_t encode16(Format16 format, double value, ptx::Rounding rounding) {
    const int bias = format.bias();
    const auto infinity = static_cast<std::uint16_t>(((1U << format.exponent_bits) - 1U) << format.fraction_bits);
    if (std::isnan(value)) return 0x7FFF;
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    if (std::isinf(value)) return static_cast<std::uint16_t>(sign | infinity);
    if (value == 0) return sign;

    int exponent = std::max(std::ilogb(value), 1 - bias);
    double units = std::abs(round_to_integer(std::ldexp(value, format.fraction_bits - exponent), rounding));
    if (units == std::ldexp(1.0, format.fraction_bits + 1)) {
        units /= 2;
        ++exponent;
    }
    if (exponent > bias) {
        const bool down =
            rounding == ptx::Rounding::rz || rounding == (sign != 0 ? ptx::Rounding::rp : ptx::Rounding::rm);
        return static_cast<std::uint16_t>(sign | (down ? infinity - 1 : infinity));
    }
    const auto significand = static_cast<unsigned>(units);
    const bool normal = significand >> format.fraction_bits != 0;
    const unsigned biased = normal ? static_cast<unsigned>(exponent + bias) : 0U;
    const unsigned fraction = significand & ((1U << format.fraction_bits) - 1U);
    return static_cast<std::uint16_t>(sign | (biased << format.fraction_bits) | fraction);
}

Format16 format_of(ptx::Type type) {
    return type == ptx::Type::f16 || type == ptx::Type::f16x2 ? half_format : brain_float_format;
}

double flushed(Format16 format, double value) {
    return std::abs(value) < std::ldexp(1.0, 1 - format.bias()) ? std::copysign(0.0, value) : value;
}

double fma_to_odd(double a, double b, double c) {
    const double product = a * b;
    const double sum = product + c;
    if (!std::isfinite(sum)) return sum;
    // The rounding error of the sum (Knuth's two-sum, exact).
    const double part = sum - product;
    const double error = (product - (sum - part)) + (c - part);
    if (error == 0 || (std::bit_cast<std::uint64_t>(sum) & 1U) != 0) return sum;
    return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

namespace {

enum class Arithmetic : std::uint8_t { add, sub, mul, fma, min, max, neg, abs, ex2, tanh };

bool is_pair(ptx::Type type) { return type == ptx::Type::f16x2 || type == ptx::Type::bf16x2; }

double extreme(bool least, bool propagates_nan, double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return propagates_nan ? std::nan("") : std::isnan(a) ? b : a;
    if (a == b) return std::signbit(a) == least ? a : b;
    return (a < b) == least ? a : b;
}

template <Arithmetic arithmetic>
double compute(const ptx::Modifiers& modifiers, const std::array<double, 3>& x) {
    switch (arithmetic) {
        case Arithmetic::add: return fma_to_odd(1, x[0], x[1]);
        case Arithmetic::sub: return fma_to_odd(-1, x[1], x[0]);
        case Arithmetic::mul: return x[0] * x[1];
        case Arithmetic::fma: return fma_to_odd(x[0], x[1], x[2]);
        case Arithmetic::min: return extreme(true, modifiers.propagate_nan, x[0], x[1]);
        case Arithmetic::max: return extreme(false, modifiers.propagate_nan, x[0], x[1]);
        case Arithmetic::ex2: return std::exp2(x[0]);
        default: return std::tanh(x[0]);
    }
}

/// One value of 16 bits.
template <Arithmetic arithmetic>
std::uint16_t result_of(const ptx::Modifiers& modifiers, const std::array<std::uint16_t, 3>& sources) {
    const Format16 format = format_of(modifiers.type);
    if (arithmetic == Arithmetic::neg || arithmetic == Arithmetic::abs) {
        if (std::isnan(decode16(format, sources[0]))) return 0x7FFF;
        return arithmetic == Arithmetic::neg ? sources[0] ^ 0x8000U : sources[0] & 0x7FFFU;
    }
    std::array<double, 3> values{};
    for (unsigned i = 0; i < 3; ++i) {
        values[i] = decode16(format, sources[i]);
        if (modifiers.ftz) values[i] = flushed(format, values[i]);
    }
    double result = compute<arithmetic>(modifiers, values);
    if (modifiers.sat) result = saturate(result);
    if (modifiers.relu && !std::isnan(result)) result = result > 0 ? result : 0;
    const std::uint16_t encoded = encode16(format, result, ptx::Rounding::rn);
    return modifiers.ftz ? encode16(format, flushed(format, decode16(format, encoded)), ptx::Rounding::rn) : encoded;
}

template <Arithmetic arithmetic, unsigned sources>
void lane_by_lane(std::byte* file, const Slots& slots, LaneMask lanes) {
    const unsigned halves = is_pair(slots.modifiers->type) ? 2 : 1;
    auto* destination = reinterpret_cast<std::uint32_t*>(file + slots.destination[0]);
    for (const unsigned lane : lanes) {
        std::uint32_t result = 0;
        for (unsigned half = 0; half < halves; ++half) {
            std::array<std::uint16_t, 3> values{};
            for (unsigned i = 0; i < sources; ++i) {
                const std::uint32_t word = reinterpret_cast<const std::uint32_t*>(file + slots.source[i])[lane];
                values[i] = static_cast<std::uint16_t>(word >> (16 * half));
            }
            result |= std::uint32_t{result_of<arithmetic>(*slots.modifiers, values)} << (16 * half);
        }
        destination[lane] = result;
    }
}

template <Arithmetic arithmetic, unsigned sources>
Found found() {
    Operation result{.function = &lane_by_lane<arithmetic, sources>};
    result.destination[0] = Row::narrow;
    for (unsigned i = 0; i < sources; ++i) result.source[i] = Row::narrow;
    return result;
}

}  // namespace

Found half_operation(const ptx::Instruction& instruction) {
    switch (instruction.opcode) {
        case ptx::Opcode::add: return found<Arithmetic::add, 2>();
        case ptx::Opcode::sub: return found<Arithmetic::sub, 2>();
        case ptx::Opcode::mul: return found<Arithmetic::mul, 2>();
        case ptx::Opcode::fma: return found<Arithmetic::fma, 3>();
        case ptx::Opcode::min: return found<Arithmetic::min, 2>();
        case ptx::Opcode::max: return found<Arithmetic::max, 2>();
        case ptx::Opcode::neg: return found<Arithmetic::neg, 1>();
        case ptx::Opcode::abs: return found<Arithmetic::abs, 1>();
        case ptx::Opcode::ex2: return found<Arithmetic::ex2, 1>();
        case ptx::Opcode::tanh: return found<Arithmetic::tanh, 1>();
        default: return std::nullopt;
    }
}

}  // namespace lanescope::execute
