// Loads, stores and atomics: where the lanes go. The common access lies in one region and is checked as a whole; what does
// not is taken lane by lane, and so every fault has its lane.
#include "execute/emulator/interpreter.h"
#include "execute/emulator/lane_values.h"
#include "execute/emulator/recording.h"
#include "execute/simt/targets.h"

#include <algorithm>
#include <bit>
#include <cstring>

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

constexpr unsigned word_bytes = 4;

struct alignas(64) WordRow {
    std::array<std::uint32_t, warp_size> word;
};

/// Whether consecutive words of `lanes`, from this offset in shared memory on, are all in the array that was meant.
bool are_in_array(const MemoryAccess& access, std::uint64_t first, LaneMask lanes) {
    if (access.array == nullptr) return true;
    const unsigned span = 32U - static_cast<unsigned>(std::countl_zero(lanes.bits())) - lanes.lowest();
    const std::uint64_t begin = access.array->offset;
    return first >= begin && first + std::uint64_t{span} * access.bytes <= begin + access.array->bytes;
}

}  // namespace

/// Words that follow one another, in shared memory or as a full warp in a buffer, and about whose order nothing is to be asked:
/// nearly all that kernels do. False, and nothing done, where it is another access.
template <Recording recording>
[[gnu::always_inline]] inline bool Interpreter<recording>::access_words(Block& block, Warp& warp, const Micro& micro,
                                                                        const MemoryAccess& access,
                                                                        const AddressRow& addresses, ptx::Space space,
                                                                        LaneMask executed) {
    const bool shared = space == ptx::Space::shared;
    if (!launch_.costs[micro.access].consecutive_words_are_one_wavefront()) return false;
    if (block.followed && (access.strong || !block.checked)) return false;
    if (!shared && (space != ptx::Space::global || executed != LaneMask::all() || launch_.independence != nullptr))
        return false;
    if (records && launch_.replay != nullptr) return false;
    if (!shared && !block.checked && launch_.check.uninitialized().knows_pieces()) return false;
    const std::uint64_t address = addresses[executed.lowest()];
    Region* region = shared ? &block.shared : launch_.find(address);
    if (region == nullptr) return false;
    const std::uint64_t window = access.space == ptx::Space::generic ? shared_window : 0;
    const std::uint64_t base = shared ? window : region->base();
    if (shared && !are_in_array(access, address - base, executed)) return false;

    const Value& value = access.values[0];
    std::uint32_t* const row = warp.narrow(value.slot);
    const bool loads = micro.kind == Kind::load;
    LaneMask derived(loads ? 0U : warp.word(value.derived));
    WordRow before;  // of a store that is recorded
    if (records || block.checked) {
        std::uint64_t first = 0;
        if (!find_words(*region, addresses, executed, base, first)) return false;
        if (!launch_.check.words(block, warp, {micro, access, *region, space, first, executed})) return false;
        if (loads) {
            derived = load_words_from(*region, first, executed, row);
        } else {
            exchange_words(*region, first, executed, row, derived, before.word.data());
        }
    } else if (loads ? !load_words(*region, addresses, executed, base, row, derived)
                     : !store_words(*region, addresses, executed, base, row, derived)) {
        return false;
    }

    trace::Counts& counts = *warp.counts;
    const unsigned cost =
        shared ? 1 : AccessCost::sectors_of_consecutive(static_cast<std::uint32_t>(address - base), word_bytes);
    if (loads) {
        set_derived(warp, value.derived, executed, derived);
        ++(shared ? counts.shared_load_instructions : counts.global_load_instructions);
        (shared ? counts.shared_load_wavefronts : counts.global_load_sectors) += cost;
    } else {
        if (!shared) launch_.writes(region);
        warp.progressed = true;
        ++(shared ? counts.shared_store_instructions : counts.global_store_instructions);
        (shared ? counts.shared_store_wavefronts : counts.global_store_sectors) += cost;
    }
    if constexpr (records) {
        const std::uint64_t named = shared ? address - window : address;
        if (!loads) {
            writer_.store_consecutive(trace_space(space), executed, named, before.word.data(), row);
        } else {
            writer_.load_consecutive(trace_space(space), executed, named, row);
            if constexpr (records_registers) {
                writer_.register_loaded(code_.destinations_of(micro).front().reg, executed);
            }
        }
    }
    return true;
}

