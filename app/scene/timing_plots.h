// Measurements as plots: time and bandwidth against N, block size or elements a thread.
#pragma once

#include "scene/timing_kernels.h"

namespace lanescope::scene {

/// Of charts that are plots; the roofline is timing_roofline.h's. The source of a point is its index in the recording.
[[nodiscard]] XyPlot timing_plot(const TimingSubject& subject, const TimingView& view);

}  // namespace lanescope::scene
