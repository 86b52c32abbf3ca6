// Integer arithmetic, PTX ISA 9.7.1.
#include "execute/simt/integers.h"

#include <algorithm>

namespace lanescope::execute {

namespace {

struct Add {
    template <class T>
    static T apply(T a, T b) {
        return wrapping_add(a, b);
    }
};
struct Sub {
    template <class T>
    static T apply(T a, T b) {
        return wrapping_sub(a, b);
    }
};
struct AddSaturated {
    static std::int32_t apply(std::int32_t a, std::int32_t b) { return saturate_s32(std::int64_t{a} + b); }
};
struct SubSaturated {
    static std::int32_t apply(std::int32_t a, std::int32_t b) { return saturate_s32(std::int64_t{a} - b); }
};
struct MulLow {
    template <class T>
    static T apply(T a, T b) {
        return wrapping_mul(a, b);
    }
};
struct MulHigh {
    template <class T>
    static T apply(T a, T b) {
        return high_mul(a, b);
    }
};
struct MulWide {
    template <class T>
    static Wider<T> apply(T a, T b) {
        return wrapping_mul(static_cast<Wider<T>>(a), static_cast<Wider<T>>(b));
    }
};
struct MadLow {
    template <class T>
    static T apply(T a, T b, T c) {
        return wrapping_add(wrapping_mul(a, b), c);
    }
};
struct MadHigh {
    template <class T>
    static T apply(T a, T b, T c) {
        return wrapping_add(high_mul(a, b), c);
    }
};
struct MadHighSaturated {
    static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
        return saturate_s32(std::int64_t{high_mul(a, b)} + c);
    }
};
struct MadWide {
    template <class T>
    static Wider<T> apply(T a, T b, Wider<T> c) {
        return wrapping_add(MulWide::apply(a, b), c);
    }
};

/// The 48-bit product of the low 24 bits (9.7.1.5).
std::int64_t product24(std::int32_t a, std::int32_t b) {
    const auto low24 = [](std::int32_t value) {
        return std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << 8) >> 8};
    };
    return low24(a) * low24(b);
}
std::uint64_t product24(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a & 0xFFFFFFU} * (b & 0xFFFFFFU); }
struct Mul24Low {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(product24(a, b));
    }
};
struct Mul24High {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(product24(a, b) >> 16);
    }
};
struct Mad24Low {
    template <class T>
    static T apply(T a, T b, T c) {
        return wrapping_add(Mul24Low::apply(a, b), c);
    }
};
struct Mad24High {
    template <class T>
    static T apply(T a, T b, T c) {
        return wrapping_add(Mul24High::apply(a, b), c);
    }
};
struct Mad24HighSaturated {
    static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
        return saturate_s32(std::int64_t{Mul24High::apply(a, b)} + c);
    }
};

struct Sad {
    template <class T>
    static T apply(T a, T b, T c) {
        return wrapping_add(c, a < b ? wrapping_sub(b, a) : wrapping_sub(a, b));
    }
};

// 32-bit quotients by f64 division, which processors vectorize. Exact: a quotient that is not whole lies at least 2^-32
// of itself below the next whole number, and f64 rounds by at most 2^-53.
[[gnu::always_inline]] inline double to_f64(std::uint32_t value) {
    return std::bit_cast<double>(0x4330'0000'0000'0000U | value) - 0x1p52;
}
[[gnu::always_inline]] inline std::uint32_t quotient(std::uint32_t a, std::uint32_t b) {
    const double whole = __builtin_floor(to_f64(a) / to_f64(b));
    const auto bits = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(whole + 0x1p52));
    return b == 0 ? ~0U : bits;
}
[[gnu::always_inline]] inline std::uint32_t magnitude(std::int32_t value) {
    const auto bits = static_cast<std::uint32_t>(value);
    return value < 0 ? 0U - bits : bits;
}

