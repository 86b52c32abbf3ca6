// `lanescope timeline`: when this machine's GPU ran each block of a kernel, and on which multiprocessor. Worker
// processes record; here their timelines become a recording and a table.
#include "base/child_process.h"
#include "base/files.h"
#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/gpu_commands.h"
#include "cli/table.h"
#include "cli/time_children.h"
#include "cli/verify_report.h"
#include "session/launch_values.h"
#include "timing/timeline.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <ostream>

namespace lanescope::cli {

namespace {

constexpr const char* timeline_command = "lanescope timeline";

struct NotRecorded {
    std::string kernel, why;
};

/// Runs workers, one after the other, each until it ends, and collects their lines.
class Timelines {
  public:
    Timelines(const TimelineOptions& options, Environment& environment)
        : options_(options), environment_(environment), programs_(programs_of(options)) {
        recording_.command = options.command;
    }

    Result<void> all() {
        while (done_ < programs_.size() && !environment_.progress.cancelled()) {
            const std::size_t before = done_;
            const auto ending = one_worker();
            if (!ending) return std::unexpected(ending.error());
            if (problem_) return std::unexpected(*problem_);
            if (!*ending || done_ == programs_.size()) continue;
            const bool known =
                done_ > before && (*ending)->how == Ending::How::exited && (*ending)->code == device_lost;
            if (!known)
                not_recorded_.push_back({programs_[done_++], what_happened(**ending, options_.limit_seconds, errors_)});
        }
        return {};
    }

    [[nodiscard]] const timing::TimelineRecording& recording() const { return recording_; }
    [[nodiscard]] const std::vector<NotRecorded>& not_recorded() const { return not_recorded_; }

  private:
    /// nullopt if it was cancelled.
    Result<std::optional<Ending>> one_worker() {
        if (environment_.program.empty()) return unknown_path();
        std::vector<std::string> arguments{"timeline"};
        // Before the flags: everything after --arg belongs to it.
        arguments.insert(arguments.end(), options_.programs.begin(), options_.programs.end());
        arguments.insert(arguments.end(), {"--worker", "--skip", std::to_string(done_), "--command", options_.command});
        if (options_.view) arguments.insert(arguments.end(), {"--view", session::name_of(*options_.view)});
        if (options_.as_timed) arguments.emplace_back("--as-timed");
        if (options_.warps) arguments.emplace_back("--warps");
        session::add_launch(arguments, options_.launch);
        return follow_process(
            {.program = environment_.program,
             .arguments = std::move(arguments),
             .longest_silence = std::chrono::seconds(options_.limit_seconds)},
            environment_.progress, [this](const std::string& line, ChildProcess& worker) { read(line, worker); },
            errors_);
    }

    void read(const std::string& line, ChildProcess& worker) {
        const auto json = nlohmann::json::parse(line, nullptr, false);
        if (follow_gpu_use(json, worker, options_.limit_seconds) || !json.is_object()) return;
        if (auto problem = problem_in(json)) {
            problem_ = std::move(problem);
        } else if (const auto on = timing::json::header_in(json)) {
            static_cast<timing::RecordingHeader&>(recording_) = *on;
            recording_.command = options_.command;
        } else if (json.contains("failed")) {
            not_recorded_.push_back({json.value("kernel", ""), json.value("failed", "")});
            ++done_;
        } else if (auto timeline = timing::timeline_from_line(line)) {
            recording_.timelines.push_back(*std::move(timeline));
            ++done_;
        }
        environment_.progress.report(static_cast<float>(done_) / static_cast<float>(programs_.size()));
    }

