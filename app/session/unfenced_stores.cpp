#include "session/unfenced_stores.h"

#include "analysis/dataflow/provenance.h"
#include "analysis/source/display_names.h"
#include "analysis/source/source_line.h"
#include "execute/emulator/emulation.h"
#include "execute/emulator/schedule.h"
#include "session/refusal.h"
#include "session/schedule_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanescope::session {

namespace {

using trace::Effect;

/// Two accesses of this kind do not race.
bool is_strong(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    return instruction.action() == ptx::Action::atomic || modifiers.is_volatile || modifiers.order != ptx::Order::weak;
}

bool is_release(const ptx::Instruction& instruction) {
    const ptx::Order order = instruction.modifiers.order;
    return order == ptx::Order::release || order == ptx::Order::acq_rel || order == ptx::Order::sc;
}

bool is_acquire(const ptx::Instruction& instruction) {
    const ptx::Order order = instruction.modifiers.order;
    return order == ptx::Order::acquire || order == ptx::Order::acq_rel || order == ptx::Order::sc;
}

/// Whether a fence, a release or an acquire is one for the threads of other blocks.
bool reaches_other_blocks(const ptx::Instruction& instruction) {
    return instruction.modifiers.scope != ptx::Scope::cta && instruction.modifiers.scope != ptx::Scope::cluster;
}

/// A strong store to global memory that may carry a message, or wait for one.
bool stores_for_others(const ptx::Instruction& instruction) {
    const ptx::Space space = instruction.modifiers.space;
    const bool writes = instruction.action() == ptx::Action::atomic || instruction.action() == ptx::Action::store;
    return writes && is_strong(instruction) && (space == ptx::Space::global || space == ptx::Space::generic);
}

/// Walks the recorded steps of a launch in their order.
class Walk {
  public:
    explicit Walk(const Run& run) : trace_(run.trace()), instructions_(run.analysis->provenance->instructions()) {}

    void launch(const trace::Launch& launch) {
        writes_.clear();
        blocks_.clear();
        for (StepId id = launch.first_step; id < launch.past_last_step; id = StepId(id.value + 1)) {
            const trace::Step& step = trace_.step(id);
            const analysis::InstructionInfo* const line = instructions_.at(step.line);
            if (line == nullptr || step.executed.none()) continue;
            const ptx::Instruction& instruction = *line->instruction;
            if (instruction.action() == ptx::Action::block_barrier) blocks_[step.block].barriers.push_back(id);
            if (instruction.action() == ptx::Action::fence && reaches_other_blocks(instruction))
                for (const unsigned lane : step.executed) blocks_[step.block].fences[{step.warp, lane}].push_back(id);
            accesses(id, step, instruction);
            if (found_.size() == most_unfenced) return;
        }
    }
    /// Each pair of lines once.
    [[nodiscard]] const std::vector<UnfencedStores>& found() const { return found_; }

  private:
    using Thread = std::pair<WarpId, unsigned>;
    struct Write {
        LaneAccess access;
        BlockId block;
        Thread thread;
        bool strong = false, releases = false;
    };
    struct Seen {
        Write flag;
        Thread by;
        LaneAccess at;
        bool acquires = false;
    };
    struct Block {
        std::vector<StepId> barriers;
        std::map<Thread, std::vector<StepId>> fences;
        std::vector<Seen> seen;  ///< flags of other blocks, each once
    };

    void accesses(StepId id, const trace::Step& step, const ptx::Instruction& instruction) {
        for (const Effect& effect : trace_.effects(step)) {
            if (!trace::is_access(effect.kind) || effect.space != trace::Space::global) continue;
            for (const unsigned lane : effect.lanes) {
                for (unsigned e = 0; e < effect.elements; ++e) {
                    const LaneAccess access{.step = id,
                                            .lane = lane,
                                            .address = trace_.address(effect, lane) + std::uint64_t{e} * effect.bytes,
                                            .bytes = effect.bytes};
                    if (trace::is_read(effect.kind) && is_strong(instruction))
                        read(access, step, instruction, effect.kind == trace::EffectKind::load);
                    if (trace::is_write(effect.kind))
                        writes_[access.address] = {
                            .access = access,
                            .block = step.block,
                            .thread = {step.warp, lane},
                            .strong = is_strong(instruction),
                            .releases = is_release(instruction) && reaches_other_blocks(instruction)};
                }
            }
        }
    }

