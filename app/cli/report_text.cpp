#include "analysis/dataflow/usefulness.h"
#include "analysis/panels/program_lines.h"
#include "analysis/source/source_line.h"
#include "base/grouped.h"
#include "base/text.h"
#include "cli/report.h"
#include "cli/table.h"
#include "model/device_limits.h"
#include "model/launch_limits.h"
#include "trace/element.h"
#include "trace/record_extent.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ranges>
#include <span>

namespace lanescope::cli {

namespace {

std::string number(const std::optional<std::uint64_t>& value) { return value ? grouped(*value) : "-"; }

/// "2 x 2 blocks of 1,024 threads"
std::string extents_text(const trace::Launch& launch) {
    return fmt::format("{} {} of {} {}", model::text_of(launch.grid.sides()), noun(launch.grid.count(), "block"),
                       model::text_of(launch.block.sides()), noun(launch.block.count(), "thread"));
}

/// Efficiency: useful lanes as a share of 32 lanes per warp instruction; active lanes if usefulness is unknown.
std::string share(const trace::Counts& counts, const std::optional<std::uint64_t>& useful) {
    if (counts.warp_instructions == 0) return "-";
    const std::uint64_t lanes = useful.value_or(counts.thread_instructions);
    return fmt::format("{:.1f} %", analysis::percent_of_lanes(lanes, counts.warp_instructions));
}

std::string pass_table(const session::Run& run) {
    const analysis::Analysis& analysis = *run.analysis;
    const bool all_known = analysis.useful_lanes.has_value();
    // Columns of atomics only if there are any: most kernels of a course have none.
    const bool shared_atomics = analysis.totals.shared_atomic_wavefronts != 0;
    const bool global_atomics = analysis.totals.global_atomic_sectors != 0;
    std::vector<Column> columns{{{"", "", "pass"}, false},
                                {{"", "warp", "instructions"}},
                                all_known ? Column{{"", "", "efficiency"}} : Column{{"active", "lanes", "of 32"}},
                                {{"shared", "load", "wavefronts"}},
                                {{"shared", "store", "wavefronts"}}};
    if (shared_atomics) columns.push_back({{"shared", "atomic", "wavefronts"}});
    // The lectures on devices with 16 banks count conflicts in ways.
    const bool ways = run.trace().origin.banks == model::half_warp_banks();
    if (ways) columns.push_back({{"shared", "conflict", "ways"}});
    columns.push_back({{"global", "load", "sectors"}});
    columns.push_back({{"global", "store", "sectors"}});
    if (global_atomics) columns.push_back({{"global", "atomic", "sectors"}});
    columns.push_back({{"", "", "operations"}});
    columns.push_back({{"", "", "work"}});
    const bool addresses = std::ranges::any_of(
        analysis.passes, [](const analysis::GridPass& pass) { return pass.address_work.value_or(0) > 0; });
    if (addresses) columns.push_back({{"", "address", "work"}});
    columns.push_back({{"", "", "span"}});
    Table table(std::move(columns));
    const auto add = [&](std::string label, const trace::Counts& counts, unsigned worst,
                         const std::optional<std::uint64_t>& lanes, const std::optional<std::uint64_t>& work,
                         const std::optional<std::uint64_t>& address_work, const std::optional<std::uint64_t>& span) {
        std::vector<std::string> row{std::move(label), grouped(counts.warp_instructions), share(counts, lanes),
                                     grouped(counts.shared_load_wavefronts), grouped(counts.shared_store_wavefronts)};
        if (shared_atomics) row.push_back(grouped(counts.shared_atomic_wavefronts));
        if (ways) row.push_back(worst == 0 ? "-" : std::to_string(worst));
        row.push_back(grouped(counts.global_load_sectors));
        row.push_back(grouped(counts.global_store_sectors));
        if (global_atomics) row.push_back(grouped(counts.global_atomic_sectors));
        row.push_back(grouped(counts.operations));
        row.push_back(number(work));
        if (addresses) row.push_back(number(address_work));
        row.push_back(number(span));
        table.add(std::move(row));
    };
    std::uint32_t launch = 0;
    for (const analysis::GridPass& pass : analysis.passes) {
        if (pass.launch != launch) table.add_rule();
        launch = pass.launch;
        const bool several = run.trace().launches.size() > 1;
        const std::string label = several ? fmt::format("{}: {}", pass.launch, pass.label) : pass.label;
        add(label, pass.counts, pass.ways, all_known ? pass.useful_lanes : std::nullopt, pass.work, pass.address_work,
            pass.span);
    }
    table.add_rule();
    unsigned worst = 0;
    for (const analysis::GridPass& pass : analysis.passes) worst = std::max(worst, pass.ways);
    add("total", analysis.totals, worst, analysis.useful_lanes, analysis.work, analysis.address_work, analysis.span);
    return table.text("  ");
}

/// The values of the lecture's formulas for this launch, below the measured ones.
std::string closed_forms_text(const session::Run& run) {
    std::string text;
    const auto add = [&](const char* what, const std::string& formula) {
        const auto value = session::evaluate(formula, {.n = run.n, .block = run.block, .grid = run.grid});
        if (!value) return;
        text += fmt::format("{}{} = {}", text.empty() ? "" : "; ", what, formula);
        if (formula != std::to_string(*value)) text += " = " + grouped(*value);
    };
    add("work", run.program.lesson.work);
    add("span", run.program.lesson.span);
    if (text.empty()) return text;
    for (const session::ArgumentPlan& argument : run.arguments) {
        const auto size = session::evaluate(argument.size, {.n = run.n, .block = run.block, .grid = run.grid});
        if (argument.kind != session::ArgumentPlan::Kind::input || !size || *size <= run.n) continue;
        text +=
            fmt::format("; the kernel also reads the {} zeros after {}", grouped(*size - run.n), argument.parameter);
        break;
    }
    return fmt::format("  Closed forms: {}.\n", text);
}

/// Values in one line, "1 2 3 ...", about as long as a terminal is wide.
std::string value_line(const std::vector<std::string>& values, std::size_t count) {
    constexpr std::size_t widest = 64;
    std::string line;
    std::size_t shown = 0;
    for (; shown < values.size() && line.size() + values[shown].size() < widest; ++shown) {
        if (shown > 0) line += ' ';
        line += values[shown];
    }
    if (shown < count) line += fmt::format(" ... ({} in all)", grouped(count));
    return line;
}

struct Colors {
    const char *good = "", *bad = "", *plain = "";
};

Colors colors_of(bool color) { return color ? Colors{"\x1b[1;36m", "\x1b[1;33m", "\x1b[0m"} : Colors{}; }

/// "{2.5, 7}": the structure that begins at that byte.
std::string structure_text(const trace::Members& members, const SparseBytes& bytes, std::uint64_t begin) {
    std::vector<std::string> values;
    for (const trace::Member& member : members.all) {
        const std::span<const std::byte> there(bytes.data() + begin + member.offset, trace::bytes_of(member.element));
        values.push_back(trace::text_of(member.element, trace::bits_at(member.element, there, 0)));
    }
    return fmt::format("{{{}}}", fmt::join(values, ", "));
}

/// The unchecked result that a kernel left for the host, for the user to judge.
std::string outputs_text(const trace::Trace& trace, const ptx::Module& module) {
    std::string text = "  Result: not checked: there is no CPU reference.\n";
    constexpr std::size_t most_structures = 16;
    for (const trace::Buffer& buffer : trace.buffers) {
        if (!buffer.output) continue;
        if (const auto members = trace::members_of(trace, module, buffer); members && members->bytes > 0) {
            const std::size_t count = buffer.final.size() / members->bytes;
            std::vector<std::string> values;
            for (std::size_t i = 0; i < std::min(count, most_structures); ++i)
                values.push_back(structure_text(*members, buffer.final, i * members->bytes));
            text += fmt::format("    {} = {}\n", buffer.name, value_line(values, count));
            continue;
        }
        const std::size_t count = buffer.final.size() / trace::bytes_of(buffer.element);
        std::vector<std::string> values;
        for (std::size_t i = 0; i < std::min<std::size_t>(count, 64); ++i) {
            values.push_back(trace::text_of(buffer.element, trace::bits_at(buffer.element, buffer.final, i)));
        }
        text += fmt::format("    {} = {}\n", buffer.name, value_line(values, count));
    }
    return text;
}

std::string result_text(const session::Run& run, const Colors& colors) {
    const session::Verdict& verdict = run.verdict;
    if (!verdict.ok) return outputs_text(run.trace(), run.module());
    if (*verdict.ok) {
        return fmt::format("  Result: {}correct{}, {} is {}:\n    {}\n", colors.good, colors.plain, verdict.output,
                           verdict.oracle, value_line(verdict.actual, verdict.compared));
    }
    const std::string actual = verdict.actual_there.empty() ? "is missing" : "is " + verdict.actual_there;
    return fmt::format(
        "  Result: {}WRONG{}, {} is not {}:\n    expected {}\n    actual   {}\n    {}[{}] {} and should be {}.\n",
        colors.bad, colors.plain, verdict.output, verdict.oracle, value_line(verdict.expected, verdict.compared),
        value_line(verdict.actual, verdict.compared), verdict.output, verdict.first_difference, actual,
        verdict.expected_there);
}

/// " of kernels.cuh" for a line of another file than the main source.
std::string in_file(const std::string& file) { return file.empty() ? file : " of " + file; }

/// `launches`: those with the finding; empty: it is the host's, or there is only one launch.
std::string where(const trace::Finding& finding, const std::vector<std::uint32_t>& launches) {
    std::vector<std::string> parts;
    constexpr std::size_t most_named = 4;
    if (launches.size() > most_named)
        parts.push_back(fmt::format("{} from {} on", counted(launches.size(), "launch"), launches.front()));
    else if (!launches.empty())
        parts.push_back(fmt::format("{} {}", noun(launches.size(), "launch"), fmt::join(launches, ", ")));
    if (finding.block.valid()) parts.push_back(fmt::format("block {}", finding.block.value));
    if (finding.warp.valid()) parts.push_back(fmt::format("warp {}", finding.warp.value));
    if (finding.lane.valid()) parts.push_back(fmt::format("lane {}", finding.lane.value));
    if (finding.source_line != 0) {
        parts.push_back(fmt::format("line {}{}", finding.source_line, in_file(finding.source_file)));
    } else if (finding.line.valid()) {
        parts.push_back(fmt::format("PTX line {}", finding.line.value));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// A finding that several launches have in common.
struct FindingOfLaunches {
    const trace::Finding* finding = nullptr;
    std::vector<std::uint32_t> launches;
    std::uint64_t count = 0;
};

std::vector<FindingOfLaunches> findings_of_launches(const std::vector<trace::Finding>& findings, bool several) {
    std::vector<FindingOfLaunches> merged;
    for (const trace::Finding& finding : findings) {
        const auto same = [&](const FindingOfLaunches& other) {
            const trace::Finding& one = *other.finding;
            return finding.block.valid() && one.kind == finding.kind && one.message == finding.message &&
                   one.block == finding.block && one.warp == finding.warp && one.lane == finding.lane &&
                   one.source_line == finding.source_line && one.source_file == finding.source_file &&
                   one.line == finding.line;
        };
        auto at = std::ranges::find_if(merged, same);
        if (at == merged.end()) {
            merged.push_back({.finding = &finding, .launches = {}, .count = 0});
            at = std::prev(merged.end());
        }
        if (several && finding.block.valid()) at->launches.push_back(finding.launch);
        at->count += finding.count;
    }
    return merged;
}

/// A remedy that consecutive findings share is printed once.
std::string list_text(const std::vector<trace::Finding>& findings, bool several_launches, bool with_remedies) {
    constexpr std::size_t most_shown = 12;
    std::string_view said;
    const std::vector<FindingOfLaunches> merged = findings_of_launches(findings, several_launches);
    std::string text;
    for (const FindingOfLaunches& each : merged | std::views::take(most_shown)) {
        const trace::Finding& finding = *each.finding;
        text += fmt::format("    {}: {}\n      {}\n", trace::name_of(finding.kind), where(finding, each.launches),
                            finding.message);
        if (each.count > 1) text += fmt::format("      and {} more at this line\n", grouped(each.count - 1));
        const std::string_view remedy = with_remedies ? trace::remedy_of(finding) : std::string_view();
        if (!remedy.empty() && remedy != said) text += fmt::format("      {}\n", remedy);
        said = remedy;
    }
    if (merged.size() > most_shown) text += "    ... and more; --json lists all\n";
    return text;
}

/// Remarks are not faults: they do not change the exit status.
std::string findings_text(const trace::Trace& trace, const Colors& colors) {
    const std::string partial = analysis::partial_run_text(trace);
    std::string text = partial.empty() ? "  Findings: none.\n" : "  Findings: none in the part that ran.\n";
    if (!trace.findings.empty()) {
        text = fmt::format("  Findings: {}{}{}.\n", colors.bad, grouped(trace.findings.size()), colors.plain) +
               list_text(trace.findings, trace.launches.size() > 1, true);
    }
    if (!partial.empty()) text = fmt::format("  {}{}{}\n", colors.bad, partial, colors.plain) + text;
    if (trace.remarks.empty()) return text;
    return text + fmt::format("  Remarks: {}.\n", grouped(trace.remarks.size())) +
           list_text(trace.remarks, trace.launches.size() > 1, false);
}

/// The host's writes between the launches.
std::string host_text(const trace::Trace& trace) {
    constexpr std::size_t most_shown = 8;
    if (trace.host_writes.empty()) return {};
    std::string text = "  Host writes between launches:\n";
    for (const trace::HostWrite& write : trace.host_writes | std::views::take(most_shown)) {
        const trace::Buffer& buffer = trace.buffers[write.buffer];
        const std::size_t size = trace::bytes_of(buffer.element);
        std::vector<std::string> values;
        for (std::size_t i = 0; (i + 1) * size <= write.after.size() && i < 16; ++i) {
            values.push_back(trace::text_of(buffer.element, trace::bits_at(buffer.element, write.after, i)));
        }
        const std::string line = write.source_line != 0 ? fmt::format(" (line {})", write.source_line) : "";
        const std::string when = trace.is_after_launches(write) ? std::string("after the last launch")
                                                                : fmt::format("before launch {}", write.launch);
        text += fmt::format("    {}: {}, from [{}] on{}: {}\n", when, buffer.name, write.offset / size, line,
                            value_line(values, write.after.size() / size));
    }
    if (trace.host_writes.size() > most_shown) {
        text += fmt::format("    ... ({} in all)\n", grouped(trace.host_writes.size()));
    }
    return text;
}

/// The first steps of a whole program's host code, with their lines.
std::string steps_text(const std::vector<analysis::ProgramLine>& lines) {
    using Kind = analysis::ProgramLine::Kind;
    constexpr std::size_t most_shown = 16;
    std::string text;
    std::size_t steps = 0;
    for (const analysis::ProgramLine& line : lines) {
        if (line.kind == Kind::printed || line.kind == Kind::end) continue;
        if (++steps > most_shown) continue;
        const std::string where =
            line.source_line != 0 ? fmt::format("line {}{}", line.source_line, in_file(line.source_file)) : "";
        text += fmt::format("    {:<9} {}\n", where, line.text);
    }
    if (steps == 0) return text;
    if (steps > most_shown) text += fmt::format("    ... ({} in all; --json lists them)\n", grouped(steps));
    return "  Host code:\n" + text;
}

/// The output of the program, and how it ended.
std::string end_text(const trace::Trace& trace, const Colors& colors) {
    constexpr std::size_t most_shown = 40;
    std::string text;
    std::size_t printed = 0;
    // Not program_lines(), which splits a printed line where the host does something in the middle of it.
    const std::string all = analysis::printed_by(trace);
    for (const std::string_view line : lines_of(all)) {
        if (++printed <= most_shown) text += line.empty() ? "\n" : fmt::format("    {}\n", line);
    }
    if (printed > 0) text = "  The program printed:\n" + text;
    if (printed > most_shown) text += fmt::format("    ... ({} in all; --json has them)\n", counted(printed, "line"));
    if (trace.host_end.empty()) return text;
    const bool well = analysis::ended_well(trace);
    return text + fmt::format("  The program ended: {}{}{}.\n", well ? "" : colors.bad, trace.host_end,
                              well ? "" : colors.plain);
}

/// "1.25 s"; shorter ones with two digits: "1.2 ms", "850 µs".
std::string duration_text(double seconds) {
    if (seconds >= 0.995) return fmt::format("{:.2f} s", seconds);
    const bool milliseconds = seconds >= 0.995e-3;
    double value = seconds * (milliseconds ? 1e3 : 1e6);
    if (value >= 99.5) value = 10 * std::round(value / 10);
    return fmt::format("{:.{}f} {}", value, value < 9.95 ? 1 : 0, milliseconds ? "ms" : "µs");
}

/// The output of printf: the first lines, each with its thread.
std::string printed_text(const trace::Trace& trace) {
    constexpr std::size_t most_shown = 40;
    if (trace.printed.empty()) return {};
    std::string text = "  Printed:\n";
    for (const trace::Printed& printed : trace.printed | std::views::take(most_shown)) {
        std::string_view line = printed.text;
        if (line.ends_with('\n')) line.remove_suffix(1);
        text += fmt::format("    block {}, thread {}: {}\n", printed.block.value,
                            printed.warp.value * warp_size + printed.lane.value, line);
    }
    if (trace.printed.size() > most_shown) {
        text += fmt::format("    ... ({} in all; --json lists them)\n", grouped(trace.printed.size()));
    }
    return text;
}

}  // namespace

std::string heading_text(const session::Run& run) {
    const trace::Trace& trace = run.trace();
    const trace::Launch& launch = trace.launches.front();
    const trace::Origin& origin = trace.origin;
    std::string text = display_name(run);
    const bool titled = !run.program.lesson.title.empty() && run.program.lesson.title != run.kernel;
    const std::string file = trace.host_end.empty()
                                 ? origin.source_name
                                 : std::filesystem::path(run.program.source.name).filename().string();
    const std::string& about = titled ? run.program.lesson.title : file;
    if (!about.empty()) text += fmt::format("  ({})", about);
    text += '\n';
    const std::string kernel = analysis::launch_name_of(launch.kernel);
    // A program chooses its own sizes and data.
    const bool own = run.kernel == "main" && analysis::is_program(trace);
    text += fmt::format(
        "  {}{}{}\n", run.kernel == kernel ? "" : kernel + ": ", extents_text(launch),
        own ? "" : fmt::format(", n = {}, input {}", size_text(run.n), run.input.empty() ? "unknown" : run.input));
    text += fmt::format("  {} of shared memory per block; {}, for compute capability {}.{}; {}\n",
                        counted(launch.shared_bytes(), "byte"),
                        origin.view == trace::View::written ? "as written" : "as compiled", origin.arch / 10,
                        origin.arch % 10,
                        origin.machine == trace::Machine::emulator ? "emulated" : "recorded on " + origin.device);
    if (origin.banks == model::half_warp_banks())
        text += fmt::format("  {} of shared memory that serve half-warps, as on compute capability 1.x\n",
                            counted(origin.banks, "bank"));
    if (const trace::Residency& residency = launch.residency; residency.given())
        text += fmt::format("  {}, at most {} on each; start order: {}\n",
                            counted(residency.multiprocessors, "multiprocessor"),
                            counted(residency.blocks_each, "block"), trace::text_of(residency.order));
    constexpr std::size_t most_shown = 16;
    for (const trace::Launch& next : trace.launches | std::views::take(most_shown) | std::views::drop(1))
        text += fmt::format("  then {}: {}\n", analysis::launch_name_of(next.kernel), extents_text(next));
    if (trace.launches.size() > most_shown)
        text += fmt::format("  ... ({} in all; --json lists them)\n", counted(trace.launches.size(), "launch"));
    if (!launch.all_recorded()) {
        text += fmt::format("  {}; {}\n", trace::recorded_text(trace, 0, "recorded step by step"),
                            trace.is_cut_short() ? "what ran is counted" : "all are counted");
    }
    return text;
}

std::vector<std::string> report_notes(const session::Run& run) {
    std::vector<std::string> notes = analysis::merging_sentences(run.analysis->passes, run.trace().launches.size() > 1);
    if (!run.trace().all_recorded())
        notes.emplace_back(
            "Operations are counted while blocks run, because not all are recorded: without comparisons "
            "that decide which value stays, and without sums of flags.");
    notes.insert(notes.end(), run.notes.begin(), run.notes.end());
    return notes;
}

std::string speed_text(const session::Run& run) {
    const std::uint64_t instructions = run.analysis->totals.thread_instructions;
    if (run.seconds <= 0 || instructions == 0) return {};
    const double millions = static_cast<double>(instructions) / run.seconds / 1e6;
    return fmt::format("  Emulated at {:.{}f} million thread instructions per second ({} in {}).\n", millions,
                       millions < 10 ? 1 : 0, grouped(instructions), duration_text(run.seconds));
}

/// Why a row has "-" for work and span.
std::string unknown_work_text(const session::Run& run) {
    const trace::Trace& trace = run.trace();
    if (std::ranges::all_of(run.analysis->passes, [](const analysis::GridPass& pass) { return pass.work.has_value(); }))
        return {};
    if (trace.all_recorded())
        return "  - is not known: what the host copied on the device may have been read from these results.\n";
    const bool cut =
        std::ranges::any_of(trace.launches, [](const trace::Launch& launch) { return launch.cut.has_value(); });
    return fmt::format("  - is not known: {} that are not recorded {}may use these results.\n",
                       cut ? "steps" : "blocks", cut ? "" : "step by step ");
}

std::string launchless_text(const std::string& program, const trace::Trace& trace, bool color) {
    const Colors colors = colors_of(color);
    return program + "\n  No kernel ran.\n" + steps_text(analysis::program_lines(trace)) +
           findings_text(trace, colors) + end_text(trace, colors);
}

std::string report_text(const session::Run& run, bool color) {
    const Colors colors = colors_of(color);
    std::string text =
        heading_text(run) + '\n' + pass_table(run) + unknown_work_text(run) + closed_forms_text(run) + '\n';
    const std::vector<analysis::ProgramLine> lines = analysis::program_lines(run.trace());
    text += steps_text(lines);
    text += host_text(run.trace());
    text += result_text(run, colors);
    text += findings_text(run.trace(), colors);
    text += printed_text(run.trace());
    text += end_text(run.trace(), colors);
    if (run.trace().cancelled) text += "  Cancelled: the results are incomplete.\n";
    for (const std::string& note : report_notes(run)) text += "  Note: " + note + '\n';
    return text;
}

}  // namespace lanescope::cli
