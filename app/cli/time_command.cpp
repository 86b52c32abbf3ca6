// `lanescope time`: kernels on this machine's GPU, measured and held against the emulator.
#include "cli/commands.h"
#include "cli/table.h"
#include "compile/compile.h"
#include "execute/gpu/timer.h"
#include "session/given.h"
#include "timing/measurement.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <ostream>

namespace lanescope::cli {

namespace {

constexpr unsigned overhead_samples = 101;
constexpr std::string_view command = "lanescope time";

/// Bytes that the algorithm must move: what it is given, and what it gives where that is as much again.
std::uint64_t bytes_of(const session::Run& run) {
    std::uint64_t bytes = 0;
    for (const trace::Buffer& buffer : run.trace().buffers) {
        const std::uint64_t elements = buffer.bytes / trace::bytes_of(buffer.element);
        if (session::holds_input(buffer) || (buffer.output && elements >= run.n))
            bytes += std::min(buffer.bytes, run.n * trace::bytes_of(buffer.element));
    }
    return bytes;
}

struct Session {
    std::unique_ptr<execute::Device> device;
    timing::Recording recording;
};

Result<Session> begin(const TimeOptions& options) {
    const auto driver = execute::Driver::load();
    if (!driver) return std::unexpected(driver.error());
    auto device = execute::Device::open(*driver);
    if (!device) return std::unexpected(device.error());
    Session session{.device = std::move(*device), .recording = {}};
    const execute::DeviceFacts& facts = session.device->facts();
    timing::Recording& recording = session.recording;
    recording.device = facts.name;
    recording.driver = facts.driver;
    if (const auto& compiler = compile::compiler())
        recording.toolkit = fmt::format("NVRTC {}.{}", compiler->major, compiler->minor);
    recording.date =
        fmt::format("{:%F}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
    recording.command = options.command;
    recording.l2_bytes = facts.l2_bytes;
    recording.peak = facts.memory_gigabytes_per_second;
    const auto overhead = execute::time_empty_launch(*session.device, overhead_samples);
    if (!overhead) return std::unexpected(overhead.error());
    recording.overhead = timing::spread_of(*overhead);
    for (const std::uint64_t n : options.n) {
        const std::uint64_t bytes = n * sizeof(std::int32_t);
        const auto copy = execute::time_copy(*session.device, bytes, options.samples);
        if (!copy) return std::unexpected(copy.error());
        recording.copies.push_back({.bytes = bytes, .time = timing::spread_of(*copy)});
    }
    return session;
}

std::vector<std::string> programs_of(const TimeOptions& options) {
    if (!options.programs.empty()) return options.programs;
    std::vector<std::string> names;
    for (const session::Program& program : session::catalog()) {
        if (program.fault.empty()) names.push_back(program.name);
    }
    return names;
}

/// What became of one kernel at one size.
struct Attempt {
    std::optional<timing::Point> point;
    std::string skipped;  ///< why there is none
    bool wrong = false;   ///< the kernel is faulty, or the GPU differs
    bool stop = false;    ///< the GPU is lost, or the person wants no more
};

Attempt attempt(const Session& session, const session::Request& request, const TimeOptions& options,
                Environment& environment) {
    const auto answer = session::run(request, environment.progress);
    if (!answer) {
        const bool cancelled = answer.error().field == "cancelled";
        return {.point = {}, .skipped = answer.error().problem.what, .wrong = false, .stop = cancelled};
    }
    const session::Run& run = **answer;
    if (!run.trace().findings.empty() || run.verdict.ok == false) {
        return {.point = {},
                .skipped = "the emulator finds a fault in it; `lanescope trace` tells",
                .wrong = true,
                .stop = false};
    }
    const auto timed = execute::time_program(*session.device, run.trace(), run.module(), {.samples = options.samples},
                                             environment.progress);
    if (!timed) return {.point = {}, .skipped = timed.error().message(), .wrong = false, .stop = false};
    if (timed->microseconds.empty()) return {.point = {}, .skipped = "stopped", .wrong = false, .stop = true};
    const trace::Launch& first = run.trace().launches.front();
    timing::Point point{.kernel = run.program.name,
                        .element = std::string(trace::name_of(run.verdict.element)),
                        .n = run.n,
                        .block = run.block,
                        .grid = first.grid.count(),
                        .launches = static_cast<std::uint32_t>(run.trace().launches.size()),
                        .bytes = bytes_of(run),
                        .time = timing::spread_of(timed->microseconds),
                        .agrees = timed->differs.empty()};
    return {.point = point, .skipped = {}, .wrong = !point.agrees, .stop = false};
}

std::string text_of(const timing::Recording& recording) {
    std::string text = fmt::format("{}, driver {}, {}, {}\n  launch overhead {:.2f} us", recording.device,
                                   recording.driver, recording.toolkit, recording.date, recording.overhead.median);
    if (recording.peak > 0) text += fmt::format(", memory's theoretical peak {:.0f} GB/s", recording.peak);
    text += "\n\n";
    Table table({{{"kernel"}, false},
                 {{"n"}},
                 {{"block"}},
                 {{"launches"}},
                 {{"median, us"}},
                 {{"10 % to 90 %"}},
                 {{"GB/s"}},
                 {{"result"}, false}});
    for (const timing::Recording::Copy& copy : recording.copies) {
        table.add({"copy from device to device", grouped(copy.bytes / sizeof(std::int32_t)), "", "",
                   fmt::format("{:.2f}", copy.time.median),
                   fmt::format("{:.2f} to {:.2f}", copy.time.p10, copy.time.p90),
                   fmt::format("{:.0f}", copy.bandwidth()), ""});
    }
    if (!recording.copies.empty()) table.add_rule();
    for (const timing::Point& point : recording.points) {
        table.add({point.kernel, grouped(point.n), std::to_string(point.block), std::to_string(point.launches),
                   fmt::format("{:.2f}", point.time.median),
                   fmt::format("{:.2f} to {:.2f}", point.time.p10, point.time.p90),
                   fmt::format("{:.0f}", point.bandwidth()), point.agrees ? "as emulated" : "DIFFERS"});
    }
    return text + table.text("  ");
}

}  // namespace

int time(const TimeOptions& options, Environment& environment) {
    auto session = begin(options);
    if (!session) {
        complain(environment, std::string(command), session.error());
        return request_wrong;
    }
    bool wrong = false, stopped = false;
    for (const std::string& program : programs_of(options)) {
        for (const std::uint64_t n : options.n) {
            for (const std::uint32_t block : options.blocks) {
                if (stopped) continue;
                session::Request request;
                request.program = program;
                request.n = n;
                request.block = block;
                request.view = trace::View::compiled;
                request.record_blocks = 1;
                const Attempt tried = attempt(*session, request, options, environment);
                if (tried.point) session->recording.points.push_back(*tried.point);
                if (!tried.skipped.empty())
                    environment.err << fmt::format("{}, n = {}, block {}: {}\n", program, n, block, tried.skipped);
                wrong = wrong || tried.wrong;
                stopped = tried.stop;
            }
        }
    }
    const std::string json = timing::to_json(session->recording);
    environment.out << (options.json ? json : text_of(session->recording));
    if (!options.out.empty()) {
        std::ofstream file(options.out, std::ios::binary);
        if (!(file << json).flush()) {
            complain(environment, std::string(command),
                     {.what = "the recording cannot be written", .where = {options.out.string()}, .remedy = {}});
            return request_wrong;
        }
        environment.err << "The recording is in " << options.out.string() << ".\n";
    }
    if (stopped) return interrupted;
    return wrong ? kernel_wrong : fine;
}

}  // namespace lanescope::cli
