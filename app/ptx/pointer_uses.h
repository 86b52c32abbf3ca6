// How a kernel uses each of its pointer parameters.
#pragma once

#include "ptx/module.h"

#include <optional>
#include <vector>

namespace lanescope::ptx {

struct PointerUse {
    bool loads = false, stores = false;
    bool updates = false;  ///< by atomic operations
};

/// For each parameter, the accesses whose address is computed from its value. Entries of parameters that are not
/// pointers have no meaning. Nothing if the uses are not known: a pointer is stored in memory, or passed to a function
/// through a pointer.
[[nodiscard]] std::optional<std::vector<PointerUse>> pointer_uses(const Module& module, const Function& kernel);

}  // namespace lanescope::ptx
