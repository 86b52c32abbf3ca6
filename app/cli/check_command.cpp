#include "cli/commands.h"
#include "cli/report.h"
#include "cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>

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
    bool ok = false;
    std::string message;  ///< what is wrong
};

const char* name_of(trace::View view) { return view == trace::View::written ? "written" : "compiled"; }

Result<std::vector<session::Program>> programs_of(const CheckOptions& options) {
    if (options.programs.empty()) return session::catalog();
    std::vector<session::Program> programs;
    for (const std::string& name : options.programs) {
        if (const session::Program* known = session::find_program(name)) {
            programs.push_back(*known);
        } else {
            auto read = session::read_program(name);
            if (!read) return std::unexpected(read.error());
            read->name = name;
            programs.push_back(std::move(*read));
        }
    }
    return programs;
}

std::vector<Trial> trials_of(const std::vector<session::Program>& programs, const CheckOptions& options) {
    std::vector<Trial> trials;
    for (const session::Program& program : programs) {
        for (const trace::View view : {trace::View::written, trace::View::compiled}) {
            for (const std::uint32_t block : block_sizes) {
                if (!session::check_block(program, block)) continue;
                // Three blocks, the last one not full: the edges of a grid and of a block are where kernels go wrong.
                const std::uint64_t n = options.n.value_or(3 * std::uint64_t{block} - 1);
                trials.push_back({.program = program, .name = program.name, .view = view, .block = block, .n = n});
            }
        }
    }
    return trials;
}

Finished carry_out(const Trial& trial, const CheckOptions& options, Progress& progress) {
    session::Request request;
    request.program = trial.name;
    request.n = trial.n;
    request.block = trial.block;
    request.input = options.input.empty() ? "random 7" : options.input;
    request.view = trial.view;
    request.record_blocks = 1;
    Finished finished{.trial = trial, .ok = false, .message = {}};
    const auto run = session::run(request, progress);
    if (!run) {
        finished.message = run.error().problem.message();
    } else if (!(*run)->trace().findings.empty()) {
        const trace::Finding& finding = (*run)->trace().findings.front();
        finished.message = fmt::format("{}: {}", trace::name_of(finding.kind), finding.message);
    } else if (!(*run)->verdict.ok) {
        finished.message = "there is no oracle to check it against";
    } else if (!*(*run)->verdict.ok) {
        const session::Verdict& verdict = (*run)->verdict;
        finished.message = fmt::format("{}[{}] is {} and should be {}", verdict.output, verdict.first_difference,
                                       verdict.actual_there, verdict.expected_there);
    } else {
        finished.ok = true;
    }
    return finished;
}

nlohmann::ordered_json json_of(const std::vector<Finished>& all) {
    nlohmann::ordered_json json;
    std::size_t failed = 0;
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const Finished& one : all) {
        failed += one.ok ? 0 : 1;
        nlohmann::ordered_json entry{{"kernel", one.trial.name},
                                     {"view", name_of(one.trial.view)},
                                     {"block", one.trial.block},
                                     {"n", one.trial.n},
                                     {"ok", one.ok}};
        if (!one.ok) entry["message"] = one.message;
        runs.push_back(std::move(entry));
    }
    json["ok"] = failed == 0;
    json["checked"] = all.size();
    json["failed"] = failed;
    json["runs"] = std::move(runs);
    return json;
}

/// A row a kernel and view, a column a block size.
std::string table_of(const std::vector<Finished>& all) {
    std::vector<Column> columns{{{"kernel"}, false}, {{"view"}, false}};
    for (const std::uint32_t block : block_sizes) columns.push_back({{std::to_string(block)}});
    Table table(std::move(columns));
    std::string faults;
    for (std::size_t i = 0; i < all.size();) {
        const Trial& first = all[i].trial;
        std::vector<std::string> row{first.name, name_of(first.view)};
        for (const std::uint32_t block : block_sizes) {
            const bool here = i < all.size() && all[i].trial.name == first.name && all[i].trial.view == first.view &&
                              all[i].trial.block == block;
            row.emplace_back(!here ? "-" : all[i].ok ? "ok" : "WRONG");
            if (!here) continue;
            if (!all[i].ok) {
                faults += fmt::format("{} as {}, {} threads a block, n = {}:\n  {}\n", first.name, name_of(first.view),
                                      block, all[i].trial.n, all[i].message);
            }
            ++i;
        }
        table.add(std::move(row));
    }
    return table.text() + (faults.empty() ? "" : "\n" + faults);
}

}  // namespace

int check(const CheckOptions& options, Environment& environment) {
    const std::string command = "lanescope check";
    const auto programs = programs_of(options);
    if (!programs) {
        complain(environment, command, programs.error());
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
    }
    if (environment.err_is_terminal) environment.err << "\r\x1b[K" << std::flush;
    if (environment.progress.cancelled()) {
        environment.err << command << ": stopped\n";
        return interrupted;
    }
    const bool ok = std::ranges::all_of(all, &Finished::ok);
    if (options.json) {
        environment.out << dump(json_of(all));
    } else {
        environment.out << table_of(all)
                        << fmt::format("\n{} of {} runs are right.\n", std::ranges::count(all, true, &Finished::ok),
                                       all.size());
    }
    return ok ? fine : kernel_wrong;
}

}  // namespace lanescope::cli
