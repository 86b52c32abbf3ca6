// A graph of operations, p processors -> the steps of a greedy schedule: in each step, every processor performs an
// operation whose needs are done, as long as there are any. Of more than p ready operations, those with the longest
// chain after them go first, then those recorded first.
//
// Brent's theorem (R. P. Brent, The parallel evaluation of general arithmetic expressions, 1974; R. L. Graham, Bounds
// for certain multiprocessing anomalies, 1966): with W operations, t of them on the longest chain, such a schedule
// takes at least max(t, ceil(W / p)) and at most t + (W - t) / p steps.
#pragma once

#include "analysis/theory/operation_graph.h"

#include <cstdint>
#include <vector>

namespace lanescope::analysis {

/// t + (W - t) / p. `processors` above 0.
[[nodiscard]] constexpr double brent_bound(std::uint64_t work, std::uint64_t span, double processors) {
    return static_cast<double>(span) + static_cast<double>(work - span) / processors;
}
/// max(t, W / p): no schedule takes fewer steps.
[[nodiscard]] constexpr double least_steps(std::uint64_t work, std::uint64_t span, double processors) {
    const double shared = static_cast<double>(work) / processors;
    return shared > static_cast<double>(span) ? shared : static_cast<double>(span);
}

/// Schedules on several numbers of processors; the graph must outlive it.
class GreedySchedule {
  public:
    explicit GreedySchedule(const OperationGraph& graph);
    /// `processors` above 0. O(operations x log(operations)).
    [[nodiscard]] std::uint64_t steps(std::uint64_t processors) const;

  private:
    const OperationGraph& graph_;
    std::vector<std::uint32_t> heights_;
    std::vector<std::uint32_t> first_user_, users_;  ///< of each node: the nodes that need it
    std::uint64_t width_ = 0;
};

}  // namespace lanescope::analysis
