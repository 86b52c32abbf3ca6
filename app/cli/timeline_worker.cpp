// The part of `lanescope timeline` that uses the GPU, in a process of its own: its timelines go to standard output, one
// line a kernel.
#include "base/child_process.h"
#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/gpu_commands.h"
#include "execute/gpu/stamped_run.h"
#include "execute/gpu/timer.h"
#include "session/gpu_plan.h"
#include "session/hardware_timeline.h"
#include "session/launch_values.h"
#include "session/small_run.h"
#include "session/verdict.h"
#include "timing/timeline.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace lanescope::cli {

namespace {

constexpr unsigned stamped_runs = 7, timed_runs = 31;
constexpr double longest_timing = 2e5;  // GPU microseconds for each of the two measurements

timing::TimelineBlock timeline_block(const execute::BlockTime& block, bool with_warps) {
    timing::TimelineBlock result{.begin = block.begin,
                                 .end = std::max(block.begin, block.end),
                                 .cycles = block.cycles,
                                 .multiprocessor = block.multiprocessor,
                                 .polled_cycles = block.polled_cycles,
                                 .first_poll = block.first_poll,
                                 .last_poll = block.last_poll,
                                 .warps = {}};
    if (!with_warps) return result;
    for (const execute::WarpTime& warp : block.warps) {
        timing::TimelineWarp& of = result.warps.emplace_back(timing::TimelineWarp{
            .begin = warp.begin, .end = std::max(warp.begin, warp.end), .waits_in_all = warp.waits, .waits = {}});
        std::uint64_t from = of.begin;
        for (const execute::WaitStamp& wait : warp.kept) {
            const std::uint64_t arrived = std::max(from, wait.arrived);
            from = std::max(arrived, wait.arrived + wait.cycles);
            of.waits.push_back({.arrived = arrived, .went_on = from, .mbarrier = wait.kind != 0});
        }
    }
    return result;
}

/// Waits recorded for each warp, with --warps; more would fill the memory.
constexpr unsigned most_waits = 64;
constexpr std::uint64_t most_bytes_of_stamps = std::uint64_t{1} << 30;

/// A planned recording: a run on the emulator, and the launches, which are those of the run or larger ones.
struct Planned {
    std::shared_ptr<const session::Run> run;
    execute::GpuProgram work;
    std::uint64_t n = 0;
    std::uint32_t block = 0;
};

Result<std::shared_ptr<const session::Run>> sound(
    std::expected<std::shared_ptr<const session::Run>, session::Refusal> run) {
    if (!run) return std::unexpected(run.error().problem);
    if ((*run)->trace().is_cut_short()) return fail(session::emulator_stopped);
    return *std::move(run);
}

/// The launch of the request, as the emulator runs it.
Result<Planned> plan_request(const session::Request& request, Progress& progress) {
    auto run = sound(session::run(request, progress));
    if (!run) return std::unexpected(run.error());
    Planned planned{.run = *std::move(run), .work = {}};
    planned.work = execute::gpu_program(planned.run->trace(), planned.run->module());
    planned.n = planned.run->n;
    planned.block = planned.run->block;
    return planned;
}

/// The launch that `lanescope time` measures at that n, or at the kernel's limit; n has the same default.
Result<Planned> plan_as_timed(session::Request request, const execute::GpuFacts& facts, Progress& progress) {
    const auto program = session::find_requested(request);
    if (!program) return std::unexpected(program.error().problem);
    const TimeOptions usual;
    if (!request.n) request.n = usual.n.front();
    if (!request.block) request.block = usual.blocks.front();
    request.multiprocessors = facts.processors;
    if (request.input.empty()) request.input = usual_input;
    if (const auto most = session::largest_n(*program, {.n = *request.n, .block = *request.block, .grid = 1}))
        request.n = std::min(*request.n, *most);
    auto run = sound(program->recipe.host ? session::run(request, progress) : session::small_run(request, progress));
    if (!run) return std::unexpected(run.error());
    auto plan = session::plan_for_gpu(
        **run, {.n = *request.n,
                .grid = request.grid,
                .multiprocessors = facts.processors,
                .resident_threads = std::uint64_t{facts.processors} * facts.threads_per_processor});
    if (!plan) return std::unexpected(plan.error());
    return Planned{.run = *std::move(run), .work = std::move(plan->work), .n = plan->n, .block = plan->block};
}

Result<timing::Timeline> record_timeline(const execute::Device& device, std::uint64_t step, const Planned& planned,
                                         bool with_waits, Progress& progress) {
    const session::Run& run = *planned.run;
    if (const auto taken = device.takes(run.module().target); !taken) return std::unexpected(taken.error());
    const execute::GpuProgram& plain = planned.work;
    if (plain.launches.empty()) return fail("it launches no kernel");
    const execute::Stamped stamped = execute::stamp(run.module(), with_waits ? most_waits : 0);
    const execute::GpuProgram program = execute::stamped_program(plain, stamped);
    if (with_waits && program.buffers.back().bytes > most_bytes_of_stamps) {
        return fail(
            fmt::format("the stamps of its warps would take {} MB", grouped(program.buffers.back().bytes >> 20)), {},
            "Record fewer blocks, or leave out --warps.");
    }
    const auto ran = execute::run_stamped(device, program, stamped.waits, stamped_runs, progress);
    if (!ran) return std::unexpected(ran.error());
    const execute::TimerOptions often{.samples = timed_runs, .longest = longest_timing};
    const auto without = execute::time_program(device, plain, often, progress);
    if (!without) return std::unexpected(without.error());
    const auto with = execute::time_program(device, program, often, progress);
    if (!with) return std::unexpected(with.error());
    if (with->microseconds.empty() || without->microseconds.empty()) return fail("cancelled");

    timing::Timeline timeline{.kernel = run.trace().origin.program,
                              .view = session::name_of(run.trace().origin.view),
                              .n = planned.n,
                              .block = planned.block,
                              .input = session::data_text(run),
                              .multiprocessors = device.facts().processors,
                              .step = step,
                              .runs = stamped_runs,
                              .plain = timing::spread_of(without->microseconds),
                              .stamped = timing::spread_of(with->microseconds),
                              .polling_loops = stamped.polling_loops,
                              .polls_not_timed = {},
                              .waits = stamped.waits,
                              .waits_not_timed = stamped.waits_not_timed,
                              .launches = {}};
    if (stamped.polls_in_functions)
        timeline.polls_not_timed = "Loops that poll in functions that are called are not timed.";
    for (std::size_t i = 0; i < plain.launches.size(); ++i) {
        const execute::GpuLaunch& launch = plain.launches[i];
        timing::TimelineLaunch& recorded = timeline.launches.emplace_back();
        recorded.kernel = launch.kernel;
        recorded.grid = launch.grid.sides();
        recorded.block = launch.block.sides();
        for (const execute::BlockTime& block : ran->launches[i]) {
            recorded.blocks.push_back(timeline_block(block, stamped.waits > 0));
            timeline.incomplete += block.whole ? 0 : 1;
        }
    }
    return timeline;
}

}  // namespace

