// Registers that some path may read before it writes them. PTX leaves their value undefined; here it is always 0, so
// that a run is the same on every host. All other registers need not be cleared when a block starts.
#pragma once

#include "ptx/module.h"

#include <vector>

namespace lanescope::execute {

/// For each register of the function, whether it may be read uninitialized. A guarded write does not count as a write.
[[nodiscard]] std::vector<bool> may_be_read_uninitialized(const ptx::Function& function);

}  // namespace lanescope::execute
