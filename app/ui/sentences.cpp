#include "ui/sentences.h"

#include "analysis/passes_picture/passes_between.h"
#include "analysis/source/display_names.h"
#include "analysis/source/element_type.h"
#include "base/grouped.h"
#include "base/whole_number.h"
#include "scene/labels.h"
#include "session/theory.h"
#include "trace/record_extent.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <filesystem>

namespace lanescope::ui {
Problem unrecorded(const session::Run& run) {
    const std::string name = std::filesystem::path(run.program.name).filename().string();
    const Problem why = trace::nothing_recorded(run.trace(), 0);
    return {.what = fmt::format("{} has run, but {}", name, why.what),
            .where = {},
            .remedy = why.remedy + " `lanescope trace` reports the counts, the result and what the program printed."};
}

std::string why_empty(const Workspace& workspace, std::string_view what) {
    if (workspace.busy()) return "Running...";
    if (workspace.question()) return fmt::format("{} will appear here once the program has run.", what);
    if (workspace.refused_launches())
        return fmt::format("No kernel ran: Findings says why. {} will appear here once one does.", what);
    if (!workspace.diagnostics().empty())
        return fmt::format(
            "The file does not compile. {} will appear here once it does; Source shows the compiler's messages.", what);
    if (const auto& problem = workspace.form().problem(Field::program); problem)
        return fmt::format("No run: {}. {}", problem->what, problem->remedy);
    if (const auto& problem = workspace.refusal()) return fmt::format("{}. {}", problem->what, problem->remedy);
    if (!workspace.file().empty())
        return fmt::format("{} will appear here once {} has run (Ctrl + R).", what,
                           std::filesystem::path(workspace.file()).filename().string());
    return fmt::format("{} will appear here. Select a kernel above, or drop a .cu file onto the window.", what);
}

std::string name_signs(std::string_view label) {
    std::string text;
    if (label.contains("\u2191")) text += "\n\u2191: the passes in which the loop's variable grows.";
    if (label.contains("\u2193")) text += "\n\u2193: the passes in which the loop's variable shrinks.";
    const std::size_t open = label.rfind(" (");
    if (open == std::string_view::npos || !label.ends_with(')')) return text;
    if (const auto number = whole_number<unsigned>(label.substr(open + 2, label.size() - open - 3)))
        text += fmt::format("\n({}): it is number {} of the passes with this name.", *number, *number);
    return text;
}

std::string why_refused(const Workspace& workspace) {
    if (workspace.refused_source().empty()) return {};
    const std::vector<compile::Diagnostic>& all = workspace.diagnostics();
    const auto error = std::ranges::find(all, compile::Diagnostic::Severity::error, &compile::Diagnostic::severity);
    if (error == all.end()) return {};
    const std::string file = std::filesystem::path(workspace.form().shown(Field::program)).filename().string();
    const char* const what = workspace.refused_launches() ? "runs no kernel" : "does not compile";
    std::string text = fmt::format("{} {}{}: {}.", file, what,
                                   error->line == 0 ? "" : fmt::format(", line {}", error->line), error->text);
    if (workspace.shown() != nullptr) text += " The other panels show the last run.";
    return text;
}

std::string progress_text(const Workspace& workspace) {
    if (!workspace.busy()) return {};
    const std::string doing = workspace.busy_doing();
    std::string text = doing.empty() ? "running" : doing;
    if (const float share = workspace.busy_share(); share >= 0) text += fmt::format(", {:.0f} %", 100 * share);
    if (const double seconds = workspace.busy_seconds(); seconds >= 1) text += fmt::format(", {:.0f} s", seconds);
    return text;
}

std::string why_waiting(const Workspace& workspace) {
    constexpr double readable = 1;  // seconds
    if (!workspace.busy() || workspace.shown() == nullptr || workspace.busy_seconds() < readable) return {};
    if (workspace.shown()->trace().running) return {};  // the panels show this run already
    const LaunchForm& form = workspace.form();
    const auto name = [](const std::string& program) {
        const session::Program* const known = session::find_program(program);
        return known != nullptr ? known->lesson.title : std::filesystem::path(program).filename().string();
    };
    const std::string wanted = form.values()[Field::program], had = form.ran()[Field::program];
    const std::string what = name(wanted.empty() ? workspace.shown()->run->program.name : wanted);
    return fmt::format("Running {}: {}. The panels show {} until it has run.", what, progress_text(workspace),
                       wanted == had ? "the previous launch" : name(workspace.shown()->run->program.name));
}

std::string warp_list(const std::vector<WarpId>& warps, std::size_t most) {
    if (warps.size() > most) return counted(warps.size(), "warp");
    std::string text;
    for (const WarpId warp : warps) text += fmt::format("{}{}", text.empty() ? "" : ", ", warp.value);
    return text;
}

std::string why_not_compared(const Workspace& one, const Workspace& other, char letter) {
    if (other.refusal()) return fmt::format("{} could not be run: {}", letter, other.refusal()->message());
    if (other.question())
        return fmt::format(
            "{} has a main, which runs on this machine only with your permission: open it once as the window's own "
            "program.",
            letter);
    if (other.busy()) {
        const std::string doing = other.busy_doing();
        const float share = other.busy_share();
        return fmt::format("{} runs{}{}, {:.0f} s so far.", letter, doing.empty() ? "" : ": " + doing,
                           share >= 0 ? fmt::format(", {:.0f} %", 100 * share) : "", other.busy_seconds());
    }
    if (one.shown() == nullptr) return "A has not run yet.";
    return fmt::format("{} was cancelled. Choose what to compare with in the menu Compare.", letter);
}

std::string line_sentence(const Shown& shown, std::size_t pass_index, std::uint32_t cuda_line) {
    if (cuda_line == 0 || pass_index >= shown.passes->passes.size()) return {};
    const analysis::LineActivity activity =
        analysis::line_activity(shown.view(), shown.passes->passes[pass_index].id, cuda_line);
    const unsigned ran = activity.executed, worked = activity.useful;
    const trace::Counts& counts = activity.counts;
    if (ran == 0) return fmt::format("Line {}, this pass: no lane executes it.", cuda_line);
    std::string text =
        fmt::format("Line {}, this pass: {} of {} ", cuda_line, grouped(ran), counted(shown.threads(), "lane"));
    const bool known = activity.use_known;
    // Not "useful": a thread is useful for what it does in the whole pass (Warps, Counts), and this is one line of it.
    text += verb(ran, "execute") + " it";
    if (!known && worked == ran)
        text += " (whether an output depends on it is not known)";
    else if (worked == ran)
        text += ran == 1 ? " (an output depends on it)" : " (an output depends on each)";
    else
        text += worked == 0
                    ? " (no output depends on it)"
                    : fmt::format(" (an output depends on {}{} of them)", known ? "" : "at most ", grouped(worked));
    const auto add = [&](std::uint64_t number, std::string_view one, std::string_view what) {
        if (number != 0) text += fmt::format(", {} {}", counted(number, one), what);
    };
    add(counts.shared_load_wavefronts, "wavefront", "to load");
    add(counts.shared_store_wavefronts, "wavefront", "to store");
    add(counts.shared_atomic_wavefronts, "wavefront", "for atomics");
    add(counts.global_load_sectors, "sector", "read");
    add(counts.global_store_sectors, "sector", "written");
    return text + ".";
}

std::string run_sentence(const Shown& shown) {
    const analysis::Analysis& analysis = shown.analysis();
    const std::uint64_t operations = analysis.totals.operations;
    const std::size_t launches =
        shown.run->trace().launches.size();  // the passes are those of one block of one of them
    // Sorts, copies and counts: an output depends on the input by comparisons, addresses or counts alone.
    if (operations == 0 && analysis.work == std::uint64_t{0}) {
        const std::string others =
            analysis.address_work.value_or(0) > 0
                ? fmt::format("; {} decide addresses or conditions", counted(*analysis.address_work, "combination"))
                : "";
        return fmt::format("Whole run: no operation combines two values of the input{}.", others);
    }
    const std::size_t passes = shown.passes->computing();
    std::string text = fmt::format("Whole run: {} in {}", counted(operations, "operation"),
                                   launches > 1 ? counted(launches, "launch")
                                                : counted(passes > 0 ? passes : shown.passes->passes.size(), "pass"));
    if (!shown.run->trace().all_recorded()) text += ", without those that only decide which value stays";
    if (analysis.work == std::uint64_t{0})
        return text + "; none reaches an output as data, only through addresses or conditions.";
    const std::vector<analysis::ClosedForm> forms = session::closed_forms(*shown.run);
    const auto formula = [&](std::string_view name) {
        const auto form = std::ranges::find(forms, name, &analysis::ClosedForm::name);
        return form == forms.end() ? std::string() : fmt::format(" (formula: {})", grouped(form->value));
    };
    if (analysis.work) text += fmt::format("; work {}{}", grouped(*analysis.work), formula("work"));
    if (analysis.span) text += fmt::format(", span {}{}", grouped(*analysis.span), formula("span"));
    return text + ".";
}

std::string variables_of(const analysis::Pass& pass) {
    std::string text;
    for (const analysis::LoopVariable& variable : pass.variables) {
        if (!text.empty()) text += "   ";
        text += fmt::format("{} = {}", variable.name, variable.value);
    }
    return text;
}

std::string pass_title(const Shown& shown, std::size_t pass, bool at_end) {
    const std::vector<analysis::Pass>& passes = shown.passes->passes;
    if (passes.empty()) return {};
    const std::size_t computing_passes = shown.passes->computing();
    if (at_end && computing_passes > 0) return fmt::format("finished, {}", counted(computing_passes, "pass"));
    if (at_end && passes.size() == 1) return "finished";
    // None computes: "finished: load, store".
    if (at_end) {
        std::vector<std::string_view> labels;
        for (const analysis::Pass& each : passes) labels.push_back(each.label);
        return fmt::format("finished: {}", fmt::join(labels, ", "));
    }
    const std::string& label = passes[pass].label;
    if (passes[pass].role != analysis::Pass::Role::step) return label;
    const std::string number = fmt::format("pass {}", pass);
    return label == number ? fmt::format("{} of {}", number, computing_passes)
                           : fmt::format("{} of {}: {}", number, computing_passes, label);
}

std::string heat_sentence(const analysis::LineCost& cost) {
    std::string text = fmt::format("Line {}, whole run", cost.source_line);
    const auto add = [&](std::uint64_t number, std::string_view one, std::string_view what = {}) {
        if (number != 0) text += fmt::format("\n{}{}", counted(number, one), what);
    };
    add(cost.counts.warp_instructions, "warp instruction");
    add(cost.idle_lanes, "idle lane", " in them");
    add(cost.counts.shared_load_wavefronts, "wavefront", " to load");
    add(cost.counts.shared_store_wavefronts, "wavefront", " to store");
    add(cost.excess_wavefronts, "excessive wavefront", " (bank conflicts)");
    add(cost.counts.global_load_sectors, "sector", " read");
    add(cost.counts.global_store_sectors, "sector", " written");
    add(cost.counts.divergent_branches, "divergent branch");
    return text;
}

namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// The source's line of a step, with its text.
void add_line(const Shown& shown, const trace::Step& step, Facts& facts) {
    const std::uint32_t line = shown.map->cuda_line(step.line);
    if (line == 0) return;
    std::string_view text = line <= shown.map->cuda().size() ? shown.map->cuda()[line - 1] : "";
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    facts.emplace_back("at line", fmt::format("{}: {}", line, text));
}

/// The same bits in the other notations.
void add_formats(trace::Element element, std::uint64_t bits, Facts& facts) {
    using scene::NumberFormat;
    const std::string natural = written(NumberFormat::natural, element, bits);
    facts.emplace_back("hex", "0x" + written(NumberFormat::hexadecimal, element, bits));
    for (const auto& [format, name] :
         {std::pair(NumberFormat::decimal, "as int"), std::pair(NumberFormat::floating, "as float")}) {
        if (const std::string text = written(format, element, bits); text != natural) facts.emplace_back(name, text);
    }
    facts.emplace_back("binary", written(NumberFormat::binary, element, bits));
}

/// "threads 3, 12, 40", "17 threads"; empty for a single one.
std::string threads_text(const std::vector<std::uint32_t>& threads) {
    constexpr std::size_t most_named = 6;
    if (threads.size() < 2) return {};
    return threads.size() > most_named ? counted(threads.size(), "thread")
                                       : fmt::format("threads {}", fmt::join(threads, ", "));
}

std::string global_memory_at(const Shown& shown, std::uint64_t address) {
    return analysis::is_constant(shown.trace(), shown.module(), address) ? " in constant memory" : " in global memory";
}

}  // namespace

