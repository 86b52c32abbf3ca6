// The text of `--help`: the words of each command, and their layout.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>

namespace lanescope::cli {

extern const std::string_view about, main_footer;
extern const std::string_view list_about, list_footer;
extern const std::string_view trace_about, trace_footer;
extern const std::string_view sass_about, sass_footer;
extern const std::string_view schedule_about, schedule_footer;
extern const std::string_view render_about, render_footer;
extern const std::string_view compare_about, compare_footer;
extern const std::string_view lecture_about, lecture_footer;
extern const std::string_view open_about, open_footer;
extern const std::string_view check_about, check_footer;
extern const std::string_view time_about, time_footer;
extern const std::string_view verify_about, verify_footer;
extern const std::string_view timeline_about, timeline_footer;
extern const std::string_view counters_about;
[[nodiscard]] std::string counters_footer();
extern const std::string_view version_about, version_footer;

/// Like a manual page: description, usage, options, examples, exit status; 80 columns.
class HelpFormatter : public CLI::Formatter {
  public:
    std::string make_usage(const CLI::App* app, std::string name) const override;
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
    std::string make_subcommand(const CLI::App* command) const override;
};

}  // namespace lanescope::cli
