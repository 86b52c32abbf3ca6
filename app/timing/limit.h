// The kernels of a recording at one size -> how close each comes to the memory's limits: the copy and the sweep
// measured beside them, and the bandwidth that follows from the memory's clock and bus width.
#pragma once

#include "timing/measurement.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::timing {

/// A kernel at that size: its fastest block size and grid, by stands_before.
struct LimitRow {
    std::size_t point = 0;  ///< of Recording::points
    double of_copy = 0;     ///< effective bandwidth / the ceiling's; 0 where the ceiling is unknown
    double of_sweep = 0;    ///< the same
    double of_nominal = 0;  ///< the same
};

/// Bandwidths are in GB/s; 0: not measured at the size, or not reported by the driver.
struct BandwidthLimits {
    double copy = 0;             ///< from device memory to device memory, as many bytes read as the kernels read
    double sweep = 0;            ///< of a kernel that reads as many bytes and writes none
    double nominal = 0;          ///< Recording::peak
    std::vector<LimitRow> rows;  ///< the fastest first; wrong results last
};

/// 8 for "double": a ceiling is compared with kernels that move as many bytes, whatever their type. 4 for unknown
/// types.
[[nodiscard]] std::uint64_t bytes_of_element(std::string_view element);

/// The limits of the `kernels` that were measured with `n` elements of type `element`.
[[nodiscard]] BandwidthLimits limits_of(const Recording& recording, std::span<const std::string> kernels,
                                        std::uint64_t n, std::string_view element);

}  // namespace lanescope::timing
