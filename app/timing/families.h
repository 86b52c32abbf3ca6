// The kernels of a recording by family, and the size at which most of a family's kernels were measured.
#pragma once

#include "timing/measurement.h"
#include "timing/steps.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::timing {

/// A kernel that may have been measured.
struct Variant {
    std::string kernel;  ///< "reduce/sequential"
    std::string title;   ///< "Reduction 3: sequential"
    bool parts = false;  ///< a launch leaves partial results and none for the whole input
};

/// A library's algorithm, shown beside the catalog's kernels: "cub::DeviceScan".
[[nodiscard]] bool of_library(std::string_view kernel);

/// "reduce" for "reduce/sequential"; for a library's algorithm, the family that it belongs to; "file" for a file.
[[nodiscard]] std::string_view family_of(std::string_view kernel);
/// In the order in which they occur.
[[nodiscard]] std::vector<std::string> families(const Recording& recording);

/// The n, the block size and the element that charts of the family use: those at which its kernels, without the
/// libraries', were measured most often. `element`: takes this one; empty: the most measured one. Nothing where nothing
/// of the family was measured.
[[nodiscard]] std::optional<Setting> usual_setting(const Recording& recording, std::string_view family,
                                                   const std::string& element);

/// The values of a member of Point at which the family was measured, each once, in ascending order.
template <class Value>
[[nodiscard]] std::vector<Value> measured_values(const Recording& recording, std::string_view family,
                                                 Value Point::*member) {
    std::set<Value> values;
    for (const Point& point : recording.points)
        if (family_of(point.kernel) == family) values.insert(point.*member);
    return {values.begin(), values.end()};
}

/// The launch overhead, microseconds, of the run that most of those points (indices) come from, because it differs from
/// run to run; the recording's own overhead where no point states one.
[[nodiscard]] double overhead_of(const Recording& recording, const std::vector<std::size_t>& points);

}  // namespace lanescope::timing
