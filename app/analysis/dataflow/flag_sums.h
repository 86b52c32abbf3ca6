// Flags are 0 or 1 by a condition on the data. Their sums -> operations: additions in registers and memory, counts of
// votes.
#pragma once

#include "analysis/dataflow/flow_step.h"
#include "analysis/dataflow/lineage.h"
#include "analysis/dataflow/value_builder.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lanescope::analysis {

/// Each function is about the newest value.
class FlagSums {
  public:
    FlagSums(ValueGraph& values, Lineages& lineages, ValueBuilder& builder)
        : values_(values), lineages_(lineages), builder_(builder) {}

    /// `threads`: of a block.
    void begin_launch(std::size_t blocks, std::size_t warps, std::uint64_t threads);

    /// A sum with all its parents: an operation where it has two flags, or counts one more on a way of a condition.
    /// `on_condition`: the lane is on such a way (BranchWays::once()).
    void addition(const FlowStep& step, unsigned lane, bool on_condition);
    /// The result of a vote of the step's lanes, or of all threads of the block: bar.red.
    void vote(const FlowStep& step, unsigned lane);
    /// popc of a ballot adds the votes of its lanes; & leaves those that a constant names.
    void count_votes(const FlowStep& step, unsigned lane);
    /// `id` is a copy of `from`, which may be the votes of lanes.
    void copy(ValueId id, ValueId from);

  private:
    /// bar.red instructions of a block.
    struct Reductions {
        std::vector<std::uint32_t> begun;  ///< by warp
        std::vector<ValueId> results;
    };

    ValueGraph& values_;
    Lineages& lineages_;
    ValueBuilder& builder_;
    std::uint64_t threads_ = 0;
    std::size_t warps_ = 0;
    std::vector<Reductions> reductions_;                      ///< as Launch::recorded
    std::unordered_map<std::uint32_t, std::uint32_t> votes_;  ///< a value of ballots: the lanes whose bits are in it
};

}  // namespace lanescope::analysis
