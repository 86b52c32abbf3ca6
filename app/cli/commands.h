// The commands: options -> output, files and an exit code.
#pragma once

#include "cli/options.h"
#include "scene/scene.h"

#include <chrono>

namespace lanescope::cli {

[[nodiscard]] int list(const ListOptions& options, Environment& environment);
[[nodiscard]] int trace(const TraceOptions& options, Environment& environment);
[[nodiscard]] int sass(const SassOptions& options, Environment& environment);
/// Searches for a schedule under which a race spoils the result.
[[nodiscard]] int schedule(const ScheduleOptions& options, Environment& environment);
[[nodiscard]] int render(const RenderOptions& options, Environment& environment);
/// Draws recorded timings. For a kernel without any, draws estimates from its counts.
[[nodiscard]] int render_timing(const RenderOptions& options, Environment& environment);
/// The picture that it draws.
[[nodiscard]] Result<scene::Scene> timing_picture(const RenderOptions& options, Progress& progress);
[[nodiscard]] int compare(const CompareOptions& options, Environment& environment);
[[nodiscard]] int lecture(const LectureOptions& options, Environment& environment);
[[nodiscard]] int check(const CheckOptions& options, Environment& environment);
[[nodiscard]] int time(const TimeOptions& options, Environment& environment);
/// The part of `time` that uses the GPU, in a process of its own.
[[nodiscard]] int time_worker(const TimeOptions& options, Environment& environment);
[[nodiscard]] int verify(const VerifyOptions& options, Environment& environment);
/// Likewise.
[[nodiscard]] int verify_worker(const VerifyOptions& options, Environment& environment);
[[nodiscard]] int counters(const CountersOptions& options, Environment& environment);
/// The part of `counters` that runs under Nsight Compute.
[[nodiscard]] int counters_worker(const CountersOptions& options, Environment& environment);
[[nodiscard]] int timeline(const TimelineOptions& options, Environment& environment);
/// Likewise.
[[nodiscard]] int timeline_worker(const TimelineOptions& options, Environment& environment);
[[nodiscard]] int version(const VersionOptions& options, Environment& environment);
/// Opens the window; without a display, writes the lesson as pictures to a folder.
[[nodiscard]] int show(const session::WindowOptions& options, Environment& environment);

// --- What they share -----------------------------------------------------------------------------------------------

/// Runs a program, or opens a saved trace. Reports a refusal on `err`, with the flag that it is about; a program that
/// launched nothing on `out`, as JSON where `json`.
struct Outcome {
    std::shared_ptr<const session::Run> run;  ///< null: refused, and `code` is the exit code
    int code = fine;
};
[[nodiscard]] Outcome run_or_open(const session::Request& request, const std::string& command, Environment& environment,
                                  bool json = false);

/// The longest wait for a child's next line before a check for Ctrl+C.
inline constexpr std::chrono::milliseconds patience{100};

/// The problem of a command that would start a worker, where Environment::program is empty.
[[nodiscard]] inline std::unexpected<Problem> unknown_path() {
    return fail("the program cannot start itself: its path is unknown");
}

[[nodiscard]] int code_of(const session::Run& run);
/// "lanescope trace: --block 2048: ..."
void complain(Environment& environment, const std::string& command, const Problem& problem);
/// "reduce.cu:4:5: error: expected a \";\"" and the end of the line; without a place where the compiler names none.
[[nodiscard]] std::string diagnostic_text(const std::string& file, const compile::Diagnostic& diagnostic);

}  // namespace lanescope::cli
