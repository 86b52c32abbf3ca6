#include "session/schedule_search.h"

#include "base/grouped.h"
#include "execute/emulator/emulation.h"
#include "execute/emulator/rerun.h"
#include "execute/emulator/schedule.h"
#include "session/multiprocessors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace lanescope::session {

namespace {

using execute::Hold;
using FindingKind = trace::Finding::Kind;

/// So many of the tried schedules are shuffled; the others aim at the pair.
constexpr std::size_t shuffles = 16;
/// Other threads at the line of a pair that are tried, too: those of the pair are only the first that raced.
constexpr std::size_t most_other_threads = 6;

/// The faults that a sound kernel has under no order of threads.
constexpr std::array faults{FindingKind::deadlock,   FindingKind::infinite_loop, FindingKind::trap,
                            FindingKind::assertion,  FindingKind::out_of_bounds, FindingKind::misaligned,
                            FindingKind::null_access};

/// A thread at a line, and how often it had come there.
struct Access {
    BlockId block;
    WarpId warp;
    unsigned lane = 0;
    PtxLine line;
    std::uint32_t time = 0;  ///< from 1; 0: not recorded
};

/// How often the thread had come to the instruction of that recorded step, this time included.
std::uint32_t time_of(const trace::Trace& trace, const Access& access, std::uint32_t launch,
                      std::optional<StepId> until) {
    if (!until) return 0;
    std::uint32_t times = 0;
    for (std::uint32_t i = trace.launches[launch].first_step.value; i <= until->value; ++i) {
        const trace::Step& step = trace.steps()[i];
        times += step.block == access.block && step.warp == access.warp && step.line == access.line &&
                         step.executed.has(access.lane)
                     ? 1U
                     : 0U;
    }
    return times;
}

/// Volatile, relaxed and releasing stores to global memory.
bool is_strong_store(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    return instruction.action() == ptx::Action::store &&
           (modifiers.is_volatile || modifiers.order != ptx::Order::weak) &&
           (modifiers.space == ptx::Space::global || modifiers.space == ptx::Space::generic);
}

bool writes_memory(const ptx::Module& module, const trace::Launch& launch, PtxLine line) {
    const ptx::Function* kernel = module.find(launch.kernel);
    if (kernel == nullptr) return false;
    const auto stores = [&](const ptx::Function& function) {
        const auto found = function.instruction_at(line);
        return found && function.instructions[*found].action() == ptx::Action::store;
    };
    return std::ranges::any_of(module.functions, stores);
}

/// Threads of other warps, and the last lane of each, that execute the line, too.
std::vector<Access> others_at(const trace::Trace& trace, std::uint32_t launch, const Access& one) {
    std::vector<Access> others;
    std::set<std::pair<BlockId, WarpId>> seen;
    const trace::Launch& of = trace.launches[launch];
    for (std::uint32_t i = of.first_step.value; i < of.past_last_step.value; ++i) {
        const trace::Step& step = trace.steps()[i];
        if (step.line != one.line || step.executed.none() || !seen.insert({step.block, step.warp}).second) continue;
        unsigned last = 0;
        for (const unsigned lane : step.executed) last = lane;
        for (const unsigned lane : std::set<unsigned>{step.executed.lowest(), last}) {
            if (step.block == one.block && step.warp == one.warp && lane == one.lane) continue;
            others.push_back({.block = step.block, .warp = step.warp, .lane = lane, .line = one.line});
            if (others.size() == most_other_threads) return others;
        }
    }
    return others;
}

const trace::Buffer* buffer_named(const trace::Trace& trace, const std::string& name) {
    const auto found = std::ranges::find(trace.buffers, name, &trace::Buffer::name);
    return found == trace.buffers.end() ? nullptr : &*found;
}

/// The first element that differs from the run's, of the buffers that the host reads back or, where none is known to be
/// read, of all.
std::optional<Spoiled> first_other(const trace::Trace& run, const trace::Trace& now) {
    const bool some_read = std::ranges::any_of(run.buffers, &trace::Buffer::output);
    for (std::size_t i = 0; i < std::min(run.buffers.size(), now.buffers.size()); ++i) {
        const trace::Buffer &before = run.buffers[i], &after = now.buffers[i];
        if ((some_read && !before.output) || before.final.size() != after.final.size() || before.final == after.final)
            continue;
        const auto bytes = trace::bytes_of(before.element);
        const auto differ = std::ranges::mismatch(before.final, after.final);
        const auto at = static_cast<std::uint64_t>(differ.in1 - before.final.begin()) / bytes;
        const auto text = [&](const trace::Buffer& buffer) {
            return trace::text_of(before.element, trace::bits_at(before.element, buffer.final.span(), at));
        };
        return Spoiled{.schedule = {},
                       .buffer = before.name,
                       .element = at,
                       .address = before.address + at * bytes,
                       .expected = text(before),
                       .found = text(after),
                       .fault = {}};
    }
    return std::nullopt;
}

std::optional<Spoiled> new_fault(const trace::Trace& run, const trace::Trace& now) {
    for (const trace::Finding& finding : now.findings) {
        if (std::ranges::find(faults, finding.kind) == faults.end()) continue;
        const auto same = [&](const trace::Finding& other) {
            return other.kind == finding.kind && other.line == finding.line && other.variable == finding.variable;
        };
        if (std::ranges::any_of(run.findings, same)) continue;
        return Spoiled{.schedule = {}, .buffer = {}, .expected = {}, .found = {}, .fault = finding.message};
    }
    return std::nullopt;
}

/// Whether the order of threads may change its result although it is in no race: two strong accesses do not race.
bool depends_on_order(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    switch (instruction.action()) {
        case ptx::Action::atomic:
        case ptx::Action::active_mask:
        case ptx::Action::mbarrier_wait: return true;
        case ptx::Action::load:
        case ptx::Action::store: return modifiers.is_volatile || modifiers.order != ptx::Order::weak;
        default: return ptx::reads_clock(instruction);
    }
}

bool may_depend_on_order(const ptx::Module& module) {
    return std::ranges::any_of(module.functions, [](const ptx::Function& function) {
        return std::ranges::any_of(function.instructions, depends_on_order);
    });
}

/// Runs the launches of a run again, each time under another schedule.
class Repeater {
  public:
    Repeater(const Run& run, Progress& progress)
        : run_(run), program_(execute::rerun_of(run.trace(), run.module())), progress_(progress) {
        // A schedule makes threads wait, and so others poll for longer.
        constexpr std::uint64_t longer = 16, least = std::uint64_t{1} << 20;
        limits_ = {.record_blocks = 0,
                   .record_registers = false,
                   .warp_instructions = least + longer * run.trace().totals().warp_instructions,
                   .checked = execute::Checked::no_blocks};
        limits_.multiprocessors = multiprocessors_of(run.request, run.program.recipe);
    }