    const TimelineOptions& options_;
    Environment& environment_;
    std::vector<std::string> programs_;
    std::size_t done_ = 0;
    timing::TimelineRecording recording_;
    std::vector<NotRecorded> not_recorded_;
    std::optional<Problem> problem_;
    std::string errors_;
};

std::string polling_text(const timing::Timeline& timeline, const timing::TimelineFacts& facts) {
    if (timeline.polling_loops == 0) return "not measured";
    return fmt::format("{:.0f} % in {} of the blocks", facts.polled_share * 100, grouped(facts.polled_blocks));
}

std::string waiting_text(const timing::Timeline& timeline, const timing::TimelineFacts& facts) {
    if (timeline.waits == 0) return "not recorded";
    return facts.waited_share ? fmt::format("{:.0f} %", *facts.waited_share * 100) : "no wait";
}

std::string text_of(const timing::TimelineRecording& recording) {
    std::string text = recording.text() + "\n";
    if (recording.timelines.empty()) return text;
    const timing::Timeline& any = recording.timelines.front();
    text += fmt::format("  %globaltimer advances in steps of {} ns; {}; the run of median length of {}\n\n",
                        grouped(any.step), counted(any.multiprocessors, "multiprocessor"), any.runs);
    Table table({{{"", "kernel"}, false},
                 {{"", "n"}},
                 {{"", "blocks"}},
                 {{"", "block"}},
                 {{"multi-", "processors"}},
                 {{"blocks on", "each"}},
                 {{"resident", "at once"}},
                 {{"", "waves"}},
                 {{"begin", "µs"}},
                 {{"length", "µs"}},
                 {{"block, µs", "median"}},
                 {{"waiting", "(polls)"}, false},
                 {{"waiting", "(barriers)"}, false},
                 {{"time, µs", "plain"}},
                 {{"", "stamped"}}});
    for (const timing::Timeline& timeline : recording.timelines) {
        for (std::size_t i = 0; i < timeline.launches.size(); ++i) {
            const timing::TimelineLaunch& launch = timeline.launches[i];
            if (launch.blocks.empty()) continue;
            const timing::TimelineFacts facts = timing::facts_of(launch);
            const auto microseconds = [](double ns) { return fmt::format("{:.2f}", ns / 1e3); };
            table.add(
                {i == 0 ? fmt::format("{} ({})", timeline.kernel, timeline.view) : fmt::format("  launch {}", i),
                 i == 0 ? grouped(timeline.n) : std::string(), grouped(launch.blocks.size()), grouped(launch.threads()),
                 grouped(facts.multiprocessors),
                 facts.least == facts.most ? grouped(facts.most) : fmt::format("{} to {}", facts.least, facts.most),
                 grouped(facts.resident_in_all), fmt::format("{:.2f}", facts.waves),
                 microseconds(static_cast<double>(facts.begin)),
                 microseconds(static_cast<double>(facts.end - facts.begin)), microseconds(facts.block_time),
                 polling_text(timeline, facts), waiting_text(timeline, facts),
                 i == 0 ? fmt::format("{:.2f}", timeline.plain.median) : std::string(),
                 i == 0 ? fmt::format("{:.2f}", timeline.stamped.median) : std::string()});
        }
    }
    text += table.text("  ");
    text +=
        "\n  waiting (polls): cycles in iterations of a loop that polls global memory and found nothing new, of the "
        "thread\n"
        "  with the most in each block, as a share of the cycles of all blocks\n"
        "  waiting (barriers): cycles from before a block barrier, or the first test of a phase of an mbarrier, until\n"
        "  the warp goes on, as a share of the cycles of all warps; waiting for memory is not measured\n";
    for (const timing::Timeline& timeline : recording.timelines) {
        if (timeline.incomplete > 0)
            text += fmt::format("  {}: {} {} a warp without an end stamp\n", timeline.kernel,
                                counted(timeline.incomplete, "block"), verb(timeline.incomplete, "have", "has"));
        for (const std::string& why : {timeline.polls_not_timed, timeline.waits_not_timed})
            if (!why.empty()) text += fmt::format("  {}: {}\n", timeline.kernel, why);
        if (const std::uint64_t cut = timing::warps_cut_short(timeline); cut > 0)
            text += fmt::format("  {}: of {} only the first {} waits are known\n", timeline.kernel,
                                counted(cut, "warp"), timeline.waits);
    }
    return text;
}

}  // namespace

int timeline(const TimelineOptions& options, Environment& environment) {
    Timelines timelines(options, environment);
    const auto refuse = [&](const Problem& problem) {
        complain(environment, timeline_command, problem);
        return request_wrong;
    };
    if (const auto done = timelines.all(); !done) return refuse(done.error());
    const timing::TimelineRecording& recording = timelines.recording();
    environment.out << (options.json ? timing::to_json(recording) : text_of(recording));
    for (const NotRecorded& one : timelines.not_recorded())
        environment.err << fmt::format("{}: not recorded: {}\n", one.kernel, one.why);
    if (!options.out.empty()) {
        if (const auto written = write_file(options.out, timing::to_json(recording)); !written) {
            return refuse({.what = "the recording cannot be written: " + written.error(),
                           .where = {options.out.string(), 0, 0},
                           .remedy = {}});
        }
        environment.err << "The recording is in " << options.out.string() << ".\n";
    }
    if (environment.progress.cancelled()) return interrupted;
    return timelines.not_recorded().empty() ? fine : kernel_wrong;
}

}  // namespace lanescope::cli
