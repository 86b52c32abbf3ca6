// A program with its host code, as it is: compiled by nvcc, run confined in a process of its own, each of its launches
// emulated when it makes it.
#pragma once

#include "base/progress.h"
#include "compile/compile.h"
#include "execute/emulator/emulator.h"
#include "host/program.h"
#include "ptx/module.h"
#include "session/launch_plan.h"
#include "session/run.h"
#include "trace/trace.h"

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

struct WholeRun {
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<const ptx::Module> module;
    std::vector<compile::Diagnostic> diagnostics;  ///< warnings of nvcc
    std::vector<std::string> notes;                ///< sentences
    host::ProgramRun host;                         ///< what the host code did
    double seconds = 0;                            ///< that its launches took
};

/// Receives the record of the first launch while the rest of the program runs.
using FirstLaunch = std::function<void(std::shared_ptr<const trace::Trace>, std::shared_ptr<const ptx::Module>)>;

/// Runs the host function of the plan: main as it is, with the arguments of the request's command line; another one
/// from a main that is generated here, on the plan's arguments. If Request::host_function names a function, the trace
/// is of that function's run as one thread. `record`: how much is recorded. Where programs cannot be run, a built-in
/// one is replayed from the steps kept beside it (kept_steps.h): its default launch, no other. A program that is
/// cancelled after its first launch is returned as far as it has run, and marked. `steps` receives each step as it
/// comes.
[[nodiscard]] std::expected<WholeRun, Refusal> run_whole_program(const Request& request, const Plan& plan,
                                                                 const execute::Limits& record, Progress& progress,
                                                                 const FirstLaunch& first = {},
                                                                 LiveSteps* steps = nullptr);

/// Replays the steps of the host code: each launch emulated with the kernels of `ptx`.
[[nodiscard]] std::expected<WholeRun, Refusal> replay_steps(const Request& request, const Plan& plan,
                                                            const execute::Limits& record,
                                                            const host::ProgramRun& steps, std::string_view ptx,
                                                            Progress& progress);

/// The sentence shown before the plan's host code is run.
[[nodiscard]] std::string what_running_means(const Plan& plan);

/// Why programs cannot be run on this machine; nothing where they can.
[[nodiscard]] std::optional<Problem> cannot_run_programs();

}  // namespace lanescope::session
