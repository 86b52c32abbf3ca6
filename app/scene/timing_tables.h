// The charts of Timing that are tables with bars: the lecture's steps, how close each kernel is to the memory's limit,
// and the documents' claims.
#pragma once

#include "scene/layers.h"
#include "scene/timing_plots.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::scene {

struct TimingOptions {
    float width = 760;    ///< points
    float height = 420;   ///< of a plot; tables are no higher if possible
    bool heading = true;  ///< title and machine; a panel has them already
    bool brief = false;   ///< names at the ends of the lines, no legend; the plot is of brief_plot
    LegendOptions legend{};
};

/// Draws the heading of a chart: its title and the machine. Returns the y below it.
float draw_heading(Layer& layer, const TimingOptions& options, std::string_view title,
                   const timing::Recording& recording);
[[nodiscard]] std::string title_of(const TimingView& view);

/// The setting of the steps table; nothing where none of the lecture's kernels was measured.
[[nodiscard]] std::optional<timing::Setting> steps_setting(const timing::Recording& recording, const TimingView& view);

/// The lecture's table as bars, today's beside the lecture's.
[[nodiscard]] Scene steps_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options);

/// Every kernel of the view's family at its size, the fastest first, as a share of what the memory allows.
[[nodiscard]] Scene limit_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options);

/// The documents' numeric claims beside the measurements.
[[nodiscard]] Scene claims_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options);

/// The point of the recording in a row of the view's table; nothing where there is none.
[[nodiscard]] std::optional<std::size_t> point_of_row(const TimingSubject& subject, const TimingView& view,
                                                      std::size_t row);

}  // namespace lanescope::scene
