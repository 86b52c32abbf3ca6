// An address -> the memory that it lies in, and the values that are there.
#pragma once

#include "analysis/dataflow/byte_history.h"
#include "analysis/dataflow/flow_step.h"
#include "analysis/dataflow/per_thread.h"
#include "analysis/dataflow/value_graph.h"
#include "trace/trace.h"

#include <cstdint>
#include <vector>

namespace lanescope::analysis {

/// The memories of a trace that outlive its walk.
struct MemoryHistories {
    explicit MemoryHistories(const trace::Trace& trace);

    std::vector<ByteHistory> shared;          ///< one a recorded block, launch by launch
    std::vector<std::uint32_t> first_shared;  ///< by launch: its first block in `shared`
    std::vector<ByteHistory> buffers;         ///< as Trace::buffers, by offset in the buffer
};

/// A byte range of one memory, or of an unknown one.
struct MemoryPlace {
    ByteHistory* memory = nullptr;
    std::uint64_t offset = 0;
    const trace::Buffer* buffer = nullptr;  ///< of global memory
};

class TracedMemory {
  public:
    /// Values that nothing has written yet are added to `values` when they are first read.
    TracedMemory(const trace::Trace& trace, const InstructionTable& instructions, MemoryHistories& histories,
                 ValueGraph& values);

    void begin_launch(std::uint32_t launch);
    /// The first `count` of the host's writes have happened.
    void see_host_writes(std::uint32_t count) { host_writes_ = count; }

    /// Element `element` of a lane's access that begins at `address`.
    [[nodiscard]] MemoryPlace place_of(const FlowStep& step, const trace::Effect& access, std::uint64_t address,
                                       unsigned element, unsigned lane);
    [[nodiscard]] MemoryPlace place_at(trace::Space space, std::uint64_t address, unsigned bytes, FlowThread thread);
    [[nodiscard]] MemoryPlace place_in_buffer(std::uint32_t buffer, std::uint64_t offset);

    /// Appends the values that lie in `bytes` from `place`, each once, by address.
    void collect(const MemoryPlace& place, trace::Space space, unsigned bytes, std::vector<ValueId>& into);
    /// A new value: the untouched element of a buffer at byte `offset`, its initial value, or the host's value after
    /// the first `host_writes` writes.
    ValueId add_given(std::uint32_t buffer, std::uint64_t offset, std::uint32_t host_writes);
    /// Did the host set the cell to 0, with all of its buffer or of its write, and has no kernel written it since?
    [[nodiscard]] bool begins_with_zero(const MemoryPlace& place) const;
    /// Calls visit(ValueId) for what the local memory and the calls' parameters of the block's threads hold now.
    template <class Visit>
    void for_each_of_threads(std::size_t block, std::size_t threads, const Visit& visit) const {
        for (std::size_t thread = 0; thread < threads; ++thread) {
            for (const PerThread<ByteHistory>* const memory : {&local_, &passed_}) {
                const ByteHistory* const own = memory->find({.block = block, .thread = thread});
                if (own != nullptr) own->for_each_newest(visit);
            }
        }
    }

  private:
    /// The value of memory that no kernel has written: of a buffer, its element at byte `offset`; of other memory, the
    /// `bytes` from there on as "uninitialized". The value becomes part of the history.
    ValueId first_contents(const MemoryPlace& place, trace::Space space, std::uint64_t offset, unsigned bytes);

    const trace::Trace& trace_;
    MemoryHistories& histories_;
    ValueGraph& values_;
    std::uint32_t launch_ = 0;
    std::uint32_t host_writes_ = 0;
    std::size_t last_buffer_ = 0;
    PerThread<ByteHistory> local_;
    PerThread<ByteHistory> passed_;  ///< the parameters and results of calls
};

}  // namespace lanescope::analysis
