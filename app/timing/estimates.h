// Times that a cost model estimates and that were never measured: always drawn separately from measurements.
#pragma once

#include "timing/cost_model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::timing {

struct Estimates {
    std::vector<Point> points;     ///< of one kernel, by n; their times are the model's
    double median_error = 0;       ///< of the model for such kernels, relative: the largest error of the points
    std::uint64_t counted_to = 0;  ///< the largest n that was emulated
    bool extended = false;         ///< there are larger sizes, with extrapolated counts
    std::string replaced;          ///< a sentence for each point whose time is the least possible one instead
    std::string sentence;          ///< the method, the model's error, and `replaced`
};

/// `point`: with counts, without a time.
void add(Estimates& estimates, Point point, bool emulated, const JudgedModel& model);

/// The sizes to estimate beside a recording: every other power of two from 2^10 to its largest n; and 2^21, which shows
/// whether a grid that fills the machine by 2^20 stays the same.
[[nodiscard]] std::vector<std::uint64_t> sizes_to_estimate(const Recording& recording);

}  // namespace lanescope::timing
