// Turns a function of one lane's values into one over a warp's rows. The loops are written so that a compiler
// vectorizes them: 32 iterations, no exits, results of other lanes dropped by selection. Each is also compiled for
// processors with AVX2 and with AVX-512, and selected when the program is loaded. Included only by the families of
// operations.
#pragma once

#include "base/processors.h"
#include "execute/simt/operation.h"

#include <bit>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lanescope::execute {

template <std::size_t bytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
    using type = std::uint8_t;
};
template <>
struct UnsignedOf<2> {
    using type = std::uint16_t;
};
template <>
struct UnsignedOf<4> {
    using type = std::uint32_t;
};
template <>
struct UnsignedOf<8> {
    using type = std::uint64_t;
};
/// The unsigned integer as wide as T: its bits.
template <class T>
using Bits = typename UnsignedOf<sizeof(T)>::type;
/// The size of a lane of T in a row.
template <class T>
using Cell = std::conditional_t<(sizeof(T) <= 4), std::uint32_t, std::uint64_t>;

template <class T>
constexpr Row row_for() {
    if constexpr (std::is_same_v<T, bool>) return Row::predicate;
    return sizeof(T) <= 4 ? Row::narrow : Row::wide;
}

template <class T>
[[gnu::always_inline]] inline T value_of(Cell<T> cell) {
    return std::bit_cast<T>(static_cast<Bits<T>>(cell));
}
template <class T>
[[gnu::always_inline]] inline Cell<T> cell_of(T value) {
    return std::bit_cast<Bits<T>>(value);
}

/// A source row as values of T; a predicate word for bool.
template <class T>
class SourceRow {
  public:
    SourceRow(const std::byte* file, std::uint32_t offset, std::uint32_t /*invert*/)
        : cells_(reinterpret_cast<const Cell<T>*>(file + offset)) {}
    [[gnu::always_inline]] T operator[](unsigned lane) const { return value_of<T>(cells_[lane]); }

  private:
    const Cell<T>* cells_;
};
template <>
class SourceRow<bool> {
  public:
    SourceRow(const std::byte* file, std::uint32_t offset, std::uint32_t invert)
        : bits_(*reinterpret_cast<const std::uint32_t*>(file + offset) ^ invert) {}
    [[gnu::always_inline]] bool operator[](unsigned lane) const { return ((bits_ >> lane) & 1U) != 0; }

  private:
    std::uint32_t bits_;
};

/// destination[lane] = result_of(lane) in `lanes`. A lane's result depends at most on its own cell of the destination,
/// for rows are identical or disjoint: no iteration of the loops waits for another.
template <class C, class ResultOf>
[[gnu::always_inline]] inline void write_lanes(C* destination, LaneMask lanes, const ResultOf& result_of) {
    if (lanes == LaneMask::all()) {
        LANESCOPE_ROUNDS_APART
        for (unsigned lane = 0; lane < 32; ++lane) destination[lane] = result_of(lane);
    } else {
        const std::uint32_t bits = lanes.bits();
        LANESCOPE_ROUNDS_APART
        for (unsigned lane = 0; lane < 32; ++lane) {
            const C result = result_of(lane);
            destination[lane] = ((bits >> lane) & 1U) != 0 ? result : destination[lane];
        }
    }
}
template <class C>
[[gnu::always_inline]] inline void write_cells(C* destination, const C* results, LaneMask lanes) {
    write_lanes(
        destination, lanes, [&](unsigned lane) __attribute__((always_inline)) { return results[lane]; });
}

[[gnu::always_inline]] inline void write_predicate(std::byte* file, std::uint32_t offset, std::uint32_t result,
                                                   LaneMask lanes) {
    auto* word = reinterpret_cast<std::uint32_t*>(file + offset);
    *word = (*word & ~lanes.bits()) | (result & lanes.bits());
}

/// The number of set lanes. Not every processor of the family counts bits in one instruction, and the library's
/// fallback is a call; most masks are full.
[[gnu::always_inline]] inline unsigned count_lanes(LaneMask lanes) {
    std::uint32_t bits = lanes.bits();
    if (bits == ~0U) return 32;
    bits -= (bits >> 1) & 0x55555555U;
    bits = (bits & 0x33333333U) + ((bits >> 2) & 0x33333333U);
    return (((bits + (bits >> 4)) & 0x0F0F0F0FU) * 0x01010101U) >> 24;
}

namespace lanes_detail {

template <class F, class D, class... S, std::size_t... I>
[[gnu::always_inline]] inline void map(std::byte* file, const Slots& slots, LaneMask lanes, std::index_sequence<I...>) {
    const std::tuple<SourceRow<S>...> rows{SourceRow<S>(file, slots.source[I], slots.invert)...};
    if constexpr (std::is_same_v<D, bool>) {
        std::uint32_t result = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
            result |= F::apply(std::get<I>(rows)[lane]...) ? 1U << lane : 0U;
        }
        write_predicate(file, slots.destination[0], result, lanes);
    } else {
        const auto result_of = [&](unsigned lane) __attribute__((always_inline)) {
            return cell_of<D>(F::apply(std::get<I>(rows)[lane]...));
        };
        write_lanes(reinterpret_cast<Cell<D>*>(file + slots.destination[0]), lanes, result_of);
    }
}

}  // namespace lanes_detail

namespace {

/// d = F(a, b, ...) in every lane; D and S... are the types of destination and sources, bool for predicates.
template <class F, class D, class... S>
LANESCOPE_FOR_EACH_PROCESSOR void map_lanes(std::byte* file, const Slots& slots, LaneMask lanes) {
    lanes_detail::map<F, D, S...>(file, slots, lanes, std::index_sequence_for<S...>());
}

template <class F, class D, class... S>
[[maybe_unused]] Operation operation() {
    Operation found;
    found.function = &map_lanes<F, D, S...>;
    found.destination[0] = row_for<D>();
    std::size_t i = 0;
    ((found.source[i++] = row_for<S>()), ...);
    return found;
}

}  // namespace

}  // namespace lanescope::execute
