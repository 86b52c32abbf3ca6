#include "analysis/dataflow/branch_regions.h"

#include <algorithm>

namespace lanescope::analysis {

namespace {

using Kind = ptx::Operand::Kind;

constexpr std::size_t longest_way = 256;  // instructions

std::vector<std::uint32_t> way_from(const ptx::Function& function, std::uint32_t at, std::uint32_t past) {
    std::vector<std::uint32_t> way;
    std::size_t jumps = 0;
    while (at != past && at < function.instructions.size() && way.size() < longest_way) {
        const ptx::Instruction& instruction = function.instructions[at];
        if (instruction.action() == ptx::Action::jump && !instruction.guard) {
            if (++jumps > longest_way) break;
            at = instruction.target;
            continue;
        }
        if (ptx::ends_block(instruction)) break;
        way.push_back(at++);
    }
    return way;
}

std::uint32_t block_of(const ptx::Function& function, std::uint32_t instruction) {
    return static_cast<std::uint32_t>(
        std::ranges::lower_bound(function.blocks, instruction, {}, &ptx::BasicBlock::last) - function.blocks.begin());
}

/// The blocks from `first` on that are reached without passing the instruction `past`.
std::vector<std::uint32_t> blocks_from(const ptx::Function& function, std::uint32_t first, std::uint32_t past) {
    const auto& blocks = function.blocks;
    const std::uint32_t end = past == ptx::no_instruction ? ptx::no_instruction : block_of(function, past);
    std::vector<bool> seen(blocks.size());
    std::vector<std::uint32_t> open{first}, found;
    while (!open.empty()) {
        const std::uint32_t block = open.back();
        open.pop_back();
        if (block == end || block >= blocks.size() || seen[block]) continue;
        seen[block] = true;
        found.push_back(block);
        open.insert(open.end(), blocks[block].successors.begin(), blocks[block].successors.end());
    }
    return found;
}

template <class Visit>
void for_each_written(const ptx::Function& function, const ptx::Instruction& instruction, Visit&& visit) {
    for (unsigned i = 0; i < instruction.destination_count; ++i) {
        const ptx::Operand& to = instruction.operands[i];
        if (to.kind == Kind::reg) visit(to.reg);
        if (to.paired.valid()) visit(to.paired);
        if (to.kind != Kind::vector) continue;
        for (unsigned e = 0; e < to.elements; ++e) visit(function.vector_elements[to.first + e].reg);
    }
}

}  // namespace

const BranchRegion& BranchRegions::of(const ptx::Function& function, const ptx::Instruction& branch) {
    const auto [found, added] = regions_.try_emplace(&branch);
    BranchRegion& region = found->second;
    if (!added) return region;
    const auto at = static_cast<std::uint32_t>(&branch - function.instructions.data());
    region.past = branch.reconvergence;
    region.ways = {way_from(function, at + 1, region.past), way_from(function, branch.target, region.past)};
    const std::uint32_t own = block_of(function, at);
    const std::array<std::uint32_t, 2> first{at + 1, branch.target};
    for (std::size_t way = 0; way < 2; ++way) {
        if (first[way] == region.past || first[way] >= function.instructions.size()) continue;
        std::vector<RegisterId>& merged = region.merged[way];
        for (const std::uint32_t block : blocks_from(function, block_of(function, first[way]), region.past)) {
            region.loops = region.loops || block == own;
            for (std::uint32_t i = function.blocks[block].first; i <= function.blocks[block].last; ++i) {
                for_each_written(function, function.instructions[i], [&](RegisterId reg) {
                    if (merges(function, reg)) merged.push_back(reg);
                });
            }
        }
        std::ranges::sort(merged);
        merged.erase(std::ranges::unique(merged).begin(), merged.end());
    }
    return region;
}

bool BranchRegions::merges(const ptx::Function& function, RegisterId reg) {
    const auto [found, added] = writers_.try_emplace(&function);
    std::vector<std::uint8_t>& writers = found->second;
    if (added) {
        writers.resize(function.registers.size());
        const auto count = [&](RegisterId written) {
            if (written.valid() && written.index() < writers.size() && writers[written.index()] < 2)
                ++writers[written.index()];
        };
        for (const ptx::Instruction& instruction : function.instructions)
            for_each_written(function, instruction, count);
    }
    return reg.index() < writers.size() && writers[reg.index()] > 1;
}

}  // namespace lanescope::analysis
