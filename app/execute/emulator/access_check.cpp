#include "execute/emulator/access_check.h"

#include "execute/emulator/lane_values.h"
#include "execute/emulator/mbarrier_wait.h"
#include "trace/barrier_object.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace lanescope::execute {

namespace {

/// Serials of accesses that have no step in the trace.
constexpr std::uint32_t unrecorded_bit = 1U << 31;

/// A name for a place in memory that is unique in the grid.
std::uint64_t place_of(const Block& block, ptx::Space space, const Region& region, std::uint64_t offset) {
    constexpr std::uint64_t shared_bit = std::uint64_t{1} << 63;
    if (space == ptx::Space::shared) return shared_bit | std::uint64_t{block.id.value} << window_bits | offset;
    return region.base() + offset;
}
std::uint64_t place_of(const WarpAccess& access, std::uint64_t offset) {
    return place_of(access.step.block, access.space, access.region, offset);
}

bool begins_unwritten(const WarpAccess& access) {
    return access.space == ptx::Space::global && access.region.begins_unwritten();
}

/// Whether a lane reads bytes that neither the host nor a thread has written.
bool reads_unwritten(const WarpAccess& access) {
    if (!begins_unwritten(access) || !reads(access.step.micro)) return false;
    const unsigned bytes = bytes_of(access.access);
    for (const unsigned lane : access.targets.lanes) {
        if (!access.region.is_written(access.targets.offset[lane], bytes)) return true;
    }
    return false;
}

bool is_swap(const Micro& micro) {
    return micro.kind == Kind::atomic && micro.instruction->modifiers.atomic == ptx::Atomic::cas;
}

/// An arrival at an mbarrier that completes when the copies before it do: threads that wait there wait for the copies.
/// (The thread that starts them must wait there, too; that is not checked.)
bool tells_of_copies(const MemoryAccess& access) {
    if (access.barrier_object == nullptr) return false;
    return access.barrier_object->action() == ptx::Action::mbarrier_copies;
}

bool makes_mbarrier_invalid(const MemoryAccess& access) {
    return access.barrier_object != nullptr && access.barrier_object->action() == ptx::Action::mbarrier_inval;
}

bool waits_at_mbarrier(const MemoryAccess& access) {
    return access.barrier_object != nullptr && access.barrier_object->action() == ptx::Action::mbarrier_wait;
}

/// An arrival or a wait.
bool operates_on_mbarrier(const Code& code, const WarpRecord& record) {
    const Micro& micro = code.micros[record.pc];
    return record.strong && micro.kind == Kind::atomic && code.accesses[micro.access].barrier_object != nullptr;
}

/// The lane's operation on an mbarrier that holds `object`.
BarrierStep barrier_step_of(const WarpAccess& access, unsigned lane, std::uint64_t object) {
    const std::uint64_t operand = cell(access.step.warp, access.access.values[0], lane);
    return barrier_step(*access.access.barrier_object, object, low_bytes(access.access.bytes, operand));
}

/// The access that initialized the mbarrier in the cell, if it may race with what the block does now: only instructions
/// on mbarriers of the block, which do not race with each other, have accessed the cell since. 0: it cannot race.
/// Nothing: there were other accesses, or none.
std::optional<std::uint32_t> initialization_of(const WarpAccess& access, const Shadow::Cell& cell,
                                               const Shadow& shadow) {
    if (cell.write == 0 || cell.read != 0 || cell.other_read != 0 || cell.bytes < 4) return std::nullopt;
    const WarpRecord& last = shadow.record(cell.write);
    if (!last.strong || !last.atomic || last.block != access.step.block.id) return std::nullopt;
    const Shadow::Weaker* const weaker = shadow.weaker(cell);
    if (weaker == nullptr) return 0;
    if (weaker->write == 0 || weaker->read != 0) return std::nullopt;
    return shadow.record(weaker->write).serial;
}

Accessor::Strength strength_of(const WarpRecord& access) {
    if (access.atomic) return Accessor::Strength::atomic;
    return access.strong ? Accessor::Strength::strong : Accessor::Strength::plain;
}

/// Whether a kernel has what a lock in shared memory takes: more than counters and histograms.
bool may_lock(const Code& code) {
    return std::ranges::any_of(code.accesses, [](const MemoryAccess& access) {
        return access.strong && (access.atomic == ptx::Atomic::cas || access.atomic == ptx::Atomic::exch);
    });
}

/// Only barriers of the whole block and of warps order its threads: no partial barrier, and no access to memory.
bool only_barriers(const BlockClock& clock) { return clock.between.empty() && !clock.known && !clock.has_acquired; }

/// The value of one element at the address that the lane accesses.
std::uint64_t value_at(const WarpAccess& access, std::uint64_t offset) {
    std::uint64_t value = 0;
    std::memcpy(&value, access.region.data() + offset, access.access.bytes);
    return value;
}

}  // namespace

