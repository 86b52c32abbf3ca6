// The process that Nsight Compute profiles: it launches each kernel a few times, and writes to standard output, one
// line a kernel, the number of launches and the emulator's counts of each.
#include "base/child_process.h"
#include "cli/commands.h"
#include "cli/counters_report.h"
#include "cli/gpu_commands.h"
#include "execute/gpu/prepared.h"
#include "session/verdict.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ostream>

namespace lanescope::cli {

namespace {

/// `announce(true)` before each launch: the limit is of one.
Result<void> launch_all(const execute::Device& device, const session::Run& run, bool optimized, const auto& announce) {
    execute::GpuProgram program = execute::gpu_program(run.trace(), run.module());
    program.optimization =
        optimized ? execute::DeviceModule::Optimization::usual : execute::DeviceModule::Optimization::none;
    if (const auto taken = device.takes(run.module().target); !taken) return taken;
    const auto prepared = execute::Prepared::make(device, program, execute::Prepared::Copies::one);
    if (!prepared) return std::unexpected(prepared.error());
    Result<void> done;
    for (unsigned run_number = 0; run_number < counted_runs && done; ++run_number) {
        done = prepared->restore(0);
        for (std::size_t launch = 0; launch < program.launches.size() && done; ++launch) {
            done = prepared->write(launch, 0);
            announce(true);
            if (done) done = prepared->launch(launch, 0);
            if (done) done = device.finish();
        }
    }
    return done;
}

}  // namespace

int counters_worker(const CountersOptions& options, Environment& environment) {
    end_with_parent();
    const auto send = [&](const nlohmann::ordered_json& json) { send_line(environment, json, counters_line); };
    const auto device = open_gpu();
    if (!device) {
        send(problem_line(device.error()));
        return request_wrong;
    }
    send(timing::json::of(header_of(**device)));
    const auto announce = [&](bool begins) { send({{on_gpu, begins}}); };
    announce(false);
    for (const CountersTrial& trial : counters_trials(options)) {
        const session::Request request = usual_request(options.sizes, trial.program, trial.view);
        EmulatedCounts counts{.trial = trial};
        const auto run = session::run(request, environment.progress);
        if (environment.progress.cancelled()) return interrupted;
        if (!run) {
            counts.why = run.error().problem.message();
        } else if (session::first_fault((*run)->trace()) != nullptr) {
            counts.why = (*run)->program.recipe.expected.fault.empty()
                             ? "the emulator has findings in it"
                             : fmt::format("it demonstrates a fault ({})", (*run)->program.recipe.expected.fault);
        } else if ((*run)->trace().is_cut_short()) {
            counts.why = session::emulator_stopped;
        } else {
            announce(true);
            const auto done = launch_all(**device, **run, trial.optimized, announce);
            announce(false);
            counts.failed = !done;
            if (!done) counts.why = done.error().message();
        }
        if (counts.why.empty()) counts.take(**run);
        send(to_json(counts));
        // After a fault this process can no longer use the GPU; a line says so, because the profiler may hide the exit
        // status.
        if (!(*device)->finish()) {
            send({{device_lost_line, true}});
            return device_lost;
        }
    }
    return fine;
}

}  // namespace lanescope::cli
