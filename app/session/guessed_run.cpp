#include "session/guessed_run.h"

#include "base/grouped.h"
#include "model/device_limits.h"
#include "model/launch_limits.h"
#include "session/input.h"
#include "session/launch_guess.h"
#include "session/launch_size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace lanescope::session {

namespace {

using FindingKind = trace::Finding::Kind;

constexpr std::uint64_t most_guessed_bytes = std::uint64_t{64} << 20;  ///< of one buffer
constexpr unsigned most_growths = 8;
/// Warp instructions of a run that only tries another guess: a few tenths of a second.
constexpr std::uint64_t trial_budget = std::uint64_t{1} << 22;
constexpr std::uint64_t trial_record = std::uint64_t{16} << 20;  ///< bytes; endless loops fill more
constexpr unsigned most_endless = 2;  ///< guesses that do not end are tried, where the first does not either
constexpr std::size_t most_blocks_tried = 8;
constexpr std::size_t most_filled_alone = 4;  ///< buffers that differ from the others, one at a time

/// One guess and its run.
struct Attempt {
    Guess guess;
    std::vector<std::string> changes;  ///< against the first guess
    Plan plan;
    std::unique_ptr<KernelRun> run;

    [[nodiscard]] trace::Trace& trace() const { return run->emulation->trace(); }
};
using Attempted = std::expected<Attempt, Refusal>;

/// The guessed argument that a buffer, "in" or "list.next", belongs to; null where it is stated.
const ArgumentPlan* guessed_owner(const Plan& plan, std::string_view buffer) {
    const auto owner = std::ranges::find_if(plan.plans, [&](const ArgumentPlan& argument) {
        return buffer == argument.parameter || buffer.starts_with(argument.parameter + ".");
    });
    return owner != plan.plans.end() && owner->guessed ? &*owner : nullptr;
}

/// The elements that the buffer needs by what was accessed; nothing where it is large enough.
std::optional<std::uint64_t> needed_elements(const Attempt& attempt, std::uint32_t buffer, const ArgumentPlan& plan) {
    const auto reach = attempt.run->emulation->reach_of(buffer);
    const auto bytes = static_cast<std::int64_t>(attempt.trace().buffers[buffer].bytes);
    if (!reach || reach->past_last <= bytes) return std::nullopt;
    const std::uint64_t unit = bytes_of_element(plan);
    return (static_cast<std::uint64_t>(reach->past_last) + unit - 1) / unit;
}

/// The guess with larger buffers; nothing where none has to grow or none can.
std::optional<Guess> with_larger_buffers(const Attempt& attempt) {
    Guess larger = attempt.guess;
    bool grows = false;
    const std::vector<const ArgumentPlan*> buffers = buffers_of(attempt.plan.plans);
    for (std::uint32_t i = 0; i < buffers.size(); ++i) {
        const std::string& name = buffers[i]->parameter;
        if (guessed_owner(attempt.plan, name) == nullptr) continue;
        const auto needed = needed_elements(attempt, i, *buffers[i]);
        if (!needed || *needed > most_guessed_bytes / bytes_of_element(*buffers[i])) continue;
        larger.elements[name] = *needed;
        grows = true;
    }
    return grows ? std::optional(larger) : std::nullopt;
}

/// How often a warp executes each PTX line, on average over the recorded blocks.
using Executions = std::map<std::uint32_t, double>;

Executions executions_of(const trace::Trace& trace) {
    Executions executions;
    double warps = 0;
    for (const trace::Launch& launch : trace.launches) {
        const std::uint64_t warps_of_block = (launch.block.count() + warp_size - 1) / warp_size;
        warps += static_cast<double>(launch.recorded.size() * warps_of_block);
    }
    if (warps == 0) return executions;
    for (const trace::Step& step : trace.steps()) executions[step.line.value] += 1 / warps;
    return executions;
}

/// Whether a run may lack a race only because it executes the race's lines far less often: in a loop that is left at
/// once, no second iteration can race with the first. Half as often does not count as far less, because a condition on
/// data may hold less often.
bool may_hide(const trace::Finding& race, const Executions& before, const Executions& then) {
    if (race.kind != FindingKind::race) return false;
    const auto fewer = [&](const PtxLine& line) {
        const auto at = [&](const Executions& of) { return of.contains(line.value) ? of.at(line.value) : 0.0; };
        return 2 * at(then) < at(before);
    };
    return fewer(race.line) || (race.other && fewer(race.other->line));
}

class GuessedRun {
  public:
    GuessedRun(const Request& request, const execute::Limits& limits, Progress& progress)
        : request_(request), limits_(limits), progress_(progress) {}