Facts element_facts(const Shown& shown, const analysis::MemoryTable& table, std::size_t area_index,
                    std::uint64_t element) {
    const analysis::MemoryArea& area = table.areas()[area_index];
    const analysis::MemoryCell cell = table.cell(area_index, element);
    const unsigned bytes = trace::bytes_of(area.element);
    const std::uint64_t address = area.address + element * bytes;
    const bool known = cell.state != analysis::MemoryCell::State::never_written;
    const std::string name =
        area.space == trace::Space::local
            ? area.name + area.subscript(element)
            : analysis::memory_name(shown.trace(), shown.module(), shown.launch, area.space, address, bytes);
    const trace::Element read_as = area.element_of(element);
    Facts facts{{name, known ? trace::text_of(read_as, cell.bits) : "never written"}};
    if (known) add_formats(read_as, cell.bits, facts);
    switch (area.space) {
        case trace::Space::shared:
            facts.emplace_back("address", address_text(address) + " in shared memory");
            facts.emplace_back("bank", analysis::bank_name(shown.trace(), address));
            break;
        case trace::Space::local: facts.emplace_back("address", address_text(address) + " in local memory"); break;
        default: facts.emplace_back("address", address_text(address) + global_memory_at(shown, address)); break;
    }
    if (cell.state == analysis::MemoryCell::State::initial) {
        const std::string later =
            cell.value.valid() ? analysis::host_words(*shown.run->analysis->provenance, cell.value) : "";
        facts.emplace_back("written by", "the host, " + (later.empty() ? "before the launch" : later));
    }
    if (cell.writer.valid()) {
        const trace::Step& step = shown.trace().step(cell.writer);
        const bool here = step.block == shown.block && step.launch == shown.launch;
        facts.emplace_back(
            "written by",
            fmt::format("{}thread {} (warp {}, lane {})", here ? "" : fmt::format("block {}, ", step.block.value),
                        step.warp.value * warp_size + cell.lane, step.warp.value, cell.lane));
        const std::size_t position = shown.passes->position_of(cell.writer);
        if (here && position < shown.passes->steps.size()) {
            const std::size_t pass = shown.passes->pass_of(position).index();
            facts.emplace_back("in", pass_title(shown, pass, false));
        }
        add_line(shown, step, facts);
        if (here) facts.emplace_back("double-click", "go to the step that wrote it");
    }
    if (cell.read_next || cell.written_next)
        facts.emplace_back("next step", cell.written_next ? "writes it" : "reads it");
    return facts;
}

