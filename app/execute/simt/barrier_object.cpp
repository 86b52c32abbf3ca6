// An instruction on an mbarrier and its 64 bits -> the new 64 bits.
#include "execute/simt/atomics.h"

#include <algorithm>

namespace lanescope::execute {

namespace {

constexpr unsigned count_bits = 20;
constexpr std::uint64_t most_arrivals = (std::uint64_t{1} << count_bits) - 1U;

struct Barrier {
    std::uint64_t pending = 0;
    std::uint64_t expected = 0;
    std::uint64_t phase = 0;

    explicit Barrier(std::uint64_t object)
        : pending(object & most_arrivals),
          expected(object >> count_bits & most_arrivals),
          phase(object >> (2 * count_bits)) {}
    [[nodiscard]] std::uint64_t object() const { return pending | expected << count_bits | phase << (2 * count_bits); }
    /// The last arrival that was pending completes the phase, and the next one begins.
    void arrive(std::uint64_t count) {
        pending -= std::min(pending, count);
        if (pending > 0) return;
        ++phase;
        pending = expected;
    }
};

}  // namespace

BarrierStep barrier_step(const ptx::Instruction& instruction, std::uint64_t object, std::uint64_t operand) {
    Barrier barrier(object);
    switch (instruction.opcode) {
        case ptx::Opcode::mbarrier_init:
            barrier.phase = 0;
            barrier.pending = barrier.expected = std::min(operand, most_arrivals);
            return {.object = barrier.object()};
        case ptx::Opcode::mbarrier_inval: return {};
        case ptx::Opcode::mbarrier_arrive_drop:
            barrier.expected -= std::min(barrier.expected, operand);
            [[fallthrough]];
        case ptx::Opcode::mbarrier_arrive:
        case ptx::Opcode::cp_async_mbarrier_arrive_noinc:
            barrier.arrive(operand);
            return {.object = barrier.object(), .result = object};
        case ptx::Opcode::mbarrier_test_wait:
        case ptx::Opcode::mbarrier_try_wait: {
            const std::uint64_t waited = instruction.modifiers.parity ? operand & 1U : Barrier(operand).phase & 1U;
            return {.object = object, .result = waited != (barrier.phase & 1U) ? 1U : 0U};
        }
        default: return {.object = object};  // cp.async.mbarrier.arrive: one more arrival is expected and has arrived
    }
}

std::uint32_t pending_arrivals(std::uint64_t object) { return static_cast<std::uint32_t>(Barrier(object).pending); }
std::uint32_t expected_arrivals(std::uint64_t object) { return static_cast<std::uint32_t>(Barrier(object).expected); }

}  // namespace lanescope::execute
