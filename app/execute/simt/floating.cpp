// Arithmetic of f32 and f64, PTX ISA 9.7.3. Rounding to nearest is vectorized; .rz, .rm and .rp run lane by lane.
#include "execute/simt/floats.h"
#include "execute/simt/lanes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lanescope::execute {

namespace {

struct Add {
    template <class T>
    static T apply(T a, T b) {
        return a + b;
    }
};
struct Sub {
    template <class T>
    static T apply(T a, T b) {
        return a - b;
    }
};
struct Mul {
    template <class T>
    static T apply(T a, T b) {
        return a * b;
    }
};
struct Fma {
    template <class T>
    static T apply(T a, T b, T c) {
        return std::fma(a, b, c);
    }
};
struct Div {
    template <class T>
    static T apply(T a, T b) {
        return a / b;
    }
};
struct Sqrt {
    template <class T>
    static T apply(T a) {
        return std::sqrt(a);
    }
};
struct Rcp {
    template <class T>
    static T apply(T a) {
        return T{1} / a;
    }
};

// Approximations (9.7.3.13 to 9.7.3.22) are computed in f64 and rounded once: well within the bounds that PTX states.
struct Rsqrt {
    template <class T>
    static T apply(T a) {
        return static_cast<T>(1.0 / std::sqrt(static_cast<double>(a)));
    }
};
/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read the upper word and return an upper word (9.7.3.14, 9.7.3.17).
template <class F>
struct UpperWord {
    static double apply(double a) {
        constexpr std::uint64_t upper = 0xFFFF'FFFF'0000'0000U;
        const auto bits = std::bit_cast<std::uint64_t>(a) & upper;
        const bool subnormal = (bits & 0x7FF0'0000'0000'0000U) == 0;
        const double result = F::apply(std::bit_cast<double>(subnormal ? bits & sign_of_f64 : bits));
        if (std::isnan(result)) return std::bit_cast<double>(0x7FFF'FFFF'0000'0000U);
        const auto nearest = std::bit_cast<std::uint64_t>(result) + 0x8000'0000U;
        const double cut =
            std::bit_cast<double>(std::isinf(result) ? std::bit_cast<std::uint64_t>(result) : nearest & upper);
        return std::fpclassify(cut) == FP_SUBNORMAL ? std::copysign(0.0, cut) : cut;
    }

  private:
    static constexpr std::uint64_t sign_of_f64 = 1ULL << 63;
};
struct Sin {
    static float apply(float a) { return static_cast<float>(std::sin(static_cast<double>(a))); }
};
struct Cos {
    static float apply(float a) { return static_cast<float>(std::cos(static_cast<double>(a))); }
};
struct Lg2 {
    static float apply(float a) { return static_cast<float>(std::log2(static_cast<double>(a))); }
};
struct Ex2 {
    static float apply(float a) { return static_cast<float>(std::exp2(static_cast<double>(a))); }
};
struct Tanh {
    static float apply(float a) { return static_cast<float>(std::tanh(static_cast<double>(a))); }
};

// A sign is a bit; a NaN has none: it becomes canonical, or quiet in f64.
template <class T>
constexpr Bits<T> sign_bit = Bits<T>{1} << (sizeof(T) * 8 - 1);
[[gnu::always_inline]] inline float quieted(float value) { return canonical(value); }
[[gnu::always_inline]] inline double quieted(double value) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | (1ULL << 51));
}
struct Abs {
    template <class T>
    static T apply(T a) {
        if (std::isnan(a)) return quieted(a);
        return std::bit_cast<T>(std::bit_cast<Bits<T>>(a) & ~sign_bit<T>);
    }
};
struct Neg {
    template <class T>
    static T apply(T a) {
        if (std::isnan(a)) return quieted(a);
        return std::bit_cast<T>(std::bit_cast<Bits<T>>(a) ^ sign_bit<T>);
    }
};
/// b with the sign of a (9.7.3.2).
struct Copysign {
    template <class T>
    static T apply(T a, T b) {
        return std::bit_cast<T>((std::bit_cast<Bits<T>>(a) & sign_bit<T>) | (std::bit_cast<Bits<T>>(b) & ~sign_bit<T>));
    }
};

/// The other operand if one is NaN; -0 is less than +0 (9.7.3.11).
struct Min {
    template <class T>
    static T apply(T a, T b) {
        if (std::isnan(a)) return b;
        if (std::isnan(b)) return a;
        if (a == b) return std::signbit(a) ? a : b;
        return a < b ? a : b;
    }
};
struct Max {
    template <class T>
    static T apply(T a, T b) {
        if (std::isnan(a)) return b;
        if (std::isnan(b)) return a;
        if (a == b) return std::signbit(a) ? b : a;
        return a < b ? b : a;
    }
};
struct MinNaN {
    static float apply(float a, float b) {
        return std::isnan(a) || std::isnan(b) ? std::numeric_limits<float>::quiet_NaN() : Min::apply(a, b);
    }
};
struct MaxNaN {
    static float apply(float a, float b) {
        return std::isnan(a) || std::isnan(b) ? std::numeric_limits<float>::quiet_NaN() : Max::apply(a, b);
    }
};

template <ptx::TestFloat test>
struct Testp {
    template <class T>
    static bool apply(T a) {
        switch (test) {
            case ptx::TestFloat::finite: return std::isfinite(a);
            case ptx::TestFloat::infinite: return std::isinf(a);
            case ptx::TestFloat::number: return !std::isnan(a);
            case ptx::TestFloat::notanumber: return std::isnan(a);
            case ptx::TestFloat::normal: return std::isnormal(a) || a == 0;  // as on GPUs
            default: return std::fpclassify(a) == FP_SUBNORMAL;
        }
    }
};

/// F with PTX's additions to IEEE: a canonical NaN, and, where specified, .ftz (sources and result) and .sat.
template <class F>
struct Plain {
    template <class... T>
    static auto apply(T... values) {
        return canonical(F::apply(values...));
    }
};
template <class F>
struct Flushed {
    template <class... T>
    static auto apply(T... values) {
        return canonical(flush(F::apply(flush(values)...)));
    }
};
template <class F>
struct Saturated {
    template <class... T>
    static auto apply(T... values) {
        return saturate(F::apply(values...));
    }
};
template <class F>
struct FlushedSaturated {
    template <class... T>
    static auto apply(T... values) {
        return saturate(flush(F::apply(flush(values)...)));
    }
};

/// `sources` times T -> T, with the instruction's modifiers.
template <class F, class T, class... S>
Found of_type(const ptx::Modifiers& modifiers) {
    if constexpr (std::is_same_v<T, float>) {
        if (modifiers.ftz && modifiers.sat) return operation<FlushedSaturated<F>, T, S...>();
        if (modifiers.ftz) return operation<Flushed<F>, T, S...>();
        if (modifiers.sat) return operation<Saturated<F>, T, S...>();
    }
    return operation<Plain<F>, T, S...>();
}

/// Lane by lane under the rounding mode that the instruction names.
template <class F, class T, unsigned sources>
void rounded(std::byte* file, const Slots& slots, LaneMask lanes) {
    const bool flushes = slots.modifiers->ftz;
    const auto source = [&](unsigned i, unsigned lane) {
        const T value = SourceRow<T>(file, slots.source[i], 0)[lane];
        return flushes ? flush(value) : value;
    };
    const RoundingScope scope(slots.modifiers->rounding);
    for (const unsigned lane : lanes) {
        volatile T a = source(0, lane);
        volatile T b = sources > 1 ? source(1, lane) : T{};
        volatile T c = sources > 2 ? source(2, lane) : T{};
        volatile T computed;
        if constexpr (sources == 1)
            computed = F::apply(static_cast<T>(a));
        else if constexpr (sources == 2)
            computed = F::apply(static_cast<T>(a), static_cast<T>(b));
        else
            computed = F::apply(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
        T result = canonical(static_cast<T>(computed));
        if (flushes) result = flush(result);
        if (slots.modifiers->sat) result = saturate(result);
        reinterpret_cast<Cell<T>*>(file + slots.destination[0])[lane] = cell_of(result);
        static_cast<void>(b);
        static_cast<void>(c);
    }
}

template <class F, class T, unsigned sources>
Found lane_by_lane() {
    Operation found{.function = &rounded<F, T, sources>};
    found.destination[0] = row_for<T>();
    for (unsigned i = 0; i < sources; ++i) found.source[i] = row_for<T>();
    return found;
}

template <class F, unsigned sources>
Found arithmetic(const ptx::Modifiers& modifiers) {
    const bool nearest = modifiers.rounding == ptx::Rounding::none || modifiers.rounding == ptx::Rounding::rn;
    const auto of = [&]<class T>(T) -> Found {
        if (!nearest) return lane_by_lane<F, T, sources>();
        if constexpr (sources == 1)
            return of_type<F, T, T>(modifiers);
        else if constexpr (sources == 2)
            return of_type<F, T, T, T>(modifiers);
        else
            return of_type<F, T, T, T, T>(modifiers);
    };
    return modifiers.type == ptx::Type::f64 ? of(double{}) : of(float{});
}

template <class F>
Found approximation(const ptx::Modifiers& modifiers) {
    return of_type<F, float, float>(modifiers);
}

bool gross(const ptx::Modifiers& modifiers) {
    return modifiers.approx && modifiers.ftz && modifiers.type == ptx::Type::f64;
}
template <class F>
Found upper_word() {
    return operation<UpperWord<F>, double, double>();
}

template <class F, unsigned sources>
Found of_bits(const ptx::Modifiers& modifiers) {
    const auto of = [&]<class T>(T) -> Found {
        if constexpr (sources == 1) {
            if (modifiers.ftz) return operation<Flushed<F>, T, T>();
            return operation<F, T, T>();
        } else {
            return operation<F, T, T, T>();
        }
    };
    return modifiers.type == ptx::Type::f64 ? of(double{}) : of(float{});
}

template <class F, class NaN>
Found extreme(const ptx::Modifiers& modifiers) {
    if (modifiers.type == ptx::Type::f64) return operation<Plain<F>, double, double, double>();
    return modifiers.propagate_nan ? of_type<NaN, float, float, float>(modifiers)
                                   : of_type<F, float, float, float>(modifiers);
}

Found testp(const ptx::Modifiers& modifiers) {
    const auto of = [&]<ptx::TestFloat test>() -> Found {
        if (modifiers.type == ptx::Type::f64) return operation<Testp<test>, bool, double>();
        return operation<Testp<test>, bool, float>();
    };
    using enum ptx::TestFloat;
    switch (modifiers.test) {
        case finite: return of.operator()<finite>();
        case infinite: return of.operator()<infinite>();
        case number: return of.operator()<number>();
        case notanumber: return of.operator()<notanumber>();
        case normal: return of.operator()<normal>();
        default: return of.operator()<subnormal>();
    }
}

}  // namespace

Found floating_operation(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    switch (instruction.opcode) {
        case ptx::Opcode::add: return arithmetic<Add, 2>(modifiers);
        case ptx::Opcode::sub: return arithmetic<Sub, 2>(modifiers);
        case ptx::Opcode::mul: return arithmetic<Mul, 2>(modifiers);
        case ptx::Opcode::mad:
        case ptx::Opcode::fma: return arithmetic<Fma, 3>(modifiers);
        case ptx::Opcode::div: return arithmetic<Div, 2>(modifiers);
        case ptx::Opcode::sqrt: return arithmetic<Sqrt, 1>(modifiers);
        case ptx::Opcode::rcp: return gross(modifiers) ? upper_word<Rcp>() : arithmetic<Rcp, 1>(modifiers);
        case ptx::Opcode::rsqrt: return gross(modifiers) ? upper_word<Rsqrt>() : arithmetic<Rsqrt, 1>(modifiers);
        case ptx::Opcode::sin: return approximation<Sin>(modifiers);
        case ptx::Opcode::cos: return approximation<Cos>(modifiers);
        case ptx::Opcode::lg2: return approximation<Lg2>(modifiers);
        case ptx::Opcode::ex2: return approximation<Ex2>(modifiers);
        case ptx::Opcode::tanh: return approximation<Tanh>(modifiers);
        case ptx::Opcode::abs: return of_bits<Abs, 1>(modifiers);
        case ptx::Opcode::neg: return of_bits<Neg, 1>(modifiers);
        case ptx::Opcode::copysign: return of_bits<Copysign, 2>(modifiers);
        case ptx::Opcode::min: return extreme<Min, MinNaN>(modifiers);
        case ptx::Opcode::max: return extreme<Max, MaxNaN>(modifiers);
        case ptx::Opcode::testp: return testp(modifiers);
        default: return std::nullopt;
    }
}

}  // namespace lanescope::execute
