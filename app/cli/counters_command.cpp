// `lanescope counters`: the GPU's own counters, by Nsight Compute, beside the emulator's counts.
#include "base/child_process.h"
#include "base/files.h"
#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/counters_report.h"
#include "cli/counters_sass.h"
#include "cli/gpu_commands.h"
#include "cli/time_children.h"
#include "session/hardware_counts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <ostream>
#include <sstream>

namespace lanescope::cli {

namespace {

constexpr std::string_view counters_command = "lanescope counters";

constexpr std::string_view no_profiler = "Nsight Compute (ncu) is not installed, or not in PATH";

std::string metric_names() {
    std::vector<std::string_view> names;
    for (const timing::Metric& metric : timing::metrics()) names.push_back(metric.name);
    for (const timing::OptionalMetric& metric : timing::optional_metrics()) names.push_back(metric.name);
    return fmt::format("{}", fmt::join(names, ","));
}

/// A file that is deleted with its owner.
struct TemporaryFile {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / fmt::format("lanescope-counters-{}.csv", ::getpid());
    TemporaryFile() = default;
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        std::error_code error;
        std::filesystem::remove(path, error);
    }
};

struct CountedRecording {
    timing::RecordingHeader on;
    std::vector<ComparedCounters> all;
};

/// Assigns the counted launches, in order, to the kernels, each of which was launched several times. Keeps the minimum
/// of each counter: arbitration between warps can only add to it.
Result<void> deal_out(const std::vector<timing::CountedLaunch>& launches, std::vector<ComparedCounters>& all) {
    std::size_t next = 0;
    for (ComparedCounters& one : all) {
        const std::size_t count = one.emulated.launches.size();
        if (next + count * counted_runs > launches.size())
            return fail(fmt::format("Nsight Compute counted only {} of the launches", grouped(launches.size())), {},
                        "It may have been stopped; try again.");
        for (std::size_t i = 0; i < count; ++i) one.counted.push_back(launches[next + i].counters);
        for (unsigned run = 1; run < counted_runs; ++run) {
            for (std::size_t i = 0; i < count; ++i)
                one.counted[i].keep_least(launches[next + run * count + i].counters);
        }
        next += count * counted_runs;
    }
    return {};
}

/// Runs workers under Nsight Compute until each kernel is counted or has a reason why it is not. A kernel that faults
/// or hangs ends its worker, and the next worker counts the others.
class Counting {
  public:
    Counting(const CountersOptions& options, Environment& environment)
        : options_(options), environment_(environment), trials_(counters_trials(options)) {}

    Result<CountedRecording> operator()() {
        if (environment_.program.empty()) return unknown_path();
        while (counted_.all.size() < trials_.size() && !environment_.progress.cancelled()) {
            const std::size_t next = counted_.all.size();
            if (const auto end = ends_worker_.find(next); end != ends_worker_.end()) {
                counted_.all.push_back(
                    {.emulated = {.trial = trials_[next], .why = end->second, .failed = true}, .counted = {}});
                continue;
            }
            const auto limit = ends_worker_.lower_bound(next);
            const auto done = count(next, (limit == ends_worker_.end() ? trials_.size() : limit->first) - next);
            if (!done) return std::unexpected(done.error());
        }
        return std::move(counted_);
    }

  private:
    /// The output of one worker.
    struct Said {
        std::vector<ComparedCounters> all;
        std::optional<Problem> problem;
        bool begun = false, device_lost = false;
        std::string errors;
    };

    Result<void> count(std::size_t skip, std::size_t take) {
        const TemporaryFile table;
        std::vector<std::string> arguments{"--csv",    "--metrics",         metric_names(),       "--log-file",
                                           table.path, "--force-overwrite", environment_.program, "counters"};
        // Before the flags: everything after --arg belongs to it.
        arguments.insert(arguments.end(), options_.programs.begin(), options_.programs.end());
        arguments.insert(arguments.end(), {"--worker", "--skip", std::to_string(skip), "--take", std::to_string(take)});
        if (options_.jit) arguments.insert(arguments.end(), {"--jit", *options_.jit ? "O3" : "O0"});
        add_flags(options_.sizes, arguments);
        auto child = ChildProcess::start({.program = "ncu",
                                          .arguments = arguments,
                                          .longest_silence = std::chrono::seconds(options_.limit_seconds)});
        if (!child) {
            return fail(std::string(no_profiler), {},
                        "Install the CUDA Toolkit, or count on another machine and read its CSV with --import.");
        }
        Said said;
        std::optional<Ending> ending;
        while (!ending && !environment_.progress.cancelled()) {
            for (const std::string& line : child->lines()) read_line(line, *child, said);
            said.errors = child->errors();
            if (ending = child->ending(); !ending) child->wait(patience);
        }
        if (said.problem) return std::unexpected(*said.problem);
        if (!ending) return {};  // cancelled
        return take_results(skip, take, *ending, std::move(said), table.path);
    }

