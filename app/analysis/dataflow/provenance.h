// Which values a value was computed from. A value's provenance is its *data* dependence: through registers, shuffles,
// shared and global memory; an index never appears as a summand, nor does a condition. Computed from the trace and the
// instructions it ran.
#pragma once

#include "analysis/dataflow/value_graph.h"
#include "ptx/module.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lanescope::analysis {

class InstructionTable;

class Provenance {
  public:
    /// Follows every value of the trace. O(lane results); `module` must outlive it.
    Provenance(std::shared_ptr<const trace::Trace> trace, const ptx::Module& module);

    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] const TracedValue& operator[](ValueId id) const { return values_[id]; }
    /// The values it was computed from, in the order of the instruction's operands.
    [[nodiscard]] std::span<const ValueId> parents(ValueId id) const { return values_.parents(id); }
    /// Values that its operations also wait for, which are no part of its data: if a comparison let the value stay or
    /// move, the comparison; for that comparison, its two values.
    [[nodiscard]] std::span<const std::pair<ValueId, ValueId>> decided_by(ValueId id) const {
        return values_.decided_by(id);
    }
    /// Calls visit(ValueId) for all that it waits for: parents, and decided_by().
    template <class Visit>
    void for_each_need(ValueId id, Visit&& visit) const {
        values_.for_each_need(id, std::forward<Visit>(visit));
    }
    /// Is it an operation that an output depends on, but not as data? One that an address or a condition needs.
    [[nodiscard]] bool is_address_operation(ValueId id) const;
    /// For each value: is it `id`, or was `id` computed from it? The backward data slice of the value.
    [[nodiscard]] std::vector<bool> backward_slice(ValueId id) const;

    /// Is it input data: a register loaded from a buffer whose contents no kernel had written?
    [[nodiscard]] bool comes_in(ValueId id) const;
    /// The value that this lane's step wrote (first effect that writes), invalid when it wrote none.
    [[nodiscard]] ValueId written_by(StepId step, unsigned lane) const;
    /// The value that this lane's step wrote to that register, invalid when it did not.
    [[nodiscard]] ValueId written_to(RegisterId reg, StepId step, unsigned lane) const;
    /// The values that the step wrote.
    [[nodiscard]] ValueRange values_of(StepId step) const { return written_[step.index()]; }
    /// The value of that byte of shared or global memory just before `position` (in steps); invalid when no recorded
    /// block had written or read it until then. `block` only matters for shared memory.
    [[nodiscard]] ValueId memory_at(trace::Space space, std::uint32_t launch, BlockId block, std::uint64_t address,
                                    std::size_t position) const;
    /// The host write that this value is an element of; null where it is none.
    [[nodiscard]] const trace::HostWrite* host_write(ValueId id) const;
    /// The first position at which the value exists.
    [[nodiscard]] std::size_t there_from(ValueId id) const;
    /// Lanes of the step whose result an output depends on, by data, by address or by the branches that led to it:
    /// useful; the rest of `executed` is wasted. See usefulness.h for steps without a result.
    [[nodiscard]] LaneMask useful(StepId step) const { return useful_[step.index()]; }
    /// Those of the useful lanes whose use is not known: only blocks that are not recorded may have read the result.
    [[nodiscard]] LaneMask unknown_use(StepId step) const {
        return unknown_.empty() ? LaneMask() : unknown_[step.index()];
    }
    /// Lanes of the step's warp that had exited before it.
    [[nodiscard]] LaneMask exited(StepId step) const { return exited_[step.index()]; }

    /// Operations in the backward data slice of the outputs, and the longest chain of them; with those whose use is not
    /// known.
    [[nodiscard]] std::uint64_t work() const { return work_; }
    [[nodiscard]] std::uint64_t span() const { return span_; }

    /// The instructions by line, as data flow sees them.
    [[nodiscard]] const InstructionTable& instructions() const;
    [[nodiscard]] const ptx::Module& module() const { return *module_; }

  private:
    const ptx::Module* module_;
    ValueGraph values_;
    std::vector<ValueRange> written_;        ///< by step
    std::vector<LaneMask> useful_, exited_;  ///< by step
    std::vector<LaneMask> unknown_;          ///< by step; empty: all use is known
    std::uint64_t work_ = 0;
    std::uint64_t span_ = 0;
    struct History;
    std::shared_ptr<const History> history_;  ///< the code, and every memory's history
};

}  // namespace lanescope::analysis
