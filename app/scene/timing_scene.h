// The Timing panel as a picture: the chart that is looked at, under whose machine it was measured on.
#pragma once

#include "scene/timing_plots.h"

namespace lanescope::scene {

struct TimingOptions {
    float width = 760;    ///< points
    float height = 420;   ///< of a plot; tables try to be no higher
    bool heading = true;  ///< title and machine; a panel has them already
};

[[nodiscard]] Scene timing_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options);

/// The same of a plot as it is looked at: its axes, its pins, its selection. `plot` is timing_plot's.
[[nodiscard]] Scene plot_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options,
                               const XyPlot& plot);

/// What the steps are shown of; nothing where none of the lecture's kernels was measured.
[[nodiscard]] std::optional<timing::Setting> steps_setting(const timing::Recording& recording, const TimingView& view);

/// The lecture's table as bars, today's beside its own. Rows refer to the kernel by their index in timing::lecture_stages.
[[nodiscard]] Scene steps_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options);

/// What the documents claim in numbers beside what was measured.
[[nodiscard]] Scene claims_scene(const TimingSubject& subject, const TimingView& view, const TimingOptions& options);

/// The points that the chart is about, as comma-separated values with a line of headings (RFC 4180).
[[nodiscard]] std::string timing_csv(const TimingSubject& subject, const TimingView& view);

}  // namespace lanescope::scene
