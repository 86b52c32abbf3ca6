#include "session/unfenced_stores.h"

#include "analysis/dataflow/provenance.h"
#include "analysis/source/display_names.h"
#include "analysis/source/source_line.h"
#include "execute/emulator/emulation.h"
#include "execute/emulator/schedule.h"
#include "session/schedule_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace lanescope::session {

namespace {

using trace::Effect;

/// Two of these are no data race.
bool is_strong(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    return instruction.action() == ptx::Action::atomic || modifiers.is_volatile || modifiers.order != ptx::Order::weak;
}

bool is_release(const ptx::Instruction& instruction) {
    const ptx::Order order = instruction.modifiers.order;
    return order == ptx::Order::release || order == ptx::Order::acq_rel || order == ptx::Order::sc;
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

    std::optional<UnfencedStores> launch(const trace::Launch& launch) {
        writes_.clear();
        blocks_.clear();
        for (StepId id = launch.first_step; id < launch.past_last_step; id = StepId(id.value + 1)) {
            const trace::Step& step = trace_.step(id);
            const analysis::InstructionInfo* const line = instructions_.at(step.line);
            if (line == nullptr || step.executed.none()) continue;
            const ptx::Instruction& instruction = *line->instruction;
            if (instruction.action() == ptx::Action::block_barrier) blocks_[step.block].barriers.push_back(id);
            if (instruction.action() == ptx::Action::fence)
                for (const unsigned lane : step.executed) blocks_[step.block].fences[{step.warp, lane}].push_back(id);
            if (auto found = accesses(id, step, instruction)) return found;
        }
        return std::nullopt;
    }

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
        StepId at;
    };
    struct Block {
        std::vector<StepId> barriers;
        std::map<Thread, std::vector<StepId>> fences;
        std::vector<Seen> seen;  ///< flags of other blocks, each once
    };

    std::optional<UnfencedStores> accesses(StepId id, const trace::Step& step, const ptx::Instruction& instruction) {
        for (const Effect& effect : trace_.effects(step)) {
            if (!trace::is_access(effect.kind) || effect.space != trace::Space::global) continue;
            for (const unsigned lane : effect.lanes) {
                for (unsigned e = 0; e < effect.elements; ++e) {
                    const LaneAccess access{.step = id,
                                            .lane = lane,
                                            .address = trace_.address(effect, lane) + std::uint64_t{e} * effect.bytes,
                                            .bytes = effect.bytes};
                    if (trace::is_read(effect.kind) && is_strong(instruction))
                        if (auto found = read(access, step, effect.kind == trace::EffectKind::load)) return found;
                    if (trace::is_write(effect.kind))
                        writes_[access.address] = {.access = access,
                                                   .block = step.block,
                                                   .thread = {step.warp, lane},
                                                   .strong = is_strong(instruction),
                                                   .releases = is_release(instruction)};
                }
            }
        }
        return std::nullopt;
    }

    /// An atomic reads the newest value of its word: only a load may find an older one.
    std::optional<UnfencedStores> read(const LaneAccess& access, const trace::Step& step, bool may_be_old) {
        const auto found = writes_.find(access.address);
        if (found == writes_.end() || !found->second.strong || found->second.block == step.block) return std::nullopt;
        const Write& write = found->second;
        Block& own = blocks_[step.block];
        const Thread reader{step.warp, access.lane};
        for (const Seen& seen : own.seen) {
            const Write& flag = seen.flag;
            if (!may_be_old || flag.block != write.block || flag.access.step <= write.access.step) continue;
            if (flag.access.address == access.address) continue;
            if (seen.by != reader && !between(own.barriers, seen.at, access.step)) continue;
            if (is_ordered(write, flag)) continue;
            return UnfencedStores{.value = write.access, .flag = flag.access, .read = access};
        }
        constexpr std::size_t most_seen = 64;  // the newest flags are those that count
        const auto same = [&](const Seen& seen) {
            return seen.flag.access.step == write.access.step && seen.flag.access.address == write.access.address &&
                   seen.by == reader;
        };
        if (std::ranges::any_of(own.seen, same)) return std::nullopt;
        if (own.seen.size() == most_seen) own.seen.erase(own.seen.begin());
        own.seen.push_back({.flag = write, .by = reader, .at = access.step});
        return std::nullopt;
    }

