#include "execute/simt/divergence.h"

#include <algorithm>
#include <cassert>

namespace lanescope::execute {

void Divergence::start(LaneMask lanes, Pc pc) {
    paths_.clear();
    points_.clear();
    free_points_.clear();
    live_ = lanes;
    current_ = none;
    if (lanes.none()) return;
    paths_.push_back({.pc = pc, .lanes = lanes});
    current_ = 0;
}

std::uint32_t Divergence::new_point(const ReconvergencePoint& point) {
    if (free_points_.empty()) {
        points_.push_back(point);
        return static_cast<std::uint32_t>(points_.size() - 1);
    }
    const std::uint32_t index = free_points_.back();
    free_points_.pop_back();
    points_[index] = point;
    return index;
}

/// The lanes `taken`, some but not all, leave the current path.
void Divergence::split(LaneMask taken, Pc target, Pc next, Pc reconvergence) {
    assert(runnable() && taken.any() && taken != lanes());
    Path& path = here();
    if (reconvergence == no_pc || reconvergence == path.point_pc) {
        // The parts reconverge where this path already does: every iteration of a loop that some lanes leave.
        if (path.point != none) ++points_[path.point].on_the_way;
    } else {
        path.point = new_point({.arrived = LaneMask(),
                                .on_the_way = 2,
                                .pc = reconvergence,
                                .outer_pc = path.point_pc,
                                .outer = path.point});
        path.point_pc = reconvergence;
    }
    path.lanes &= ~taken;
    path.pc = next;
    const bool at_point = next == path.point_pc;
    if (target == path.point_pc) {
        points_[path.point].arrived |= taken;
        --points_[path.point].on_the_way;  // never the last: this path is on its way
    } else {
        const Path other{.pc = target, .lanes = taken, .point_pc = path.point_pc, .point = path.point};
        paths_.push_back(other);
    }
    if (at_point) arrive();
}

void Divergence::call(Pc pc) {
    Path& path = here();
    const Pc back = path.pc | returns;
    path.point =
        new_point({.arrived = LaneMask(), .on_the_way = 1, .pc = back, .outer_pc = path.point_pc, .outer = path.point});
    path.point_pc = back;
    path.pc = pc;
}

void Divergence::return_from_call(LaneMask lanes, Pc next) { branch(lanes, here().point_pc, next, no_pc); }

void Divergence::exit(LaneMask lanes, Pc next) {
    live_ &= ~lanes;
    here().lanes &= ~lanes;
    if (here().lanes.any()) return advance(next);
    const std::uint32_t point = here().point;
    drop_current();
    leave_point(point);
    choose();
}

/// The current path arrives at its reconvergence point.
void Divergence::arrive() {
    Path& path = here();
    const std::uint32_t point = path.point;
    assert(point != none && points_[point].pc == path.pc);
    ReconvergencePoint& met = points_[point];
    if (met.on_the_way == 1 && current_ + 1 == paths_.size() && next_pc(met.pc) != met.outer_pc) {
        // The common case: the last path to arrive is the one that continues.
        path.pc = next_pc(met.pc);
        path.lanes |= met.arrived;
        path.point_pc = met.outer_pc;
        path.point = met.outer;
        free_points_.push_back(point);
        return;
    }
    met.arrived |= path.lanes;
    drop_current();
    leave_point(point);
    choose();
}

void Divergence::drop_current() {
    paths_.erase(paths_.begin() + current_);
    current_ = none;
}

/// One path fewer is on its way to the point. When none is, the lanes that arrived continue as one path, which may be
/// at the next point at once.
void Divergence::leave_point(std::uint32_t point) {
    while (point != none) {
        ReconvergencePoint& met = points_[point];
        if (--met.on_the_way > 0) return;
        const ReconvergencePoint done = met;
        free_points_.push_back(point);
        point = done.outer;
        if (done.arrived.none()) continue;
        if (next_pc(done.pc) != done.outer_pc) {
            paths_.push_back(
                {.pc = next_pc(done.pc), .lanes = done.arrived, .point_pc = done.outer_pc, .point = done.outer});
            return;
        }
        points_[point].arrived |= done.arrived;
    }
}

/// The newest path that can execute: inner branches finish before outer ones continue.
void Divergence::choose() {
    const auto ready =
        std::find_if(paths_.rbegin(), paths_.rend(), [](const Path& path) { return path.reason == none; });
    if (ready == paths_.rend()) {
        current_ = none;
        return;
    }
    current_ = static_cast<std::uint32_t>(paths_.rend() - ready) - 1U;
}

LaneMask Divergence::waiting_for(std::uint32_t reason) const {
    LaneMask lanes;
    for (const Path& path : paths_) {
        if (path.reason == reason) lanes |= path.lanes;
    }
    return lanes;
}

LaneMask Divergence::ready() const {
    LaneMask lanes;
    for (const Path& path : paths_) {
        if (path.reason == none) lanes |= path.lanes;
    }
    return lanes;
}

void Divergence::release_several(std::uint32_t reason) {
    for (Path& path : paths_) {
        if (path.reason != reason) continue;
        path.reason = none;
        ++path.pc;
    }
    merge_equal_paths();
    for (std::size_t index = 0; index < paths_.size();) {
        if (paths_[index].reason != none || paths_[index].point == none || paths_[index].pc != paths_[index].point_pc) {
            ++index;
            continue;
        }
        current_ = static_cast<std::uint32_t>(index);
        const std::uint32_t point = here().point;
        points_[point].arrived |= here().lanes;
        drop_current();
        leave_point(point);
        index = 0;
    }
    choose();
}

void Divergence::resume(std::uint32_t reason, LaneMask lanes) {
    for (Path& path : paths_) {
        if (path.reason == reason && (path.lanes & ~lanes).none()) path.reason = none;
    }
    merge_equal_paths();
    choose();
}

/// Paths at the same instruction with the same reconvergence point become one. So do paths that each have points of
/// their own up to a common one, if nothing else is on its way to them: both made the same calls.
void Divergence::merge_equal_paths() {
    const auto alike = [&](std::uint32_t first, std::uint32_t second) {
        for (; first != second; first = points_[first].outer, second = points_[second].outer) {
            if (first == none || second == none) return false;
            const ReconvergencePoint &own = points_[first], &other = points_[second];
            const bool alone = own.on_the_way == 1 && other.on_the_way == 1 && (own.arrived | other.arrived).none();
            if (own.pc != other.pc || !alone) return false;
        }
        return true;
    };
    for (std::size_t first = 0; first < paths_.size(); ++first) {
        for (std::size_t second = paths_.size() - 1; second > first; --second) {
            Path& kept = paths_[first];
            const Path& equal = paths_[second];
            const bool ready = kept.reason == none && equal.reason == none;
            if (kept.pc != equal.pc || !ready || !alike(kept.point, equal.point)) continue;
            kept.lanes |= equal.lanes;
            std::uint32_t point = equal.point;
            for (std::uint32_t own = kept.point; point != own; own = points_[own].outer) {
                free_points_.push_back(point);
                point = points_[point].outer;
            }
            if (point != none) --points_[point].on_the_way;
            paths_.erase(paths_.begin() + static_cast<std::ptrdiff_t>(second));
        }
    }
}

bool Divergence::yield() {
    if (current_ == none) return false;
    for (std::uint32_t step = 1; step < paths_.size(); ++step) {
        const auto index = static_cast<std::uint32_t>((current_ + paths_.size() - step) % paths_.size());
        if (paths_[index].reason != none) continue;
        current_ = index;
        return true;
    }
    return leave_early(here().point);
}

bool Divergence::leave_siblings() {
    for (std::size_t index = paths_.size(); index-- > 0;) {
        if (leave_early(paths_[index].point)) return true;
    }
    return false;
}

Pc Divergence::next_without_siblings() const {
    for (std::size_t index = paths_.size(); index-- > 0;) {
        for (std::uint32_t point = paths_[index].point; point != none; point = points_[point].outer) {
            if (points_[point].arrived.none()) continue;
            while (points_[point].outer != none && next_pc(points_[point].pc) == points_[point].outer_pc) {
                point = points_[point].outer;
            }
            return next_pc(points_[point].pc);
        }
    }
    return no_pc;
}

/// The lanes that arrived at the point, or at the nearest outer one at which some have, become the current path.
bool Divergence::leave_early(std::uint32_t point) {
    for (; point != none; point = points_[point].outer) {
        ReconvergencePoint& waited = points_[point];
        if (waited.arrived.none()) continue;
        paths_.push_back(
            {.pc = next_pc(waited.pc), .lanes = waited.arrived, .point_pc = waited.outer_pc, .point = waited.outer});
        if (waited.outer != none) ++points_[waited.outer].on_the_way;
        waited.arrived = LaneMask();
        // The outer point may be at the same instruction: then these lanes wait there, and it is tested next.
        if (waited.outer != none && next_pc(waited.pc) == waited.outer_pc) {
            points_[waited.outer].arrived |= paths_.back().lanes;
            --points_[waited.outer].on_the_way;
            paths_.pop_back();
            continue;
        }
        current_ = static_cast<std::uint32_t>(paths_.size() - 1);
        return true;
    }
    return false;
}

}  // namespace lanescope::execute
