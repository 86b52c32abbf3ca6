// Bits of integers: counting, finding, fields. PTX ISA 9.7.1.14 to 9.7.1.22.
#include "execute/simt/atomics.h"
#include "execute/simt/integers.h"

#include <bit>

namespace lanescope::execute {

namespace {

constexpr std::uint32_t not_found = ~0U;

struct Popc {
    template <class T>
    static std::uint32_t apply(T a) {
        return static_cast<std::uint32_t>(std::popcount(a));
    }
};
struct Clz {
    template <class T>
    static std::uint32_t apply(T a) {
        return static_cast<std::uint32_t>(std::countl_zero(a));
    }
};
/// The highest bit that is not a sign bit.
struct Bfind {
    template <class T>
    static std::uint32_t apply(T a) {
        using U = std::make_unsigned_t<T>;
        auto bits = static_cast<U>(a);
        if constexpr (std::is_signed_v<T>) bits = a < 0 ? static_cast<U>(~bits) : bits;
        return bits == 0 ? not_found : static_cast<std::uint32_t>(std::bit_width(bits)) - 1U;
    }
};
struct BfindShiftAmount {
    template <class T>
    static std::uint32_t apply(T a) {
        const std::uint32_t found = Bfind::apply(a);
        return found == not_found ? not_found : static_cast<std::uint32_t>(sizeof(T) * 8 - 1) - found;
    }
};
/// The n-th set bit of `mask` from `base` on, upwards for n > 0, downwards for n < 0; 0: `base` itself if set.
struct Fns {
    static std::uint32_t apply(std::uint32_t mask, std::uint32_t base, std::int32_t n) {
        if (base > 31) return not_found;
        const auto is_set = [&](int bit) { return bit >= 0 && bit < 32 && ((mask >> bit) & 1U) != 0; };
        const int from = static_cast<int>(base);
        if (n == 0) return is_set(from) ? base : not_found;
        const int step = n > 0 ? 1 : -1;
        std::int64_t left = n > 0 ? std::int64_t{n} : -std::int64_t{n};
        for (int bit = from; bit >= 0 && bit < 32; bit += step) {
            if (is_set(bit) && --left == 0) return static_cast<std::uint32_t>(bit);
        }
        return not_found;
    }
};
struct Brev {
    template <class T>
    static T apply(T a) {
        T reversed = 0;
        for (unsigned bit = 0; bit < sizeof(T) * 8; ++bit)
            reversed |= static_cast<T>(((a >> bit) & 1U) << (sizeof(T) * 8 - 1 - bit));
        return reversed;
    }
};
/// Position or length of a field of T. PTX defines 0 to 255; beyond, GPUs read the low byte for 32 bits and the whole
/// value for 64.
template <class T>
constexpr unsigned field_operand(std::uint32_t word) {
    if (sizeof(T) == 4) return word & 0xFFU;
    return word < 0xFFU ? word : 0xFFU;
}
/// Beyond the top the sign fills in.
struct Bfe {
    template <class T>
    static T apply(T a, std::uint32_t position_word, std::uint32_t length_word) {
        using U = std::make_unsigned_t<T>;
        constexpr unsigned top = sizeof(T) * 8 - 1;
        const unsigned position = field_operand<T>(position_word);
        const unsigned length = field_operand<T>(length_word);
        const auto bits = static_cast<U>(a);
        bool sign = false;
        if (std::is_signed_v<T> && length != 0) {
            const unsigned last = position + length - 1;
            sign = ((bits >> (last < top ? last : top)) & 1U) != 0;
        }
        const U filled = sign ? static_cast<U>(~U{0}) : U{0};
        const U shifted = position > top ? U{0} : static_cast<U>(bits >> position);
        const unsigned from_field = position > top ? 0 : top + 1 - position;
        const unsigned kept = length < from_field ? length : from_field;
        if (kept > top) return static_cast<T>(shifted);
        const U low = static_cast<U>((U{1} << kept) - 1U);
        return static_cast<T>((shifted & low) | (filled & static_cast<U>(~low)));
    }
};
/// Inserts a's low bits into b.
struct Bfi {
    template <class T>
    static T apply(T a, T b, std::uint32_t position_word, std::uint32_t length_word) {
        constexpr unsigned bits = sizeof(T) * 8;
        const unsigned position = field_operand<T>(position_word);
        const unsigned length = field_operand<T>(length_word);
        if (position >= bits || length == 0) return b;
        const T ones = length >= bits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1U);
        const T field = static_cast<T>(ones << position);
        return static_cast<T>((b & static_cast<T>(~field)) | (static_cast<T>(a << position) & field));
    }
};

constexpr std::uint32_t bound_at(std::uint32_t value, bool clamp) {
    return clamp ? (value > 32 ? 32 : value) : value & 31U;
}

/// Extends the low n bits.
template <bool clamp>
struct Szext {
    template <class T>
    static T apply(T a, std::uint32_t n_word) {
        const std::uint32_t n = bound_at(n_word, clamp);
        if (n == 0) return 0;
        if (n == 32) return a;
        const unsigned unused = 32 - n;
        return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(a) << unused) >> unused);
    }
};
/// A mask of b ones from bit a on.
template <bool clamp>
struct Bmsk {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t first = bound_at(a, clamp);
        const std::uint32_t length = bound_at(b, clamp);
        if (first == 32) return 0;
        const std::uint32_t ones = length == 32 ? ~0U : (1U << length) - 1U;
        return ones << first;
    }
};

