// Executes instructions that wait for the lanes of a mask: checks with the warp's control whether all have arrived, and
// reports wrong masks.
#pragma once

#include "execute/emulator/launch_state.h"
#include "execute/emulator/machine.h"

namespace lanescope::execute {

/// The sites of one kernel. An instruction in a header's function is, as compiled, inlined at each call: the copies of
/// one line of the user's file count as one.
class CodeSyncSites : public SyncSites {
  public:
    explicit CodeSyncSites(const Code& code) : code_(code) {}

    [[nodiscard]] bool is_barrier(Pc pc) const override { return code_.micros[pc].kind == Kind::warp_barrier; }
    [[nodiscard]] bool meet(const Divergence& divergence, const Divergence::Waiting& path,
                            const Divergence::Waiting& other) const override;
    [[nodiscard]] bool leads_to(Pc from, Pc pc) const override;
    [[nodiscard]] bool only_exits(Pc pc) const override;

  private:
    /// Whether waiting at one is waiting at the other: the same instruction, or both bar.warp.sync.
    [[nodiscard]] bool counts_for(Pc pc, Pc other) const {
        return pc == other || (is_barrier(pc) && is_barrier(other));
    }
    const Code& code_;
};

class WarpSync {
  public:
    explicit WarpSync(LaunchState& launch) : launch_(launch), sites_(launch.code) {}

    /// Whether the step's instruction, one with a mask, executes now. If not, the path waits and executes it again when
    /// it is released.
    [[nodiscard]] bool executes(const WarpStep& step) {
        return step.warp.control.all_are_here(step.executed, masks_of(step)) || arrive(step);
    }
    /// Lanes of the warp have exited.
    void release_after_exit(Block& block, Warp& warp, LaneMask exited) {
        if (warp.control.waiting_for(waits_for_warp).any()) release_complete(block, warp, exited);
    }
    /// No thread of the block can continue. These let some continue, or return false: first without a fault, then with
    /// findings.
    [[nodiscard]] bool release_early(Block& block) const;
    [[nodiscard]] bool release_incomplete(Block& block) const;

    [[nodiscard]] bool only_exits(Pc pc) const { return sites_.only_exits(pc); }

    /// Calls visit(LaneMask group) for the lanes that execute the step with the same mask, group after group: tiles of
    /// a warp may shuffle and vote at once. Only bar.warp.sync orders memory; shuffles, votes, matches and reductions
    /// do not (CUDA C++ Programming Guide, "Warp Shuffle Functions", "Warp Vote Functions").
    template <class Visit>
    void for_each_group(const WarpStep& step, Visit visit) const {
        const std::uint32_t* masks = masks_of(step);
        for (LaneMask left = step.executed; left.any();) {
            const std::uint32_t mask = masks[left.lowest()];
            LaneMask group;
            for (const unsigned lane : left) group |= LaneMask(masks[lane] == mask ? 1U << lane : 0U);
            left &= ~group;
            if (step.block.followed && step.micro.kind == Kind::warp_barrier)
                launch_.check.meet_in_warp(step.block, step.warp, group);
            else if (step.block.followed)
                launch_.check.exchange(step.block, step.warp, group);
            visit(group);
        }
    }

    [[nodiscard]] static const std::uint32_t* masks_of(const WarpStep& step) {
        return step.warp.narrow(step.micro.operands[step.micro.mask_operand].slot);
    }

  private:
    [[nodiscard]] bool arrive(const WarpStep& step);
    void release_complete(Block& block, Warp& warp, LaneMask exited);
    void report(const Block& block, const Warp& warp, const std::vector<WarpControl::Absence>& absences) const;

    LaunchState& launch_;
    CodeSyncSites sites_;
};

}  // namespace lanescope::execute
