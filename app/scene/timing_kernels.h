// Which kernels of a recording a plot shows, what each is called, and how it is drawn: the same in every chart.
#pragma once

#include "scene/timing_view.h"
#include "scene/xy_plot.h"
#include "timing/estimates.h"
#include "timing/families.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::scene {

/// The data of a plot.
struct TimingSubject {
    const timing::Recording& recording;
    const timing::Recording* lecture = nullptr;    ///< the lecture's table, for comparison
    const std::vector<timing::Variant>& variants;  ///< in the order of the lessons
    const timing::Estimates* estimates = nullptr;  ///< of the kernel that the window shows
    const timing::Recording* resident = nullptr;   ///< has reads by few warps: `recording` or another one
};

/// "sequential" for "Reduction 3: sequential", with its number where it has one.
[[nodiscard]] std::string short_name(const TimingSubject& subject, std::string_view kernel);

/// The color in which the view highlights the kernel: that of a compared program, or of the window's own. Nothing where
/// it is not highlighted.
[[nodiscard]] std::optional<Role> highlight_of(const TimingView& view, std::string_view kernel);

/// The short name of the kernel, after its letters where it is compared: "A: sequential".
[[nodiscard]] std::string lettered_name(const TimingSubject& subject, const TimingView& view, std::string_view kernel);

/// Is the point's time only that of partial results? They must still be combined, where other kernels are done.
[[nodiscard]] bool of_parts(const TimingSubject& subject, const timing::Point& point);

struct Sign {
    Role role{};
    Marker marker{};
    bool dashed = false;  ///< where there are more kernels than colors and shapes
};
/// Neighbors differ in color and in shape.
[[nodiscard]] Sign sign_of(std::size_t index);

struct PlottedKernel {
    std::string kernel;
    Role role;
    Marker marker;  ///< neighbors differ in color and in shape, which both stay the same while a recording grows
    bool dashed = false;
    bool shown = false;
};
/// The measured kernels of the view's family in the order of the lessons; kernels without a lesson come last.
[[nodiscard]] std::vector<PlottedKernel> plotted_kernels(const TimingSubject& subject, const TimingView& view);

}  // namespace lanescope::scene
