// The errors that the PTX ISA states, in 9.7.3.8 (div), 9.7.3.13 (rcp), 9.7.3.15 to 9.7.3.22, 9.7.4.9 and 9.7.4.10.
#include "execute/simt/approximation.h"

#include "execute/simt/half.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace lanescope::execute {

namespace {

/// A floating-point format: the bits of its fraction, its smallest normal exponent.
struct Format {
    int fraction_bits = 0;
    int smallest_exponent = 0;

    /// The unit in the last place of a number.
    [[nodiscard]] double ulp(double value) const {
        const int exponent = value == 0 ? smallest_exponent : std::max(std::ilogb(value), smallest_exponent);
        return std::ldexp(1.0, exponent - fraction_bits);
    }
    [[nodiscard]] double smallest_normal() const { return std::ldexp(1.0, smallest_exponent); }
};

bool is_half(ptx::Type type) {
    return type == ptx::Type::f16 || type == ptx::Type::f16x2 || type == ptx::Type::bf16 || type == ptx::Type::bf16x2;
}
bool is_pair(ptx::Type type) { return type == ptx::Type::f16x2 || type == ptx::Type::bf16x2; }
bool is_brain_float(ptx::Type type) { return type == ptx::Type::bf16 || type == ptx::Type::bf16x2; }

Format float_format_of(ptx::Type type) {
    if (type == ptx::Type::f64) return {.fraction_bits = 52, .smallest_exponent = -1022};
    if (!is_half(type)) return {.fraction_bits = 23, .smallest_exponent = -126};
    const Format16 format = format_of(type);
    return {.fraction_bits = format.fraction_bits, .smallest_exponent = 2 - (1 << (format.exponent_bits - 1))};
}

double number_of(ptx::Type type, std::uint64_t bits) {
    if (type == ptx::Type::f64) return std::bit_cast<double>(bits);
    if (is_half(type)) return decode16(format_of(type), static_cast<std::uint16_t>(bits));
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

/// One number of a lane: the operands, the exact result, rounded, and the result found.
struct Numbers {
    double a = 0, b = 0, exact = 0, found = 0;
};

/// The largest stated difference from the exact result; nothing if none is stated.
std::optional<double> stated_error(const ptx::Instruction& instruction, const Numbers& numbers) {
    const ptx::Type type = instruction.modifiers.type;
    const double exact = std::abs(numbers.exact);
    const double ulp = float_format_of(type).ulp(numbers.exact);
    const double a = std::abs(numbers.a), b = std::abs(numbers.b);
    switch (instruction.opcode) {
        case ptx::Opcode::div: {
            const bool stated = instruction.modifiers.full || (b >= std::ldexp(1.0, -126) && b <= std::ldexp(1.0, 126));
            return stated ? std::optional(2 * ulp) : std::nullopt;
        }
        case ptx::Opcode::rcp: return type == ptx::Type::f64 ? std::nullopt : std::optional(ulp);
        case ptx::Opcode::sqrt: return std::ldexp(exact, -23);
        case ptx::Opcode::rsqrt: return type == ptx::Type::f64 ? std::nullopt : std::optional(std::exp2(-22.9) * exact);
        case ptx::Opcode::sin:
        case ptx::Opcode::cos:
            if (a <= 2 * std::numbers::pi) return std::exp2(-20.5);
            if (a <= 100 * std::numbers::pi) return std::exp2(-14.7);
            return std::nullopt;
        case ptx::Opcode::lg2: return std::ldexp(a > 0.5 && a < 2 ? 1.0 : exact, -22);
        case ptx::Opcode::ex2:
            if (!is_half(type)) return 2 * ulp;
            return std::exp2(is_brain_float(type) ? -7.0 : -9.9) * exact;
        case ptx::Opcode::tanh:
            if (!is_half(type)) return std::ldexp(exact, -11);
            return std::exp2(is_brain_float(type) ? -8.0 : -10.987);
        default: return std::nullopt;
    }
}

/// div.approx computes a * (1/b), and 1/b of a large b is zero (9.7.3.8).
bool is_product_with_zero(const ptx::Instruction& instruction, const Numbers& numbers) {
    const bool large = std::isfinite(numbers.b) && std::abs(numbers.b) > std::ldexp(1.0, 126);
    if (instruction.opcode != ptx::Opcode::div || instruction.modifiers.full || !large) return false;
    return std::isinf(numbers.a) ? std::isnan(numbers.found) : numbers.found == 0;
}

double relative_difference(double one, double other) {
    if (std::isnan(one) || std::isnan(other) || std::isinf(one) || std::isinf(other))
        return std::numeric_limits<double>::infinity();
    const double larger = std::max(std::abs(one), std::abs(other));
    return larger == 0 ? 0 : std::abs(one - other) / larger;
}

Accuracy accuracy_of(const ptx::Instruction& instruction, const Numbers& numbers) {
    if (is_product_with_zero(instruction, numbers)) return Accuracy::within;
    const std::optional<double> stated = stated_error(instruction, numbers);
    if (!stated) return Accuracy::unstated;
    const Format format = float_format_of(instruction.modifiers.type);
    // A NaN, an infinity and the sign of a zero are stated exactly.
    if (!std::isfinite(numbers.exact) || !std::isfinite(numbers.found)) return Accuracy::beyond;
    if (numbers.exact == 0 && numbers.found == 0) return Accuracy::beyond;
    // A result rounded to a subnormal becomes zero, and the smallest normal number may be rounded to one.
    const bool flushed = instruction.modifiers.ftz && (numbers.exact == 0 || numbers.found == 0);
    const double allowed = *stated + format.ulp(numbers.exact) / 2 + (flushed ? format.smallest_normal() : 0);
    return std::abs(numbers.found - numbers.exact) <= allowed ? Accuracy::within : Accuracy::beyond;
}

}  // namespace

bool is_approximate(const ptx::Instruction& instruction) {
    return instruction.modifiers.approx || instruction.modifiers.full;
}

Deviation deviation(const ApproximateResult& result, std::uint64_t found) {
    const ptx::Type type = result.instruction->modifiers.type;
    const unsigned parts = is_pair(type) ? 2 : 1;
    const unsigned width = is_half(type) ? 16 : type == ptx::Type::f64 ? 64 : 32;
    Deviation worst;
    for (unsigned part = 0; part < parts; ++part) {
        const auto bits_of = [&](std::uint64_t bits) {
            const std::uint64_t shifted = bits >> (part * width);
            return width == 64 ? shifted : shifted & ((std::uint64_t{1} << width) - 1);
        };
        if (bits_of(result.exact) == bits_of(found)) continue;
        const auto number = [&](std::uint64_t bits) { return number_of(type, bits_of(bits)); };
        const Numbers numbers{.a = number(result.sources[0]),
                              .b = number(result.sources[1]),
                              .exact = number(result.exact),
                              .found = number(found)};
        worst.accuracy = std::max(worst.accuracy, accuracy_of(*result.instruction, numbers));
        worst.relative = std::max(worst.relative, relative_difference(numbers.exact, numbers.found));
    }
    return worst;
}

}  // namespace lanescope::execute
