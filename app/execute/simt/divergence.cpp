#include "execute/simt/divergence.h"

#include <algorithm>
#include <cassert>

namespace lanescope::execute {

void Divergence::start(LaneMask lanes, Pc pc) {
    paths_.clear();
    joins_.clear();
    free_joins_.clear();
    live_ = lanes;
    current_ = none;
    if (lanes.none()) return;
    paths_.push_back({.pc = pc, .lanes = lanes});
    current_ = 0;
}

std::uint32_t Divergence::new_join(const Join& join) {
    if (free_joins_.empty()) {
        joins_.push_back(join);
        return static_cast<std::uint32_t>(joins_.size() - 1);
    }
    const std::uint32_t index = free_joins_.back();
    free_joins_.pop_back();
    joins_[index] = join;
    return index;
}

/// The lanes `taken`, some but not all, leave the current path.
void Divergence::part(LaneMask taken, Pc target, Pc next, Pc join) {
    assert(runnable() && taken.any() && taken != lanes());
    Path& path = here();
    if (join == no_pc || join == path.join_pc) {
        // The parts meet where this path is bound already: every round of a loop that some lanes leave.
        if (path.join != none) ++joins_[path.join].on_the_way;
    } else {
        path.join = new_join(
            {.arrived = LaneMask(), .on_the_way = 2, .pc = join, .outer_pc = path.join_pc, .outer = path.join});
        path.join_pc = join;
    }
    path.lanes &= ~taken;
    path.pc = next;
    const bool at_join = next == path.join_pc;
    if (target == path.join_pc) {
        joins_[path.join].arrived |= taken;
        --joins_[path.join].on_the_way;  // never the last: this path is on its way
    } else {
        const Path other{.pc = target, .lanes = taken, .join_pc = path.join_pc, .join = path.join};
        paths_.push_back(other);
    }
    if (at_join) arrive();
}

void Divergence::call(Pc pc) {
    Path& path = here();
    const Pc back = path.pc | returns;
    path.join =
        new_join({.arrived = LaneMask(), .on_the_way = 1, .pc = back, .outer_pc = path.join_pc, .outer = path.join});
    path.join_pc = back;
    path.pc = pc;
}

void Divergence::return_from_call(LaneMask lanes, Pc next) { branch(lanes, here().join_pc, next, no_pc); }

void Divergence::exit(LaneMask lanes, Pc next) {
    live_ &= ~lanes;
    here().lanes &= ~lanes;
    if (here().lanes.any()) return advance(next);
    const std::uint32_t join = here().join;
    drop_current();
    leave_join(join);
    choose();
}

/// The current path is at its join.
void Divergence::arrive() {
    Path& path = here();
    const std::uint32_t join = path.join;
    assert(join != none && joins_[join].pc == path.pc);
    Join& met = joins_[join];
    if (met.on_the_way == 1 && current_ + 1 == paths_.size() && behind(met.pc) != met.outer_pc) {
        // The last to come, as nearly always, is the path that goes on.
        path.pc = behind(met.pc);
        path.lanes |= met.arrived;
        path.join_pc = met.outer_pc;
        path.join = met.outer;
        free_joins_.push_back(join);
        return;
    }
    met.arrived |= path.lanes;
    drop_current();
    leave_join(join);
    choose();
}

void Divergence::drop_current() {
    paths_.erase(paths_.begin() + current_);
    current_ = none;
}

/// One path fewer is on its way to the join. When none is, those that arrived go on as one path, which may find itself at
/// the next join at once.
void Divergence::leave_join(std::uint32_t join) {
    while (join != none) {
        Join& met = joins_[join];
        if (--met.on_the_way > 0) return;
        const Join done = met;
        free_joins_.push_back(join);
        join = done.outer;
        if (done.arrived.none()) continue;
        if (behind(done.pc) != done.outer_pc) {
            paths_.push_back(
                {.pc = behind(done.pc), .lanes = done.arrived, .join_pc = done.outer_pc, .join = done.outer});
            return;
        }
        joins_[join].arrived |= done.arrived;
    }
}

/// The youngest path that can execute: what is inside finishes before what is outside goes on.
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

void Divergence::release_several(std::uint32_t reason) {
    for (Path& path : paths_) {
        if (path.reason != reason) continue;
        path.reason = none;
        ++path.pc;
    }
    merge_twins();
    for (std::size_t index = 0; index < paths_.size();) {
        if (paths_[index].reason != none || paths_[index].join == none || paths_[index].pc != paths_[index].join_pc) {
            ++index;
            continue;
        }
        current_ = static_cast<std::uint32_t>(index);
        const std::uint32_t join = here().join;
        joins_[join].arrived |= here().lanes;
        drop_current();
        leave_join(join);
        index = 0;
    }
    choose();
}

void Divergence::resume(std::uint32_t reason, LaneMask lanes) {
    for (Path& path : paths_) {
        if (path.reason == reason && (path.lanes & ~lanes).none()) path.reason = none;
    }
    merge_twins();
    choose();
}

/// Divergence at the same instruction, bound for the same join, need not walk apart.
void Divergence::merge_twins() {
    for (std::size_t first = 0; first < paths_.size(); ++first) {
        for (std::size_t second = paths_.size() - 1; second > first; --second) {
            Path& kept = paths_[first];
            const Path& twin = paths_[second];
            if (kept.pc != twin.pc || kept.join != twin.join || kept.reason != none || twin.reason != none) continue;
            kept.lanes |= twin.lanes;
            if (twin.join != none) --joins_[twin.join].on_the_way;
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
    return leave_early(here().join);
}

bool Divergence::leave_siblings() {
    for (std::size_t index = paths_.size(); index-- > 0;) {
        if (leave_early(paths_[index].join)) return true;
    }
    return false;
}

Pc Divergence::behind_siblings() const {
    for (std::size_t index = paths_.size(); index-- > 0;) {
        for (std::uint32_t join = paths_[index].join; join != none; join = joins_[join].outer) {
            if (joins_[join].arrived.none()) continue;
            while (joins_[join].outer != none && behind(joins_[join].pc) == joins_[join].outer_pc) {
                join = joins_[join].outer;
            }
            return behind(joins_[join].pc);
        }
    }
    return no_pc;
}

/// The lanes that arrived at the join, or at the nearest one around it where some have, become the current path.
bool Divergence::leave_early(std::uint32_t join) {
    for (; join != none; join = joins_[join].outer) {
        Join& waited = joins_[join];
        if (waited.arrived.none()) continue;
        paths_.push_back(
            {.pc = behind(waited.pc), .lanes = waited.arrived, .join_pc = waited.outer_pc, .join = waited.outer});
        if (waited.outer != none) ++joins_[waited.outer].on_the_way;
        waited.arrived = LaneMask();
        // It may be where the enclosing join is, too: then it waits there, and that one is asked next.
        if (waited.outer != none && behind(waited.pc) == waited.outer_pc) {
            joins_[waited.outer].arrived |= paths_.back().lanes;
            --joins_[waited.outer].on_the_way;
            paths_.pop_back();
            continue;
        }
        current_ = static_cast<std::uint32_t>(paths_.size() - 1);
        return true;
    }
    return false;
}

}  // namespace lanescope::execute
