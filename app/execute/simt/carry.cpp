// Extended precision: additions, subtractions and multiplications with a carry. PTX ISA 9.7.2. The carry is a
// predicate: the last source if it is read, the second destination if it is written.
#include "execute/simt/integers.h"

namespace lanescope::execute {

namespace {

template <class T>
struct WithCarry {
    T value;
    bool carry;
};

struct Add {
    static constexpr bool carry_unread = false;
    template <class T>
    static WithCarry<T> apply(T a, T b, T, bool carry) {
        const T sum = static_cast<T>(a + b);
        const T with_carry = static_cast<T>(sum + (carry ? 1U : 0U));
        return {with_carry, sum < a || with_carry < sum};
    }
};
/// a + ~b + 1; hardware keeps its carry: set if nothing is borrowed. (9.7.2.3 does not define it; measured on an H200,
/// and the compiler's division of __int128 relies on it, mixing sub.cc with addc.)
struct Sub {
    static constexpr bool carry_unread = true;
    template <class T>
    static WithCarry<T> apply(T a, T b, T, bool carry) {
        const T difference = static_cast<T>(a - b);
        const T with_borrow = static_cast<T>(difference - (carry ? 0U : 1U));
        return {with_borrow, a >= b && difference >= with_borrow};
    }
};
struct MadLow {
    static constexpr bool carry_unread = false;
    template <class T>
    static WithCarry<T> apply(T a, T b, T c, bool carry) {
        return Add::apply(static_cast<T>(a * b), c, T{}, carry);
    }
};
/// T has the signedness of the product; carries are of unsigned words.
template <class Signed>
struct MadHigh {
    static constexpr bool carry_unread = false;
    template <class T>
    static WithCarry<T> apply(T a, T b, T c, bool carry) {
        const auto high = static_cast<T>(high_mul(static_cast<Signed>(a), static_cast<Signed>(b)));
        return Add::apply(high, c, T{}, carry);
    }
};

/// `sources` counts the values beside the carry. slots.constant: bit 0, the carry is read; bit 1, it is written.
template <class F, class T, unsigned sources>
LANESCOPE_FOR_EACH_PROCESSOR void with_carry(std::byte* file, const Slots& slots, LaneMask lanes) {
    const SourceRow<T> a(file, slots.source[0], 0);
    const SourceRow<T> b(file, slots.source[1], 0);
    const SourceRow<T> c(file, slots.source[sources - 1], 0);
    const bool reads = (slots.constant & 1U) != 0;
    const SourceRow<bool> carry(file, slots.source[sources], 0);
    alignas(64) Cell<T> results[32];
    std::uint32_t carries = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
        const WithCarry<T> result = F::apply(a[lane], b[lane], c[lane], reads ? carry[lane] : F::carry_unread);
        results[lane] = result.value;
        carries |= result.carry ? 1U << lane : 0U;
    }
    write_cells(reinterpret_cast<Cell<T>*>(file + slots.destination[0]), results, lanes);
    if ((slots.constant & 2U) != 0) write_predicate(file, slots.destination[1], carries, lanes);
}

template <class F, class T, unsigned sources>
Found found(const ptx::Modifiers& modifiers) {
    Operation result{.function = &with_carry<F, T, sources>};
    result.destination = {row_for<T>(), modifiers.carry_out ? Row::predicate : Row::none};
    for (unsigned i = 0; i < sources; ++i) result.source[i] = row_for<T>();
    if (modifiers.carry_in) result.source[sources] = Row::predicate;
    result.constant = (modifiers.carry_in ? 1U : 0U) | (modifiers.carry_out ? 2U : 0U);
    return result;
}

template <class F, unsigned sources>
Found of_width(const ptx::Modifiers& modifiers) {
    if (ptx::bytes_of(modifiers.type) == 8) return found<F, std::uint64_t, sources>(modifiers);
    return found<F, std::uint32_t, sources>(modifiers);
}

Found mad_high(const ptx::Modifiers& modifiers) {
    switch (modifiers.type) {
        case ptx::Type::s32: return found<MadHigh<std::int32_t>, std::uint32_t, 3>(modifiers);
        case ptx::Type::u32: return found<MadHigh<std::uint32_t>, std::uint32_t, 3>(modifiers);
        case ptx::Type::s64: return found<MadHigh<std::int64_t>, std::uint64_t, 3>(modifiers);
        default: return found<MadHigh<std::uint64_t>, std::uint64_t, 3>(modifiers);
    }
}

}  // namespace

Found carry_operation(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    switch (instruction.opcode) {
        case ptx::Opcode::add:
        case ptx::Opcode::addc: return of_width<Add, 2>(modifiers);
        case ptx::Opcode::sub:
        case ptx::Opcode::subc: return of_width<Sub, 2>(modifiers);
        case ptx::Opcode::mad:
        case ptx::Opcode::madc:
            return modifiers.width == ptx::Width::hi ? mad_high(modifiers) : of_width<MadLow, 3>(modifiers);
        default: return std::nullopt;
    }
}

}  // namespace lanescope::execute
