// What a step wrote, handed to the trace's writer.
#include "execute/emulator/interpreter.h"

#include <algorithm>
#include <span>

namespace lanescope::execute {

namespace {

/// visit(values) with the 32 values of a row of registers.
template <class Visit>
void with_row(const Warp& warp, const Destination& destination, Visit visit) {
    const std::byte* row = warp.file + destination.slot;
    if (destination.row == Row::wide) {
        visit(std::span<const std::uint64_t, 32>(reinterpret_cast<const std::uint64_t*>(row), 32));
    } else {
        visit(std::span<const std::uint32_t, 32>(reinterpret_cast<const std::uint32_t*>(row), 32));
    }
}

}  // namespace

template <bool records>
void Interpreter<records>::begin_step(const Block& block, Warp& warp, const Micro& micro, LaneMask active,
                                      LaneMask executed) {
    warp.step = writer_.next_step();
    writer_.begin_step(block.id, warp.id, micro.line, warp.epoch, active, executed);
}

template <bool records>
void Interpreter<records>::record_before(const Warp& warp, const Destination& destination, LaneMask lanes) {
    with_row(warp, destination, [&](const auto& values) {
        writer_.begin_register_write(destination.reg, destination.bytes, lanes, values);
    });
}

template <bool records>
void Interpreter<records>::record_after(const Warp& warp, const Destination& destination, LaneMask lanes) {
    with_row(warp, destination,
             [&](const auto& values) { writer_.end_register_write(destination.bytes, lanes, values); });
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

template <bool records>
void Interpreter<records>::record_restored(const Destination& place, LaneMask lanes, const LaneValues& before,
                                           const LaneValues& after) {
    if (place.row == Row::wide) return writer_.register_write(place.reg, place.bytes, lanes, before, after);
    std::array<std::uint32_t, warp_size> narrow_before{};
    std::array<std::uint32_t, warp_size> narrow_after{};
    LaneMask set_before, set_after;
    for (const unsigned lane : lanes) {
        narrow_before[lane] = static_cast<std::uint32_t>(before[lane]);
        narrow_after[lane] = static_cast<std::uint32_t>(after[lane]);
        if (before[lane] != 0) set_before |= LaneMask::only(lane);
        if (after[lane] != 0) set_after |= LaneMask::only(lane);
    }
    if (place.row == Row::predicate) return writer_.predicate_write(place.reg, lanes, set_before, set_after);
    writer_.register_write(place.reg, place.bytes, lanes, narrow_before, narrow_after);
}

template class Interpreter<true>;

}  // namespace lanescope::execute
