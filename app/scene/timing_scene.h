// The Timing panel as a picture: the selected chart, under the machine that it was measured on.
#pragma once

#include "scene/timing_plots.h"
#include "timing/difference.h"

namespace lanescope::scene {

struct TimingOptions {
    float width = 760;    ///< points
    float height = 420;   ///< of a plot; tables try to be no higher
    bool heading = true;  ///< title and machine; a panel has them already
    bool brief = false;   ///< names at the ends of the lines, no legend; the plot is of brief_plot
    LegendOptions legend{};
};

[[nodiscard]] Scene timing_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options);

/// A point beside its neighbor: why it is faster, a sentence, and the counts of both.
[[nodiscard]] Scene difference_scene(const TimingSubject& subject, const timing::Difference& difference, float width);

/// The same with the axes, pins and selection of the window. `plot` comes from timing_plot.
[[nodiscard]] Scene plot_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options,
                               const XyPlot& plot);

/// The setting of the steps table; nothing where none of the lecture's kernels was measured.
[[nodiscard]] std::optional<timing::Setting> steps_setting(const timing::Recording& recording, const TimingView& view);

/// The lecture's table as bars, today's beside its own. Rows refer to the kernel by their index in
/// timing::lecture_stages.
[[nodiscard]] Scene steps_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options);

/// The documents' claims in numbers beside the measurements.
[[nodiscard]] Scene claims_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options);

/// The chart's points, as comma-separated values with a line of headings (RFC 4180).
[[nodiscard]] std::string timing_csv(const TimingSubject& subject, const TimingView& view);

}  // namespace lanescope::scene
