#include "execute/emulator/schedule_control.h"

#include "base/grouped.h"

#include <fmt/format.h>

#include <array>

namespace lanescope::execute {

namespace {

/// The reason of a path that waits for the schedule, after those of barriers and lanes of its warp.
constexpr std::uint32_t waits_for_schedule = waits_for_warp + 1;

std::uint64_t value_in(const Warp& warp, const Value& value, unsigned lane) {
    return value.row == Row::wide ? warp.wide(value.slot)[lane] : warp.narrow(value.slot)[lane];
}

/// The generic address of that lane.
std::uint64_t generic_address(const Warp& warp, const MemoryAccess& access, unsigned lane) {
    const std::uint64_t address = access.offset + (access.base ? value_in(warp, *access.base, lane) : 0);
    return access.space == ptx::Space::shared ? address + shared_window : address;
}

bool can_be_seen(const MemoryAccess& access) {
    return access.space == ptx::Space::global || access.space == ptx::Space::shared ||
           access.space == ptx::Space::generic;
}

LaneMask executing(const Warp& warp, const Micro& micro) {
    return warp.control.lanes() & LaneMask(warp.word(micro.guard) ^ micro.guard_invert);
}

}  // namespace

ScheduleControl::ScheduleControl(const Schedule& schedule)
    : shuffled_(schedule.seed.has_value()), random_(schedule.seed.value_or(0)) {
    for (const Hold& hold : schedule.holds) states_.push_back({.hold = hold});
}

bool ScheduleControl::begin_launch(std::uint32_t number, const Code& code) {
    code_ = &code;
    bool some = shuffled_;
    for (State& state : states_) {
        state.applies = !state.hold.launch || *state.hold.launch == number;
        state.comes = 0;
        state.waiting = state.passing = state.delayed = LaneMask();
        some = some || state.applies;
    }
    return some;
}

/// splitmix64, because it gives the same numbers on every machine.
std::uint64_t ScheduleControl::drawn(std::uint64_t below) {
    std::uint64_t mixed = random_ += 0x9E37'79B9'7F4A'7C15U;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58'476D'1CE4'E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D0'49BB'1331'11EBU;
    return (mixed ^ (mixed >> 31U)) % below;
}

bool ScheduleControl::may_step(Block& block, Warp& warp) {
    while (warp.control.runnable()) {
        const auto waits = [&](State& state) { return applies(state, block, warp); };
        if (std::ranges::none_of(states_, waits)) return true;
    }
    return false;
}

void ScheduleControl::wait(State& state, Block& block, Warp& warp, LaneMask lanes) {
    warp.control.set_aside(lanes, waits_for_schedule);
    state.waiting |= lanes;
    state.block = &block;
    state.warp = &warp;
}

void ScheduleControl::resume(State& state) {
    const LaneMask lanes = std::exchange(state.waiting, LaneMask());
    if (lanes.none()) return;
    if (state.hold.kind == Hold::Kind::hold) state.passing |= lanes;
    state.warp->control.resume(waits_for_schedule, lanes);
}

bool ScheduleControl::applies(State& state, Block& block, Warp& warp) {
    const Hold& hold = state.hold;
    if (!state.applies || hold.block != block.id || hold.warp != warp.id) return false;
    const Micro& micro = code_->micros[warp.control.pc()];
    if (hold.kind == Hold::Kind::stale) {  // StaleReads does it; it waits for nothing
        if (micro.instruction != nullptr && micro.line == hold.line) state.source_line = code_->source_line(micro);
        return false;
    }
    if (state.delayed.any() && (warp.control.lanes() & state.delayed).any()) {
        if (!follows_store(state, warp, micro, warp.control.lanes() & state.delayed)) return false;
        wait(state, block, warp, warp.control.lanes());
        return true;
    }
    if (micro.instruction == nullptr || micro.line != hold.line) {
        state.passing &= ~warp.control.lanes();
        return false;
    }
    const LaneMask there = executing(warp, micro) & (hold.lane ? LaneMask::only(*hold.lane) : LaneMask::all());
    const LaneMask lanes = there & ~state.passing;
    if (lanes.none()) return false;
    ++state.comes;
    if (hold.time > 0 && state.comes != hold.time) {
        state.passing |= lanes;
        return false;
    }
    if (hold.kind == Hold::Kind::delay) return delays(state, block, warp, lanes);
    ++state.waits;
    state.source_line = code_->source_line(micro);
    wait(state, block, warp, lanes);
    return true;
}

bool ScheduleControl::delays(State& state, Block& block, Warp& warp, LaneMask lanes) {
    const Pc pc = warp.control.pc();
    const Micro& micro = code_->micros[pc];
    if (micro.kind != Kind::store || state.delayed.any()) return false;
    const MemoryAccess& access = code_->accesses[micro.access];
    if (!can_be_seen(access) || access.releases) return false;
    ++state.waits;
    state.source_line = code_->source_line(micro);
    state.block = &block;
    state.warp = &warp;
    state.delayed = lanes;
    state.delayed_at = pc;
    warp.control.branch(lanes, pc + 1, pc, no_pc);
    return true;
}

bool ScheduleControl::follows_store(const State& state, Warp& warp, const Micro& micro, LaneMask lanes) const {
    const Micro& store = code_->micros[state.delayed_at];
    const MemoryAccess& stored = code_->accesses[store.access];
    // The store's operands must not change before it is executed.
    for (const Destination& destination : code_->destinations_of(micro)) {
        if (stored.base && stored.base->slot == destination.slot) return true;
        if (store.guard == destination.slot) return true;
        for (unsigned i = 0; i < stored.elements; ++i) {
            if (stored.values[i].row != Row::none && stored.values[i].slot == destination.slot) return true;
        }
    }
    switch (micro.kind) {
        case Kind::load:
        case Kind::store:
        case Kind::atomic: break;
        case Kind::exit:
        case Kind::trap:
        case Kind::barrier:
        case Kind::warp_barrier:
        case Kind::copy:
        case Kind::await_copies:
        case Kind::builtin:
        case Kind::fence: return true;
        default: return false;
    }
    // A thread sees its own accesses to one place in program order.
    const MemoryAccess& access = code_->accesses[micro.access];
    if (access.releases || state.delayed_at == warp.control.pc()) return true;
    if (!can_be_seen(access)) return false;
    const auto bytes_of = [](const MemoryAccess& each) { return std::uint64_t{each.bytes} * each.elements; };
    for (const unsigned lane : lanes& executing(warp, micro)) {
        const std::uint64_t first = generic_address(warp, stored, lane), now = generic_address(warp, access, lane);
        if (first < now + bytes_of(access) && now < first + bytes_of(stored)) return true;
    }
    return false;
}

bool ScheduleControl::has_waiting(const Block& block) const {
    return std::ranges::any_of(states_, [&](const State& state) { return state.waits_now() && state.block == &block; });
}

bool ScheduleControl::leave_waiting(Block& block) const {
    for (Warp& warp : block.warps) {
        const WarpControl& control = warp.control;
        if (control.runnable() || control.waiting_for(waits_for_schedule).none()) continue;
        if (warp.control.leave_siblings()) return true;
    }
    return false;
}

std::vector<Hold> ScheduleControl::stale_loads() const {
    std::vector<Hold> loads;
    for (const State& state : states_)
        if (state.applies && state.hold.kind == Hold::Kind::stale) loads.push_back(state.hold);
    return loads;
}

void ScheduleControl::add_stale_loads(const std::vector<std::uint64_t>& times) {
    std::size_t next = 0;
    for (State& state : states_)
        if (state.applies && state.hold.kind == Hold::Kind::stale) state.waits += times[next++];
}

std::vector<std::string> ScheduleControl::notes() const {
    std::vector<std::string> notes;
    if (shuffled_) notes.emplace_back("Schedule: warps and blocks took turns of random lengths, in a random order.");
    for (const State& state : states_) {
        const Hold& hold = state.hold;
        std::string threads = fmt::format("block {}, warp {}", grouped(hold.block.value), hold.warp.value);
        if (hold.lane) threads += fmt::format(", lane {}", *hold.lane);
        const std::string line = state.source_line != 0 ? fmt::format("line {}", state.source_line)
                                                        : fmt::format("PTX line {}", hold.line.value);
        if (state.waits == 0)
            notes.push_back(fmt::format("Schedule: \"{}\" never applied.", text_of(hold)));
        else if (hold.kind == Hold::Kind::hold)
            notes.push_back(fmt::format("Schedule \"{}\": {} waited before {} while anything else could execute ({}).",
                                        text_of(hold), threads, line, counted(state.waits, "time")));
        else if (hold.kind == Hold::Kind::stale)
            notes.push_back(fmt::format("Schedule \"{}\": the load of {} in {} returned an older value ({}).",
                                        text_of(hold), threads, line, counted(state.waits, "time")));
        else
            notes.push_back(
                fmt::format("Schedule \"{}\": the store of {} in {} was visible to others only when nothing "
                            "else could execute ({}).",
                            text_of(hold), threads, line, counted(state.waits, "time")));
    }
    return notes;
}

}  // namespace lanescope::execute
