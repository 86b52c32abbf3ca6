// Lines of a program -> the steps of a block at which a warp reaches them. As in cuda-gdb, a warp visits a line of PTX
// at each execution, a CUDA line when it enters it.
#pragma once

#include "analysis/block_view.h"
#include "analysis/source/source_map.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

struct WatchedLine {
    const SourceMap* map = nullptr;  ///< of the source that has the line; null: it is a line of the PTX
    std::uint32_t line = 0;          ///< from 1
};

struct LineVisit {
    std::size_t position = 0;  ///< number in BlockPasses::steps
    std::size_t line = 0;      ///< index of the watched line
    friend auto operator<=>(const LineVisit&, const LineVisit&) = default;
};

/// The visits of all warps of a block, ascending. Where two watched lines are the same, the first is visited.
[[nodiscard]] std::vector<LineVisit> line_visits(const BlockView& block, std::span<const WatchedLine> lines);

}  // namespace lanescope::analysis
