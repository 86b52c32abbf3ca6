#include "analysis/panels/program_lines.h"
#include "base/grouped.h"
#include "base/in_order.h"
#include "base/machine_memory.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "cli/table.h"
#include "model/device_limits.h"
#include "session/gpu_plan.h"
#include "session/launch_plan.h"
#include "session/launch_values.h"
#include "session/unfenced_stores.h"
#include "session/verdict.h"
#include "session/view_difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

namespace lanescope::cli {

namespace {

constexpr std::string_view other_input = "random 8";

/// Every power of two that a block can have.
std::vector<std::uint32_t> block_sizes() {
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t size = 1; size <= model::emulated_device().threads_per_block; size *= 2) sizes.push_back(size);
    return sizes;
}

/// One kernel in one view at one block size, or a file's main with its own launches and data.
struct Trial {
    std::shared_ptr<const session::Program> program;
    std::string name;    ///< as requested
    std::string kernel;  ///< a type or an instance that its description claims, "reduce<float>"; empty: its own
    trace::View view = trace::View::written;
    std::uint32_t block = 0;  ///< 0: its own sizes
    std::uint64_t n = 0;
    std::size_t place = 0;  ///< in the report
};

/// A trial that the kernel's own limit on n excludes.
struct LeftOut {
    Trial trial;
    Problem why;
};

struct Trials {
    std::vector<Trial> all;
    std::vector<LeftOut> left_out;
};

struct Finished {
    Trial trial;
    std::optional<bool> ok;               ///< nullopt: it ran without a finding, and there is no CPU reference
    std::optional<std::string> no_fault;  ///< a faulty kernel: why its fault does not occur
    bool hidden = false;                  ///< a faulty kernel: the requested input may hide its fault
    bool cut_short = false;               ///< the step limit ended it: its result is unknown
    bool by_views = false;                ///< no oracle: `ok` says whether both views have the same result
    std::string message;                  ///< the error
    std::optional<Problem> refused;       ///< why it could not run
    std::vector<trace::Buffer> outputs;   ///< only if there is no CPU reference
    std::vector<compile::Diagnostic> diagnostics;
    std::vector<std::string> notes;  ///< guesses and choices, which may be the cause of an error
    double seconds = 0;              ///< elapsed time
};

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::expected<std::vector<session::Program>, session::Refusal> programs_of(const CheckOptions& options) {
    if (options.programs.empty()) return session::catalog();
    std::vector<session::Program> programs;
    for (const std::string& name : options.programs) {
        auto program = session::find_requested({.program = name});
        if (!program) return std::unexpected(program.error());
        if (!program->source.built_in) program->name = name;  // the path finds it again
        programs.push_back(std::move(*program));
    }
    return programs;
}

/// Block sizes besides the powers of two: part of a warp, whole warps, and whole warps with a partial one.
constexpr std::array<std::uint32_t, 4> uneven_sizes{3, 96, 100, 1000};

/// The block sizes to try. A user's file runs with the size of its own launch; a kernel with a rule runs with the sizes
/// that the rule allows, or with its default block if it allows none of them.
std::vector<std::uint32_t> blocks_of(const session::Program& program, bool thorough) {
    if (const auto own = session::own_block(program)) return {*own};
    std::vector<std::uint32_t> sizes = block_sizes();
    if (thorough) sizes.insert(sizes.end(), uneven_sizes.begin(), uneven_sizes.end());
    std::ranges::sort(sizes);
    std::erase_if(sizes, [&](std::uint32_t block) { return !session::check_block(program, block); });
    const auto usual = session::evaluate_extent(program.recipe.block, {});
    if (sizes.empty() && usual) sizes.push_back(static_cast<std::uint32_t>(usual->count()));
    return sizes;
}

/// A main takes no sizes: it runs unchanged.
bool has_own_sizes(const session::Program& program) {
    const auto& hosts = program.source.scan.hosts;
    const auto function = std::ranges::find(hosts, program.recipe.kernel, &compile::KernelDeclaration::name);
    return program.recipe.host && function != hosts.end() && function->parameters.empty();
}

/// A program as it is requested, or with another kernel that its description claims.
struct Variant {
    std::shared_ptr<const session::Program> program;
    std::string kernel;
};

std::vector<Variant> variants_of(const session::Program& program, bool thorough) {
    std::vector<Variant> variants{{std::make_shared<session::Program>(program), ""}};
    if (!thorough || !program.recipe.expected.fault.empty() || has_own_sizes(program)) return variants;
    for (const std::string& kernel : session::claimed_kernels(program)) {
        auto other = session::with_kernel(program, kernel);
        // A file that cannot be read is run, too: the run reports why.
        auto variant = std::make_shared<session::Program>(other ? *std::move(other) : program);
        variant->name = program.name;
        variants.push_back({std::move(variant), kernel});
    }
    return variants;
}

/// The n to try. The default is three blocks, the last one partial, because kernels fail at the edges of a grid and of
/// a block. A faulty kernel may need the n of its own description, and no large n.
std::vector<std::uint64_t> sizes_of(const session::Program& program, std::uint32_t block, bool with_large,
                                    const CheckOptions& options) {
    if (options.n) return {*options.n};
    const std::uint64_t threads = block, usual = 3 * threads - 1;
    std::vector<std::uint64_t> sizes{usual};
    const bool is_faulty = !program.recipe.expected.fault.empty();
    if (is_faulty) {
        const auto described = session::evaluate(program.recipe.n, {.block = block});
        if (described) sizes.front() = std::max(usual, *described);
    }
    if (options.thorough) {
        constexpr std::uint64_t prime = 4'099, large = std::uint64_t{1} << 20U;
        sizes.insert(sizes.end(), {1, threads - 1, threads, threads + 1, usual, prime});
        if (with_large && !is_faulty) sizes.insert(sizes.end(), {large - 1, large});
    }
    const std::uint64_t most = session::largest_n(program, {.block = block}).value_or(1);
    for (std::uint64_t& n : sizes) n = std::clamp(n, std::uint64_t{1}, most);
    std::ranges::sort(sizes);
    sizes.erase(std::ranges::unique(sizes).begin(), sizes.end());
    return sizes;
}

void add_trials(const Variant& variant, trace::View view, const CheckOptions& options, Trials& trials) {
    const session::Program& program = *variant.program;
    if (has_own_sizes(program)) {
        trials.all.push_back({.program = variant.program, .name = program.name, .kernel = {}, .view = view});
        return;
    }
    const std::vector<std::uint32_t> blocks = blocks_of(program, options.thorough);
    constexpr std::uint32_t usual_block = 256;
    const auto larger = std::ranges::find_if(blocks, [](std::uint32_t block) { return block >= usual_block; });
    for (const std::uint32_t block : blocks) {
        if (!session::check_block(program, block)) continue;  // a file's own launch against its own rule
        const bool with_large = block == (larger == blocks.end() ? blocks.back() : *larger);
        for (const std::uint64_t n : sizes_of(program, block, with_large, options)) {
            Trial trial{.program = variant.program,
                        .name = program.name,
                        .kernel = variant.kernel,
                        .view = view,
                        .block = block,
                        .n = n};
            if (const auto allowed = session::check_n(program, {.n = n, .block = block}); !allowed)
                trials.left_out.push_back(
                    {std::move(trial), {allowed.error().what, {}, session::sentence(allowed.error().remedy)}});
            else
                trials.all.push_back(std::move(trial));
        }
    }
}

Trials trials_of(const std::vector<session::Program>& programs, const CheckOptions& options) {
    Trials trials;
    for (const session::Program& program : programs)
        for (const Variant& variant : variants_of(program, options.thorough))
            for (const trace::View view : {trace::View::written, trace::View::compiled})
                add_trials(variant, view, options, trials);
    for (std::size_t i = 0; i < trials.all.size(); ++i) trials.all[i].place = i;
    return trials;
}

/// Kernels with few elements come first, and the small sizes of each kernel, so that most results appear early.
void order_by_elements(std::vector<Trial>& trials) {
    struct Kernel {
        std::uint64_t elements = 0;
        std::size_t place = 0;  ///< of its first trial
    };
    std::map<std::string, Kernel> kernels;
    for (const Trial& trial : trials) {
        Kernel& kernel = kernels.try_emplace(trial.name, Kernel{.place = trial.place}).first->second;
        kernel.elements += trial.n;
    }
    std::ranges::stable_sort(trials, {}, [&](const Trial& trial) {
        const Kernel& kernel = kernels.at(trial.name);
        return std::tuple(kernel.elements, kernel.place, trial.n);
    });
}

/// Whether it is a faulty kernel whose fault must occur.
bool is_to_fail(const Finished& one) { return !one.trial.program->recipe.expected.fault.empty() && !one.no_fault; }

/// Records steps only if they are needed: stores that no fence orders are found in them.
std::expected<std::shared_ptr<const session::Run>, session::Refusal> run_checked(session::Request request,
                                                                                 Progress& progress) {
    request.record_blocks = 0;
    request.check_all_blocks = true;
    auto run = session::run(request, progress);
    if (!run || session::first_fault((*run)->trace()) != nullptr) return run;
    if (!session::may_have_unfenced_stores(**run) || (*run)->trace().totals().warp_instructions > session::most_rerun)
        return run;
    request.record_blocks = session::Request().record_blocks;
    return session::run(request, progress);
}

Finished carry_out(const Trial& trial, const CheckOptions& options, Progress& progress) {
    session::Request request;
    request.program = trial.name;
    request.kernel = trial.kernel;
    if (trial.block > 0) {
        request.n = trial.n;
        request.block = trial.block;
        request.input = options.input.empty() ? std::string(usual_input) : options.input;
    }
    request.view = trial.view;
    Finished finished{.trial = trial, .ok = false};
    auto run = run_checked(request, progress);
    if (run && !session::shows_fault(**run))
        finished.no_fault =
            session::why_no_fault((*run)->program, {.n = (*run)->n, .block = (*run)->block, .grid = (*run)->grid});
    // The input may hide a wrong result by chance: try another input.
    if (run && is_to_fail(finished) && trial.block > 0 && options.input.empty() && !session::shows_fault(**run)) {
        request.input = other_input;
        run = run_checked(request, progress);
    }
    if (run) finished.diagnostics = (*run)->diagnostics;
    if (run && !trial.program->source.built_in) finished.notes = (*run)->notes;
    if (!run) {
        finished.refused = run.error().problem;
        std::ranges::copy_if(
            run.error().diagnostics, std::back_inserter(finished.diagnostics), [](const auto& diagnostic) {
                return diagnostic.severity == compile::Diagnostic::Severity::warning;  // the errors are the problem's
            });
    } else if (is_to_fail(finished)) {
        finished.ok = session::shows_fault(**run);
        if (!*finished.ok)
            finished.message = fmt::format("its fault does not occur ({})", trial.program->recipe.expected.fault);
        if (!*finished.ok && !options.input.empty()) {
            finished.ok = std::nullopt;
            finished.hidden = true;
            finished.message += "; the input may hide it";
        }
    } else if (const trace::Finding* fault = session::first_fault((*run)->trace())) {
        finished.message = fmt::format("{}: {}", trace::name_of(fault->kind), fault->message);
    } else if ((*run)->trace().is_cut_short()) {
        finished.ok = std::nullopt;
        finished.cut_short = true;
    } else if (!analysis::ended_well((*run)->trace())) {
        finished.message = "the program ended: " + (*run)->trace().host_end;
    } else if (!(*run)->verdict.ok) {
        finished.ok = std::nullopt;
        finished.outputs = session::outputs_of((*run)->trace());
    } else if (!*(*run)->verdict.ok) {
        const session::Verdict& verdict = (*run)->verdict;
        finished.message = fmt::format("{}[{}] is {} and should be {}", verdict.output, verdict.first_difference,
                                       verdict.actual_there, verdict.expected_there);
    } else {
        finished.ok = true;
        finished.message = finished.no_fault.value_or("");
    }
    return finished;
}

bool is_same_kernel(const Finished& one, const Finished& other) {
    return one.trial.name == other.trial.name && one.trial.kernel == other.trial.kernel;
}

/// A kernel without an oracle is at least compared with itself: its results as written and as compiled must be equal.
void compare_views(std::span<Finished> all) {
    for (Finished& compiled : all) {
        if (compiled.ok || compiled.hidden || compiled.cut_short || compiled.trial.view != trace::View::compiled)
            continue;
        const auto written = std::ranges::find_if(all, [&](const Finished& one) {
            return !one.ok && !one.hidden && !one.cut_short && one.trial.view == trace::View::written &&
                   is_same_kernel(one, compiled) && one.trial.block == compiled.trial.block &&
                   one.trial.n == compiled.trial.n;
        });
        if (written == all.end()) continue;
        const auto difference = session::difference_of_views(written->outputs, compiled.outputs);
        for (Finished* one : {&*written, &compiled}) {
            one->by_views = true;
            one->ok = !difference;
        }
        if (!difference) continue;
        written->message = compiled.message = fmt::format(
            "{}[{}] is {} as written and {} as compiled: the result is undetermined, or depends on "
            "the order of threads",
            difference->buffer, difference->element, difference->written, difference->compiled);
    }
}

bool is_wrong(const Finished& one) { return one.ok == false; }

nlohmann::ordered_json json_of(const std::vector<Finished>& all, const std::vector<LeftOut>& left_out) {
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const Finished& one : all) {
        nlohmann::ordered_json entry{{"kernel", one.trial.name}, {"view", session::name_of(one.trial.view)}};
        if (!one.trial.kernel.empty()) entry["instance"] = one.trial.kernel;
        if (one.trial.block > 0) {
            entry["block"] = one.trial.block;
            entry["n"] = one.trial.n;
        }
        if (one.by_views) entry["compared_with"] = "the other view";
        entry["ok"] = one.ok ? nlohmann::ordered_json(*one.ok) : nlohmann::ordered_json(nullptr);
        if (!one.message.empty()) entry["message"] = one.message;
        runs.push_back(std::move(entry));
    }
    nlohmann::ordered_json others = nlohmann::ordered_json::array();
    for (const LeftOut& one : left_out) {
        others.push_back({{"kernel", one.trial.name},
                          {"view", session::name_of(one.trial.view)},
                          {"block", one.trial.block},
                          {"n", one.trial.n},
                          {"why", one.why.message()}});
    }
    const auto failed = std::ranges::count_if(all, is_wrong);
    return {{"ok", failed == 0},
            {"checked", all.size()},
            {"failed", failed},
            {"runs", std::move(runs)},
            {"left_out", std::move(others)}};
}

