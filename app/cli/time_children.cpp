#include "cli/time_children.h"

#include "cli/commands.h"
#include "cli/gpu_commands.h"
#include "session/launch_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>

namespace lanescope::cli {

namespace {

constexpr unsigned most_failures = 3;  ///< consecutive failures of one kernel's workers

std::string last_line(const std::string& text) {
    const std::size_t end = text.find_last_not_of('\n');
    if (end == std::string::npos) return {};
    const std::size_t begin = text.rfind('\n', end);
    return text.substr(begin == std::string::npos ? 0 : begin + 1,
                       end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace

std::string what_happened(const Ending& ending, unsigned limit_seconds, const std::string& errors) {
    if (ending.how == Ending::How::silent)
        return fmt::format("it did not end on the GPU within {} s and was terminated", limit_seconds);
    if (ending.how == Ending::How::signal && ending.code == SIGKILL)
        return "its process was killed; the system does this when memory runs out";
    const std::string reported = last_line(errors);
    return fmt::format("its process failed: {}{}", text_of(ending),
                       reported.empty() ? "" : fmt::format(" (\"{}\")", reported));
}

Result<std::optional<Ending>> TimeChildren::follow(const ChildProcess::Command& command, const OnEvent& on_event,
                                                   std::string& errors) const {
    const auto read = [&](const std::string& line, ChildProcess& worker) {
        if (follow_gpu_use(nlohmann::json::parse(line, nullptr, false), worker, options_.limit_seconds)) return;
        if (const auto event = timing::from_line(line)) on_event(*event);
    };
    return follow_process(command, environment_.progress, read, errors);
}

Result<std::optional<Ending>> TimeChildren::follow_worker(std::vector<std::string> arguments, const OnEvent& on_event,
                                                          std::string& errors) {
    if (environment_.program.empty()) return unknown_path();
    arguments.insert(arguments.begin(), {"time", "--worker"});
    const auto add = [&](const char* flag, const std::string& value) {
        arguments.emplace_back(flag);
        arguments.push_back(value);
    };
    add("--samples", std::to_string(options_.samples));
    add("--spend", fmt::format("{}", options_.spend));
    if (!options_.input.empty()) add("--input", options_.input);
    if (options_.view == trace::View::written) add("--view", "written");
    if (options_.anyway) arguments.emplace_back("--anyway");
    if (options_.one_launch) arguments.emplace_back("--one-launch");
    const std::vector<std::string> launch = session::launch_flags(options_.launch);
    arguments.insert(arguments.end(), launch.begin(), launch.end());
    return follow({.program = environment_.program, .arguments = std::move(arguments), .longest_silence = limit()},
                  on_event, errors);
}

Result<void> TimeChildren::ceilings(const std::vector<std::uint64_t>& n, bool residency) {
    std::vector<std::string> arguments;
    if (!n.empty()) arguments = {"--n", fmt::format("{}", fmt::join(n, ","))};
    if (residency) arguments.emplace_back("--residency");
    std::optional<Problem> problem;
    bool begun = false;
    std::string errors;
    const auto ending = follow_worker(
        arguments,
        [&](const timing::Event& event) {
            if (const auto* reported = std::get_if<Problem>(&event)) {
                problem = *reported;
                return;
            }
            if (auto started = event; std::holds_alternative<timing::Started>(started)) {
                begun = true;
                std::get<timing::Started>(started).recording.command = options_.command;
                on_event_(started);
                return;
            }
            // Without sizes the worker uses its own; existing measurements are not repeated.
            const bool sized = std::holds_alternative<timing::Recording::Copy>(event) ||
                               std::holds_alternative<timing::Recording::Sweep>(event);
            if (!sized || !n.empty()) on_event_(event);
        },
        errors);
    if (!ending) return std::unexpected(ending.error());
    if (problem) return std::unexpected(*problem);
    if (!*ending || (*ending)->fine()) return {};
    const std::string what = what_happened(**ending, options_.limit_seconds, errors);
    if (!begun) return fail(fmt::format("the GPU cannot be used: {}", what));
    on_event_(timing::Omission{.what = "the ceilings are not measured: " + what, .remedy = {}});
    return {};
}

void TimeChildren::measure(const TimeGroup& group) {
    std::vector<TimeJob> left = group.jobs;
    const auto give_up = [&](const std::string& what, const std::string& remedy, bool fault = false) {
        const TimeJob& job = left.front();
        on_event_(timing::Omission{.kernel = group.name,
                                   .element = group.type,
                                   .n = job.n,
                                   .block = job.block,
                                   .what = what,
                                   .remedy = remedy,
                                   .fault = fault});
        left.erase(left.begin());
    };
    unsigned failures = 0;
    while (!left.empty() && !environment_.progress.cancelled()) {
        if (failures == most_failures) {
            give_up("skipped after repeated failures of this kernel", {});
            continue;
        }
        std::vector<std::string> arguments{group.program};
        if (!group.type.empty()) arguments.insert(arguments.end(), {"--element", group.type});
        if (!group.kernel.empty()) arguments.insert(arguments.end(), {"--kernel", group.kernel});
        std::vector<std::string> jobs;
        jobs.reserve(left.size());
        for (const TimeJob& job : left) jobs.push_back(text_of(job));
        arguments.insert(arguments.end(), {"--jobs", fmt::format("{}", fmt::join(jobs, ","))});
        if (options_.cub) {
            if (!cub_library_) cub_library_ = built_cub_helper(CubBuild::library);
            // cub() reports why there is none.
            if (*cub_library_) arguments.insert(arguments.end(), {"--cub-library", (**cub_library_).string()});
        }

        std::optional<Problem> problem;
        bool answered = false;
        std::string errors;
        const auto ending = follow_worker(
            arguments,
            [&](const timing::Event& event) {
                if (const auto* reported = std::get_if<Problem>(&event)) problem = *reported;
                const bool answer =
                    std::holds_alternative<timing::Point>(event) || std::holds_alternative<timing::Omission>(event);
                if (!answer || left.empty()) return;
                on_event_(event);
                left.erase(left.begin());
                answered = true;
            },
            errors);
        if (ending && !*ending) return;  // cancelled
        // A worker that lost its device has reported the measurement that caused it.
        const bool lost = ending && (*ending)->how == Ending::How::exited && (*ending)->code == device_lost;
        if (answered) failures = 0;
        if ((lost && answered) || left.empty()) continue;
        ++failures;
        if (problem) {
            give_up(problem->what, problem->remedy);
        } else if (!ending) {
            give_up(ending.error().what, ending.error().remedy);
        } else {
            give_up(what_happened(**ending, options_.limit_seconds, errors), {}, true);
        }
    }
}

}  // namespace lanescope::cli
