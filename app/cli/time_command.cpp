// `lanescope time`: times kernels on this machine's GPU and compares results with the emulator and the CPU. Worker
// processes measure (time_children.h); here their measurements become a recording, a table and a stream.
#include "base/command_line.h"
#include "base/files.h"
#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/table.h"
#include "cli/time_children.h"
#include "cli/time_jobs.h"
#include "cli/time_recount.h"
#include "timing/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>

namespace lanescope::cli {

namespace {

constexpr const char* time_command = "lanescope time";

Result<timing::Recording> read_recording(const std::filesystem::path& path) {
    const auto text = read_file(path);
    if (!text) return std::unexpected(text.error());
    return timing::from_json(*text, path.string());
}

/// Writes the file atomically after each measurement, so that it can be read at any time.
Result<void> save(const timing::Recording& recording, const std::filesystem::path& path) {
    if (const auto written = write_file(path, timing::to_json(recording)); !written)
        return fail("the recording cannot be written: " + written.error(), {path.string(), 0, 0});
    return {};
}

/// The request in a recording's command, parsed again.
Result<TimeOptions> options_of(const timing::Recording& recording) {
    std::vector<std::string> arguments = command_words(recording.command).value_or(std::vector<std::string>());
    if (!arguments.empty()) arguments.erase(arguments.begin());
    const auto options = parse(arguments);
    if (!options || !std::holds_alternative<TimeOptions>(*options))
        return fail(fmt::format("the recording was made by \"{}\", which cannot be repeated", recording.command));
    return std::get<TimeOptions>(*options);
}

std::string check_text(const timing::Point& point) {
    if (!point.agrees) return "DIFFERS";
    if (point.check == "emulator") return "equals emulator";
    if (point.check == "oracle") return "equals CPU";
    return point.check == "rounding" ? "equals CPU within rounding" : "not checked";
}

std::string text_of(const timing::Recording& recording) {
    std::string text = fmt::format("{}\n  launch overhead {:.2f} µs", recording.text(), recording.overhead.median);
    if (recording.peak > 0) {
        text +=
            fmt::format(", memory's theoretical peak {} GB/s ({})", rounded(recording.peak), recording.peak_formula);
    }
    if (!recording.library.empty()) text += fmt::format("\n  beside {}", recording.library);
    text += "\n\n";
    std::vector<Column> columns{
        {{"kernel"}, false},           {{"n"}},    {{"block"}},        {{"blocks"}}, {{"launches"}}, {{"median, µs"}},
        {{"10th to 90th percentile"}}, {{"GB/s"}}, {{"result"}, false}};
    const bool beside =
        std::ranges::any_of(recording.points, [](const auto& point) { return point.beside.has_value(); });
    if (beside) columns.push_back({{"over CUB's"}});
    Table table(std::move(columns));
    const auto row = [&](const std::string& name, std::uint64_t n, std::vector<std::string> launch,
                         const timing::Spread& time, double bandwidth, const std::string& check,
                         const std::string& ratio = {}) {
        std::vector<std::string> cells{name, size_text(n)};
        cells.insert(cells.end(), launch.begin(), launch.end());
        cells.insert(cells.end(), {fmt::format("{:.2f}", time.median),
                                   fmt::format("{:.2f} to {:.2f}", time.p10, time.p90), rounded(bandwidth), check});
        if (beside) cells.push_back(ratio);
        table.add(std::move(cells));
    };
    const std::vector<std::string> none(3);
    for (const timing::Recording::Copy& copy : recording.copies)
        row("device-to-device copy", copy.bytes / sizeof(std::int32_t), none, copy.time, copy.bandwidth(), "");
    for (const timing::Recording::Sweep& sweep : recording.sweeps)
        row("read only", sweep.bytes / sizeof(std::int32_t), none, sweep.time, sweep.bandwidth(), "");
    for (const timing::Recording::ResidentRead& read : recording.resident_reads)
        row(fmt::format("read only, {} per multiprocessor, {} of {} per thread", counted(read.warps, "warp"),
                        counted(read.in_flight, "load"), counted(read.load_bytes, "byte")),
            read.bytes / sizeof(std::int32_t), none, read.time, read.bandwidth(), "");
    if (!recording.copies.empty() || !recording.sweeps.empty()) table.add_rule();
    const auto number = [](std::uint64_t value) { return value == 0 ? std::string() : grouped(value); };
    for (const timing::Point& point : recording.points) {
        row(fmt::format("{} ({}{})", point.kernel, point.element, point.apart ? ", launches apart" : ""), point.n,
            {number(point.block), number(point.grid), number(point.launches)}, point.time, point.bandwidth(),
            check_text(point), point.beside ? fmt::format("{:.2f}", point.over_library()) : std::string());
    }
    return text + table.text("  ");
}

/// All measurements of one command.
class Timing {
  public:
    Timing(const TimeOptions& options, Environment& environment) : options_(options), environment_(environment) {}