std::string name_of(const Trial& trial) {
    return trial.kernel.empty() ? trial.name : fmt::format("{}, {}", trial.name, trial.kernel);
}

/// One row of the table: a kernel in one view, its trials by block size.
std::string fault_of(std::span<const Finished> row, bool thorough) {
    const auto first = std::ranges::find_if(row, is_wrong);
    if (first == row.end()) return {};
    const auto others = std::ranges::count_if(row, is_wrong) - 1;
    const Trial& trial = first->trial;
    const std::string sizes =
        trial.block == 0 ? ""
                         : fmt::format(", {} per block, n = {}", counted(trial.block, "thread"), size_text(trial.n));
    std::string text =
        fmt::format("{} as {}{}:\n  {}\n", name_of(trial), session::name_of(trial.view), sizes, first->message);
    for (const std::string& note : first->notes) text += fmt::format("  Note: {}\n", note);
    if (others > 0)
        text += fmt::format("  wrong in {} too\n",
                            counted(static_cast<std::uint64_t>(others), thorough ? "other run" : "other block size"));
    return text;
}

/// A faulty kernel passes if its fault is found.
const char* word_for(const Finished& one) {
    if (one.hidden) return "none";
    if (!one.ok) return "?";
    if (!*one.ok) return one.by_views ? "DIFFERS" : "WRONG";
    if (one.by_views) return "same";
    if (one.no_fault) return "none";
    return is_to_fail(one) ? "found" : "ok";
}