std::vector<std::string> programs_of(const TimelineOptions& options) {
    std::vector<std::string> programs = options.programs.empty() ? session::sound_programs() : options.programs;
    programs.erase(programs.begin(),
                   programs.begin() + static_cast<std::ptrdiff_t>(std::min(options.skip, programs.size())));
    return programs;
}

int timeline_worker(const TimelineOptions& options, Environment& environment) {
    end_with_parent();
    const auto send = [&](const nlohmann::ordered_json& json) { send_line(environment, json); };
    const auto device = open_gpu();
    const auto step = device ? execute::timer_step(**device) : std::unexpected(device.error());
    if (!step) {
        send(problem_line(step.error()));
        return request_wrong;
    }
    send(timing::json::of(header_of(**device)));
    for (const std::string& name : programs_of(options)) {
        session::Request request = options.launch;
        request.program = name;
        request.view = options.view.value_or(trace::View::compiled);
        send({{on_gpu, false}});
        const auto planned = options.as_timed ? plan_as_timed(request, (*device)->facts(), environment.progress)
                                              : plan_request(request, environment.progress);
        if (environment.progress.cancelled()) return interrupted;
        if (!planned) {
            send({{"kernel", name}, {"failed", planned.error().message()}});
            continue;
        }
        send({{on_gpu, true}});
        const auto timeline = record_timeline(**device, *step, *planned, options.warps, environment.progress);
        send({{on_gpu, false}});
        if (environment.progress.cancelled()) return interrupted;
        if (timeline)
            environment.out << timing::to_line(*timeline) << '\n' << std::flush;
        else
            send({{"kernel", name}, {"failed", timeline.error().message()}});
        // After a fault this process can no longer use the GPU.
        if (!timeline && !(*device)->finish()) return device_lost;
    }
    return fine;
}

}  // namespace lanescope::cli
