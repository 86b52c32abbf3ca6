#include "cli/cli.h"

#include "analysis/panels/program_lines.h"
#include "cli/commands.h"
#include "cli/progress_lines.h"
#include "cli/report.h"
#include "session/saved_trace.h"
#include "session/verdict.h"
#include "trace/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ostream>

namespace lanescope::cli {

namespace {

/// Whether flags configure the launch; they have no effect on a saved trace.
bool describes_launch(const session::Request& request) {
    session::LaunchValues values = session::values_of(request);
    values[session::LaunchField::program].clear();
    values[session::LaunchField::record].clear();
    values.anyway = false;
    return values != session::LaunchValues{};
}

/// The typed text of a field, as "--block 2048: "; empty for a field that was not typed.
std::string typed(const std::string& name, const session::Request& request) {
    const auto field = session::launch_field(name);
    const std::string value = field ? session::values_of(request)[*field] : std::string();
    using enum session::LaunchField;
    if (value.empty() || field == program || field == command_line || field == standard_input) return {};
    const bool quoted = field == session::LaunchField::input;
    return fmt::format("--{} {}: ", name, quoted ? fmt::format("\"{}\"", value) : value);
}

}  // namespace

std::string diagnostic_text(const std::string& file, const compile::Diagnostic& diagnostic) {
    const char* const severity = diagnostic.severity == compile::Diagnostic::Severity::error     ? "error"
                                 : diagnostic.severity == compile::Diagnostic::Severity::warning ? "warning"
                                                                                                 : "note";
    std::string place = file;
    if (diagnostic.line != 0) place += fmt::format(":{}", diagnostic.line);
    if (diagnostic.column != 0) place += fmt::format(":{}", diagnostic.column);
    return fmt::format("{}: {}: {}\n", place, severity, diagnostic.text);
}

void complain(Environment& environment, const std::string& command, const Problem& problem) {
    std::string message = problem.message();
    if (!message.empty() && message.back() != '.' && message.back() != '?' && message.back() != '\n') message += '.';
    environment.err << command << ": " << message << '\n';
}

int code_of(const session::Run& run) {
    const bool wrong = run.verdict.ok == false || session::first_fault(run.trace()) != nullptr;
    // The step limit, or a wait for something that the host may do, does not mean that the program is wrong.
    const std::string& end = run.trace().host_end;
    const bool ended_well =
        analysis::ended_well(run.trace()) || end == trace::step_limit_end || end == analysis::unknown_end;
    return wrong || !ended_well ? kernel_wrong : fine;
}

Outcome run_or_open(const session::Request& request, const std::string& command, Environment& environment, bool json) {
    const bool saved = trace::is_trace_file(request.program);
    if (saved && describes_launch(request)) {
        complain(environment, command,
                 {.what = fmt::format("{} is a saved trace: its launch cannot be changed", request.program),
                  .where = {},
                  .remedy = "Omit the launch flags, or name the kernel instead of the trace."});
        return {nullptr, request_wrong};
    }
    auto answer = [&] {
        const ProgressLines lines(environment);
        return saved ? session::open_trace(request.program) : session::run(request, environment.progress);
    }();
    if (!answer) {
        const session::Refusal& refusal = answer.error();
        if (refusal.field == "cancelled") {
            environment.err << command << ": cancelled\n";
            return {nullptr, interrupted};
        }
        if (refusal.no_launch) {
            const bool wrong = !refusal.diagnostics.empty();
            const trace::Trace& trace = *refusal.no_launch->trace;
            const std::string file = std::filesystem::path(request.program).filename().string();
            if (json) {
                environment.out << dump(launchless_json(file, trace));
                return {nullptr, wrong ? kernel_wrong : fine};
            }
            if (wrong) {
                environment.out << launchless_text(file, trace, environment.out_is_terminal);
                return {nullptr, kernel_wrong};
            }
            environment.out << analysis::printed_by(trace);
            environment.err << fmt::format("{}: {} launched no kernel ({}): there are no steps to show.\n", command,
                                           request.program, trace.host_end);
            return {nullptr, fine};
        }
        const std::string file = std::filesystem::path(request.program).filename();
        for (const compile::Diagnostic& diagnostic : refusal.diagnostics) {
            environment.err << diagnostic_text(file, diagnostic);
        }
        Problem problem = refusal.problem;
        problem.what = typed(refusal.field, request) + problem.what;
        if (!refusal.diagnostics.empty()) {  // they have every detail
            problem = {.what = fmt::format("{} does not compile", file), .where = {}, .remedy = problem.remedy};
        }
        if (refusal.of_guess) {
            problem.what = "not known what the kernel does: " + problem.what;
            complain(environment, command, problem);
            return {nullptr, fine};
        }
        if (refusal.by_rule) problem.remedy += " --anyway runs it and shows what goes wrong.";
        complain(environment, command, problem);
        return {nullptr, request_wrong};
    }
    return {*answer, fine};
}

int run(const std::vector<std::string>& arguments, Environment& environment) {
    const auto options = parse(arguments);
    if (!options) {
        complain(environment, options.error().command, options.error().problem);
        return request_wrong;
    }
    struct Dispatch {
        Environment& environment;
        int operator()(const session::WindowOptions& o) const { return show(o, environment); }
        int operator()(const ListOptions& o) const { return list(o, environment); }
        int operator()(const TraceOptions& o) const { return trace(o, environment); }
        int operator()(const SassOptions& o) const { return sass(o, environment); }
        int operator()(const ScheduleOptions& o) const { return schedule(o, environment); }
        int operator()(const RenderOptions& o) const { return render(o, environment); }
        int operator()(const CompareOptions& o) const { return compare(o, environment); }
        int operator()(const LectureOptions& o) const { return lecture(o, environment); }
        int operator()(const CheckOptions& o) const { return check(o, environment); }
        int operator()(const TimeOptions& o) const {
            return o.worker ? time_worker(o, environment) : time(o, environment);
        }
        int operator()(const VerifyOptions& o) const {
            return o.worker ? verify_worker(o, environment) : verify(o, environment);
        }
        int operator()(const CountersOptions& o) const {
            return o.worker ? counters_worker(o, environment) : counters(o, environment);
        }
        int operator()(const TimelineOptions& o) const {
            return o.worker ? timeline_worker(o, environment) : timeline(o, environment);
        }
        int operator()(const VersionOptions& o) const { return version(o, environment); }
        int operator()(const TextOptions& o) const {
            environment.out << o.text;
            return fine;
        }
    };
    return std::visit(Dispatch{environment}, *options);
}

}  // namespace lanescope::cli