    int run() {
        if (!options_.recount.empty()) return recount();
        if (!options_.resume.empty()) {
            if (const auto resumed = resume(); !resumed) return refuse(resumed.error());
        }
        Result<std::vector<TimeGroup>> groups;
        if (!options_.residency || !options_.programs.empty()) groups = groups_of(options_);
        if (!groups) return refuse(groups.error());
        leave_out_what_is_measured(*groups);

        TimeChildren children(options_, environment_, [this](const timing::Event& event) { take(event); });
        if (const auto done =
                children.ceilings(sizes_without_ceilings(), options_.residency && recording_.resident_reads.empty());
            !done)
            return refuse(done.error());
        if (other_device_)
            return refuse(
                {.what = fmt::format("the recording was made on {} with driver {}, which differ from this machine's",
                                     recording_.device, recording_.driver),
                 .where = {options_.resume.string(), 0, 0},
                 .remedy = "Start a new one with --out."});
        begin_ = std::chrono::steady_clock::now();
        for (const TimeGroup& group : *groups) {
            group_ = nullptr;  // an omission of a type belongs to no job
            if (!group.why.empty()) print_reason(group);
            if (group.jobs.empty()) continue;
            group_ = &group;
            done_in_group_ = 0;
            print_progress();
            if (!environment_.progress.cancelled()) children.measure(group);
        }
        group_ = nullptr;
        if (options_.cub && !environment_.progress.cancelled()) {
            if (const auto done = children.cub(recording_); !done)
                take(timing::Omission{.what = done.error().what, .remedy = done.error().remedy});
        }
        return finish();
    }

  private:
    int refuse(const Problem& problem) {
        if (options_.stream) send(problem);
        complain(environment_, time_command, problem);
        return request_wrong;
    }

    void send(const timing::Event& event) { environment_.out << timing::to_line(event) << '\n' << std::flush; }

    int recount() {
        auto recording = read_recording(options_.recount);
        if (!recording) return refuse(recording.error());
        const auto before = options_of(*recording);
        if (!before) return refuse(before.error());
        const auto done = cli::recount(*recording, *before, environment_);
        if (!done) return refuse(done.error());
        const std::filesystem::path& out = options_.out.empty() ? options_.recount : options_.out;
        if (const auto saved = save(*recording, out); !saved) return refuse(saved.error());
        environment_.out << fmt::format("{} of {} {} other counts than before.\n", grouped(done->changed),
                                        counted(done->points, "point"), verb(done->changed, "have", "has"));
        for (const std::string& kernel : done->changes)
            environment_.err << fmt::format("{} does not execute as it did when it was timed.\n", kernel);
        environment_.err << "The recording is in " << out.string() << ".\n";
        return environment_.progress.cancelled() ? interrupted : fine;
    }

    Result<void> resume() {
        auto recording = read_recording(options_.resume);
        if (!recording) return std::unexpected(recording.error());
        if (options_.programs.empty()) {
            auto before = options_of(*recording);
            if (!before) return std::unexpected(before.error());
            before->resume = options_.resume;
            before->stream = options_.stream;
            before->json = options_.json;
            before->residency = before->residency || options_.residency;
            before->command = recording->command;
            options_ = std::move(*before);
        }
        if (options_.out.empty() || options_.out == options_.resume.filename()) options_.out = options_.resume;
        recording_ = std::move(*recording);
        device_before_ = recording_.device;
        return {};
    }

    void leave_out_what_is_measured(std::vector<TimeGroup>& groups) {
        for (TimeGroup& group : groups)
            std::erase_if(group.jobs, [&](const TimeJob& job) { return is_measured(recording_, group, job); });
        std::erase_if(groups, [](const TimeGroup& group) { return group.jobs.empty() && group.why.empty(); });
        for (const TimeGroup& group : groups)
            for (const TimeJob& job : group.jobs) {
                ++count_;
                weight_ += weight_of(job);
            }
    }

    /// Sizes in 4-byte elements. Doubles move twice as many bytes, so they need the ceilings of 2 n.
    [[nodiscard]] std::vector<std::uint64_t> sizes_without_ceilings() const {
        std::vector<std::uint64_t> wanted = options_.n, sizes;
        if (std::ranges::find(options_.types, trace::name_of(trace::Element::f64)) != options_.types.end())
            for (const std::uint64_t n : options_.n)
                if (std::ranges::find(wanted, 2 * n) == wanted.end()) wanted.push_back(2 * n);
        for (const std::uint64_t n : wanted) {
            const auto has = [&](const auto& items) {
                return std::ranges::any_of(items,
                                           [&](const auto& item) { return item.bytes / sizeof(std::int32_t) == n; });
            };
            if (!has(recording_.copies) || !has(recording_.sweeps)) sizes.push_back(n);
        }
        return sizes;
    }

