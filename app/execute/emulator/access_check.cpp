#include "execute/emulator/access_check.h"

#include <algorithm>
#include <cstring>

namespace lanescope::execute {

namespace {

/// Serials of accesses that no step of the trace stands for.
constexpr std::uint32_t unrecorded_bit = 1U << 31;

bool reads(const Micro& micro) {
    const bool makes = micro.instruction != nullptr && micro.instruction->opcode == ptx::Opcode::mbarrier_init;
    return micro.kind != Kind::store && !makes;
}
bool writes(const Micro& micro) { return micro.kind != Kind::load; }

unsigned bytes_of(const MemoryAccess& access) { return unsigned{access.bytes} * access.elements; }

/// A name for a place in memory that is unique in the grid.
std::uint64_t place_of(const Block& block, const WarpAccess& access, std::uint64_t offset) {
    constexpr std::uint64_t shared_bit = std::uint64_t{1} << 63;
    if (access.space == ptx::Space::shared) return shared_bit | std::uint64_t{block.id.value} << window_bits | offset;
    return access.region.base() + offset;
}

/// The value at the place that the lane accesses, of one element.
std::uint64_t value_at(const WarpAccess& access, std::uint64_t offset) {
    std::uint64_t value = 0;
    std::memcpy(&value, access.region.data() + offset, access.access.bytes);
    return value;
}

}  // namespace

AccessCheck::AccessCheck(const Code& code, Faults& faults)
    : code_(code),
      faults_(faults),
      swaps_(std::ranges::any_of(code.accesses, [](const MemoryAccess& a) { return a.atomic == ptx::Atomic::cas; })),
      held_(faults) {}

void AccessCheck::begin(Block& block) {
    order_.begin(block.clock, block.id, block.warps.size());
    block.meetings.fill({});
    if (!block.checked) return;
    block.shared_shadow = Shadow(block.shared.bytes());
    block.local_written.assign(block.local.bytes(), false);
}

void AccessCheck::fence(Block& block, const Warp& warp, const Micro& micro, LaneMask lanes) {
    const ptx::Scope scope = micro.instruction->modifiers.scope;
    const bool within_block = scope == ptx::Scope::cta || scope == ptx::Scope::cluster;
    order_.fence(block.clock, warp.id, lanes, within_block ? Reach::block : Reach::grid);
}

void AccessCheck::arrive(Block& block, const Warp& warp, LaneMask lanes, std::uint32_t barrier) {
    order_.arrive(block.clock, warp.id, lanes, block.meetings[barrier]);
}

void AccessCheck::meet(Block& block, std::uint32_t barrier) {
    std::vector<WarpId> waiting;
    for (const Warp& warp : block.warps) {
        if (warp.paths.waiting_for(barrier).any()) waiting.push_back(warp.id);
    }
    const std::uint32_t expected = block.barriers[barrier].expected;
    order_.meet(block.clock, waiting, block.meetings[barrier], expected == 0 || expected >= block.live);
    block.meetings[barrier] = {};
}

void AccessCheck::access(Block& block, const Warp& warp, const WarpAccess& access) {
    if (access.space == ptx::Space::local) {
        if (block.checked) check_local(block, warp, access);
        return;
    }
    if (access.space == ptx::Space::param) return;
    Shadow* shadow = nullptr;
    if (block.checked) {
        shadow = access.space == ptx::Space::shared
                     ? &block.shared_shadow
                     : &global_.try_emplace(&access.region, access.region.bytes()).first->second;
    }
    const std::uint32_t serial = block.recorded ? warp.step.value : unrecorded_bit | ++unrecorded_accesses_;
    const Pc pc = warp.paths.pc();
    const Pc blamed = code_.blamed(warp.paths, pc);
    for (const unsigned lane : access.targets.lanes) {
        const unsigned thread = warp.id.value * warp_size + lane;
        const std::uint64_t offset = access.targets.offset[lane];
        if (access.access.strong) synchronise(block, thread, access, place_of(block, access, offset));
        if (shadow == nullptr) continue;
        if (!held_.none()) settle_held_race(block, thread, lane, access, blamed);
        LaneAccess checked{.block = block,
                           .warp = warp,
                           .whole = access,
                           .lane = lane,
                           .offset = offset,
                           .record = {.time = order_.now(),
                                      .block = block.id,
                                      .thread = static_cast<std::uint16_t>(thread),
                                      .strong = access.access.strong,
                                      .within_block = access.access.within_block,
                                      .atomic = access.micro.kind == Kind::atomic,
                                      .pc = pc,
                                      .blamed = blamed,
                                      .serial = serial}};
        check(checked, *shadow);
    }
}

void AccessCheck::synchronise(Block& block, unsigned thread, const WarpAccess& access, std::uint64_t place) {
    const StrongAccess strong{.reach = access.access.within_block ? Reach::block : Reach::grid,
                              .acquires = access.access.acquires,
                              .releases = access.access.releases,
                              .updates = access.micro.kind == Kind::atomic};
    if (reads(access.micro)) order_.strong_read(block.clock, thread, place, strong);
    if (writes(access.micro)) order_.strong_write(block.clock, thread, place, strong);
}

/// A thread's own memory has no races; what is read of it must have been written, if only in part: structures are
/// copied with their padding.
void AccessCheck::check_local(Block& block, const Warp& warp, const WarpAccess& access) const {
    const unsigned bytes = bytes_of(access.access);
    for (const unsigned lane : access.targets.lanes) {
        const auto first = block.local_written.begin() + static_cast<std::ptrdiff_t>(access.targets.offset[lane]);
        const auto past_last = first + static_cast<std::ptrdiff_t>(bytes);
        if (writes(access.micro)) {
            std::fill(first, past_last, true);
        } else if (std::find(first, past_last, true) == past_last && code_.in_users_file(access.micro)) {
            const std::uint64_t own = access.targets.offset[lane] % code_.local_bytes;
            faults_.unwritten_read(block, warp, lane, access.micro, ptx::Space::local, own, bytes);
        }
    }
}

void AccessCheck::settle_held_race(const Block& block, unsigned thread, unsigned lane, const WarpAccess& access,
                                   Pc blamed) {
    std::optional<std::uint64_t> comparand;
    if (access.access.atomic == ptx::Atomic::cas) comparand = access.stored[lane];
    held_.settle({.block = block.id, .thread = thread, .place = place_of(block, access, access.targets.offset[lane])},
                 comparand, blamed);
}

void AccessCheck::check(LaneAccess& lane, Shadow& shadow) {
    bool told = false;
    shadow.for_each_cell(lane.offset, bytes_of(lane.whole.access),
                         [&](ShadowCell& cell) { check_cell(lane, cell, told); });
}

void AccessCheck::check_cell(LaneAccess& lane, ShadowCell& cell, bool& told) {
    const Micro& micro = lane.whole.micro;
    const auto tell = [&](const AccessRecord& earlier, bool earlier_writes, bool now_writes) {
        if (!told) told = report_race(lane, earlier, earlier_writes, now_writes);
    };
    if (reads(micro)) {
        if (cell.write.time == 0 && lane.whole.space == ptx::Space::shared && !std::exchange(told, true)) {
            faults_.unwritten_read(lane.block, lane.warp, lane.lane, micro, lane.whole.space, lane.offset,
                                   bytes_of(lane.whole.access));
        }
        if (races(lane, cell.write, false)) tell(cell.write, true, writes(micro));
    }
    if (!writes(micro)) return remember_read(lane, cell);
    if (micro.kind == Kind::store && races(lane, cell.write, true)) tell(cell.write, true, true);
    for (const AccessRecord& read : cell.reads) {
        if (races(lane, read, false)) tell(read, false, true);
    }
    cell.write = lane.record;
    cell.reads = {};
}

/// Volatile accesses of one warp in lockstep are ordered only while the lanes stay together, which nothing promises since
/// Volta; otherwise strong accesses do not race where the scope of each includes the other's thread (PTX ISA 8.7, "morally
/// strong"). Writing what is there already harms nobody.
bool AccessCheck::races(const LaneAccess& lane, const AccessRecord& earlier, bool both_write) const {
    const AccessRecord& now = lane.record;
    if (earlier.time == 0 || (earlier.block == now.block && earlier.thread == now.thread)) return false;
    if (earlier.serial == now.serial) {
        if (!both_write || now.atomic) return false;
        return !same_value(lane, earlier);
    }
    const bool in_scope = earlier.block == now.block || (!earlier.within_block && !now.within_block);
    if (earlier.strong && now.strong && in_scope) {
        const bool lockstep = earlier.block == now.block && earlier.thread / warp_size == now.thread / warp_size &&
                              !earlier.atomic && !now.atomic && lane.whole.space == ptx::Space::shared &&
                              lane.whole.executed.has(earlier.thread % warp_size);
        if (!lockstep) return false;
    }
    if (order_.ordered(lane.block.clock, now.thread, earlier.block, earlier.thread, earlier.time)) return false;
    return !both_write || !same_value(lane, earlier);
}

/// Of a write: whether it changes nothing, or within one instruction whether the other lane writes the same.
bool AccessCheck::same_value(const LaneAccess& lane, const AccessRecord& earlier) const {
    const WarpAccess& access = lane.whole;
    const bool same_instruction = earlier.serial == lane.record.serial;
    for (unsigned element = 0; element < access.access.elements; ++element) {
        const std::uint64_t* const row = access.stored.data() + std::size_t{element} * warp_size;
        std::uint64_t there = 0;
        if (same_instruction) {
            there = row[earlier.thread % warp_size];
        } else {
            std::memcpy(&there, access.region.data() + lane.offset + element * access.access.bytes,
                        access.access.bytes);
        }
        if (row[lane.lane] != there) return false;
    }
    return true;
}

void AccessCheck::remember_read(const LaneAccess& lane, ShadowCell& cell) const {
    const auto replaces = [&](const AccessRecord& earlier) {
        return earlier.time == 0 || (earlier.block == lane.record.block && earlier.thread == lane.record.thread) ||
               order_.ordered(lane.block.clock, lane.record.thread, earlier.block, earlier.thread, earlier.time);
    };
    const auto same_warp = [&](const AccessRecord& earlier) {
        return earlier.block == lane.record.block && earlier.thread / warp_size == lane.record.thread / warp_size;
    };
    AccessRecord& first = cell.reads[0];
    AccessRecord& second = cell.reads[1];
    if (replaces(first) || (!replaces(second) && same_warp(first))) {
        first = lane.record;
    } else {
        second = lane.record;
    }
}

std::uint64_t AccessCheck::address_of(const LaneAccess& lane) const {
    return lane.whole.space == ptx::Space::shared ? lane.offset : lane.whole.region.base() + lane.offset;
}

/// False where it is held back for now.
bool AccessCheck::report_race(const LaneAccess& lane, const AccessRecord& earlier, bool earlier_writes,
                              bool now_writes) {
    Accessor other{.block = earlier.block,
                   .thread = earlier.thread,
                   .pc = earlier.pc,
                   .blamed = earlier.blamed,
                   .step = std::nullopt,
                   .writes = earlier_writes,
                   .only_for_blocks = earlier.strong && lane.record.strong && earlier.block != lane.record.block};
    if ((earlier.serial & unrecorded_bit) == 0) other.step = StepId(earlier.serial);
    const AccessRecord& now = lane.record;
    trace::Finding race = faults_.race(lane.block, lane.warp, lane.lane, lane.whole.micro, now_writes, lane.whole.space,
                                       address_of(lane), bytes_of(lane.whole.access), other);
    const bool now_reads_plainly = !now_writes && !now.strong && earlier.atomic;
    const bool earlier_read_plainly = !earlier_writes && !earlier.strong && now.atomic;
    if (!swaps_ || lane.whole.access.elements != 1 || (!now_reads_plainly && !earlier_read_plainly)) {
        faults_.report(std::move(race));
        return true;
    }
    // Either way memory still holds what was read: whoever updated it before did so before the read, or is about to.
    const AccessRecord& reader = now_reads_plainly ? now : earlier;
    if (lane.block.recorded) race.step = lane.warp.step;
    held_.hold({.block = reader.block, .thread = reader.thread, .place = place_of(lane.block, lane.whole, lane.offset)},
               value_at(lane.whole, lane.offset), reader.blamed, std::move(race));
    return false;
}

}  // namespace lanescope::execute
