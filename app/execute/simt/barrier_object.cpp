// An instruction on an mbarrier and its 64 bits -> the new 64 bits.
#include "execute/simt/atomics.h"

#include "trace/barrier_object.h"

#include <algorithm>

namespace lanescope::execute {

using trace::BarrierObject;

namespace {

/// The last arrival that was pending completes the phase, and the next one begins.
void arrive(BarrierObject& barrier, std::uint64_t count) {
    barrier.pending -= std::min(barrier.pending, count);
    if (barrier.pending > 0) return;
    ++barrier.phase;
    barrier.pending = barrier.expected;
}

}  // namespace

BarrierStep barrier_step(const ptx::Instruction& instruction, std::uint64_t object, std::uint64_t operand) {
    BarrierObject barrier(object);
    switch (instruction.opcode) {
        case ptx::Opcode::mbarrier_init:
            barrier.phase = 0;
            barrier.pending = barrier.expected = std::min(operand, BarrierObject::most_arrivals);
            return {.object = barrier.bits()};
        case ptx::Opcode::mbarrier_inval: return {};
        case ptx::Opcode::mbarrier_arrive_drop:
            barrier.expected -= std::min(barrier.expected, operand);
            [[fallthrough]];
        case ptx::Opcode::mbarrier_arrive:
        case ptx::Opcode::cp_async_mbarrier_arrive_noinc:
            arrive(barrier, operand);
            return {.object = barrier.bits(), .result = object};
        case ptx::Opcode::mbarrier_test_wait:
        case ptx::Opcode::mbarrier_try_wait: {
            const std::uint64_t waited =
                instruction.modifiers.parity ? operand & 1U : BarrierObject(operand).phase & 1U;
            return {.object = object, .result = waited != (barrier.phase & 1U) ? 1U : 0U};
        }
        default: return {.object = object};  // cp.async.mbarrier.arrive: one more arrival is expected and has arrived
    }
}

std::uint32_t pending_arrivals(std::uint64_t object) {
    return static_cast<std::uint32_t>(BarrierObject(object).pending);
}
std::uint32_t expected_arrivals(std::uint64_t object) {
    return static_cast<std::uint32_t>(BarrierObject(object).expected);
}

}  // namespace lanescope::execute
