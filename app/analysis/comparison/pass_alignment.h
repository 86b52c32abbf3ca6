// The passes of two runs -> the pass of one that corresponds to each pass of the other, and the passes without one.
#pragma once

#include "analysis/passes/passes.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::analysis {

/// A pass in numbers, of one block or of the whole grid.
struct MeasuredPass {
    std::uint32_t launch = 0;
    Pass pass;  ///< its range of steps is that of the block; empty for the whole grid
};

/// The passes of one block.
[[nodiscard]] std::vector<MeasuredPass> measured_passes(const BlockPasses& block);
/// The passes of all blocks; useful lanes and work are unknown (Pass::unknown_lanes) where GridPass has none.
[[nodiscard]] std::vector<MeasuredPass> measured_passes(std::span<const GridPass> grid);

/// One row of a comparison: indices of the two lists; one of them is missing where a pass has no counterpart.
struct PassPair {
    std::optional<std::size_t> one, other;
    [[nodiscard]] bool complete() const { return one && other; }
    friend bool operator==(const PassPair&, const PassPair&) = default;
};

enum class Alignment : std::uint8_t {
    by_variable,  ///< at least half of the passes of the shorter run have the same value of the loop's variable
    in_order,     ///< the first computing pass with the first one, and so on
};

struct AlignedPasses {
    std::vector<PassPair> pairs;  ///< ascending in both lists; every pass is in exactly one of them
    Alignment alignment = Alignment::in_order;
};

/// Launch by launch: the load with the load, the store with the store, the computing passes between them by their
/// loop's variable, otherwise in order. Launches beyond the other run's have no counterpart.
[[nodiscard]] AlignedPasses aligned(std::span<const MeasuredPass> one, std::span<const MeasuredPass> other);

}  // namespace lanescope::analysis
