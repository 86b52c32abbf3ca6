// The arguments of a command -> the request, or the error: the flag, its value, and the allowed values.
#pragma once

#include "base/result.h"
#include "cli/cli.h"
#include "scene/theme.h"
#include "scene/timing_view.h"
#include "session/gpu_plan.h"
#include "session/schedule_search.h"
#include "session/window_options.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lanescope::cli {

/// The input of a comparison with the oracle or with a GPU.
inline constexpr std::string_view usual_input = "random 7";

struct ListOptions {
    bool json = false;
    bool instructions = false;
    bool inputs = false;
};

struct TraceOptions {
    session::Request request;
    bool json = false;
    bool theory = false;
    std::filesystem::path out;
};

struct SassOptions {
    session::Request request;
    std::optional<unsigned> sm;  ///< architecture of the machine code; nullopt: Request::arch, else the recordings'
    bool json = false;
};

struct ScheduleOptions {
    session::Request request;
    std::uint64_t tries = session::usual_tries;
    bool json = false;
};

/// A frame of an animation shows the end of a pass, or of a step of the window's transport.
enum class FrameUnit : std::uint8_t { pass, step };
[[nodiscard]] constexpr double usual_seconds(FrameUnit unit) { return unit == FrameUnit::pass ? 1 : 0.25; }

struct RenderOptions {
    session::Request request;
    std::string panel = "passes";
    std::optional<std::uint32_t> pass;
    std::optional<std::uint64_t> step;
    std::optional<std::uint32_t> in_launch;   ///< number of the launch; nullopt: the first
    std::optional<std::uint32_t> in_block;    ///< a recorded block's index in the grid
    std::optional<scene::TimingChart> chart;  ///< of the timing panel; nullopt: bandwidth
    bool pairs = true;                        ///< arrays that form one value share the cells of Passes
    std::vector<std::filesystem::path> files;
    std::filesystem::path animation;         ///< .gif or .mp4; empty: none
    FrameUnit frame_unit = FrameUnit::pass;  ///< of the animation
    std::optional<double> frame_seconds;     ///< duration of a frame; nullopt: usual_seconds()
    scene::Theme theme = scene::Theme::dark;
    float width = 900;
    float scale = 2;
    bool json = false;
};

inline constexpr std::size_t most_compared = 4;

struct CompareOptions {
    std::vector<session::Request> launches;    ///< two to four; the others are compared with the first
    std::vector<std::filesystem::path> files;  ///< pictures to write
    scene::Theme theme = scene::Theme::dark;
    float width = 900;
    float scale = 2;
    bool json = false;
};

struct LectureOptions {
    std::string lecture;              ///< the name of one that comes with Lanescope, or a file; empty: list them
    std::optional<std::size_t> step;  ///< from 1; nullopt: all
    std::filesystem::path out;        ///< a folder, or a .pdf; empty: only run and report the steps
    scene::Theme theme = scene::Theme::light;
    bool notes = false;  ///< the speaker's notes are on the pages, too
    bool json = false;
};

struct CheckOptions {
    std::vector<std::string> programs;
    std::optional<std::uint64_t> n;
    bool thorough = false;  ///< many n, and every type and instance that a description claims
    std::string input;
    bool json = false;
};

struct TimeOptions {
    std::vector<std::string> programs;
    std::vector<std::uint64_t> n{std::uint64_t{1} << 22U};
    std::vector<std::uint32_t> blocks{256};
    std::vector<std::uint64_t> grids, per_thread;  ///< blocks; elements a thread: for kernels with a grid-stride loop
    std::vector<std::string> types;                ///< "int", "float"; empty: each kernel's own
    std::string input;
    trace::View view = trace::View::compiled;
    unsigned samples = 31;
    double spend = 1000;          ///< approximate GPU milliseconds for one measurement
    unsigned limit_seconds = 60;  ///< for one measurement on the GPU; then its process is terminated
    bool one_launch = false;      ///< stop a reduction at one value a block
    bool cub = false;
    bool residency = false;  ///< also time reads by few warps; only those if no kernel is named
    bool anyway = false;     ///< also time kernels in which the emulator has findings
    bool json = false, stream = false;
    std::filesystem::path out, resume;
    std::filesystem::path recount;  ///< a recording whose counts are renewed without measuring
    std::string command;            ///< as typed
    std::string kernel;             ///< of a file that has several; or the instance of a template
    /// The rest of the launch as typed: arguments, shared memory, compute capability, options of the compiler.
    session::Request launch;
    // Further arguments of a worker: one program, and its measurements.
    bool worker = false;
    std::vector<std::string> jobs;      ///< time_jobs.h
    std::filesystem::path cub_library;  ///< also time CUB in the same rounds, if it computes the same; empty: no CUB
};

