// Shared by the commands that use a GPU: the GPU of this machine, and the default launch for a comparison with the
// emulator, a few blocks of 256 threads, the last one not full, on random numbers.
#pragma once

#include "base/child_process.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "execute/gpu/device.h"
#include "session/run.h"
#include "timing/recording_header.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::cli {

[[nodiscard]] session::Request usual_request(const UsualSizes& sizes, const std::string& program, trace::View view);

/// Adds the flags that pass these sizes to a worker process.
void add_flags(const UsualSizes& sizes, std::vector<std::string>& arguments);

/// These programs, or all built-in ones.
[[nodiscard]] std::vector<std::string> programs_or_all(const std::vector<std::string>& programs);

/// Opens the GPU; LANESCOPE_DRIVER names a driver library other than the system's. From then on an NVRTC whose PTX is
/// too new for the driver is skipped; fails if none is left.
[[nodiscard]] Result<std::unique_ptr<execute::Device>> open_gpu();

/// The header of a recording made on the device, with the compiler in use and today's date; `command` is empty.
[[nodiscard]] timing::RecordingHeader header_of(const execute::Device& device);

/// A key of a worker's line: true before a use of the GPU, false after it. --limit applies to the GPU's time, not to
/// the emulator's.
inline constexpr const char* on_gpu = "on_gpu";
[[nodiscard]] std::string gpu_use_line(bool begins);
/// Processes such a line and sets the worker's time limit; false: it is another kind of line.
bool follow_gpu_use(const nlohmann::json& line, ChildProcess& worker, unsigned limit_seconds);

/// Prints a worker's line for its parent process; invalid UTF-8 in messages is allowed. `mark`: a prefix.
void send_line(Environment& environment, const nlohmann::ordered_json& json, std::string_view mark = {});
/// The line of a worker that cannot begin, with the reason.
[[nodiscard]] nlohmann::ordered_json problem_line(const Problem& problem);
[[nodiscard]] std::optional<Problem> problem_in(const nlohmann::json& line);

/// Runs a process to its end; `read` gets each line that it prints, `errors` its standard error. nullopt if it was
/// cancelled.
[[nodiscard]] Result<std::optional<Ending>> follow_process(
    const ChildProcess::Command& command, const Progress& progress,
    const std::function<void(const std::string&, ChildProcess&)>& read, std::string& errors);

}  // namespace lanescope::cli