/// Division by zero: PTX leaves the result unspecified; GPUs return all ones. The least integer by -1 wraps to itself.
struct Div {
    template <class T>
    static T apply(T a, T b) {
        if (b == 0) return static_cast<T>(~T{0});
        if constexpr (std::is_signed_v<T>) {
            if (b == -1) return wrapping_sub(T{0}, a);
        }
        return static_cast<T>(a / b);
    }
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b) { return quotient(a, b); }
    static std::uint32_t of_magnitude(std::uint32_t a, unsigned power) { return a >> power; }
    static std::int32_t apply(std::int32_t a, std::int32_t b) {
        const std::uint32_t whole = quotient(magnitude(a), magnitude(b));
        const std::uint32_t result = (a ^ b) < 0 ? 0U - whole : whole;
        return static_cast<std::int32_t>(b == 0 ? ~0U : result);
    }
};
/// Division by zero: GPUs return all ones here, too.
struct Rem {
    template <class T>
    static T apply(T a, T b) {
        if (b == 0) return static_cast<T>(~T{0});
        if constexpr (std::is_signed_v<T>) {
            if (b == -1) return 0;
        }
        return static_cast<T>(a % b);
    }
    static std::uint32_t of_magnitude(std::uint32_t a, unsigned power) { return a & ((1U << power) - 1U); }
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t rest = a - quotient(a, b) * b;
        return b == 0 ? ~0U : rest;
    }
    static std::int32_t apply(std::int32_t a, std::int32_t b) {
        const std::uint32_t rest = magnitude(a) - quotient(magnitude(a), magnitude(b)) * magnitude(b);
        const std::uint32_t result = a < 0 ? 0U - rest : rest;
        return b == 0 ? -1 : static_cast<std::int32_t>(result);
    }
};
/// Words divided by 2^power: both results have the dividend's sign.
template <class F>
[[gnu::always_inline]] inline std::uint32_t by_power_of_two(std::uint32_t a, unsigned power) {
    return F::of_magnitude(a, power);
}
template <class F>
[[gnu::always_inline]] inline std::int32_t by_power_of_two(std::int32_t a, unsigned power) {
    const std::uint32_t result = F::of_magnitude(magnitude(a), power);
    return static_cast<std::int32_t>(a < 0 ? 0U - result : result);
}

/// Div and Rem of words. Programs mostly divide by one power of two in all lanes: `tid % (2 * s)`.
template <class F, class T>
LANESCOPE_FOR_EACH_PROCESSOR void divide_words(std::byte* file, const Slots& slots, LaneMask lanes) {
    if (lanes.none()) return;
    const SourceRow<T> a(file, slots.source[0], 0);
    const SourceRow<T> b(file, slots.source[1], 0);
    auto* destination = reinterpret_cast<std::uint32_t*>(file + slots.destination[0]);
    const T divisor = b[lanes.lowest()];
    std::uint32_t different = 0;
    for (unsigned lane = 0; lane < 32; ++lane) different |= static_cast<std::uint32_t>(b[lane] ^ divisor);
    if (different == 0 && divisor > 0 && std::has_single_bit(static_cast<std::uint32_t>(divisor))) {
        const auto power = static_cast<unsigned>(std::countr_zero(static_cast<std::uint32_t>(divisor)));
        write_lanes(
            destination, lanes, [&](unsigned lane) __attribute__((always_inline)) {
                return cell_of<T>(by_power_of_two<F>(a[lane], power));
            });
    } else {
        write_lanes(
            destination, lanes, [&](unsigned lane) __attribute__((always_inline)) {
                return cell_of<T>(F::apply(a[lane], b[lane]));
            });
    }
}

struct Abs {
    template <class T>
    static T apply(T a) {
        return a < 0 ? wrapping_sub(T{0}, a) : a;
    }
};
struct Neg {
    template <class T>
    static T apply(T a) {
        return wrapping_sub(T{0}, a);
    }
};
struct Min {
    template <class T>
    static T apply(T a, T b) {
        return std::min(a, b);
    }
};
struct Max {
    template <class T>
    static T apply(T a, T b) {
        return std::max(a, b);
    }
};