    void take(const timing::Event& event) {
        if (const auto* started = std::get_if<timing::Started>(&event)) return start(started->recording);
        timing::add(recording_, event);
        if (options_.stream) send(event);
        if (const auto* omission = std::get_if<timing::Omission>(&event)) {
            print_omission(*omission);
            wrong_ = wrong_ || omission->fault;
        }
        if (const auto* point = std::get_if<timing::Point>(&event)) {
            wrong_ = wrong_ || !point->agrees;
            ++measured_;
        }
        const bool answer =
            std::holds_alternative<timing::Point>(event) || std::holds_alternative<timing::Omission>(event);
        if (group_ != nullptr && answer) {
            done_weight_ += weight_of(group_->jobs[done_in_group_]);
            ++done_;
            if (++done_in_group_ == group_->jobs.size()) done_in_group_ = 0;
        }
        if (!options_.out.empty()) {
            if (const auto saved = save(recording_, options_.out); !saved && !unsaved_) unsaved_ = saved.error();
        }
        if (group_ != nullptr && answer && done_in_group_ > 0) print_progress();
    }

    /// A continued recording keeps its measurements.
    void start(const timing::Recording& header) {
        other_device_ =
            !device_before_.empty() && (header.device != device_before_ || header.driver != recording_.driver);
        if (device_before_.empty()) recording_ = header;
        // A recording continued on another day has both dates.
        if (!recording_.date.ends_with(header.date))
            recording_.date =
                fmt::format("{} and {}", recording_.date.substr(0, recording_.date.find(' ')), header.date);
        if (!options_.stream) return;
        send(timing::Started{recording_});
        for (const timing::Recording::Copy& copy : recording_.copies) send(copy);
        for (const timing::Recording::Sweep& sweep : recording_.sweeps) send(sweep);
        for (const timing::Recording::ResidentRead& read : recording_.resident_reads) send(read);
        for (const timing::Point& point : recording_.points) send(point);
    }

    /// Once in a recording, however often it is continued.
    void print_reason(const TimeGroup& group) {
        timing::Omission omission{.kernel = group.name, .element = group.type, .what = group.why, .remedy = {}};
        const auto same = [&](const timing::Omission& other) {
            return other.kernel == omission.kernel && other.element == omission.element && other.n == 0;
        };
        if (std::ranges::none_of(recording_.omissions, same)) take(omission);
    }

    void print_omission(const timing::Omission& omission) {
        std::string about;
        if (!omission.kernel.empty()) about = omission.kernel;
        if (!omission.element.empty()) about += (about.empty() ? "" : ", ") + omission.element;
        if (omission.n != 0) about += fmt::format(", n = {}", size_text(omission.n));
        if (omission.block != 0) about += fmt::format(", block {}", omission.block);
        clear_line();
        environment_.err << (about.empty() ? "" : about + ": ") << omission.what
                         << (omission.remedy.empty() ? "" : ". " + omission.remedy) << '\n';
    }

    /// The cost of a measurement relative to a small one: the host generates the input and compares the output.
    static double weight_of(const TimeJob& job) { return 1 + static_cast<double>(job.n) / double{1U << 27U}; }

    void print_progress() {
        timing::Advance advance{.done = done_, .of = count_, .what = describe(*group_, group_->jobs[done_in_group_])};
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
        if (done_weight_ > 0) advance.seconds_left = spent.count() / done_weight_ * (weight_ - done_weight_);
        if (options_.stream) send(advance);
        if (!environment_.err_is_terminal || options_.stream) return;
        clear_line();
        environment_.err << fmt::format("{} of {}: {}", done_ + 1, count_, advance.what);
        if (advance.seconds_left >= 0) environment_.err << fmt::format(", {:.0f} s left", advance.seconds_left);
        environment_.err << std::flush;
    }

    void clear_line() {
        if (!options_.stream) environment_.err << environment_.clear_line();
    }

    int finish() {
        const bool stopped = environment_.progress.cancelled();
        clear_line();
        if (options_.stream) {
            if (!stopped) send(timing::Ended{});
        } else {
            environment_.out << (options_.json ? timing::to_json(recording_) : text_of(recording_));
        }
        if (unsaved_) {
            complain(environment_, time_command, *unsaved_);
            return request_wrong;
        }
        if (!options_.out.empty()) {
            environment_.err << "The recording is in " << options_.out.string()
                             << (stopped ? "; --resume continues it.\n" : ".\n");
        }
        if (stopped) return interrupted;
        if (wrong_) return kernel_wrong;
        return measured_ == 0 && count_ > 0 ? request_wrong : fine;  // the sentences above say why
    }

    TimeOptions options_;
    Environment& environment_;
    timing::Recording recording_;
    std::string device_before_;  // of the continued recording
    bool other_device_ = false;
    const TimeGroup* group_ = nullptr;
    std::size_t done_in_group_ = 0;
    std::uint64_t done_ = 0, count_ = 0;
    std::uint64_t measured_ = 0;  // of count_: points, without omissions
    double done_weight_ = 0, weight_ = 0;
    std::chrono::steady_clock::time_point begin_;
    std::optional<Problem> unsaved_;
    bool wrong_ = false;
};

}  // namespace

int time(const TimeOptions& options, Environment& environment) { return Timing(options, environment).run(); }

}  // namespace lanescope::cli
