// Accesses of the PTX whose SASS differs: merged with others or removed, wider or narrower, or predicated. There the
// hardware's counters may differ from counts of the PTX.
#pragma once

#include "ptx/module.h"
#include "sass/sass.h"

#include <string>
#include <vector>

namespace lanescope::sass {

struct ChangedAccess {
    PtxLine line;
    std::string what;  ///< "LDS.128 at 0150 accesses 16 bytes, the PTX 4"
    friend bool operator==(const ChangedAccess&, const ChangedAccess&) = default;
};

/// Of the loads and stores of shared, global, local and generic memory and the atomics of all functions that were
/// assembled, by line. The line table alone says which instruction was made for which; of atomics only whether there is
/// any, and of accesses for which there are several instructions, only their widths.
[[nodiscard]] std::vector<ChangedAccess> changed_accesses(const Listing& listing, const ptx::Module& module);

}  // namespace lanescope::sass
