// analysis::TheoryPicture -> shapes: the Theory panel, on the screen and in files. Work, span and cost as tables,
// Brent's bound with the greedy schedule and the work over N as plots over two logarithmic axes, bytes and occupancy as
// tables.
#pragma once

#include "analysis/panels/theory_picture.h"
#include "scene/scene.h"
#include "scene/xy_plot.h"

#include <string>
#include <vector>

namespace lanescope::scene {

struct TheoryOptions {
    float width = 640;      ///< points available; two columns where both fit
    std::string measuring;  ///< the size being measured, "N = 256"; empty: none
};

/// Series of the plots: the bound, the greedy schedule, the lower bound; the measured work, N - 1, N log2 N.
[[nodiscard]] XyPlot brent_plot(const analysis::TheoryPicture& picture);
[[nodiscard]] XyPlot work_plot(const analysis::TheoryPicture& picture, const std::string& measuring);

/// References: point (row = the series, those of the second plot from `first_work_series` on; column = the point). The
/// scene is as high as it needs.
[[nodiscard]] Scene theory_scene(const analysis::TheoryPicture& picture, const TheoryOptions& options);

inline constexpr std::uint32_t first_work_series = 8;
inline constexpr float theory_two_columns = 860;  ///< points: from this width on there are two

}  // namespace lanescope::scene
