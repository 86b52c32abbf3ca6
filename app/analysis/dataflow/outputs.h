// Which values are an output, or may be read by unrecorded blocks: the seeds of usefulness and of the work.
#pragma once

#include "analysis/dataflow/lineage.h"
#include "analysis/dataflow/traced_memory.h"
#include "analysis/dataflow/value_graph.h"
#include "trace/trace.h"

namespace lanescope::analysis {

/// Did blocks run whose steps, or last steps, are not known? One that never started has read nothing.
[[nodiscard]] bool has_unrecorded_steps(const trace::Launch& launch);

/// The results of kernels in that memory, and copies of them by the host, are outputs.
void mark_contents(const ByteHistory& memory, ValueGraph& values);
/// Marks the contents of global memory that unrecorded blocks of a launch may read as it begins, or that a copy may
/// read. Unrecorded blocks may also read what the recorded blocks of their launch write: see mark_outputs().
void mark_read_by_others(const MemoryHistories& memories, ValueGraph& values);

/// Call it when the trace has ended and every host step was followed. Marks the outputs, the values that unrecorded
/// blocks may have read, and all that these were made of: sets TracedValue::reaches_output and use_known.
void mark_outputs(const trace::Trace& trace, const MemoryHistories& memories, const Lineages& lineages,
                  ValueGraph& values);

}  // namespace lanescope::analysis
