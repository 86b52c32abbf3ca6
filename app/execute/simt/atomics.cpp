#include "execute/simt/atomics.h"

#include "execute/simt/floats.h"
#include "execute/simt/half.h"

#include <algorithm>

namespace lanescope::execute {

namespace {

std::uint64_t low_bytes(unsigned bytes, std::uint64_t value) {
    return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1U);
}

std::int64_t sign_extended(unsigned bytes, std::uint64_t value) {
    const unsigned unused = 64 - 8 * bytes;
    return static_cast<std::int64_t>(value << unused) >> unused;
}

std::uint32_t add_halves(Format16 format, unsigned halves, std::uint64_t a, std::uint64_t b) {
    std::uint32_t sum = 0;
    for (unsigned half = 0; half < halves; ++half) {
        const double x = decode16(format, static_cast<std::uint16_t>(a >> (16 * half)));
        const double y = decode16(format, static_cast<std::uint16_t>(b >> (16 * half)));
        sum |= std::uint32_t{encode16(format, fma_to_odd(1, x, y), ptx::Rounding::rn)} << (16 * half);
    }
    return sum;
}

std::uint64_t add(ptx::Type type, std::uint64_t old, std::uint64_t operand) {
    switch (type) {
        case ptx::Type::f32: {
            // On global memory subnormals are flushed, on shared memory not (9.7.13.5); they are kept in both here.
            const float sum = std::bit_cast<float>(static_cast<std::uint32_t>(old)) +
                              std::bit_cast<float>(static_cast<std::uint32_t>(operand));
            return std::bit_cast<std::uint32_t>(canonical(sum));
        }
        case ptx::Type::f64:
            return std::bit_cast<std::uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(operand));
        case ptx::Type::f16: return add_halves(half_format, 1, old, operand);
        case ptx::Type::f16x2: return add_halves(half_format, 2, old, operand);
        case ptx::Type::bf16: return add_halves(brain_float_format, 1, old, operand);
        case ptx::Type::bf16x2: return add_halves(brain_float_format, 2, old, operand);
        default: return low_bytes(ptx::bytes_of(type), old + operand);
    }
}

std::uint64_t extreme(ptx::Type type, bool least, std::uint64_t old, std::uint64_t operand) {
    const unsigned bytes = ptx::bytes_of(type);
    const bool less = ptx::is_signed(type) ? sign_extended(bytes, operand) < sign_extended(bytes, old) : operand < old;
    return less == least ? operand : old;
}

}  // namespace

std::uint64_t atomic_result(ptx::Atomic operation, ptx::Type type, std::uint64_t old, std::uint64_t operand,
                            std::uint64_t compare) {
    switch (operation) {
        case ptx::Atomic::add: return add(type, old, operand);
        case ptx::Atomic::min: return extreme(type, true, old, operand);
        case ptx::Atomic::max: return extreme(type, false, old, operand);
        case ptx::Atomic::inc: return old >= operand ? 0 : old + 1;
        case ptx::Atomic::dec: return old == 0 || old > operand ? operand : old - 1;
        case ptx::Atomic::exch: return operand;
        case ptx::Atomic::cas: return old == compare ? operand : old;
        case ptx::Atomic::and_: return old & operand;
        case ptx::Atomic::or_: return old | operand;
        case ptx::Atomic::xor_: return old ^ operand;
        default: return old;
    }
}

}  // namespace lanescope::execute
