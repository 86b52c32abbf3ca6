#include "execute/emulator/interpreter.h"

#include "execute/emulator/recording.h"
#include "execute/emulator/warp_sync.h"
#include "execute/simt/lanes.h"

#include <algorithm>
#include <bit>

namespace lanescope::execute {

namespace {

/// A reduction over the block has no result until all are there: it is recorded then.
bool ends_later(const Micro& micro) {
    return micro.kind == Kind::barrier && micro.instruction->modifiers.barrier == ptx::Barrier::red;
}

/// What a record of accesses only has, too: it tells where values come from and go, and what orders that.
bool is_no_computing(Kind kind) {
    switch (kind) {
        case Kind::compute:
        case Kind::branch:
        case Kind::branch_indexed:
        case Kind::call:
        case Kind::return_from_call:
        case Kind::clock:
        case Kind::await_copies:
        case Kind::nothing: return false;
        default: return true;
    }
}

/// Lanes in which selp or slct takes its first source (PTX ISA 9.7.6.3, 9.7.6.4).
LaneMask takes_first(Warp& warp, const Micro& micro) {
    const std::uint32_t steering = micro.slots.source[2];
    if (micro.instruction->opcode == ptx::Opcode::selp) return LaneMask(warp.word(steering) ^ micro.slots.invert);
    const bool real = ptx::is_float(micro.instruction->modifiers.source_type);
    LaneMask lanes;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const std::uint32_t value = warp.narrow(steering)[lane];
        const bool negative = value >> 31U != 0 && !(real && value << 1U == 0);
        if (!negative) lanes |= LaneMask::only(lane);
    }
    return lanes;
}

}  // namespace

/// Lanes that derive from input data follow the sources; where two sources do and the operation combines, it is applied.
template <Recording recording>
[[gnu::always_inline]] inline void Interpreter<recording>::compute(Warp& warp, const Micro& micro, LaneMask executed) {
    micro.function(warp.file, micro.slots, executed);
    if (micro.tracks) {
        const std::uint32_t a = warp.word(micro.derived_source[0]);
        const std::uint32_t b = warp.word(micro.derived_source[1]);
        const std::uint32_t c = warp.word(micro.derived_source[2]);
        std::uint32_t any = a | b | c;
        if (micro.combines) {
            warp.counts->operator_applications += count_lanes(LaneMask((a & b) | (a & c) | (b & c)) & executed);
        }
        if (micro.simple) {
            std::uint32_t& derived = warp.word(micro.derived_destination);
            derived = (derived & ~executed.bits()) | (any & executed.bits());
        } else {
            const std::uint32_t first = micro.selects ? takes_first(warp, micro).bits() : 0;
            any = micro.selects ? (a & first) | (b & ~first)
                                : any | warp.word(micro.derived_source[3]) | warp.word(micro.derived_source[4]);
            for (const Destination& destination : code_.destinations_of(micro)) {
                std::uint32_t& derived = warp.word(destination.derived);
                derived = (derived & ~executed.bits()) | (any & executed.bits());
            }
        }
    }
    if constexpr (records_registers) record_writes(warp, micro, executed);
}

template <Recording recording>
[[gnu::always_inline]] inline void Interpreter<recording>::straight(Block& block, Warp& warp, Pc begin, unsigned count,
                                                                    LaneMask lanes) {
    const Micro* micro = &code_.micros[begin];
    for (unsigned i = 0; i < count; ++i, ++micro) {
        if constexpr (records_registers) begin_step(block, warp, *micro, lanes, lanes);
        if (micro->kind == Kind::compute) {
            compute(warp, *micro, lanes);
        } else {
            if constexpr (recording == Recording::accesses) begin_step(block, warp, *micro, lanes, lanes);
            warp.divergence.pass(begin + i);
            access(block, warp, *micro, lanes);
        }
    }
    warp.divergence.advance(begin + count);
}

template <Recording recording>
[[gnu::always_inline]] inline void Interpreter<recording>::branch(Warp& warp, const Micro& micro, LaneMask executed) {
    const Pc pc = warp.divergence.pc();
    trace::Counts& counts = *warp.counts;
    ++counts.branches;
    if (executed.any() && executed != warp.divergence.lanes()) ++counts.divergent_branches;
    if constexpr (records_registers) writer_.control(trace::EffectKind::branch, executed);
    warp.divergence.branch(executed, micro.target, pc + 1, micro.join);
    if (executed.any() && micro.target <= pc) {
        warp.loop = pc;
        turn_back(warp);
    }
}

