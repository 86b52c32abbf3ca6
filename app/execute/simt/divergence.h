// The paths of one warp: which lanes stand at which instruction, and where paths that parted come together again.
//
// A path is a set of lanes at one instruction. At a branch that not all lanes take it splits in two; the parts meet at
// the branch's immediate post-dominator, where a *join* gathers them: lanes that arrive there wait, and go on as one path
// when no other path is on its way. Joins nest as branches do. One path is current and executes; the other paths, which
// a stack would hide, are at hand, so that a path may block at a barrier, or yield, while its siblings go on.
#pragma once

#include "base/lane_mask.h"
#include "ptx/module.h"

#include <cstdint>
#include <vector>

namespace lanescope::execute {

using Pc = std::uint32_t;  ///< an instruction's number
inline constexpr Pc no_pc = ptx::no_instruction;

class Divergence {
  public:
    /// All `lanes` at `pc`, none of them exited.
    void start(LaneMask lanes, Pc pc);

    /// Whether some path can execute. If not, all that are left wait, or none is left.
    [[nodiscard]] bool runnable() const { return current_ != none; }
    [[nodiscard]] bool finished() const { return paths_.empty(); }

    // The current path. Only while runnable().
    [[nodiscard]] Pc pc() const { return here().pc; }
    [[nodiscard]] LaneMask lanes() const { return here().lanes; }
    /// The call() that the current path will return from. Only outside all branches, as where a function returns.
    [[nodiscard]] Pc caller() const { return here().join_pc & ~returns; }

    /// The current path goes on at `pc`; where that is its join, it arrives there.
    void advance(Pc pc) {
        Path& path = here();
        path.pc = pc;
        if (pc == path.join_pc) arrive();
    }
    /// The same to where no join is.
    void pass(Pc pc) { here().pc = pc; }

    /// The lanes `taken` of the current path go to `target`, the others to `next`; the parts meet at `join` (no_pc: they
    /// part for good). Those that did not branch go first.
    void branch(LaneMask taken, Pc target, Pc next, Pc join) {
        const LaneMask all = lanes();
        taken &= all;
        if (taken.none()) return advance(next);
        if (taken == all) return advance(target);
        part(taken, target, next, join);
    }

    /// The lanes leave for good; the rest of the current path goes on at `next`.
    void exit(LaneMask lanes, Pc next);

    /// The current path, at a call, goes on at `pc`, a function's first instruction. Its lanes meet again when all have
    /// returned, and go on behind the call.
    void call(Pc pc);
    /// The lanes have reached the end of the function that the current path is in; the rest of the path goes on at `next`.
    void return_from_call(LaneMask lanes, Pc next);

    /// The current path blocks where it is, with a number that tells what it waits for; another may become current.
    void wait(std::uint32_t reason) {
        here().reason = reason;
        if (paths_.size() == 1) {
            current_ = none;
        } else {
            choose();
        }
    }

    /// Another path that can execute becomes current, if there is one; the lanes that wait at a join go on without those
    /// that are still on their way. A spinning path yields so to what it waits for.
    bool yield();

    struct Waiting {
        LaneMask lanes;
        Pc pc;
        std::uint32_t reason;
        std::uint32_t join;
    };
    /// visit(Waiting) for each path that waits, the oldest first.
    template <class Visit>
    void for_each_waiting(Visit visit) const {
        for (const Path& path : paths_) {
            if (path.reason != none) visit(Waiting{path.lanes, path.pc, path.reason, path.join});
        }
    }
    [[nodiscard]] LaneMask waiting_for(std::uint32_t reason) const;
    /// Whether there is one path only, outside all branches, and waits for that: so it is nearly always at a barrier.
    [[nodiscard]] bool all_wait_for(std::uint32_t reason) const {
        return paths_.size() == 1 && paths_.front().reason == reason && paths_.front().join == none;
    }
    /// Where it waits; only while all_wait_for() something.
    [[nodiscard]] Pc all_wait_at() const { return paths_.front().pc; }
    /// visit(Pc) for each call() that a path is within, the innermost first: of a path that waits, or else the current one.
    template <class Visit>
    void for_each_call(const Waiting* path, Visit visit) const {
        const std::uint32_t first = path != nullptr ? path->join : current_ != none ? here().join : none;
        for (std::uint32_t join = first; join != none; join = joins_[join].outer) {
            const Pc pc = joins_[join].pc;
            if (pc != no_pc && (pc & returns) != 0) visit(pc & ~returns);
        }
    }
    /// Every path that waits for `reason` goes on at the instruction after its own. Divergence at the same instruction that
    /// are bound for the same join become one.
    void release(std::uint32_t reason) {
        if (!all_wait_for(reason)) return release_several(reason);
        paths_.front().reason = none;
        ++paths_.front().pc;
        current_ = 0;
    }
    /// Divergence that wait for `reason`, and whose lanes are all among `lanes`, execute the instruction that they wait at. Divergence
    /// at the same one become one where they can.
    void resume(std::uint32_t reason, LaneMask lanes);

    /// None can execute: lanes that wait at a join go on without those still on their way. False where there are none.
    bool leave_siblings();
    /// Where they would go on; no_pc where there are none.
    [[nodiscard]] Pc behind_siblings() const;

    [[nodiscard]] LaneMask live() const { return live_; }

  private:
    static constexpr std::uint32_t none = ~0U;
    /// Marks a join behind a call, with the call's own number. A function that calls itself passes the instruction behind
    /// the call at every depth, and is at its join at one.
    static constexpr Pc returns = Pc{1} << 31U;
    static Pc behind(Pc join_pc) {
        return join_pc != no_pc && (join_pc & returns) != 0 ? (join_pc & ~returns) + 1 : join_pc;
    }

    struct Join {
        LaneMask arrived;
        std::uint32_t on_the_way = 0;  ///< paths and inner joins that will arrive
        Pc pc = no_pc;
        Pc outer_pc = no_pc;  ///< where the joined path itself is bound
        std::uint32_t outer = none;
    };
    struct Path {
        Pc pc = no_pc;
        LaneMask lanes;
        Pc join_pc = no_pc;
        std::uint32_t join = none;
        std::uint32_t reason = none;  ///< what it waits for; none: it can execute
    };

    void part(LaneMask taken, Pc target, Pc next, Pc join);
    void arrive();
    void drop_current();
    void choose();
    void leave_join(std::uint32_t join);
    std::uint32_t new_join(const Join& join);
    void release_several(std::uint32_t reason);
    [[nodiscard]] Path& here() { return paths_[current_]; }
    [[nodiscard]] const Path& here() const { return paths_[current_]; }
    void merge_twins();
    bool leave_early(std::uint32_t join);

    std::uint32_t current_ = none;  ///< the current path's place in paths_
    LaneMask live_;
    std::vector<Path> paths_;
    std::vector<Join> joins_;
    std::vector<std::uint32_t> free_joins_;
};

}  // namespace lanescope::execute
