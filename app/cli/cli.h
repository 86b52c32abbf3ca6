// The command line: what the window shows, as text, JSON, files and exit codes.
#pragma once

#include "base/progress.h"
#include "session/window_options.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::cli {

/// How a command ended.
inline constexpr int fine = 0;
inline constexpr int kernel_wrong = 1;   ///< its result is not the oracle's, or it has findings
inline constexpr int request_wrong = 2;  ///< the request could not be carried out
inline constexpr int device_lost = 3;    ///< of a worker: another process has to go on
inline constexpr int interrupted = 130;  ///< by Ctrl+C, as shells count it

/// What a command may use of the process it runs in.
struct Environment {
    std::ostream& out;
    std::ostream& err;
    bool out_is_terminal = false;
    bool err_is_terminal = false;
    Progress& progress;             ///< cancelled by Ctrl+C
    std::string version;            ///< "0.1.0"
    std::filesystem::path program;  ///< this one, to be started again beside itself; empty: it cannot be
    /// Opens the window; empty where there is no window or no display: pictures are written instead.
    std::function<int(const session::WindowOptions&)> open_window;
};

/// Carries out `lanescope ARGUMENTS...` and returns its exit code.
[[nodiscard]] int run(const std::vector<std::string>& arguments, Environment& environment);

}  // namespace lanescope::cli