AccessCheck::AccessCheck(const Code& code, Faults& faults)
    : code_(code),
      faults_(faults),
      uninitialized_(code, faults),
      swaps_(std::ranges::any_of(code.accesses, [](const MemoryAccess& a) { return a.atomic == ptx::Atomic::cas; })),
      invalidates_(std::ranges::any_of(code.accesses, makes_mbarrier_invalid)),
      held_(faults),
      guards_(may_lock(code)) {
    for (const Micro& micro : code.micros) has_line_.push_back(code.source_line(micro) != 0);
}

void AccessCheck::begin(Block& block) {
    order_.begin(block.clock, block.id, block.warps.size());
    guards_.begin(block.id);
    block.meetings.fill({});
    if (!block.checked) return;
    block.copies.begin(block.warps.size() * warp_size);
    if (block.shared_shadow.bytes() < block.shared.bytes()) {
        block.shared_shadow = Shadow(block.shared.bytes());
    } else {
        block.shared_shadow.clear();
    }
    block.local_written.assign(block.local.bytes(), 0);
    block.uninitialized_copies.clear();
}

void AccessCheck::fence(const WarpStep& step) {
    const ptx::Instruction& instruction = *step.micro.instruction;
    const ptx::Scope scope = instruction.modifiers.scope;
    const bool within_block = scope == ptx::Scope::cta || scope == ptx::Scope::cluster;
    const bool sequential = instruction.modifiers.order == ptx::Order::sc;
    order_.fence(step.block.clock, step.warp.id, step.executed,
                 {.reach = within_block ? Reach::block : Reach::grid, .sequential = sequential});
}

void AccessCheck::await_copies(const WarpStep& step) const {
    Copies& copies = step.block.copies;
    const Time now = order_.now();
    const ptx::Instruction& instruction = *step.micro.instruction;
    if (instruction.action() == ptx::Action::copy_group) {
        copies.close_group(step.warp.id, step.executed);
    } else if (instruction.operand_count > 0) {
        copies.wait_for_groups(step.warp.id, step.executed, instruction.operands[0].immediate, now);
    } else {
        copies.wait_for_all(step.warp.id, step.executed, now);
    }
}

void AccessCheck::arrive(const WarpStep& step, std::uint32_t barrier) {
    order_.arrive(step.block.clock, step.warp.id, step.executed, step.block.meetings[barrier]);
}

void AccessCheck::meet(Block& block, std::uint32_t barrier) {
    const std::uint32_t expected = block.barriers[barrier].expected;
    const bool complete = expected == 0 || expected >= block.live;
    std::vector<WarpId> waiting;
    for (const Warp& warp : block.warps) {
        if (!complete && warp.control.waiting_for(barrier).any()) waiting.push_back(warp.id);
    }
    Meeting& meeting = block.meetings[barrier];
    order_.meet(block.clock, waiting, meeting, complete);
    std::ranges::fill(meeting.warps, Time{0});
    meeting.known = nullptr;
    meeting.fenced.clear();
    meeting.heard_fenced = nullptr;
}

