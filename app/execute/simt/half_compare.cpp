// Comparison of f16, bf16 and their pairs, PTX ISA 9.7.7. Lane by lane: the modifiers are read at run time.
#include "execute/simt/half.h"
#include "execute/simt/lanes.h"

#include <array>

namespace lanescope::execute {

namespace {

using ptx::Combine;
using ptx::Compare;
using ptx::Type;

bool is_pair(Type type) { return type == Type::f16x2 || type == Type::bf16x2; }

bool holds(Compare compare, double a, double b) {
    const bool less = a<b, greater = a> b, unordered = std::isnan(a) || std::isnan(b);
    const bool equal = !less && !greater && !unordered;
    switch (compare) {
        case Compare::eq: return equal;
        case Compare::ne: return less || greater;
        case Compare::lt:
        case Compare::lo: return less;
        case Compare::le:
        case Compare::ls: return less || equal;
        case Compare::gt:
        case Compare::hi: return greater;
        case Compare::ge:
        case Compare::hs: return greater || equal;
        case Compare::equ: return equal || unordered;
        case Compare::neu: return !equal;
        case Compare::ltu: return less || unordered;
        case Compare::leu: return !greater;
        case Compare::gtu: return greater || unordered;
        case Compare::geu: return !less;
        case Compare::num: return !unordered;
        default: return unordered;
    }
}

bool combined(Combine combine, bool holds, bool c) {
    switch (combine) {
        case Combine::and_: return holds && c;
        case Combine::or_: return holds || c;
        case Combine::xor_: return holds != c;
        default: return holds;
    }
}

Type compared_type(const ptx::Modifiers& modifiers) {
    return modifiers.source_type == Type::none ? modifiers.type : modifiers.source_type;
}

/// The results of the comparison, for each half of a pair. For setp with two predicates and one value, the second is of
/// the opposite comparison (9.7.6.2); of a pair, the second is of the upper half (9.7.7.2).
std::array<bool, 2> results(const Slots& slots, std::uint32_t a, std::uint32_t b, bool c) {
    const ptx::Modifiers& modifiers = *slots.modifiers;
    const Type type = compared_type(modifiers);
    const Format16 format = format_of(type);
    const auto one = [&](unsigned half) {
        std::array<double, 2> values{decode16(format, static_cast<std::uint16_t>(a >> (16 * half))),
                                     decode16(format, static_cast<std::uint16_t>(b >> (16 * half)))};
        for (double& value : values) value = modifiers.ftz ? flushed(format, value) : value;
        return holds(modifiers.compare, values[0], values[1]);
    };
    const bool first = one(0);
    const bool second = is_pair(type) ? one(1) : !first;
    return {combined(modifiers.combine, first, c), combined(modifiers.combine, second, c)};
}

template <class Write>
void lane_by_lane(std::byte* file, const Slots& slots, LaneMask lanes, Write write) {
    const std::uint32_t c = *reinterpret_cast<const std::uint32_t*>(file + slots.source[2]) ^ slots.invert;
    for (const unsigned lane : lanes) {
        const std::uint32_t a = reinterpret_cast<const std::uint32_t*>(file + slots.source[0])[lane];
        const std::uint32_t b = reinterpret_cast<const std::uint32_t*>(file + slots.source[1])[lane];
        write(lane, results(slots, a, b, ((c >> lane) & 1U) != 0));
    }
}

void setp(std::byte* file, const Slots& slots, LaneMask lanes) {
    std::uint32_t first = 0, second = 0;
    lane_by_lane(file, slots, lanes, [&](unsigned lane, const std::array<bool, 2>& result) {
        first |= result[0] ? 1U << lane : 0U;
        second |= result[1] ? 1U << lane : 0U;
    });
    write_predicate(file, slots.destination[0], first, lanes);
    if (slots.constant != 0) write_predicate(file, slots.destination[1], second, lanes);
}

/// The value for true that `set` writes, in one half of a destination with two.
std::uint32_t true_value(Type type, bool pair) {
    switch (type) {
        case Type::f16:
        case Type::f16x2: return 0x3C00U;
        case Type::bf16:
        case Type::bf16x2: return 0x3F80U;
        case Type::u16:
        case Type::s16: return 0xFFFFU;
        default: return pair ? 0xFFFFU : ~0U;
    }
}

void set(std::byte* file, const Slots& slots, LaneMask lanes) {
    const bool pair = is_pair(slots.modifiers->source_type);
    const std::uint32_t yes = true_value(slots.modifiers->type, pair);
    auto* destination = reinterpret_cast<std::uint32_t*>(file + slots.destination[0]);
    lane_by_lane(file, slots, lanes, [&](unsigned lane, const std::array<bool, 2>& result) {
        destination[lane] = (result[0] ? yes : 0U) | (pair && result[1] ? yes << 16U : 0U);
    });
}

}  // namespace

Found half_comparison(const ptx::Instruction& instruction) {
    const bool has_predicate = instruction.modifiers.combine != Combine::none;
    Operation found;
    found.source = {Row::narrow, Row::narrow, has_predicate ? Row::predicate : Row::none};
    if (instruction.opcode == ptx::Opcode::setp) {
        const bool two = instruction.operands[0].paired.valid();
        found.function = &setp;
        found.destination = {Row::predicate, two ? Row::predicate : Row::none};
        found.constant = two ? 1 : 0;
    } else {
        found.function = &set;
        found.destination[0] = Row::narrow;
    }
    return found;
}

}  // namespace lanescope::execute
