// `lanescope verify`: kernels on this machine's GPU and on the emulator, thread by thread.
#include "base/child_process.h"
#include "cli/commands.h"
#include "cli/gpu_commands.h"
#include "cli/time_children.h"
#include "cli/verify_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <ostream>

namespace lanescope::cli {

namespace {

constexpr std::string_view verify_command = "lanescope verify";
constexpr const char* written = "written";
constexpr const char* compiled = "compiled";

/// Runs workers, one after the other, each until it ends, and collects their lines.
class Verifying {
  public:
    Verifying(const VerifyOptions& options, Environment& environment)
        : options_(options), environment_(environment), trials_(trials_of(options)) {}

    Result<void> all() {
        while (verified_.size() < trials_.size() && !environment_.progress.cancelled()) {
            const std::size_t before = verified_.size();
            const auto ending = one_worker();
            if (!ending) return std::unexpected(ending.error());
            if (problem_) return std::unexpected(*problem_);
            if (!*ending || verified_.size() == trials_.size()) continue;
            const bool known =
                verified_.size() > before && (*ending)->how == Ending::How::exited && (*ending)->code == device_lost;
            if (!known) give_up(what_happened(**ending, options_.limit_seconds, errors_));
        }
        return {};
    }

    [[nodiscard]] const std::vector<Verified>& verified() const { return verified_; }
    [[nodiscard]] const timing::RecordingHeader& machine() const { return on_; }

  private:
    [[nodiscard]] std::vector<std::string> arguments() const {
        std::vector<std::string> arguments{"verify"};
        // Before the flags: everything after --arg belongs to it.
        arguments.insert(arguments.end(), options_.programs.begin(), options_.programs.end());
        arguments.insert(arguments.end(),
                         {"--worker", "--skip", std::to_string(verified_.size()), "--command", options_.command});
        if (options_.record) arguments.insert(arguments.end(), {"--record", std::to_string(*options_.record)});
        if (!options_.save.empty()) arguments.insert(arguments.end(), {"--save", options_.save.string()});
        add_flags(options_.sizes, arguments);
        return arguments;
    }

    /// nullopt if it was cancelled.
    Result<std::optional<Ending>> one_worker() {
        if (environment_.program.empty()) return unknown_path();
        return follow_process(
            {.program = environment_.program,
             .arguments = arguments(),
             .longest_silence = std::chrono::seconds(options_.limit_seconds)},
            environment_.progress, [this](const std::string& line, ChildProcess& worker) { read(line, worker); },
            errors_);
    }

    void read(const std::string& line, ChildProcess& worker) {
        const auto json = nlohmann::json::parse(line, nullptr, false);
        if (follow_gpu_use(json, worker, options_.limit_seconds)) return;
        if (auto problem = problem_in(json)) {
            problem_ = std::move(problem);
        } else if (const auto on = timing::json::header_in(json)) {
            on_ = *on;
        } else if (auto one = verified_of(json); one && verified_.size() < trials_.size()) {
            verified_.push_back(std::move(*one));
            environment_.progress.report(static_cast<float>(verified_.size()) / static_cast<float>(trials_.size()));
        }
    }

    /// The kernel that terminated the worker.
    void give_up(const std::string& why) {
        const VerifyTrial& trial = trials_[verified_.size()];
        verified_.push_back({.kernel = trial.program,
                             .view = trial.view == trace::View::written ? written : compiled,
                             .verdict = "failed",
                             .why = why});
    }

    const VerifyOptions& options_;
    Environment& environment_;
    std::vector<VerifyTrial> trials_;
    std::vector<Verified> verified_;
    timing::RecordingHeader on_;
    std::optional<Problem> problem_;
    std::string errors_;
};

}  // namespace

std::vector<VerifyTrial> trials_of(const VerifyOptions& options) {
    std::vector<VerifyTrial> trials;
    for (const std::string& program : programs_or_all(options.programs)) {
        for (const trace::View view : {trace::View::written, trace::View::compiled})
            if (!options.sizes.view || *options.sizes.view == view)
                trials.push_back({.program = program, .view = view});
    }
    trials.erase(trials.begin(), trials.begin() + static_cast<std::ptrdiff_t>(std::min(options.skip, trials.size())));
    return trials;
}

int verify(const VerifyOptions& options, Environment& environment) {
    if (!options.save.empty()) {
        std::error_code error;
        std::filesystem::create_directories(options.save, error);
        if (error) {
            complain(
                environment, std::string(verify_command),
                {.what = fmt::format("the folder {} cannot be created: {}", options.save.string(), error.message()),
                 .where = {},
                 .remedy = {}});
            return request_wrong;
        }
    }
    Verifying verifying(options, environment);
    if (const auto done = verifying.all(); !done) {
        complain(environment, std::string(verify_command), done.error());
        return request_wrong;
    }
    timing::RecordingHeader on = verifying.machine();
    on.command = options.command;
    const std::vector<Verified>& all = verifying.verified();
    environment.out << (options.json ? verify_json(on, all) : verify_text(on, all));
    if (environment.progress.cancelled()) return interrupted;
    const auto wrong = [](const Verified& one) { return one.verdict == "differ" || one.verdict == "failed"; };
    return std::ranges::any_of(all, wrong) ? kernel_wrong : fine;
}

}  // namespace lanescope::cli