template <Recording recording>
void Interpreter<recording>::access(Block& block, Warp& warp, const Micro& micro, LaneMask executed) {
    const MemoryAccess& access = code_.accesses[micro.access];
    const AddressRow addresses = row_of_addresses(warp, access);
    const ptx::Space space =
        access.space == ptx::Space::generic ? space_of(addresses[executed.lowest()]) : access.space;
    if (access.of_words && access_words(block, warp, micro, access, addresses, space, executed)) return;
    Piece piece;
    if (find_piece(block, warp, access, space, addresses, executed, piece)) {
        carry_out(block, warp, micro, access, piece, addresses, executed, true);
    } else {
        access_lane_by_lane(block, warp, micro, access, addresses, executed);
    }
    if constexpr (records_registers) {
        if (micro.kind != Kind::store) record_writes(warp, micro, executed);
    }
}

/// False where not all lanes are in bounds of one region, and aligned.
template <Recording recording>
bool Interpreter<recording>::find_piece(Block& block, const Warp& warp, const MemoryAccess& access, ptx::Space space,
                                        const AddressRow& addresses, LaneMask lanes, Piece& piece) {
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
            spread_over_threads(piece.targets, std::uint64_t{warp.id.value} * warp_size, code_.local_bytes);
            return true;
        }
        default:
            piece.region = launch_.find(addresses[lanes.lowest()]);
            if (piece.region == nullptr) return false;
            return find_targets(addresses, lanes, piece.region->base(), piece.region->bytes(), bytes, piece.targets);
    }
}

