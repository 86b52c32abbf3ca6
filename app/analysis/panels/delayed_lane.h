// The lane at which an access is worth looking at first.
#pragma once

#include "analysis/block_view.h"

#include <cstddef>
#include <optional>

namespace lanescope::analysis {

/// Of the block's step `index`: the first lane that waits for a second wavefront, sector or turn where the access takes
/// more of them than its lanes need, otherwise its first lane. Nothing where the step accesses neither shared nor
/// global memory.
[[nodiscard]] std::optional<unsigned> delayed_lane(const BlockView& block, std::size_t index);

}  // namespace lanescope::analysis
