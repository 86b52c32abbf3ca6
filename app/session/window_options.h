// The start options of the window, from the command line.
#pragma once

#include "session/launch_values.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

namespace lanescope::session {

/// Absent values come from the last settings, or from the defaults.
struct WindowOptions {
    LaunchValues launch;         ///< its program: a catalog name, or the path of a .cu, .ptx, trace or recording
    std::optional<bool> light;   ///< theme
    std::optional<float> scale;  ///< interface scale, 0.75 to 3
    int width = 0, height = 0;   ///< of the window, in screen coordinates; 0: as the last time
    bool remember = true;        ///< read and write the settings and the layout

    /// For a picture of the window: draw one state, write the framebuffer as PNG and exit. Empty: an ordinary window.
    std::filesystem::path screenshot;
    std::optional<std::uint32_t> pass;                              ///< the position: at the end of this pass,
    std::optional<double> progress;                                 ///< or at this share (0..1) of the block's steps
    std::optional<std::pair<std::uint32_t, std::uint32_t>> select;  ///< row and column of the Passes picture
};

}  // namespace lanescope::session