/// The run that the column of a block size shows: preferably a wrong one, then one that was not compared, then one with
/// the expected fault.
const Finished* shown_of(std::span<const Finished> row, std::uint32_t block) {
    const Finished* shown = nullptr;
    const auto rank = [](const Finished& one) { return is_wrong(one) ? 3 : !one.ok ? 2 : one.no_fault ? 0 : 1; };
    for (const Finished& one : row)
        if (one.trial.block == block && (shown == nullptr || rank(one) > rank(*shown))) shown = &one;
    return shown;
}

std::string table_of(std::span<const Finished> all, bool thorough) {
    std::set<std::uint32_t> blocks;
    for (const Finished& one : all) blocks.insert(one.trial.block);
    std::vector<Column> columns{{{"kernel"}, false}, {{"view"}, false}};
    for (const std::uint32_t block : blocks) columns.push_back({{block == 0 ? "own sizes" : grouped(block)}});
    Table table(std::move(columns));
    std::string faults;
    for (std::size_t first = 0, past = 0; first < all.size(); first = past) {
        const auto alike = [&](const Finished& one) {
            return is_same_kernel(one, all[first]) && one.trial.view == all[first].trial.view;
        };
        while (past < all.size() && alike(all[past])) ++past;
        const std::span<const Finished> trials = all.subspan(first, past - first);
        std::vector<std::string> row{name_of(trials.front().trial), session::name_of(trials.front().trial.view)};
        for (const std::uint32_t block : blocks) {
            const Finished* const shown = shown_of(trials, block);
            row.emplace_back(shown == nullptr ? "-" : word_for(*shown));
        }
        table.add(std::move(row));
        faults += fault_of(trials, thorough);
    }
    return table.text() + (faults.empty() ? "" : "\n" + faults);
}