    std::expected<KernelRun, Refusal> run(Plan& plan);

  private:
    /// A finding, to be found again in another run: its kind, lines and variable.
    using Key = std::tuple<FindingKind, std::uint32_t, std::uint32_t, std::string>;
    static Key key_of(const trace::Finding& finding);

    /// One way to guess again.
    struct Trial {
        std::string what;
        std::function<void(Guess&)> change;
    };

    Attempted grown(Attempt attempt, const execute::Limits& limits) const;
    [[nodiscard]] std::optional<Attempt> attempt(const Attempt& base, const Trial& trial);
    static std::vector<Trial> trials_for(const Attempt& base);
    void remember(const Attempt& attempt);
    [[nodiscard]] std::size_t hidden(const Attempt& best) const;
    void guess_again(Attempt& best);
    [[nodiscard]] std::optional<std::string> doubt(const Attempt& attempt, const trace::Finding& finding,
                                                   bool from_data) const;
    void take_back(Attempt& attempt) const;
    void describe(Attempt& attempt, const std::string& first) const;

    /// The findings of another guess.
    struct Seen {
        std::string changes;
        std::set<Key> findings;
        Executions executions;
        bool of_ones = false;  ///< every number is 1: of use for addresses only
    };

    const Request& request_;
    const execute::Limits& limits_;
    Progress& progress_;
    std::vector<Seen> seen_;
    std::size_t best_ = 0;  ///< of seen_: the guess with the fewest findings so far
    unsigned endless_ = 0;  ///< other guesses that did not end
};

GuessedRun::Key GuessedRun::key_of(const trace::Finding& finding) {
    const std::uint32_t other = finding.other ? finding.other->source_line : 0;
    const std::uint32_t line = finding.source_line != 0 ? finding.source_line : finding.line.value;
    return {finding.kind, line, other, finding.variable.substr(0, finding.variable.find('.'))};
}

/// Findings that other guesses may make disappear. A spent instruction budget is not one.
std::vector<const trace::Finding*> accusations(const Attempt& attempt) {
    std::vector<const trace::Finding*> found;
    for (const trace::Finding& finding : attempt.trace().findings)
        if (finding.kind != FindingKind::step_budget) found.push_back(&finding);
    return found;
}

bool was_cut_short(const Attempt& attempt) {
    const auto& findings = attempt.trace().findings;
    return attempt.trace().cancelled ||
           std::ranges::find(findings, FindingKind::step_budget, &trace::Finding::kind) != findings.end();
}

/// Runs again with larger buffers until they are large enough, or cannot become so.
Attempted GuessedRun::grown(Attempt attempt, const execute::Limits& limits) const {
    execute::Limits short_limits = limits;
    short_limits.warp_instructions = std::min(limits.warp_instructions, trial_budget);
    const auto run_with = [&](const Guess& guess, const execute::Limits& these) {
        auto planned = plan(request_, guess);
        if (!planned) return false;  // all buffers together are too large
        auto run = run_kernel(request_, *planned, these, progress_);
        if (!run) return false;
        attempt.guess = guess;
        attempt.plan = *std::move(planned);
        attempt.run = std::make_unique<KernelRun>(*std::move(run));
        return true;
    };
    bool shortened = false;
    for (unsigned growths = 0; growths < most_growths && !progress_.cancelled(); ++growths) {
        const std::optional<Guess> larger = with_larger_buffers(attempt);
        if (!larger) break;
        const bool of_short = shortened || was_cut_short(attempt);  // perhaps an endless loop, and no short buffer
        if (!run_with(*larger, of_short ? short_limits : limits)) break;
        shortened = of_short;
    }
    if (shortened && was_cut_short(attempt)) run_with(attempt.guess, limits);
    return attempt;
}

/// Nothing where the launch cannot be made so, or takes too long.
std::optional<Attempt> GuessedRun::attempt(const Attempt& base, const Trial& trial) {
    Attempt tried{.guess = base.guess, .changes = base.changes, .plan = {}, .run = nullptr};
    tried.guess.elements.clear();
    tried.changes.push_back(trial.what);
    trial.change(tried.guess);
    progress_.say(fmt::format("trying {}", trial.what));
    auto planned = plan(request_, tried.guess);
    if (!planned) return std::nullopt;
    execute::Limits limits = limits_;
    limits.warp_instructions = std::min(limits.warp_instructions, trial_budget);
    limits.record_bytes = std::min(limits.record_bytes, trial_record);
    auto run = run_kernel(request_, *planned, limits, progress_);
    if (!run) return std::nullopt;
    tried.plan = *std::move(planned);
    tried.run = std::make_unique<KernelRun>(*std::move(run));
    auto large = grown(std::move(tried), limits);
    if (!large) return std::nullopt;
    if (was_cut_short(*large)) {
        ++endless_;
        return std::nullopt;
    }
    // Races are looked for in recorded blocks.
    const bool unrecorded = std::ranges::any_of(
        large->trace().launches, [](const trace::Launch& launch) { return launch.wholly_recorded() == 0; });
    if (unrecorded) return std::nullopt;
    return *std::move(large);
}

/// Blocks as large as the kernel's shared arrays, then the usual ones.
std::vector<trace::Dim3> blocks_for(const Attempt& base) {
    std::vector<trace::Dim3> blocks;
    const std::uint64_t most = model::emulated_device().threads_per_block;
    const auto add = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z = 1) {
        if (x < 2 || y < 1 || x > most || y > most || x * y * z > most) return;
        const trace::Dim3 block{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                                static_cast<std::uint32_t>(z)};
        if (block == base.plan.block || std::ranges::find(blocks, block) != blocks.end()) return;
        if (blocks.size() < most_blocks_tried) blocks.push_back(block);
    };
    if (base.plan.block.z > 1) {
        for (const std::uint64_t side : {2, 4, 8}) add(side, side, side);
        return blocks;
    }
    const bool square = base.plan.block.y > 1;
    for (const ptx::SourceArray& array : base.run->module->arrays) {
        if (array.space != ptx::Space::shared) continue;
        if (array.extents.size() == 1 && !square) add(array.extents[0], 1);
        if (array.extents.size() != 2) continue;
        const std::uint64_t side = std::min(array.extents[0], array.extents[1]);
        if (square) {
            add(side, side);
            add(array.extents[1], array.extents[0]);
            // A block may cover its tile a few rows at a time: NVIDIA's transpose has blocks of 32 x 8 threads.
            for (const std::uint64_t rows : {side / 4, side / 2, side / 8}) add(side, rows);
        } else {
            add(array.extents[0], 1);
            add(array.extents[1], 1);
        }
    }
    constexpr std::uint64_t least = 8, largest = 1024;
    for (std::uint64_t side = least; square && side <= 32; side *= 2) add(side, side);
    for (std::uint64_t threads = 2 * warp_size; !square && threads <= largest; threads *= 2) add(threads, 1);
    return blocks;
}

