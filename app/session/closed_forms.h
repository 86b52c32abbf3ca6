// The values of the lecture's formulas for a run, beside the measured ones.
#pragma once

#include "analysis/panels/counts_picture.h"
#include "session/run.h"

#include <vector>

namespace lanescope::session {

/// Work and span of the program, where its lecture has formulas for them. Of the whole run.
[[nodiscard]] std::vector<analysis::ClosedForm> closed_forms(const Run& run);

}  // namespace lanescope::session
