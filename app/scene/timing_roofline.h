// How far each kernel is from what the machine could do: instructions issued for each byte that moved between chip and
// memory, and how many are issued a second, below what memory and multiprocessors allow.
#pragma once

#include "scene/timing_kernels.h"

namespace lanescope::scene {

/// The source of a point is its index in the recording.
[[nodiscard]] XyPlot roofline_plot(const TimingSubject& subject, const TimingView& view,
                                   const timing::Setting& setting);

}  // namespace lanescope::scene
