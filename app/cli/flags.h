// The flags of every command, as typed: what CLI11 knows and fills.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::cli {

using Text = std::optional<std::string>;

/// What a launch is described by, as typed.
struct LaunchFlags {
    Text kernel, n, block, grid, shared, input, view, arch, banks, record;
    std::vector<std::string> arguments;
    bool anyway = false;
};

struct WindowFlags {
    std::string open;
    Text kernel, n, block, grid, input, view, theme, scale, size, screenshot, pass, progress, select;
    bool fresh = false;
};

struct RenderFlags {
    Text panel, chart, pass, step, in_launch, in_block, theme, width, scale;
    std::vector<std::string> files;
    bool json = false;
};

struct TimeFlags {
    std::vector<std::string> programs;
    Text n, block, grid, per_thread, element, input, view, samples, spend, limit, out, resume, kernel, jobs;
    bool one_launch = false, cub = false, anyway = false, json = false, stream = false, worker = false;
};

struct VerifyFlags {
    std::vector<std::string> programs;
    LaunchFlags sizes;
    Text save, limit, skip, command;
    bool all = false, json = false, worker = false;
};

struct CountersFlags {
    std::vector<std::string> programs;
    LaunchFlags sizes;
    Text jit, import, out, limit;
    bool all = false, json = false, worker = false;
};

/// The text of every flag of every command; CLI11 fills it.
struct Flags {
    WindowFlags window;
    LaunchFlags trace_launch, render_launch;
    RenderFlags render;
    std::string trace_program, render_program;
    Text trace_out, check_n, check_input;
    TimeFlags time;
    VerifyFlags verify;
    CountersFlags counters;
    std::vector<std::string> check_programs;
    bool trace_check = false;
    bool list_json = false, list_instructions = false, list_inputs = false, trace_json = false, check_json = false,
         version_json = false;
    bool version_flag = false;
};

/// The application and its commands; `flags` outlives it.
struct CommandLine {
    explicit CommandLine(Flags& flags);

    CLI::App* add(const char* name, std::string_view description, std::string_view footer);
    /// The command that was asked for; the application itself where none was.
    CLI::App& chosen();

    CLI::App app{"", "lanescope"};
    CLI::App *list = nullptr, *trace = nullptr, *render = nullptr, *check = nullptr, *time = nullptr, *verify = nullptr,
             *counters = nullptr, *version = nullptr;
};

}  // namespace lanescope::cli
