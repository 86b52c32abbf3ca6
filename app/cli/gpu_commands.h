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

/// The flags that request the same of another process.
void add_flags(const UsualSizes& sizes, std::vector<std::string>& arguments);

/// These programs, or all built-in ones.
[[nodiscard]] std::vector<std::string> programs_or_all(const std::vector<std::string>& programs);

/// LANESCOPE_DRIVER names another driver than the system's. From then on an NVRTC whose PTX is too new for the driver
/// is skipped; fails where none is left.
[[nodiscard]] Result<std::unique_ptr<execute::Device>> open_gpu();

/// The header of a recording made on it, with the compiler that is used and today's date; it has no command.
[[nodiscard]] timing::RecordingHeader header_of(const execute::Device& device);

/// In a worker's line before and after each use of the GPU, true and false: --limit counts the GPU's time, not the
/// emulator's.
inline constexpr const char* on_gpu = "on_gpu";
[[nodiscard]] std::string gpu_use_line(bool begins);
/// Follows such a line; false: it is another one.
bool follow_gpu_use(const nlohmann::json& line, ChildProcess& worker, unsigned limit_seconds);

/// A worker's line for the process that started it, whatever bytes a message has; `mark`: before it.
void send_line(Environment& environment, const nlohmann::ordered_json& json, std::string_view mark = {});
/// Why a worker cannot begin, as such a line; nothing in other lines.
[[nodiscard]] nlohmann::ordered_json problem_line(const Problem& problem);
[[nodiscard]] std::optional<Problem> problem_in(const nlohmann::json& line);

/// Runs a process to its end; `read` gets each line that it prints, `errors` what it wrote to standard error. Nothing
/// where it was cancelled.
[[nodiscard]] Result<std::optional<Ending>> follow_process(
    const ChildProcess::Command& command, const Progress& progress,
    const std::function<void(const std::string&, ChildProcess&)>& read, std::string& errors);

}  // namespace lanescope::cli
