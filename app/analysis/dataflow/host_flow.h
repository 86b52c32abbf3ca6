// The host between launches: its writes give buffers new values, and what it reads is an output.
#pragma once

#include "analysis/dataflow/traced_memory.h"
#include "analysis/dataflow/value_graph.h"
#include "trace/trace.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace lanescope::analysis {

class HostFlow {
  public:
    static constexpr std::uint32_t end_of_trace = std::numeric_limits<std::uint32_t>::max();

    HostFlow(const trace::Trace& trace, TracedMemory& memory, const MemoryHistories& histories, ValueGraph& values)
        : trace_(trace), memory_(memory), histories_(histories), values_(values) {}

    /// Follows the host until that launch begins, or until the end of the trace.
    void follow_until(std::uint32_t launch);

  private:
    void write(std::uint32_t number);
    void copy(std::uint32_t number);
    void mark_read(const trace::HostStep& step);

    const trace::Trace& trace_;
    TracedMemory& memory_;
    const MemoryHistories& histories_;
    ValueGraph& values_;
    std::uint32_t host_writes_ = 0;  ///< of the trace, so far
    std::size_t host_steps_ = 0;     ///< of the trace, so far
    std::vector<ValueId> read_;      ///< of a copy's element
};

}  // namespace lanescope::analysis