Facts variable_facts(const analysis::LaneVariable& variable) {
    Facts facts;
    if (!variable.reg.valid()) {
        facts.emplace_back(variable.name, "");
        facts.emplace_back("value", "optimized out at this point");
    } else if (!variable.written) {
        facts.emplace_back(variable.name, "never written");
    } else if (variable.element) {
        facts.emplace_back(variable.name, trace::text_of(*variable.element, variable.bits));
        add_formats(*variable.element, variable.bits, facts);
    } else {
        facts.emplace_back(variable.name,
                           variable.truth ? (variable.bits != 0 ? "true" : "false") : address_text(variable.bits));
        if (!variable.points_at.empty()) facts.emplace_back("address of", variable.points_at);
    }
    if (!variable.in_pass.empty()) facts.emplace_back("in this pass", variable.in_pass + ", from its first access on");
    if (!variable.type.empty()) facts.emplace_back("type", variable.type);
    if (variable.changed) facts.emplace_back("last step", "wrote it");
    if (variable.read_next || variable.written_next)
        facts.emplace_back("next step", variable.written_next ? "writes it" : "reads it");
    return facts;
}

std::string passes_without_row(const Shown& shown, bool named) {
    constexpr std::size_t most = 4;
    const std::vector<analysis::PictureRow>& rows = shown.picture->rows;
    std::vector<std::string> numbers;
    const auto in_gap = [&](PassId pass) {
        const auto has = [&](const analysis::PictureRow& row) { return row.between && row.between->has(pass); };
        return pass < rows.front().pass || (!named && pass < rows.back().pass && std::ranges::any_of(rows, has));
    };
    for (const analysis::Pass& pass : shown.passes->passes) {
        if (!rows.empty() && in_gap(pass.id)) numbers.push_back(std::to_string(pass.id.value));
    }
    if (numbers.empty()) return {};
    if (numbers.size() == 1) return fmt::format("Pass {} writes none of these cells.", numbers.front());
    const std::size_t left_out = numbers.size() > most ? numbers.size() - (most - 1) : 0;
    numbers.resize(numbers.size() - left_out);
    if (left_out > 0) numbers.push_back(fmt::format("{} more", grouped(left_out)));
    const std::string last = numbers.back();
    numbers.pop_back();
    return fmt::format("Passes {} and {} write none of these cells.", fmt::join(numbers, ", "), last);
}