    void read_line(std::string_view line, ChildProcess& worker, Said& said) {
        if (!line.starts_with(counters_line)) return;
        const auto json = nlohmann::json::parse(line.substr(counters_line.size()), nullptr, false);
        if (follow_gpu_use(json, worker, options_.limit_seconds)) return;
        if (json.is_object() && json.contains("problem")) {
            said.problem = Problem{.what = json.value("problem", ""), .where = {}, .remedy = json.value("remedy", "")};
        } else if (json.is_object() && json.contains(device_lost_line)) {
            said.device_lost = true;
        } else if (const auto on = timing::json::header_in(json)) {
            counted_.on = *on;
            said.begun = true;
        } else if (auto counts = emulated_counts_of(json)) {
            said.all.push_back({.emulated = std::move(*counts), .counted = {}});
        }
    }

    Result<void> take_results(std::size_t skip, std::size_t take, const Ending& ending, Said said,
                              const std::filesystem::path& table) {
        const auto text = read_file(table);
        const std::string reported = text ? timing::errors_of_ncu(*text) : "";
        // The profiler replays a kernel many times and waits for other users of the GPU's counters, so that a timeout
        // need not be the kernel's.
        const std::string what =
            ending.how == Ending::How::silent
                ? fmt::format(
                      "Nsight Compute did not finish it within {} s and was terminated: the kernel may hang, "
                      "or another profiler may use the GPU; --limit allows more",
                      options_.limit_seconds)
            : reported.empty() ? what_happened(ending, options_.limit_seconds, said.errors)
                               : fmt::format("Nsight Compute failed: {}", reported);
        const bool died = said.begun && said.all.size() < take && !said.device_lost;
        if (died) ends_worker_[skip + said.all.size()] = what;
        const auto is_counted = [](const ComparedCounters& one) { return one.emulated.why.empty(); };
        if (std::ranges::any_of(said.all, is_counted)) {
            const auto launches = text ? timing::read_ncu_csv(*text) : std::unexpected(text.error());
            const auto dealt = launches ? deal_out(*launches, said.all) : std::unexpected(launches.error());
            // A profiler that was terminated may not have written its table: these kernels are counted once more.
            if (!dealt && died) return {};
            if (!launches && (!ending.fine() || !reported.empty()))
                return fail(reported.empty() ? what : reported, {},
                            "The driver may restrict counters to administrators (ERR_NVGPUCTRPERM): run it as root.");
            if (!dealt) return std::unexpected(dealt.error());
        } else if (!said.begun) {
            return fail(what, {},
                        "The driver may restrict counters to administrators (ERR_NVGPUCTRPERM): run it as root.");
        }
        std::ranges::move(said.all, std::back_inserter(counted_.all));
        return {};
    }

