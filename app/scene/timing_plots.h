// Measurements as plots: time and bandwidth against N, block size or elements a thread; and the roofline.
#pragma once

#include "scene/timing_kernels.h"

namespace lanescope::scene {

/// The plot of a chart that is a plot, such as the roofline. A point's source is its index in the recording.
[[nodiscard]] XyPlot timing_plot(const TimingSubject& subject, const TimingView& view);

/// How far each kernel is from the machine's limits: instructions issued per byte moved between chip and memory, and
/// instructions issued per second, below what memory and multiprocessors allow. Sources as in timing_plot().
[[nodiscard]] XyPlot roofline_plot(const TimingSubject& subject, const TimingView& view,
                                   const timing::Setting& setting);

/// Crosses the whole plot; the caller sets its x values. The recording must state a peak.
[[nodiscard]] PlotRule peak_rule(const timing::Recording& recording, const TimingView& view);

/// Bandwidth against resident warps, a line for each number of loads in flight, beside the limit by Little's law: bytes
/// in flight / latency (Volkov, Better Performance at Lower Occupancy, GTC 2010).
[[nodiscard]] XyPlot residency_plot(const TimingSubject& subject, const TimingView& view);

}  // namespace lanescope::scene
