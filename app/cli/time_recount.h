// `lanescope time --recount`: the counts of an existing recording are made again by the emulator.
#pragma once

#include "cli/cli.h"
#include "cli/options.h"
#include "timing/measurement.h"

#include <string>
#include <vector>

namespace lanescope::cli {

struct Recount {
    std::size_t points = 0;            ///< that have counts
    std::size_t changed = 0;           ///< of them
    std::vector<std::string> changes;  ///< kernels of which more than a count that the recording lacked has changed
};

/// Points without counts stay without. `options`: the request that made the recording. Stops early where it is
/// cancelled.
[[nodiscard]] Result<Recount> recount(timing::Recording& recording, const TimeOptions& options,
                                      Environment& environment);

}  // namespace lanescope::cli