struct PendingArrivals {
    static std::uint32_t apply(std::uint64_t object) { return pending_arrivals(object); }
};

template <class F>
Found count(ptx::Type type) {
    return for_integer(type, []<class T>(T) -> Found {
        if constexpr (sizeof(T) < 4)
            return std::nullopt;
        else
            return operation<F, std::uint32_t, T>();
    });
}

template <class F>
Found szext(ptx::Type type) {
    if (type == ptx::Type::s32) return operation<F, std::int32_t, std::int32_t, std::uint32_t>();
    return operation<F, std::uint32_t, std::uint32_t, std::uint32_t>();
}

}  // namespace

Found bit_operation(const ptx::Instruction& instruction) {
    using Word = std::uint32_t;
    const ptx::Modifiers& modifiers = instruction.modifiers;
    const ptx::Type type = modifiers.type;
    const bool clamp = modifiers.bound == ptx::Bound::clamp;
    switch (instruction.opcode) {
        case ptx::Opcode::popc: return for_bits(type, []<class T>(T) -> Found { return operation<Popc, Word, T>(); });
        case ptx::Opcode::clz: return for_bits(type, []<class T>(T) -> Found { return operation<Clz, Word, T>(); });
        case ptx::Opcode::bfind: return modifiers.shift_amount ? count<BfindShiftAmount>(type) : count<Bfind>(type);
        case ptx::Opcode::fns: return operation<Fns, Word, Word, Word, std::int32_t>();
        case ptx::Opcode::brev: return for_bits(type, []<class T>(T) -> Found { return operation<Brev, T, T>(); });
        case ptx::Opcode::bfe:
            return for_integer(type, []<class T>(T) -> Found { return operation<Bfe, T, T, Word, Word>(); });
        case ptx::Opcode::bfi:
            return for_bits(type, []<class T>(T) -> Found { return operation<Bfi, T, T, T, Word, Word>(); });
        case ptx::Opcode::mbarrier_pending_count: return operation<PendingArrivals, Word, std::uint64_t>();
        case ptx::Opcode::szext: return clamp ? szext<Szext<true>>(type) : szext<Szext<false>>(type);
        case ptx::Opcode::bmsk:
            return clamp ? operation<Bmsk<true>, Word, Word, Word>() : operation<Bmsk<false>, Word, Word, Word>();
        default: return std::nullopt;
    }
}

}  // namespace lanescope::execute
