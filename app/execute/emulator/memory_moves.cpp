#include "execute/emulator/memory_moves.h"

#include "execute/emulator/lane_values.h"
#include "execute/emulator/mbarrier_wait.h"
#include "execute/simt/atomics.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace lanescope::execute {

template <class Level>
void MemoryMoves<Level>::load(Warp& warp, const MemoryAccess& access, const Piece& piece) {
    for (unsigned element = 0; element < access.elements; ++element) {
        const Value& value = access.values[element];
        const std::uint32_t extra = element * access.bytes;
        const unsigned cell_bytes = access.value_bytes[element];
        LaneMask input_dependent;
        if (value.row == Row::wide) {
            input_dependent = load_row(*piece.region, piece.targets, extra, access.bytes, access.sign_extends,
                                       warp.wide(value.slot), cell_bytes);
        } else if (value.row == Row::narrow) {
            input_dependent = load_row(*piece.region, piece.targets, extra, access.bytes, access.sign_extends,
                                       warp.narrow(value.slot), cell_bytes);
        } else {
            continue;  // the sink
        }
        set_input_dependent(warp, value.input_dependent, piece.targets.lanes, input_dependent);
    }
}

template <class Level>
void MemoryMoves<Level>::store(Warp& warp, const MemoryAccess& access, Piece& piece) {
    for (unsigned element = 0; element < access.elements; ++element) {
        const Value& value = access.values[element];
        const std::uint32_t extra = element * access.bytes;
        const LaneMask input_dependent(warp.word(value.input_dependent));
        if (value.row == Row::wide) {
            store_row(*piece.region, piece.targets, extra, access.bytes, warp.wide(value.slot), input_dependent);
        } else {
            store_row(*piece.region, piece.targets, extra, access.bytes, warp.narrow(value.slot), input_dependent);
        }
    }
}

/// Memory holds the values of the replayed machine. Lanes that read different values at one address read one after the
/// other.
template <class Level>
void MemoryMoves<Level>::load_replayed(const WarpStep& step, const MemoryAccess& access, const Piece& piece,
                                       const LaneAddresses& addresses) {
    Warp& warp = step.warp;
    std::array<std::optional<std::uint64_t>, 4 * 32> held;
    const auto for_each = [&](LaneMask lanes, auto visit) {
        for (const unsigned lane : lanes) {
            for (unsigned element = 0; element < access.elements; ++element) {
                const std::uint64_t offset = piece.targets.offset[lane] + std::uint64_t{element} * access.bytes;
                visit(lane, held[std::size_t{element} * 32 + lane], offset);
            }
        }
    };
    const auto put = [&](LaneMask lanes) {
        for_each(lanes, [&](unsigned, const std::optional<std::uint64_t>& bits, std::uint64_t offset) {
            if (bits) std::memcpy(piece.region->data() + offset, &*bits, access.bytes);
        });
    };
    for_each(piece.targets.lanes, [&](unsigned lane, std::optional<std::uint64_t>& bits, std::uint64_t offset) {
        bits = launch_.replay->next(launch_.number, step.block.id, step.thread(lane), step.micro.line,
                                    piece.region->base() + offset);
    });
    put(piece.targets.lanes);
    bool at_once = true;
    for_each(piece.targets.lanes, [&](unsigned, const std::optional<std::uint64_t>& bits, std::uint64_t offset) {
        at_once = at_once && (!bits || std::memcmp(piece.region->data() + offset, &*bits, access.bytes) == 0);
    });
    const auto move = [&](const Piece& part) {
        load(warp, access, part);
        recorder_.load(warp, access, part, addresses);
    };
    if (at_once) return move(piece);
    for (const unsigned lane : piece.targets.lanes) {
        Piece alone = piece;
        alone.targets.lanes = LaneMask::only(lane);
        alone.targets.shape = Targets::Shape::scattered;
        put(alone.targets.lanes);
        move(alone);
    }
}

/// Whether a store is about to change what memory holds.
template <class Level>
void MemoryMoves<Level>::note_change(Warp& warp, const MemoryAccess& access, const Piece& piece) const {
    if (piece.space != ptx::Space::global && piece.space != ptx::Space::shared) return;
    Values before = values_in(piece, access);
    Values after = values_stored(warp, access, piece.targets.lanes);
    for (unsigned element = 0; element < access.elements; ++element) {
        for (const unsigned lane : piece.targets.lanes) {
            if (element_of(before, element)[lane] != element_of(after, element)[lane]) return launch_.loops->changed();
        }
    }
}

/// The result that an atomic returns to its lanes.
template <class Level>
void MemoryMoves<Level>::set_results(Warp& warp, const MemoryAccess& access, LaneMask lanes,
                                     const std::array<std::uint64_t, warp_size>& results,
                                     LaneMask input_dependent) const {
    if (!access.has_result) return;
    const Value& result = access.values[1];
    for (const unsigned lane : lanes) {
        switch (result.row) {
            case Row::wide: warp.wide(result.slot)[lane] = results[lane]; break;
            case Row::predicate: {
                std::uint32_t& word = warp.word(result.slot);
                word = (word & ~(1U << lane)) | (results[lane] != 0 ? 1U << lane : 0U);
                break;
            }
            default: warp.narrow(result.slot)[lane] = static_cast<std::uint32_t>(results[lane]); break;
        }
    }
    set_input_dependent(warp, result.input_dependent, lanes, input_dependent);
}

