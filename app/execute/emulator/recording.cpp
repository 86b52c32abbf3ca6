// What a step wrote, handed to the trace's writer.
#include "execute/emulator/interpreter.h"

#include <span>

namespace lanescope::execute {

template <Recording recording>
void Interpreter<recording>::begin_step(const Block& block, Warp& warp, const Micro& micro, LaneMask active,
                                        LaneMask executed) {
    warp.step = writer_.next_step();
    writer_.begin_step(block.id, warp.id, micro.line, warp.epoch, active, executed);
}

template <Recording recording>
void Interpreter<recording>::record_write(const Warp& warp, const Destination& destination, LaneMask lanes) {
    const std::byte* row = warp.file + destination.slot;
    switch (destination.row) {
        case Row::wide:
            writer_.register_write(destination.reg, destination.bytes, lanes,
                                   std::span<const std::uint64_t, 32>(reinterpret_cast<const std::uint64_t*>(row), 32));
            break;
        case Row::narrow:
            writer_.register_write(destination.reg, destination.bytes, lanes,
                                   std::span<const std::uint32_t, 32>(reinterpret_cast<const std::uint32_t*>(row), 32));
            break;
        case Row::predicate:
            writer_.predicate_write(destination.reg, lanes, LaneMask(*reinterpret_cast<const std::uint32_t*>(row)));
            break;
        case Row::none: break;
    }
}

template <Recording recording>
void Interpreter<recording>::record_writes(const Warp& warp, const Micro& micro, LaneMask lanes) {
    if (lanes.none()) return;
    for (const Destination& destination : code_.destinations_of(micro)) record_write(warp, destination, lanes);
}

template class Interpreter<Recording::accesses>;
template class Interpreter<Recording::everything>;

}  // namespace lanescope::execute