template <Recording recording>
void Interpreter<recording>::step(Block& block, Warp& warp, const Micro& micro, Issued& issued) {
    const Pc pc = warp.divergence.pc();
    const LaneMask active = warp.divergence.lanes();
    LaneMask executed = active;
    if (micro.guard != always_slot) executed &= LaneMask(warp.word(micro.guard) ^ micro.guard_invert);

    if (micro.waits_at_sync && executed.any() && !sync(block, warp, micro, executed)) return;
    if (micro.instruction != nullptr) {
        ++warp.clock;
        issued.warps += executed.any() ? 1U : 0U;
        const unsigned active_count = count_lanes(active);
        issued.threads += executed == active ? active_count : count_lanes(executed);
        issued.active_threads += active_count;
        if constexpr (records) {
            if ((records_registers || is_no_computing(micro.kind)) && !ends_later(micro))
                begin_step(block, warp, micro, active, executed);
        }
    }

    switch (micro.kind) {
        case Kind::compute: compute(warp, micro, executed); return warp.divergence.advance(pc + 1);
        case Kind::load:
        case Kind::store:
        case Kind::atomic:
            if (executed.any()) access(block, warp, micro, executed);
            return warp.divergence.advance(pc + 1);
        case Kind::branch: return branch(warp, micro, executed);
        default: break;
    }
    if (executed.none()) return warp.divergence.advance(pc + 1);
    switch (micro.kind) {
        case Kind::branch_indexed: return branch_indexed(warp, micro, executed);
        case Kind::call: return call(warp, block, micro, executed);
        case Kind::return_from_call: return return_from_call(warp, block, micro, executed);
        case Kind::exit: return exit(block, warp, executed);
        case Kind::trap: return trap(block, warp, micro, executed);
        case Kind::barrier:
            return micro.meets_block && executed == active ? meet_block(block, warp, executed)
                                                           : barrier(block, warp, micro, executed);
        case Kind::warp_barrier: for_each_group(block, warp, micro, executed, [](LaneMask) {}); break;
        case Kind::shuffle: shuffle(block, warp, micro, executed); break;
        case Kind::vote: vote(block, warp, micro, executed); break;
        case Kind::active_mask: active_mask(warp, micro, executed); break;
        case Kind::match: match(block, warp, micro, executed); break;
        case Kind::reduce: reduce(block, warp, micro, executed); break;
        case Kind::copy: copy(block, warp, micro, executed); break;
        case Kind::await_copies:
            if (block.checked) launch_.check.await_copies(block, warp, micro, executed);
            break;
        case Kind::clock: clock(block, warp, micro, executed); break;
        case Kind::builtin: builtin(block, warp, micro, executed); break;
        case Kind::fence:
            if (block.followed) launch_.check.fence(block, warp, micro, executed);
            break;
        default: break;
    }
    warp.divergence.advance(pc + 1);
}

template <Recording recording>
unsigned Interpreter<recording>::run(Block& block, Warp& warp, unsigned limit) {
    const Micro* micros = code_.micros.data();
    Issued issued;  // step by step
    // In straight runs; apart from `issued`, whose address is known, so that they can stay in registers.
    std::uint64_t straight_warps = 0;
    std::uint64_t straight_threads = 0;
    trace::Counts* counts = warp.counts;
    const auto hand_over = [&] {
        counts->warp_instructions += issued.warps + straight_warps;
        counts->thread_instructions += issued.threads + straight_threads;
        counts->active_thread_instructions += issued.active_threads + straight_threads;
        issued = {};
        straight_warps = straight_threads = 0;
    };
    unsigned left = limit;
    do {
        const Pc pc = warp.divergence.pc();
        const Micro& micro = micros[pc];
        if (const unsigned count = std::min<unsigned>(micro.straight, left); count > 0) {
            const LaneMask lanes = warp.divergence.lanes();
            straight_warps += count;
            straight_threads += std::uint64_t{count} * count_lanes(lanes);
            warp.clock += count;
            left -= count;
            straight(block, warp, pc, count, lanes);
        } else {
            step(block, warp, micro, issued);
            --left;
            if (warp.counts != counts) {
                hand_over();
                counts = warp.counts;
            }
        }
    } while (left > 0 && warp.divergence.runnable());
    hand_over();
    return limit - left;
}

