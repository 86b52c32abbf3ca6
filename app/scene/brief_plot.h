// A plot of many lines -> one for little room: the sizes that matter, few lines, each with a color of its own and its
// name where it ends.
#pragma once

#include "scene/xy_plot.h"

#include <cstddef>
#include <map>
#include <string>

namespace lanescope::scene {

struct BriefOptions {
    double from_x = 0;                          ///< what lies left of it is left out, where enough lies right of it
    std::size_t most_lines = 5;                 ///< beside those that the user has switched on
    const std::map<std::string, bool>& wanted;  ///< by id: what the user has switched on or off
    /// The measured lines are of another family than the current one, a user's own program: it stands beside the
    /// ceilings alone.
    bool other_family = false;
};

/// Shows fewer of the shown lines: those switched on, the current one, the measured ones that end highest and lowest,
/// then those that end next to the current one; where one is switched off, none takes its place or color. The series
/// keep their places, and rules that the user has not switched on are hidden. The axes fit what is left.
[[nodiscard]] XyPlot brief_plot(XyPlot plot, const BriefOptions& options);

/// The width of the names at the ends, points: of the widest, at most `most`.
[[nodiscard]] float end_names_width(const XyPlot& plot, float text_size, float most);

/// The names of the shown lines right of `axes`, each at the height where its line ends, as far apart as lines of text.
/// References: series (row = the series).
void draw_end_names(Scene& scene, const Box& axes, float width, const XyPlot& plot, float text_size);

}  // namespace lanescope::scene
