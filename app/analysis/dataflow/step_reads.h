// The values that a step's loads, atomics and copies read from memory, lane by lane.
#pragma once

#include "analysis/dataflow/traced_memory.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

class StepReads {
  public:
    static constexpr unsigned max_elements = 8;

    StepReads(const trace::Trace& trace, TracedMemory& memory) : trace_(trace), memory_(memory) {}

    /// Reads for the step's loads, and sets its FlowStep::loaded_from to the memory that they read. Elements of a copy
    /// are counted as it stores them.
    void read(FlowStep& step, std::span<const trace::Effect> effects);
    /// Reads `place` again for one lane of an atomic, after the lanes before it have changed memory.
    void read_again(const MemoryPlace& place, const trace::Effect& atomic, unsigned lane);
    /// The values that element `element` of the lane's access read; none from max_elements on.
    [[nodiscard]] std::span<const ValueId> of(unsigned element, unsigned lane) const {
        if (element >= max_elements) return {};
        const Found found = reads_[element * warp_size + lane];
        return std::span(read_).subspan(found.first, found.count);
    }

  private:
    /// Those of element e of lane l begin at read_[reads_[e * 32 + l]].
    struct Found {
        std::uint32_t first = 0, count = 0;
    };
    void read_access(FlowStep& step, const trace::Effect& access);
    void read_copied(const FlowStep& step, std::span<const trace::Effect> effects);

    const trace::Trace& trace_;
    TracedMemory& memory_;
    std::vector<ValueId> read_;
    std::array<Found, max_elements * warp_size> reads_{};
};

}  // namespace lanescope::analysis
