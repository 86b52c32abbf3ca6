// The part of `lanescope timeline` that uses the GPU, in a process of its own: its timelines go to standard output, one
// line a kernel.
#include "base/child_process.h"
#include "cli/commands.h"
#include "cli/gpu_commands.h"
#include "execute/gpu/stamped_run.h"
#include "execute/gpu/timer.h"
#include "session/launch_values.h"
#include "timing/timeline.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace lanescope::cli {

namespace {

constexpr unsigned stamped_runs = 7, timed_runs = 31;
constexpr double longest_timing = 2e5;  // microseconds of the GPU for one of the two

timing::TimelineBlock timeline_block(const execute::BlockTime& block) {
    return {.begin = block.begin,
            .end = std::max(block.begin, block.end),
            .cycles = block.cycles,
            .multiprocessor = block.multiprocessor,
            .polled_cycles = block.polled_cycles,
            .first_poll = block.first_poll,
            .last_poll = block.last_poll};
}

Result<timing::Timeline> record_timeline(const execute::Device& device, std::uint64_t step, const session::Run& run,
                                         Progress& progress) {
    if (const auto taken = device.takes(run.module().target); !taken) return std::unexpected(taken.error());
    const execute::GpuProgram plain = execute::gpu_program(run.trace(), run.module());
    if (plain.launches.empty()) return fail("it launches no kernel");
    const execute::Stamped stamped = execute::stamp(run.module());
    const execute::GpuProgram program = execute::stamped_program(plain, stamped);
    const auto ran = execute::run_stamped(device, program, stamped_runs, progress);
    if (!ran) return std::unexpected(ran.error());
    const execute::TimerOptions often{.samples = timed_runs, .longest = longest_timing};
    const auto without = execute::time_program(device, plain, often, progress);
    if (!without) return std::unexpected(without.error());
    const auto with = execute::time_program(device, program, often, progress);
    if (!with) return std::unexpected(with.error());
    if (with->microseconds.empty() || without->microseconds.empty()) return fail("cancelled");

    timing::Timeline timeline{.kernel = run.trace().origin.program,
                              .view = session::name_of(run.trace().origin.view),
                              .n = run.n,
                              .block = run.block,
                              .input = run.input,
                              .multiprocessors = device.facts().processors,
                              .step = step,
                              .runs = stamped_runs,
                              .plain = timing::spread_of(without->microseconds),
                              .stamped = timing::spread_of(with->microseconds),
                              .polling_loops = stamped.polling_loops,
                              .polls_not_timed = {},
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
            recorded.blocks.push_back(timeline_block(block));
            timeline.incomplete += block.whole ? 0 : 1;
        }
    }
    return timeline;
}

}  // namespace

std::vector<std::string> programs_of(const TimelineOptions& options) {
    std::vector<std::string> programs = options.programs;
    if (programs.empty()) {
        for (const session::Program& program : session::catalog())
            if (program.recipe.fault.empty()) programs.push_back(program.name);
    }
    programs.erase(programs.begin(),
                   programs.begin() + static_cast<std::ptrdiff_t>(std::min(options.skip, programs.size())));
    return programs;
}

int timeline_worker(const TimelineOptions& options, Environment& environment) {
    end_with_parent();
    const auto send = [&](const nlohmann::ordered_json& json) {
        environment.out << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n' << std::flush;
    };
    const auto device = open_gpu();
    const auto step = device ? execute::timer_step(**device) : std::unexpected(device.error());
    if (!step) {
        send({{"problem", step.error().what}, {"remedy", step.error().remedy}});
        return request_wrong;
    }
    send(timing::json::of(header_of(**device)));
    for (const std::string& name : programs_of(options)) {
        session::Request request = options.launch;
        request.program = name;
        request.view = options.view.value_or(trace::View::compiled);
        send({{on_gpu, false}});
        const auto run = session::run(request, environment.progress);
        if (environment.progress.cancelled()) return interrupted;
        if (!run) {
            send({{"kernel", name}, {"failed", run.error().problem.message()}});
            continue;
        }
        if ((*run)->trace().is_cut_short()) {
            send({{"kernel", name}, {"failed", "the emulator stopped before its end"}});
            continue;
        }
        send({{on_gpu, true}});
        const auto timeline = record_timeline(**device, *step, **run, environment.progress);
        send({{on_gpu, false}});
        if (environment.progress.cancelled()) return interrupted;
        if (timeline)
            environment.out << timing::to_line(*timeline) << '\n' << std::flush;
        else
            send({{"kernel", name}, {"failed", timeline.error().message()}});
        // After a fault nothing works in this process any more.
        if (!timeline && !(*device)->finish()) return device_lost;
    }
    return fine;
}

}  // namespace lanescope::cli