std::vector<GuessedRun::Trial> GuessedRun::trials_for(const Attempt& base) {
    std::vector<Trial> trials;
    const Plan& plan = base.plan;
    if (plan.guessed.block) {
        for (const trace::Dim3& block : blocks_for(base)) {
            const std::uint64_t wide = 2 * std::uint64_t{block.x};
            const bool flat = block.y < block.x;  // of one block's tile or array
            const std::uint64_t n = plan.grid.count() == 1 && flat ? block.x : std::max(plan.variables.n, wide);
            trials.push_back(
                {fmt::format("blocks of {} {}", model::text_of(block.sides()), noun(block.count(), "thread")),
                 [=](Guess& guess) {
                     guess.block = block;
                     guess.n = n;
                 }});
        }
    }
    const auto fills = [](const ArgumentPlan* buffer) {
        return buffer->kind == ArgumentPlan::Kind::input && buffer->fill.empty() && !is_float(buffer->element);
    };
    const auto buffers = buffers_of(plan.plans);
    std::vector<std::string> filled;
    for (const ArgumentPlan* buffer : buffers)
        if (fills(buffer) && guessed_owner(plan, buffer->parameter) != nullptr) filled.push_back(buffer->parameter);
    const bool whole_numbers = !filled.empty();
    if (whole_numbers) {
        trials.push_back({"0, 1, 2, ... in buffers of whole numbers", [](Guess& guess) { guess.fill = "iota"; }});
        // A loop may end only for positive numbers.
        if (std::ranges::any_of(accusations(base), [](const trace::Finding* finding) {
                return finding->kind == trace::Finding::Kind::infinite_loop;
            }))
            trials.push_back({"1 in buffers of whole numbers", [](Guess& guess) { guess.fill = "ones"; }});
        // Two arrays of indices may differ, or be one shifted by the other.
        for (std::size_t i = 0; filled.size() > 1 && i < std::min(filled.size(), most_filled_alone); ++i)
            trials.push_back({fmt::format("0, 1, 2, ... in {} and 1 in the other buffers of whole numbers", filled[i]),
                              [name = filled[i]](Guess& guess) {
                                  guess.fill = "iota";
                                  guess.filled_alone = name;
                              }});
    }
    const auto is_scalar = [](const ArgumentPlan& argument) {
        return argument.guessed && argument.kind == ArgumentPlan::Kind::value && !argument.bounds_threads &&
               (argument.structure || (argument.plan == "n" && !names_size(argument.parameter)));
    };
    std::vector<std::string> scalars;
    for (const ArgumentPlan& argument : plan.plans)
        if (is_scalar(argument)) scalars.push_back(argument.parameter);
    if (!scalars.empty())
        trials.push_back({"1 for whole numbers that are no sizes", [](Guess& guess) { guess.scalar = 1; }});
    // Distances and counts are not negative.
    if (!scalars.empty() && whole_numbers)
        trials.push_back(
            {"1 for whole numbers that are no sizes, and 1 7 4 0 9 ... in buffers of whole numbers", [](Guess& guess) {
                 guess.scalar = 1;
                 guess.fill = "moderngpu";
                 guess.filled_alone.clear();
             }});
    // Two rows, two buffers or two generations have different numbers.
    for (const bool falling : {false, true}) {
        if (scalars.size() < 2) break;
        trials.push_back({fmt::format("{} for {}", falling ? "..., 1, 0" : "0, 1, ...", fmt::join(scalars, ", ")),
                          [=](Guess& guess) {
                              for (std::size_t i = 0; i < scalars.size(); ++i)
                                  guess.scalars[scalars[i]] = falling ? scalars.size() - 1 - i : i;
                          }});
    }
    if (plan.guessed.shared) {
        for (const std::uint64_t bytes : {std::uint64_t{4096}, std::uint64_t{48} << 10})
            trials.push_back({fmt::format("{} of dynamic shared memory", counted(bytes, "byte")),
                              [=](Guess& guess) { guess.shared_bytes = bytes; }});
    }
    if (plan.guessed.n) {
        for (const std::uint64_t n : {16, 256})
            trials.push_back({fmt::format("n = {}", n), [=](Guess& guess) { guess.n = n; }});
    }
    return trials;
}

