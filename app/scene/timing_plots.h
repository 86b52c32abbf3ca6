// Measurements as plots: time and bandwidth against N, block size or elements a thread, and each kernel's distance from
// the limits of the machine.
#pragma once

#include "scene/timing_view.h"
#include "scene/xy_plot.h"
#include "timing/estimates.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::scene {

/// The data of a plot.
struct TimingSubject {
    const timing::Recording& recording;
    const timing::Recording* lecture = nullptr;  ///< the lecture's table, for comparison
    const std::vector<Variant>& variants;
    const timing::Estimates* estimates = nullptr;  ///< of the kernel that the window shows
};

/// "sequential" for "Reduction 3: sequential", with its number where it has one.
[[nodiscard]] std::string short_name(const TimingSubject& subject, std::string_view kernel);

/// Of charts that are plots. The source of a point is its index in the recording.
[[nodiscard]] XyPlot timing_plot(const TimingSubject& subject, const TimingView& view);

/// Instructions issued for each byte moved between chip and memory, and how many are issued a second: the roofline's
/// axes. Nothing without counts.
[[nodiscard]] std::optional<std::pair<double, double>> on_roofline(const timing::Point& point);

}  // namespace lanescope::scene