    enum class End : std::uint8_t { same, spoiled, unknown };
    /// The difference is in spoiled().
    Result<End> run(const std::string& text) {
        const Result<execute::Schedule> schedule = execute::read_schedule(text);
        if (!schedule) return std::unexpected(schedule.error());
        limits_.schedule = *schedule;
        // What a load may still return follows from what the check knows to be ordered before it.
        const bool stale =
            std::ranges::any_of(schedule->holds, [](const Hold& h) { return h.kind == Hold::Kind::stale; });
        limits_.checked = stale ? execute::Checked::all_blocks : execute::Checked::no_blocks;
        const auto made = execute::emulate(run_.module(), program_, limits_, progress_);
        if (!made) return std::unexpected(made.error());
        const trace::Trace& trace = **made;
        if (progress_.cancelled()) return End::unknown;
        spoiled_ = new_fault(run_.trace(), trace);
        if (!spoiled_ && trace.is_cut_short()) return End::unknown;
        if (!spoiled_) spoiled_ = difference(trace);
        if (!spoiled_) return End::same;
        spoiled_->open = spoiled_->fault.empty() && !spoiled_->by_reference && may_depend_on_order(run_.module());
        spoiled_->schedule = text;
        return End::spoiled;
    }
    [[nodiscard]] const std::optional<Spoiled>& spoiled() const { return spoiled_; }

