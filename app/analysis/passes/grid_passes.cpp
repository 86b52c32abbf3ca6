#include "analysis/passes/block_alignment.h"
#include "analysis/passes/passes.h"
#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
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
            ++result.back().merged;
            continue;
        }
        GridPass& grid = result.emplace_back();
        grid.role = pass.role;
        grid.first_epoch = pass.first_epoch;
        grid.last_epoch = pass.last_epoch;
        grid.label = pass.label;
        grid.variables = pass.variables;
        grid.divided_by = block.block;
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

/// Does the block have the first passes of the other one, which may go on, as the last block of a grid does?
bool begins_as(const BlockPasses& block, const BlockPasses& other) {
    return std::ranges::mismatch(block.passes, other.passes, {}, &Pass::label, &Pass::label).in1 == block.passes.end();
}

/// Do the passes lie between the same barriers?
bool has_same_epochs(const BlockPasses& block, const BlockPasses& other) {
    return block.passes.size() == other.passes.size() &&
           std::ranges::equal(block.passes, other.passes, {}, &Pass::last_epoch, &Pass::last_epoch);
}

/// Pairs each pass of the block with the other block's pass of the same number.
AlignedBlock same_numbers(const BlockPasses& block) {
    AlignedBlock same;
    for (const Pass& pass : block.passes) same.counterparts.push_back(pass.id.index());
    return same;
}

/// Adds what is known of a pass of a recorded block, except its counts.
void add_use(GridPass& grid, const Pass& pass, bool whole) {
    if (pass.unknown_lanes > 0) {
        grid.work = grid.address_work = grid.span = grid.useful_lanes = std::nullopt;
    } else if (grid.useful_lanes) {
        *grid.work += pass.work;
        *grid.address_work += pass.address_work;
        grid.span = std::max<std::uint64_t>(*grid.span, whole ? pass.depth : pass.span);
        *grid.useful_lanes += pass.useful_lanes;
    }
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
    std::vector<GridPass> result;
    const BlockPasses* longest = nullptr;
    for (const BlockId block : of.recorded) {
        if (longest == nullptr || passes(block).passes.size() > longest->passes.size()) longest = &passes(block);
    }
    // All blocks are recorded, and their passes differ or are finer than barrier epochs, by which the grid is counted.
    const bool by_pass = all_recorded && longest != nullptr &&
                         (shares_epochs(*longest) || !std::ranges::all_of(of.recorded, [&](BlockId block) {
                              return begins_as(passes(block), *longest) || has_same_epochs(passes(block), *longest);
                          }));
    if (longest != nullptr) result = divided_as(by_pass ? *longest : passes(of.recorded.front()), !by_pass);
    if (!by_pass && launch < trace.counts.size()) add_counts(trace.counts[launch], result);
    for (GridPass& pass : result) pass.launch = launch;
    if (all_recorded) {
        for (GridPass& pass : result) pass.work = pass.address_work = pass.span = pass.useful_lanes = 0;
        // The emulator counts all blocks, but knows neither which comparisons decide what moves nor sums of flags.
        for (GridPass& pass : result) pass.counts.operations = 0;
    }
    // Where several passes are one here, their chain is longer than that of each; in the first launch it begins in this
    // pass.
    const auto is_whole = [&](BlockId block) {
        return launch == 0 && result.size() == 1 && passes(block).passes.size() > 1;
    };
    std::optional<BlockAligner> aligner;
    for (const BlockId block : of.recorded) {
        const BlockPasses& own = passes(block);
        AlignedBlock aligned;
        if (by_pass && begins_as(own, *longest)) {
            aligned = same_numbers(own);
        } else if (by_pass) {
            if (!aligner) aligner.emplace(trace, *longest);
            aligned = aligner->align(own);
            result.front().unmatched += static_cast<std::uint32_t>(aligned.unmatched);
        }
        for (const Pass& pass : own.passes) {
            auto grid = std::ranges::lower_bound(result, pass.last_epoch, {}, &GridPass::last_epoch);
            if (by_pass) grid = result.begin() + static_cast<std::ptrdiff_t>(aligned.counterparts[pass.id.index()]);
            if (grid == result.end()) continue;
            grid->ways = std::max(grid->ways, pass.ways);
            if (all_recorded) add_use(*grid, pass, is_whole(block));
            if (all_recorded && !by_pass) grid->counts.operations += pass.counts.operations;
            if (!by_pass) continue;
            grid->counts += pass.counts;
            grid->of_blocks.emplace_back(block, pass.id);
        }
    }
    return result;
}

std::vector<std::string> merging_sentences(std::span<const GridPass> passes, bool several_launches) {
    struct Said {
        std::string text;
        std::vector<std::uint32_t> launches;
    };
    std::vector<Said> all;  // launches of a loop have the same sentence
    for (auto first = passes.begin(); first != passes.end();) {
        const auto past_last =
            std::find_if(first, passes.end(), [&](const GridPass& each) { return each.launch != first->launch; });
        const auto say = [&](std::string text) {
            const auto same = std::ranges::find(all, text, &Said::text);
            if (same != all.end())
                same->launches.push_back(first->launch);
            else
                all.push_back({std::move(text), {first->launch}});
        };
        std::uint32_t merged = 0, unmatched = 0;
        for (const GridPass& each : std::ranges::subrange(first, past_last)) {
            merged += each.merged;
            unmatched += each.unmatched;
        }
        if (merged > 0) {
            say(
                fmt::format("Not all blocks are recorded, so a row has all passes between two block barriers: "
                            "{} of block {} in {}.",
                            counted(merged + std::uint64_t(past_last - first), "pass"), first->divided_by.value,
                            counted(std::uint64_t(past_last - first), "row")));
        }
        if (unmatched > 0) {
            say(
                fmt::format("Rows are the passes of block {}, which has the most. {} of other blocks that it does not "
                            "have {} counted with the pass before.",
                            first->divided_by.value, counted(unmatched, "pass"), unmatched == 1 ? "is" : "are"));
        }
        first = past_last;
    }
    constexpr std::size_t most_named = 3;
    std::vector<std::string> sentences;
    for (const Said& said : all) {
        std::string of;
        for (const std::uint32_t launch : std::span(said.launches).first(std::min(said.launches.size(), most_named)))
            of += (of.empty() ? "" : ", ") + grouped(launch);
        if (said.launches.size() > most_named) of += fmt::format(" and {} more", said.launches.size() - most_named);
        const char* const noun = said.launches.size() == 1 ? "Launch" : "Launches";
        sentences.push_back(several_launches ? fmt::format("{} {}: {}", noun, of, said.text) : said.text);
    }
    return sentences;
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
