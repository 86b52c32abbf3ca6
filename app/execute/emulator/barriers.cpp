#include "execute/emulator/barriers.h"

#include "execute/simt/lanes.h"

#include <algorithm>

namespace lanescope::execute {

void Barriers::execute(const WarpStep& step) {
    Block& block = step.block;
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    const Pc pc = warp.control.pc();
    const ptx::Modifiers& modifiers = micro.instruction->modifiers;
    const auto operand = [&](unsigned i) {
        const Value& value = step.micro.operands[i];
        return value.row == Row::none ? 0U : step.warp.narrow(value.slot)[step.executed.lowest()];
    };
    const std::uint32_t number = operand(0) % barrier_count;
    if (modifiers.barrier != ptx::Barrier::red) recorder_.barrier(executed, number);

    Barrier& barrier = block.barriers[number];
    barrier.expected = operand(1);
    barrier.reduces = barrier.reduces || modifiers.barrier == ptx::Barrier::red;
    // A barrier with a thread count counts whole warps: a last warp of fewer lanes counts as 32.
    const bool whole = executed == warp.control.live();
    barrier.arrived += barrier.expected != 0 && whole ? warp_size : executed.count();
    if (block.followed) launch_.check.arrive(step, number);

    if (modifiers.barrier == ptx::Barrier::arrive) {
        warp.control.advance(pc + 1);
    } else {
        // Lanes whose guard is false continue at the next instruction.
        if (executed != warp.control.lanes()) warp.control.branch(warp.control.lanes() & ~executed, pc + 1, pc, no_pc);
        warp.control.wait(number);
    }
    complete(block, number);
}

void Barriers::arrive_together(const WarpStep& step) {
    Block& block = step.block;
    recorder_.barrier(step.executed, 0);
    Barrier& barrier = block.barriers[0];
    barrier.expected = 0;
    barrier.arrived += count_lanes(step.executed);
    if (block.followed) launch_.check.arrive(step, 0);
    step.warp.control.wait(0);
    if (barrier.arrived >= block.live) release(block, 0);
}

void Barriers::complete(Block& block, std::uint32_t number) {
    const Barrier& barrier = block.barriers[number];
    if (barrier.arrived >= (barrier.expected != 0 ? barrier.expected : block.live)) release(block, number);
}

void Barriers::release(Block& block, std::uint32_t number) {
    if (reached_in_several_places(block, number)) launch_.faults.divergent_barrier(block, number);
    if (block.barriers[number].reduces) reduce(block, number);
    if (block.followed) launch_.check.meet(block, number);
    ++launch_.counts_of(block.warps.front().epoch).barriers;
    std::uint32_t epoch = 0;
    trace::Counts* counts = nullptr;  // of that epoch
    for (Warp& warp : block.warps) {
        if (!warp.control.all_wait_for(number) && warp.control.waiting_for(number).none()) continue;
        warp.control.release(number);
        ++warp.epoch;
        if (counts == nullptr || warp.epoch != epoch) counts = &launch_.counts_of(epoch = warp.epoch);
        warp.counts = counts;
    }
    block.barriers[number] = {};
}

/// Compares instructions within a warp, and source lines between warps, but only for __syncthreads(): it is allowed in
/// conditional code only if the condition evaluates identically across the block (CUDA C++ Programming Guide,
/// "Synchronization Functions").
bool Barriers::reached_in_several_places(const Block& block, std::uint32_t number) const {
    const Divergence& first = block.warps.front().control;
    const auto is_with_first = [&](const Warp& warp) {
        return warp.control.all_wait_for(number) && warp.control.all_wait_at() == first.all_wait_at();
    };
    if (std::ranges::all_of(block.warps, is_with_first)) return false;

    bool several = false;
    Pc of_block = no_pc;
    for (const Warp& warp : block.warps) {
        Pc of_warp = no_pc;
        warp.control.for_each_waiting([&](const Divergence::Waiting& path) {
            if (path.reason != number) return;
            several = several || (of_warp != no_pc && path.pc != of_warp);
            of_warp = path.pc;
        });
        if (of_warp == no_pc || of_warp == of_block || number != 0 || block.barriers[number].expected != 0) continue;
        if (of_block != no_pc) {
            several = several || code_.source_line(code_.micros[of_warp]) != code_.source_line(code_.micros[of_block]);
        }
        of_block = of_warp;
    }
    return several;
}

/// bar.red: every waiting thread gets the count, conjunction or disjunction of all their predicates.
void Barriers::reduce(Block& block, std::uint32_t number) {
    std::uint32_t yes = 0;
    std::uint32_t threads = 0;
    const auto visit = [&](auto act) {
        for (Warp& warp : block.warps) {
            warp.control.for_each_waiting([&](const Divergence::Waiting& path) {
                const Micro& micro = code_.micros[path.pc];
                if (path.reason != number || micro.instruction->modifiers.barrier != ptx::Barrier::red) return;
                act(warp, path, micro);
            });
        }
    };
    visit([&](Warp& warp, const Divergence::Waiting& path, const Micro& micro) {
        const LaneMask holds(warp.word(micro.operands[2].slot) ^ micro.operands[2].invert);
        yes += (holds & path.lanes).count();
        threads += path.lanes.count();
    });
    visit([&](Warp& warp, const Divergence::Waiting& path, const Micro& micro) {
        const WarpStep step{block, warp, micro, path.lanes};
        recorder_.begin(step, path.lanes);
        recorder_.barrier(path.lanes, number);
        const Destination& destination = code_.destinations_of(micro).front();
        const ptx::Atomic operation = micro.instruction->modifiers.atomic;
        const bool holds = operation == ptx::Atomic::and_ ? yes == threads : yes > 0;
        if (destination.row == Row::predicate) {
            std::uint32_t& word = warp.word(destination.slot);
            word = (word & ~path.lanes.bits()) | (holds ? path.lanes.bits() : 0U);
        } else {
            for (const unsigned lane : path.lanes) warp.narrow(destination.slot)[lane] = yes;
        }
        recorder_.writes(step);
    });
}

void Barriers::release_after_exit(Block& block, Warp& warp, LaneMask exited) {
    for (std::uint32_t number = 0; number < barrier_count; ++number) {
        if (block.barriers[number].used()) complete(block, number);
    }
    sync_.release_after_exit(block, warp, exited);
}

bool Barriers::release_stuck(Block& block) {
    return sync_.release_early(block) || sync_.release_incomplete(block) || leave_branches(block);
}

/// Lanes wait at a reconvergence point for the others of their warp, which wait for them at the block's barrier.
bool Barriers::leave_branches(Block& block) {
    bool some = false;
    for (Warp& warp : block.warps) {
        LaneMask at_barrier;
        std::uint32_t number = 0;
        warp.control.for_each_waiting([&](const Divergence::Waiting& path) {
            if (path.reason == waits_for_warp) return;
            at_barrier |= path.lanes;
            number = path.reason;
        });
        if (at_barrier.none() || at_barrier == warp.control.live()) continue;
        if (!warp.control.leave_siblings()) continue;
        some = true;
        // Lanes whose only remaining instruction is exit return early, which is not a fault.
        if (!sync_.only_exits(warp.control.pc())) launch_.faults.divergent_barrier(block, number);
    }
    return some;
}

}  // namespace lanescope::execute
