#include "ptx/control_flow.h"

#include "ptx/graph.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

/// Calls visit(index) for every instruction that may follow the one at `at`; the end counts as one past the last.
template <class Visit>
void for_each_target(const Function& function, std::uint32_t at, Visit visit) {
    const Instruction& instruction = function.instructions[at];
    if (instruction.action() == Action::jump) visit(instruction.target);
    if (instruction.action() == Action::jump_table) {
        const Operand& labels = instruction.operands[1];
        for (std::uint32_t i = 0; i < labels.elements; ++i) visit(function.vector_elements[labels.first + i].target);
    }
    if (instruction.guard || !ends_block(instruction)) visit(at + 1);
}

void split_into_blocks(Function& function) {
    const auto size = static_cast<std::uint32_t>(function.instructions.size());
    std::vector<bool> leads(size + std::size_t{1}, false);
    leads[0] = true;
    for (std::uint32_t at = 0; at < size; ++at) {
        if (!ends_block(function.instructions[at])) continue;
        leads[at + 1] = true;
        for_each_target(function, at, [&](std::uint32_t target) { leads[target] = true; });
    }
    std::vector<std::uint32_t> block_of(size);
    for (std::uint32_t at = 0; at < size; ++at) {
        if (leads[at]) function.blocks.push_back({.first = at, .last = at, .successors = {}});
        function.blocks.back().last = at;
        block_of[at] = static_cast<std::uint32_t>(function.blocks.size() - 1);
    }
    for (BasicBlock& block : function.blocks) {
        for_each_target(function, block.last, [&](std::uint32_t target) {
            if (target < size) block.successors.push_back(block_of[target]);
        });
        std::ranges::sort(block.successors);
        const auto repeated = std::ranges::unique(block.successors);
        block.successors.erase(repeated.begin(), repeated.end());
    }
}

/// Whether lanes leave the function at the block's end while others may go on: a guarded ret, a branch to the very end.
bool may_leave(const Function& function, const BasicBlock& block) {
    const auto size = static_cast<std::uint32_t>(function.instructions.size());
    const Instruction& last = function.instructions[block.last];
    bool leaves = ends_block(last) && last.action() != Action::jump && last.action() != Action::jump_table;
    for_each_target(function, block.last, [&](std::uint32_t target) { leaves = leaves || target == size; });
    return leaves;
}

}  // namespace

void analyse_control_flow(Function& function) {
    if (function.instructions.empty()) return;
    split_into_blocks(function);

    // One more node stands for leaving the function.
    const auto end = static_cast<std::uint32_t>(function.blocks.size());
    Graph graph(end + std::size_t{1});
    for (std::uint32_t i = 0; i < end; ++i) {
        graph[i] = function.blocks[i].successors;
        if (may_leave(function, function.blocks[i])) graph[i].push_back(end);
    }
    const std::vector<std::uint32_t> post_dominators = immediate_post_dominators(graph);
    for (std::uint32_t i = 0; i < end; ++i) {
        BasicBlock& block = function.blocks[i];
        if (post_dominators[i] < end) block.post_dominator = post_dominators[i];
        Instruction& last = function.instructions[block.last];
        const bool diverges = (last.action() == Action::jump && last.guard) || last.action() == Action::jump_table;
        if (diverges && block.post_dominator != no_instruction)
            last.reconvergence = function.blocks[block.post_dominator].first;
    }
}

}  // namespace lanescope::ptx
