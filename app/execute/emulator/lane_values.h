// The values of a warp's lanes between its registers and memory.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/warp_access.h"
#include "trace/trace.h"

#include <array>
#include <cstdint>
#include <span>

namespace lanescope::execute {

[[nodiscard]] inline unsigned bytes_of(const MemoryAccess& access) { return unsigned{access.bytes} * access.elements; }

[[nodiscard]] inline trace::Space trace_space(ptx::Space space) {
    switch (space) {
        case ptx::Space::shared: return trace::Space::shared;
        case ptx::Space::local: return trace::Space::local;
        case ptx::Space::param: return trace::Space::param;
        case ptx::Space::constant: return trace::Space::constant;
        default: return trace::Space::global;
    }
}

/// Values of all elements of an access, for the record and the checks: [element * 32 + lane], for the participating
/// lanes.
using Values = std::array<std::uint64_t, 4 * 32>;

[[nodiscard]] inline std::span<std::uint64_t, 32> element_of(Values& values, unsigned element) {
    return std::span<std::uint64_t, 32>(values.data() + std::size_t{element} * 32, 32);
}

[[nodiscard]] inline std::uint64_t low_bytes(unsigned bytes, std::uint64_t value) {
    return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1U);
}

[[nodiscard]] inline std::uint64_t cell(const Warp& warp, const Value& value, unsigned lane) {
    const std::byte* row = warp.file + value.slot;
    return value.row == Row::wide ? reinterpret_cast<const std::uint64_t*>(row)[lane]
                                  : reinterpret_cast<const std::uint32_t*>(row)[lane];
}

/// The values that a store writes.
[[nodiscard]] inline Values values_stored(const Warp& warp, const MemoryAccess& access, LaneMask lanes) {
    Values values;  // the values of other lanes are never read
    for (unsigned element = 0; element < access.elements; ++element) {
        for (const unsigned lane : lanes) {
            element_of(values, element)[lane] = low_bytes(access.bytes, cell(warp, access.values[element], lane));
        }
    }
    return values;
}

/// The values that memory holds at the lanes' addresses.
[[nodiscard]] inline Values values_in(const Piece& piece, const MemoryAccess& access) {
    Values values;  // the values of other lanes are never read
    for (unsigned element = 0; element < access.elements; ++element) {
        load_row(*piece.region, piece.targets, element * access.bytes, access.bytes, false,
                 element_of(values, element).data(), 8);
    }
    return values;
}

using Words = std::array<std::uint32_t, 32>;

/// The same of one element of 4 bytes.
[[nodiscard]] inline Words words_in(const Piece& piece) {
    alignas(64) Words words;
    load_row(*piece.region, piece.targets, 0, 4, false, words.data(), 4);
    return words;
}

inline void set_input_dependent(Warp& warp, std::uint32_t slot, LaneMask lanes, LaneMask input_dependent) {
    std::uint32_t& word = warp.word(slot);
    word = (word & ~lanes.bits()) | (input_dependent & lanes).bits();
}

}  // namespace lanescope::execute