  private:
    std::optional<Spoiled> difference(const trace::Trace& trace) {
        std::vector<std::string> notes;
        const Verdict verdict = judge(run_.program, run_.arguments, trace, notes);
        if (!verdict.ok) return first_other(run_.trace(), trace);
        if (*verdict.ok) return std::nullopt;
        const trace::Buffer* buffer = buffer_named(trace, verdict.output);
        return Spoiled{.schedule = {},
                       .buffer = verdict.output,
                       .element = verdict.first_difference,
                       .address = buffer == nullptr
                                      ? 0
                                      : buffer->address + verdict.first_difference * trace::bytes_of(verdict.element),
                       .expected = verdict.expected_there,
                       .found = verdict.actual_there,
                       .by_reference = true,
                       .fault = {}};
    }

    const Run& run_;
    execute::Program program_;
    execute::Limits limits_;
    Progress& progress_;
    std::optional<Spoiled> spoiled_;
};

std::vector<std::pair<std::string, std::optional<std::size_t>>> strong_store_schedules(const Run& run,
                                                                                       std::size_t tries) {
    std::vector<std::pair<std::string, std::optional<std::size_t>>> all;
    for (std::string& text : schedules_for_strong_stores(run.trace(), run.module())) {
        if (all.size() == tries) break;
        all.emplace_back(std::move(text), std::nullopt);
    }
    return all;
}

/// The schedules of all races in turn: the first one of each race, then the second ones, and so on.
std::vector<std::pair<std::string, std::optional<std::size_t>>> all_schedules(const Run& run,
                                                                              const std::vector<std::size_t>& races,
                                                                              std::size_t tries) {
    const trace::Trace& trace = run.trace();
    std::vector<std::vector<std::string>> of_race;
    of_race.reserve(races.size());
    for (const std::size_t race : races) of_race.push_back(schedules_for(trace, run.module(), trace.findings[race]));
    std::vector<std::pair<std::string, std::optional<std::size_t>>> all;
    std::set<std::string> seen;
    const std::size_t aimed = tries - std::min(shuffles, tries / 2);
    for (std::size_t rank = 0, left = 1; left > 0; ++rank) {
        left = 0;
        for (std::size_t i = 0; i < races.size(); ++i) {
            if (rank >= of_race[i].size()) continue;
            ++left;
            if (all.size() < aimed && seen.insert(of_race[i][rank]).second)
                all.emplace_back(of_race[i][rank], races[i]);
        }
    }
    // A shuffled schedule aims at no pair: it does not show which race makes the result wrong.
    const bool is_one = std::ranges::count_if(trace.findings, may_spoil) == 1;
    for (std::size_t seed = 1; seed <= shuffles && all.size() < tries; ++seed)
        all.emplace_back(fmt::format("shuffled {}", seed), is_one ? std::optional(races.front()) : std::nullopt);
    return all;
}

}  // namespace

bool may_spoil(const trace::Finding& finding) {
    const bool of_order = finding.kind == FindingKind::race || finding.kind == FindingKind::missing_fence;
    return of_order && finding.other && finding.line.valid() && finding.other->line.valid();
}

