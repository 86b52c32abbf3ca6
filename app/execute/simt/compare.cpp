// Comparison and selection, PTX ISA 9.7.6. A comparison's lanes become one word of bits, so that .and, .or and .xor
// apply to all at once.
#include "execute/simt/floats.h"
#include "execute/simt/integers.h"

#include <cmath>
#include <limits>

#ifdef LANESCOPE_HAS_PROCESSORS
#include <immintrin.h>
#endif

namespace lanescope::execute {

namespace {

using ptx::Combine;
using ptx::Compare;

template <class T>
[[gnu::always_inline]] inline bool is_nan(T value) {
    if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
    return false;
}

/// Compares numbers; if one is NaN, the result is false, or true for the unordered comparisons.
template <Compare compare, class T>
[[gnu::always_inline]] inline bool holds(T a, T b) {
    switch (compare) {
        case Compare::eq: return a == b;
        case Compare::ne: return a < b || a > b;
        case Compare::lt:
        case Compare::lo: return a < b;
        case Compare::le:
        case Compare::ls: return a <= b;
        case Compare::gt:
        case Compare::hi: return a > b;
        case Compare::ge:
        case Compare::hs: return a >= b;
        case Compare::equ: return !(a < b || a > b);
        case Compare::neu: return a != b;
        case Compare::ltu: return !(a >= b);
        case Compare::leu: return !(a > b);
        case Compare::gtu: return !(a <= b);
        case Compare::geu: return !(a < b);
        case Compare::num: return !is_nan(a) && !is_nan(b);
        default: return is_nan(a) || is_nan(b);
    }
}

template <class T>
struct ReadPlain {
    using Value = T;
    static T read(T value) { return value; }
};
struct ReadFlushed {
    using Value = float;
    static float read(float value) { return flush(value); }
};

template <Compare compare, class Read>
[[gnu::always_inline]] inline std::uint32_t compared(const std::byte* file, const Slots& slots) {
    const SourceRow<typename Read::Value> a(file, slots.source[0], 0);
    const SourceRow<typename Read::Value> b(file, slots.source[1], 0);
    std::uint32_t result = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
        result |= holds<compare>(Read::read(a[lane]), Read::read(b[lane])) ? 1U << lane : 0U;
    }
    return result;
}

/// Combines with the predicate c, if present (9.7.6.2).
std::uint32_t combined(std::uint32_t result, const std::byte* file, const Slots& slots) {
    const std::uint32_t c = *reinterpret_cast<const std::uint32_t*>(file + slots.source[2]) ^ slots.invert;
    switch (slots.modifiers->combine) {
        case Combine::and_: return result & c;
        case Combine::or_: return result | c;
        case Combine::xor_: return result ^ c;
        default: return result;
    }
}

/// p = a compare b.
template <Compare compare, class Read>
LANESCOPE_FOR_EACH_PROCESSOR void setp_alone(std::byte* file, const Slots& slots, LaneMask lanes) {
    write_predicate(file, slots.destination[0], compared<compare, Read>(file, slots), lanes);
}

#ifdef LANESCOPE_HAS_PROCESSORS
/// The same for words if the processor has AVX-512: a comparison returns one bit a lane there, which no compiler
/// generates from a loop. T: std::uint32_t or std::int32_t.
template <Compare compare, class T>
[[gnu::target("arch=x86-64-v4")]] void setp_of_words(std::byte* file, const Slots& slots, LaneMask lanes) {
    constexpr int predicate = compare == Compare::eq                             ? _MM_CMPINT_EQ
                              : compare == Compare::ne                           ? _MM_CMPINT_NE
                              : compare == Compare::lt || compare == Compare::lo ? _MM_CMPINT_LT
                              : compare == Compare::le || compare == Compare::ls ? _MM_CMPINT_LE
                              : compare == Compare::gt || compare == Compare::hi ? _MM_CMPINT_NLE
                                                                                 : _MM_CMPINT_NLT;
    const auto half = [&](std::size_t at) __attribute__((always_inline, target("arch=x86-64-v4"))) {
        const __m512i a = _mm512_loadu_si512(file + slots.source[0] + at);
        const __m512i b = _mm512_loadu_si512(file + slots.source[1] + at);
        return std::is_signed_v<T> ? _mm512_cmp_epi32_mask(a, b, predicate) : _mm512_cmp_epu32_mask(a, b, predicate);
    };
    const std::uint32_t low = half(0);
    const std::uint32_t high = half(sizeof(__m512i));
    write_predicate(file, slots.destination[0], low | high << 16U, lanes);
}

/// The same for AVX2: a lane's sign bit is its result, and one instruction collects eight of them.
template <Compare compare, class T>
[[gnu::target("arch=x86-64-v3")]] void setp_of_words_by_eights(std::byte* file, const Slots& slots, LaneMask lanes) {
    constexpr bool equality = compare == Compare::eq || compare == Compare::ne;
    constexpr bool swapped = compare == Compare::lt || compare == Compare::lo || compare == Compare::ge ||
                             compare == Compare::hs;  // a < b is b > a
    constexpr bool negated = compare == Compare::ne || compare == Compare::le || compare == Compare::ls ||
                             compare == Compare::ge || compare == Compare::hs;  // a <= b is !(a > b)
    // AVX2 does not compare unsigned words: both are shifted down by half of their range.
    const __m256i moved = _mm256_set1_epi32(std::is_signed_v<T> || equality ? 0 : std::numeric_limits<int>::min());
    std::uint32_t result = 0;
    for (unsigned lane = 0; lane < 32; lane += 8) {
        const auto row = [&](std::uint32_t at) __attribute__((always_inline, target("arch=x86-64-v3"))) {
            const auto* const words = reinterpret_cast<const __m256i*>(file + at + lane * sizeof(T));
            return _mm256_xor_si256(_mm256_loadu_si256(words), moved);
        };
        const __m256i a = row(slots.source[swapped ? 1 : 0]);
        const __m256i b = row(slots.source[swapped ? 0 : 1]);
        const __m256i holds = equality ? _mm256_cmpeq_epi32(a, b) : _mm256_cmpgt_epi32(a, b);
        result |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(holds))) << lane;
    }
    write_predicate(file, slots.destination[0], negated ? ~result : result, lanes);
}
#endif