template <Recording recording>
void Interpreter<recording>::run_one(Block& block, Warp& warp) {
    const Pc pc = warp.divergence.pc();
    const Micro& micro = code_.micros[pc];
    trace::Counts& counts = *warp.counts;
    Issued issued;
    if (micro.straight > 0) {
        const LaneMask lanes = warp.divergence.lanes();
        const unsigned threads = count_lanes(lanes);
        issued = {.warps = 1, .threads = threads, .active_threads = threads};
        ++warp.clock;
        straight(block, warp, pc, 1, lanes);
    } else {
        step(block, warp, micro, issued);
    }
    counts.warp_instructions += issued.warps;
    counts.thread_instructions += issued.threads;
    counts.active_thread_instructions += issued.active_threads;
}

template <Recording recording>
unsigned Interpreter<recording>::turn(Block& block) {
    unsigned steps = 0;
    for (Warp& warp : block.warps) {
        if (!warp.divergence.runnable()) continue;
        if constexpr (steps_of_turn == 1) {
            run_one(block, warp);
            ++steps;
        } else {
            steps += run(block, warp, steps_of_turn);
        }
    }
    return steps;
}

/// One more round of a loop. Rounds that read what another may change, and change nothing, wait for that other: after a few
/// the path yields to its siblings, one of which it may be (PTX ISA 3.1, independent thread scheduling).
template <Recording recording>
void Interpreter<recording>::turn_back(Warp& warp) {
    if (warp.polled && !warp.progressed) {
        if (++warp.idle_rounds % Warp::patience == 0) warp.divergence.yield();
    } else {
        warp.idle_rounds = 0;
    }
    warp.polled = false;
    warp.progressed = false;
}

/// brx.idx: each lane to the label that its index names (PTX ISA 9.7.12.4); an index past the list is undefined there, and
/// takes the last label here.
template <Recording recording>
void Interpreter<recording>::branch_indexed(Warp& warp, const Micro& micro, LaneMask executed) {
    const Pc pc = warp.divergence.pc();
    const std::uint32_t* index = warp.narrow(micro.operands[0].slot);
    trace::Counts& counts = *warp.counts;
    ++counts.branches;
    if constexpr (records_registers) writer_.control(trace::EffectKind::branch, executed);

    const auto target_of = [&](unsigned lane) {
        return code_.targets[micro.first_target + std::min(index[lane], micro.target_count - 1U)];
    };
    if (executed != warp.divergence.lanes()) {
        // Those that the guard keeps back go on; they are told apart like a target of their own.
        ++counts.divergent_branches;
        warp.divergence.branch(warp.divergence.lanes() & ~executed, pc + 1, pc, micro.join);
    }
    bool diverged = false;
    for (LaneMask left = executed; left.any();) {
        const Pc target = target_of(left.lowest());
        LaneMask taken;
        for (const unsigned lane : left) {
            if (target_of(lane) == target) taken |= LaneMask::only(lane);
        }
        diverged = diverged || taken != left;
        left &= ~taken;
        warp.divergence.branch(taken, target, pc, micro.join);
    }
    if (diverged) ++counts.divergent_branches;
}

template <Recording recording>
void Interpreter<recording>::exit(Block& block, Warp& warp, LaneMask executed) {
    if constexpr (records) {
        if (code_.micros[warp.divergence.pc()].instruction != nullptr)
            writer_.control(trace::EffectKind::exit, executed);
    }
    warp.divergence.exit(executed, warp.divergence.pc() + 1);
    block.live -= executed.count();
    threads_left(block, warp, executed);
}

template <Recording recording>
void Interpreter<recording>::trap(Block& block, Warp& warp, const Micro& micro, LaneMask executed) {
    launch_.faults.trap(block, warp, executed, micro);
    launch_.stopped = true;
}

/// The warp's own instructions stand for time: the same on any host (PTX ISA 10, %clock).
template <Recording recording>
void Interpreter<recording>::clock(const Block& block, Warp& warp, const Micro& micro, LaneMask executed) {
    const Destination& destination = code_.destinations_of(micro).front();
    for (const unsigned lane : executed) {
        std::uint64_t time = warp.clock;
        if (launch_.replay != nullptr) {
            const unsigned thread = warp.id.value * warp_size + lane;
            time = launch_.replay->next(launch_.number, block.id, thread, micro.line, 0).value_or(time);
        }
        if (destination.row == Row::wide)
            warp.wide(destination.slot)[lane] = time;
        else
            warp.narrow(destination.slot)[lane] = static_cast<std::uint32_t>(time);
    }
    if constexpr (records_registers) record_writes(warp, micro, executed);
}

template class Interpreter<Recording::none>;
template class Interpreter<Recording::accesses>;
template class Interpreter<Recording::everything>;

}  // namespace lanescope::execute
