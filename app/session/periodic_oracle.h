// The oracles for repeating inputs: sums of any length from the sums of one period, so that checking 2^30 elements
// takes only as long as comparing them.
//
// Whole numbers must be equal. Floats are equal, too, where every partial sum is a whole number below 2^24, in any
// order; otherwise they may differ by rounding: each value goes through at most d additions, its thread's, two a level
// of a tree and one a block, which gives d u sum|x|, u the unit roundoff (Higham, Accuracy and Stability, 4.2).
#pragma once

#include "session/gpu_plan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lanescope::session {

struct PeriodicVerdict {
    bool ok = true;
    bool exact = true;  ///< equal, bit for bit
    std::uint64_t compared = 0;
    std::uint64_t first_difference = 0;  ///< where !ok: the element
    double expected = 0, actual = 0;     ///< there
};

/// `actual`: the bytes of the plan's output. Nothing where the plan has no oracle, or one that is unsupported for such
/// inputs.
[[nodiscard]] std::optional<PeriodicVerdict> judge_periodic(const GpuPlan& plan, std::span<const std::byte> actual);

}  // namespace lanescope::session