std::vector<std::string> schedules_for(const trace::Trace& trace, const ptx::Module& module,
                                       const trace::Finding& race) {
    std::vector<std::string> schedules;
    if (!may_spoil(race)) return schedules;
    Access later{.block = race.block, .warp = race.warp, .lane = race.lane.value, .line = race.line};
    const trace::Finding::Side& side = *race.other;
    Access earlier{.block = side.block, .warp = side.warp, .lane = side.lane.value, .line = side.line};
    later.time = time_of(trace, later, race.launch, race.step);
    earlier.time = time_of(trace, earlier, race.launch, side.step);

    std::optional<std::uint32_t> launch;
    if (trace.launches.size() > 1) launch = race.launch;
    const auto text = [&](Hold::Kind kind, const Access& access, bool lane, std::uint32_t time) {
        return execute::text_of(Hold{.kind = kind,
                                     .launch = launch,
                                     .block = access.block,
                                     .warp = access.warp,
                                     .lane = lane ? std::optional(access.lane) : std::nullopt,
                                     .line = access.line,
                                     .time = time});
    };
    constexpr Hold::Kind held = Hold::Kind::hold, delayed = Hold::Kind::delay;
    // A fence is missing between two reads.
    if (race.kind == FindingKind::missing_fence && !writes_memory(module, trace.launches[race.launch], race.line))
        schedules.push_back(text(Hold::Kind::stale, later, true, 0));
    const bool one_warp = later.block == earlier.block && later.warp == earlier.warp;
    // The earlier access is held back until the later one has happened; then the other way round, so that it comes
    // after what it happened to precede.
    for (const Access& access : {earlier, later}) {
        if (!one_warp) schedules.push_back(text(held, access, false, 0));
        schedules.push_back(text(held, access, true, 0));
        if (access.time > 0) schedules.push_back(text(held, access, true, access.time));
    }
    for (const Access& access : {earlier, later}) {
        if (!writes_memory(module, trace.launches[race.launch], access.line)) continue;
        schedules.push_back(text(delayed, access, false, 0));
        schedules.push_back(text(delayed, access, true, 0));
        if (access.time > 0) schedules.push_back(text(delayed, access, true, access.time));
    }
    for (const Access& access : {earlier, later}) {
        for (const Access& other : others_at(trace, race.launch, access)) {
            schedules.push_back(text(held, other, true, 0));
            if (writes_memory(module, trace.launches[race.launch], access.line))
                schedules.push_back(text(delayed, other, true, 0));
        }
    }
    return schedules;
}

std::vector<std::string> schedules_for_strong_stores(const trace::Trace& trace, const ptx::Module& module) {
    std::set<PtxLine> lines;
    for (const ptx::Function& function : module.functions)
        for (const ptx::Instruction& instruction : function.instructions)
            if (is_strong_store(instruction)) lines.insert(instruction.line);
    std::vector<std::string> first, others;
    for (std::uint32_t launch = 0; launch < trace.launches.size() && !lines.empty(); ++launch) {
        const trace::Launch& of = trace.launches[launch];
        if (of.grid.count() < 2) continue;  // no other block sees it late
        const auto text = [&](const Access& access) {
            return execute::text_of(Hold{.kind = Hold::Kind::delay,
                                         .launch = trace.launches.size() > 1 ? std::optional(launch) : std::nullopt,
                                         .block = access.block,
                                         .warp = access.warp,
                                         .lane = access.lane,
                                         .line = access.line});
        };
        std::set<PtxLine> seen;
        for (std::uint32_t i = of.first_step.value; i < of.past_last_step.value; ++i) {
            const trace::Step& step = trace.steps()[i];
            if (step.executed.none() || !lines.contains(step.line) || !seen.insert(step.line).second) continue;
            const Access one{.block = step.block, .warp = step.warp, .lane = step.executed.lowest(), .line = step.line};
            first.push_back(text(one));
            for (const Access& other : others_at(trace, launch, one)) others.push_back(text(other));
        }
    }
    first.insert(first.end(), others.begin(), others.end());
    return first;
}

constexpr std::size_t tries_of_early_end = 8;  // each access of a race held and delayed, as a warp and as a lane