/// For the catalog, block sizes that are no power of two get their own table, because few kernels take them.
std::string tables_of(std::vector<Finished>& all, const CheckOptions& options) {
    if (!options.programs.empty()) return table_of(all, options.thorough);
    const auto others = std::ranges::stable_partition(
        all, [](const Finished& one) { return one.trial.block == 0 || std::has_single_bit(one.trial.block); });
    const std::span<const Finished> usual(all.begin(), others.begin());
    return table_of(usual, options.thorough) + (others.empty() ? "" : "\n" + table_of(others, options.thorough));
}

std::string summary_of(const std::vector<Finished>& all) {
    const auto faulty = std::ranges::count_if(all, is_to_fail);
    const auto found =
        std::ranges::count_if(all, [&](const Finished& one) { return is_to_fail(one) && one.ok == true; });
    const auto compared = std::ranges::count_if(all, &Finished::by_views);
    const auto hidden = std::ranges::count_if(all, &Finished::hidden);
    const auto unchecked = std::ranges::count_if(all, [](const Finished& one) { return !one.ok; }) - hidden;
    const auto right =
        std::ranges::count_if(all, [](const Finished& one) { return one.ok == true && !one.by_views; }) - found;
    const auto sound = static_cast<std::ptrdiff_t>(all.size()) - faulty - compared;
    const auto count = [](std::ptrdiff_t runs) { return static_cast<std::uint64_t>(runs); };
    std::vector<std::string> parts;
    if (sound > 0)
        parts.push_back(fmt::format("{} of {} {} correct", grouped(count(right)), counted(count(sound), "run"),
                                    verb(count(right), "are", "is")));
    if (faulty > 0)
        parts.push_back(fmt::format("{} of {} of faulty kernels {} their fault", grouped(count(found)),
                                    counted(count(faulty), "run"), verb(count(found), "show")));
    if (hidden > 0)
        parts.push_back(fmt::format("{} without the fault (none): the input may hide it", grouped(count(hidden))));
    if (compared > 0) {
        const auto same =
            std::ranges::count_if(all, [](const Finished& one) { return one.ok == true && one.by_views; });
        parts.push_back(
            fmt::format("{} of {} without a CPU reference {} the same result in both views and no findings; nothing "
                        "else was compared",
                        grouped(count(same)), counted(count(compared), "run"), verb(count(same), "have", "has")));
    }
    if (unchecked > 0) {
        parts.push_back(
            fmt::format("{} (?) ran without findings and have no CPU reference", grouped(count(unchecked))));
    }
    return fmt::format("\n{}.\n", fmt::join(parts, "; "));
}

