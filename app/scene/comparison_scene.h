// Two runs side by side -> shapes: what changed, a table with a row for each pair of passes and bars for the counts of
// both, then the times with the share of each count. The Compare panel and `lanescope compare` draw it.
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
    std::string caveat;                            ///< why the two do not do the same task; empty: no remark
    std::string waiting;                           ///< a sentence, while the times are unknown; empty: no remark
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
