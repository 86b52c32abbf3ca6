// The traffic that makes passes: accesses to shared memory and exchanges between lanes. Instructions on mbarriers order
// accesses but do not count as accesses.
#pragma once

#include "analysis/dataflow/instruction_table.h"
#include "trace/trace.h"

#include <span>

namespace lanescope::analysis {

/// Do the step's lanes exchange values: by a shuffle, or a reduction over the warp (redux)?
[[nodiscard]] bool exchanges(const trace::Trace& trace, const InstructionTable& code, const trace::Step& step);

/// May a pass end at such an instruction: a barrier, a complete phase of an mbarrier, or an exchange between lanes?
[[nodiscard]] bool may_end_pass(ptx::Action action);

/// Is the effect that of an instruction on an mbarrier, which a trace has as an atomic without an operation?
[[nodiscard]] bool is_of_mbarrier(const trace::Effect& effect);

/// The steps of a block that make its passes. A block that neither accesses shared memory nor exchanges values works in
/// global memory, and its accesses there count instead.
class Traffic {
  public:
    Traffic(const trace::Trace& trace, const InstructionTable& code, std::span<const StepId> steps);

    /// Does the step access the memory that counts, or exchange values?
    [[nodiscard]] bool operator()(const trace::Step& step) const;
    /// Is it an access to the memory that counts?
    [[nodiscard]] bool accesses(const trace::Effect& effect) const;
    /// Shared, or global where there is no other traffic.
    [[nodiscard]] trace::Space space() const { return space_; }

  private:
    const trace::Trace& trace_;
    const InstructionTable& code_;
    trace::Space space_ = trace::Space::shared;
};

}  // namespace lanescope::analysis
