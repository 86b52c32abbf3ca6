// Which values are an output, or may be read by what is not recorded: the seeds of usefulness and of the work.
#pragma once

#include "analysis/dataflow/lineage.h"
#include "analysis/dataflow/traced_memory.h"
#include "analysis/dataflow/value_graph.h"
#include "trace/trace.h"

namespace lanescope::analysis {

/// Did blocks run whose steps are not known? One that never started has read nothing.
[[nodiscard]] bool has_unrecorded_blocks(const trace::Launch& launch);

/// The results of kernels in that memory, and copies of them by the host, are outputs.
void mark_contents(const ByteHistory& memory, ValueGraph& values);
/// The contents of global memory may be read: by blocks of a launch that begins which are not recorded (what its
/// recorded blocks write to it, they may read as well, see mark_outputs), or by a copy.
void mark_read_by_others(const MemoryHistories& memories, ValueGraph& values);

/// When the trace has ended and every host step was followed. Marks the outputs, the values that blocks which are not
/// recorded may have read, and all that these were made of: sets TracedValue::reaches_output and use_known.
void mark_outputs(const trace::Trace& trace, const MemoryHistories& memories, const Lineages& lineages,
                  ValueGraph& values);

}  // namespace lanescope::analysis
