// The Timing panel as a picture: the selected chart, under the machine that it was measured on.
#pragma once

#include "scene/timing_tables.h"
#include "timing/difference.h"

namespace lanescope::scene {

[[nodiscard]] Scene timing_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options);

/// A point beside its neighbor: one sentence on why it is faster, and the counts of both.
[[nodiscard]] Scene difference_scene(const TimingSubject& subject, const timing::Difference& difference, float width);

/// The same with the axes, pins and selection of the window. `plot` comes from timing_plot.
[[nodiscard]] Scene plot_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options,
                               const XyPlot& plot);

/// The recording with the data of the chart.
[[nodiscard]] const timing::Recording& recording_of(const TimingSubject& subject, const TimingView& view);

/// The chart's points, as comma-separated values with a line of headings (RFC 4180).
[[nodiscard]] std::string timing_csv(const TimingSubject& subject, const TimingView& view);

}  // namespace lanescope::scene
