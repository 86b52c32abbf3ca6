// Comparisons of two values of the data, and the values that they select: each comparison that decides which one stays
// is one operation, however many registers move.
#pragma once

#include "analysis/dataflow/flow_step.h"
#include "analysis/dataflow/lineage.h"

#include <cstddef>

namespace lanescope::analysis {

/// Each function is about the newest value, of which all parents are known.
class Decisions {
  public:
    Decisions(ValueGraph& values, Lineages& lineages) : values_(values), lineages_(lineages) {}

    void begin_launch(std::size_t blocks, std::size_t threads) { latest_.begin_launch(blocks, threads); }

    /// A predicate, not of a vote or a shuffle.
    void predicate(const FlowStep& step, unsigned lane);
    /// The result of a select.
    void selection(const FlowStep& step, unsigned lane);
    /// The smaller or larger of two values. If the lane also compares the same two, to move what belongs to them, the
    /// two are one operation.
    void extreme(const FlowStep& step, unsigned lane);
    /// The result of a load. A compiler may choose between two addresses instead of between the two values stored
    /// there.
    void chosen_load(const FlowStep& step, unsigned lane);
    /// An address computed from one that a comparison chose is chosen by that comparison, too.
    void computed_address(const FlowStep& step, unsigned lane);
    /// The result of `&`: a bool that a function returns, masked with 1, is still the same condition.
    void masked_condition(const FlowStep& step, unsigned lane);
    /// After a synchronization, the same comparison by the step's active lanes is another operation.
    void forget(const FlowStep& step);

  private:
    /// The latest comparison of a lane, and the two values as they were first made.
    struct Latest {
        ValueId test, first, second;
        [[nodiscard]] bool is_of(ValueId one, ValueId other) const {
            return test.valid() && ((first == one && second == other) || (first == other && second == one));
        }
    };

    ValueGraph& values_;
    Lineages& lineages_;
    PerThread<Latest> latest_;
};

}  // namespace lanescope::analysis
