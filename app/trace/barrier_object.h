// The 64 bits of an mbarrier in shared memory <-> its arrivals and its phase. PTX leaves the layout open
// (9.7.13.15.1); this is the one of emulated memory, and so of every trace.
#pragma once

#include <cstdint>

namespace lanescope::trace {

/// From the lowest bit: 20 bits of arrivals still pending, 20 bits of arrivals expected a phase, then the number of the
/// phase.
struct BarrierObject {
    static constexpr unsigned count_bits = 20;
    static constexpr std::uint64_t most_arrivals = (std::uint64_t{1} << count_bits) - 1U;

    std::uint64_t pending = 0;
    std::uint64_t expected = 0;
    std::uint64_t phase = 0;

    explicit BarrierObject(std::uint64_t bits)
        : pending(bits & most_arrivals),
          expected(bits >> count_bits & most_arrivals),
          phase(bits >> (2 * count_bits)) {}
    [[nodiscard]] std::uint64_t bits() const { return pending | expected << count_bits | phase << (2 * count_bits); }
};

}  // namespace lanescope::trace
