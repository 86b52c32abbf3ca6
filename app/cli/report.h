// A run -> its report, as JSON and as text. Both contain only data that is the same on every machine: no times, no
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

/// A program that launched nothing, where the report says why: its trace has host code alone.
[[nodiscard]] nlohmann::ordered_json launchless_json(const std::string& program, const trace::Trace& trace);
[[nodiscard]] std::string launchless_text(const std::string& program, const trace::Trace& trace, bool color);

/// Work, span and cost, Brent's bound, the work at other sizes (which it emulates), bytes, occupancy.
[[nodiscard]] std::string theory_text(const session::Run& run, Progress& progress);
[[nodiscard]] nlohmann::ordered_json theory_json(const session::Run& run, Progress& progress);

/// Kernel, launch, view and machine of a run, without its results: a line or several.
[[nodiscard]] std::string heading_text(const session::Run& run);

/// The notes of a run, those on what rows of the passes merge before them.
[[nodiscard]] std::vector<std::string> report_notes(const session::Run& run);

/// How fast the launches were emulated, a line; empty where that is not known.
[[nodiscard]] std::string speed_text(const session::Run& run);

/// One number where it is one-dimensional, else [x, y, z].
[[nodiscard]] nlohmann::ordered_json extent_json(const trace::Dim3& extent);
/// JSON as every command prints it: indented, UTF-8 repaired where a file's text is not.
[[nodiscard]] std::string dump(const nlohmann::ordered_json& json);

}  // namespace lanescope::cli