void GuessedRun::remember(const Attempt& attempt) {
    Seen& seen = seen_.emplace_back();
    seen.changes = fmt::format("{}", fmt::join(attempt.changes, " and "));
    seen.of_ones = attempt.guess.sizes_too;
    seen.executions = executions_of(attempt.trace());
    for (const trace::Finding* finding : accusations(attempt)) seen.findings.insert(key_of(*finding));
}

/// How many races of the best guess the last one may lack only because it executes less.
std::size_t GuessedRun::hidden(const Attempt& best) const {
    const Seen& last = seen_.back();
    return static_cast<std::size_t>(std::ranges::count_if(accusations(best), [&](const trace::Finding* finding) {
        return !last.findings.contains(key_of(*finding)) &&
               may_hide(*finding, seen_[best_].executions, last.executions);
    }));
}

/// Tries one guess after the other, each compared with the best one so far.
void GuessedRun::guess_again(Attempt& best) {
    for (const Trial& trial : trials_for(best)) {
        if (accusations(best).empty() || progress_.cancelled()) return;
        if (was_cut_short(best) && endless_ >= most_endless) return;
        auto tried = attempt(best, trial);
        if (!tried) continue;
        remember(*tried);
        if (accusations(*tried).size() + hidden(best) >= accusations(best).size()) continue;
        best = *std::move(tried);
        best_ = seen_.size() - 1;
    }
    // An index that depends on a number may be inside of an array with another number.
    const bool numbers = best.plan.guessed.n || std::ranges::any_of(best.plan.plans, [](const ArgumentPlan& argument) {
                             return argument.guessed && argument.kind == ArgumentPlan::Kind::value;
                         });
    if (accusations(best).empty() || !numbers) return;
    const auto single = attempt(best, {"1 for all numbers", [](Guess& guess) {
                                           guess.n = guess.scalar = 1;
                                           guess.sizes_too = true;
                                       }});
    if (single) remember(*single);
}

