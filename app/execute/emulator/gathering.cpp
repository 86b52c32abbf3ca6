// Instructions with a mask wait until all its lanes that have not exited are there: bar.warp.sync, shfl.sync, vote.sync,
// match.sync, redux.sync (PTX ISA 9.7.9.6, 9.7.13.2, 9.7.13.9 to 9.7.13.11). Nearly always they are. Where they are not,
// those that came wait, and when the rest is there all execute together. If the rest never comes the mask was wrong: that is
// a finding, and those that wait go on by themselves.
#include "execute/emulator/interpreter.h"

namespace lanescope::execute {

/// Whether the instruction can be executed now; if not, the path waits, and asks again when it is let go.
template <Recording recording>
bool Interpreter<recording>::gather(Block& block, Warp& warp, const Micro& micro, LaneMask executed) {
    const std::uint32_t* masks = warp.narrow(micro.operands[micro.mask_operand].slot);
    const LaneMask first(masks[executed.lowest()]);
    std::uint32_t different = 0;
    for (const unsigned lane : executed) different |= masks[lane] ^ first.bits();
    if (different == 0 && (first & warp.paths.live()) == executed && warp.gathered.none()) return true;
    return gather_by_masks(block, warp, micro, executed);
}

template <Recording recording>
bool Interpreter<recording>::gather_by_masks(Block& block, Warp& warp, const Micro& micro, LaneMask executed) {
    const Pc pc = warp.paths.pc();
    const std::uint32_t* masks = warp.narrow(micro.operands[micro.mask_operand].slot);
    const LaneMask live = warp.paths.live();
    LaneMask foreign;
    LaneMask absent;
    for (const unsigned lane : executed) {
        const LaneMask mask(masks[lane]);
        if (!mask.has(lane)) foreign |= LaneMask::only(lane);
        warp.wait_mask[lane] = mask.bits();
        absent |= mask & live & ~executed;
    }
    if (absent.none() || (executed & ~warp.gathered).none()) {
        warp.gathered &= ~executed;
        if (foreign.any()) {
            launch_.faults.not_in_own_mask(block, warp, foreign, LaneMask(masks[foreign.lowest()]), micro);
        }
        return true;
    }
    // Those that the guard keeps back go on behind it.
    if (executed != warp.paths.lanes()) warp.paths.branch(warp.paths.lanes() & ~executed, pc + 1, pc, no_pc);
    warp.paths.wait(waits_for_warp);
    release_gathered(warp);
    return false;
}

/// The lanes that wait in a way that counts for an instruction at `pc`: at the same one, or for __syncwarp at any other.
template <Recording recording>
LaneMask Interpreter<recording>::waits_with(const Warp& warp, Pc pc) const {
    LaneMask lanes;
    warp.paths.for_each_waiting([&](const Paths::Waiting& path) {
        if (path.reason != waits_for_warp) return;
        const bool barriers =
            code_.micros[path.pc].kind == Kind::warp_barrier && code_.micros[pc].kind == Kind::warp_barrier;
        if (path.pc == pc || barriers) lanes |= path.lanes;
    });
    return lanes;
}

/// Paths whose lanes have all that they wait for execute their instruction after all, together where they stand together.
template <Recording recording>
void Interpreter<recording>::release_gathered(Warp& warp) {
    const LaneMask live = warp.paths.live();
    LaneMask complete;
    warp.paths.for_each_waiting([&](const Paths::Waiting& path) {
        if (path.reason != waits_for_warp) return;
        const LaneMask there = waits_with(warp, path.pc);
        bool all_there = true;
        for (const unsigned lane : path.lanes) {
            all_there = all_there && (LaneMask(warp.wait_mask[lane]) & live & ~there).none();
        }
        if (all_there) complete |= path.lanes;
    });
    if (complete.none()) return;
    warp.gathered |= complete;
    warp.paths.resume(waits_for_warp, complete);
}

template <Recording recording>
bool Interpreter<recording>::go_on_without_the_masked(Block& block, Warp& warp) {
    LaneMask waiting;
    warp.paths.for_each_waiting([&](const Paths::Waiting& path) {
        if (path.reason != waits_for_warp) return;
        LaneMask mask;
        for (const unsigned lane : path.lanes) mask |= LaneMask(warp.wait_mask[lane]);
        const LaneMask absent = mask & warp.paths.live() & ~waits_with(warp, path.pc);
        launch_.faults.absent_from_mask(block, warp, path, mask, absent);
        waiting |= path.lanes;
    });
    if (waiting.none()) return false;
    warp.gathered |= waiting;
    warp.paths.resume(waits_for_warp, waiting);
    return true;
}

template class Interpreter<Recording::none>;
template class Interpreter<Recording::accesses>;
template class Interpreter<Recording::everything>;

}  // namespace lanescope::execute