/// .relu: at least 0.
template <class F>
struct Relu {
    template <class T>
    static T apply(T a, T b) {
        return std::max(F::apply(a, b), T{0});
    }
};
/// For two 16-bit numbers in a word, each separately.
template <class F, class T>
struct InPairs {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
        const auto low = static_cast<std::uint16_t>(F::apply(static_cast<T>(a), static_cast<T>(b)));
        const auto high = static_cast<std::uint16_t>(F::apply(static_cast<T>(a >> 16U), static_cast<T>(b >> 16U)));
        return std::uint32_t{high} << 16U | low;
    }
};

/// dp4a, dp2a: part `i` of a word, extended as its type says.
template <class T>
std::int64_t part(std::uint32_t word, unsigned i) {
    return static_cast<T>(word >> (8 * sizeof(T) * i));
}
/// Four bytes by four bytes.
template <class A, class B>
struct DotProduct4 {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        std::int64_t sum = c;
        for (unsigned i = 0; i < 4; ++i) sum += part<A>(a, i) * part<B>(b, i);
        return static_cast<std::uint32_t>(sum);
    }
};
/// Two half-words of a by the bytes `first` and `first + 1` of b.
template <class A, class B, unsigned first>
struct DotProduct2 {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        std::int64_t sum = c;
        for (unsigned i = 0; i < 2; ++i) sum += part<A>(a, i) * part<B>(b, first + i);
        return static_cast<std::uint32_t>(sum);
    }
};

template <class F>
Found unary(ptx::Type type) {
    return for_integer(type, []<class T>(T) -> Found { return operation<F, T, T>(); });
}
template <class F>
Found binary(ptx::Type type) {
    return for_integer(type, []<class T>(T) -> Found { return operation<F, T, T, T>(); });
}
template <class F>
Found ternary(ptx::Type type) {
    return for_integer(type, []<class T>(T) -> Found { return operation<F, T, T, T, T>(); });
}
/// For words only: mul24, mad24.
template <class F>
Found of_words(ptx::Type type) {
    if (type == ptx::Type::s32) return operation<F, std::int32_t, std::int32_t, std::int32_t>();
    return operation<F, std::uint32_t, std::uint32_t, std::uint32_t>();
}
template <class F>
Found three_of_words(ptx::Type type) {
    if (type == ptx::Type::s32) return operation<F, std::int32_t, std::int32_t, std::int32_t, std::int32_t>();
    return operation<F, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>();
}
template <class F>
Found division(ptx::Type type) {
    Found found = binary<F>(type);
    if (type == ptx::Type::u32 || type == ptx::Type::b32) found->function = &divide_words<F, std::uint32_t>;
    if (type == ptx::Type::s32) found->function = &divide_words<F, std::int32_t>;
    return found;
}
template <class F>
Found binary_or_pairs(ptx::Type type) {
    using Word = std::uint32_t;
    if (type == ptx::Type::u16x2) return operation<InPairs<F, std::uint16_t>, Word, Word, Word>();
    if (type == ptx::Type::s16x2) return operation<InPairs<F, std::int16_t>, Word, Word, Word>();
    return binary<F>(type);
}
template <class F>
Found extreme(const ptx::Modifiers& modifiers) {
    return modifiers.relu ? binary_or_pairs<Relu<F>>(modifiers.type) : binary_or_pairs<F>(modifiers.type);
}
template <class F>
Found saturated() {
    return operation<F, std::int32_t, std::int32_t, std::int32_t>();
}
template <class F>
Found saturated_mad() {
    return operation<F, std::int32_t, std::int32_t, std::int32_t, std::int32_t>();
}

