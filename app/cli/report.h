// A run -> its report, as JSON and as text. Both contain only data that is the same on every machine: no times and no
// paths.
#pragma once

#include "session/run.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace lanescope::cli {

[[nodiscard]] nlohmann::ordered_json report_json(const session::Run& run);
/// Several lines; `color` marks errors on a terminal.
[[nodiscard]] std::string report_text(const session::Run& run, bool color);

/// The report of a program that launched no kernel: its trace has only host code.
[[nodiscard]] nlohmann::ordered_json launchless_json(const std::string& program, const trace::Trace& trace);
[[nodiscard]] std::string launchless_text(const std::string& program, const trace::Trace& trace, bool color);

/// Work, span and cost, Brent's bound, the work at other sizes (emulated here), bytes, occupancy.
[[nodiscard]] std::string theory_text(const session::Run& run, Progress& progress);
[[nodiscard]] nlohmann::ordered_json theory_json(const session::Run& run, Progress& progress);

/// Kernel, launch, view and machine of a run, without its results; one or several lines.
[[nodiscard]] std::string heading_text(const session::Run& run);

/// The notes of a run, after those on merged rows of the passes.
[[nodiscard]] std::vector<std::string> report_notes(const session::Run& run);

/// The speed of the emulation, a line; empty if it is not known.
[[nodiscard]] std::string speed_text(const session::Run& run);

/// One number if the extent is one-dimensional, else [x, y, z].
[[nodiscard]] nlohmann::ordered_json extent_json(const trace::Dim3& extent);
/// JSON as every command prints it: indented, with invalid UTF-8 replaced.
[[nodiscard]] std::string dump(const nlohmann::ordered_json& json);

}  // namespace lanescope::cli
