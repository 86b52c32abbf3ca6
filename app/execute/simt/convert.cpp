// Conversions, PTX ISA 9.7.9.21. Registers may be wider than the types converted: the source's low bits are read, and
// the result is extended to the destination register by the sign of its own type.
#include "execute/simt/floats.h"
#include "execute/simt/half.h"
#include "execute/simt/integers.h"

#include <algorithm>

namespace lanescope::execute {

namespace {

using ptx::Rounding;
using ptx::Type;

/// The register sizes of a cvt, in Slots::constant: bits of the destination register.
unsigned register_bits(const Slots& slots) { return static_cast<unsigned>(slots.constant); }

constexpr std::uint64_t low_bits(unsigned bits) { return bits >= 64 ? ~0ULL : (1ULL << bits) - 1ULL; }

/// The low `bits` of a cell, extended to 64.
std::uint64_t extended(std::uint64_t cell, unsigned bits, bool is_signed) {
    const unsigned unused = 64 - bits;
    if (is_signed) return static_cast<std::uint64_t>(static_cast<std::int64_t>(cell << unused) >> unused);
    return cell << unused >> unused;
}

// Integer -> integer ------------------------------------------------------------------------------------------

/// Source -> destination type -> destination register, by shifts whose amounts the types give.
template <class From, class To, bool from_signed, bool to_signed>
LANESCOPE_FOR_EACH_PROCESSOR void resize(std::byte* file, const Slots& slots, LaneMask lanes) {
    const SourceRow<From> source(file, slots.source[0], 0);
    const unsigned from_bits = ptx::bytes_of(slots.modifiers->source_type) * 8;
    const unsigned to_bits = ptx::bytes_of(slots.modifiers->type) * 8;
    const std::uint64_t kept = low_bits(static_cast<unsigned>(slots.constant));
    alignas(64) Cell<To> results[32];
    for (unsigned lane = 0; lane < 32; ++lane) {
        const std::uint64_t value = extended(source[lane], from_bits, from_signed);
        results[lane] = static_cast<Cell<To>>(extended(value, to_bits, to_signed) & kept);
    }
    write_cells(reinterpret_cast<Cell<To>*>(file + slots.destination[0]), results, lanes);
}

struct Copy {
    template <class T>
    static T apply(T a) {
        return a;
    }
};
template <class To>
struct Cast {
    template <class From>
    static To apply(From a) {
        return static_cast<To>(a);
    }
};

/// The common conversions of index arithmetic, without shifts.
Found common_resize(Type to, Type from, Row to_row, Row from_row) {
    const bool to_wide = ptx::bytes_of(to) == 8;
    if (to_wide && to_row == Row::wide && from_row == Row::narrow) {
        if (from == Type::u32) return operation<Cast<std::uint64_t>, std::uint64_t, std::uint32_t>();
        if (from == Type::s32) return operation<Cast<std::int64_t>, std::int64_t, std::int32_t>();
    }
    if (ptx::bytes_of(to) == 4 && to_row == Row::narrow) {
        if (ptx::bytes_of(from) == 8) return operation<Cast<std::uint32_t>, std::uint32_t, std::uint64_t>();
        if (ptx::bytes_of(from) == 4 && from_row == Row::narrow) {
            return operation<Copy, std::uint32_t, std::uint32_t>();
        }
    }
    return std::nullopt;
}

template <class From, class To>
LaneFunction resize_function(bool from_signed, bool to_signed) {
    if (from_signed) return to_signed ? &resize<From, To, true, true> : &resize<From, To, true, false>;
    return to_signed ? &resize<From, To, false, true> : &resize<From, To, false, false>;
}

LaneFunction resize_function(Row from, Row to, bool from_signed, bool to_signed) {
    using Narrow = std::uint32_t;
    using Wide = std::uint64_t;
    if (from == Row::wide) {
        return to == Row::wide ? resize_function<Wide, Wide>(from_signed, to_signed)
                               : resize_function<Wide, Narrow>(from_signed, to_signed);
    }
    return to == Row::wide ? resize_function<Narrow, Wide>(from_signed, to_signed)
                           : resize_function<Narrow, Narrow>(from_signed, to_signed);
}

// Everything else, lane by lane ---------------------------------------------------------------------------------

bool is_half(Type type) { return type == Type::f16 || type == Type::bf16; }
bool is_floating(Type type) { return is_half(type) || type == Type::f32 || type == Type::f64; }
/// A number of the source type, exact for either kind.
struct Number {
    bool floating = false;
    bool is_signed = false;
    double real = 0;
    std::uint64_t integer = 0;  ///< extended to 64 bits
};

Number number_of(Type type, std::uint64_t cell, bool flushes) {
    Number number;
    number.floating = is_floating(type);
    if (is_half(type)) {
        number.real = decode16(format_of(type), static_cast<std::uint16_t>(cell));
    } else if (type == Type::f32) {
        const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(cell));
        number.real = flushes ? flush(value) : value;
    } else if (type == Type::f64) {
        number.real = std::bit_cast<double>(cell);
    } else {
        number.is_signed = ptx::is_signed(type);
        number.integer = extended(cell, ptx::bytes_of(type) * 8, number.is_signed);
    }
    return number;
}

/// The bounds of an integer type of up to 64 bits.
std::int64_t least_of(Type type) {
    return ptx::is_signed(type) ? static_cast<std::int64_t>(~0ULL << (ptx::bytes_of(type) * 8 - 1)) : 0;
}
std::uint64_t most_of(Type type) { return low_bits(ptx::bytes_of(type) * 8 - (ptx::is_signed(type) ? 1U : 0U)); }

/// Floats saturate in the range of the integer; NaN becomes 0, or the topmost bit alone if 64 bits take part.
std::uint64_t to_integer(Type type, Type from, double real, Rounding rounding) {
    const bool long_types = from == Type::f64 || ptx::bytes_of(type) == 8;
    if (std::isnan(real)) return long_types ? 1ULL << (ptx::bytes_of(type) * 8 - 1) : 0;
    const double rounded = round_to_integer(real, rounding);
    if (rounded <= static_cast<double>(least_of(type))) return static_cast<std::uint64_t>(least_of(type));
    if (rounded >= static_cast<double>(most_of(type))) return most_of(type);
    if (ptx::is_signed(type)) return static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded));
    return static_cast<std::uint64_t>(rounded);
}

