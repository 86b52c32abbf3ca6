#include "analysis/loops.h"

#include <algorithm>

namespace lanescope::analysis {

std::vector<Loop> loops_of(const ptx::Function& function) {
    std::vector<Loop> loops;
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
        const ptx::Instruction& branch = function.instructions[i];
        if (branch.opcode != ptx::Opcode::bra || branch.target > i) continue;
        const auto same = std::ranges::find(loops, branch.target, &Loop::first);
        if (same == loops.end()) {
            loops.push_back({branch.target, i});
        } else {
            same->last = std::max(same->last, i);
        }
    }
    std::ranges::sort(
        loops, [](const Loop& a, const Loop& b) { return a.first != b.first ? a.first < b.first : a.last > b.last; });
    return loops;
}

LoopDecision decision_of(const ptx::Function& function, const Loop& loop, std::uint32_t at) {
    const ptx::Instruction& branch = function.instructions[at];
    if (branch.opcode != ptx::Opcode::bra || !branch.guard || !loop.holds(at)) return {};
    if (!loop.holds(branch.target)) return {true, true};
    if (!loop.holds(at + 1)) return {true, false};
    const ptx::Instruction& next = function.instructions[at + 1];
    const bool leaves = next.opcode == ptx::Opcode::bra && !next.guard && !loop.holds(next.target);
    return {leaves, false};
}

}  // namespace lanescope::analysis
