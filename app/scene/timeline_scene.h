// timing::Timeline -> shapes: when a GPU ran each block, with a row for each multiprocessor that ran one. Drawn below
// the emulated grid; its clock is the device's, in microseconds, and not the grid's.
#pragma once

#include "scene/scene.h"
#include "timing/timeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lanescope::scene {

struct TimelineOptions {
    float width = 640, height = 0;                           ///< points available; height 0: as high as it needs
    double zoom = 1;                                         ///< of time: 1 shows the whole run
    double scroll_x = 0;                                     ///< points scrolled away at the left; kept within bounds
    std::optional<std::pair<std::uint32_t, BlockId>> shown;  ///< launch and block that are shown
    /// Is the recorded launch that of the run? Otherwise it is another launch of the same program, and `instead`
    /// says how the run's differs: "n = 16 instead of 524,288".
    bool same_launch = true;
    std::string instead;
    std::string origin;  ///< device, driver, toolkit, date
    /// When the shown block executed the current step, nanoseconds; nothing: unknown.
    std::optional<std::pair<double, double>> now;
};

/// The scene's height where none is asked for.
[[nodiscard]] float timeline_height(const timing::Timeline& timeline);

/// References: node (row = the launch, column = the block). Viewport 0: the bars.
[[nodiscard]] Scene timeline_scene(const timing::Timeline& timeline, const TimelineOptions& options);

inline constexpr std::string_view no_timeline =
    "Not recorded on a GPU. Record it, then copy the file to ~/.config/lanescope/recordings/timelines:";

/// Shown where there is no recording: a sentence, and how to make one.
[[nodiscard]] Scene no_timeline_scene(float width, float height, const std::string& why, const std::string& command);

/// Both scenes, one below the other; `height`: of both together. Viewports of both, those of `top` first.
[[nodiscard]] Scene stacked(Scene top, Scene bottom);

}  // namespace lanescope::scene
