// Barriers of a block, PTX ISA 9.7.13.1. Threads are counted, not warps: a barrier is complete
// when every thread that has not exited is there, so an early return is no fault.
#include "execute/emulator/interpreter.h"
#include "execute/emulator/recording.h"
#include "execute/simt/lanes.h"

#include <algorithm>

namespace lanescope::execute {

template <Recording recording>
void Interpreter<recording>::barrier(Block& block, Warp& warp, const Micro& micro, LaneMask executed) {
    const Pc pc = warp.divergence.pc();
    const ptx::Modifiers& modifiers = micro.instruction->modifiers;
    const unsigned lane = executed.lowest();
    const auto operand = [&](unsigned i) {
        return micro.operands[i].row == Row::none ? 0U : warp.narrow(micro.operands[i].slot)[lane];
    };
    const std::uint32_t number = operand(0) % barrier_count;
    if constexpr (records) {
        if (modifiers.barrier != ptx::Barrier::red) writer_.control(trace::EffectKind::barrier, executed, number);
    }

    Barrier& barrier = block.barriers[number];
    barrier.expected = operand(1);
    barrier.reduces = barrier.reduces || modifiers.barrier == ptx::Barrier::red;
    // Counted barriers count in whole warps: a last warp of fewer lanes stands for 32.
    const bool whole = executed == warp.divergence.live();
    barrier.arrived += barrier.expected != 0 && whole ? warp_size : executed.count();
    if (block.followed) launch_.check.arrive(block, warp, executed, number);

    if (modifiers.barrier == ptx::Barrier::arrive) {
        warp.divergence.advance(pc + 1);
    } else {
        // Those that the guard keeps back go on behind it.
        if (executed != warp.divergence.lanes())
            warp.divergence.branch(warp.divergence.lanes() & ~executed, pc + 1, pc, no_pc);
        warp.divergence.wait(number);
    }
    complete(block, number);
}

/// __syncthreads() as it nearly always is: barrier 0, and all lanes of the path.
template <Recording recording>
void Interpreter<recording>::meet_block(Block& block, Warp& warp, LaneMask executed) {
    if constexpr (records) writer_.control(trace::EffectKind::barrier, executed, 0);
    Barrier& barrier = block.barriers[0];
    barrier.expected = 0;
    barrier.arrived += count_lanes(executed);
    if (block.followed) launch_.check.arrive(block, warp, executed, 0);
    warp.divergence.wait(0);
    if (barrier.arrived >= block.live) release(block, 0);
}

template <Recording recording>
void Interpreter<recording>::complete_barriers(Block& block) {
    for (std::uint32_t number = 0; number < barrier_count; ++number) {
        if (block.barriers[number].used()) complete(block, number);
    }
}

template <Recording recording>
void Interpreter<recording>::complete(Block& block, std::uint32_t number) {
    const Barrier& barrier = block.barriers[number];
    if (barrier.arrived >= (barrier.expected != 0 ? barrier.expected : block.live)) release(block, number);
}

template <Recording recording>
void Interpreter<recording>::release(Block& block, std::uint32_t number) {
    if (reached_in_several_places(block, number)) launch_.faults.divergent_barrier(block, number);
    if (block.barriers[number].reduces) reduce_over_block(block, number);
    if (block.followed) launch_.check.meet(block, number);
    ++launch_.counts_of(block.warps.front().epoch).barriers;
    std::uint32_t epoch = 0;
    trace::Counts* counts = nullptr;  // of that epoch
    for (Warp& warp : block.warps) {
        if (!warp.divergence.all_wait_for(number) && warp.divergence.waiting_for(number).none()) continue;
        warp.divergence.release(number);
        ++warp.epoch;
        if (counts == nullptr || warp.epoch != epoch) counts = &launch_.counts_of(epoch = warp.epoch);
        warp.counts = counts;
    }
    block.barriers[number] = {};
}

/// Within a warp by the instruction; between warps by the line of the source, and only for __syncthreads(): it may stand in
/// conditional code only where all threads of the block decide alike (CUDA C++ Programming Guide, "Synchronization Functions").
template <Recording recording>
bool Interpreter<recording>::reached_in_several_places(const Block& block, std::uint32_t number) const {
    const Divergence& first = block.warps.front().divergence;
    const auto is_with_first = [&](const Warp& warp) {
        return warp.divergence.all_wait_for(number) && warp.divergence.all_wait_at() == first.all_wait_at();
    };
    if (std::ranges::all_of(block.warps, is_with_first)) return false;

    bool several = false;
    Pc of_block = no_pc;
    for (const Warp& warp : block.warps) {
        Pc of_warp = no_pc;
        warp.divergence.for_each_waiting([&](const Divergence::Waiting& path) {
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

/// bar.red: every thread that waits gets the count, conjunction or disjunction of all their predicates.
template <Recording recording>
void Interpreter<recording>::reduce_over_block(Block& block, std::uint32_t number) {
    std::uint32_t yes = 0;
    std::uint32_t threads = 0;
    const auto visit = [&](auto act) {
        for (Warp& warp : block.warps) {
            warp.divergence.for_each_waiting([&](const Divergence::Waiting& path) {
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
        if constexpr (records) {
            begin_step(block, warp, micro, path.lanes, path.lanes);
            writer_.control(trace::EffectKind::barrier, path.lanes, number);
        }
        const Destination& destination = code_.destinations_of(micro).front();
        const ptx::Atomic operation = micro.instruction->modifiers.atomic;
        const bool holds = operation == ptx::Atomic::and_ ? yes == threads : yes > 0;
        if (destination.row == Row::predicate) {
            std::uint32_t& word = warp.word(destination.slot);
            word = (word & ~path.lanes.bits()) | (holds ? path.lanes.bits() : 0U);
        } else {
            for (const unsigned lane : path.lanes) warp.narrow(destination.slot)[lane] = yes;
        }
        if constexpr (records_registers) record_writes(warp, micro, path.lanes);
    });
}

/// Whether an instruction leads nowhere but to the end of the kernel.
template <Recording recording>
bool Interpreter<recording>::only_exits(Pc pc) const {
    for (std::size_t steps = 0; steps < code_.micros.size(); ++steps) {
        const Micro& micro = code_.micros[pc];
        if (micro.guard != always_slot) return false;
        switch (micro.kind) {
            case Kind::exit: return true;
            case Kind::branch: pc = micro.target; break;
            case Kind::nothing: ++pc; break;
            default: return false;
        }
    }
    return false;
}

/// Threads that exit may be the ones that others wait for.
template <Recording recording>
void Interpreter<recording>::threads_left(Block& block, Warp& warp, LaneMask exited) {
    complete_barriers(block);
    if (warp.divergence.waiting_for(waits_for_warp).any()) release_synced(block, warp, exited);
}

template <Recording recording>
bool Interpreter<recording>::go_on_without_the_absent(Block& block) {
    bool some = false;
    for (Warp& warp : block.warps) some = release_early(warp) || some;
    if (some) return true;
    for (Warp& warp : block.warps) some = go_on_without_the_masked(block, warp) || some;
    if (some) return true;
    // Lanes that wait for their siblings where a branch joins, while those wait at the block's barrier for them.
    for (Warp& warp : block.warps) {
        LaneMask at_barrier;
        std::uint32_t number = 0;
        warp.divergence.for_each_waiting([&](const Divergence::Waiting& path) {
            if (path.reason == waits_for_warp) return;
            at_barrier |= path.lanes;
            number = path.reason;
        });
        if (at_barrier.none() || at_barrier == warp.divergence.live()) continue;
        if (!warp.divergence.leave_siblings()) continue;
        some = true;
        // Where nothing is left to do but to return, they have returned early.
        if (!only_exits(warp.divergence.pc())) launch_.faults.divergent_barrier(block, number);
    }
    return some;
}

template class Interpreter<Recording::none>;
template class Interpreter<Recording::accesses>;
template class Interpreter<Recording::everything>;

}  // namespace lanescope::execute
