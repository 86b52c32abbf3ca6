#include "session/run.h"

#include "base/demangle.h"
#include "base/files.h"
#include "base/grouped.h"
#include "execute/emulator/emulator.h"
#include "session/compiled_kernel.h"
#include "session/guessed_run.h"
#include "session/launch_plan.h"
#include "session/multiprocessors.h"
#include "session/request.h"
#include "session/unfenced_stores.h"
#include "session/verdict.h"
#include "session/view_difference.h"
#include "session/whole_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace lanescope::session {

namespace {

using RunResult = std::expected<std::shared_ptr<const Run>, Refusal>;

std::unexpected<Refusal> stopped() { return refuse("cancelled", "the run was cancelled"); }

/// The most bytes of recorded steps. With what the analysis makes of them, the whole process takes some twelve times as
/// much.
constexpr std::uint64_t most_record_bytes = std::uint64_t{128} << 20;

/// The absence of such findings means less where only some blocks were checked.
std::optional<std::string> note_on_checked(const trace::Trace& trace) {
    std::uint64_t blocks = 0, recorded = 0;
    for (const trace::Launch& launch : trace.launches) {
        blocks += launch.grid.count();
        recorded += launch.wholly_recorded();
    }
    if (recorded == blocks) return std::nullopt;
    return fmt::format("{} of {} were checked for races and uninitialized reads; --check checks all blocks.",
                       grouped(recorded), counted(blocks, "block"));
}

/// The outcome of a launch, or of all launches of a program.
struct Executed {
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<const ptx::Module> module;
    std::vector<compile::Diagnostic> diagnostics;
    std::vector<std::string> notes;
    double seconds = 0;  ///< that the launches took
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
                    .notes = std::move(run->notes),
                    .seconds = run->seconds};
}

/// Takes the sizes from the first launch where main runs.
void take_sizes(Plan& plan, const trace::Trace& trace) {
    if (!plan.arguments.empty()) return;
    const trace::Launch& first = trace.launches.front();
    plan.variables.block = first.block.count();
    plan.variables.grid = first.grid.count();
    plan.variables.n = trace.origin.n;
    plan.guessed = {};
    plan.input = "its own";
}

/// The run that a panel reads. `progress`: of the analysis.
std::shared_ptr<Run> run_of(const Request& request, Plan plan, Executed executed, Progress& progress) {
    auto result = std::make_shared<Run>();
    result->request = request;
    result->kernel = source_name_of(plan.program.recipe.kernel);
    result->n = plan.variables.n;
    result->block = static_cast<std::uint32_t>(plan.variables.block);
    result->grid = plan.variables.grid;
    result->input = plan.input;
    result->guessed = plan.guessed;
    result->notes = std::move(plan.notes);
    result->diagnostics = std::move(executed.diagnostics);
    const Variables variables = plan.variables;
    const trace::Trace& trace = *executed.trace;
    std::ranges::move(executed.notes, std::back_inserter(result->notes));
    result->notes.insert(result->notes.end(), trace.notes.begin(), trace.notes.end());
    if (trace.origin.view == trace::View::written && !plan.program.source.built_in &&
        rounds_products(*executed.module, trace.launches))
        result->notes.emplace_back(
            "As written, a product is rounded before it is added; nvcc's optimized code, as compiled, fuses the two: "
            "floating-point results may differ in their last digits.");
    if (!request.check_all_blocks)
        if (auto note = note_on_checked(trace)) result->notes.push_back(std::move(*note));
    result->seconds = executed.seconds;
    progress.say("analyzing the trace");
    result->analysis = analysis::analyze(executed.trace, executed.module, progress);
    result->arguments = std::move(plan.plans);
    result->program = std::move(plan.program);
    if (progress.cancelled()) return result;
    result->verdict = judge(result->program, result->arguments, result->trace(), result->notes);
    if (auto why = why_no_fault(result->program, variables); why && !shows_fault(*result))
        result->notes.push_back(sentence(*std::move(why)));
    return result;
}

