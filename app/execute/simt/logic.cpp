// Logic and shift, PTX ISA 9.7.8.
#include "execute/simt/integers.h"

namespace lanescope::execute {

namespace {

struct And {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a & b);
    }
    static bool apply(bool a, bool b) { return a && b; }
};
struct Or {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a | b);
    }
    static bool apply(bool a, bool b) { return a || b; }
};
struct Xor {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a ^ b);
    }
    static bool apply(bool a, bool b) { return a != b; }
};
struct Not {
    template <class T>
    static T apply(T a) {
        return static_cast<T>(~a);
    }
    static bool apply(bool a) { return !a; }
};
struct Cnot {
    template <class T>
    static T apply(T a) {
        return a == 0 ? 1 : 0;
    }
};

/// Any function of three bits: bit i of the table is the result where the bits read i in binary, a first.
LANESCOPE_FOR_EACH_PROCESSOR void lop3(std::byte* file, const Slots& slots, LaneMask lanes) {
    std::array<std::uint32_t, 8> minterm;
    for (unsigned i = 0; i < 8; ++i) minterm[i] = ((slots.constant >> i) & 1U) != 0 ? ~0U : 0U;
    const SourceRow<std::uint32_t> a(file, slots.source[0], 0);
    const SourceRow<std::uint32_t> b(file, slots.source[1], 0);
    const SourceRow<std::uint32_t> c(file, slots.source[2], 0);
    alignas(64) std::uint32_t results[32];
    for (unsigned lane = 0; lane < 32; ++lane) {
        std::uint32_t result = 0;
        for (unsigned i = 0; i < 8; ++i) {
            const std::uint32_t x = (i & 4U) != 0 ? a[lane] : ~a[lane];
            const std::uint32_t y = (i & 2U) != 0 ? b[lane] : ~b[lane];
            const std::uint32_t z = (i & 1U) != 0 ? c[lane] : ~c[lane];
            result |= x & y & z & minterm[i];
        }
        results[lane] = result;
    }
    write_cells(reinterpret_cast<std::uint32_t*>(file + slots.destination[0]), results, lanes);
}

/// Shifts by the width or more give 0, or the sign (9.7.8.8, 9.7.8.9).
struct Shl {
    template <class T>
    static T apply(T a, std::uint32_t amount) {
        constexpr std::uint32_t bits = sizeof(T) * 8;
        const auto shifted = static_cast<T>(static_cast<Wrapping<T>>(a) << (amount & (bits - 1)));
        return amount < bits ? shifted : T{0};
    }
};
struct Shr {
    template <class T>
    static T apply(T a, std::uint32_t amount) {
        constexpr std::uint32_t bits = sizeof(T) * 8;
        const std::uint32_t most = bits - 1;
        if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (amount < bits ? amount : most));
        const auto shifted = static_cast<T>(a >> (amount & most));
        return amount < bits ? shifted : T{0};
    }
};

/// 32 bits out of the 64 of b:a (9.7.8.7).
template <ptx::Shift direction, ptx::Bound bound>
struct FunnelShift {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const std::uint32_t amount = bound == ptx::Bound::clamp ? (c > 32 ? 32 : c) : c & 31U;
        const std::uint64_t both = std::uint64_t{b} << 32 | a;
        if (direction == ptx::Shift::left) return static_cast<std::uint32_t>((both << amount) >> 32);
        return static_cast<std::uint32_t>(both >> amount);
    }
};

template <class F>
Found binary(ptx::Type type) {
    if (type == ptx::Type::pred) return operation<F, bool, bool, bool>();
    return for_bits(type, []<class T>(T) -> Found { return operation<F, T, T, T>(); });
}

template <ptx::Shift direction>
Found funnel_shift(ptx::Bound bound) {
    using Word = std::uint32_t;
    if (bound == ptx::Bound::clamp)
        return operation<FunnelShift<direction, ptx::Bound::clamp>, Word, Word, Word, Word>();
    return operation<FunnelShift<direction, ptx::Bound::wrap>, Word, Word, Word, Word>();
}

}  // namespace

Found logic_operation(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    const ptx::Type type = modifiers.type;
    switch (instruction.opcode) {
        case ptx::Opcode::and_: return binary<And>(type);
        case ptx::Opcode::or_: return binary<Or>(type);
        case ptx::Opcode::xor_: return binary<Xor>(type);
        case ptx::Opcode::not_:
            if (type == ptx::Type::pred) return operation<Not, bool, bool>();
            return for_bits(type, []<class T>(T) -> Found { return operation<Not, T, T>(); });
        case ptx::Opcode::cnot: return for_bits(type, []<class T>(T) -> Found { return operation<Cnot, T, T>(); });
        case ptx::Opcode::lop3: {
            Operation found{.function = &lop3};
            found.destination[0] = Row::narrow;
            found.source = {Row::narrow, Row::narrow, Row::narrow};
            found.constant = instruction.operands[instruction.operand_count - 1U].immediate;
            return found;
        }
        case ptx::Opcode::shf:
            return modifiers.shift == ptx::Shift::left ? funnel_shift<ptx::Shift::left>(modifiers.bound)
                                                       : funnel_shift<ptx::Shift::right>(modifiers.bound);
        case ptx::Opcode::shl:
            return for_bits(type, []<class T>(T) -> Found { return operation<Shl, T, T, std::uint32_t>(); });
        case ptx::Opcode::shr:
            return for_integer(type, []<class T>(T) -> Found { return operation<Shr, T, T, std::uint32_t>(); });
        default: return std::nullopt;
    }
}

}  // namespace lanescope::execute