/// Why it is not known whether the finding is an error of the kernel; nothing: it is one.
std::optional<std::string> GuessedRun::doubt(const Attempt& attempt, const trace::Finding& finding,
                                             bool from_data) const {
    const bool arguments = std::ranges::any_of(attempt.plan.plans, &ArgumentPlan::guessed);
    const ArgumentPlan* const owner = guessed_owner(attempt.plan, finding.variable);
    const auto kind = finding.kind;
    const bool of_memory = kind == FindingKind::out_of_bounds || kind == FindingKind::null_access;
    const auto& buffers = attempt.trace().buffers;
    const bool elsewhere = finding.variable.empty() && of_memory;
    // Another kernel or the host may write the value that a thread waits for in a guessed buffer.
    const bool of_order = kind == FindingKind::race || kind == FindingKind::uninitialized_read;
    if (owner != nullptr && !of_order && kind != FindingKind::misaligned) {
        const auto buffer = std::ranges::find(buffers, finding.variable, &trace::Buffer::name);
        const auto plans = buffers_of(attempt.plan.plans);
        const auto index = static_cast<std::uint32_t>(buffer - buffers.begin());
        const auto needed = index < plans.size() ? needed_elements(attempt, index, *plans[index]) : std::nullopt;
        const std::string size = needed ? fmt::format(" It would need {}, and is guessed with at most {} MiB.",
                                                      counted(*needed, "element"), most_guessed_bytes >> 20)
                                        : "";
        return fmt::format("{} is guessed.{} State it: --arg \"{}=...\".", owner->parameter, size, owner->parameter);
    }
    const bool by_values = kind == FindingKind::assertion || kind == FindingKind::trap || elsewhere;
    if (arguments && by_values) return "The arguments are guessed. State them with --arg.";
    const auto filled = std::ranges::find_if(attempt.plan.plans, [](const ArgumentPlan& argument) {
        return argument.guessed && (argument.kind == ArgumentPlan::Kind::input || !argument.members.empty());
    });
    if (from_data && filled != attempt.plan.plans.end())
        return fmt::format("The index comes from values that are guessed. State them: --arg \"{}=...\".",
                           filled->parameter);
    const auto without = std::ranges::find_if(seen_, [&](const Seen& seen) {
        const bool counts = (!seen.of_ones || of_memory || kind == FindingKind::misaligned) &&
                            !may_hide(finding, seen_[best_].executions, seen.executions);
        return counts && !seen.findings.contains(key_of(finding));
    });
    if (without == seen_.end()) return std::nullopt;
    const std::string other = without->changes.empty() ? "the first guess" : without->changes;
    return fmt::format("It depends on what is guessed: not found with {}. State the launch and the arguments.", other);
}

