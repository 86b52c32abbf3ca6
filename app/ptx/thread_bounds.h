// Which parameters of a kernel bound its threads: `if (x < nx && y < ny)`.
#pragma once

#include "ptx/module.h"

#include <vector>

namespace lanescope::ptx {

/// By parameter: whether a value computed from it is compared with one that is computed from an index of a thread or
/// block, and is no such index itself. Through calls and memory nothing is followed: those are false.
[[nodiscard]] std::vector<bool> bounds_of_threads(const Function& kernel);

}  // namespace lanescope::ptx
