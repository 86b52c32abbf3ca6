#include "execute/simt/paths.h"

#include <algorithm>
#include <cassert>

namespace lanescope::execute {

void Paths::start(LaneMask lanes, Pc pc) {
    paths_.clear();
    joins_.clear();
    free_joins_.clear();
    live_ = lanes;
    current_ = none;
    if (lanes.none()) return;
    paths_.push_back({.pc = pc, .lanes = lanes});
    make_current(0);
}

void Paths::make_current(std::uint32_t index) {
    current_ = index;
    here_ = paths_[index];
}

std::uint32_t Paths::new_join(const Join& join) {
    if (free_joins_.empty()) {
        joins_.push_back(join);
        return static_cast<std::uint32_t>(joins_.size() - 1);
    }
    const std::uint32_t index = free_joins_.back();
    free_joins_.pop_back();
    joins_[index] = join;
    return index;
}

void Paths::branch(LaneMask taken, Pc target, Pc next, Pc join) {
    assert(runnable());
    taken &= here_.lanes;
    if (taken.none()) return advance(next);
    if (taken == here_.lanes) return advance(target);

    if (join == no_pc || join == here_.join_pc) {
        // The parts meet where this path is bound already: every round of a loop that some lanes leave.
        if (here_.join != none) ++joins_[here_.join].on_the_way;
    } else {
        here_.join = new_join(
            {.arrived = LaneMask(), .on_the_way = 2, .pc = join, .outer_pc = here_.join_pc, .outer = here_.join});
        here_.join_pc = join;
    }
    Path other = here_;
    other.lanes = taken;
    other.pc = target;
    here_.lanes &= ~taken;
    here_.pc = next;
    save();
    if (target == here_.join_pc) {
        joins_[here_.join].arrived |= taken;
        --joins_[here_.join].on_the_way;  // never the last: this path is on its way
    } else {
        paths_.push_back(other);
    }
    if (next == here_.join_pc) arrive();
}

void Paths::call(Pc pc) {
    const Pc back = here_.pc | returns;
    here_.join =
        new_join({.arrived = LaneMask(), .on_the_way = 1, .pc = back, .outer_pc = here_.join_pc, .outer = here_.join});
    here_.join_pc = back;
    here_.pc = pc;
}

void Paths::give_back(LaneMask lanes, Pc next) { branch(lanes, here_.join_pc, next, no_pc); }

void Paths::exit(LaneMask lanes, Pc next) {
    live_ &= ~lanes;
    here_.lanes &= ~lanes;
    if (here_.lanes.any()) return advance(next);
    const std::uint32_t join = here_.join;
    drop_current();
    leave_join(join);
    choose();
}

/// The current path is at its join.
void Paths::arrive() {
    const std::uint32_t join = here_.join;
    assert(join != none && joins_[join].pc == here_.pc);
    joins_[join].arrived |= here_.lanes;
    drop_current();
    leave_join(join);
    choose();
}

void Paths::drop_current() {
    paths_.erase(paths_.begin() + current_);
    current_ = none;
}

/// One path fewer is on its way to the join. When none is, those that arrived go on as one path, which may find itself at
/// the next join at once.
void Paths::leave_join(std::uint32_t join) {
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
void Paths::choose() {
    const auto ready =
        std::find_if(paths_.rbegin(), paths_.rend(), [](const Path& path) { return path.reason == none; });
    if (ready == paths_.rend()) {
        current_ = none;
        return;
    }
    make_current(static_cast<std::uint32_t>(paths_.rend() - ready) - 1U);
}

void Paths::wait(std::uint32_t reason) {
    here_.reason = reason;
    save();
    choose();
}

LaneMask Paths::waiting_for(std::uint32_t reason) const {
    LaneMask lanes;
    for (const Path& path : paths_) {
        if (path.reason == reason) lanes |= path.lanes;
    }
    return lanes;
}

void Paths::release(std::uint32_t reason) {
    if (paths_.size() == 1 && paths_.front().reason == reason && paths_.front().join == none) {
        // All lanes together, as nearly always.
        paths_.front().reason = none;
        ++paths_.front().pc;
        return make_current(0);
    }
    if (current_ != none) save();
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
        make_current(static_cast<std::uint32_t>(index));
        const std::uint32_t join = here_.join;
        joins_[join].arrived |= here_.lanes;
        drop_current();
        leave_join(join);
        index = 0;
    }
    choose();
}

void Paths::resume(std::uint32_t reason, LaneMask lanes) {
    if (current_ != none) save();
    for (Path& path : paths_) {
        if (path.reason == reason && (path.lanes & ~lanes).none()) path.reason = none;
    }
    merge_twins();
    choose();
}

/// Paths at the same instruction, bound for the same join, need not walk apart.
void Paths::merge_twins() {
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

bool Paths::yield() {
    if (current_ == none) return false;
    save();
    for (std::uint32_t step = 1; step < paths_.size(); ++step) {
        const auto index = static_cast<std::uint32_t>((current_ + paths_.size() - step) % paths_.size());
        if (paths_[index].reason != none) continue;
        make_current(index);
        return true;
    }
    return leave_early(here_.join);
}

bool Paths::leave_siblings() {
    for (std::size_t index = paths_.size(); index-- > 0;) {
        if (leave_early(paths_[index].join)) return true;
    }
    return false;
}

/// The lanes that arrived at the join, or at the nearest one around it where some have, become the current path.
bool Paths::leave_early(std::uint32_t join) {
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
        make_current(static_cast<std::uint32_t>(paths_.size() - 1));
        return true;
    }
    return false;
}

}  // namespace lanescope::execute