    const CountersOptions& options_;
    Environment& environment_;
    std::vector<CountersTrial> trials_;
    CountedRecording counted_;
    std::map<std::size_t, std::string> ends_worker_;  ///< by trial: how it ended
};

Result<CountedRecording> recorded_counters(const timing::CounterRecording& recording, const CountersOptions& options,
                                           Progress& progress) {
    auto all = compared_with(recording, options, progress);
    if (!all) return std::unexpected(all.error());
    return CountedRecording{.on = recording, .all = *std::move(all)};
}

/// The first shipped recording that has all requested kernels; otherwise, and with --all, the largest one.
const timing::CounterRecording& shipped_recording(const CountersOptions& options) {
    const std::vector<timing::CounterRecording>& all = session::shipped_counters();
    const auto has_all = [&](const timing::CounterRecording& recording) {
        return std::ranges::all_of(options.programs, [&](const std::string& program) {
            return std::ranges::find(recording.kernels, program, &timing::CountedKernel::kernel) !=
                   recording.kernels.end();
        });
    };
    if (const auto found = std::ranges::find_if(all, has_all); !options.programs.empty() && found != all.end())
        return *found;
    return *std::ranges::max_element(all, {}, [](const auto& recording) { return recording.kernels.size(); });
}

/// Reads a table of the user's own run of Nsight Compute, for one kernel, or a recording that `--out` saved.
Result<CountedRecording> import(const CountersOptions& options, Environment& environment) {
    const auto text = read_file(options.import);
    if (!text) return std::unexpected(text.error());
    if (text->starts_with('{')) {
        const auto recording = timing::counters_from_json(*text);
        if (!recording) return std::unexpected(recording.error());
        return recorded_counters(*recording, options, environment.progress);
    }
    if (options.programs.size() != 1)
        return fail("a table of Nsight Compute needs the name of the one kernel that was counted", {},
                    "Name it: lanescope counters reduce/sequential --n 1024 --import table.csv");
    const auto launches = timing::read_ncu_csv(*text);
    if (!launches) return std::unexpected(launches.error());
    CountersOptions one_build = options;
    if (!one_build.sizes.view) one_build.sizes.view = trace::View::compiled;
    if (!one_build.jit) one_build.jit = true;
    const CountersTrial trial = counters_trials(one_build).front();
    const auto run = session::run(usual_request(options.sizes, trial.program, trial.view), environment.progress);
    if (!run) return std::unexpected(run.error().problem);
    CountedRecording counted;
    counted.on.device = options.import.filename().string();
    ComparedCounters one{.emulated = {.trial = trial}, .counted = {}};
    one.emulated.take(**run);
    const std::string kernel = (*run)->kernel;
    for (const timing::CountedLaunch& launch : *launches) {
        if (launch.kernel.starts_with(kernel) || launches->size() == one.emulated.launches.size())
            one.counted.push_back(launch.counters);
    }
    const std::string errors = timing::errors_of_ncu(*text);
    if (one.counted.size() != one.emulated.launches.size()) {
        return fail(fmt::format("the table has {} of {}, and the emulator made {}{}",
                                lanescope::counted(one.counted.size(), "launch"), kernel, one.emulated.launches.size(),
                                errors.empty() ? "" : "; Nsight Compute reported: " + errors),
                    {}, "Specify the size that was counted with --n and --block.");
    }
    if (!errors.empty()) {
        environment.err << fmt::format(
            "{}: in {} Nsight Compute reported: {}. The launches that it counted are compared.\n", counters_command,
            options.import.filename().string(), errors);
    }
    counted.all.push_back(std::move(one));
    return counted;
}

}  // namespace

std::vector<CountersTrial> counters_trials(const CountersOptions& options) {
    std::vector<CountersTrial> trials;
    const auto wanted = [&](trace::View view) { return !options.sizes.view || *options.sizes.view == view; };
    for (const std::string& program : programs_or_all(options.programs)) {
        // With -G there is nothing left to optimize.
        if (wanted(trace::View::written)) trials.push_back({program, trace::View::written, true});
        if (!wanted(trace::View::compiled)) continue;
        if (!options.jit || !*options.jit) trials.push_back({program, trace::View::compiled, false});
        if (!options.jit || *options.jit) trials.push_back({program, trace::View::compiled, true});
    }
    trials.erase(trials.begin(), trials.begin() + static_cast<std::ptrdiff_t>(std::min(options.skip, trials.size())));
    if (options.take) trials.resize(std::min(*options.take, trials.size()));
    return trials;
}

int counters(const CountersOptions& options, Environment& environment) {
    auto counted = options.import.empty() ? Counting(options, environment)() : import(options, environment);
    // If nothing can be counted here, the recording that ships is shown, with its origin.
    if (!counted && options.import.empty() && options.out.empty() && !session::shipped_counters().empty()) {
        const timing::CounterRecording& recording = shipped_recording(options);
        if (auto recorded = recorded_counters(recording, options, environment.progress)) {
            environment.err << counters_command << ": " << counted.error().what
                            << ": no counters can be collected on this machine. Showing the counters recorded on "
                            << recording.date << " on " << recording.device << ".\n";
            counted = std::move(recorded);
        } else if (counted.error().what == no_profiler) {
            counted = std::unexpected(Problem{.what = fmt::format("{}; {}", no_profiler, recorded.error().what),
                                              .where = {},
                                              .remedy = recorded.error().remedy});
        }
    }
    if (!counted) {
        complain(environment, std::string(counters_command), counted.error());
        return request_wrong;
    }
    if (counted->on.command.empty()) counted->on.command = options.command;
    const std::string sass = cite_sass(counted->on.device, options, counted->all, environment.progress);
    environment.out << (options.json ? counters_json(counted->on, counted->all, sass)
                                     : counters_text(counted->on, counted->all, sass));
    if (environment.progress.cancelled()) return interrupted;
    if (!options.out.empty()) {
        if (const auto written = write_file(options.out, timing::to_json(recording_of(counted->on, counted->all)));
            !written) {
            complain(environment, std::string(counters_command),
                     {.what = fmt::format("the recording cannot be written: {}", written.error()),
                      .where = {options.out.string()},
                      .remedy = {}});
            return request_wrong;
        }
        environment.err << "The recording is in " << options.out.string() << ".\n";
    }
    const auto failed = [](const ComparedCounters& one) { return one.emulated.failed; };
    return std::ranges::any_of(counted->all, failed) ? kernel_wrong : fine;
}

}  // namespace lanescope::cli