void AccessCheck::access(const WarpAccess& access) {
    Block& block = access.step.block;
    const Warp& warp = access.step.warp;
    const bool copied = block.checked && !block.uninitialized_copies.none();
    if (copied && access.step.micro.kind == Kind::load) {
        block.uninitialized_copies.forget(warp.id, access.access, access.targets.lanes);
    }
    if (access.space == ptx::Space::local) {
        if (block.checked) uninitialized_.local(access);
        return;
    }
    if (access.space == ptx::Space::param) {
        if (copied && access.access.call_parameter) uninitialized_.call_parameter(access);
        return;
    }
    if (copied && access.space == ptx::Space::global && access.step.micro.kind == Kind::store) {
        uninitialized_.global_store(access);
    }
    Shadow* const shadow = block.checked ? &shadow_of(block, access.space, access.region) : nullptr;
    WarpRecord record;
    describe(record, access.step, access.access);
    if (record.copies && shadow != nullptr) block.copies.start(warp.id, access.targets.lanes, record.serial, *shadow);
    if (tells_of_copies(access.access) && block.checked) {
        block.copies.wait_for_all(warp.id, access.targets.lanes, order_.now());
    }
    if (access.access.strong && access.access.barrier_object != nullptr) {
        if (waits_at_mbarrier(access.access)) return wait_at_mbarrier(access, record, shadow);
        arrive_at_mbarrier(access, record, shadow);
    } else if (access.access.strong) {
        for (const unsigned lane : access.targets.lanes) {
            synchronize(access.step.thread(lane), access, place_of(access, access.targets.offset[lane]));
            note_guard(access, lane, record);
            if (shadow == nullptr) continue;
            record.time = order_.now();
            check(access, lane, record, shadow->add(record, block.clock.all) + lane, *shadow);
        }
    } else if (shadow != nullptr) {
        const Shadow::Ref own = shadow->add(record, block.clock.all);
        if (held_.none() && !copied && !reads_unwritten(access) &&
            (is_clearly_ordered(access, own, *shadow) || scattered(access, record, own, *shadow))) {
            return;
        }
        for (const unsigned lane : access.targets.lanes) check(access, lane, record, own + lane, *shadow);
    }
}

bool AccessCheck::words(const WordsAccess& access) {
    Block& block = access.step.block;
    if (!block.checked) return true;
    if (!held_.none() || !block.uninitialized_copies.none()) return false;
    const bool loads = access.step.micro.kind == Kind::load;
    if (loads && access.space == ptx::Space::global && access.region.begins_unwritten()) {
        const std::uint64_t span =
            32U - unsigned(std::countl_zero(access.step.executed.bits())) - access.step.executed.lowest();
        if (!access.region.is_written(access.first, 4 * span)) return false;
    }
    Shadow& shadow = shadow_of(block, access.space, access.region);
    describe(shadow.next(block.id, block.clock.all), access.step, access.access);
    const Shadow::Words words{.first = access.first,
                              .lanes = access.step.executed,
                              .own = shadow.last(),
                              .must_be_written = uninitialized_.must_be_written(access.space, access.region),
                              .only_barriers = only_barriers(block.clock)};
    return access.step.micro.kind == Kind::store ? shadow.write_words(words) : shadow.read_words(words);
}

Shadow& AccessCheck::shadow_of(Block& block, ptx::Space space, const Region& region) {
    if (space == ptx::Space::shared) return block.shared_shadow;
    if (last_region_ != &region) {
        last_shadow_ = &global_.try_emplace(&region, region.bytes()).first->second;
        last_region_ = &region;
    }
    return *last_shadow_;
}

std::optional<Accessor> AccessCheck::last_write(Block& block, ptx::Space space, const Region& region,
                                                std::uint64_t offset, unsigned bytes) {
    const auto of_region = global_.find(&region);
    if (space != ptx::Space::shared && of_region == global_.end()) return std::nullopt;
    Shadow& shadow = space == ptx::Space::shared ? block.shared_shadow : of_region->second;
    if (offset + bytes > shadow.bytes()) return std::nullopt;
    Shadow::Ref last = 0;
    shadow.for_each_cell(offset, bytes, [&](const Shadow::Cell& cell) { last = std::max(last, cell.write); });
    if (last == 0) return std::nullopt;
    const WarpRecord& record = shadow.record(last);
    if (is_swap(code_.micros[record.pc])) {
        const auto swap = swapped_.find(place_of(block, space, region, offset));
        if (swap == swapped_.end()) return std::nullopt;
        return Accessor{.block = swap->second.block,
                        .thread = swap->second.thread,
                        .pc = swap->second.pc,
                        .blamed = swap->second.blamed,
                        .step = std::nullopt,
                        .writes = true};
    }
    return Accessor{.block = record.block,
                    .thread = record.warp * warp_size + last % warp_size,
                    .pc = record.pc,
                    .blamed = record.blamed,
                    .step = std::nullopt,
                    .writes = true};
}