/// .sat between integers.
std::uint64_t clamped(Type type, const Number& number) {
    const bool negative = number.is_signed && static_cast<std::int64_t>(number.integer) < 0;
    if (negative) {
        const std::int64_t least = least_of(type);
        return static_cast<std::uint64_t>(std::max(static_cast<std::int64_t>(number.integer), least));
    }
    return std::min(number.integer, most_of(type));
}

float to_f32(const Number& number, Rounding rounding) {
    const RoundingScope scope(rounding);
    volatile float result = 0;
    if (number.floating) {
        volatile double real = number.real;
        result = static_cast<float>(real);
    } else if (number.is_signed) {
        volatile auto integer = static_cast<std::int64_t>(number.integer);
        result = static_cast<float>(integer);
    } else {
        volatile std::uint64_t integer = number.integer;
        result = static_cast<float>(integer);
    }
    return result;
}

double to_f64(const Number& number, Rounding rounding) {
    const RoundingScope scope(rounding);
    volatile double result = number.real;
    if (!number.floating && number.is_signed) {
        volatile auto integer = static_cast<std::int64_t>(number.integer);
        result = static_cast<double>(integer);
    } else if (!number.floating) {
        volatile std::uint64_t integer = number.integer;
        result = static_cast<double>(integer);
    }
    return result;
}

/// f16 and bf16 have at most 11 bits: an integer of 64 bits rounded to odd at 53 gives the same result.
double to_odd_f64(const Number& number) {
    if (number.floating) return number.real;
    const double toward_zero = to_f64(number, Rounding::rz);
    const double away = to_f64(number, Rounding::rn);
    const double up = to_f64(number, Rounding::rp);
    const bool exact = toward_zero == away && toward_zero == up && up == to_f64(number, Rounding::rm);
    if (exact || (std::bit_cast<std::uint64_t>(toward_zero) & 1U) != 0) return toward_zero;
    return std::nextafter(toward_zero, std::copysign(HUGE_VAL, toward_zero));
}

bool rounds_to_integer(Rounding rounding) {
    return rounding == Rounding::rni || rounding == Rounding::rzi || rounding == Rounding::rmi ||
           rounding == Rounding::rpi;
}

/// To a float type; the bits of the result.
std::uint64_t to_floating(const ptx::Modifiers& modifiers, Number number) {
    if (number.floating && rounds_to_integer(modifiers.rounding)) {
        number.real = round_to_integer(number.real, modifiers.rounding);
    }
    if (modifiers.relu && !std::isnan(number.real)) number.real = number.real > 0 ? number.real : 0;
    if (modifiers.type == Type::f64) {
        const double value = to_f64(number, modifiers.rounding);
        if (std::isnan(value) && !modifiers.sat) return std::bit_cast<std::uint64_t>(value) | 1ULL << 51;
        return std::bit_cast<std::uint64_t>(modifiers.sat ? saturate(value) : value);
    }
    if (modifiers.type == Type::f32) {
        float value = to_f32(number, modifiers.rounding);
        // A NaN from f64 and bf16 keeps the part of its payload that fits.
        if (modifiers.source_type == Type::f32 || modifiers.source_type == Type::f16) value = canonical(value);
        if (modifiers.ftz) value = flush(value);
        return std::bit_cast<std::uint32_t>(modifiers.sat ? saturate(value) : value);
    }
    const double value = to_odd_f64(number);
    if (std::isnan(value) && !modifiers.sat && modifiers.source_type == Type::f64) {
        return std::signbit(value) ? 0xFE00U : 0x7E00U;
    }
    return encode16(format_of(modifiers.type), modifiers.sat ? saturate(value) : value, modifiers.rounding);
}

