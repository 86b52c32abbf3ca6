// The excessive wavefronts of shared memory and sectors of global memory, beyond the ideal number, for any range of a
// block's steps.
#pragma once

#include "analysis/block_view.h"
#include "analysis/costs.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope::analysis {

struct Excess {
    std::uint64_t wavefronts = 0;  ///< beyond those that as many lanes need at adjacent addresses
    std::uint64_t sectors = 0;     ///< of loads and stores, beyond those that their bytes fill when adjacent
    friend bool operator==(const Excess&, const Excess&) = default;
};

class ExcessCounts {
  public:
    /// Reads the accesses of all steps of the block once.
    explicit ExcessCounts(const BlockView& block);

    /// The excess of the block's steps [first, past_last).
    [[nodiscard]] Excess of(std::size_t first, std::size_t past_last) const;

  private:
    std::vector<Excess> before_;  // sums before each step, and of all steps
};

}  // namespace lanescope::analysis