void AccessCheck::describe(WarpRecord& record, const WarpStep& step, const MemoryAccess& access) {
    const Block& block = step.block;
    const Warp& warp = step.warp;
    const Pc pc = warp.control.pc();
    record.copies = code_.micros[pc].kind == Kind::copy;
    record.time = record.copies ? never_done : order_.now();
    record.block = block.id;
    record.warp = static_cast<std::uint16_t>(warp.id.value);
    record.strong = access.strong;
    record.within_block = access.within_block;
    record.atomic = step.micro.kind == Kind::atomic;
    record.pc = pc;
    record.blamed = has_line_[pc] ? pc : code_.blamed(warp.control, pc);
    record.serial = block.recorded ? warp.step.value : unrecorded_bit | ++unrecorded_accesses_;
}

/// Tests the warp as a whole: it accesses consecutive words, or all lanes access one word. Nearly always true.
bool AccessCheck::is_clearly_ordered(const WarpAccess& access, Shadow::Ref own, Shadow& shadow) const {
    if (bytes_of(access.access) != 4) return false;
    const Targets& targets = access.targets;
    const Shadow::Words words{.first = targets.offset[targets.lanes.lowest()],
                              .lanes = targets.lanes,
                              .own = own,
                              .must_be_written = uninitialized_.must_be_written(access.space, access.region),
                              .only_barriers = only_barriers(access.step.block.clock)};
    const bool stores = access.step.micro.kind == Kind::store;
    switch (targets.shape) {
        case Targets::Shape::consecutive: return stores ? shadow.write_words(words) : shadow.read_words(words);
        case Targets::Shape::same: return !stores && shadow.read_one_word(words);
        case Targets::Shape::scattered: break;
    }
    return false;
}

/// Tests lane by lane, and in full only if the quick test fails: words of a table, of a column, of neighbors.
bool AccessCheck::scattered(const WarpAccess& access, const WarpRecord& record, Shadow::Ref own, Shadow& shadow) {
    const BlockClock& clock = access.step.block.clock;
    const BlockClock::WarpClock& in_warp = clock.warps[access.step.warp.id.index()];
    const bool stores = access.step.micro.kind == Kind::store;
    if (bytes_of(access.access) != 4 || access.step.micro.kind == Kind::atomic) return false;
    if (!only_barriers(clock) || in_warp.lanes) return false;
    const Shadow::Scattered lanes{.offset = access.targets.offset.data(),
                                  .lanes = access.targets.lanes,
                                  .own = own,
                                  .must_be_written = uninitialized_.must_be_written(access.space, access.region),
                                  .known_in_block = clock.all,
                                  .known_in_warp = in_warp.all};
    const auto look_closer = [&](unsigned lane) {
        check(access, lane, record, own + lane, shadow);
        return held_.none();
    };
    return stores ? shadow.write_scattered(lanes, look_closer) : shadow.read_scattered(lanes, look_closer);
}

void AccessCheck::synchronize(unsigned thread, const WarpAccess& access, std::uint64_t place) {
    const StrongAccess strong{.reach = access.access.within_block ? Reach::block : Reach::grid,
                              .acquires = access.access.acquires,
                              .releases = access.access.releases,
                              .updates = access.step.micro.kind == Kind::atomic};
    if (reads(access.step.micro)) order_.strong_read(access.step.block.clock, thread, place, strong);
    if (writes(access.step.micro)) order_.strong_write(access.step.block.clock, thread, place, strong);
}

void AccessCheck::note_guard(const WarpAccess& access, unsigned lane, const WarpRecord& record) {
    // What lacks a place of block scope is the scope.
    if (!guards_.wants(access.space) || (access.access.within_block && access.space == ptx::Space::global)) return;
    const Guards::Access guard{.space = access.space,
                               .place = place_of(access, access.targets.offset[lane]),
                               .address = address_of(access, lane),
                               .bytes = bytes_of(access.access),
                               .block = record.block,
                               .thread = access.step.thread(lane),
                               .blamed = record.blamed,
                               .time = order_.now(),
                               .serial = record.serial};
    // Compiled code has no result of an atomic that nothing uses; as written, each is in a function of the library.
    const ptx::Atomic atomic = access.access.atomic;
    const bool waits = access.step.micro.kind == Kind::load || atomic == ptx::Atomic::cas ||
                       atomic == ptx::Atomic::exch || (access.access.has_result && has_line_[record.pc]);
    if (reads(access.step.micro)) guards_.read(guard, waits);
    if (writes(access.step.micro)) guards_.write(guard, access.step.block.clock);
}

