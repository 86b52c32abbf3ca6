#include "session/session.h"
#include "base/demangle.h"

#include "base/grouped.h"
#include "execute/emulator/emulator.h"
#include "session/guessed_run.h"
#include "session/session_plan.h"
#include "session/session_verdict.h"
#include "session/whole_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace lanescope::session {

namespace {

using RunResult = std::expected<std::shared_ptr<const Run>, Refusal>;

std::unexpected<Refusal> stopped() { return refuse("cancelled", "the run was cancelled"); }

/// Of recorded steps. With what the analysis makes of them, the whole process takes some twelve times as much.
constexpr std::uint64_t most_record_bytes = std::uint64_t{128} << 20;

/// The absence of such findings means less where only some blocks were checked.
std::optional<std::string> note_on_checked(const trace::Trace& trace) {
    std::uint64_t blocks = 0, recorded = 0;
    for (const trace::Launch& launch : trace.launches) {
        blocks += launch.grid.count();
        recorded += launch.recorded.size();
    }
    if (recorded == blocks) return std::nullopt;
    return fmt::format("{} of {} blocks were checked for races and uninitialized reads; --check checks all blocks.",
                       grouped(recorded), grouped(blocks));
}

/// What came of a launch, or of all launches of a program.
struct Executed {
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<const ptx::Module> module;
    std::vector<compile::Diagnostic> diagnostics;
    std::vector<std::string> notes;
};
using Execution = std::expected<Executed, Refusal>;

/// The plan's one launch of its kernel.
Execution run_alone(const Request& request, Plan& plan, const execute::Limits& limits, Progress& progress) {
    auto run =
        is_guessed(plan) ? run_guessed(request, plan, limits, progress) : run_kernel(request, plan, limits, progress);
    if (!run) return std::unexpected(std::move(run.error()));
    return Executed{.trace = run->emulation->finish(),
                    .module = std::move(run->module),
                    .diagnostics = std::move(run->diagnostics),
                    .notes = std::move(run->notes)};
}

/// All launches of the plan's host function.
Execution run_program(const Request& request, Plan& plan, const execute::Limits& limits, Progress& progress) {
    auto whole = run_whole_program(request, plan, limits, progress);
    if (!whole) return std::unexpected(std::move(whole.error()));
    if (plan.arguments.empty()) {  // main alone says how large things are: its first launch does
        const trace::Launch& first = whole->trace->launches.front();
        plan.variables.block = first.block.count();
        plan.variables.grid = first.grid.count();
        plan.variables.n = whole->trace->origin.n;
        plan.input = "its own";
    }
    return Executed{.trace = std::move(whole->trace),
                    .module = std::move(whole->module),
                    .diagnostics = std::move(whole->diagnostics),
                    .notes = std::move(whole->notes)};
}

}  // namespace

RunResult run(const Request& request, Progress& progress) {
    auto planned = plan(request);
    if (!planned) return std::unexpected(std::move(planned.error()));
    Plan& plan = *planned;
    if (progress.cancelled()) return stopped();
    if (plan.program.recipe.host && !plan.program.source.built_in && !request.trusted)
        return refuse("trust", what_running_means(plan));

    const execute::Limits limits{
        .record_blocks = request.record_blocks,
        .record_bytes = most_record_bytes,
        .checked = request.check_all_blocks ? execute::Checked::all_blocks : execute::Checked::recorded_blocks};
    auto executed = plan.program.recipe.host ? run_program(request, plan, limits, progress)
                                             : run_alone(request, plan, limits, progress);
    if (!executed) return std::unexpected(std::move(executed.error()));
    if (progress.cancelled()) return stopped();

    auto result = std::make_shared<Run>();
    result->request = request;
    result->kernel = source_name_of(plan.program.recipe.kernel);
    result->n = plan.variables.n;
    result->block = static_cast<std::uint32_t>(plan.variables.block);
    result->grid = plan.variables.grid;
    result->input = plan.input;
    result->notes = std::move(plan.notes);
    result->diagnostics = std::move(executed->diagnostics);
    const trace::Trace& trace = *executed->trace;
    std::ranges::move(executed->notes, std::back_inserter(result->notes));
    result->notes.insert(result->notes.end(), trace.notes.begin(), trace.notes.end());
    if (limits.checked == execute::Checked::recorded_blocks)
        if (auto note = note_on_checked(trace)) result->notes.push_back(std::move(*note));
    result->analysis = analysis::analyse(executed->trace, executed->module, progress);
    if (progress.cancelled()) return stopped();
    result->arguments = std::move(plan.plans);
    result->program = std::move(plan.program);
    result->verdict = judge(result->program, result->arguments, result->trace(), result->notes);
    return result;
}

}  // namespace lanescope::session