    /// An atomic reads the newest value of its word: only a load may find an older one.
    void read(const LaneAccess& access, const trace::Step& step, const ptx::Instruction& instruction, bool may_be_old) {
        const auto found = writes_.find(access.address);
        if (found == writes_.end() || !found->second.strong || found->second.block == step.block) return;
        const Write& write = found->second;
        Block& own = blocks_[step.block];
        const Thread reader{step.warp, access.lane};
        for (const Seen& seen : own.seen) {
            const Write& flag = seen.flag;
            if (!may_be_old || flag.block != write.block || flag.access.step <= write.access.step) continue;
            if (flag.access.address == access.address) continue;
            if (seen.by != reader && !between(own.barriers, seen.at.step, access.step)) continue;
            const bool stores = is_ordered(write, flag), reads = reads_ordered(own, seen, reader, access.step);
            if (stores && reads) continue;
            keep({.value = write.access,
                  .flag = flag.access,
                  .flag_read = seen.at,
                  .read = access,
                  .stores_ordered = stores,
                  .reads_ordered = reads});
        }
        constexpr std::size_t most_seen = 64;  // the newest flags are those that count
        const auto same = [&](const Seen& seen) {
            return seen.flag.access.step == write.access.step && seen.flag.access.address == write.access.address &&
                   seen.by == reader;
        };
        if (std::ranges::any_of(own.seen, same)) return;
        if (own.seen.size() == most_seen) own.seen.erase(own.seen.begin());
        own.seen.push_back({.flag = write,
                            .by = reader,
                            .at = access,
                            .acquires = is_acquire(instruction) && reaches_other_blocks(instruction)});
    }

    void keep(const UnfencedStores& stores) {
        const auto lines = [&](const UnfencedStores& of) {
            return std::tuple(trace_.step(of.value.step).line, trace_.step(of.flag.step).line,
                              trace_.step(of.read.step).line, of.stores_ordered);
        };
        const auto same = [&](const UnfencedStores& other) { return lines(other) == lines(stores); };
        if (found_.size() < most_unfenced && std::ranges::none_of(found_, same)) found_.push_back(stores);
    }

    static bool between(const std::vector<StepId>& steps, StepId after, StepId before) {
        const auto next = std::ranges::upper_bound(steps, after);
        return next != steps.end() && *next < before;
    }

    /// By a fence or a release, or because it is not known that one store comes before the other.
    bool is_ordered(const Write& value, const Write& flag) {
        if (flag.releases) return true;
        const Block& block = blocks_[value.block];
        if (value.thread != flag.thread && !between(block.barriers, value.access.step, flag.access.step)) return true;
        return fenced(block, {value.thread, flag.thread}, value.access.step, flag.access.step);
    }

    /// A block barrier between the two reads counts as a fence, as it does in the check for races.
    static bool reads_ordered(const Block& block, const Seen& seen, const Thread& reader, StepId read) {
        return seen.acquires || between(block.barriers, seen.at.step, read) ||
               fenced(block, {seen.by, reader}, seen.at.step, read);
    }

    static bool fenced(const Block& block, std::array<Thread, 2> threads, StepId after, StepId before) {
        return std::ranges::any_of(threads, [&](const Thread& thread) {
            const auto fences = block.fences.find(thread);
            return fences != block.fences.end() && between(fences->second, after, before);
        });
    }

