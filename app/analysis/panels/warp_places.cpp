#include "analysis/panels/warp_places.h"

#include <algorithm>
#include <array>

namespace lanescope::analysis {
namespace {

/// Each lane counts its own waits. The warp's place is that of its foremost lane, whose stamp a GPU writes last.
class Follower {
  public:
    explicit Follower(const BlockView& block) : block_(block) {}

    /// The warp executes step number `index`.
    void execute(std::size_t index) {
        // A warp waits at a block barrier until its next step.
        place_.waiting = false;
        const InstructionInfo* const line = block_.instruction_at(index);
        if (line == nullptr) return;
        const ptx::Instruction& instruction = *line->instruction;
        const trace::Step& step = block_.step_at(index);
        if (instruction.action() == ptx::Action::block_barrier) {
            if (!instruction.modifiers.aligned || instruction.modifiers.barrier == ptx::Barrier::arrive) return;
            if (step.executed.any()) at_barrier_ = true, count(step.executed);
        } else if (instruction.action() == ptx::Action::mbarrier_wait && !instruction.guard) {
            const LaneMask complete = lanes_that_go_on(step);
            count(complete);
            place_.waiting = complete.none();
        }
    }

    [[nodiscard]] WarpPlace place() const {
        // The last step was the barrier itself, so the wait that it began is not over.
        if (at_barrier_) return {.waits = place_.waits - 1, .waiting = true};
        return place_;
    }
    void go_on() { at_barrier_ = false; }

  private:
    void count(LaneMask lanes) {
        for (const unsigned lane : lanes) place_.waits = std::max(place_.waits, ++of_lane_[lane]);
    }

    [[nodiscard]] LaneMask lanes_that_go_on(const trace::Step& step) const {
        LaneMask complete;
        for (const trace::Effect& effect : block_.trace.effects(step)) {
            if (effect.kind != trace::EffectKind::register_write) continue;
            for (const unsigned lane : effect.lanes)
                if (block_.trace.after(effect, lane) != 0) complete |= LaneMask::only(lane);
        }
        return complete;
    }

    const BlockView& block_;
    std::array<std::uint64_t, warp_size> of_lane_{};
    WarpPlace place_;
    bool at_barrier_ = false;
};

}  // namespace

std::vector<WarpPlace> warp_places(const BlockView& block, std::size_t index) {
    const std::size_t warps = (block.launch().block.count() + warp_size - 1) / warp_size;
    std::vector<Follower> followers(warps, Follower(block));
    for (std::size_t i = 0; i < std::min(index, block.passes.steps.size()); ++i) {
        Follower& follower = followers[block.step_at(i).warp.index()];
        follower.go_on();
        follower.execute(i);
    }
    std::vector<WarpPlace> places;
    places.reserve(followers.size());
    for (const Follower& follower : followers) places.push_back(follower.place());
    return places;
}

std::optional<std::size_t> step_in_place(const BlockView& block, WarpId warp, const WarpPlace& place) {
    Follower follower(block);
    for (std::size_t i = 0; i < block.passes.steps.size(); ++i) {
        if (block.step_at(i).warp != warp) continue;
        follower.go_on();
        follower.execute(i);
        if (follower.place() == place) return i + 1;
    }
    return std::nullopt;
}

}  // namespace lanescope::analysis