/// An arrival acquires nothing, not even by a fence after it: its result says nothing of the others (9.7.13.15.13).
void AccessCheck::arrive_at_mbarrier(const WarpAccess& access, WarpRecord& record, Shadow* shadow) {
    BlockClock& clock = access.step.block.clock;
    std::array<std::uint64_t, warp_size> objects{};  // after the lane's arrival: lanes arrive one after the other
    LaneMask before;
    for (const unsigned lane : access.targets.lanes) {
        const std::uint64_t offset = access.targets.offset[lane];
        std::uint64_t object = value_at(access, offset);
        for (const unsigned other : before)
            if (access.targets.offset[other] == offset) object = objects[other];
        objects[lane] = barrier_step_of(access, lane, object).object;
        before |= LaneMask::only(lane);
        using trace::BarrierObject;
        order_.strong_write(clock, access.step.thread(lane), place_of(access, offset),
                            {.reach = Reach::block,
                             .releases = true,
                             .updates = true,
                             .completes_phase = BarrierObject(objects[lane]).phase != BarrierObject(object).phase});
        if (shadow == nullptr) continue;
        record.time = order_.now();
        check(access, lane, record, shadow->add(record, clock.all) + lane, *shadow);
    }
}

/// Only a wait that finds its phase complete acquires (9.7.13.15.16). One that does not is repeated, often thousands of
/// times: its race with the initialization counts once.
void AccessCheck::wait_at_mbarrier(const WarpAccess& access, WarpRecord& record, Shadow* shadow) {
    Block& block = access.step.block;
    const LaneMask lanes = access.targets.lanes;
    const std::uint64_t first = access.targets.offset[lanes.lowest()];
    const MbarrierWait wait = mbarrier_wait(access.step.warp, access.access, access.region, access.targets);
    if (wait.one_object)
        order_.phase_complete(block.clock, access.step.warp.id, wait.complete, place_of(access, first));
    for (const unsigned lane : wait.one_object ? LaneMask() : wait.complete) {
        order_.phase_complete(block.clock, access.step.warp.id, LaneMask::only(lane),
                              place_of(access, access.targets.offset[lane]));
    }
    if (shadow == nullptr) return;
    record.time = order_.now();
    const Shadow::Ref own = shadow->add(record, block.clock.all);
    const bool plain = held_.none() && block.uninitialized_copies.none();
    for (const unsigned lane : lanes) {
        const std::uint64_t offset = access.targets.offset[lane];
        std::optional<std::uint32_t> initialization = 0;
        shadow->for_each_cell(offset, access.access.bytes, [&](const Shadow::Cell& cell) {
            const auto of_cell = initialization_of(access, cell, *shadow);
            if (!of_cell || !initialization) {
                initialization = std::nullopt;
            } else {
                initialization = std::max(*initialization, *of_cell);
            }
        });
        bool checked = plain && initialization == 0U;
        if (plain && initialization > 0U && !wait.complete.has(lane)) {
            std::uint32_t& last = waited_[{place_of(access, offset), access.step.thread(lane)}];
            checked = std::exchange(last, *initialization) == *initialization;
        }
        if (!checked) {
            check(access, lane, record, own + lane, *shadow);
        } else if (wait.one_object && initialization == 0U) {
            const unsigned last = 31U - unsigned(std::countl_zero(lanes.bits()));
            shadow->for_each_cell(offset, access.access.bytes, [&](const Shadow::Cell& c) { c.write = own + last; });
            return;
        } else {
            shadow->for_each_cell(offset, access.access.bytes, [&](const Shadow::Cell& c) { c.write = own + lane; });
        }
    }
}

