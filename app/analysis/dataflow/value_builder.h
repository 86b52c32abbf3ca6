// Operands, one by one -> the newest value of a ValueGraph: does it depend on input data, is it an operation?
#pragma once

#include "analysis/dataflow/flow_step.h"
#include "analysis/dataflow/lineage.h"
#include "analysis/dataflow/value_graph.h"

#include <cstdint>
#include <span>

namespace lanescope::analysis {

class ValueBuilder {
  public:
    ValueBuilder(ValueGraph& values, const Lineages& lineages) : values_(values), lineages_(lineages) {}

    /// A new value, a result of the lane in that step.
    ValueId begin(const FlowStep& step, TracedValue::Kind kind, unsigned lane, unsigned bytes, std::uint64_t bits);
    /// Makes `parent` a parent of the value; true if it depends on input data. Registers never written are not parents.
    bool take(ValueId parent);
    void take(std::span<const ValueId> parents) {
        for (const ValueId parent : parents) take(parent);
    }
    /// Completes the value, with that many operands that depend on input data. Only a reduction over the lanes of a
    /// warp has more than a few; it can be done as a tree.
    void end(unsigned input_dependent);

    /// The value has one more operand that is a flag, without being a parent.
    void count_flag() { ++flags_; }
    /// Operands that are flags: Lineage::flag.
    [[nodiscard]] unsigned flags() const { return flags_; }
    /// Is one of the operands input data, but neither a flag nor a 0 that the host wrote?
    [[nodiscard]] bool has_other_data() const { return has_other_data_; }

  private:
    ValueGraph& values_;
    const Lineages& lineages_;
    const InstructionInfo* line_ = nullptr;
    unsigned passed_ = 0;  ///< parents that are input-dependent or passed on
    unsigned flags_ = 0;
    bool has_other_data_ = false;
};

}  // namespace lanescope::analysis
