// Instructions with a mask wait until all its lanes that have not exited are there: bar.warp.sync, shfl.sync, vote.sync,
// match.sync, redux.sync (PTX ISA 9.7.9.6, 9.7.13.2, 9.7.13.9 to 9.7.13.11). Nearly always they are. Where they are not,
// those that came wait, and when the rest is there all execute together. If the rest never comes the mask was wrong: that is
// a finding, and those that wait go on by themselves.
#include "execute/emulator/interpreter.h"

namespace lanescope::execute {

/// Whether the instruction can be executed now; if not, the path waits, and asks again when it is let go.
template <Recording recording>
bool Interpreter<recording>::sync(Block& block, Warp& warp, const Micro& micro, LaneMask executed) {
    const std::uint32_t* masks = warp.narrow(micro.operands[micro.mask_operand].slot);
    const LaneMask first(masks[executed.lowest()]);
    std::uint32_t different = 0;
    for (const unsigned lane : executed) different |= masks[lane] ^ first.bits();
    if (different == 0 && (first & warp.divergence.live()) == executed && warp.synced.none()) return true;
    return sync_by_masks(block, warp, micro, executed);
}

template <Recording recording>
bool Interpreter<recording>::sync_by_masks(Block& block, Warp& warp, const Micro& micro, LaneMask executed) {
    const Pc pc = warp.divergence.pc();
    const std::uint32_t* masks = warp.narrow(micro.operands[micro.mask_operand].slot);
    const LaneMask live = warp.divergence.live();
    LaneMask foreign;
    LaneMask absent;
    for (LaneMask left = executed; left.any();) {
        const LaneMask mask(masks[left.lowest()]);
        LaneMask group;
        for (const unsigned lane : left) group |= LaneMask(masks[lane] == mask.bits() ? 1U << lane : 0U);
        for (const unsigned lane : group) warp.wait_mask[lane] = mask.bits();
        foreign |= group & ~mask;
        absent |= mask & live & ~group;
        left &= ~group;
    }
    if (absent.none() || (executed & ~warp.synced).none()) {
        warp.synced &= ~executed;
        if (foreign.any()) {
            launch_.faults.not_in_own_mask(block, warp, foreign, LaneMask(masks[foreign.lowest()]), micro);
        }
        return true;
    }
    // Those that the guard keeps back go on behind it.
    if (executed != warp.divergence.lanes())
        warp.divergence.branch(warp.divergence.lanes() & ~executed, pc + 1, pc, no_pc);
    warp.divergence.wait(waits_for_warp);
    release_synced(block, warp, LaneMask());
    return false;
}

/// Whether lanes that wait at one instruction are there for those that wait at another: at the same, or both at a __syncwarp.
template <Recording recording>
bool Interpreter<recording>::counts_for(Pc pc, Pc other) const {
    return pc == other ||
           (code_.micros[pc].kind == Kind::warp_barrier && code_.micros[other].kind == Kind::warp_barrier);
}

/// What is one instruction in a function of a header is as many as the user's code calls it, for as compiled it is inlined.
template <Recording recording>
bool Interpreter<recording>::meets(const Warp& warp, const Divergence::Waiting& path,
                                   const Divergence::Waiting& other) const {
    if (!counts_for(path.pc, other.pc)) return false;
    return code_.micros[path.pc].kind == Kind::warp_barrier ||
           code_.blamed(warp.divergence, path.pc, &path) == code_.blamed(warp.divergence, other.pc, &other);
}

/// The lanes that wait in a way that counts for that path.
template <Recording recording>
LaneMask Interpreter<recording>::waits_with(const Warp& warp, const Divergence::Waiting& path) const {
    LaneMask lanes;
    warp.divergence.for_each_waiting([&](const Divergence::Waiting& other) {
        if (other.reason == waits_for_warp && meets(warp, other, path)) lanes |= other.lanes;
    });
    return lanes;
}

/// Whom a path waits for: those that its masks name, that have not exited and are not there with the same mask.
template <Recording recording>
LaneMask Interpreter<recording>::absent_for(const Warp& warp, const Divergence::Waiting& path) const {
    const LaneMask there = waits_with(warp, path);
    LaneMask absent;
    for (const unsigned lane : path.lanes) {
        const LaneMask named = LaneMask(warp.wait_mask[lane]) & warp.divergence.live();
        absent |= named & ~there;
        for (const unsigned other : named& there) {
            if (warp.wait_mask[other] != warp.wait_mask[lane]) absent |= LaneMask::only(other);
        }
    }
    return absent;
}

/// Divergence whose lanes have all that they wait for execute their instruction after all, together where they stand together.
/// `exited`: those that will not come any more. Of them that had been let go it was expected.
template <Recording recording>
void Interpreter<recording>::release_synced(Block& block, Warp& warp, LaneMask exited) {
    LaneMask complete;
    LaneMask meeting;  // of them those at a barrier
    unsigned paths = 0;
    warp.divergence.for_each_waiting([&](const Divergence::Waiting& path) {
        if (path.reason != waits_for_warp || absent_for(warp, path).any()) return;
        complete |= path.lanes;
        if (code_.micros[path.pc].kind == Kind::warp_barrier) meeting |= path.lanes;
        ++paths;
        LaneMask mask;
        for (const unsigned lane : path.lanes) mask |= LaneMask(warp.wait_mask[lane]);
        const LaneMask missed = mask & exited & warp.released_early;
        if (missed.any()) launch_.faults.absent_from_mask(block, warp, path, mask, missed, LaneMask());
    });
    warp.released_early &= ~(complete | exited);
    if (complete.none()) return;
    // Several paths go on one after the other; that they have met is true of all at once.
    for (LaneMask left = meeting; paths > 1 && block.followed && left.any();) {
        LaneMask group;
        for (const unsigned lane : left) {
            if (warp.wait_mask[lane] == warp.wait_mask[left.lowest()]) group |= LaneMask::only(lane);
        }
        launch_.check.meet_in_warp(block, warp, group);
        left &= ~group;
    }
    warp.synced |= complete;
    warp.divergence.resume(waits_for_warp, complete);
}

/// Whether lanes that go on at `from` may come to an instruction that counts for those who wait at `pc`.
template <Recording recording>
bool Interpreter<recording>::leads_to(Pc from, Pc pc) const {
    std::vector<bool> seen(code_.micros.size());
    std::vector<Pc> open{from};
    while (!open.empty()) {
        const Pc at = open.back();
        open.pop_back();
        if (seen[at]) continue;
        seen[at] = true;
        if (counts_for(at, pc)) return true;
        const Micro& micro = code_.micros[at];
        bool falls_through = micro.guard != always_slot;
        switch (micro.kind) {
            case Kind::branch: open.push_back(micro.target); break;
            case Kind::branch_indexed:
                for (std::uint32_t i = 0; i < micro.target_count; ++i)
                    open.push_back(code_.targets[micro.first_target + i]);
                break;
            case Kind::call: {
                const Call& call = code_.calls[micro.access];
                if (!call.callee) return true;  // anywhere
                open.push_back(code_.callees[*call.callee].begin);
                falls_through = true;
                break;
            }
            case Kind::return_from_call: return true;  // to any caller
            case Kind::exit:
            case Kind::trap: break;
            default: falls_through = true;
        }
        if (falls_through) open.push_back(at + 1);
    }
    return false;
}

/// Nothing makes lanes wait for their siblings where a branch joins: while some wait for the lanes of a mask, those go on,
/// if they may so come to where they are waited for. Those that have nothing left to do but to return have returned early.
template <Recording recording>
bool Interpreter<recording>::release_early(Warp& warp) {
    const Pc next = warp.divergence.behind_siblings();
    if (next == no_pc) return false;
    const bool returns = only_exits(next);
    bool helps = false;
    LaneMask waiting;
    warp.divergence.for_each_waiting([&](const Divergence::Waiting& path) {
        waiting |= path.lanes;
        helps = helps || (path.reason == waits_for_warp && (returns || leads_to(next, path.pc)));
    });
    if (!helps || !warp.divergence.leave_siblings()) return false;
    if (!returns) warp.released_early |= warp.divergence.lanes();
    return true;
}

template <Recording recording>
bool Interpreter<recording>::go_on_without_the_masked(Block& block, Warp& warp) {
    LaneMask waiting;
    warp.divergence.for_each_waiting([&](const Divergence::Waiting& path) {
        if (path.reason != waits_for_warp) return;
        LaneMask mask;
        for (const unsigned lane : path.lanes) mask |= LaneMask(warp.wait_mask[lane]);
        launch_.faults.absent_from_mask(block, warp, path, mask, absent_for(warp, path), waits_with(warp, path));
        waiting |= path.lanes;
    });
    if (waiting.none()) return false;
    warp.synced |= waiting;
    warp.divergence.resume(waits_for_warp, waiting);
    return true;
}

template class Interpreter<Recording::none>;
template class Interpreter<Recording::accesses>;
template class Interpreter<Recording::everything>;

}  // namespace lanescope::execute