/// The reasons why a fault does not occur at some sizes, once for each kernel.
std::string no_fault_text(const std::vector<Finished>& all) {
    std::set<std::string> told;
    std::string text;
    for (const Finished& one : all)
        if (one.no_fault && told.insert(one.trial.name).second)
            text += fmt::format("none: {}: {}\n", one.trial.name, session::sentence(*one.no_fault));
    return text;
}

/// The block sizes that a kernel's limit excludes at the requested n, kernel by kernel.
std::string left_out_text(const Trials& trials) {
    const std::vector<LeftOut>& left_out = trials.left_out;
    std::string text;
    for (std::size_t first = 0, past = 0; first < left_out.size(); first = past) {
        std::vector<std::string> blocks;
        const Trial& trial = left_out[first].trial;
        while (past < left_out.size() && left_out[past].trial.name == trial.name) {
            const std::string block = grouped(left_out[past++].trial.block);
            if (std::ranges::find(blocks, block) == blocks.end()) blocks.push_back(block);  // once for both views
        }
        text += fmt::format("Skipped: {} in blocks of {}: the kernel's own limit excludes {}.\n", trial.name,
                            fmt::join(blocks, ", "), counted(trial.n, "element"));
    }
    return text;
}

/// "0.8 s", "2 min 5 s".
std::string elapsed_text(double seconds) {
    constexpr double minute = 60;
    if (seconds < minute) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<std::uint64_t>(seconds);
    return fmt::format("{} min {} s", grouped(whole / 60), whole % 60);
}

