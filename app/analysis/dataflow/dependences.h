// Why a value is what it is: the values it was computed from, those that chose its address, and the conditions that let
// it happen. The three dependences stay apart: provenance is data dependence alone.
#pragma once

#include "analysis/dataflow/provenance.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <vector>

namespace lanescope::analysis {

/// What let a lane execute an instruction.
struct ControlDependence {
    ValueId predicate;  ///< that a guard tested; invalid where the register was never written
    StepId step;        ///< the branch that led there, or the guarded instruction itself
};

/// Each list goes one step back; the same question about its values goes further. Registers that no instruction wrote
/// are in none. For a value that was there from the start only the readers are known.
struct Dependences {
    std::vector<ValueId> data;  ///< what it was made of: Provenance::parents, of a predicate what was compared
    std::vector<ValueId>
        address;  ///< which memory was read or written, which lane of a shuffle, which side of a select
    std::vector<ControlDependence> control;  ///< its own guard, then the nearest branch that it depends on
    std::vector<ValueId> readers;  ///< what was made of it, by data, in the order of time; across blocks and launches
};

/// Goes back through the steps of the value's warp, and forward through all values: O(trace), for one question of a
/// person. `expression_of` in formula.h spells the value out in inputs.
[[nodiscard]] Dependences dependences_of(const trace::Trace& trace, const ptx::Module& module,
                                         const Provenance& provenance, ValueId value);

}  // namespace lanescope::analysis
