#include "trace/rows.h"

#include "base/processors.h"

#include <array>
#include <bit>
#include <type_traits>

#ifdef LANESCOPE_HAS_PROCESSORS
#include <immintrin.h>
#endif

namespace lanescope::trace {

namespace {

/// Whether row[lane] == base + lane * step in `lanes`. Adds instead of multiplying: AVX2 has no 64-bit vector product.
template <class T>
[[gnu::always_inline]] inline bool fits(const T* row, LaneMask lanes, T base, T step) {
    const std::uint32_t bits = lanes.bits();
    T different = 0;
    T expected = base;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const T own = row[lane] ^ expected;
        different |= ((bits >> lane) & 1U) != 0 ? own : T{0};
        expected += step;
    }
    return different == 0;
}

template <class T>
[[gnu::always_inline]] inline bool pack_evenly(const T* row, LaneMask lanes, T* to) {
    using Signed = std::make_signed_t<T>;
    T step = 0;
    T base = 0;
    if (lanes == LaneMask::all()) {
        base = row[0];
        step = row[1] - base;
        T different = 0;
        constexpr unsigned half = warp_size / 2;
        for (unsigned lane = 0; lane < half; ++lane) different |= (row[lane + 1] - row[lane]) ^ step;
        for (unsigned lane = half - 1; lane < warp_size - 1; ++lane) different |= (row[lane + 1] - row[lane]) ^ step;
        if (different != 0) return false;
    } else {
        const unsigned first = lanes.lowest();
        const LaneMask rest = lanes & ~LaneMask::only(first);
        if (rest.none()) return false;
        const unsigned second = rest.lowest();
        if (rest == LaneMask::only(second)) return false;
        const auto rise = static_cast<Signed>(row[second] - row[first]);
        const unsigned run = second - first;
        if (std::has_single_bit(run)) {  // the common case; a division takes as long as all the rest
            if ((static_cast<T>(rise) & (run - 1U)) != 0) return false;
            step = static_cast<T>(rise >> std::countr_zero(run));
        } else {
            if (rise % static_cast<Signed>(run) != 0) return false;
            step = static_cast<T>(rise / static_cast<Signed>(run));
        }
        base = static_cast<T>(row[first] - first * step);
        if (!fits(row, lanes, base, step)) return false;
    }
    to[0] = base;
    to[1] = step;
    return true;
}

template <class T>
[[gnu::always_inline]] inline unsigned pack_one_by_one(const T* row, LaneMask lanes, T* to) {
    unsigned count = 0;
    for (const unsigned lane : lanes) to[count++] = row[lane];
    return count;
}

template <class T>
[[gnu::always_inline]] inline unsigned pack_all(const T* row, T* to) {
    for (unsigned lane = 0; lane < warp_size; ++lane) to[lane] = row[lane];
    return warp_size;
}

#ifdef LANESCOPE_HAS_PROCESSORS

constexpr unsigned vector_words = 8;

/// For each mask of so many elements, the indices of words that hold the chosen ones, lowest first.
template <unsigned elements, class Word>
constexpr auto chosen_words() {
    constexpr unsigned words_each = vector_words / elements;
    std::array<std::array<Word, vector_words>, 1U << elements> all{};
    for (unsigned mask = 0; mask < all.size(); ++mask) {
        unsigned count = 0;
        for (unsigned element = 0; element < elements; ++element) {
            if ((mask >> element & 1U) == 0) continue;
            for (unsigned word = 0; word < words_each; ++word) {
                all[mask][count++] = static_cast<Word>(element * words_each + word);
            }
        }
    }
    return all;
}

alignas(64) constexpr auto narrow_choice = chosen_words<8, std::uint8_t>();
alignas(64) constexpr auto wide_choice = chosen_words<4, std::uint32_t>();

[[gnu::target("avx2,popcnt")]] unsigned pack_vectors(const std::uint32_t* row, LaneMask lanes, std::uint32_t* to) {
    std::uint32_t* next = to;
    for (unsigned first = 0; first < warp_size; first += vector_words) {
        const unsigned mask = (lanes.bits() >> first) & 0xFFU;
        const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + first));
        const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(narrow_choice[mask].data()));
        const __m256i chosen = _mm256_permutevar8x32_epi32(words, _mm256_cvtepu8_epi32(bytes));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(next), chosen);
        next += __builtin_popcount(mask);
    }
    return static_cast<unsigned>(next - to);
}

[[gnu::target("avx2,popcnt")]] unsigned pack_vectors(const std::uint64_t* row, LaneMask lanes, std::uint64_t* to) {
    std::uint64_t* next = to;
    for (unsigned first = 0; first < warp_size; first += vector_words / 2) {
        const unsigned mask = (lanes.bits() >> first) & 0xFU;
        const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + first));
        const __m256i choice = _mm256_load_si256(reinterpret_cast<const __m256i*>(wide_choice[mask].data()));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(next), _mm256_permutevar8x32_epi32(words, choice));
        next += __builtin_popcount(mask);
    }
    return static_cast<unsigned>(next - to);
}

const bool packs_vectors = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("popcnt") != 0;

template <class T>
unsigned pack_some(const T* row, LaneMask lanes, T* to) {
    return packs_vectors ? pack_vectors(row, lanes, to) : pack_one_by_one(row, lanes, to);
}

#else

template <class T>
unsigned pack_some(const T* row, LaneMask lanes, T* to) {
    return pack_one_by_one(row, lanes, to);
}

#endif

template <class T>
[[gnu::always_inline]] inline Packed pack_evenly_or_not(const T* row, LaneMask lanes, T* to) {
    if (pack_evenly(row, lanes, to)) return {.count = 2, .even = true};
    return {.count = lanes == LaneMask::all() ? pack_all(row, to) : pack_some(row, lanes, to), .even = false};
}

}  // namespace

unsigned pack(const std::uint32_t* row, LaneMask lanes, std::uint32_t* to) {
    return lanes == LaneMask::all() ? pack_all(row, to) : pack_some(row, lanes, to);
}

unsigned pack(const std::uint64_t* row, LaneMask lanes, std::uint64_t* to) {
    return lanes == LaneMask::all() ? pack_all(row, to) : pack_some(row, lanes, to);
}

LANESCOPE_FOR_EACH_PROCESSOR Packed pack_row(const std::uint32_t* row, LaneMask lanes, std::uint32_t* to) {
    return pack_evenly_or_not(row, lanes, to);
}

LANESCOPE_FOR_EACH_PROCESSOR Packed pack_row(const std::uint64_t* row, LaneMask lanes, std::uint64_t* to) {
    return pack_evenly_or_not(row, lanes, to);
}

}  // namespace lanescope::trace