void AccessCheck::settle_held_race(const LaneAccess& lane) {
    const MemoryAccess& access = lane.whole.access;
    std::optional<std::uint64_t> comparand;
    if (access.atomic == ptx::Atomic::cas) {
        comparand = low_bytes(access.bytes, cell(lane.whole.step.warp, access.compare, lane.lane));
    }
    held_.settle({.block = lane.whole.step.block.id, .thread = lane.thread, .place = place_of(lane.whole, lane.offset)},
                 comparand, lane.record.blamed);
}

void AccessCheck::note_swap(const LaneAccess& lane) {
    const MemoryAccess& access = lane.whole.access;
    const std::uint64_t compared = low_bytes(access.bytes, cell(lane.whole.step.warp, access.compare, lane.lane));
    if (value_at(lane.whole, lane.offset) != compared) return;
    Swap& last = swapped_[place_of(lane.whole, lane.offset)];
    if (last.serial == lane.record.serial) return;  // of the lanes of one instruction, the first swaps
    last = {.block = lane.record.block,
            .thread = lane.thread,
            .pc = lane.record.pc,
            .blamed = lane.record.blamed,
            .serial = lane.record.serial};
}

void AccessCheck::check(const WarpAccess& access, unsigned lane, const WarpRecord& record, Shadow::Ref own,
                        Shadow& shadow) {
    const LaneAccess checked{.whole = access,
                             .lane = lane,
                             .thread = access.step.thread(lane),
                             .offset = access.targets.offset[lane],
                             .record = record,
                             .own = own,
                             .shadow = shadow};
    if (!held_.none()) settle_held_race(checked);
    if (access.access.atomic == ptx::Atomic::cas) note_swap(checked);
    const bool must = reads(access.step.micro) && uninitialized_.must_be_written(access.space, access.region);
    const bool unwritten = reads(access.step.micro) && begins_unwritten(access) && uninitialized_.buffer(access, lane);
    Race reported = unwritten || (must && uninitialized_.shared_or_heap(access, lane, shadow)) ? Race::any : Race::none;
    shadow.for_each_cell(checked.offset, bytes_of(access.access),
                         [&](const Shadow::Cell& cell) { check_cell(checked, cell, reported); });
    if (writes(access.step.micro) && access.space == ptx::Space::shared) {
        uninitialized_.shared_write(access, lane);
    }
}

void AccessCheck::check_cell(const LaneAccess& lane, const Shadow::Cell& cell, Race& reported) {
    const Micro& micro = lane.whole.step.micro;
    const auto report_race_with = [&](Shadow::Ref earlier, bool earlier_writes, bool now_writes) {
        if (reported == Race::any) return;
        const Race race = races(lane, earlier, earlier_writes && now_writes && micro.kind == Kind::store);
        if (race <= reported) return;
        if (race == Race::of_one_value) {
            reported = race;
            remark_race(lane, lane.earlier(earlier));
        } else if (report_race(lane, lane.earlier(earlier), earlier_writes, now_writes)) {
            reported = race;
        }
    };
    if (reads(micro)) {
        report_race_with(cell.write, true, writes(micro));
    }
    // A plain access also races with the last weaker one.
    if (const Shadow::Weaker* const weaker = lane.record.strong ? lane.shadow.weaker(cell) : nullptr) {
        report_race_with(weaker->write, true, writes(micro));
        if (writes(micro)) report_race_with(weaker->read, false, true);
    }
    if (!writes(micro)) return remember_read(lane, cell);
    if (micro.kind == Kind::store || !reads(micro)) report_race_with(cell.write, true, true);
    report_race_with(cell.read, false, true);
    report_race_with(cell.other_read, false, true);
    if (lane.record.strong) keep_weaker(lane, cell);
    cell.write = lane.own;
    cell.read = 0;
    cell.other_read = 0;
}