std::uint64_t converted(const ptx::Modifiers& modifiers, std::uint64_t cell) {
    const Type to = modifiers.type;
    const Number number = number_of(modifiers.source_type, cell, modifiers.ftz);
    if (is_floating(to)) return to_floating(modifiers, number);
    if (number.floating) return to_integer(to, modifiers.source_type, number.real, modifiers.rounding);
    return clamped(to, number);
}

template <class From, class To>
void convert(std::byte* file, const Slots& slots, LaneMask lanes) {
    const SourceRow<From> source(file, slots.source[0], 0);
    auto* destination = reinterpret_cast<To*>(file + slots.destination[0]);
    const unsigned bits = ptx::bytes_of(slots.modifiers->type) * 8;
    const std::uint64_t kept = low_bits(register_bits(slots));
    for (const unsigned lane : lanes) {
        const std::uint64_t value = converted(*slots.modifiers, source[lane]);
        destination[lane] = static_cast<To>(extended(value, bits, ptx::is_signed(slots.modifiers->type)) & kept);
    }
}

/// Two f32 into a pair; the first source is the upper half.
void convert_pair(std::byte* file, const Slots& slots, LaneMask lanes) {
    const ptx::Modifiers& modifiers = *slots.modifiers;
    const Format16 format = modifiers.type == Type::f16x2 ? half_format : brain_float_format;
    const auto half = [&](unsigned source, unsigned lane) -> std::uint32_t {
        double value = SourceRow<float>(file, slots.source[source], 0)[lane];
        if (modifiers.relu && !std::isnan(value)) value = value > 0 ? value : 0;
        return encode16(format, value, modifiers.rounding);
    };
    for (const unsigned lane : lanes) {
        reinterpret_cast<std::uint32_t*>(file + slots.destination[0])[lane] = half(0, lane) << 16 | half(1, lane);
    }
}

LaneFunction convert_function(Row from, Row to) {
    if (from == Row::wide) {
        return to == Row::wide ? &convert<std::uint64_t, std::uint64_t> : &convert<std::uint64_t, std::uint32_t>;
    }
    return to == Row::wide ? &convert<std::uint32_t, std::uint64_t> : &convert<std::uint32_t, std::uint32_t>;
}

/// cvt.rn.f32.s32 and similar: rounds to nearest, the processor's default.
Found common_to_float(const ptx::Modifiers& modifiers, Row from_row) {
    const bool plain = modifiers.rounding == Rounding::rn && !modifiers.sat && !modifiers.ftz;
    if (!plain || modifiers.type != Type::f32 || from_row != Row::narrow) return std::nullopt;
    if (modifiers.source_type == Type::s32) return operation<Cast<float>, float, std::int32_t>();
    if (modifiers.source_type == Type::u32) return operation<Cast<float>, float, std::uint32_t>();
    return std::nullopt;
}

Row row_of_operand(const ptx::Function& function, const ptx::Operand& operand, Type otherwise) {
    if (operand.kind != ptx::Operand::Kind::reg) return row_of(otherwise);
    return row_of(function.registers[operand.reg.index()].type);
}

}  // namespace

Found convert_operation(const ptx::Function& function, const ptx::Instruction& instruction) {
    if (instruction.opcode != ptx::Opcode::cvt) return std::nullopt;
    const ptx::Modifiers& modifiers = instruction.modifiers;
    const ptx::Operand& destination = instruction.operands[0];
    if (modifiers.type == Type::f16x2 || modifiers.type == Type::bf16x2) {
        Operation pair{.function = &convert_pair};
        pair.destination[0] = Row::narrow;
        pair.source = {Row::narrow, Row::narrow};
        return pair;
    }

    const Row to_row = row_of_operand(function, destination, modifiers.type);
    const Row from_row = row_of_operand(function, instruction.operands[1], modifiers.source_type);
    const bool between_integers = !is_floating(modifiers.type) && !is_floating(modifiers.source_type);
    if (between_integers && !modifiers.sat) {
        if (const Found common = common_resize(modifiers.type, modifiers.source_type, to_row, from_row)) return common;
    }
    if (const Found common = common_to_float(modifiers, from_row)) return common;

    Operation found;
    found.destination[0] = to_row;
    found.source[0] = from_row;
    found.constant = 8U * ptx::bytes_of(destination.kind == ptx::Operand::Kind::reg
                                            ? function.registers[destination.reg.index()].type
                                            : modifiers.type);
    found.function =
        between_integers && !modifiers.sat
            ? resize_function(from_row, to_row, ptx::is_signed(modifiers.source_type), ptx::is_signed(modifiers.type))
            : convert_function(from_row, to_row);
    return found;
}

}  // namespace lanescope::execute
