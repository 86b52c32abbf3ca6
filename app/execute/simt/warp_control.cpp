#include "execute/simt/warp_control.h"

namespace lanescope::execute {

void WarpControl::start(LaneMask lanes, Pc pc) {
    Divergence::start(lanes, pc);
    released_ = LaneMask();
    released_early_ = LaneMask();
    loop_ = no_pc;
    polled_ = false;
    progressed_ = false;
    idle_iterations_ = 0;
}

/// The lanes of `lanes` that wait with the mask of `lane`.
LaneMask WarpControl::with_same_mask(LaneMask lanes, unsigned lane) const {
    LaneMask group;
    for (const unsigned other : lanes) {
        if (masks_[other] == masks_[lane]) group |= LaneMask::only(other);
    }
    return group;
}

WarpControl::Arrival WarpControl::arrive_at_sync(LaneMask executed, const std::uint32_t* masks) {
    for (const unsigned lane : executed) masks_[lane] = masks[lane];
    LaneMask foreign;
    LaneMask absent;
    for (LaneMask left = executed; left.any();) {
        const LaneMask mask(masks_[left.lowest()]);
        const LaneMask group = with_same_mask(left, left.lowest());
        foreign |= group & ~mask;
        absent |= mask & live() & ~group;
        left &= ~group;
    }
    if (absent.none() || (executed & ~released_).none()) {
        released_ &= ~executed;
        return {.executes = true, .foreign = foreign};
    }
    // Lanes whose guard is false continue at the next instruction.
    if (executed != lanes()) branch(lanes() & ~executed, pc() + 1, pc(), no_pc);
    wait(waits_for_warp);
    return {};
}

LaneMask WarpControl::mask_of(const Waiting& path) const {
    LaneMask mask;
    for (const unsigned lane : path.lanes) mask |= LaneMask(masks_[lane]);
    return mask;
}

/// The lanes that count as arrived for that path.
LaneMask WarpControl::waiting_with(const SyncSites& sites, const Waiting& path) const {
    LaneMask lanes;
    for_each_waiting([&](const Waiting& other) {
        if (other.reason == waits_for_warp && sites.meet(*this, other, path)) lanes |= other.lanes;
    });
    return lanes;
}

/// The lanes that a path waits for: its masks name them, and they have neither exited nor arrived with the same mask.
LaneMask WarpControl::absent_for(const SyncSites& sites, const Waiting& path) const {
    const LaneMask there = waiting_with(sites, path);
    LaneMask absent;
    for (const unsigned lane : path.lanes) {
        const LaneMask named = LaneMask(masks_[lane]) & live();
        absent |= named & ~with_same_mask(there, lane);
    }
    return absent;
}

WarpControl::Release WarpControl::release_complete(const SyncSites& sites, LaneMask exited) {
    Release result;
    LaneMask complete;
    LaneMask meeting;  // lanes of these at a barrier
    unsigned paths = 0;
    for_each_waiting([&](const Waiting& path) {
        if (path.reason != waits_for_warp || absent_for(sites, path).any()) return;
        complete |= path.lanes;
        if (sites.is_barrier(path.pc)) meeting |= path.lanes;
        ++paths;
        const LaneMask mask = mask_of(path);
        const LaneMask missed = mask & exited & released_early_;
        if (missed.any()) result.absences.push_back({.path = path, .mask = mask, .absent = missed, .there = {}});
    });
    released_early_ &= ~(complete | exited);
    if (complete.none()) return result;
    // Several paths continue one after the other, but all lanes met at once.
    for (LaneMask left = meeting; paths > 1 && left.any();) {
        const LaneMask group = with_same_mask(left, left.lowest());
        result.meetings.push_back(group);
        left &= ~group;
    }
    released_ |= complete;
    resume(waits_for_warp, complete);
    return result;
}

std::vector<WarpControl::Absence> WarpControl::release_incomplete(const SyncSites& sites) {
    std::vector<Absence> absences;
    LaneMask waiting;
    for_each_waiting([&](const Waiting& path) {
        if (path.reason != waits_for_warp) return;
        absences.push_back({.path = path,
                            .mask = mask_of(path),
                            .absent = absent_for(sites, path),
                            .there = waiting_with(sites, path)});
        waiting |= path.lanes;
    });
    if (waiting.none()) return absences;
    released_ |= waiting;
    resume(waits_for_warp, waiting);
    return absences;
}

bool WarpControl::release_early(const SyncSites& sites) {
    const Pc next = next_without_siblings();
    if (next == no_pc) return false;
    const bool exits = sites.only_exits(next);  // then they return early, which is not a fault
    bool helps = false;
    for_each_waiting([&](const Waiting& path) {
        helps = helps || (path.reason == waits_for_warp && (exits || sites.leads_to(next, path.pc)));
    });
    if (!helps || !leave_siblings()) return false;
    if (!exits) released_early_ |= lanes();
    return true;
}

void WarpControl::turn_back(Pc pc) {
    loop_ = pc;
    if (polled_ && !progressed_) {
        if (++idle_iterations_ % patience == 0) yield();
    } else {
        idle_iterations_ = 0;
    }
    polled_ = false;
    progressed_ = false;
}

}  // namespace lanescope::execute
