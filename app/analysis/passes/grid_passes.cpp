#include "analysis/passes/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

namespace lanescope::analysis {
namespace {

bool has_traffic(const trace::Counts& counts) {
    return counts.shared_load_instructions + counts.shared_store_instructions + counts.shared_atomic_instructions > 0;
}

/// The passes as one block divides them, without counts. `by_epoch`: passes that share a barrier epoch are one.
std::vector<GridPass> divided_as(const BlockPasses& block, bool by_epoch) {
    std::vector<GridPass> result;
    for (const Pass& pass : block.passes) {
        if (by_epoch && !result.empty() && pass.first_epoch <= result.back().last_epoch) {
            result.back().last_epoch = std::max(result.back().last_epoch, pass.last_epoch);
            if (result.back().role != pass.role) result.back().role = Pass::Role::step;
            continue;
        }
        GridPass& grid = result.emplace_back();
        grid.role = pass.role;
        grid.first_epoch = pass.first_epoch;
        grid.last_epoch = pass.last_epoch;
        grid.label = pass.label;
        grid.variables = pass.variables;
    }
    if (result.size() == 1 && block.passes.size() > 1) {
        result.front().label = "whole kernel";
        result.front().variables.clear();
    }
    return result;
}

/// Do passes of the block share an epoch, as when warps synchronize by themselves?
bool shares_epochs(const BlockPasses& block) {
    for (std::size_t p = 1; p < block.passes.size(); ++p) {
        if (block.passes[p].first_epoch <= block.passes[p - 1].last_epoch) return true;
    }
    return false;
}

/// Has the block the first passes of the other one, which may go on, as the last block of a grid does?
bool begins_as(const BlockPasses& block, const BlockPasses& other) {
    return block.passes.size() == other.passes.size() ||
           std::ranges::mismatch(block.passes, other.passes, {}, &Pass::label, &Pass::label).in1 == block.passes.end();
}

void add_counts(std::span<const trace::Counts> epochs, std::vector<GridPass>& passes) {
    auto into = passes.begin();
    for (std::uint32_t epoch = 0; epoch < epochs.size(); ++epoch) {
        while (into != passes.end() && into->last_epoch < epoch && std::next(into) != passes.end()) ++into;
        const bool beyond = into == passes.end() || into->last_epoch < epoch;
        if (beyond && (passes.empty() || has_traffic(epochs[epoch]))) {
            GridPass& added = passes.emplace_back();
            added.first_epoch = epoch;
            added.label = passes.size() == 1 ? "load" : fmt::format("pass {}", passes.size() - 1);
            into = std::prev(passes.end());
        }
        into->last_epoch = std::max(into->last_epoch, epoch);
        into->counts += epochs[epoch];
    }
}

}  // namespace

std::vector<GridPass> grid_passes(const trace::Trace& trace, std::uint32_t launch,
                                  const std::function<const BlockPasses&(BlockId)>& passes) {
    const trace::Launch& of = trace.launches[launch];
    const bool all_recorded = of.all_recorded();
    // All blocks are recorded, their passes correspond, and are finer than the barrier epochs, by which the grid is
    // counted.
    bool by_pass = false;
    std::vector<GridPass> result;
    if (!of.recorded.empty()) {
        const BlockPasses* longest = &passes(of.recorded.front());
        for (const BlockId block : of.recorded) {
            if (passes(block).passes.size() > longest->passes.size()) longest = &passes(block);
        }
        by_pass = all_recorded && shares_epochs(*longest) &&
                  std::ranges::all_of(of.recorded, [&](BlockId block) { return begins_as(passes(block), *longest); });
        result = divided_as(by_pass ? *longest : passes(of.recorded.front()), !by_pass);
    }
    if (!by_pass && launch < trace.counts.size()) add_counts(trace.counts[launch], result);
    for (GridPass& pass : result) pass.launch = launch;
    if (all_recorded) {
        for (GridPass& pass : result) pass.work = pass.address_work = pass.span = pass.useful_lanes = 0;
    }
    for (const BlockId block : of.recorded) {
        for (const Pass& pass : passes(block).passes) {
            auto grid = std::ranges::lower_bound(result, pass.last_epoch, {}, &GridPass::last_epoch);
            if (by_pass) grid = result.begin() + pass.id.value;
            if (grid == result.end()) continue;
            grid->ways = std::max(grid->ways, pass.ways);
            if (!all_recorded) continue;
            if (pass.unknown_lanes > 0) {
                grid->work = grid->address_work = grid->span = grid->useful_lanes = std::nullopt;
            } else if (grid->useful_lanes) {
                *grid->work += pass.work;
                *grid->address_work += pass.address_work;
                // The chain of passes that are one here is longer than theirs; in the first launch it begins in it.
                const bool all = launch == 0 && result.size() == 1 && passes(block).passes.size() > 1;
                grid->span = std::max<std::uint64_t>(*grid->span, all ? pass.depth : pass.span);
                *grid->useful_lanes += pass.useful_lanes;
            }
            if (by_pass) grid->counts += pass.counts;
        }
    }
    return result;
}

std::vector<GridPass> grid_passes(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance,
                                  std::uint32_t launch) {
    std::map<BlockId, BlockPasses> known;
    return grid_passes(trace, launch, [&](BlockId block) -> const BlockPasses& {
        const auto found = known.find(block);
        if (found != known.end()) return found->second;
        return known.emplace(block, passes_of(trace, module, provenance, launch, block)).first->second;
    });
}

}  // namespace lanescope::analysis