    const trace::Trace& trace_;
    const analysis::InstructionTable& instructions_;
    std::unordered_map<std::uint64_t, Write> writes_;  ///< the newest, by address
    std::map<BlockId, Block> blocks_;
    std::vector<UnfencedStores> found_;
};

/// The file that the kernel is in, if that is not the main source; its lines are those of that file.
std::string other_file(const Run& run, std::uint32_t launch) {
    const ptx::Function* const kernel = run.module().find(run.trace().launches[launch].kernel);
    if (kernel == nullptr) return {};
    const std::string file = analysis::file_of(run.module(), *kernel);
    for (const trace::SourceText& other : run.trace().origin.other_sources)
        if (file.ends_with("/" + other.name)) return other.name;
    return {};
}

/// In the file that Source shows: a .ptx has its own line numbers, and `atomicAdd` may be a function of the toolkit's.
std::uint32_t line_of(const Run& run, const LaneAccess& access) {
    const trace::Step& at = run.trace().step(access.step);
    if (run.trace().origin.source.empty()) return at.line.value;
    analysis::StepLines lines(run.module(), run.analysis->provenance->instructions());
    std::uint32_t line = 0;
    for (StepId id = run.trace().launches[at.launch].first_step; id <= access.step; id = StepId(id.value + 1)) {
        const trace::Step& step = run.trace().step(id);
        if (step.block == at.block && step.warp == at.warp) line = lines.next(step);
    }
    return line;
}

/// "the stores to carry[0] in line 17 and ...", the beginning of a sentence.
std::string text_of(const Run& run, const UnfencedStores& stores) {
    const trace::Trace& trace = run.trace();
    const std::uint32_t launch = trace.step(stores.value.step).launch;
    const auto name = [&](const LaneAccess& access) {
        return analysis::memory_name(trace, run.module(), launch, trace::Space::global, access.address, access.bytes);
    };
    if (stores.stores_ordered)
        return fmt::format(
            "no fence orders the reads of {} in line {} and of {} in line {}: block {}, which has seen the store to "
            "{} in line {}, may read an older {} than that of line {}",
            name(stores.flag), line_of(run, stores.flag_read), name(stores.value), line_of(run, stores.read),
            trace.step(stores.read.step).block.value, name(stores.flag), line_of(run, stores.flag), name(stores.value),
            line_of(run, stores.value));
    return fmt::format(
        "no fence orders the stores to {} in line {} and to {} in line {}: block {}, which has seen the second, may "
        "read an older {} in line {}",
        name(stores.value), line_of(run, stores.value), name(stores.flag), line_of(run, stores.flag),
        trace.step(stores.read.step).block.value, name(stores.value), line_of(run, stores.read));
}

/// The finding at the second access of the pair that lacks the fence, with the first one as its other access.
trace::Finding finding_of(const Run& run, const UnfencedStores& stores) {
    const trace::Trace& trace = run.trace();
    const LaneAccess& first = stores.stores_ordered ? stores.flag_read : stores.value;
    const LaneAccess& second = stores.stores_ordered ? stores.read : stores.flag;
    const trace::Step &earlier = trace.step(first.step), &later = trace.step(second.step);
    trace::Finding finding;
    finding.kind = trace::Finding::Kind::missing_fence;
    finding.launch = later.launch;
    finding.block = later.block;
    finding.warp = later.warp;
    finding.lane = LaneId(second.lane);
    finding.line = later.line;
    const bool of_source = !trace.origin.source.empty();
    if (of_source) finding.source_line = line_of(run, second);
    finding.source_file = other_file(run, later.launch);
    finding.address = second.address;
    finding.step = second.step;
    if (const trace::Buffer* const buffer = trace.buffer_at(second.address))
        finding.variable = trace.buffer_name(later.launch, *buffer);
    finding.other = trace::Finding::Side{.block = earlier.block,
                                         .warp = earlier.warp,
                                         .lane = LaneId(first.lane),
                                         .line = earlier.line,
                                         .source_line = of_source ? line_of(run, first) : 0,
                                         .step = first.step};
    return finding;
}

/// The first store is seen late; where that changes nothing, as when a barrier or a fence of block scope follows it,
/// the read returns an old value.
std::optional<Spoiled> spoiled_by(const Run& run, const UnfencedStores& stores, Progress& progress) {
    const trace::Trace& trace = run.trace();
    const auto hold = [&](execute::Hold::Kind kind, const LaneAccess& access) {
        const trace::Step& step = trace.step(access.step);
        return execute::text_of(
            execute::Hold{.kind = kind,
                          .launch = trace.launches.size() > 1 ? std::optional(step.launch) : std::nullopt,
                          .block = step.block,
                          .warp = step.warp,
                          .lane = access.lane,
                          .line = step.line});
    };
    std::vector<std::string> schedules;
    if (!stores.stores_ordered) schedules.push_back(hold(execute::Hold::Kind::delay, stores.value));
    schedules.push_back(hold(execute::Hold::Kind::stale, stores.read));
    for (const std::string& schedule : schedules) {
        auto spoiled = spoiled_under(run, schedule, progress);
        if (spoiled && *spoiled) return std::move(**spoiled);
    }
    return std::nullopt;
}

UnfencedReport report_of(const Run& run, const UnfencedStores& stores, Progress& progress) {
    const trace::Trace& trace = run.trace();
    const std::string text = text_of(run, stores);
    if (trace.totals().warp_instructions > most_rerun ||
        std::ranges::find(trace.notes, execute::host_writes_dropped) != trace.notes.end())
        return {{}, sentence(text) + " Whether that spoils the result, `lanescope schedule` finds out."};
    const std::optional<Spoiled> spoiled = spoiled_by(run, stores, progress);
    if (!spoiled) return {};
    const Spoiled& how = *spoiled;
    const std::string outcome = how.fault.empty()
                                    ? fmt::format("under --schedule \"{}\", {}[{}] is {} and not {}", how.schedule,
                                                  how.buffer, how.element, how.found, how.expected)
                                    : fmt::format("under --schedule \"{}\": {}", how.schedule, how.fault);
    const bool guessed = run.guessed.block || run.guessed.n || run.guessed.grid;
    if (how.open || (guessed && !how.by_reference))
        return {
            {},
            fmt::format("{} {} {} A __threadfence() between the two {} orders them.", sentence(text), sentence(outcome),
                        how.fault.empty() ? "Without a CPU reference it is not known whether both are right."
                                          : "The launch is guessed, which may be the reason.",
                        stores.stores_ordered ? "reads" : "stores")};
    trace::Finding finding = finding_of(run, stores);
    finding.message = text + "; " + outcome;
    return {std::move(finding), {}};
}

}  // namespace

bool may_have_unfenced_stores(const Run& run) {
    const auto stores = [](const ptx::Function& function) {
        return std::ranges::count_if(function.instructions, stores_for_others);
    };
    std::ptrdiff_t strong = 0;
    for (const ptx::Function& function : run.module().functions) strong += stores(function);
    return strong >= 2;
}

std::vector<UnfencedStores> unfenced_stores(const Run& run) {
    if (!may_have_unfenced_stores(run)) return {};
    Walk walk(run);
    for (const trace::Launch& launch : run.trace().launches)
        if (launch.recorded.size() > 1) walk.launch(launch);
    return walk.found();
}

UnfencedReport report_unfenced_stores(const Run& run, Progress& progress) {
    const trace::Trace& trace = run.trace();
    const bool races = std::ranges::any_of(trace.findings, may_spoil);
    if (races || run.verdict.ok == false || trace.is_cut_short()) return {};
    for (const UnfencedStores& stores : unfenced_stores(run)) {
        UnfencedReport report = report_of(run, stores, progress);
        if (report.finding || !report.note.empty() || progress.cancelled()) return report;
    }
    return {};
}

}  // namespace lanescope::session
