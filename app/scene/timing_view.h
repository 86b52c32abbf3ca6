// The view of a recording: which chart, of which kernels, at which sizes.
#pragma once

#include "timing/measurement.h"
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
/// Is it points over two axes, not a table?
[[nodiscard]] constexpr bool is_plot(TimingChart chart) {
    return chart != TimingChart::steps && chart != TimingChart::claims;
}

/// A kernel that may have been measured, in the order of the lessons.
struct Variant {
    std::string kernel;  ///< "reduce/sequential"
    std::string title;   ///< "Reduction 3: sequential"
    bool parts = false;  ///< one launch leaves a result for each part of the input, and none for the whole
};

/// Empty settings take the most frequently measured value.
struct TimingView {
    TimingChart chart = TimingChart::bandwidth;
    std::string family = "reduce";
    std::string element;                 ///< empty: what was measured most
    std::optional<std::uint64_t> n;      ///< of sweeps over something else
    std::optional<std::uint32_t> block;  ///< of sweeps over N
    std::string current;                 ///< the kernel that the window shows
    std::map<std::string, bool> shown;   ///< series and rules that the user switched on or off, by id
    friend bool operator==(const TimingView&, const TimingView&) = default;
};

/// "reduce" of "reduce/sequential"; for a library's algorithm, the family that it belongs to.
[[nodiscard]] std::string_view family_of(std::string_view kernel);
[[nodiscard]] std::vector<std::string> families(const timing::Recording& recording);

/// The n and the block of the view's charts; nothing where nothing of the family was measured.
[[nodiscard]] std::optional<timing::Setting> setting_of(const timing::Recording& recording, const TimingView& view);

/// A library's algorithm, for comparison.
[[nodiscard]] bool of_library(std::string_view kernel);

}  // namespace lanescope::scene