/// Runs trials in parallel. A trial that reaches the memory cap is stopped and run again by itself.
class Trying {
  public:
    Trying(const CheckOptions& options, const Progress& progress) : options_(options), progress_(progress) {}

    Finished carry_out(const Trial& trial) {
        const auto begin = Clock::now();
        Finished finished = beside_others(trial);
        // It may have failed because other runs used the memory.
        if (finished.ok != true && !progress_.cancelled() && peak_memory_taken() > memory_cap() / 2) {
            const std::unique_lock alone(others_);
            finished = run(trial);
        }
        finished.seconds = seconds_since(begin);
        return finished;
    }

  private:
    Finished beside_others(const Trial& trial) {
        const std::shared_lock beside(others_);
        return run(trial);
    }
    [[nodiscard]] Finished run(const Trial& trial) const {
        Progress progress(&progress_);
        return cli::carry_out(trial, options_, progress);
    }

    const CheckOptions& options_;
    const Progress& progress_;
    std::shared_mutex others_;  ///< held exclusively by a run that needs all the memory
};

/// Reports each kernel as it ends: its number of the total, its result, and the elapsed time.
class KernelLines {
  public:
    KernelLines(const std::vector<Trial>& trials, Environment& environment) : environment_(environment) {
        std::set<std::string> names;
        for (const Trial& trial : trials) names.insert(trial.name);
        kernels_ = names.size();
    }

