#include "execute/emulator/calls.h"

#include "base/demangle.h"

#include <algorithm>
#include <cstring>

namespace lanescope::execute {

namespace {

std::uint64_t frame_of(Warp& warp, const Callee& callee, unsigned lane) {
    return callee.reentrant ? warp.wide(callee.base)[lane] : 0;
}

/// Nearly all arguments and results are words, which the compiler copies without a call.
void copy_bytes(void* to, const void* from, std::uint64_t bytes) {
    switch (bytes) {
        case 4: std::memcpy(to, from, 4); break;
        case 8: std::memcpy(to, from, 8); break;
        default: std::memcpy(to, from, bytes);
    }
}

void pass(Block& block, std::uint64_t thread, std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
    copy_bytes(block.local.data() + thread + to, block.local.data() + thread + from, bytes);
    copy_bytes(block.local.marks() + thread + to, block.local.marks() + thread + from, bytes);
    if (block.checked && !block.uninitialized_copies.none())
        copy_bytes(block.local_written.data() + thread + to, block.local_written.data() + thread + from, bytes);
}

std::uint64_t value_of(Warp& warp, const Destination& place, unsigned lane) {
    switch (place.row) {
        case Row::wide: return warp.wide(place.slot)[lane];
        case Row::narrow: return warp.narrow(place.slot)[lane];
        default: return LaneMask(warp.word(place.slot)).has(lane) ? 1 : 0;
    }
}

void set_bit(std::uint32_t& word, unsigned lane, bool value) {
    word = (word & ~(1U << lane)) | (value ? 1U << lane : 0U);
}

void set_value(Warp& warp, const Destination& place, unsigned lane, std::uint64_t value) {
    switch (place.row) {
        case Row::wide: warp.wide(place.slot)[lane] = value; break;
        case Row::narrow: warp.narrow(place.slot)[lane] = static_cast<std::uint32_t>(value); break;
        default: set_bit(warp.word(place.slot), lane, value != 0); break;
    }
}

void spill(Warp& warp, const Callee& callee, unsigned lane) {
    std::vector<std::uint64_t>& kept = warp.spilled[lane];
    for (const Destination& place : callee.registers) {
        kept.push_back(value_of(warp, place, lane));
        kept.push_back(LaneMask(warp.word(place.input_dependent)).has(lane) ? 1 : 0);
    }
    kept.push_back(warp.wide(callee.base)[lane]);
}

bool takes(const Callee& callee, const Call& site) {
    const auto same = [](const std::vector<FramePlace>& wanted, const std::vector<FramePlace>& given) {
        return std::ranges::equal(wanted, given, {}, &FramePlace::bytes, &FramePlace::bytes);
    };
    return same(callee.parameters, site.arguments) && same(callee.results, site.results);
}

}  // namespace

void Calls::call(const WarpStep& step) {
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    const Pc pc = warp.control.pc();
    const Call& site = code_.calls[micro.access];
    if (executed != warp.control.lanes()) {
        // Lanes that do not call wait after the call.
        warp.control.branch(warp.control.lanes() & ~executed, pc + 1, pc, pc + 1);
    }
    if (site.callee) {
        const Callee& callee = code_.callees[*site.callee];
        if (enter(step, site, callee, executed)) warp.control.call(callee.begin);
        return;
    }
    // Through a pointer: each lane calls its own function; they reconverge after the call.
    bool called = false;
    Pc begun = no_pc;
    for (LaneMask left = executed; left.any();) {
        const std::uint64_t target = warp.wide(site.target.slot)[left.lowest()];
        LaneMask together;
        for (const unsigned lane : left) {
            if (warp.wide(site.target.slot)[lane] == target) together |= LaneMask::only(lane);
        }
        left &= ~together;
        const auto callee = std::ranges::find(code_.callees, target, &Callee::address);
        if (callee == code_.callees.end() || !takes(*callee, site)) {
            launch_.faults.bad_call(step, together, target);
            launch_.stopped = true;
            return;
        }
        if (!enter(step, site, *callee, together)) return;
        if (!called) {
            warp.control.call(callee->begin);
            begun = callee->begin;
        } else {
            warp.control.branch(together, callee->begin, begun, no_pc);
        }
        called = true;
    }
}

Faults::StackUse Calls::use_of_stack(const Callee& callee, std::uint64_t used, std::uint64_t room) const {
    const bool alone = std::ranges::count(code_.callees, true, &Callee::reentrant) == 1;
    return {.function = source_name_of(callee.function->name),
            .frame = callee.frame_bytes,
            .used = used,
            .room = room,
            .calls = alone && callee.frame_bytes > 0 ? used / callee.frame_bytes : 0};
}

/// Copies arguments to the callee's frame, or to a new frame if it may have several. False: the stack is full.
bool Calls::enter(const WarpStep& step, const Call& site, const Callee& callee, LaneMask lanes) {
    Block& block = step.block;
    Warp& warp = step.warp;
    const Callee& caller = code_.callees[site.caller];
    const std::uint64_t room = code_.local_bytes - code_.stack;
    for (const unsigned lane : lanes) {
        const std::uint64_t thread = std::uint64_t{step.thread(lane)} * code_.local_bytes;
        const std::uint64_t from = frame_of(warp, caller, lane);
        if (callee.reentrant) {
            std::uint64_t& used = warp.wide(code_.stack_pointer)[lane];
            if (used + callee.frame_bytes > room) {
                launch_.faults.stack_overflow(step, lane, use_of_stack(callee, used, room));
                launch_.stopped = true;
                return false;
            }
            spill(warp, callee, lane);
            warp.wide(callee.base)[lane] = code_.stack + used;
            used += callee.frame_bytes;
        }
        const std::uint64_t to = frame_of(warp, callee, lane);
        for (std::size_t i = 0; i < std::min(site.arguments.size(), callee.parameters.size()); ++i) {
            pass(block, thread, from + site.arguments[i].offset, to + callee.parameters[i].offset,
                 callee.parameters[i].bytes);
        }
    }
    return true;
}

/// A function's ret: copies results to the caller's frame and restores the registers from before the call.
void Calls::return_from_call(const WarpStep& step) const {
    Block& block = step.block;
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    const Callee& callee = code_.callees[micro.access];
    const Call& site = code_.calls[code_.micros[warp.control.caller()].access];
    const Callee& caller = code_.callees[site.caller];
    std::array<std::uint64_t, warp_size> frames{};
    for (const unsigned lane : executed) frames[lane] = frame_of(warp, callee, lane);
    if (callee.reentrant) restore_registers(step, callee);
    for (const unsigned lane : executed) {
        const std::uint64_t thread = std::uint64_t{step.thread(lane)} * code_.local_bytes;
        const std::uint64_t to = frame_of(warp, caller, lane);
        for (std::size_t i = 0; i < std::min(site.results.size(), callee.results.size()); ++i) {
            pass(block, thread, frames[lane] + callee.results[i].offset, to + site.results[i].offset,
                 callee.results[i].bytes);
        }
    }
    warp.control.return_from_call(executed, warp.control.pc() + 1);
}

void Calls::restore_registers(const WarpStep& step, const Callee& callee) const {
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask lanes = step.executed;
    const std::size_t kept = 2 * callee.registers.size() + 1;
    const auto kept_of = [&](unsigned lane) { return warp.spilled[lane].end() - static_cast<std::ptrdiff_t>(kept); };
    for (std::size_t i = 0; i < callee.registers.size(); ++i) {
        const Destination& place = callee.registers[i];
        bool changed = false;
        for (const unsigned lane : lanes) {
            const std::uint64_t restored = kept_of(lane)[static_cast<std::ptrdiff_t>(2 * i)];
            changed = changed || value_of(warp, place, lane) != restored;
            set_value(warp, place, lane, restored);
            set_bit(warp.word(place.input_dependent), lane, kept_of(lane)[static_cast<std::ptrdiff_t>(2 * i + 1)] != 0);
        }
        if (changed && micro.instruction != nullptr) recorder_.write(warp, place, lanes);
    }
    for (const unsigned lane : lanes) {
        warp.wide(callee.base)[lane] = warp.spilled[lane].back();
        warp.spilled[lane].resize(warp.spilled[lane].size() - kept);
        warp.wide(code_.stack_pointer)[lane] -= callee.frame_bytes;
    }
}

}  // namespace lanescope::execute