/// Volatile accesses of one warp in lockstep are ordered only while the lanes stay together, which is not guaranteed
/// since Volta; otherwise strong accesses do not race if the scope of each includes the other's thread (PTX ISA 8.7,
/// "morally strong"). Writing the value that is already there changes no result.
AccessCheck::Race AccessCheck::races(const LaneAccess& lane, Shadow::Ref ref, bool both_write) const {
    if (lane.shadow.settled().has(ref)) return Race::none;
    const WarpRecord& now = lane.record;
    const Earlier earlier = lane.earlier(ref);
    const WarpRecord& before = earlier.record;
    // The copy is ordered before later accesses only from its completion on, also for the thread that started it.
    const bool own_copy = before.copies && before.block == now.block && before.serial != now.serial;
    const Time end =
        own_copy ? lane.whole.step.block.copies.done(before.serial, earlier.thread % warp_size) : before.time;
    if (own_copy && end == 0) return Race::any;
    if (before.block == now.block && earlier.thread == lane.thread) return Race::none;
    if (before.serial == now.serial) {
        if (!both_write || now.atomic) return Race::none;
        return same_value(lane, earlier) ? Race::of_one_value : Race::any;
    }
    const bool in_scope = before.block == now.block || (!before.within_block && !now.within_block);
    if (before.strong && now.strong && in_scope) {
        const bool lockstep = before.block == now.block && before.warp == now.warp && !before.atomic && !now.atomic &&
                              lane.whole.space == ptx::Space::shared &&
                              lane.whole.step.executed.has(earlier.thread % warp_size);
        if (!lockstep) return Race::none;
    }
    const BlockClock& clock = lane.whole.step.block.clock;
    const bool of_mbarrier = makes_mbarrier_invalid(lane.whole.access) && operates_on_mbarrier(code_, before);
    const bool ordered = of_mbarrier ? order_.operation_ordered(clock, lane.thread, before.block, earlier.thread, end)
                                     : order_.ordered(clock, lane.thread, before.block, earlier.thread, end);
    if (ordered) return Race::none;
    return both_write && same_value(lane, earlier) ? Race::of_one_value : Race::any;
}

/// Whether a write changes nothing, or, within one instruction, whether the other lane writes the same value.
bool AccessCheck::same_value(const LaneAccess& lane, const Earlier& earlier) const {
    const WarpAccess& access = lane.whole;
    const bool same_instruction = earlier.record.serial == lane.record.serial;
    const auto stored = [&](unsigned element, unsigned by) {
        return low_bytes(access.access.bytes, cell(lane.whole.step.warp, access.access.values[element], by));
    };
    for (unsigned element = 0; element < access.access.elements; ++element) {
        const std::uint64_t there = same_instruction
                                        ? stored(element, earlier.thread % warp_size)
                                        : value_at(access, lane.offset + std::uint64_t{element} * access.access.bytes);
        if (stored(element, lane.lane) != there) return false;
    }
    return true;
}

/// Keeps the weaker access that this strong write replaces.
void AccessCheck::keep_weaker(const LaneAccess& lane, const Shadow::Cell& cell) const {
    const auto over = [&](Shadow::Ref ref) {  // for all later accesses
        if (ref == 0) return true;
        if (lane.whole.space == ptx::Space::shared) return lane.shadow.settled().has(ref);
        return false;
    };
    const auto is_weaker = [&](Shadow::Ref ref) {
        if (over(ref)) return false;
        const WarpRecord& before = lane.shadow.record(ref);
        return !before.strong || (before.within_block && !lane.record.within_block);
    };
    const Shadow::Weaker* const kept = lane.shadow.weaker(cell);
    Shadow::Weaker weaker = kept != nullptr ? *kept : Shadow::Weaker{};
    // A record that this thread is ordered after can be replaced: a race with the newer one is more likely.
    const auto replace = [&](Shadow::Ref& old, Shadow::Ref ref) {
        if (!is_weaker(ref)) return;
        const Earlier earlier = old != 0 ? lane.earlier(old) : lane.earlier(ref);
        const bool known = old == 0 || order_.ordered(lane.whole.step.block.clock, lane.thread, earlier.record.block,
                                                      earlier.thread, earlier.record.time);
        if (known) old = ref;
    };
    replace(weaker.write, cell.write);
    // The compare-and-swap has verified the value that was read before it.
    if (!swaps_) {
        replace(weaker.read, cell.read);
        replace(weaker.read, cell.other_read);
    }
    if (weaker.write != 0 || weaker.read != 0) lane.shadow.keep_weaker(cell, weaker);
}

