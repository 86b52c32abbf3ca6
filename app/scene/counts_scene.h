// analysis::CountsPicture -> shapes: the Counts panel, on the screen and in files: the table above, formulas and
// hardware counters below it, then a chart for each kind of count.
#pragma once

#include "analysis/panels/counts_picture.h"
#include "scene/chart.h"
#include "scene/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::scene {

/// A line below the table, with a sign of agreement.
struct CountsNote {
    std::optional<bool> agrees;  ///< nothing: not compared
    std::string text;
};

struct CountsOptions {
    float width = 480;  ///< points available; with no height given, the scene is wider where the table needs it
    float height = 0;   ///< points available: the table scrolls where it is higher; 0: as high as everything needs
    float scroll_x = 0, scroll_y = 0;     ///< of the table, points; kept in bounds
    std::optional<std::size_t> centered;  ///< row to center, overriding `scroll_y`
    std::optional<std::size_t> hovered;   ///< row under the mouse
    std::size_t chart = 0;                ///< the chart that is shown where only one has room
    std::vector<CountsNote> hardware;     ///< below the formulas
};

/// References: row (row = the pass; of the total, the number of passes), heading (column = the column), note (row = the
/// formula's number, followed by the hardware lines), chart (row = the pass, column = the chart), heading with row 1
/// (column = the chart that it is the title of), control (room for the tabs that choose a chart, where only one is
/// shown). Viewport 0, where the table scrolls: its rows.
[[nodiscard]] Scene counts_scene(const analysis::CountsPicture& picture, const CountsOptions& options);

/// Are there counts that the table has no room for, so that it rounds them: 12.3 M?
[[nodiscard]] bool rounds_counts(const analysis::CountsPicture& picture, const CountsOptions& options);

/// The charts below the table: shares, wavefronts, operations, sectors, instructions and, where there is an estimate,
/// the share of the time.
[[nodiscard]] std::vector<Chart> counts_charts(const analysis::CountsPicture& picture);

/// "work 15 = n - 1"; "work 14, not n - 1 = 15".
[[nodiscard]] std::string text_of(const analysis::ClosedForm& form);

}  // namespace lanescope::scene
