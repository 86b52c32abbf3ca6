// The window: everything that `lanescope` shows when it is started without a command.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lanescope::ui {

/// How the window starts. What is left empty comes from the settings of the last time, or from the defaults.
struct Options {
    std::string open;    ///< catalog name, or path of a .cu, .ptx or trace; empty: the first program of the catalog
    std::string kernel;  ///< which kernel of the file, where it has several
    std::optional<std::uint64_t> n;
    std::optional<std::uint32_t> block;  ///< threads
    std::optional<std::uint64_t> grid;   ///< blocks
    std::string input;
    std::optional<bool> compiled;  ///< view: as compiled, or as written
    std::optional<bool> light;     ///< theme
    std::optional<float> scale;    ///< interface scale, 0.75 to 3
    int width = 0, height = 0;     ///< of the window, in screen coordinates; 0: as the last time
    bool remember = true;          ///< read and write the settings and the layout

    /// For pictures of the window: draw one state, write the framebuffer as PNG and exit. Empty: an ordinary window.
    std::filesystem::path screenshot;
    std::optional<std::uint32_t> pass;  ///< where to stand in it: after how many steps of which pass,
    std::optional<double> progress;     ///< or at which share (0..1) of the whole run
    std::optional<std::uint32_t> select_row, select_column;  ///< the cell of the Passes picture to select
};

/// Opens the window and returns when it is closed: 0, or 2 when there is no display or no OpenGL 3.3 (said on stderr).
[[nodiscard]] int run_window(const Options& options);

}  // namespace lanescope::ui
