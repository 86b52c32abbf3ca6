// Where one pass ends and the next begins, and the name of each. A pass runs from one synchronization that orders
// accesses to the next: a barrier of the block or of a warp, an exchange, a complete phase of an mbarrier. Pass 0 is
// the load; passes without shared or lane traffic join their neighbor, and so do the two halves of a change that reads,
// synchronizes and writes.
#pragma once

#include "analysis/dataflow/provenance.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::analysis {

/// A variable of the source that steps a loop, with its value in a pass: `s = 4`.
struct LoopVariable {
    std::string name;
    std::string value;
};

/// A phase of an mbarrier or of a named barrier, counted from 0: the arrivals that it takes.
struct BarrierPhase {
    enum class Barrier : std::uint8_t { mbarrier, named };
    Barrier kind = Barrier::mbarrier;
    std::uint64_t barrier = 0;  ///< address in shared memory of an mbarrier; number of a named barrier
    std::uint64_t number = 0;   ///< of the phase
    friend bool operator==(const BarrierPhase&, const BarrierPhase&) = default;
};

/// One pass of one block: a contiguous run of the block's own steps.
struct Pass {
    enum class Role : std::uint8_t {
        load,   ///< the first of several: loads the data into shared memory
        step,   ///< computes
        store,  ///< the last: only stores results from shared to global memory
        whole,  ///< the only pass
    };
    PassId id;
    Role role = Role::step;
    std::uint32_t first_epoch = 0, last_epoch = 0;  ///< barrier epochs it covers, inclusive
    std::size_t first = 0, past_last = 0;           ///< range in BlockPasses::steps
    std::vector<BarrierPhase> completes;            ///< phases that it completes, in the order of the steps
    /// "load", "s = 4", "down 4", "full[0] phase 1", "store", "pass 3", "whole kernel"
    std::string label;
    std::vector<LoopVariable> variables;  ///< those that loops test come first; empty where DWARF has none
    trace::Counts counts;                 ///< of this block
    std::uint64_t work = 0;               ///< operations of this pass in the outputs' backward slice
    std::uint64_t address_work = 0;   ///< additions of counts and offsets, and operations, that an output depends on
                                      ///< only as an address or through a condition
    std::uint64_t span = 0;           ///< longest chain of operations within the pass
    std::uint64_t depth = 0;          ///< longest chain of operations that ends in it, begun in any pass or launch
    unsigned ways = 0;                ///< of the worst bank conflict in it: model::conflict_ways
    std::uint64_t useful_lanes = 0;   ///< of its warp instructions, summed: app/README.md, Terms
    std::uint64_t unknown_lanes = 0;  ///< the part of these whose use is not known (Provenance::unknown_use)
    unsigned lanes = 0;               ///< threads of the block that computed something useful in it:
                                      ///< whose operation or copy reaches an output
};

struct BlockPasses {
    std::uint32_t launch = 0;
    BlockId block;
    std::vector<StepId> steps;  ///< every step of the block, in order
    std::vector<Pass> passes;
    /// How many passes compute: all but the load before them and the store after them.
    [[nodiscard]] std::size_t computing() const;
    /// The pass that holds the block's step number `index`; the last one past the end.
    [[nodiscard]] PassId pass_of(std::size_t index) const;
    /// The number of the step in `steps`; for a step of another block, of the first step after it.
    [[nodiscard]] std::size_t position_of(StepId step) const;
    /// Nothing for a step of another block.
    [[nodiscard]] std::optional<std::size_t> find(StepId step) const;
    /// The pass of that name nearest to number `near`, the first of two; nothing where no pass has the name.
    [[nodiscard]] std::optional<std::size_t> named(std::string_view label, std::size_t near) const;
};

/// The steps of a recorded block, in the order of the trace.
[[nodiscard]] std::vector<StepId> steps_of(const trace::Trace& trace, std::uint32_t launch, BlockId block);

[[nodiscard]] BlockPasses passes_of(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance,
                                    std::uint32_t launch, BlockId block);

/// The same passes summed over the whole grid, divided as in the block with the most passes; passes of other blocks are
/// counted with the one that they correspond to (block_alignment.h). Where not all blocks are recorded, the grid is
/// counted by barrier epochs, divided as in the first recorded block: passes that share an epoch are one, and steps
/// beyond that block's last barrier are in additional passes. Work, span and useful lanes are nothing unless all blocks
/// were recorded and each use is known; span is the longest of the blocks' spans.
struct GridPass {
    std::uint32_t launch = 0;
    Pass::Role role = Pass::Role::step;
    std::uint32_t first_epoch = 0, last_epoch = 0;  ///< inclusive
    std::string label;
    std::vector<LoopVariable> variables;
    trace::Counts counts;
    std::optional<std::uint64_t> work, address_work, span, useful_lanes;
    unsigned ways = 0;            ///< of the worst bank conflict in the recorded blocks
    BlockId divided_by;           ///< the block whose pass divides the grid
    std::uint32_t merged = 0;     ///< other passes of that block in it, which share an epoch with it
    std::uint32_t unmatched = 0;  ///< passes of other blocks in it that correspond to none
    /// The passes of other blocks in it, where their numbers may differ.
    std::vector<std::pair<BlockId, PassId>> of_blocks;
};
/// "Rows are the passes of block 3, which has the most. 4 passes of other blocks ...": why rows of the grid's passes
/// contain more than one pass of each block. At most one sentence a launch.
[[nodiscard]] std::vector<std::string> merging_sentences(std::span<const GridPass> passes, bool several_launches);
[[nodiscard]] std::vector<GridPass> grid_passes(const trace::Trace& trace, const ptx::Module& module,
                                                const Provenance& provenance, std::uint32_t launch);
/// The same from passes that are already known: `passes` returns those of a recorded block.
[[nodiscard]] std::vector<GridPass> grid_passes(const trace::Trace& trace, std::uint32_t launch,
                                                const std::function<const BlockPasses&(BlockId)>& passes);

/// Are two passes of one launch the same one, in different blocks or summed over the grid? They have the same name and
/// a barrier epoch in common. Each is a Pass or a GridPass.
[[nodiscard]] bool are_same(const auto& one, const auto& other) {
    return one.label == other.label && one.first_epoch <= other.last_epoch && other.first_epoch <= one.last_epoch;
}
/// The index of the block's pass in a list of the passes of all launches; nothing where the list does not have it.
[[nodiscard]] std::optional<std::size_t> find_pass(std::span<const GridPass> passes, const BlockPasses& block,
                                                   const Pass& pass);

/// Issue slots of a pass without useful work: its warp instructions and its shared-memory wavefronts beyond one an
/// access, less the slots that as many useful lanes would take in full warps.
[[nodiscard]] double lost_issues(const Pass& pass);

/// The index of the pass that loses the most, the first of equals; nothing without passes.
[[nodiscard]] std::optional<std::size_t> costliest_pass(const BlockPasses& passes);

}  // namespace lanescope::analysis
