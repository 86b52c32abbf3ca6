// analysis::CountsPicture -> shapes: the Counts panel as a picture, the table above and a chart for each kind of count below.
#pragma once

#include "analysis/panels/counts_picture.h"
#include "scene/chart.h"
#include "scene/scene.h"

#include <vector>

namespace lanescope::scene {

struct CountsOptions {
    float width = 480;  ///< points available; the picture is wider where the table needs it, and as high as it needs
};

/// References: row (row = the pass).
[[nodiscard]] Scene counts_scene(const analysis::CountsPicture& picture, const CountsOptions& options);

/// The charts that stand below the table, for whoever draws them: operator applications, shares, wavefronts, sectors,
/// instructions.
[[nodiscard]] std::vector<Chart> counts_charts(const analysis::CountsPicture& picture);

/// "work 15 = n - 1"; "work 14, not n - 1 = 15".
[[nodiscard]] std::string text_of(const analysis::ClosedForm& form);

}  // namespace lanescope::scene