/// Gives the picture of a program's first launch from a thread of its own, unless the program ends soon: two pictures
/// in quick succession would flicker.
class EarlyPicture {
  public:
    EarlyPicture(const Request& request, const Plan& plan, const FirstPicture& give)
        : request_(request), plan_(plan), give_(give) {}
    EarlyPicture(const EarlyPicture&) = delete;
    EarlyPicture& operator=(const EarlyPicture&) = delete;
    ~EarlyPicture() {
        {
            const std::scoped_lock lock(mutex_);
            over_ = true;
        }
        progress_.cancel();
        changed_.notify_all();
    }

    void show(std::shared_ptr<const trace::Trace> trace, std::shared_ptr<const ptx::Module> module) {
        thread_ = std::jthread([this, trace = std::move(trace), module = std::move(module)] {
            constexpr std::chrono::milliseconds soon(400);
            {
                std::unique_lock lock(mutex_);
                if (changed_.wait_for(lock, soon, [&] { return over_; })) return;
            }
            Plan plan = plan_;
            take_sizes(plan, *trace);
            Executed executed;
            executed.trace = trace;
            executed.module = module;
            const std::shared_ptr<const Run> run = run_of(request_, std::move(plan), std::move(executed), progress_);
            if (!progress_.cancelled()) give_(run);
        });
    }

  private:
    const Request& request_;
    const Plan& plan_;
    const FirstPicture& give_;
    Progress progress_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    std::jthread thread_;
};

/// All launches of the plan's host function.
Execution run_program(const Request& request, Plan& plan, const execute::Limits& limits, Progress& progress,
                      const FirstPicture& first, LiveSteps* steps) {
    std::optional<EarlyPicture> early;
    FirstLaunch recorded;
    if (first) {
        early.emplace(request, plan, first);
        recorded = [&](auto trace, auto module) { early->show(std::move(trace), std::move(module)); };
    }
    auto whole = run_whole_program(request, plan, limits, progress, recorded, steps);
    early.reset();
    if (!whole) return std::unexpected(std::move(whole.error()));
    take_sizes(plan, *whole->trace);
    return Executed{.trace = std::move(whole->trace),
                    .module = std::move(whole->module),
                    .diagnostics = std::move(whole->diagnostics),
                    .notes = std::move(whole->notes),
                    .seconds = whole->seconds};
}

/// The kernels of the other sources that main was built from, or of those beside a kernel that is not in main's file.
std::vector<OtherKernel> other_kernels_of(const Run& run) {
    const std::string& source = run.program.source.name;
    if (!run.program.recipe.host)
        return source == run.request.program ? std::vector<OtherKernel>()
                                             : kernels_of_other_sources(run.request, source);
    std::vector<OtherKernel> kernels;
    const auto add = [&](const std::string& name, const std::string& text) {
        if (name == std::filesystem::path(source).filename()) return;  // its own are known
        std::ranges::move(kernels_in(text, name), std::back_inserter(kernels));
    };
    const trace::Origin& origin = run.trace().origin;
    add(origin.source_name, origin.source);
    for (const trace::SourceText& other : origin.other_sources) add(other.name, other.text);
    return kernels;
}

std::shared_ptr<const Run> with_note(const Run& run, std::string note) {
    auto noted = std::make_shared<Run>(run);
    noted->notes.insert(noted->notes.begin(), std::move(note));
    return noted;
}

/// Adds a finding of further runs, to a copy of the trace: others may hold the trace already.
void add_finding(Run& run, trace::Finding finding, Progress& progress) {
    auto trace = std::make_shared<trace::Trace>(run.trace());
    trace->findings.push_back(std::move(finding));
    run.analysis = analysis::analyze(std::move(trace), run.analysis->module, progress);
}

