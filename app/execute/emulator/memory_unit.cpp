#include "execute/emulator/memory_unit.h"

#include "execute/emulator/lane_values.h"

#include <algorithm>
#include <bit>

namespace lanescope::execute {

namespace {

AddressRow row_of_addresses(Warp& warp, const MemoryAccess& access) {
    AddressRow row{.offset = access.offset};
    if (!access.base) return row;
    if (access.base->row == Row::wide) {
        row.wide = warp.wide(access.base->slot);
    } else {
        row.narrow = warp.narrow(access.base->slot);
    }
    return row;
}

/// The counters of one kind of access to shared or global memory.
struct AccessCounters {
    std::uint64_t& instructions;
    std::uint64_t& cost;  ///< wavefronts of shared memory, sectors of global memory

    AccessCounters(trace::Counts& counts, ptx::Space space, Kind kind)
        : instructions(space == ptx::Space::shared ? kind == Kind::load    ? counts.shared_load_instructions
                                                     : kind == Kind::store ? counts.shared_store_instructions
                                                                           : counts.shared_atomic_instructions
                       : kind == Kind::load        ? counts.global_load_instructions
                       : kind == Kind::store       ? counts.global_store_instructions
                                                   : counts.global_atomic_instructions),
          cost(space == ptx::Space::shared ? kind == Kind::load    ? counts.shared_load_wavefronts
                                             : kind == Kind::store ? counts.shared_store_wavefronts
                                                                   : counts.shared_atomic_wavefronts
               : kind == Kind::load        ? counts.global_load_sectors
               : kind == Kind::store       ? counts.global_store_sectors
                                           : counts.global_atomic_sectors) {}
};

constexpr unsigned word_bytes = 4;

struct alignas(64) WordRow {
    std::array<std::uint32_t, warp_size> word;
};

/// Whether consecutive words of `lanes`, from this offset in shared memory on, are all in the intended array.
bool are_in_array(const MemoryAccess& access, std::uint64_t first, LaneMask lanes) {
    if (access.array == nullptr) return true;
    const unsigned span = 32U - static_cast<unsigned>(std::countl_zero(lanes.bits())) - lanes.lowest();
    const std::uint64_t begin = access.array->offset;
    return first >= begin && first + std::uint64_t{span} * access.bytes <= begin + access.array->bytes;
}

}  // namespace

/// Consecutive words, in shared memory or as a full warp in a buffer, which are not replayed: nearly all accesses of
/// kernels. False: nothing is done, and the access is another kind.
template <class Level>
[[gnu::always_inline]] inline bool MemoryUnit<Level>::access_words(const WarpStep& step, const MemoryAccess& access,
                                                                   const AddressRow& addresses, ptx::Space space) {
    Block& block = step.block;
    Warp& warp = step.warp;
    const LaneMask executed = step.executed;
    const bool shared = space == ptx::Space::shared;
    if (!launch_.costs[step.micro.access].consecutive_words_are_one_wavefront()) return false;
    if (block.followed && (access.strong || !block.checked)) return false;
    if (launch_.loops != nullptr && step.micro.kind == Kind::store) return false;  // does it change memory?
    if (!shared && (space != ptx::Space::global || executed != LaneMask::all() || launch_.independence != nullptr))
        return false;
    if (recorder_.records() && launch_.replay != nullptr) return false;
    if (!shared && !block.checked && launch_.check.uninitialized().knows_pieces()) return false;
    const std::uint64_t address = addresses[executed.lowest()];
    Region* region = shared ? &block.shared : launch_.find(address);
    if (region == nullptr) return false;
    const std::uint64_t window = access.space == ptx::Space::generic ? shared_window : 0;
    const std::uint64_t base = shared ? window : region->base();
    if (shared && !are_in_array(access, address - base, executed)) return false;

    const Value& value = access.values[0];
    std::uint32_t* const row = warp.narrow(value.slot);
    const bool loads = step.micro.kind == Kind::load;
    LaneMask input_dependent(loads ? 0U : warp.word(value.input_dependent));
    WordRow before;  // of a store that is recorded
    if (recorder_.records() || block.checked) {
        std::uint64_t first = 0;
        if (!find_words(*region, addresses, executed, base, first)) return false;
        if (!launch_.check.words({step, access, *region, space, first})) return false;
        if (loads) {
            input_dependent = load_words_from(*region, first, executed, row);
        } else {
            exchange_words(*region, first, executed, row, input_dependent, before.word.data());
        }
    } else if (loads ? !load_words(*region, addresses, executed, base, row, input_dependent)
                     : !store_words(*region, addresses, executed, base, row, input_dependent)) {
        return false;
    }

    if (loads) {
        if (launch_.loops != nullptr) launch_.loops->reads(warp);
        set_input_dependent(warp, value.input_dependent, executed, input_dependent);
    } else {
        if (!shared) launch_.writes(region);
        warp.control.progress();
    }
    const AccessCounters counters(*warp.counts, space, step.micro.kind);
    ++counters.instructions;
    counters.cost +=
        shared ? 1 : AccessCost::sectors_of_consecutive(static_cast<std::uint32_t>(address - base), word_bytes);
    if constexpr (Recording::records()) {
        trace::Writer& writer = recorder_.writer();
        const std::uint64_t named = shared ? address - window : address;
        if (!loads) {
            writer.store_consecutive(trace_space(space), executed, named, before.word.data(), row);
        } else {
            writer.load_consecutive(trace_space(space), executed, named, row);
            if constexpr (Recording::records_registers())
                writer.register_loaded(code_.destinations_of(step.micro).front().reg, executed);
        }
    }
    return true;
}

template <class Level>
void MemoryUnit<Level>::access(const WarpStep& step) {
    const MemoryAccess& access = code_.accesses[step.micro.access];
    const AddressRow addresses = row_of_addresses(step.warp, access);
    const ptx::Space space =
        access.space == ptx::Space::generic ? space_of(addresses[step.executed.lowest()]) : access.space;
    if (access.of_words && access_words(step, access, addresses, space)) return;
    Piece piece;
    if (find_piece(step, access, space, addresses, step.executed, piece)) {
        access_piece(step, access, piece, addresses, true);
    } else {
        access_lane_by_lane(step, access, addresses);
    }
    if (step.micro.kind != Kind::store) recorder_.writes(step.warp, step.micro, step.executed);
}

/// False where not all lanes are in bounds of one region, and aligned.
template <class Level>
bool MemoryUnit<Level>::find_piece(const WarpStep& step, const MemoryAccess& access, ptx::Space space,
                                   const AddressRow& addresses, LaneMask lanes, Piece& piece) {
    Block& block = step.block;
    const std::uint64_t window = access.space == ptx::Space::generic ? window_of(space) : 0;
    const unsigned bytes = bytes_of(access);
    piece.space = space;
    switch (space) {
        case ptx::Space::shared:
            piece.region = &block.shared;
            return find_targets(addresses, lanes, window, block.shared.bytes(), bytes, piece.targets);
        case ptx::Space::param:
            if (!access.call_parameter) {
                piece.region = &launch_.parameters;
                return find_targets(addresses, lanes, window, launch_.parameters.bytes(), bytes, piece.targets);
            }
            [[fallthrough]];
        case ptx::Space::local: {
            piece.region = &block.local;
            if (!find_targets(addresses, lanes, window, code_.local_bytes, bytes, piece.targets)) return false;
            spread_over_threads(piece.targets, step.thread(0), code_.local_bytes);
            return true;
        }
        default:
            piece.region = launch_.find(addresses[lanes.lowest()]);
            if (piece.region == nullptr) return false;
            return find_targets(addresses, lanes, piece.region->base(), piece.region->bytes(), bytes, piece.targets);
    }
}

/// Lanes in the same region execute together. A lane outside of every region is a fault: it reads 0, and its write is
/// dropped.
template <class Level>
void MemoryUnit<Level>::access_lane_by_lane(const WarpStep& step, const MemoryAccess& access,
                                            const AddressRow& addresses) {
    struct Group {
        Region* region;
        ptx::Space space;
        LaneMask lanes;
    };
    std::vector<Group> groups;
    LaneMask faulty;
    const bool generic = access.space == ptx::Space::generic;
    for (const unsigned lane : step.executed) {
        const ptx::Space space = generic ? space_of(addresses[lane]) : access.space;
        Piece alone;
        if (find_piece(step, access, space, addresses, LaneMask::only(lane), alone)) {
            const auto same = [&](const Group& group) { return group.region == alone.region; };
            const auto group = std::find_if(groups.begin(), groups.end(), same);
            if (group == groups.end())
                groups.push_back({alone.region, space, LaneMask::only(lane)});
            else
                group->lanes |= LaneMask::only(lane);
            continue;
        }
        faulty |= LaneMask::only(lane);
        const std::uint64_t address = addresses[lane] - (generic ? window_of(space) : 0);
        const bool misaligned = address % bytes_of(access) != 0;
        if (misaligned)
            launch_.faults.misaligned(step, lane, space, address, bytes_of(access));
        else
            launch_.faults.out_of_bounds(step, lane, space, address, bytes_of(access));
    }
    if (step.micro.kind != Kind::store && faulty.any()) read_nothing(step.warp, access, faulty);
    std::uint32_t spaces_seen = 0;
    for (const Group& group : groups) {
        Piece piece;
        find_piece(step, access, group.space, addresses, group.lanes, piece);
        const std::uint32_t bit = 1U << static_cast<unsigned>(group.space);
        access_piece(step, access, piece, addresses, (spaces_seen & bit) == 0);
        spaces_seen |= bit;
    }
}

template <class Level>
void MemoryUnit<Level>::read_nothing(Warp& warp, const MemoryAccess& access, LaneMask lanes) {
    const auto clear = [&](const Value& value) {
        if (value.row == Row::none) return;
        for (const unsigned lane : lanes) {
            if (value.row == Row::wide)
                warp.wide(value.slot)[lane] = 0;
            else
                warp.narrow(value.slot)[lane] = 0;
        }
        set_input_dependent(warp, value.input_dependent, lanes, LaneMask());
    };
    if (access.atomic != ptx::Atomic::none || access.barrier_object != nullptr) {
        if (access.has_result) clear(access.values[1]);
        return;
    }
    for (unsigned element = 0; element < access.elements; ++element) clear(access.values[element]);
}

/// The address is based on one array and should lie in it: another may begin past its end, and the hardware would not
/// detect the access.
template <class Level>
void MemoryUnit<Level>::check_array(const WarpStep& step, const MemoryAccess& access, const Piece& piece) {
    const bool local = piece.space == ptx::Space::local;
    const trace::SharedArray* const own = local ? &code_.local_arrays[access.local_array - 1] : nullptr;
    const std::uint64_t begin = local ? own->offset : access.array->offset;
    const std::uint64_t bytes = local ? own->bytes : access.array->bytes;
    for (const unsigned lane : piece.targets.lanes) {
        const std::uint64_t offset = piece.targets.offset[lane] % (local ? code_.local_bytes : ~std::uint64_t{0});
        if (offset >= begin && offset + bytes_of(access) <= begin + bytes) continue;
        launch_.faults.out_of_bounds(step, lane, piece.space, offset, bytes_of(access));
    }
}

/// Records the regions written and, where parts of the grid run at once, the words accessed. False: the access must not
/// happen.
template <class Level>
bool MemoryUnit<Level>::note_global(const WarpStep& step, const MemoryAccess& access, const Piece& piece) {
    const bool writes = step.micro.kind != Kind::load;
    if (writes) launch_.writes(piece.region);
    if (writes && !step.block.checked && launch_.check.uninitialized().knows_pieces())
        launch_.check.uninitialized().written_unseen(*piece.region);
    if (launch_.independence == nullptr) return true;
    return launch_.independence->touch(*piece.region, piece.targets, bytes_of(access), writes, launch_.part);
}

/// Other threads may write global and shared memory while a loop waits.
template <class Level>
void MemoryUnit<Level>::note_read(const WarpStep& step, const MemoryAccess& access, const Piece& piece) const {
    const bool shares = piece.space == ptx::Space::shared || piece.space == ptx::Space::global;
    const bool gets = step.micro.kind == Kind::load || (step.micro.kind == Kind::atomic && access.has_result);
    if (shares && gets) launch_.loops->reads(step.warp);
}

/// Counts instructions, wavefronts and sectors, by the names of the hardware's counters. Constants and parameters have
/// caches of their own and are not counted.
template <class Level>
void MemoryUnit<Level>::count(const WarpStep& step, const Piece& piece, bool first_of_space) {
    const bool shared = piece.space == ptx::Space::shared;
    if (!shared && piece.space != ptx::Space::global) return;
    AccessCost& cost = launch_.costs[step.micro.access];
    trace::Counts& counts = *step.warp.counts;
    const AccessCounters counters(counts, piece.space, step.micro.kind);
    counters.instructions += first_of_space ? 1 : 0;
    if (!shared) {
        counters.cost += cost.sectors(piece.targets);
        return;
    }
    // An atomic may be a loop of loads and compare-and-swaps.
    const model::Wavefronts wavefronts = cost.wavefronts(piece.targets);
    counts.shared_load_wavefronts += wavefronts.load;
    counts.shared_store_wavefronts += wavefronts.store;
    counts.shared_atomic_wavefronts += wavefronts.atomic;
}

template <class Level>
void MemoryUnit<Level>::access_piece(const WarpStep& step, const MemoryAccess& access, Piece& piece,
                                     const AddressRow& addresses, bool first_of_space) {
    count(step, piece, first_of_space);
    const bool of_array =
        (access.array != nullptr && piece.space == ptx::Space::shared && access.array->bytes < piece.region->bytes()) ||
        (access.local_array != 0 && piece.space == ptx::Space::local);
    if (of_array) check_array(step, access, piece);
    if (step.block.checked || (step.block.followed && access.strong))
        launch_.check.access({step, access, *piece.region, piece.space, piece.targets});
    if (piece.space == ptx::Space::global && !note_global(step, access, piece)) return;
    if (access.strong) step.warp.control.poll();
    if (launch_.loops != nullptr) note_read(step, access, piece);
    // Addresses as the trace names them: an offset within shared, local or param memory, otherwise the address itself.
    // They are computed before a load overwrites their register.
    LaneAddresses named;
    if constexpr (Recording::records()) {
        named = addresses_of(addresses, access.space == ptx::Space::generic ? window_of(piece.space) : 0);
    }
    moves_.move(step, access, piece, named);
}

/// cp.async completes at once: PTX does not define when it completes before the wait (9.7.9.25.3.1). If fewer bytes are
/// read than written, the rest is zero.
template <class Level>
void MemoryUnit<Level>::copy(const WarpStep& step) {
    Block& block = step.block;
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    const MemoryAccess& access = code_.accesses[micro.access];
    const bool partial = micro.operands[0].row != Row::none;
    const auto bytes_read = [&](unsigned lane) {
        return partial ? std::uint64_t{warp.narrow(micro.operands[0].slot)[lane]} : bytes_of(access);
    };
    LaneMask reads;
    for (const unsigned lane : executed) {
        if (bytes_read(lane) > 0) reads |= LaneMask::only(lane);
    }
    read_nothing(warp, access, executed);
    Micro part = micro;
    part.kind = Kind::load;
    if (reads.any()) this->access({block, warp, part, reads});
    for (unsigned element = 0; partial && element < access.elements; ++element) {
        const std::uint64_t before = std::uint64_t{element} * access.bytes;
        for (const unsigned lane : executed) {
            const std::uint64_t read = bytes_read(lane);
            const auto kept = static_cast<unsigned>(read > before ? std::min<std::uint64_t>(read - before, 8) : 0);
            warp.wide(access.values[element].slot)[lane] &= kept == 8 ? ~0ULL : (1ULL << (8 * kept)) - 1U;
        }
    }
    part.kind = Kind::store;
    ++part.access;
    this->access({block, warp, part, executed});
}

template class MemoryUnit<FixedLevel<RecordLevel::counts>>;
template class MemoryUnit<FixedLevel<RecordLevel::accesses>>;
template class MemoryUnit<FixedLevel<RecordLevel::registers>>;

}  // namespace lanescope::execute
