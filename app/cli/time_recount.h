// `lanescope time --recount`: the counts of an existing recording are made again by the emulator.
#pragma once

#include "cli/cli.h"
#include "cli/options.h"
#include "timing/measurement.h"

#include <string>
#include <vector>

namespace lanescope::cli {

struct Recount {
    std::size_t points = 0;            ///< points with counts
    std::size_t changed = 0;           ///< those whose counts changed
    std::vector<std::string> changes;  ///< kernels with changed counts, apart from counts that the recording lacked
};

/// Renews the counts of points that have counts. `options`: the request that made the recording. Stops early if
/// cancelled.
[[nodiscard]] Result<Recount> recount(timing::Recording& recording, const TimeOptions& options,
                                      Environment& environment);

}  // namespace lanescope::cli
