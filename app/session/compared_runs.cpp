#include "session/compared_runs.h"

#include "base/grouped.h"
#include "model/device_limits.h"
#include "session/launch_values.h"
#include "session/unmeasured.h"
#include "session/verdict.h"
#include "trace/file.h"
#include "trace/record_extent.h"

#include <fmt/format.h>

#include <string_view>

namespace lanescope::session {
namespace {

/// "64", "32 (guessed)".
std::string size_of(const Run& run) { return fmt::format("{}{}", size_text(run.n), run.guessed.n ? " (guessed)" : ""); }

/// A sentence if the two process different numbers of elements. A guessed n is not a difference that was requested.
std::string size_caveat(const Run& one, const Run& other, char letter) {
    if (one.n == other.n) return {};
    if (!one.guessed.n && !other.guessed.n)
        return fmt::format("A processes {}, {} {}.", counted(one.n, "element"), letter, counted(other.n, "element"));
    return fmt::format("n = {} in A and {} in {}: state n to compare the same size.", size_of(one), size_of(other),
                       letter);
}

/// The settings in which two runs differ, with the values of each.
using Differences = std::pair<std::vector<std::string>, std::vector<std::string>>;

Differences differences(const Run& one, const Run& other) {
    Differences found;
    const auto add = [&](const std::string& of_one, const std::string& of_other) {
        if (of_one == of_other) return;
        found.first.push_back(of_one);
        found.second.push_back(of_other);
    };
    const auto of_each = [&](const auto& text_of) { add(text_of(one), text_of(other)); };
    if (display_name(one) != one.kernel) of_each([](const Run& run) { return run.kernel; });
    of_each([](const Run& run) { return fmt::format("as {}", name_of(run.trace().origin.view)); });
    of_each([](const Run& run) { return counted(run.trace().origin.banks, "bank"); });
    of_each([](const Run& run) { return fmt::format("block {}", grouped(run.block)); });
    of_each([](const Run& run) { return fmt::format("n = {}", size_of(run)); });
    // With the same block and n, the grid was chosen.
    if (one.block == other.block && one.n == other.n)
        of_each([](const Run& run) { return fmt::format("grid {}", grouped(run.grid)); });
    of_each([](const Run& run) { return "input " + run.input; });
    of_each([](const Run& run) { return fmt::format("sm_{}", run.trace().origin.arch); });
    const LaunchValues values = values_of(one.request), other_values = values_of(other.request);
    using enum LaunchField;
    for (const LaunchField field : {shared, multiprocessors, resident, order, command_line, compiler}) {
        const auto text_of = [field](const LaunchValues& of) {
            return fmt::format("{} {}", name_of(field), of[field].empty() ? "default" : of[field]);
        };
        add(text_of(values), text_of(other_values));
    }
    for (const auto* arguments : {&values.arguments, &other_values.arguments}) {
        for (const auto& argument : *arguments) {
            const std::string& name = argument.first;
            const auto plan_of = [&name](const LaunchValues& of) {
                const auto at = of.arguments.find(name);
                return fmt::format("{}={}", name, at == of.arguments.end() ? "default" : at->second);
            };
            // The second list adds what the first one lacks.
            if (arguments == &values.arguments || !values.arguments.contains(name))
                add(plan_of(values), plan_of(other_values));
        }
    }
    return found;
}

timing::LaunchKey key_of(const Run& run) {
    return {.kernel = run.program.name,
            .element = std::string(trace::name_of(run.verdict.element)),
            .n = run.n,
            .block = run.block,
            .grid = run.grid};
}

/// Why an H200's time cannot be estimated from the counts of the run; empty: it can.
std::string why_unlike_hardware(const Run& run) {
    const trace::Trace& trace = run.trace();
    if (trace.origin.banks != model::emulated_device().banks)
        return fmt::format("the cost model is fitted to {}, and this run has {}.",
                           counted(model::emulated_device().banks, "bank"), trace.origin.banks);
    if (trace.origin.input == trace::host_call_input) return "host code called the function: no GPU launch was made.";
    if (trace.is_cut_short()) return "the run ended early.";
    if (first_fault(trace) != nullptr) return "the run has findings.";
    if (run.verdict.ok == false) return "the result is wrong.";
    if (trace.launches.front().residency.given()) return "the cost model does not know chosen multiprocessors.";
    return {};
}

}  // namespace

std::pair<std::string, std::string> names_of(const Run& one, const Run& other) {
    std::pair names(display_name(one), display_name(other));
    if (names.first != names.second) {
        if (one.trace().origin.view == other.trace().origin.view) return names;
        names.first += fmt::format(", as {}", name_of(one.trace().origin.view));
        names.second += fmt::format(", as {}", name_of(other.trace().origin.view));
        return names;
    }
    const auto [of_one, of_other] = differences(one, other);
    for (const std::string& each : of_one) names.first += ", " + each;
    for (const std::string& each : of_other) names.second += ", " + each;
    return names;
}

std::vector<std::string> names_of(std::span<const std::shared_ptr<const Run>> runs) {
    std::vector<std::string> names(1);
    for (const auto& other : runs.subspan(1)) {
        auto [of_first, name] = names_of(*runs.front(), *other);
        // The longest: it differs from any of the others.
        if (of_first.size() > names.front().size()) names.front() = std::move(of_first);
        names.push_back(std::move(name));
    }
    return names;
}

analysis::Comparison comparison_of(const Run& one, const Run& other) {
    return analysis::compared(analysis::measured_passes(one.analysis->passes),
                              analysis::measured_passes(other.analysis->passes));
}

std::string caveat_of(const Run& one, const Run& other, char letter) {
    const auto add = [](std::string& text, const std::string& sentence) {
        text += (text.empty() ? "" : " ") + sentence;
    };
    std::string text = size_caveat(one, other, letter);
    for (const auto& [name, run] : {std::pair('A', &one), std::pair(letter, &other)}) {
        if (run->trace().is_cut_short()) add(text, fmt::format("{} ended early: what ran is counted.", name));
        const auto cut =
            std::ranges::find_if(run->trace().launches, [](const trace::Launch& each) { return each.cut.has_value(); });
        if (cut != run->trace().launches.end()) {
            const auto launch = static_cast<std::uint32_t>(cut - run->trace().launches.begin());
            add(text, fmt::format("{}: {}.", name, trace::cut_text(run->trace(), launch)));
        }
        if (session::first_fault(run->trace()) != nullptr) {
            add(text, fmt::format("{} has findings.", name));
        } else if (run->verdict.ok == false) {
            add(text, fmt::format("The result of {} is wrong.", name));
        }
    }
    return text;
}

timing::CompiledCounts counted_as_compiled(const Run& run, Progress& progress) {
    if (const std::string why = why_unlike_hardware(run); !why.empty()) return {.point = {}, .why = why};
    if (run.trace().origin.view == trace::View::compiled)
        return {.point = unmeasured(run), .why = {}, .of_passes = true};
    if (trace::is_trace_file(run.request.program))
        return {.point = {}, .why = "a saved trace as written has no counts of the code as compiled."};
    Request request = run.request;
    request.view = trace::View::compiled;
    request.record_blocks = 1;
    request.check_all_blocks = false;
    const auto compiled = session::run(request, progress);
    if (!compiled)
        return {.point = {}, .why = fmt::format("as compiled, it does not run: {}.", compiled.error().problem.what)};
    if (const std::string why = why_unlike_hardware(**compiled); !why.empty())
        return {.point = {}, .why = "as compiled, " + why};
    return {.point = unmeasured(**compiled), .why = {}};
}

timing::ComparedTimes times_of(const Run& one, const Run& other, const analysis::Comparison& comparison,
                               std::span<const timing::LibraryEntry> recordings, Progress& progress) {
    std::vector<const timing::Recording*> usable;
    for (const timing::LibraryEntry& each : recordings)
        if (!each.quoted() && !each.recording.command.contains("--view written")) usable.push_back(&each.recording);
    timing::ComparedTimes times = timing::compared_times(usable, key_of(one), counted_as_compiled(one, progress),
                                                         key_of(other), counted_as_compiled(other, progress));
    if (!times.model) return times;
    const auto part_of = [&](const timing::LaunchTime& time, const std::optional<analysis::MeasuredPass>& pass) {
        if (!pass || !time.of_passes || !time.counted) return std::optional<double>();
        return std::optional(timing::estimate_of_part(*times.model, *time.counted, cost_of(pass->pass.counts)));
    };
    for (const analysis::ComparedPass& row : comparison.passes)
        times.passes.push_back({part_of(times.one, row.one), part_of(times.other, row.other)});
    if (!times.one.of_passes && !times.other.of_passes) times.passes.clear();
    return times;
}

TimeOfPasses time_of_passes(const Run& run, std::span<const timing::LibraryEntry> recordings, Progress& progress) {
    TimeOfPasses found;
    if (run.trace().origin.view != trace::View::compiled) {
        found.why = "The time of a pass is estimated for the code as compiled; this run is as written.";
        return found;
    }
    const timing::ComparedTimes times = times_of(run, run, comparison_of(run, run), recordings, progress);
    found.total = times.one.estimated();
    found.why = times.one.why.empty() ? "There is no recording to estimate it from." : times.one.why;
    if (!found.total) return found;
    found.why.clear();
    found.median_error = times.median_error;
    found.method = times.method;
    found.device = times.device;
    double of_passes = 0;
    for (const timing::PassTimes& pass : times.passes) {
        found.passes.push_back(pass.one);
        of_passes += pass.one.value_or(0);
    }
    if (!times.model || !times.one.counted || of_passes <= 0) return found;
    // Passes cover all blocks, lines the recorded ones: a line is taken to have the same share of both.
    double of_lines = 0;
    for (const analysis::LineCost& line : run.analysis->lines) {
        const double time = timing::estimate_of_part(*times.model, *times.one.counted, cost_of(line.counts));
        found.line_percent[line.source_line] = time;
        of_lines += time;
    }
    if (of_lines <= 0) found.line_percent.clear();
    for (auto& [line, share] : found.line_percent) share *= 100 * of_passes / of_lines / *found.total;
    return found;
}

std::vector<std::optional<double>> pass_percents(const TimeOfPasses& time, const analysis::Analysis& analysis,
                                                 const analysis::BlockPasses& block) {
    std::vector<std::optional<double>> percents;
    if (!time.total || time.passes.size() != analysis.passes.size()) return percents;
    for (const analysis::Pass& pass : block.passes) {
        std::optional<double>& percent = percents.emplace_back();
        const auto of_grid = analysis::find_pass(analysis.passes, block, pass);
        if (of_grid && time.passes[*of_grid]) percent = 100 * *time.passes[*of_grid] / *time.total;
    }
    return percents;
}

}  // namespace lanescope::session