template <Compare compare, class Read>
LaneFunction find_setp_alone() {
#ifdef LANESCOPE_HAS_PROCESSORS
    using T = typename Read::Value;
    if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {
        if (__builtin_cpu_supports("x86-64-v4")) return &setp_of_words<compare, T>;
        if (__builtin_cpu_supports("x86-64-v3")) return &setp_of_words_by_eights<compare, T>;
    }
#endif
    return &setp_alone<compare, Read>;
}

/// p = (a compare b) combine c; q = !(a compare b) combine c.
template <Compare compare, class Read>
LANESCOPE_FOR_EACH_PROCESSOR void setp(std::byte* file, const Slots& slots, LaneMask lanes) {
    const std::uint32_t result = compared<compare, Read>(file, slots);
    const std::uint32_t second = slots.constant != 0 ? combined(~result, file, slots) : 0;
    write_predicate(file, slots.destination[0], combined(result, file, slots), lanes);
    if (slots.constant != 0) write_predicate(file, slots.destination[1], second, lanes);
}

/// d = all ones, or 1.0, in lanes where the comparison holds; 0 elsewhere. slots.constant is the value for true.
template <Compare compare, class Read>
LANESCOPE_FOR_EACH_PROCESSOR void set(std::byte* file, const Slots& slots, LaneMask lanes) {
    const std::uint32_t result = combined(compared<compare, Read>(file, slots), file, slots);
    const auto value = static_cast<std::uint32_t>(slots.constant);
    alignas(64) std::uint32_t results[32];
    for (unsigned lane = 0; lane < 32; ++lane) results[lane] = ((result >> lane) & 1U) != 0 ? value : 0U;
    write_cells(reinterpret_cast<std::uint32_t*>(file + slots.destination[0]), results, lanes);
}

