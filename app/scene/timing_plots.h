// Measurements as plots: time and bandwidth against N, block size or elements a thread, and how far each kernel is from what
// the machine could do.
#pragma once

#include "scene/xy_plot.h"
#include "timing/shelf.h"
#include "timing/steps.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::scene {

enum class TimingChart : std::uint8_t { bandwidth, time, steps, block, per_thread, roofline, claims };
inline constexpr std::array timing_charts = {TimingChart::bandwidth, TimingChart::time,       TimingChart::steps,
                                             TimingChart::block,     TimingChart::per_thread, TimingChart::roofline,
                                             TimingChart::claims};
[[nodiscard]] std::string_view name_of(TimingChart chart);   ///< "bandwidth", as flags have it
[[nodiscard]] std::string_view label_of(TimingChart chart);  ///< "Bandwidth", as buttons have it
/// Is it points over two axes, and no table?
[[nodiscard]] constexpr bool is_plot(TimingChart chart) {
    return chart != TimingChart::steps && chart != TimingChart::claims;
}

/// A kernel that may have been measured, in the order of the lessons.
struct Variant {
    std::string kernel;  ///< "reduce/sequential"
    std::string title;   ///< "Reduction 3: sequential"
};

/// What is looked at, and how. Empty settings are chosen by what was measured most.
struct TimingView {
    TimingChart chart = TimingChart::bandwidth;
    std::string family = "reduce";
    std::string element;                 ///< empty: what was measured most
    std::optional<std::uint64_t> n;      ///< of sweeps over something else
    std::optional<std::uint32_t> block;  ///< of sweeps over N
    std::string current;                 ///< the kernel that the window shows
    std::map<std::string, bool> shown;   ///< series and rules that a person switched on or off, by id
    friend bool operator==(const TimingView&, const TimingView&) = default;
};

/// What was never measured, by a cost model: always drawn apart from measurements.
struct Estimates {
    std::vector<timing::Point> points;  ///< of one kernel, by n; their times are the model's
    double median_error = 0;            ///< of the model, relative
    std::string sentence;               ///< what it was fitted to and how far it is off
};

/// What a plot is made of.
struct TimingSubject {
    const timing::Recording& recording;
    const timing::Recording* lecture = nullptr;  ///< the lecture's table, to stand beside
    const std::vector<Variant>& variants;
    const Estimates* estimates = nullptr;  ///< of the kernel that the window shows
};

/// "sequential" for "Reduction 3: sequential", with its number where it has one.
[[nodiscard]] std::string short_name(const TimingSubject& subject, std::string_view kernel);
/// "reduce" of "reduce/sequential"; of a library's algorithm the family that it is one of.
[[nodiscard]] std::string_view family_of(std::string_view kernel);
[[nodiscard]] std::vector<std::string> families(const timing::Recording& recording);

/// The n and the block that charts of the view are about; nothing where nothing of the family was measured.
[[nodiscard]] std::optional<timing::Setting> setting_of(const timing::Recording& recording, const TimingView& view);

/// Of charts that are plots. The source of a point is its index in the recording.
[[nodiscard]] XyPlot timing_plot(const TimingSubject& subject, const TimingView& view);

/// Instructions issued for each byte that moved between chip and memory, and how many are issued a second: the roofline's axes.
/// Nothing without counts.
[[nodiscard]] std::optional<std::pair<double, double>> on_roofline(const timing::Point& point);

}  // namespace lanescope::scene
