// Where the faults of a block stand in its Passes picture.
#pragma once

#include "analysis/passes.h"
#include "analysis/picture.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::analysis {

/// One finding, in the row of the pass in which it happened.
struct FaultMark {
    std::size_t finding = 0;  ///< in Trace::findings
    std::uint32_t row = 0;
    std::optional<std::uint32_t> column;  ///< the cell touched; nothing: outside all cells, or no access at all
    std::size_t step = 0;                 ///< number in BlockPasses::steps
    friend bool operator==(const FaultMark&, const FaultMark&) = default;
};

/// Of the findings of the block that were recorded step by step, in their own order.
[[nodiscard]] std::vector<FaultMark> fault_marks(const trace::Trace& trace, const BlockPasses& passes,
                                                 const Picture& picture);

}  // namespace lanescope::analysis
