// Measurements as plots: time and bandwidth against N, block size or elements a thread; and the roofline.
#pragma once

#include "scene/timing_kernels.h"

namespace lanescope::scene {

/// The plot of a chart that is one, the roofline among them. The source of a point is its index in the recording.
[[nodiscard]] XyPlot timing_plot(const TimingSubject& subject, const TimingView& view);

/// How far each kernel is from what the machine could do: instructions issued for each byte that moved between chip and
/// memory, and how many are issued a second, below what memory and multiprocessors allow. Sources likewise.
[[nodiscard]] XyPlot roofline_plot(const TimingSubject& subject, const TimingView& view,
                                   const timing::Setting& setting);

/// Across the whole plot; its x are for the caller to set. The recording states a peak.
[[nodiscard]] PlotRule peak_rule(const timing::Recording& recording, const TimingView& view);

/// Bandwidth against resident warps, a line for each number of loads in flight, beside what Little's law allows: bytes
/// in flight / latency (Volkov, Better Performance at Lower Occupancy, GTC 2010).
[[nodiscard]] XyPlot residency_plot(const TimingSubject& subject, const TimingView& view);

}  // namespace lanescope::scene