template <Compare compare, class Read>
Found comparison(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    const Row values = row_for<typename Read::Value>();
    Operation found;
    found.source = {values, values, modifiers.combine == Combine::none ? Row::none : Row::predicate};
    if (instruction.opcode == ptx::Opcode::setp) {
        const bool two = instruction.operands[0].paired.valid();
        const bool alone = !two && modifiers.combine == Combine::none;
        found.function = alone ? find_setp_alone<compare, Read>() : &setp<compare, Read>;
        found.destination = {Row::predicate, two ? Row::predicate : Row::none};
        found.constant = two ? 1 : 0;
    } else {
        found.function = &set<compare, Read>;
        found.destination[0] = Row::narrow;
        found.constant = modifiers.type == ptx::Type::f32 ? 0x3F800000U : ~0U;
    }
    return found;
}

template <class Read>
Found ordered(const ptx::Instruction& instruction) {
    switch (instruction.modifiers.compare) {
        case Compare::eq: return comparison<Compare::eq, Read>(instruction);
        case Compare::ne: return comparison<Compare::ne, Read>(instruction);
        case Compare::lt:
        case Compare::lo: return comparison<Compare::lt, Read>(instruction);
        case Compare::le:
        case Compare::ls: return comparison<Compare::le, Read>(instruction);
        case Compare::gt:
        case Compare::hi: return comparison<Compare::gt, Read>(instruction);
        case Compare::ge:
        case Compare::hs: return comparison<Compare::ge, Read>(instruction);
        default: return std::nullopt;
    }
}

template <class Read>
Found unordered(const ptx::Instruction& instruction) {
    switch (instruction.modifiers.compare) {
        case Compare::equ: return comparison<Compare::equ, Read>(instruction);
        case Compare::neu: return comparison<Compare::neu, Read>(instruction);
        case Compare::ltu: return comparison<Compare::ltu, Read>(instruction);
        case Compare::leu: return comparison<Compare::leu, Read>(instruction);
        case Compare::gtu: return comparison<Compare::gtu, Read>(instruction);
        case Compare::geu: return comparison<Compare::geu, Read>(instruction);
        case Compare::num: return comparison<Compare::num, Read>(instruction);
        case Compare::nan: return comparison<Compare::nan, Read>(instruction);
        default: return ordered<Read>(instruction);
    }
}

/// The comparison of a set or setp whose operands are of `type`.
Found comparison_of(ptx::Type type, const ptx::Instruction& instruction) {
    switch (type) {
        case ptx::Type::f32:
            return instruction.modifiers.ftz ? unordered<ReadFlushed>(instruction)
                                             : unordered<ReadPlain<float>>(instruction);
        case ptx::Type::f64: return unordered<ReadPlain<double>>(instruction);
        case ptx::Type::f16:
        case ptx::Type::f16x2:
        case ptx::Type::bf16:
        case ptx::Type::bf16x2: return half_comparison(instruction);
        default: return for_integer(type, [&]<class T>(T) -> Found { return ordered<ReadPlain<T>>(instruction); });
    }
}

struct Selp {
    template <class T>
    static T apply(T a, T b, bool c) {
        return c ? a : b;
    }
};
/// a where c >= 0; -0 counts as 0 and NaN picks b (9.7.6.4).
struct Slct {
    template <class T, class C>
    static T apply(T a, T b, C c) {
        return c >= C{0} ? a : b;
    }
};

}  // namespace

Found compare_operation(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    switch (instruction.opcode) {
        case ptx::Opcode::setp: return comparison_of(modifiers.type, instruction);
        case ptx::Opcode::set: return comparison_of(modifiers.source_type, instruction);
        case ptx::Opcode::selp:
            return for_bits(modifiers.type, []<class T>(T) -> Found { return operation<Selp, T, T, T, bool>(); });
        case ptx::Opcode::slct:
            return for_bits(modifiers.type, [&]<class T>(T) -> Found {
                if (modifiers.source_type == ptx::Type::f32) return operation<Slct, T, T, T, float>();
                return operation<Slct, T, T, T, std::int32_t>();
            });
        default: return std::nullopt;
    }
}

}  // namespace lanescope::execute
