// The flags of every command, and the options that CLI11 fills from them.
#pragma once

#include "cli/options.h"

#include <CLI/CLI.hpp>

#include <string_view>

namespace lanescope::cli {

/// The application and its commands, with the options that the flags are bound to.
struct CommandLine {
    CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    CLI::App* add(const char* name, std::string_view description, std::string_view footer);
    /// The requested command; the application itself if there is none.
    CLI::App& chosen();

    CLI::App app{"", "lanescope"};
    CLI::App *list = nullptr, *trace = nullptr, *sass = nullptr, *schedule = nullptr, *render = nullptr,
             *compare = nullptr, *lecture = nullptr, *open = nullptr, *check = nullptr, *time = nullptr,
             *verify = nullptr, *counters = nullptr, *timeline = nullptr, *version = nullptr;

    session::WindowOptions window;
    ListOptions list_options;
    TraceOptions trace_options;
    SassOptions sass_options;
    ScheduleOptions schedule_options;
    RenderOptions render_options;
    CompareOptions compare_options;
    LectureOptions lecture_options;
    std::string link;  ///< of open
    CheckOptions check_options;
    TimeOptions time_options;
    VerifyOptions verify_options;
    CountersOptions counters_options;
    TimelineOptions timeline_options;
    VersionOptions version_options;
    /// The programs to compare, as they were typed.
    std::vector<std::string> compare_what;
    session::LaunchValues trace_launch, sass_launch, schedule_launch, render_launch, compare_launch, time_launch,
        verify_launch, counters_launch, timeline_launch;
    bool trace_checks_all_blocks = false, asks_all = false, asks_version = false;
};

/// Whether `lanescope compare` takes one value for each of its launches, with a comma.
[[nodiscard]] bool has_value_for_each(session::LaunchField field);
/// The launch flags of one of two compared launches alone.
void add_own_flags(CLI::App& app, session::LaunchValues& values);

}  // namespace lanescope::cli
