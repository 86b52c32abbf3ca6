// The lanes that execute an instruction with the same mask, one group after the other: tiles of a warp may shuffle and vote
// at once, each with its own mask.
#pragma once

#include "execute/emulator/interpreter.h"

namespace lanescope::execute {

/// visit(LaneMask group). Of a barrier the group is told to the check as having synchronised; shuffles, votes, matches and
/// reductions wait for each other but order no memory (CUDA C++ Programming Guide, "Warp Shuffle Functions", "Warp Vote
/// Functions").
template <Recording recording>
template <class Visit>
void Interpreter<recording>::for_each_group(Block& block, Warp& warp, const Micro& micro, LaneMask executed,
                                            Visit visit) {
    const std::uint32_t* masks = warp.narrow(micro.operands[micro.mask_operand].slot);
    for (LaneMask left = executed; left.any();) {
        const std::uint32_t mask = masks[left.lowest()];
        LaneMask group;
        for (const unsigned lane : left) group |= LaneMask(masks[lane] == mask ? 1U << lane : 0U);
        left &= ~group;
        if (block.followed && micro.kind == Kind::warp_barrier) launch_.check.meet_in_warp(block, warp, group);
        visit(group);
    }
}

}  // namespace lanescope::execute