/// Lanes in the same region go together; a lane that fits nowhere is a fault: it reads 0, and what it writes is dropped.
template <Recording recording>
void Interpreter<recording>::access_lane_by_lane(Block& block, Warp& warp, const Micro& micro,
                                                 const MemoryAccess& access, const AddressRow& addresses,
                                                 LaneMask executed) {
    struct Group {
        Region* region;
        ptx::Space space;
        LaneMask lanes;
    };
    std::vector<Group> groups;
    LaneMask faulty;
    const bool generic = access.space == ptx::Space::generic;
    for (const unsigned lane : executed) {
        const ptx::Space space = generic ? space_of(addresses[lane]) : access.space;
        Piece alone;
        if (find_piece(block, warp, access, space, addresses, LaneMask::only(lane), alone)) {
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
            launch_.faults.misaligned(block, warp, lane, micro, space, address, bytes_of(access));
        else
            launch_.faults.out_of_bounds(block, warp, lane, micro, space, address, bytes_of(access));
    }
    if (micro.kind != Kind::store && faulty.any()) read_nothing(warp, access, faulty);
    std::uint32_t spaces_seen = 0;
    for (const Group& group : groups) {
        Piece piece;
        find_piece(block, warp, access, group.space, addresses, group.lanes, piece);
        const std::uint32_t bit = 1U << static_cast<unsigned>(group.space);
        carry_out(block, warp, micro, access, piece, addresses, executed, (spaces_seen & bit) == 0);
        spaces_seen |= bit;
    }
}

template <Recording recording>
void Interpreter<recording>::read_nothing(Warp& warp, const MemoryAccess& access, LaneMask lanes) {
    const auto clear = [&](const Value& value) {
        if (value.row == Row::none) return;
        for (const unsigned lane : lanes) {
            if (value.row == Row::wide)
                warp.wide(value.slot)[lane] = 0;
            else
                warp.narrow(value.slot)[lane] = 0;
        }
        set_derived(warp, value.derived, lanes, LaneMask());
    };
    if (access.atomic != ptx::Atomic::none || access.barrier_object != nullptr) {
        if (access.has_result) clear(access.values[1]);
        return;
    }
    for (unsigned element = 0; element < access.elements; ++element) clear(access.values[element]);
}

/// Shows the access to the check, before memory changes.
template <Recording recording>
void Interpreter<recording>::watch(Block& block, const Warp& warp, const Micro& micro, const MemoryAccess& access,
                                   const Piece& piece, LaneMask executed) {
    launch_.check.access(block, warp,
                         {.micro = micro,
                          .access = access,
                          .region = *piece.region,
                          .space = piece.space,
                          .targets = piece.targets,
                          .executed = executed});
}

/// The address was made from one array, and should lie in it: past its end another may begin, which the hardware would not
/// mind.
template <Recording recording>
void Interpreter<recording>::check_array(const Block& block, const Warp& warp, const Micro& micro,
                                         const MemoryAccess& access, const Piece& piece) {
    const bool local = piece.space == ptx::Space::local;
    const trace::SharedArray* const own = local ? &code_.local_arrays[access.local_array - 1] : nullptr;
    const std::uint64_t begin = local ? own->offset : access.array->offset;
    const std::uint64_t bytes = local ? own->bytes : access.array->bytes;
    for (const unsigned lane : piece.targets.lanes) {
        const std::uint64_t offset = piece.targets.offset[lane] % (local ? code_.local_bytes : ~std::uint64_t{0});
        if (offset >= begin && offset + bytes_of(access) <= begin + bytes) continue;
        launch_.faults.out_of_bounds(block, warp, lane, micro, piece.space, offset, bytes_of(access));
    }
}

/// What is written is known by the region, and where parts of the grid run at once by the word. False: it must not happen.
template <Recording recording>
bool Interpreter<recording>::claim(const Block& block, const Micro& micro, const MemoryAccess& access,
                                   const Piece& piece) {
    const bool writes = micro.kind != Kind::load;
    if (writes) launch_.writes(piece.region);
    if (writes && !block.checked && launch_.check.uninitialized().knows_pieces())
        launch_.check.uninitialized().written_unseen(*piece.region);
    if (launch_.independence == nullptr) return true;
    return launch_.independence->touch(*piece.region, piece.targets, bytes_of(access), writes, launch_.part);
}

/// What a loop may be waiting for: turn_back().
template <Recording recording>
void Interpreter<recording>::note_poll(Warp& warp, const Micro& micro, const MemoryAccess& access,
                                       const Piece& piece) const {
    warp.polled = true;
    const bool shared = piece.space == ptx::Space::shared;
    if (micro.kind == Kind::store || (!shared && piece.space != ptx::Space::global)) return;
    warp.waits_on = {
        .space = piece.space,
        .address = (shared ? 0 : piece.region->base()) + piece.targets.offset[piece.targets.lanes.lowest()],
        .bytes = bytes_of(access),
        .barrier_object = access.barrier_object != nullptr};
}

template <Recording recording>
void Interpreter<recording>::carry_out(Block& block, Warp& warp, const Micro& micro, const MemoryAccess& access,
                                       Piece& piece, const AddressRow& addresses, LaneMask executed,
                                       bool first_of_space) {
    count(warp, micro, piece, first_of_space);
    const bool of_array =
        (access.array != nullptr && piece.space == ptx::Space::shared && access.array->bytes < piece.region->bytes()) ||
        (access.local_array != 0 && piece.space == ptx::Space::local);
    if (of_array) check_array(block, warp, micro, access, piece);
    if (block.checked || (block.followed && access.strong)) watch(block, warp, micro, access, piece, executed);
    if (piece.space == ptx::Space::global && !claim(block, micro, access, piece)) return;
    if (access.strong) note_poll(warp, micro, access, piece);
    const trace::Space space = trace_space(piece.space);
    // As the trace names them: an offset within shared, local or param memory, else the address itself. Taken before a load
    // writes the register that they are made from.
    LaneAddresses named;
    if constexpr (records) {
        named = addresses_of(addresses, access.space == ptx::Space::generic ? window_of(piece.space) : 0);
    }
    switch (micro.kind) {
        case Kind::load:
            if (records && launch_.replay != nullptr) {
                load_as_answered(block, warp, micro, access, piece, space, named);
                break;
            }
            load(warp, access, piece);
            if constexpr (records) record_load(warp, access, piece, space, named);
            break;
        case Kind::store: {
            if constexpr (records) {
                record_store(warp, access, piece, space, named);
            } else {
                store(warp, access, piece);
            }
            // What is its own, no one waits for.
            warp.progressed = warp.progressed || space == trace::Space::global || space == trace::Space::shared;
            break;
        }
        default: atomic(block, warp, micro, access, piece, named); break;
    }
}

/// cp.async, done at once: PTX leaves open when before the wait it happens (9.7.9.25.3.1). Of fewer bytes read than
/// written, the rest is zero.
template <Recording recording>
void Interpreter<recording>::copy(Block& block, Warp& warp, const Micro& micro, LaneMask executed) {
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
    if (reads.any()) this->access(block, warp, part, reads);
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
    this->access(block, warp, part, executed);
}

template class Interpreter<Recording::none>;
template class Interpreter<Recording::accesses>;
template class Interpreter<Recording::everything>;

}  // namespace lanescope::execute
