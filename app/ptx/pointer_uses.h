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

/// By parameter: accesses whose address is computed from its value. Entries of parameters that are no pointers have no
/// meaning. Nothing where it is not known: a pointer is kept in memory, or passed to a function through a pointer.
[[nodiscard]] std::optional<std::vector<PointerUse>> pointer_uses(const Module& module, const Function& kernel);

}  // namespace lanescope::ptx