/// `runner`: in the emulator's place; null: the emulator.
RunResult run_by(execute::BlockRunner* runner, const Request& asked, Progress& progress, const FirstPicture& first,
                 LiveSteps* steps) {
    Request request = asked;
    if (auto opened = opened_source(asked.program)) {
        request.program = std::move(opened->path);
        if (request.working_folder.empty()) request.working_folder = std::move(opened->folder);
    }
    // The parts of a launch that the request does not state are guessed from the compiled kernel.
    if (const auto text = read_file(request.program)) progress.say(compiling_text(request.program, *text));
    auto planned = plan(request);
    if (!planned) return std::unexpected(std::move(planned.error()));
    Plan& plan = *planned;
    if (progress.cancelled()) return stopped();
    const bool host = plan.program.recipe.host;
    if (!request.host_function.empty() && !(host && plan.program.recipe.kernel == "main"))
        return refuse("function", "only main calls functions that can be run as one thread",
                      "Omit --function, or let main run: without --kernel and without launch flags.");
    if (host && !plan.program.source.built_in && !request.trusted) return refuse("trust", what_running_means(plan));

    execute::Limits limits{
        .record_blocks = request.record_blocks,
        .record_bytes = most_record_bytes,
        .checked = request.check_all_blocks ? execute::Checked::all_blocks : execute::Checked::recorded_blocks};
    limits.runner = runner;
    if (request.max_instructions)
        limits.warp_instructions = limits.unchanged_instructions = limits.uncounted_instructions =
            *request.max_instructions;
    limits.multiprocessors = multiprocessors_of(request, plan.program.recipe);
    if (auto schedule = execute::read_schedule(schedule_of(request, plan.program.recipe)))
        limits.schedule = *std::move(schedule);
    auto executed =
        host ? run_program(request, plan, limits, progress, first, steps) : run_alone(request, plan, limits, progress);
    if (!executed && executed.error().no_main && !plan.program.source.scan.kernels.empty()) {
        request.kernel = plan.program.source.scan.kernels.front().name;
        auto alone = run_by(runner, request, progress, first, steps);
        return alone ? with_note(**alone, fmt::format("No main() is left after preprocessing, and {} runs alone.",
                                                      request.kernel))
                     : alone;
    }
    if (!executed) return std::unexpected(std::move(executed.error()));
    // A program that was cancelled is shown as far as it has run.
    if (progress.cancelled() && !host) return stopped();
    Progress of_part;
    const bool partial = progress.cancelled();
    auto result = run_of(request, std::move(plan), *std::move(executed), partial ? of_part : progress);
    if (host && !request.host_function.empty()) result->kernel = request.host_function;
    if (!result->program.source.built_in) result->other_kernels = other_kernels_of(*result);
    if (runner == nullptr && !partial && !limits.schedule.given()) {
        UnfencedReport report = report_unfenced_stores(*result, progress);
        if (!report.note.empty()) result->notes.push_back(std::move(report.note));
        if (report.finding) add_finding(*result, *std::move(report.finding), progress);
    }
    if (progress.cancelled() && !partial) return stopped();
    return result;
}

}  // namespace

bool shows_fault(const Run& run) {
    const std::string& fault = run.program.recipe.expected.fault;
    if (run.verdict.ok == false && fault == "wrong result") return true;
    return std::ranges::any_of(run.trace().findings,
                               [&](const trace::Finding& finding) { return trace::name_of(finding.kind) == fault; });
}

std::string display_name(const Run& run) { return run.program.source.built_in ? run.program.name : run.kernel; }

RunResult run(const Request& request, Progress& progress, const FirstPicture& first, LiveSteps* steps) {
    return run_by(nullptr, request, progress, first, steps);
}

RunResult run_on_gpu(Request request, execute::BlockRunner& gpu, Progress& progress) {
    request.most_n = most_gpu_elements;
    return run_by(&gpu, request, progress, {}, nullptr);
}

}  // namespace lanescope::session