/// The launch for a comparison of a GPU with the emulator; usual_request() chooses the rest.
struct UsualSizes {
    std::optional<trace::View> view;  ///< nullopt: both
    session::Request launch;          ///< of every program; it names none
};

struct VerifyOptions {
    std::vector<std::string> programs;
    UsualSizes sizes;
    /// Number of first blocks of each launch to record and compare; nullopt: all.
    std::optional<std::uint64_t> record;
    std::filesystem::path save;   ///< a folder for the traces; empty: they are not kept
    unsigned limit_seconds = 60;  ///< for one run on the GPU; then its process is terminated
    bool json = false;
    std::string command;  ///< as typed; a worker's: its parent's
    // Further arguments of a worker.
    bool worker = false;
    std::size_t skip = 0;  ///< number of trials to skip
};
/// One kernel in one view.
struct VerifyTrial {
    std::string program;
    trace::View view = trace::View::written;
};
[[nodiscard]] std::vector<VerifyTrial> trials_of(const VerifyOptions& options);

struct CountersOptions {
    std::vector<std::string> programs;
    UsualSizes sizes;
    std::optional<bool> jit;       ///< whether the driver's compiler optimizes; nullopt: both
    std::filesystem::path import;  ///< a table of Nsight Compute; empty: count
    std::filesystem::path out;     ///< save the counters here
    unsigned limit_seconds = 120;  ///< for all runs of one kernel on the GPU
    bool json = false;
    std::string command;  ///< as typed
    // Further arguments of a worker: so many of the trials, from the one after `skip`.
    bool worker = false;
    std::size_t skip = 0;
    std::optional<std::size_t> take;
};

struct TimelineOptions {
    std::vector<std::string> programs;
    session::Request launch;          ///< of every program; it names none
    std::optional<trace::View> view;  ///< nullopt: compiled
    bool as_timed = false;            ///< the launch that `lanescope time` measures at `launch.n`
    bool warps = false;               ///< also record the waits of each warp
    unsigned limit_seconds = 60;      ///< for the runs of one kernel on the GPU; then its process is terminated
    std::filesystem::path out;        ///< save the recording here
    bool json = false;
    std::string command;  ///< as typed; a worker's: its parent's
    // Further arguments of a worker.
    bool worker = false;
    std::size_t skip = 0;  ///< number of programs to skip
};
/// The programs to record: those named, or all built-in ones without a fault.
[[nodiscard]] std::vector<std::string> programs_of(const TimelineOptions& options);

struct VersionOptions {
    bool json = false;
};

/// A text to print and nothing else: help, or the version.
struct TextOptions {
    std::string text;
};

using Options = std::variant<session::WindowOptions, ListOptions, TraceOptions, SassOptions, ScheduleOptions,
                             RenderOptions, CompareOptions, LectureOptions, CheckOptions, TimeOptions, VerifyOptions,
                             CountersOptions, TimelineOptions, VersionOptions, TextOptions>;

/// An invalid request, and its command: "lanescope trace".
struct UsageProblem {
    Problem problem;
    std::string command;
};

[[nodiscard]] std::expected<Options, UsageProblem> parse(const std::vector<std::string>& arguments);

/// Every command, for suggestions.
[[nodiscard]] std::vector<std::string> command_names();

}  // namespace lanescope::cli
