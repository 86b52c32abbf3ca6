#include "base/near_names.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "render/image/image.h"
#include "scene/passes_scene.h"
#include "session/lecture.h"
#include "session/place_link.h"
#include "trace/record_extent.h"

#include <fmt/format.h>

#include <array>
#include <ostream>

namespace lanescope::cli {

namespace {

/// A folder in the current one or, if that is not writable, in the temporary one.
Result<std::filesystem::path> lesson_folder() {
    const char* const name = "lanescope-first-lesson";
    std::error_code error;
    std::array<std::filesystem::path, 2> places{std::filesystem::current_path(error),
                                                std::filesystem::temp_directory_path(error)};
    for (const std::filesystem::path& place : places) {
        if (place.empty()) continue;
        std::filesystem::create_directories(place / name, error);
        if (error) continue;
        const std::filesystem::path probe = place / name / ".writable";
        std::filesystem::create_directory(probe, error);
        if (error) continue;
        std::filesystem::remove(probe, error);
        return place / name;
    }
    return fail("neither the current folder nor the temporary folder is writable", {}, "Change to a writable folder.");
}

/// A word that is neither kernel nor file may be a misspelt command.
void suggest_command(const std::string& word, Environment& environment) {
    constexpr std::string_view question = "Did you mean ";
    const std::string hint = did_you_mean(word, command_names());
    if (!hint.empty()) environment.err << question << "the command " << hint.substr(question.size()) << '\n';
}

}  // namespace

int show(const session::WindowOptions& window, Environment& environment) {
    const std::string& open = window.launch[session::LaunchField::program];
    const bool recording = open.ends_with(".json");
    std::error_code error;
    if (recording && !std::filesystem::is_regular_file(open, error)) {
        complain(environment, "lanescope",
                 {.what = fmt::format("there is no file {}", open),
                  .where = {},
                  .remedy = "A .json is a recording, of `lanescope time --out` or `lanescope counters --out`."});
        return request_wrong;
    }
    const bool link = session::is_link(open);
    if (link)
        if (const auto read = session::read_link(open); !read) {
            complain(environment, "lanescope", read.error());
            return request_wrong;
        }
    const bool lecture_file = session::names_lecture(open);
    if (lecture_file)
        if (const auto read = session::open_lecture(open); !read) {
            complain(environment, "lanescope", read.error());
            return request_wrong;
        }
    if (environment.open_window) return environment.open_window(window);

    const std::string command = "lanescope";
    if (!window.screenshot.empty()) {
        complain(environment, command,
                 {.what = "there is no window to take a screenshot of",
                  .where = {},
                  .remedy = "It needs a display and a build with a window; `lanescope render` draws without either."});
        return request_wrong;
    }
    if (link) {
        complain(environment, command,
                 {.what = "a link opens the window, and there is no display",
                  .where = {},
                  .remedy = "`lanescope render` draws a panel without one."});
        return request_wrong;
    }
    if (lecture_file) {
        complain(environment, command,
                 {.what = fmt::format("{} is a lecture, and there is no display", open),
                  .where = {},
                  .remedy = fmt::format("`lanescope lecture {} -o X.pdf` prints it.", open)});
        return request_wrong;
    }
    if (recording) {
        complain(environment, command,
                 {.what = fmt::format("{} is a recording, and there is no display", open),
                  .where = {},
                  .remedy = fmt::format("`lanescope render {0} --chart bandwidth -o X.svg` draws timings, `lanescope "
                                        "counters --import {0}` shows counters beside the emulator's.",
                                        open)});
        return request_wrong;
    }
    const Outcome outcome = run_or_open(session::request_of(window.launch), command, environment);
    if (outcome.run == nullptr) {
        if (outcome.code == request_wrong) suggest_command(open, environment);
        return outcome.code;
    }
    const session::Run& run = *outcome.run;
    const auto folder = lesson_folder();
    if (!folder) {
        complain(environment, command, folder.error());
        return request_wrong;
    }
    const trace::Launch& launch = run.trace().launches.front();
    if (launch.recorded.empty()) {
        complain(environment, command, trace::nothing_recorded(run.trace(), 0));
        return request_wrong;
    }
    const analysis::BlockPasses& passes = run.analysis->block_passes(0, launch.recorded.front());
    const scene::Scene scene = scene::passes_scene(passes, run.analysis->picture(0, launch.recorded.front()),
                                                   *run.analysis->provenance, {.position = passes.steps.size()});
    environment.out << report_text(run, environment.out_is_terminal) << '\n'
                    << "There is no display for the window. The passes are drawn in\n";
    for (const auto& [theme, name] : {std::pair(scene::Theme::dark, "dark"), std::pair(scene::Theme::light, "light")}) {
        for (const char* ending : {"svg", "png"}) {
            const std::filesystem::path file = *folder / fmt::format("passes-{}.{}", name, ending);
            if (const auto written = render::write_image(scene, theme, file); !written) {
                complain(environment, command, written.error());
                return request_wrong;
            }
            environment.out << "  " << file.string() << '\n';
        }
    }
    return code_of(run);
}

}  // namespace lanescope::cli
