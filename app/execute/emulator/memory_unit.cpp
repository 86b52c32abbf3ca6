#include "execute/emulator/memory_unit.h"

#include "execute/emulator/lane_values.h"
#include "trace/access_counters.h"

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

trace::EffectKind effect_of(Kind kind) {
    return kind == Kind::load    ? trace::EffectKind::load
           : kind == Kind::store ? trace::EffectKind::store
                                 : trace::EffectKind::atomic;
}

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
    if (launch_.loops != nullptr && step.micro.kind == Kind::store) return false;  // it may change memory
    if (!shared && (space != ptx::Space::global || executed != LaneMask::all() || launch_.independence != nullptr ||
                    launch_.accessed != nullptr))
        return false;
    if (recorder_.records() && launch_.replay != nullptr) return false;
    if (!shared && launch_.stale != nullptr) return false;
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
    const trace::AccessCounters counters(*warp.counts, trace_space(space), effect_of(step.micro.kind));
    ++counters.instructions;
    counters.cost +=
        shared ? 1 : AccessCost::sectors_of_consecutive(static_cast<std::uint32_t>(address - base), word_bytes);
    const std::uint64_t named = shared ? address - window : address;
    if (loads)
        recorder_.load_consecutive(step, space, named, row);
    else
        recorder_.store_consecutive(step, space, named, before.word.data(), row);
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
        count(step, piece, true);
        access_piece(step, access, piece, addresses);
    } else {
        access_lane_by_lane(step, access, addresses);
    }
    if (step.micro.kind != Kind::store) recorder_.writes(step);
}

template <class Level>
void MemoryUnit<Level>::access_texels(const WarpStep& step, const MemoryAccess& access) {
    const AddressRow addresses = row_of_addresses(step.warp, access);
    Piece piece;
    if (find_piece(step, access, access.space, addresses, step.executed, piece))
        access_piece(step, access, piece, addresses);
    else
        access_lane_by_lane(step, access, addresses, false);
}

