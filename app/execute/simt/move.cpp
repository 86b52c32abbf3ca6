// Moves, PTX ISA 9.7.9.3 and 9.7.9.7: of registers, into and out of vectors of parts, and permutations of bytes.
#include "execute/simt/integers.h"

namespace lanescope::execute {

namespace {

using ptx::Operand;

struct Copy {
    template <class T>
    static T apply(T a) {
        return a;
    }
};

/// {a, b, ...} -> d: parts of slots.constant bits, lowest first.
template <class From, class To>
LANESCOPE_FOR_EACH_PROCESSOR void pack(std::byte* file, const Slots& slots, LaneMask lanes) {
    const auto bits = static_cast<unsigned>(slots.constant);
    alignas(64) Cell<To> results[32] = {};
    for (unsigned part = 0; part * bits < sizeof(To) * 8; ++part) {
        const SourceRow<From> source(file, slots.source[part], 0);
        for (unsigned lane = 0; lane < 32; ++lane) {
            results[lane] |= static_cast<Cell<To>>(static_cast<Cell<To>>(source[lane]) << (part * bits));
        }
    }
    write_cells(reinterpret_cast<Cell<To>*>(file + slots.destination[0]), results, lanes);
}

/// a -> {d, e, ...}; slots.constant: bits of a part, and above the lowest byte which parts go to `_`.
template <class From, class To>
LANESCOPE_FOR_EACH_PROCESSOR void unpack(std::byte* file, const Slots& slots, LaneMask lanes) {
    const auto bits = static_cast<unsigned>(slots.constant & 0xFFU);
    const SourceRow<From> source(file, slots.source[0], 0);
    alignas(64) From values[32];
    for (unsigned lane = 0; lane < 32; ++lane) values[lane] = source[lane];
    for (unsigned part = 0; part * bits < sizeof(From) * 8; ++part) {
        if (((slots.constant >> (8 + part)) & 1U) != 0) continue;
        alignas(64) Cell<To> results[32];
        for (unsigned lane = 0; lane < 32; ++lane) results[lane] = static_cast<To>(values[lane] >> (part * bits));
        write_cells(reinterpret_cast<Cell<To>*>(file + slots.destination[part]), results, lanes);
    }
}

Found packing(unsigned bytes, unsigned parts) {
    const unsigned part_bytes = bytes / parts;
    Operation found;
    found.destination[0] = bytes == 8 ? Row::wide : Row::narrow;
    for (unsigned part = 0; part < parts; ++part) found.source[part] = Row::narrow;
    found.constant = part_bytes * 8;
    if (part_bytes == 2 && bytes == 4)
        found.function = &pack<std::uint16_t, std::uint32_t>;
    else if (part_bytes == 2)
        found.function = &pack<std::uint16_t, std::uint64_t>;
    else if (part_bytes == 4)
        found.function = &pack<std::uint32_t, std::uint64_t>;
    else
        return std::nullopt;
    return found;
}

Found unpacking(unsigned bytes, unsigned parts, std::uint64_t sinks) {
    const unsigned part_bytes = parts == 0 ? 0 : bytes / parts;
    Operation found;
    found.source[0] = bytes == 8 ? Row::wide : Row::narrow;
    for (unsigned part = 0; part < parts; ++part) {
        found.destination[part] = ((sinks >> part) & 1U) != 0 ? Row::none : Row::narrow;
    }
    found.constant = part_bytes * 8 | sinks << 8;
    if (part_bytes == 2 && bytes == 4)
        found.function = &unpack<std::uint32_t, std::uint16_t>;
    else if (part_bytes == 2)
        found.function = &unpack<std::uint64_t, std::uint16_t>;
    else if (part_bytes == 4)
        found.function = &unpack<std::uint64_t, std::uint32_t>;
    else
        return std::nullopt;
    return found;
}

Found move(const ptx::Function& function, const ptx::Instruction& instruction) {
    const Operand& destination = instruction.operands[0];
    const Operand& source = instruction.operands[1];
    const ptx::Type type = instruction.modifiers.type;
    if (type == ptx::Type::pred) return operation<Copy, bool, bool>();
    if (source.kind == Operand::Kind::vector) return packing(ptx::bytes_of(type), source.elements);
    if (destination.kind == Operand::Kind::vector) {
        std::uint64_t sinks = 0;
        for (unsigned part = 0; part < destination.elements; ++part) {
            if (function.vector_elements[destination.first + part].kind == Operand::Kind::sink) sinks |= 1U << part;
        }
        return unpacking(ptx::bytes_of(type), destination.elements, sinks);
    }
    return for_bits(type, []<class T>(T) -> Found { return operation<Copy, T, T>(); });
}

/// Four bytes selected from the eight of b:a; a selector's top bit replicates the byte's sign instead (9.7.9.7).
struct Permute {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
        std::uint32_t result = 0;
        for (unsigned i = 0; i < 4; ++i) {
            const std::uint32_t selector = (c >> (4 * i)) & 0xFU;
            const auto byte = static_cast<std::uint32_t>((bytes >> (8 * (selector & 7U))) & 0xFFU);
            const std::uint32_t sign = (byte & 0x80U) != 0 ? 0xFFU : 0U;
            result |= ((selector & 8U) != 0 ? sign : byte) << (8 * i);
        }
        return result;
    }
};

/// The named modes' choices of four bytes for c & 3 = 0..3, one nibble a byte of the result.
constexpr std::array<std::array<std::uint32_t, 4>, 7> selectors{{
    {},
    {0x3210, 0x4321, 0x5432, 0x6543},  // f4e: forward four extract
    {0x5670, 0x6701, 0x7012, 0x0123},  // b4e: backward four extract
    {0x0000, 0x1111, 0x2222, 0x3333},  // rc8: replicate
    {0x3210, 0x3211, 0x3222, 0x3333},  // ecl: edge clamp left
    {0x0000, 0x1110, 0x2210, 0x3210},  // ecr: edge clamp right
    {0x1010, 0x3232, 0x1010, 0x3232},  // rc16: replicate half-words
}};

template <ptx::Permute mode>
struct PermuteByMode {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        return Permute::apply(a, b, selectors[static_cast<std::size_t>(mode)][c & 3U]);
    }
};

template <class F>
Found of_three_words() {
    return operation<F, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>();
}

Found permute(ptx::Permute mode) {
    using enum ptx::Permute;
    switch (mode) {
        case none: return of_three_words<Permute>();
        case f4e: return of_three_words<PermuteByMode<f4e>>();
        case b4e: return of_three_words<PermuteByMode<b4e>>();
        case rc8: return of_three_words<PermuteByMode<rc8>>();
        case ecl: return of_three_words<PermuteByMode<ecl>>();
        case ecr: return of_three_words<PermuteByMode<ecr>>();
        case rc16: return of_three_words<PermuteByMode<rc16>>();
    }
    return std::nullopt;
}

}  // namespace

Found move_operation(const ptx::Function& function, const ptx::Instruction& instruction) {
    switch (instruction.opcode) {
        case ptx::Opcode::mov: return move(function, instruction);
        case ptx::Opcode::prmt: return permute(instruction.modifiers.permute);
        default: return std::nullopt;
    }
}

}  // namespace lanescope::execute
