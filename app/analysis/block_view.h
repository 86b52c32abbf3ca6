// One block of one launch with everything known about it: the trace, the module, its data flow, its passes.
#pragma once

#include "analysis/dataflow/instruction_table.h"
#include "analysis/dataflow/provenance.h"
#include "analysis/passes/passes.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstddef>

namespace lanescope::analysis {

/// Four references, cheap to copy; their targets must outlive it. Analysis::view() creates one. An `index` is a number
/// in BlockPasses::steps.
struct BlockView {
    const trace::Trace& trace;
    const ptx::Module& module;
    const Provenance& provenance;
    const BlockPasses& passes;

    [[nodiscard]] const trace::Launch& launch() const { return trace.launches[passes.launch]; }
    [[nodiscard]] const trace::Step& step_at(std::size_t index) const { return trace.step(passes.steps[index]); }
    /// nullptr where the module has no instruction on the step's line.
    [[nodiscard]] const InstructionInfo* instruction_at(std::size_t index) const {
        return provenance.instructions().at(step_at(index).line);
    }
};

}  // namespace lanescope::analysis
