// What a kernel does through each pointer that it gets.
#pragma once

#include "ptx/module.h"

#include <optional>
#include <vector>

namespace lanescope::ptx {

struct PointerUse {
    bool loads = false, stores = false;
    bool updates = false;  ///< by atomic operations
};

/// By parameter: accesses whose address is computed from its value. Of other parameters than pointers it says nothing
/// of use. Nothing where it is not known: a pointer is kept in memory, or passed to a function through a pointer.
[[nodiscard]] std::optional<std::vector<PointerUse>> pointer_uses(const Module& module, const Function& kernel);

}  // namespace lanescope::ptx
