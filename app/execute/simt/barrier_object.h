// An mbarrier: a barrier in shared memory, 64 bits whose layout PTX does not define (9.7.13.15.1). Here, from the
// lowest bit: 20 bits of pending arrivals, 20 bits of arrivals expected a phase, then the phase's number.
#pragma once

#include "ptx/module.h"

#include <cstdint>

namespace lanescope::execute {

struct BarrierStep {
    std::uint64_t object = 0;  ///< afterwards
    std::uint64_t result = 0;  ///< arrive: the object before; test_wait, try_wait: 1 where the phase is complete
};

/// The effect of an mbarrier instruction on the object. `operand`: the count of init and arrive, the state that
/// test_wait compares with. An arrival of cp.async counts at once, since the copies before it are complete.
[[nodiscard]] BarrierStep barrier_step(const ptx::Instruction& instruction, std::uint64_t object,
                                       std::uint64_t operand);
/// mbarrier.pending_count.
[[nodiscard]] std::uint32_t pending_arrivals(std::uint64_t object);
/// The arrivals expected a phase.
[[nodiscard]] std::uint32_t expected_arrivals(std::uint64_t object);

}  // namespace lanescope::execute
