#include "ui/timeline_recorder.h"

#include "base/command_line.h"
#include "base/files.h"
#include "session/hardware_timeline.h"
#include "timing/timeline.h"
#include "ui/gpu_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <system_error>

namespace lanescope::ui {

namespace {

/// The last message of `lanescope timeline`, as a sentence.
std::string why_not_recorded(std::string errors, const Ending& ending) {
    constexpr std::string_view speaker = "lanescope timeline: ", kernel = ": not recorded: ";
    while (!errors.empty() && errors.back() == '\n') errors.pop_back();
    std::string text = errors.substr(errors.rfind('\n') + 1);
    if (const std::size_t at = errors.rfind(speaker); at != std::string::npos)
        text = errors.substr(at + speaker.size());
    if (const std::size_t at = text.find(kernel); at != std::string::npos) text.erase(0, at + kernel.size());
    if (text.empty()) text = text_of(ending);
    return fmt::format("No timeline was recorded: {}{}", text, text.ends_with('.') ? "" : ".");
}

}  // namespace

ChildProcess::Command timeline_command(const session::Run& run) {
    std::vector<std::string> arguments = session::timeline_arguments(run);
    // The suggested command line saves the recording to a file; the window reads it from standard output.
    if (const auto out = std::ranges::find(arguments, "--out"); out != arguments.end() && out + 1 != arguments.end()) {
        *out = "--json";
        arguments.erase(out + 1);
    }
    return {.program = own_program(), .arguments = std::move(arguments), .longest_silence = longest_silence};
}

TimelineRecorder::TimelineRecorder(std::filesystem::path folder) : folder_(std::move(folder)) {
    if (folder_.empty() && !configuration_folder().empty())
        folder_ = configuration_folder() / "recordings" / "timelines";
}

void TimelineRecorder::start(const std::shared_ptr<const session::Run>& run) { follow(run, timeline_command(*run)); }

void TimelineRecorder::follow(const std::shared_ptr<const session::Run>& run, const ChildProcess::Command& command) {
    cancel();
    said_.clear();
    recorded_ = false;
    if (const auto started = child_.start(command); !started) {
        said_ = started.error().message();
        return;
    }
    run_ = run;
}

void TimelineRecorder::cancel() {
    child_.cancel();
    run_.reset();
}

void TimelineRecorder::keep_to(const std::shared_ptr<const session::Run>& run) {
    if (running() && run != run_) cancel();
}

bool TimelineRecorder::poll() {
    const auto ended = child_.poll();
    if (!ended) return false;
    read(*ended);
    run_.reset();
    return true;
}

void TimelineRecorder::read(const CollectedChild::Ended& ended) {
    const auto recording = timing::timelines_from_json(ended.output);
    if (!recording || recording->timelines.empty()) {
        said_ = why_not_recorded(ended.errors, ended.ending);
        return;
    }
    // A launch that is recorded once more, on the same device, takes the place of its last recording.
    const std::string launch = recording->device + ' ' + command_text(session::timeline_arguments(*run_));
    const std::filesystem::path file =
        folder_ / fmt::format("window-{:016x}.json", static_cast<std::uint64_t>(std::hash<std::string>{}(launch)));
    std::error_code error;
    if (folder_.empty() || (std::filesystem::create_directories(folder_, error), error)) {
        said_ = fmt::format("The timeline cannot be saved in {}.", folder_.string());
    } else if (const auto written = write_file(file, ended.output); !written) {
        said_ = fmt::format("The timeline cannot be saved in {}: {}.", file.string(), written.error());
    } else {
        recorded_ = true;
        ++recordings_;
        said_ = fmt::format("Recorded on {}: when each block ran, and on which multiprocessor.", recording->device);
    }
}

}  // namespace lanescope::ui
