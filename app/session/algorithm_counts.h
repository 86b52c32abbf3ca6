// What a whole algorithm costs by the emulator's count, at sizes of any kind: launched as `lanescope time` would launch
// it, until one value is left. What is too large to emulate is extended from smaller sizes
// (timing/extrapolated_counts.h).
#pragma once

#include "session/session.h"
#include "timing/cost_model.h"

#include <cstdint>
#include <functional>
#include <span>

namespace lanescope::session {

/// The block size in which a kernel is estimated beside measurements in blocks of `charted` threads: theirs, but for a
/// file of somebody's own that says with its launch what it is written for.
[[nodiscard]] std::uint32_t block_to_estimate(const Program& program, std::uint32_t charted);

struct AlgorithmCounts {
    timing::Point point;   ///< without a time
    bool emulated = true;  ///< else extended from smaller sizes
};

/// As if launched on `machine`: grids that fill it depend on it. `request.block` is wanted, `request.n` is not read,
/// and neither are view and grid: what a measurement would have stands. `sizes` grow. `found` is called, on this
/// thread, for each size that has counts. Ends early where it is cancelled, where the kernel does something wrong, or
/// where it leaves most of N elements unread: then its effective bandwidth would be of bytes that nothing moved.
void count_algorithm(const Request& request, std::span<const std::uint64_t> sizes, const timing::Machine& machine,
                     Progress& progress, const std::function<void(AlgorithmCounts)>& found);

}  // namespace lanescope::session
