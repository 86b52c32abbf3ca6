// The cost of a whole algorithm by the emulator's count, at any size: launched as `lanescope time` launches it, until
// one value is left. Sizes too large to emulate are extrapolated from smaller ones (timing/extrapolated_counts.h).
#pragma once

#include "session/run.h"
#include "timing/cost_model.h"

#include <cstdint>
#include <functional>
#include <span>

namespace lanescope::session {

/// The block size in which a kernel is estimated beside measurements in blocks of `charted` threads: the same, except
/// for a user's file whose launch fixes its own.
[[nodiscard]] std::uint32_t block_to_estimate(const Program& program, std::uint32_t charted);

/// The most elements for which a whole algorithm is emulated for its counts.
inline constexpr std::uint64_t most_counted_elements = std::uint64_t{1} << 22;

struct AlgorithmCounts {
    timing::Point point;   ///< without a time
    bool emulated = true;  ///< else extrapolated from smaller sizes
};

/// Counts as if launched on `machine`, because grids that fill a GPU depend on it. Reads `request.block` but neither
/// `request.n` nor view and grid: those are a measurement's. `sizes` increase. `found` is called, on this thread, for
/// each size that has counts. Ends early if it is cancelled, if the kernel is faulty, or if the kernel leaves most of N
/// elements unread: then its effective bandwidth would count bytes that were never moved.
void count_algorithm(const Request& request, std::span<const std::uint64_t> sizes, const timing::ModeledGpu& machine,
                     Progress& progress, const std::function<void(AlgorithmCounts)>& found);

}  // namespace lanescope::session
