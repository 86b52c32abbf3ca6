// The passes of two blocks of a launch -> which passes correspond. Blocks that decide for themselves how often they
// repeat something, or what they leave out, number their passes differently.
#pragma once

#include "analysis/passes/passes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope::analysis {

struct AlignedBlock {
    /// For each pass of the block, the index of the corresponding one. A pass without a counterpart has the index that
    /// the pass before it has, or the first pass with a counterpart.
    std::vector<std::size_t> counterparts;
    std::size_t unmatched = 0;  ///< passes without counterpart
};

/// Aligns other blocks with one. Passes correspond if they mostly execute the same lines of PTX; of the possible
/// pairings in order, the most similar is taken.
class BlockAligner {
  public:
    BlockAligner(const trace::Trace& trace, const BlockPasses& with);
    [[nodiscard]] AlignedBlock align(const BlockPasses& block) const;

  private:
    using Lines = std::vector<std::uint32_t>;  ///< ascending, each once
    [[nodiscard]] Lines lines_of(const BlockPasses& block, const Pass& pass) const;

    const trace::Trace& trace_;
    const BlockPasses& with_;
    std::vector<Lines> lines_;  ///< by the pass of `with_`
};

}  // namespace lanescope::analysis