Found mul(const ptx::Modifiers& modifiers) {
    if (modifiers.width == ptx::Width::lo) return binary<MulLow>(modifiers.type);
    if (modifiers.width == ptx::Width::hi) return binary<MulHigh>(modifiers.type);
    return for_integer(modifiers.type, []<class T>(T) -> Found {
        if constexpr (sizeof(T) == 8)
            return std::nullopt;
        else
            return operation<MulWide, Wider<T>, T, T>();
    });
}

Found mad(const ptx::Modifiers& modifiers) {
    if (modifiers.sat) return saturated_mad<MadHighSaturated>();
    if (modifiers.width == ptx::Width::lo) return ternary<MadLow>(modifiers.type);
    if (modifiers.width == ptx::Width::hi) return ternary<MadHigh>(modifiers.type);
    return for_integer(modifiers.type, []<class T>(T) -> Found {
        if constexpr (sizeof(T) == 8)
            return std::nullopt;
        else
            return operation<MadWide, Wider<T>, T, T, Wider<T>>();
    });
}

template <class F>
Found of_three_words() {
    return operation<F, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>();
}

template <class A, class UnsignedB, class SignedB>
Found dot_product_with(const ptx::Modifiers& modifiers) {
    const bool of_signed = ptx::is_signed(modifiers.source_type);
    if constexpr (sizeof(A) == 1) {
        return of_signed ? of_three_words<DotProduct4<A, SignedB>>() : of_three_words<DotProduct4<A, UnsignedB>>();
    } else if (modifiers.width == ptx::Width::hi) {
        return of_signed ? of_three_words<DotProduct2<A, SignedB, 2>>()
                         : of_three_words<DotProduct2<A, UnsignedB, 2>>();
    } else {
        return of_signed ? of_three_words<DotProduct2<A, SignedB, 0>>()
                         : of_three_words<DotProduct2<A, UnsignedB, 0>>();
    }
}

template <class UnsignedA, class SignedA>
Found dot_product(const ptx::Modifiers& modifiers) {
    return ptx::is_signed(modifiers.type) ? dot_product_with<SignedA, std::uint8_t, std::int8_t>(modifiers)
                                          : dot_product_with<UnsignedA, std::uint8_t, std::int8_t>(modifiers);
}

}  // namespace

Found integer_operation(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    const ptx::Type type = modifiers.type;
    switch (instruction.opcode) {
        case ptx::Opcode::add: return modifiers.sat ? saturated<AddSaturated>() : binary_or_pairs<Add>(type);
        case ptx::Opcode::sub: return modifiers.sat ? saturated<SubSaturated>() : binary<Sub>(type);
        case ptx::Opcode::mul: return mul(modifiers);
        case ptx::Opcode::mad: return mad(modifiers);
        case ptx::Opcode::mul24:
            return modifiers.width == ptx::Width::hi ? of_words<Mul24High>(type) : of_words<Mul24Low>(type);
        case ptx::Opcode::mad24:
            if (modifiers.sat) return saturated_mad<Mad24HighSaturated>();
            return modifiers.width == ptx::Width::hi ? three_of_words<Mad24High>(type) : three_of_words<Mad24Low>(type);
        case ptx::Opcode::sad: return ternary<Sad>(type);
        case ptx::Opcode::div: return division<Div>(type);
        case ptx::Opcode::rem: return division<Rem>(type);
        case ptx::Opcode::abs: return unary<Abs>(type);
        case ptx::Opcode::neg: return unary<Neg>(type);
        case ptx::Opcode::min: return extreme<Min>(modifiers);
        case ptx::Opcode::max: return extreme<Max>(modifiers);
        case ptx::Opcode::dp4a: return dot_product<std::uint8_t, std::int8_t>(modifiers);
        case ptx::Opcode::dp2a: return dot_product<std::uint16_t, std::int16_t>(modifiers);
        default: return std::nullopt;
    }
}

}  // namespace lanescope::execute
