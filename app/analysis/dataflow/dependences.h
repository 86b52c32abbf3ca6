// Why a value is what it is: the values it was computed from, those that determined its address, and the conditions of
// its execution. The three dependences are separate: provenance is data dependence alone.
#pragma once

#include "analysis/dataflow/provenance.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <vector>

namespace lanescope::analysis {

/// The condition under which a lane executed an instruction.
struct ControlDependence {
    ValueId predicate;  ///< tested by the guard; invalid where the register was never written
    StepId step;        ///< the branch that led there, or the guarded instruction itself
};

/// Each list goes one step back; ask the same about its values to go further. Registers that no instruction wrote are
/// in none. For an initial value only the readers are known.
struct Dependences {
    std::vector<ValueId> data;     ///< the operands: Provenance::parents, or for a predicate the compared values
    std::vector<ValueId> address;  ///< the address read or written, the lane of a shuffle, the side of a select
    std::vector<ControlDependence> control;  ///< its own guard, then the nearest branch that it depends on
    std::vector<ValueId> readers;  ///< results computed from it, in the order of time; across blocks and launches
};

/// Goes back through the steps of the value's warp, and forward through all values: O(trace), for one question at a
/// time. `expression_of` in formula.h writes the value as an expression of inputs.
[[nodiscard]] Dependences dependences_of(const trace::Trace& trace, const ptx::Module& module,
                                         const Provenance& provenance, ValueId value);

}  // namespace lanescope::analysis
