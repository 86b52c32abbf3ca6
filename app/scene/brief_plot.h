// A plot of many lines -> one for little room: the relevant sizes, few lines, each with a color of its own and its name
// where it ends.
#pragma once

#include "scene/xy_plot.h"

#include <cstddef>
#include <map>
#include <string>

namespace lanescope::scene {

struct BriefOptions {
    double from_x = 0;                          ///< points left of it are left out, where enough are right of it
    std::size_t most_lines = 5;                 ///< in addition to those that the user has switched on
    const std::map<std::string, bool>& wanted;  ///< by id: what the user has switched on or off
    /// The measured lines are of another family than the current one, a user's own program, which is shown with the
    /// ceilings only.
    bool other_family = false;
};

/// Shows fewer lines: those that the user has switched on, the current one, the measured ones that end highest and
/// lowest, then those that end next to the current one. Where a line is switched off, no other takes its place or
/// color. The series keep their places, and rules that the user has not switched on are hidden. The axes fit the
/// remaining lines.
[[nodiscard]] XyPlot brief_plot(XyPlot plot, const BriefOptions& options);

/// The width of the names at the ends, points: that of the widest, at most `most`.
[[nodiscard]] float end_names_width(const XyPlot& plot, float text_size, float most);

/// The names of the shown lines right of `axes`, each at the height where its line ends, as far apart as lines of text.
/// References: series (row = the series).
void draw_end_names(Scene& scene, const Box& axes, float width, const XyPlot& plot, float text_size);

}  // namespace lanescope::scene