/// A wait changes nothing; a warp that waits executes little else.
template <class Level>
void MemoryMoves<Level>::wait_at_mbarrier(const WarpStep& step, const MemoryAccess& access, const Piece& piece,
                                          const LaneAddresses& addresses) {
    const MbarrierWait wait = mbarrier_wait(step.warp, access, *piece.region, piece.targets);
    std::array<std::uint64_t, warp_size> objects{};
    std::array<std::uint64_t, warp_size> results{};
    for (const unsigned lane : piece.targets.lanes) {
        std::memcpy(&objects[lane], piece.region->data() + piece.targets.offset[lane], access.bytes);
        results[lane] = wait.complete.has(lane) ? 1 : 0;
    }
    set_results(step.warp, access, piece.targets.lanes, results, {});
    recorder_.atomic(access, piece, addresses, objects, objects);
}

/// Lane after lane, in ascending order: one of the orders that PTX allows, the same in every run.
template <class Level>
void MemoryMoves<Level>::atomic(const WarpStep& step, const MemoryAccess& access, Piece& piece,
                                const LaneAddresses& addresses) {
    Warp& warp = step.warp;
    const LaneMask lanes = piece.targets.lanes;
    const LaneMask operand_dependent(warp.word(access.values[0].input_dependent));
    std::array<std::uint64_t, 32> before{};
    std::array<std::uint64_t, 32> after{};
    std::array<std::uint64_t, 32> results{};  // returned to the lanes
    LaneMask was_dependent_before;
    LaneMask combined;
    for (const unsigned lane : lanes) {
        std::byte* data = piece.region->data() + piece.targets.offset[lane];
        std::uint8_t* marks = piece.region->marks() + piece.targets.offset[lane];
        std::memcpy(&before[lane], data, access.bytes);
        if (launch_.replay != nullptr) {
            const std::uint64_t address = piece.region->base() + piece.targets.offset[lane];
            before[lane] =
                launch_.replay->next(launch_.number, step.block.id, step.thread(lane), step.micro.line, address)
                    .value_or(before[lane]);
        }
        const std::uint64_t operand = low_bytes(access.bytes, cell(warp, access.values[0], lane));
        const std::uint64_t compare =
            access.atomic == ptx::Atomic::cas ? low_bytes(access.bytes, cell(warp, access.compare, lane)) : 0;
        if (access.barrier_object != nullptr) {
            const BarrierStep update = barrier_step(*access.barrier_object, before[lane], operand);
            after[lane] = update.object;
            results[lane] = update.result;
        } else {
            after[lane] = atomic_result(access.atomic, access.type, before[lane], operand, compare);
            results[lane] = before[lane];
        }
        std::memcpy(data, &after[lane], access.bytes);

        const bool was_dependent =
            std::any_of(marks, marks + access.bytes, [](std::uint8_t mark) { return (mark & input_mark) != 0; });
        const bool is_dependent = operand_dependent.has(lane);
        bool stays = was_dependent || is_dependent;
        if (access.atomic == ptx::Atomic::exch) stays = is_dependent;
        if (access.atomic == ptx::Atomic::cas) stays = before[lane] == compare ? is_dependent : was_dependent;
        std::memset(marks, stays ? written_mark | input_mark : written_mark, access.bytes);
        if (was_dependent) was_dependent_before |= LaneMask::only(lane);
        if (was_dependent && is_dependent) combined |= LaneMask::only(lane);
    }
    if (before != after) {
        warp.control.progress();
        if (launch_.loops != nullptr) launch_.loops->changed();
    }
    if (step.micro.combines) warp.counts->operations += combined.count();
    set_results(warp, access, lanes, results, was_dependent_before);
    recorder_.atomic(access, piece, addresses, before, after);
}

template <class Level>
void MemoryMoves<Level>::move(const WarpStep& step, const MemoryAccess& access, Piece& piece,
                              const LaneAddresses& addresses) {
    Warp& warp = step.warp;
    switch (step.micro.kind) {
        case Kind::load:
            if (recorder_.records() && launch_.replay != nullptr) return load_replayed(step, access, piece, addresses);
            load(warp, access, piece);
            return recorder_.load(warp, access, piece, addresses);
        case Kind::store:
            if (launch_.loops != nullptr) note_change(warp, access, piece);
            recorder_.store(warp, access, piece, addresses, [&] { store(warp, access, piece); });
            // A thread's own memory is read by no other thread.
            if (piece.space == ptx::Space::global || piece.space == ptx::Space::shared) warp.control.progress();
            return;
        default:
            if (step.micro.instruction->action() == ptx::Action::mbarrier_wait && launch_.replay == nullptr)
                return wait_at_mbarrier(step, access, piece, addresses);
            return atomic(step, access, piece, addresses);
    }
}

template class MemoryMoves<FixedLevel<RecordLevel::counts>>;
template class MemoryMoves<FixedLevel<RecordLevel::accesses>>;
template class MemoryMoves<FixedLevel<RecordLevel::registers>>;

}  // namespace lanescope::execute