    static bool between(const std::vector<StepId>& steps, StepId after, StepId before) {
        const auto next = std::ranges::upper_bound(steps, after);
        return next != steps.end() && *next < before;
    }

    /// By a fence or a release, or because nothing says that the one store comes before the other.
    bool is_ordered(const Write& value, const Write& flag) {
        if (flag.releases) return true;
        const Block& block = blocks_[value.block];
        if (value.thread != flag.thread && !between(block.barriers, value.access.step, flag.access.step)) return true;
        return std::ranges::any_of(std::array{value.thread, flag.thread}, [&](const Thread& thread) {
            const auto fences = block.fences.find(thread);
            return fences != block.fences.end() && between(fences->second, value.access.step, flag.access.step);
        });
    }

    const trace::Trace& trace_;
    const analysis::InstructionTable& instructions_;
    std::unordered_map<std::uint64_t, Write> writes_;  ///< the newest, by address
    std::map<BlockId, Block> blocks_;
};

}  // namespace

std::optional<UnfencedStores> first_unfenced_stores(const Run& run) {
    const auto stores = [](const ptx::Function& function) {
        return std::ranges::count_if(function.instructions, stores_for_others);
    };
    std::ptrdiff_t strong = 0;
    for (const ptx::Function& function : run.module().functions) strong += stores(function);
    if (strong < 2) return std::nullopt;
    Walk walk(run);
    for (const trace::Launch& launch : run.trace().launches) {
        if (launch.recorded.size() < 2) continue;
        if (auto found = walk.launch(launch)) return found;
    }
    return std::nullopt;
}

std::string unfenced_stores_text(const Run& run, Progress& progress) {
    const trace::Trace& trace = run.trace();
    const bool races = std::ranges::any_of(trace.findings, may_spoil);
    if (races || run.verdict.ok == false || trace.is_cut_short()) return {};
    const auto found = first_unfenced_stores(run);
    if (!found) return {};
    const trace::Step &value = trace.step(found->value.step), &read = trace.step(found->read.step);
    const auto line = [&](const LaneAccess& access) {
        const analysis::InstructionInfo* const info =
            run.analysis->provenance->instructions().at(trace.step(access.step).line);
        return info == nullptr ? 0 : analysis::source_line_of(run.module(), *info->instruction);
    };
    const auto name = [&](const LaneAccess& access) {
        return analysis::memory_name(trace, run.module(), value.launch, trace::Space::global, access.address,
                                     access.bytes);
    };
    std::string text = fmt::format(
        "No fence orders the stores to {} in line {} and to {} in line {}: block {}, which has seen the second, may "
        "read an older {} in line {}.",
        name(found->value), line(found->value), name(found->flag), line(found->flag), read.block.value,
        name(found->value), line(found->read));
    if (trace.totals().warp_instructions > most_rerun ||
        std::ranges::find(trace.notes, execute::host_writes_dropped) != trace.notes.end())
        return text + " Whether that spoils the result, `lanescope schedule` finds out.";
    const execute::Hold late{.kind = execute::Hold::Kind::delay,
                             .launch = trace.launches.size() > 1 ? std::optional(value.launch) : std::nullopt,
                             .block = value.block,
                             .warp = value.warp,
                             .lane = found->value.lane,
                             .line = value.line};
    const auto spoiled = spoiled_under(run, execute::text_of(late), progress);
    if (!spoiled || !*spoiled) return {};
    const Spoiled& how = **spoiled;
    text += how.fault.empty() ? fmt::format(" Under --schedule \"{}\", {}[{}] is {} and not {}.", how.schedule,
                                            how.buffer, how.element, how.found, how.expected)
                              : fmt::format(" Under --schedule \"{}\": {}.", how.schedule, how.fault);
    if (how.open) text += " Without a CPU reference it is not known whether both are right.";
    return text + " A __threadfence() between the two stores orders them.";
}

}  // namespace lanescope::session
