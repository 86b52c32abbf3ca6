#include "execute/emulator/interpreter.h"

#include "execute/simt/approximation.h"
#include "execute/simt/lanes.h"

#include <algorithm>

namespace lanescope::execute {

namespace {

/// A reduction over the block has no result until all threads have arrived: it is recorded then.
bool ends_later(const Micro& micro) {
    return micro.kind == Kind::barrier && micro.instruction->modifiers.barrier == ptx::Barrier::red;
}

/// Lanes in which selp or slct takes its first source (PTX ISA 9.7.6.3, 9.7.6.4).
LaneMask takes_first(Warp& warp, const Micro& micro) {
    const std::uint32_t steering = micro.slots.source[2];
    if (micro.instruction->modifiers.source_type == ptx::Type::none)
        return LaneMask(warp.word(steering) ^ micro.slots.invert);
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

// Units outside of the loop get a copy of the step, auto(step), so that no other function has the step's own address
// and it stays in registers.

/// Lanes depend on input data as their sources do; if two sources do and the operation combines, it counts as one
/// operation.
template <class Level>
[[gnu::always_inline]] inline void Interpreter<Level>::compute(const WarpStep& step) {
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    if (recorder_.records() && micro.approximate && launch_.replay != nullptr)
        approximate(auto(step));
    else
        micro.function(warp.file, micro.slots, executed);
    if (micro.tracks) {
        const std::uint32_t a = warp.word(micro.input_dependent_source[0]);
        const std::uint32_t b = warp.word(micro.input_dependent_source[1]);
        const std::uint32_t c = warp.word(micro.input_dependent_source[2]);
        std::uint32_t any = a | b | c;
        if (micro.combines) {
            warp.counts->operations += count_lanes(LaneMask((a & b) | (a & c) | (b & c)) & executed);
        }
        if (micro.simple) {
            std::uint32_t& input_dependent = warp.word(micro.input_dependent_destination);
            input_dependent = (input_dependent & ~executed.bits()) | (any & executed.bits());
        } else {
            const std::uint32_t first = micro.selects ? takes_first(warp, micro).bits() : 0;
            any = micro.selects
                      ? (a & first) | (b & ~first)
                      : any | warp.word(micro.input_dependent_source[3]) | warp.word(micro.input_dependent_source[4]);
            for (const Destination& destination : code_.destinations_of(micro)) {
                std::uint32_t& input_dependent = warp.word(destination.input_dependent);
                input_dependent = (input_dependent & ~executed.bits()) | (any & executed.bits());
            }
        }
    }
    recorder_.writes(step);
}

template <class Level>
[[gnu::always_inline]] inline void Interpreter<Level>::straight(Block& block, Warp& warp, Pc begin, unsigned count,
                                                                LaneMask lanes) {
    const Micro* micro = &code_.micros[begin];
    for (unsigned i = 0; i < count; ++i, ++micro) {
        const WarpStep step{block, warp, *micro, lanes};
        recorder_.begin(step, lanes);
        if (micro->kind == Kind::compute) {
            compute(step);
        } else {
            warp.control.pass(begin + i);
            memory_.access(auto(step));
        }
    }
    warp.control.advance(begin + count);
}

template <class Level>
[[gnu::always_inline]] inline void Interpreter<Level>::branch(const WarpStep& step) {
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    const Pc pc = warp.control.pc();
    trace::Counts& counts = *warp.counts;
    ++counts.branches;
    if (executed.any() && executed != warp.control.lanes()) ++counts.divergent_branches;
    recorder_.branch(executed);
    warp.control.branch(executed, micro.target, pc + 1, micro.reconvergence);
    if (executed.none() || micro.target > pc) return;
    warp.control.turn_back(pc);
    if (launch_.loops != nullptr) launch_.loops->turned_back(step.block, warp, executed);
}

template <class Level>
void Interpreter<Level>::execute(Block& block, Warp& warp, const Micro& micro, Issued& issued) {
    const Pc pc = warp.control.pc();
    const LaneMask active = warp.control.lanes();
    LaneMask executed = active;
    if (micro.guard != always_slot) executed &= LaneMask(warp.word(micro.guard) ^ micro.guard_invert);

    const WarpStep step{block, warp, micro, executed};

    if (micro.waits_at_sync && executed.any() && !sync_.executes(auto(step))) return;
    if (micro.instruction != nullptr) {
        ++warp.clock;
        issued.warps += executed.any() ? 1U : 0U;
        const unsigned active_count = count_lanes(active);
        issued.threads += executed == active ? active_count : count_lanes(executed);
        issued.active_threads += active_count;
        if (!ends_later(micro)) recorder_.begin(step, active);
    }

    switch (micro.kind) {
        case Kind::compute: compute(step); break;
        case Kind::load:
        case Kind::store:
        case Kind::atomic:
            if (executed.any()) memory_.access(auto(step));
            break;
        case Kind::branch: return branch(step);
        case Kind::barrier:
            if (launch_.loops != nullptr) note_barrier(step);
            if (micro.meets_block && executed == active) return barriers_.arrive_together(auto(step));
            [[fallthrough]];
        default:
            if (executed.any()) return execute_in_unit(auto(step));
            break;
    }
    warp.control.advance(pc + 1);
}

/// An arrival that does not wait brings the barrier closer to its end.
template <class Level>
void Interpreter<Level>::note_barrier(const WarpStep& step) {
    launch_.loops->passes_barrier(step.warp);
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): every micro instruction has its instruction.
    if (step.micro.instruction->modifiers.barrier == ptx::Barrier::arrive) launch_.loops->changed();
}

/// Executes all but the most common kinds, and moves the path to where it continues.
template <class Level>
void Interpreter<Level>::execute_in_unit(const WarpStep& step) {
    const Pc pc = step.warp.control.pc();
    switch (step.micro.kind) {
        case Kind::branch_indexed: return branch_indexed(step);
        case Kind::call: return calls_.call(step);
        case Kind::return_from_call: return calls_.return_from_call(step);
        case Kind::exit: return exit(step);
        case Kind::trap:
            launch_.faults.trap(step);
            launch_.stopped = true;
            return;
        case Kind::barrier: return barriers_.execute(step);
        case Kind::warp_barrier: sync_.for_each_group(step, [](LaneMask) {}); break;
        case Kind::shuffle: cross_lane_.shuffle(step); break;
        case Kind::vote: cross_lane_.vote(step); break;
        case Kind::active_mask: cross_lane_.active_mask(step); break;
        case Kind::match: cross_lane_.match(step); break;
        case Kind::reduce: cross_lane_.reduce(step); break;
        case Kind::copy: memory_.copy(step); break;
        case Kind::texture: textures_.fetch(step); break;
        case Kind::surface: textures_.access_surface(step); break;
        case Kind::await_copies:
            if (step.block.checked) launch_.check.await_copies(step);
            break;
        case Kind::clock: clock(step); break;
        case Kind::builtin: builtins_.execute(step); break;
        case Kind::fence:
            if (step.block.followed) launch_.check.fence(step);
            break;
        default: break;
    }
    step.warp.control.advance(pc + 1);
}

template <class Level>
unsigned Interpreter<Level>::run(Block& block, Warp& warp, unsigned limit) {
    const Micro* micros = code_.micros.data();
    Issued issued;  // of single steps
    // Of straight runs; apart from `issued`, whose address is taken, so that they can stay in registers.
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
        const Pc pc = warp.control.pc();
        const Micro& micro = micros[pc];
        if (const unsigned count = std::min<unsigned>(micro.straight, left); count > 0) {
            const LaneMask lanes = warp.control.lanes();
            straight_warps += count;
            straight_threads += std::uint64_t{count} * count_lanes(lanes);
            warp.clock += count;
            left -= count;
            straight(block, warp, pc, count, lanes);
        } else {
            execute(block, warp, micro, issued);
            --left;
            if (warp.counts != counts) {
                hand_over();
                counts = warp.counts;
            }
        }
    } while (left > 0 && warp.control.runnable());
    hand_over();
    return limit - left;
}

template <class Level>
void Interpreter<Level>::run_one(Block& block, Warp& warp) {
    const Pc pc = warp.control.pc();
    const Micro& micro = code_.micros[pc];
    trace::Counts& counts = *warp.counts;
    Issued issued;
    if (micro.straight > 0) {
        const LaneMask lanes = warp.control.lanes();
        const unsigned threads = count_lanes(lanes);
        issued = {.warps = 1, .threads = threads, .active_threads = threads};
        ++warp.clock;
        straight(block, warp, pc, 1, lanes);
    } else {
        execute(block, warp, micro, issued);
    }
    counts.warp_instructions += issued.warps;
    counts.thread_instructions += issued.threads;
    counts.active_thread_instructions += issued.active_threads;
}

template <class Level>
unsigned Interpreter<Level>::turn(Block& block) {
    unsigned steps = 0;
    for (Warp& warp : block.warps) {
        if (!warp.control.runnable()) continue;
        if constexpr (steps_of_turn == 1) {
            run_one(block, warp);
            ++steps;
        } else {
            steps += run(block, warp, steps_of_turn);
        }
    }
    return steps;
}

/// brx.idx: each lane branches to the label that its index names (PTX ISA 9.7.12.4). An index past the list is
/// undefined there and takes the last label here.
template <class Level>
void Interpreter<Level>::branch_indexed(const WarpStep& step) {
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    const Pc pc = warp.control.pc();
    const std::uint32_t* index = warp.narrow(micro.operands[0].slot);
    trace::Counts& counts = *warp.counts;
    ++counts.branches;
    recorder_.branch(executed);

    const auto target_of = [&](unsigned lane) {
        return code_.targets[micro.first_target + std::min(index[lane], micro.target_count - 1U)];
    };
    if (executed != warp.control.lanes()) {
        // Lanes whose guard is false continue at the next instruction, as at one more target.
        ++counts.divergent_branches;
        warp.control.branch(warp.control.lanes() & ~executed, pc + 1, pc, micro.reconvergence);
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
        warp.control.branch(taken, target, pc, micro.reconvergence);
    }
    if (diverged) ++counts.divergent_branches;
}

template <class Level>
void Interpreter<Level>::exit(const WarpStep& step) {
    Block& block = step.block;
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    if (micro.instruction != nullptr) recorder_.exit(executed);
    warp.control.exit(executed, warp.control.pc() + 1);
    block.live -= executed.count();
    barriers_.release_after_exit(block, warp, executed);
}

/// If a GPU's record is replayed, its results are taken, so that everything computed from them is comparable.
template <class Level>
void Interpreter<Level>::approximate(const WarpStep& step) {
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const Destination& destination = code_.destinations_of(micro).front();
    const bool wide = destination.row == Row::wide;
    const auto bits_at = [&](std::uint32_t slot, unsigned lane) -> std::uint64_t {
        return wide ? warp.wide(slot)[lane] : warp.narrow(slot)[lane];
    };
    // The result may overwrite a source.
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as above.
    const ptx::Instruction& instruction = *micro.instruction;
    std::array<ApproximateResult, warp_size> results;
    for (const unsigned lane : step.executed) {
        results[lane].instruction = &instruction;
        for (unsigned i = 0; i + instruction.destination_count < instruction.operand_count; ++i)
            results[lane].sources[i] = bits_at(micro.slots.source[i], lane);
    }
    micro.function(warp.file, micro.slots, step.executed);
    for (const unsigned lane : step.executed) {
        results[lane].exact = bits_at(destination.slot, lane);
        const auto replayed =
            launch_.replay->approximate(launch_.number, step.block.id, step.thread(lane), micro.line, results[lane]);
        if (!replayed) continue;
        if (wide)
            warp.wide(destination.slot)[lane] = *replayed;
        else
            warp.narrow(destination.slot)[lane] = static_cast<std::uint32_t>(*replayed);
    }
}

/// The clock counts the warp's own instructions, so that it is the same on any host (PTX ISA 10, %clock).
template <class Level>
void Interpreter<Level>::clock(const WarpStep& step) {
    Block& block = step.block;
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    const Destination& destination = code_.destinations_of(micro).front();
    if (launch_.loops != nullptr) launch_.loops->reads_clock(warp, micro);
    for (const unsigned lane : executed) {
        std::uint64_t time = warp.clock;
        if (launch_.replay != nullptr) {
            time = launch_.replay->next(launch_.number, block.id, step.thread(lane), micro.line, 0).value_or(time);
        }
        if (destination.row == Row::wide)
            warp.wide(destination.slot)[lane] = time;
        else
            warp.narrow(destination.slot)[lane] = static_cast<std::uint32_t>(time);
    }
    recorder_.writes(step);
}

template class Interpreter<FixedLevel<RecordLevel::counts>>;
template class Interpreter<FixedLevel<RecordLevel::accesses>>;
template class Interpreter<FixedLevel<RecordLevel::registers>>;

}  // namespace lanescope::execute
