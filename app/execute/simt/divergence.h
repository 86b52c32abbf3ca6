// The divergence of one warp: which lanes are at which instruction, and where paths that split reconverge.
//
// A path is a set of lanes at one instruction. At a branch that not all lanes take, a path splits in two. The parts
// reconverge at the branch's immediate post-dominator, the reconvergence point: lanes that arrive there wait, and
// continue as one path once no other path can still arrive. Reconvergence points nest as branches do. One path is
// current and executes. A stack would hide the other paths; here all are accessible, so that a path may wait at a
// barrier, or yield, while others execute.
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

    /// Whether some path can execute. If not, all remaining paths wait, or none is left.
    [[nodiscard]] bool runnable() const { return current_ != none; }
    [[nodiscard]] bool finished() const { return paths_.empty(); }

    // The current path. Only while runnable().
    [[nodiscard]] Pc pc() const { return here().pc; }
    [[nodiscard]] LaneMask lanes() const { return here().lanes; }
    /// The call() that the current path will return from. Only outside all branches, as where a function returns.
    [[nodiscard]] Pc caller() const { return here().point_pc & ~returns; }

    /// The current path continues at `pc`; if that is its reconvergence point, it arrives there.
    void advance(Pc pc) {
        Path& path = here();
        path.pc = pc;
        if (pc == path.point_pc) arrive();
    }
    /// The same for a `pc` that is not a reconvergence point.
    void pass(Pc pc) { here().pc = pc; }

    /// The lanes `taken` of the current path go to `target`, the others to `next`; they reconverge at `reconvergence`
    /// (no_pc: never). Lanes that do not branch execute first.
    void branch(LaneMask taken, Pc target, Pc next, Pc reconvergence) {
        const LaneMask all = lanes();
        taken &= all;
        if (taken.none()) return advance(next);
        if (taken == all) return advance(target);
        split(taken, target, next, reconvergence);
    }

    /// The lanes exit; the rest of the current path continues at `next`.
    void exit(LaneMask lanes, Pc next);

    /// The current path, at a call, continues at `pc`, a function's first instruction. Its lanes reconverge when all
    /// have returned, and continue after the call.
    void call(Pc pc);
    /// The lanes have reached the end of the function of the current path; the rest of the path continues at `next`.
    void return_from_call(LaneMask lanes, Pc next);

    /// The current path waits at its instruction for `reason`. Another path may become current.
    void wait(std::uint32_t reason) {
        here().reason = reason;
        if (paths_.size() == 1) {
            current_ = none;
        } else {
            choose();
        }
    }

    /// `lanes` of the current path, all or some of them, wait at its instruction for `reason`.
    void set_aside(LaneMask lanes, std::uint32_t reason) {
        if (lanes == here().lanes) return wait(reason);
        split(lanes, here().pc, here().pc, no_pc);
        paths_.back().reason = reason;
    }

    /// Another path that can execute becomes current, if there is one; otherwise the lanes that wait at a reconvergence
    /// point continue without those still on their way. So a spinning path yields to the lanes that it waits for.
    bool yield();

    struct Waiting {
        LaneMask lanes;
        Pc pc;
        std::uint32_t reason;
        std::uint32_t point;
    };
    /// Calls visit(Waiting) for each waiting path, the oldest first.
    template <class Visit>
    void for_each_waiting(Visit visit) const {
        for (const Path& path : paths_) {
            if (path.reason != none) visit(Waiting{path.lanes, path.pc, path.reason, path.point});
        }
    }
    [[nodiscard]] LaneMask waiting_for(std::uint32_t reason) const;
    /// The lanes of all paths that can execute.
    [[nodiscard]] LaneMask ready() const;
    /// Whether the warp is one path, outside all branches, that waits for `reason`: the common case at a barrier.
    [[nodiscard]] bool all_wait_for(std::uint32_t reason) const {
        return paths_.size() == 1 && paths_.front().reason == reason && paths_.front().point == none;
    }
    /// The instruction where it waits; only while all_wait_for() is true for some reason.
    [[nodiscard]] Pc all_wait_at() const { return paths_.front().pc; }
    /// Calls visit(Pc) for each call() that a path is inside, the innermost first: of a waiting path, or otherwise of
    /// the current one.
    template <class Visit>
    void for_each_call(const Waiting* path, Visit visit) const {
        const std::uint32_t first = path != nullptr ? path->point : current_ != none ? here().point : none;
        for (std::uint32_t point = first; point != none; point = points_[point].outer) {
            const Pc pc = points_[point].pc;
            if (pc != no_pc && (pc & returns) != 0) visit(pc & ~returns);
        }
    }
    /// Every path that waits for `reason` continues at the instruction after its own. Paths at the same instruction
    /// with the same reconvergence point become one.
    void release(std::uint32_t reason) {
        if (!all_wait_for(reason)) return release_several(reason);
        paths_.front().reason = none;
        ++paths_.front().pc;
        current_ = 0;
    }
    /// Paths that wait for `reason`, and whose lanes are all among `lanes`, execute the instruction that they wait at.
    /// Paths at the same one with the same reconvergence point become one.
    void resume(std::uint32_t reason, LaneMask lanes);

    /// No path can execute: lanes that wait at a reconvergence point continue without those still on their way. False
    /// if no lanes wait at one.
    bool leave_siblings();
    /// The instruction where they would continue; no_pc: no lanes wait at a reconvergence point.
    [[nodiscard]] Pc next_without_siblings() const;

    [[nodiscard]] LaneMask live() const { return live_; }

    /// Whether all lanes continue as those of `other` would.
    [[nodiscard]] bool continues_as(const Divergence& other) const {
        return current_ == other.current_ && live_ == other.live_ && paths_ == other.paths_ && points_ == other.points_;
    }

  private:
    static constexpr std::uint32_t none = ~0U;
    /// Marks the reconvergence point after a call, by the call's own number: a recursive function passes the
    /// instruction after the call at every depth, and reconverges at one of them only.
    static constexpr Pc returns = Pc{1} << 31U;
    static Pc next_pc(Pc point_pc) {
        return point_pc != no_pc && (point_pc & returns) != 0 ? (point_pc & ~returns) + 1 : point_pc;
    }

    struct ReconvergencePoint {
        LaneMask arrived;
        std::uint32_t on_the_way = 0;  ///< paths and inner points that will arrive
        Pc pc = no_pc;
        Pc outer_pc = no_pc;  ///< the reconvergence point of the path that continues here
        std::uint32_t outer = none;
        friend bool operator==(const ReconvergencePoint&, const ReconvergencePoint&) = default;
    };
    struct Path {
        Pc pc = no_pc;
        LaneMask lanes;
        Pc point_pc = no_pc;
        std::uint32_t point = none;
        std::uint32_t reason = none;  ///< the reason to wait; none: it can execute
        friend bool operator==(const Path&, const Path&) = default;
    };

    void split(LaneMask taken, Pc target, Pc next, Pc reconvergence);
    void arrive();
    void drop_current();
    void choose();
    void leave_point(std::uint32_t point);
    std::uint32_t new_point(const ReconvergencePoint& point);
    void release_several(std::uint32_t reason);
    [[nodiscard]] Path& here() { return paths_[current_]; }
    [[nodiscard]] const Path& here() const { return paths_[current_]; }
    void merge_equal_paths();
    bool leave_early(std::uint32_t point);

    std::uint32_t current_ = none;  ///< the current path's place in paths_
    LaneMask live_;
    std::vector<Path> paths_;
    std::vector<ReconvergencePoint> points_;
    std::vector<std::uint32_t> free_points_;
};

}  // namespace lanescope::execute
