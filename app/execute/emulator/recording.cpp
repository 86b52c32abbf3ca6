// What a step wrote, handed to the trace's writer.
#include "execute/emulator/interpreter.h"

#include <algorithm>
#include <span>

namespace lanescope::execute {

template <bool records>
void Interpreter<records>::begin_step(const Block& block, Warp& warp, const Micro& micro, LaneMask active,
                                      LaneMask executed) {
    warp.step = writer_.next_step();
    writer_.begin_step(block.id, warp.id, micro.line, warp.epoch, active, executed);
}

template <bool records>
void Interpreter<records>::save_destinations(const Warp& warp, const Micro& micro) {
    std::size_t i = 0;
    for (const Destination& destination : code_.destinations_of(micro)) {
        Saved& saved = saved_[i++];
        const std::byte* row = warp.file + destination.slot;
        switch (destination.row) {
            case Row::wide: std::copy_n(reinterpret_cast<const std::uint64_t*>(row), 32, saved.wide.begin()); break;
            case Row::narrow: std::copy_n(reinterpret_cast<const std::uint32_t*>(row), 32, saved.narrow.begin()); break;
            case Row::predicate: saved.predicate = LaneMask(*reinterpret_cast<const std::uint32_t*>(row)); break;
            case Row::none: break;
        }
    }
}

template <bool records>
void Interpreter<records>::record_destinations(const Warp& warp, const Micro& micro, LaneMask lanes) {
    if (lanes.none()) return;
    std::size_t i = 0;
    for (const Destination& destination : code_.destinations_of(micro)) {
        const Saved& saved = saved_[i++];
        const std::byte* row = warp.file + destination.slot;
        switch (destination.row) {
            case Row::wide:
                writer_.register_write(
                    destination.reg, destination.bytes, lanes, std::span<const std::uint64_t, 32>(saved.wide),
                    std::span<const std::uint64_t, 32>(reinterpret_cast<const std::uint64_t*>(row), 32));
                break;
            case Row::narrow:
                writer_.register_write(
                    destination.reg, destination.bytes, lanes, std::span<const std::uint32_t, 32>(saved.narrow),
                    std::span<const std::uint32_t, 32>(reinterpret_cast<const std::uint32_t*>(row), 32));
                break;
            case Row::predicate:
                writer_.predicate_write(destination.reg, lanes, saved.predicate,
                                        LaneMask(*reinterpret_cast<const std::uint32_t*>(row)));
                break;
            case Row::none: break;
        }
    }
}

template class Interpreter<true>;

}  // namespace lanescope::execute