void AccessCheck::remember_read(const LaneAccess& lane, const Shadow::Cell& cell) const {
    const auto replaces = [&](Shadow::Ref ref) {
        if (lane.shadow.settled().has(ref)) return true;
        const Earlier earlier = lane.earlier(ref);
        return (earlier.record.block == lane.record.block && earlier.thread == lane.thread) ||
               order_.ordered(lane.whole.step.block.clock, lane.thread, earlier.record.block, earlier.thread,
                              earlier.record.time);
    };
    const auto same_warp = [&](Shadow::Ref ref) {
        const WarpRecord& earlier = lane.shadow.record(ref);
        return earlier.block == lane.record.block && earlier.warp == lane.record.warp;
    };
    if (replaces(cell.read) || (!replaces(cell.other_read) && same_warp(cell.read))) {
        cell.read = lane.own;
    } else {
        cell.other_read = lane.own;
    }
}

Accessor AccessCheck::accessor_of(const LaneAccess& lane, const Earlier& accessor, bool writes) {
    const WarpRecord& earlier = accessor.record;
    Accessor other{.block = earlier.block,
                   .thread = accessor.thread,
                   .pc = earlier.pc,
                   .blamed = earlier.blamed,
                   .step = std::nullopt,
                   .writes = writes,
                   .still_copies = earlier.copies && earlier.block == lane.whole.step.block.id &&
                                   lane.whole.step.block.copies.done(earlier.serial, accessor.thread % warp_size) == 0,
                   .only_for_blocks = earlier.strong && lane.record.strong && earlier.block != lane.record.block};
    if ((earlier.serial & unrecorded_bit) == 0) other.step = StepId(earlier.serial);
    return other;
}

void AccessCheck::remark_race(const LaneAccess& lane, const Earlier& accessor) {
    const std::uint64_t address = address_of(lane.whole, lane.lane);
    const Accessor other = accessor_of(lane, accessor, true);
    const Faults::Site site = faults_.race_site(lane.whole.step, lane.whole.space, address, other, true);
    if (faults_.count_again(site, lane.whole.step, address)) return;
    faults_.remark(site, faults_.race(lane.whole.step, lane.lane, true, lane.whole.space, address,
                                      bytes_of(lane.whole.access), other));
}

/// False: the race is held back until it is known whether a compare-and-swap verifies the read.
bool AccessCheck::report_race(const LaneAccess& lane, const Earlier& accessor, bool earlier_writes, bool now_writes) {
    const WarpRecord& earlier = accessor.record;
    const WarpRecord& now = lane.record;
    Accessor other = accessor_of(lane, accessor, earlier_writes);
    other.strength = strength_of(earlier);
    other.now = strength_of(now);
    if (!earlier.strong || !now.strong) {
        const std::uint64_t place = place_of(lane.whole, lane.offset);
        other.guard = guards_.between(
            {.block = earlier.block,
             .thread = accessor.thread,
             .time = earlier.time,
             .serial = earlier.serial,
             .place = place},
            {.block = now.block, .thread = lane.thread, .time = now.time, .serial = now.serial, .place = place});
    }
    const std::uint64_t address = address_of(lane.whole, lane.lane);
    const bool now_reads_plainly = !now_writes && !now.strong && earlier.atomic;
    const bool earlier_read_plainly = !earlier_writes && !earlier.strong && now.atomic;
    const auto worded = [&] {
        return faults_.harmful_race(lane.whole.step, lane.lane, now_writes, lane.whole.space, address,
                                    bytes_of(lane.whole.access), other);
    };
    if (!swaps_ || lane.whole.access.elements != 1 || (!now_reads_plainly && !earlier_read_plainly)) {
        const Faults::Site site = faults_.race_site(lane.whole.step, lane.whole.space, address, other, false);
        if (!faults_.count_again(site, lane.whole.step, address)) faults_.report(site, worded());
        return true;
    }
    trace::Finding race = worded();
    // In both cases memory still holds the value read: every update came before the read, or is still to come.
    const WarpRecord& reader = now_reads_plainly ? now : earlier;
    const unsigned thread = now_reads_plainly ? lane.thread : accessor.thread;
    if (lane.whole.step.block.recorded) race.step = lane.whole.step.warp.step;
    held_.hold({.block = reader.block, .thread = thread, .place = place_of(lane.whole, lane.offset)},
               value_at(lane.whole, lane.offset), reader.blamed, std::move(race));
    return false;
}

}  // namespace lanescope::execute
