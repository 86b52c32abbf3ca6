// Two runs beside each other -> shapes: what changed, a table with a row for each pair of passes and bars for the
// counts of both, the times below it with the share of each count. The Compare panel and `lanescope compare` draw it.
#pragma once

#include "analysis/comparison/comparison.h"
#include "scene/scene.h"
#include "timing/compared_times.h"

#include <cstddef>
#include <optional>
#include <string>

namespace lanescope::scene {

struct ComparisonSubject {
    const analysis::Comparison& comparison;
    std::string one, other;                        ///< the names of the two
    const timing::ComparedTimes* times = nullptr;  ///< null: not known yet
    std::string caveat;                            ///< why they are not the same task; empty: nothing is said
    std::string waiting;  ///< where the times are not known: a sentence; empty: nothing is said
};

struct ComparisonOptions {
    float width = 900;                   ///< points
    std::optional<std::size_t> current;  ///< row of the pass at the cursor
    std::optional<std::size_t> hovered;  ///< row under the mouse
};

/// References: row (row = the pair of passes), heading (column = of Comparison::columns; past them: the estimated time
/// of the passes), note (row 0: the times).
[[nodiscard]] Scene comparison_scene(const ComparisonSubject& subject, const ComparisonOptions& options);

}  // namespace lanescope::scene
