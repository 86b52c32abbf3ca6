// What a step did, handed to the trace's writer.
#pragma once

#include "execute/emulator/interpreter.h"

#include <span>

namespace lanescope::execute {

template <Recording recording>
inline void Interpreter<recording>::begin_step(const Block& block, Warp& warp, const Micro& micro, LaneMask active,
                                               LaneMask executed) {
    warp.step = writer_.next_step();
    writer_.begin_step(block.id, warp.id, micro.line, warp.epoch, active, executed);
}

/// Registers of 4 and of 8 bytes, each in a row of its width, are written as they are.
template <Recording recording>
inline void Interpreter<recording>::record_write(const Warp& warp, const Destination& destination, LaneMask lanes) {
    const std::byte* row = warp.file + destination.slot;
    switch (destination.row) {
        case Row::wide: {
            const auto* values = reinterpret_cast<const std::uint64_t*>(row);
            if (destination.bytes == 8) return writer_.word_write(destination.reg, lanes, values);
            return writer_.register_write(destination.reg, destination.bytes, lanes,
                                          std::span<const std::uint64_t, 32>(values, 32));
        }
        case Row::narrow: {
            const auto* values = reinterpret_cast<const std::uint32_t*>(row);
            if (destination.bytes == 4) return writer_.word_write(destination.reg, lanes, values);
            return writer_.register_write(destination.reg, destination.bytes, lanes,
                                          std::span<const std::uint32_t, 32>(values, 32));
        }
        case Row::predicate:
            return writer_.predicate_write(destination.reg, lanes,
                                           LaneMask(*reinterpret_cast<const std::uint32_t*>(row)));
        case Row::none: break;
    }
}

template <Recording recording>
inline void Interpreter<recording>::record_writes(const Warp& warp, const Micro& micro, LaneMask lanes) {
    if (lanes.none()) return;
    for (const Destination& destination : code_.destinations_of(micro)) record_write(warp, destination, lanes);
}

}  // namespace lanescope::execute