Result<ScheduleSearch> search_schedule(const Run& run, std::optional<std::size_t> only, std::size_t tries,
                                       Progress& progress) {
    const trace::Trace& trace = run.trace();
    ScheduleSearch search;
    std::vector<std::size_t> races;
    for (std::size_t i = 0; i < trace.findings.size(); ++i)
        if (may_spoil(trace.findings[i]) && (!only || *only == i)) races.push_back(i);
    search.races = races.size();
    search.wrong_already = run.verdict.ok == false;
    search.ends_early = trace.is_cut_short();
    if (search.wrong_already) return search;
    const bool any_race = std::ranges::any_of(trace.findings, may_spoil);
    auto schedules = races.empty() ? std::vector<std::pair<std::string, std::optional<std::size_t>>>()
                                   : all_schedules(run, races, tries);
    if (!any_race && !only) {
        schedules = strong_store_schedules(run, tries);
        search.strong_stores = schedules.size();
    }
    if (schedules.empty()) return search;
    if (std::ranges::find(trace.notes, execute::host_writes_dropped) != trace.notes.end())
        return fail("the run cannot be repeated under other schedules", {},
                    "Choose a smaller problem size: the host writes more between the launches than is recorded.");

    Repeater repeater(run, progress);
    std::optional<Spoiled> open;
    for (const auto& [schedule, race] : schedules) {
        progress.report(static_cast<float>(search.tried) / static_cast<float>(schedules.size()));
        progress.say(fmt::format("schedule {} of at most {}", search.tried + 1, schedules.size()));
        const Result<Repeater::End> end = repeater.run(schedule);
        if (!end) return std::unexpected(end.error());
        search.cancelled = progress.cancelled();
        if (search.cancelled) return search;
        ++search.tried;
        if (*end == Repeater::End::unknown) ++search.unknown;
        // A kernel that stops itself under any order has no result to compare.
        if (search.ends_early && search.unknown == tries_of_early_end && search.tried == search.unknown) return search;
        if (*end != Repeater::End::spoiled) continue;
        Spoiled found = *repeater.spoiled();
        found.finding = race;
        if (!found.open) {
            search.found = std::move(found);
            return search;
        }
        if (!open) open = std::move(found);
    }
    search.found = std::move(open);
    return search;
}

Result<std::optional<Spoiled>> spoiled_under(const Run& run, const std::string& schedule, Progress& progress) {
    Repeater repeater(run, progress);
    const Result<Repeater::End> end = repeater.run(schedule);
    if (!end) return std::unexpected(end.error());
    return *end == Repeater::End::spoiled ? repeater.spoiled() : std::nullopt;
}

std::string text_of(const ScheduleSearch& search) {
    if (search.cancelled) return fmt::format("The search was cancelled after {}.", counted(search.tried, "schedule"));
    if (search.wrong_already && search.races > 0)
        return "The result of this run is wrong already; no other schedule was tried.";
    if (search.races == 0 && search.strong_stores == 0) return "There is no race, so no schedule was tried.";
    const std::string no_race =
        search.races > 0 ? ""
                         : "There is no race. The order of volatile and relaxed stores is not checked; schedules were "
                           "tried under which other threads see one of them late. ";
    if (!search.found) {
        std::string text = no_race;
        text += fmt::format("None of {} that were tried spoils the result. That proves nothing: others may.",
                            counted(search.tried, "schedule"));
        if (search.unknown > 0)
            text +=
                fmt::format(" {} {}", counted(search.unknown, "schedule"),
                            search.ends_early ? "stopped before the end, as this run did; what follows is not compared."
                                              : "did not end within the budget.");
        if (search.ends_early && search.unknown == search.tried)
            text += " No further one was tried: correct what stops the kernel first.";
        return text;
    }
    const Spoiled& found = *search.found;
    if (!found.fault.empty())
        return no_race + fmt::format("Under the schedule \"{}\": {}", found.schedule, found.fault);
    std::string text = no_race + fmt::format("Under the schedule \"{}\" {}[{}] is {}; {} {}.", found.schedule,
                                             found.buffer, grouped(found.element), found.found,
                                             found.by_reference ? "the CPU reference gives"
                                                                : "in this run, without a reference, it is",
                                             found.expected);
    if (found.open && search.races == 0)
        text +=
            " That is no proof: without a CPU reference (`oracle`) it is not known whether the result may depend on "
            "the order of threads.";
    else if (search.races == 0)
        text += " If a flag tells other blocks that the stored value is ready, it needs a __threadfence() before it.";
    else if (found.open)
        text +=
            " That is no proof: the order of atomic or volatile accesses, the active mask and clocks may change a "
            "result, too, and without a CPU reference (`oracle`) it is not known whether the race does.";
    return text;
}

}  // namespace lanescope::session
