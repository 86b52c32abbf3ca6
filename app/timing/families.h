// Kernels of a recording by family: which there are, and at which size most of a family's kernels were measured.
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
    bool parts = false;  ///< one launch leaves a result for each part of the input, and none for the whole
};

/// A library's algorithm, shown beside the catalog's kernels.
[[nodiscard]] bool of_library(std::string_view kernel);

/// "reduce" of "reduce/sequential"; of a library's algorithm the family that it is one of; "file" of a file.
[[nodiscard]] std::string_view family_of(std::string_view kernel);
/// In the order met.
[[nodiscard]] std::vector<std::string> families(const Recording& recording);

/// The n, the block and the element that charts of the family use: of what its kernels were measured at most often,
/// libraries' aside. `element`: this one; empty: the one measured most. Nothing where nothing of the family was
/// measured.
[[nodiscard]] std::optional<Setting> usual_setting(const Recording& recording, std::string_view family,
                                                   const std::string& element);

/// The values of a point's member at which the family was measured: each once, in order.
template <class Value>
[[nodiscard]] std::vector<Value> measured_values(const Recording& recording, std::string_view family,
                                                 Value Point::*member) {
    std::set<Value> values;
    for (const Point& point : recording.points)
        if (family_of(point.kernel) == family) values.insert(point.*member);
    return {values.begin(), values.end()};
}

/// The launch overhead, microseconds, of the run that most of those points (indices) come from, because it differs from
/// run to run; the recording's own where none of them states it.
[[nodiscard]] double overhead_of(const Recording& recording, const std::vector<std::size_t>& points);

}  // namespace lanescope::timing
