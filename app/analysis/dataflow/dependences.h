// Why a value is what it is: what it was made of, what said where it came from, and what let it happen. The three are kept
// apart (README, "Dependence"): a value's provenance is its data; the other two are asked for.
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

/// Each list goes one step back; the next step is the same question about what it holds. Registers that nobody wrote stand
/// in none. Of a value that was there from the start only the readers are known.
struct Dependences {
    std::vector<ValueId> data;  ///< what it was made of: Provenance::parents, of a predicate what was compared
    std::vector<ValueId>
        address;  ///< which memory was read or written, which lane of a shuffle, which side of a select
    std::vector<ControlDependence> control;  ///< its own guard, then the nearest branch that it depends on
    std::vector<ValueId> readers;  ///< what was made of it, by data, in the order of time; across blocks and launches
};

/// Goes back through the steps of the value's warp, and forward through all values: O(trace), for one question of a person.
/// `expression_of` in picture.h spells the value out in inputs.
[[nodiscard]] Dependences dependences_of(const trace::Trace& trace, const ptx::Module& module,
                                         const Provenance& provenance, ValueId value);

}  // namespace lanescope::analysis
