// Which parameters of a kernel bound its threads: `if (x < nx && y < ny)`.
#pragma once

#include "ptx/module.h"

#include <bitset>
#include <cstddef>
#include <vector>

namespace lanescope::ptx {

/// A comparison of a value that is computed from indices of threads or blocks with one that is computed from parameters
/// and from no such index.
struct ThreadBound {
    std::bitset<3> axes;                  ///< x, y, z, of the indices
    std::vector<std::size_t> parameters;  ///< ascending
    bool multiplies = false;              ///< parameters, with one another: `i < rows * columns`
};
/// Values are not followed through calls and memory.
[[nodiscard]] std::vector<ThreadBound> thread_bounds(const Function& kernel);

/// For each parameter, whether it is in a bound.
[[nodiscard]] std::vector<bool> bounds_of_threads(const Function& kernel);

}  // namespace lanescope::ptx
