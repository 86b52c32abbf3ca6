// An atomic, or an instruction on an mbarrier, and the old value in memory -> the new value.
#pragma once

#include "ptx/module.h"

#include <cstdint>

namespace lanescope::execute {

/// PTX ISA 9.7.13.5 and 9.7.13.6: the new value, in the low bytes of the type; `old`, `operand` and `compare` (of cas)
/// are zero-extended.
[[nodiscard]] std::uint64_t atomic_result(ptx::Atomic operation, ptx::Type type, std::uint64_t old,
                                          std::uint64_t operand, std::uint64_t compare);

/// An instruction on an mbarrier, a barrier that lives in shared memory as 64 bits: trace::BarrierObject.
struct BarrierStep {
    std::uint64_t object = 0;  ///< afterwards
    std::uint64_t result = 0;  ///< arrive: the object before; test_wait, try_wait: 1 if the phase is complete
};

/// The object after an mbarrier instruction. `operand`: the count of init and arrive, what test_wait compares
/// with. An arrival of cp.async counts at once, since the copies before it are done.
[[nodiscard]] BarrierStep barrier_step(const ptx::Instruction& instruction, std::uint64_t object,
                                       std::uint64_t operand);
/// mbarrier.pending_count.
[[nodiscard]] std::uint32_t pending_arrivals(std::uint64_t object);
/// The number of arrivals that complete a phase.
[[nodiscard]] std::uint32_t expected_arrivals(std::uint64_t object);

}  // namespace lanescope::execute