/// Makes notes of findings that are not known to be errors.
void GuessedRun::take_back(Attempt& attempt) const {
    constexpr std::size_t most_notes = 5;
    std::vector<std::string> unknown;
    attempt.run->emulation->withdraw([&](const trace::Finding& finding, bool from_data) {
        if (finding.kind == FindingKind::step_budget) return false;
        const auto why = doubt(attempt, finding, from_data);
        if (!why) return false;
        const std::string place = fmt::format("line {}", finding.source_line);
        const bool placed = finding.source_line == 0 || finding.message.find(place) != std::string::npos;
        const std::string line = placed ? "" : " in " + place;
        unknown.push_back(fmt::format("Not known: {}{}. {}", finding.message, line, *why));
        return true;
    });
    const std::size_t more = unknown.size() - std::min(unknown.size(), most_notes);
    unknown.resize(unknown.size() - more);
    if (more > 0) unknown.push_back(fmt::format("Not known, likewise: {} more places.", more));
    std::ranges::move(unknown, std::back_inserter(attempt.trace().notes));
}

/// Notes what was guessed again, and how sure the findings are.
void GuessedRun::describe(Attempt& attempt, const std::string& first) const {
    for (const auto& [name, elements] : attempt.guess.elements) {
        attempt.plan.notes.push_back(fmt::format("{} is guessed as {}, because the kernel reaches {}[{}].", name,
                                                 counted(elements, "element"), name, elements - 1));
    }
    if (!attempt.changes.empty())
        attempt.plan.notes.push_back(
            fmt::format("Guessed again: {}. With the first guess, {}.", fmt::join(attempt.changes, " and "), first));
    const auto findings = accusations(attempt);
    std::vector<std::string> guesses;
    for (const Seen& seen : seen_) {
        const bool has_all = std::ranges::all_of(
            findings, [&](const trace::Finding* finding) { return seen.findings.contains(key_of(*finding)); });
        if (has_all) guesses.push_back(seen.changes.empty() ? "the first" : seen.changes);
    }
    if (findings.empty() || guesses.size() < 2) return;
    attempt.plan.notes.push_back(fmt::format("The {} found with each of {} guesses: {}.",
                                             noun(findings.size(), "finding") + verb(findings.size(), " are", " is"),
                                             guesses.size(), fmt::join(guesses, "; ")));
}

/// A launch on guesses is small: a run of seconds is more likely an endless one.
execute::Limits limits_of_guess(execute::Limits limits) {
    constexpr std::uint64_t most = std::uint64_t{1} << 24;
    limits.warp_instructions = std::min(limits.warp_instructions, most);
    return limits;
}

std::expected<KernelRun, Refusal> GuessedRun::run(Plan& plan) {
    Guess guess;
    auto run = run_kernel(request_, plan, limits_, progress_);
    if (!run && plan.bounded_block) {
        guess.block = plan.bounded_block;
        auto bounded = session::plan(request_, guess);
        if (!bounded) return std::unexpected(std::move(bounded.error()));
        plan = *std::move(bounded);
        plan.notes.push_back(fmt::format("The block is guessed: {}, by the bounds that the kernel declares.",
                                         model::text_of(guess.block->sides())));
        run = run_kernel(request_, plan, limits_, progress_);
    }
    if (!run) return run;
    Attempt usual{
        .guess = guess, .changes = {}, .plan = std::move(plan), .run = std::make_unique<KernelRun>(*std::move(run))};
    auto large = grown(std::move(usual), limits_);
    if (!large) return std::unexpected(std::move(large.error()));
    Attempt best = *std::move(large);
    const auto accused = accusations(best);
    const std::string first = accused.empty() ? "" : accused.front()->message;
    if (!accused.empty()) {
        remember(best);
        guess_again(best);
    }
    take_back(best);
    describe(best, first);
    plan = std::move(best.plan);
    return std::move(*best.run);
}

}  // namespace

bool is_guessed(const Plan& plan) {
    if (plan.program.source.built_in) return false;
    const GuessedParts& parts = plan.guessed;
    return parts.block || parts.n || parts.shared || std::ranges::any_of(plan.plans, &ArgumentPlan::guessed);
}

std::expected<KernelRun, Refusal> run_guessed(const Request& request, Plan& plan, const execute::Limits& limits,
                                              Progress& progress) {
    const execute::Limits these = plan.guessed.n ? limits_of_guess(limits) : limits;
    return GuessedRun(request, these, progress).run(plan);
}

}  // namespace lanescope::session
