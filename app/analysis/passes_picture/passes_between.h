// Passes that write none of the columns of a picture -> what they do: a tiled product's loop over a tile reads the
// arrays that are shown, and keeps its sums in registers.
#pragma once

#include "analysis/block_view.h"
#include "analysis/passes_picture/columns.h"
#include "analysis/passes_picture/picture.h"

#include <string>

namespace lanescope::analysis {

/// The activity of the passes from `first` to `last`, both included.
[[nodiscard]] PassesBetween passes_between(const BlockView& block, const Columns& columns, PassId first, PassId last);

/// "pass 1", "passes 3 to 5"
[[nodiscard]] std::string title_of(const PassesBetween& between);
/// "reads As and Bs, keeps the results in registers"; `brief`: "reads As and Bs".
[[nodiscard]] std::string activity_of(const PassesBetween& between, bool brief = false);

}  // namespace lanescope::analysis
