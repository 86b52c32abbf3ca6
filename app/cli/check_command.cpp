#include "cli/commands.h"
#include "cli/report.h"
#include "cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <set>
#include <span>

namespace lanescope::cli {

namespace {

constexpr std::array<std::uint32_t, 10> block_sizes{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

/// One kernel in one view at one block size.
struct Trial {
    session::Program program;
    std::string name;  ///< as asked for
    trace::View view = trace::View::written;
    std::uint32_t block = 0;
    std::uint64_t n = 0;
};

struct Finished {
    Trial trial;
    std::optional<bool> ok;          ///< nothing: it ran without a finding, and there is no oracle to check it against
    std::string message;             ///< what is wrong
    std::optional<Problem> refused;  ///< it could not be run at all
};

const char* name_of(trace::View view) { return view == trace::View::written ? "written" : "compiled"; }

std::expected<std::vector<session::Program>, session::Refusal> programs_of(const CheckOptions& options) {
    if (options.programs.empty()) return session::catalog();
    std::vector<session::Program> programs;
    for (const std::string& name : options.programs) {
        auto program = session::find_requested({.program = name});
        if (!program) return std::unexpected(program.error());
        if (!program->built_in) program->name = name;  // the path finds it again
        programs.push_back(std::move(*program));
    }
    return programs;
}

/// A file of somebody's own says with its launch what it is written for; a kernel that knows its rule takes any block.
std::vector<std::uint32_t> blocks_of(const session::Program& program) {
    if (!program.built_in && program.block_rule.empty()) {
        const auto extent = session::evaluate_extent(program.default_block, {});
        if (extent && extent->count() > 1) return {static_cast<std::uint32_t>(extent->count())};
    }
    return {block_sizes.begin(), block_sizes.end()};
}

std::vector<Trial> trials_of(const std::vector<session::Program>& programs, const CheckOptions& options) {
    std::vector<Trial> trials;
    for (const session::Program& program : programs) {
        for (const trace::View view : {trace::View::written, trace::View::compiled}) {
            for (const std::uint32_t block : blocks_of(program)) {
                if (!session::check_block(program, block)) continue;
                // Three blocks, the last one not full: the edges of a grid and of a block are where kernels go wrong.
                const std::uint64_t most = session::largest_n(program, {.block = block}).value_or(1);
                const std::uint64_t n = options.n.value_or(std::min(3 * std::uint64_t{block} - 1, most));
                trials.push_back({.program = program, .name = program.name, .view = view, .block = block, .n = n});
            }
        }
    }
    return trials;
}

/// Is the fault there that a faulty kernel is to show?
bool shows(const session::Run& run, const std::string& fault) {
    if (run.verdict.ok == false && fault == "wrong result") return true;
    return std::ranges::any_of(run.trace().findings,
                               [&](const trace::Finding& finding) { return trace::name_of(finding.kind) == fault; });
}

Finished carry_out(const Trial& trial, const CheckOptions& options, Progress& progress) {
    session::Request request;
    request.program = trial.name;
    request.n = trial.n;
    request.block = trial.block;
    request.input = options.input.empty() ? "random 7" : options.input;
    request.view = trial.view;
    request.record_blocks = 1;
    request.check_all_blocks = true;
    Finished finished{.trial = trial, .ok = false, .message = {}, .refused = {}};
    const auto run = session::run(request, progress);
    if (!run) {
        finished.refused = run.error().problem;
    } else if (!trial.program.fault.empty()) {
        finished.ok = shows(**run, trial.program.fault);
        if (!*finished.ok) finished.message = fmt::format("shows no {}, which it is there for", trial.program.fault);
    } else if (!(*run)->trace().findings.empty()) {
        const trace::Finding& finding = (*run)->trace().findings.front();
        finished.message = fmt::format("{}: {}", trace::name_of(finding.kind), finding.message);
    } else if (!(*run)->verdict.ok) {
        finished.ok = std::nullopt;
    } else if (!*(*run)->verdict.ok) {
        const session::Verdict& verdict = (*run)->verdict;
        finished.message = fmt::format("{}[{}] is {} and should be {}", verdict.output, verdict.first_difference,
                                       verdict.actual_there, verdict.expected_there);
    } else {
        finished.ok = true;
    }
    return finished;
}

bool is_wrong(const Finished& one) { return one.ok == false; }

nlohmann::ordered_json json_of(const std::vector<Finished>& all) {
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const Finished& one : all) {
        nlohmann::ordered_json entry{{"kernel", one.trial.name},
                                     {"view", name_of(one.trial.view)},
                                     {"block", one.trial.block},
                                     {"n", one.trial.n}};
        entry["ok"] = one.ok ? nlohmann::ordered_json(*one.ok) : nlohmann::ordered_json(nullptr);
        if (is_wrong(one)) entry["message"] = one.message;
        runs.push_back(std::move(entry));
    }
    const auto failed = std::ranges::count_if(all, is_wrong);
    return {{"ok", failed == 0}, {"checked", all.size()}, {"failed", failed}, {"runs", std::move(runs)}};
}

/// One row of the table: a kernel in one view, its trials by block size.
std::string fault_of(std::span<const Finished> row) {
    const auto first = std::ranges::find_if(row, is_wrong);
    if (first == row.end()) return {};
    const auto others = std::ranges::count_if(row, is_wrong) - 1;
    std::string text = fmt::format("{} as {}, {} threads a block, n = {}:\n  {}\n", first->trial.name,
                                   name_of(first->trial.view), first->trial.block, first->trial.n, first->message);
    if (others > 0) text += fmt::format("  wrong in {} other block size{} too\n", others, others == 1 ? "" : "s");
    return text;
}

/// A faulty kernel is as it should be where its fault is found.
const char* word_for(const Finished& one) {
    if (!one.ok) return "?";
    if (!*one.ok) return "WRONG";
    return one.trial.program.fault.empty() ? "ok" : "found";
}

std::string table_of(const std::vector<Finished>& all) {
    std::set<std::uint32_t> blocks;
    for (const Finished& one : all) blocks.insert(one.trial.block);
    std::vector<Column> columns{{{"kernel"}, false}, {{"view"}, false}};
    for (const std::uint32_t block : blocks) columns.push_back({{std::to_string(block)}});
    Table table(std::move(columns));
    std::string faults;
    for (std::size_t first = 0, past = 0; first < all.size(); first = past) {
        const auto alike = [&](const Finished& one) {
            return one.trial.name == all[first].trial.name && one.trial.view == all[first].trial.view;
        };
        while (past < all.size() && alike(all[past])) ++past;
        const std::span<const Finished> trials = std::span(all).subspan(first, past - first);
        std::vector<std::string> row{trials.front().trial.name, name_of(trials.front().trial.view)};
        for (const std::uint32_t block : blocks) {
            const auto here = std::ranges::find(trials, block, [](const Finished& one) { return one.trial.block; });
            row.emplace_back(here == trials.end() ? "-" : word_for(*here));
        }
        table.add(std::move(row));
        faults += fault_of(trials);
    }
    return table.text() + (faults.empty() ? "" : "\n" + faults);
}

std::string summary_of(const std::vector<Finished>& all) {
    const auto is_faulty = [](const Finished& one) { return !one.trial.program.fault.empty(); };
    const auto faulty = std::ranges::count_if(all, is_faulty);
    const auto found =
        std::ranges::count_if(all, [&](const Finished& one) { return is_faulty(one) && one.ok == true; });
    const auto right = std::ranges::count_if(all, [](const Finished& one) { return one.ok == true; }) - found;
    const auto sound = static_cast<std::ptrdiff_t>(all.size()) - faulty;
    const auto unchecked = std::ranges::count_if(all, [](const Finished& one) { return !one.ok; });
    std::string text = "\n";
    if (sound > 0 || faulty == 0) text += fmt::format("{} of {} runs are right", right, sound);
    if (faulty > 0) {
        text += fmt::format("{}{} of {} runs of faulty kernels show their fault", sound > 0 ? "; " : "", found, faulty);
    }
    if (unchecked > 0)
        text += fmt::format("; {} (?) ran without a finding, and no oracle is named for them", unchecked);
    return text + ".\n";
}

}  // namespace

int check(const CheckOptions& options, Environment& environment) {
    const std::string command = "lanescope check";
    const auto programs = programs_of(options);
    if (!programs) {
        complain(environment, command, programs.error().problem);
        return request_wrong;
    }
    const std::vector<Trial> trials = trials_of(*programs, options);
    std::vector<Finished> all;
    for (const Trial& trial : trials) {
        if (environment.err_is_terminal) {
            environment.err << fmt::format("\r\x1b[K{} of {}: {}, {}, {}", all.size() + 1, trials.size(), trial.name,
                                           name_of(trial.view), trial.block)
                            << std::flush;
        }
        all.push_back(carry_out(trial, options, environment.progress));
        if (environment.progress.cancelled()) break;
        if (all.back().refused) {
            if (environment.err_is_terminal) environment.err << "\r\x1b[K";
            complain(environment, command, *all.back().refused);
            return request_wrong;
        }
    }
    if (environment.err_is_terminal) environment.err << "\r\x1b[K" << std::flush;
    if (environment.progress.cancelled()) {
        environment.err << command << ": stopped\n";
        return interrupted;
    }
    environment.out << (options.json ? dump(json_of(all)) : table_of(all) + summary_of(all));
    return std::ranges::any_of(all, is_wrong) ? kernel_wrong : fine;
}

}  // namespace lanescope::cli
