// Does a kernel use two buffers in turn? Seen in the trace: each pass writes one and reads only what the other held.
#pragma once

#include "analysis/passes.h"
#include "analysis/picture.h"
#include "trace/trace.h"

#include <vector>

namespace lanescope::analysis {

/// Folds groups of columns that are used in turn: the two halves of one group, or two groups of equal shape. `groups` are
/// apart and ascend by address; of a folded pair the first stays, with both names.
void fold_double_buffers(const trace::Trace& trace, const BlockPasses& passes, std::vector<ColumnGroup>& groups);

}  // namespace lanescope::analysis
