#include "execute/emulator/warp_sync.h"

namespace lanescope::execute {

bool CodeSyncSites::meet(const Divergence& divergence, const Divergence::Waiting& path,
                         const Divergence::Waiting& other) const {
    if (!counts_for(path.pc, other.pc)) return false;
    return is_barrier(path.pc) ||
           code_.blamed(divergence, path.pc, &path) == code_.blamed(divergence, other.pc, &other);
}

bool CodeSyncSites::leads_to(Pc from, Pc pc) const {
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
                if (!call.callee) return true;  // it may call any function
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

bool CodeSyncSites::only_exits(Pc pc) const {
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

bool WarpSync::arrive(const WarpStep& step) {
    const std::uint32_t* masks = masks_of(step);
    const WarpControl::Arrival arrival = step.warp.control.arrive_at_sync(step.executed, masks);
    if (arrival.foreign.any())
        launch_.faults.not_in_own_mask(step, arrival.foreign, LaneMask(masks[arrival.foreign.lowest()]));
    if (!arrival.executes) release_complete(step.block, step.warp, LaneMask());
    return arrival.executes;
}

void WarpSync::release_complete(Block& block, Warp& warp, LaneMask exited) {
    const WarpControl::Release released = warp.control.release_complete(sites_, exited);
    report(block, warp, released.absences);
    if (!block.followed) return;
    for (const LaneMask group : released.meetings) launch_.check.meet_in_warp(block, warp, group);
}

void WarpSync::report(const Block& block, const Warp& warp, const std::vector<WarpControl::Absence>& absences) const {
    for (const WarpControl::Absence& absence : absences) launch_.faults.absent_from_mask(block, warp, absence);
}

bool WarpSync::release_early(Block& block) const {
    bool some = false;
    for (Warp& warp : block.warps) some = warp.control.release_early(sites_) || some;
    return some;
}

bool WarpSync::release_incomplete(Block& block) const {
    bool some = false;
    for (Warp& warp : block.warps) {
        const auto absences = warp.control.release_incomplete(sites_);
        report(block, warp, absences);
        some = some || !absences.empty();
    }
    return some;
}

}  // namespace lanescope::execute