/// False if not all lanes are in bounds of one region, and aligned.
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
                                            const AddressRow& addresses, bool counted) {
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
        if (counted) count(step, piece, (spaces_seen & bit) == 0);
        access_piece(step, access, piece, addresses);
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

/// Records the regions written and, if parts of the grid run at once, the words accessed. False: the access must not
/// happen.
template <class Level>
bool MemoryUnit<Level>::note_global(const WarpStep& step, const MemoryAccess& access, const Piece& piece) {
    const bool writes = step.micro.kind != Kind::load;
    if (writes) launch_.writes(piece.region);
    if (writes && !step.block.checked && launch_.check.uninitialized().knows_pieces())
        launch_.check.uninitialized().written_unseen(*piece.region);
    if (launch_.accessed != nullptr) {
        const bool atomic = step.micro.kind == Kind::atomic;
        launch_.accessed->note(*piece.region, piece.targets, bytes_of(access),
                               atomic   ? AccessedBytes::atomic
                               : writes ? AccessedBytes::writes
                                        : AccessedBytes::reads);
    }
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
    const trace::AccessCounters counters(counts, trace_space(piece.space), effect_of(step.micro.kind));
    counters.instructions += first_of_space ? 1 : 0;
    if (!shared) {
        counters.cost += cost.sectors(piece.targets);
        if (step.micro.kind == Kind::atomic) launch_.atomics.add(*piece.region, piece.targets);
        return;
    }
    // An atomic may be a loop of loads and compare-and-swaps.
    trace::add_wavefronts(counts, cost.wavefronts(piece.targets));
}

template <class Level>
void MemoryUnit<Level>::access_piece(const WarpStep& step, const MemoryAccess& access, Piece& piece,
                                     const AddressRow& addresses) {
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
    if (recorder_.records()) {
        named = addresses_of(addresses, access.space == ptx::Space::generic ? window_of(piece.space) : 0);
    }
    const bool may_be_stale = launch_.stale != nullptr && piece.space == ptx::Space::global;
    if (may_be_stale) launch_.stale->before(step, access, piece);
    moves_.move(step, access, piece, named);
    if (may_be_stale) launch_.stale->after();
}

/// The source of a copy in which lanes may read fewer bytes than they write: a lane's number of bytes is a sum of
/// parts, and each part is a load. Bytes that are not read stay 0 and are not checked (PTX ISA 9.7.9.25.3.1).
template <class Level>
void MemoryUnit<Level>::load_parts(const WarpStep& step, LaneMask lanes) {
    Warp& warp = step.warp;
    const MemoryAccess& whole = code_.accesses[step.micro.access];
    const std::uint32_t bytes = bytes_of(whole);
    const std::uint32_t* const asked = warp.narrow(step.micro.operands[0].slot);
    AddressRow addresses = row_of_addresses(warp, whole);
    for (const unsigned lane : lanes) {
        if (asked[lane] == 0) {
            lanes &= ~LaneMask::only(lane);
        } else if (addresses[lane] % bytes != 0) {
            launch_.faults.misaligned(step, lane, ptx::Space::global, addresses[lane], bytes);
            lanes &= ~LaneMask::only(lane);
        }
    }
    // A source is aligned to the whole, which is at most half a sector, so its first byte is in the sector of all.
    Micro part = step.micro;
    part.access += 2;
    for (std::uint32_t size = bytes / 2; size > 1; size /= 2) ++part.access;
    bool first = true;
    for (LaneMask rest = lanes; rest.any();) {
        Piece piece;
        piece.region = launch_.find(addresses[rest.lowest()]);
        LaneMask same = LaneMask::only(rest.lowest());
        for (const unsigned lane : rest) {
            if (piece.region != nullptr && piece.region->holds(addresses[lane])) same |= LaneMask::only(lane);
        }
        rest &= ~same;
        const WarpStep counted{step.block, warp, part, same};
        if (!find_piece(counted, code_.accesses[part.access], ptx::Space::global, addresses, same, piece)) continue;
        count(counted, piece, first);
        first = false;
    }

    const Value& scratch = step.micro.operands[1];
    part.access = step.micro.access;
    for (std::uint32_t size = bytes; size > 0; size /= 2, part.access += part.access == step.micro.access ? 2 : 1) {
        for (std::uint32_t begin = 0; begin < bytes; begin += 2 * size) {
            LaneMask readers;
            for (const unsigned lane : lanes) {
                const std::uint32_t read = std::min(asked[lane], bytes);
                if ((read & size) != 0 && read / (2 * size) * (2 * size) == begin) readers |= LaneMask::only(lane);
            }
            if (readers.none()) continue;
            MemoryAccess access = code_.accesses[part.access];
            access.offset += begin;
            const std::uint32_t word = begin / 4;
            for (unsigned element = 0; element < access.elements; ++element)
                access.values[element] = size < 4 ? scratch : whole.values[word + element];
            addresses = row_of_addresses(warp, access);
            access_lane_by_lane({step.block, warp, part, readers}, access, addresses, false);
            if (size >= 4) continue;
            const Value& to = whole.values[word];
            for (const unsigned lane : readers)
                warp.wide(to.slot)[lane] |= warp.wide(scratch.slot)[lane] << (8 * (begin % 4));
            warp.word(to.input_dependent) |= warp.word(scratch.input_dependent) & readers.bits();
        }
    }
}

/// cp.async completes at once: PTX does not define when it completes before the wait (9.7.9.25.3.1). If fewer bytes are
/// read than written, the rest is zero.
template <class Level>
void MemoryUnit<Level>::copy(const WarpStep& step) {
    Micro part = step.micro;
    part.kind = Kind::load;
    read_nothing(step.warp, code_.accesses[part.access], step.executed);
    const WarpStep load{step.block, step.warp, part, step.executed};
    const Value& asked = step.micro.operands[0];
    const std::uint32_t bytes = bytes_of(code_.accesses[part.access]);
    bool reads_all = true;
    for (const unsigned lane : step.executed)
        reads_all = reads_all && (asked.row == Row::none || step.warp.narrow(asked.slot)[lane] >= bytes);
    if (reads_all) {
        access(load);
    } else {
        load_parts(load, step.executed);
    }
    part.kind = Kind::store;
    ++part.access;
    access(load);
}

template class MemoryUnit<FixedLevel<RecordLevel::counts>>;
template class MemoryUnit<FixedLevel<RecordLevel::accesses>>;
template class MemoryUnit<FixedLevel<RecordLevel::registers>>;

}  // namespace lanescope::execute
