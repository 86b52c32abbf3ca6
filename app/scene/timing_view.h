// The view of a recording: the chart, the kernels, the sizes.
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

enum class TimingChart : std::uint8_t { bandwidth, time, limit, steps, block, per_thread, residency, roofline, claims };
inline constexpr std::array timing_charts = {TimingChart::bandwidth, TimingChart::time,     TimingChart::limit,
                                             TimingChart::steps,     TimingChart::block,    TimingChart::per_thread,
                                             TimingChart::residency, TimingChart::roofline, TimingChart::claims};
[[nodiscard]] std::string_view name_of(TimingChart chart);   ///< "bandwidth", as on the command line
[[nodiscard]] std::string_view label_of(TimingChart chart);  ///< "Bandwidth", as on buttons
/// Is the chart points over two axes rather than a table?
[[nodiscard]] constexpr bool is_plot(TimingChart chart) {
    return chart != TimingChart::steps && chart != TimingChart::limit && chart != TimingChart::claims;
}

/// Does the chart show one family, with sizes, blocks and a type to choose from?
[[nodiscard]] constexpr bool is_of_family(TimingChart chart) {
    return (is_plot(chart) && chart != TimingChart::residency) || chart == TimingChart::limit;
}

/// Empty settings take the most frequently measured value.
struct TimingView {
    TimingChart chart = TimingChart::bandwidth;
    std::string family = "reduce";
    std::string element;                 ///< empty: the most measured one
    std::optional<std::uint64_t> n;      ///< of sweeps over another quantity
    std::optional<std::uint32_t> block;  ///< of sweeps over N
    std::string current;                 ///< the kernel that the window shows
    std::vector<std::string> compared;   ///< the kernels of a comparison, A first; empty: nothing is compared
    std::map<std::string, bool> shown;   ///< series and rules that the user switched on or off, by id
    friend bool operator==(const TimingView&, const TimingView&) = default;
};

/// Does the user want the series or the rule? `otherwise`: the answer where the user has not chosen.
[[nodiscard]] bool is_shown(const TimingView& view, std::string_view id, bool otherwise);
/// The ids of measurements that are not kernels of a family: a copy of as many elements, and a sweep that only reads
/// them.
inline constexpr std::string_view copy_id = "copy", sweep_id = "sweep";

/// Do the family's kernels write as much as they read? Then only a copy is their ceiling.
[[nodiscard]] bool writes_as_much(const TimingView& view);

/// The n and the block size of the view's charts; nothing where nothing of the family was measured.
[[nodiscard]] std::optional<timing::Setting> setting_of(const timing::Recording& recording, const TimingView& view);

/// The block size, in threads, of a kernel that is charted where no block size was measured.
inline constexpr std::uint32_t usual_block = 256;

}  // namespace lanescope::scene
