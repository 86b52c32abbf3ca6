// The command line: the contents of the window as text, JSON, files and exit codes.
#pragma once

#include "base/progress.h"
#include "session/window_options.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::cli {

/// Exit codes.
inline constexpr int fine = 0;
inline constexpr int kernel_wrong = 1;   ///< its result differs from the oracle's, or it has findings
inline constexpr int request_wrong = 2;  ///< the request is invalid
inline constexpr int device_lost = 3;    ///< of a worker: the GPU is unusable for this process; start another one
inline constexpr int interrupted = 130;  ///< by Ctrl+C, as in shells

/// The parts of the process that a command may use.
struct Environment {
    std::ostream& out;
    std::ostream& err;
    bool out_is_terminal = false;
    bool err_is_terminal = false;
    std::chrono::milliseconds progress_every{0};  ///< interval of progress lines on err; 0: none
    Progress& progress;                           ///< cancelled by Ctrl+C
    std::string version;                          ///< "0.1.0"
    std::filesystem::path program;                ///< this program, for worker processes; empty: unknown
    /// Opens the window; empty if there is none or no display: pictures are written instead.
    std::function<int(const session::WindowOptions&)> open_window;

    /// Erases the progress line when written to err; empty if err is not a terminal.
    [[nodiscard]] std::string_view clear_line() const { return err_is_terminal ? "\r\x1b[K" : ""; }
};

/// Executes `lanescope ARGUMENTS...` and returns its exit code.
[[nodiscard]] int run(const std::vector<std::string>& arguments, Environment& environment);

}  // namespace lanescope::cli