std::string between_sentence(const analysis::PassesBetween& between) {
    const bool one = between.first == between.last;
    const std::string name = title_of(between) + (between.label.empty() ? "" : ", " + between.label);
    return fmt::format("{}: {}. {} none of these cells.{}", name, activity_of(between),
                       one ? "It writes" : "They write", name_signs(name));
}

Facts cell_facts(const Shown& shown, std::uint32_t row, std::uint32_t column) {
    const analysis::PictureRow& above = shown.picture->rows[row];
    const analysis::Cell& cell = above.cells[column];
    const analysis::ColumnGroup& group = shown.picture->group_of(column);
    std::vector<std::pair<std::string, std::string>> facts;

    const std::uint64_t index = group.cell_of(column);
    const trace::Element read_as = group.element_of(index);
    // Where two buffers share columns, the column's number names the elements that alternate in it.
    const std::string element = group.folded
                                    ? group.name + group.subscript(index)
                                    : analysis::memory_name(shown.trace(), shown.module(), shown.launch, group.space,
                                                            cell.address, trace::bytes_of(group.element));
    facts.emplace_back(group.lanes ? fmt::format("thread {}", index) : element,
                       cell.known ? trace::text_of(read_as, cell.bits) : "never written");
    if (cell.known) {
        const unsigned bytes = trace::bytes_of(group.element);
        facts.emplace_back("hex", fmt::format("0x{:0{}X}", cell.bits, bytes * 2));
        // A float's bits as an integer are instructive; an integer's bits as a float are not.
        if (read_as == trace::Element::f32)
            facts.emplace_back("as int", fmt::format("{}", static_cast<std::int32_t>(cell.bits)));
    }
    if (!group.lanes && group.space == trace::Space::global) {
        facts.emplace_back("address", address_text(cell.address) + global_memory_at(shown, cell.address));
    } else if (!group.lanes) {
        facts.emplace_back("address", address_text(cell.address) + " in shared memory");
        facts.emplace_back("bank", analysis::bank_name(shown.trace(), cell.address));
    }
    if (!shown.picture->halo.empty() && shown.picture->halo[column])
        facts.emplace_back("halo", "read beyond the block's own outputs");
    if (cell.writer.valid()) {
        const trace::Step& step = shown.trace().step(cell.writer);
        const std::string last = fmt::format("thread {} (warp {}, lane {})", cell.thread, step.warp.value, cell.lane);
        const std::string writers = cell.written ? threads_text(above.threads_of(column)) : "";
        facts.emplace_back("written by", writers.empty() ? last : fmt::format("{}; last {}", writers, last));
        add_line(shown, step, facts);
    }
    constexpr std::size_t most = 4;  // values of other blocks that have a line of their own
    for (const analysis::Node& node : above.nodes) {
        if (node.column != column || node.step != cell.writer) continue;
        for (std::size_t i = 0; i < std::min(node.from_blocks.size(), most); ++i) {
            const analysis::FromBlock& from = node.from_blocks[i];
            const analysis::TracedValue& value = (*shown.run->analysis->provenance)[from.value];
            facts.emplace_back(
                fmt::format("from block {}", from.block.value),
                fmt::format(
                    "{} = {}",
                    analysis::memory_name(shown.trace(), shown.module(), shown.launch, value.space, value.address,
                                          value.bytes),
                    trace::text_of(analysis::element_of(shown.trace(), *shown.run->analysis->provenance, from.value),
                                   value.bits)));
        }
        if (node.from_blocks.size() > most)
            facts.emplace_back("", fmt::format("{} more values of other blocks", node.from_blocks.size() - most));
    }
    facts.emplace_back("row",
                       above.sublabel.empty() ? above.label : fmt::format("{}, {}", above.label, above.sublabel));
    if (cell.known) {
        const analysis::TracedValue* const value =
            cell.useful && cell.value.valid() ? &(*shown.run->analysis->provenance)[cell.value] : nullptr;
        if (value != nullptr && value->reaches_output && !value->use_known)
            facts.emplace_back("later", "use not known: blocks that are not recorded may read values computed from it");
        else
            facts.emplace_back("later", cell.useful
                                            ? (cell.read_again ? "read again, reaches an output" : "reaches an output")
                                        : cell.read_again ? "read again, but reaches no output"
                                                          : "not read again");
    }
    return facts;
}

}  // namespace lanescope::ui
