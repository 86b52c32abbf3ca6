// Integers as PTX defines them: two's complement, wrapping, of 16, 32 and 64 bits.
#pragma once

#include "execute/simt/lanes.h"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace lanescope::execute {

template <class T>
struct WiderOf;
template <>
struct WiderOf<std::uint16_t> {
    using type = std::uint32_t;
};
template <>
struct WiderOf<std::int16_t> {
    using type = std::int32_t;
};
template <>
struct WiderOf<std::uint32_t> {
    using type = std::uint64_t;
};
template <>
struct WiderOf<std::int32_t> {
    using type = std::int64_t;
};
template <>
struct WiderOf<std::uint64_t> {
    __extension__ using type = unsigned __int128;
};
template <>
struct WiderOf<std::int64_t> {
    __extension__ using type = __int128;
};
/// The integer of twice the width, which holds every product of two T.
template <class T>
using Wider = typename WiderOf<T>::type;

// Unsigned arithmetic in at least 32 bits: neither overflow nor promotion to int can be undefined.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T>
constexpr T wrapping_add(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
}
template <class T>
constexpr T wrapping_sub(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
}
template <class T>
constexpr T wrapping_mul(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
}
/// The upper half of the full product.
template <class T>
constexpr T high_mul(T a, T b) {
    return static_cast<T>((static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b)) >> (sizeof(T) * 8));
}
constexpr std::int32_t saturate_s32(std::int64_t value) {
    constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(value < least ? least : value > most ? most : value);
}

/// Calls visit(T{}) with the C++ type of an integer type or, as unsigned, of a b-type; not for other types.
template <class Visit>
Found for_integer(ptx::Type type, Visit visit) {
    switch (type) {
        case ptx::Type::b16:
        case ptx::Type::u16: return visit(std::uint16_t{});
        case ptx::Type::s16: return visit(std::int16_t{});
        case ptx::Type::b32:
        case ptx::Type::u32: return visit(std::uint32_t{});
        case ptx::Type::s32: return visit(std::int32_t{});
        case ptx::Type::b64:
        case ptx::Type::u64: return visit(std::uint64_t{});
        case ptx::Type::s64: return visit(std::int64_t{});
        default: return std::nullopt;
    }
}

/// Calls visit(T{}) with the unsigned integer as wide as the type.
template <class Visit>
Found for_bits(ptx::Type type, Visit visit) {
    switch (ptx::bytes_of(type)) {
        case 2: return visit(std::uint16_t{});
        case 4: return visit(std::uint32_t{});
        case 8: return visit(std::uint64_t{});
        default: return std::nullopt;
    }
}

}  // namespace lanescope::execute