    /// Prints nothing for a single kernel: the report has the same line.
    void end(std::span<const Finished> runs, bool thorough) {
        ++ended_;
        if (thorough && kernels_ > 1) {
            double seconds = 0;
            for (const Finished& run : runs) seconds += run.seconds;
            const auto wrong = static_cast<std::uint64_t>(std::ranges::count_if(runs, is_wrong));
            environment_.err << fmt::format("{}{} of {}: {}, {}{}, {}; {} so far\n{}", environment_.clear_line(),
                                            grouped(ended_), grouped(kernels_), runs.front().trial.name,
                                            counted(runs.size(), "run"),
                                            wrong > 0 ? fmt::format(", {} WRONG", grouped(wrong)) : "",
                                            elapsed_text(seconds), elapsed_text(seconds_since(begin_)),
                                            wrong > 0 ? fault_of(runs, thorough) : "")
                             << std::flush;
        }
    }

  private:
    Environment& environment_;
    std::size_t kernels_ = 0, ended_ = 0;
    Clock::time_point begin_ = Clock::now();
};

}  // namespace

int check(const CheckOptions& options, Environment& environment) {
    const std::string command = "lanescope check";
    const auto programs = programs_of(options);
    if (!programs) {
        complain(environment, command, programs.error().problem);
        return request_wrong;
    }
    Trials trials = trials_of(*programs, options);
    if (options.thorough) order_by_elements(trials.all);
    if (trials.all.empty() && !trials.left_out.empty()) {
        complain(environment, command, trials.left_out.back().why);
        return request_wrong;
    }
    std::vector<Finished> all;
    std::set<std::string> warnings;  // each once, whatever views and block sizes have it
    const auto print_warnings = [&] {
        for (const std::string& warning : warnings) environment.err << warning;
    };
    KernelLines lines(trials.all, environment);
    std::size_t first = 0;  // of the kernel's runs
    Progress progress(&environment.progress);
    Trying trying(options, progress);
    InOrder<Finished> finished(trials.all.size(), std::max(std::thread::hardware_concurrency(), 1U),
                               [&](std::size_t i) { return trying.carry_out(trials.all[i]); });
    for (const Trial& trial : trials.all) {
        if (environment.err_is_terminal) {
            environment.err << environment.clear_line()
                            << fmt::format("{} of {}: {}, {}, {}", grouped(all.size() + 1), grouped(trials.all.size()),
                                           trial.name, session::name_of(trial.view), grouped(trial.block))
                            << std::flush;
        }
        all.push_back(finished.next());
        for (const compile::Diagnostic& diagnostic : all.back().diagnostics) {
            warnings.insert(diagnostic_text(trial.program->source.name, diagnostic));
        }
        if (environment.progress.cancelled()) break;
        if (all.back().refused) {
            progress.cancel();
            environment.err << environment.clear_line();
            print_warnings();
            complain(environment, command, *all.back().refused);
            return request_wrong;
        }
        if (all.size() == trials.all.size() || trials.all[all.size()].name != trial.name) {
            const std::span<Finished> runs = std::span(all).subspan(first);
            compare_views(runs);
            for (Finished& run : runs) run.outputs.clear();  // compared
            lines.end(runs, options.thorough);
            first = all.size();
        }
    }
    environment.err << environment.clear_line() << std::flush;
    if (environment.progress.cancelled()) {
        environment.err << command << ": cancelled\n";
        return interrupted;
    }
    print_warnings();
    std::ranges::sort(all, {}, [](const Finished& one) { return one.trial.place; });
    environment.out << (options.json
                            ? dump(json_of(all, trials.left_out))
                            : tables_of(all, options) + summary_of(all) + no_fault_text(all) + left_out_text(trials));
    return std::ranges::any_of(all, is_wrong) ? kernel_wrong : fine;
}

}  // namespace lanescope::cli
