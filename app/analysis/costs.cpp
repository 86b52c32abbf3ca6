#include "analysis/costs.h"

#include "analysis/block_view.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/launch_shape.h"
#include "analysis/source/source_line.h"
#include "model/model.h"
#include "ptx/access.h"
#include "trace/access_counters.h"

#include <algorithm>
#include <array>
#include <map>

namespace lanescope::analysis {

using trace::Effect;
using trace::EffectKind;
using trace::Space;

model::Access access_of(const trace::Effect& effect, const InstructionInfo* line) {
    if (effect.kind == trace::EffectKind::load)
        return line == nullptr ? model::Access::load : ptx::access_of_load(*line->instruction);
    if (effect.kind == trace::EffectKind::store || line == nullptr) return model::Access::store;
    return line->atomic;
}

bool has_known_sectors(const InstructionInfo* line) {
    return line == nullptr || line->instruction->modifiers.dimensions == 0;
}

model::Addresses addresses_of(const trace::Trace& trace, const trace::Effect& effect) {
    model::Addresses addresses{};
    for (const unsigned lane : effect.lanes) addresses[lane] = trace.address(effect, lane);
    return addresses;
}

namespace {

void count_shared(const trace::Trace& trace, const Effect& effect, const InstructionInfo* line,
                  const model::BankModel& banks, StepFacts& facts) {
    const model::Wavefronts wavefronts = model::wavefronts(access_of(effect, line), bytes_per_lane(effect),
                                                           addresses_of(trace, effect), effect.lanes, banks);
    facts.wavefronts += wavefronts.total();
    if (effect.kind != EffectKind::atomic) {
        facts.ways = model::conflict_ways(access_of(effect, line), bytes_per_lane(effect), addresses_of(trace, effect),
                                          effect.lanes, banks);
    }
    ++trace::AccessCounters(facts.counts, effect.space, effect.kind).instructions;
    trace::add_wavefronts(facts.counts, wavefronts);
}

void count_global(const trace::Trace& trace, const Effect& effect, const InstructionInfo* line, StepFacts& facts) {
    const unsigned sectors = model::global_sectors(access_of(effect, line), bytes_per_lane(effect),
                                                   addresses_of(trace, effect), effect.lanes);
    facts.sectors += sectors;
    const trace::AccessCounters counters(facts.counts, effect.space, effect.kind);
    ++counters.instructions;
    counters.cost += sectors;
}

void count_accesses(const trace::Trace& trace, const trace::Step& step, const InstructionInfo* line,
                    const model::BankModel& banks, StepFacts& facts) {
    for (const Effect& effect : trace.effects(step)) {
        if (effect.kind != EffectKind::load && effect.kind != EffectKind::store && effect.kind != EffectKind::atomic)
            continue;
        if (effect.space == Space::shared) count_shared(trace, effect, line, banks, facts);
        if (effect.space == Space::global && has_known_sectors(line)) count_global(trace, effect, line, facts);
    }
}

}  // namespace

StepFacts facts_of(const trace::Trace& trace, const Provenance& provenance, StepId id) {
    const model::BankModel banks = banks_of(trace);
    const trace::Step& step = trace.step(id);
    const InstructionInfo* const line = provenance.instructions().at(step.line);
    StepFacts facts;
    facts.exited = provenance.exited(id);
    facts.useful = provenance.useful(id) & step.executed;
    facts.wasted = step.executed & ~facts.useful;
    facts.predicated_off = step.active & ~step.executed;
    facts.inactive = lanes_of(trace.launches[step.launch], step.warp) & ~step.active & ~facts.exited;

    trace::Counts& counts = facts.counts;
    counts.warp_instructions = step.executed.any() ? 1 : 0;
    counts.thread_instructions = step.executed.count();
    counts.active_thread_instructions = step.active.count();
    count_accesses(trace, step, line, banks, facts);
    for (const Effect& effect : trace.effects(step)) {
        if (effect.kind != EffectKind::branch) continue;
        counts.branches += 1;
        facts.divergent = effect.lanes.any() && effect.lanes != step.active;
        counts.divergent_branches += facts.divergent ? 1 : 0;
    }
    const ValueRange written = provenance.values_of(id);
    for (std::uint32_t i = written.first; i < written.past_last; ++i) {
        counts.operations += provenance[ValueId(i)].operations;
    }
    return facts;
}

std::size_t least_wavefronts(model::Access access, unsigned bytes, LaneMask lanes, const model::BankModel& banks) {
    model::Addresses beside{};
    for (unsigned lane = 0; lane < beside.size(); ++lane) beside[lane] = std::uint64_t{lane} * bytes;
    return std::max<std::size_t>(model::shared_wavefronts(access, bytes, beside, lanes, banks), 1);
}

SectorNeed sector_need(const trace::Trace& trace, const Effect& effect, const InstructionInfo* line) {
    const bool reads_or_writes = effect.kind == EffectKind::load || effect.kind == EffectKind::store;
    if (!reads_or_writes || effect.space != Space::global || !has_known_sectors(line)) return {};
    const unsigned bytes = bytes_per_lane(effect);
    const model::Addresses addresses = addresses_of(trace, effect);
    const LaneMask pieces = model::without_repeated(addresses, bytes, effect.lanes);
    return {.sectors = model::global_sectors(access_of(effect, line), bytes, addresses, effect.lanes),
            .least = (std::uint64_t{pieces.count()} * bytes + model::sector_bytes - 1) / model::sector_bytes};
}

std::optional<AccessNeed> access_need(const trace::Trace& trace, const Effect& effect, const InstructionInfo* line) {
    if (!trace::is_access(effect.kind) || effect.lanes.none()) return std::nullopt;
    const model::Access access = access_of(effect, line);
    const unsigned bytes = bytes_per_lane(effect);
    if (effect.space == Space::shared) {
        const model::BankModel banks = banks_of(trace);
        const std::uint64_t used =
            model::shared_wavefronts(access, bytes, addresses_of(trace, effect), effect.lanes, banks);
        return AccessNeed{used, std::min<std::uint64_t>(used, least_wavefronts(access, bytes, effect.lanes, banks))};
    }
    if (effect.space != Space::global || !has_known_sectors(line)) return std::nullopt;
    if (effect.kind == EffectKind::atomic)
        return AccessNeed{model::global_sectors(access, bytes, addresses_of(trace, effect), effect.lanes), {}};
    const SectorNeed need = sector_need(trace, effect, line);
    return AccessNeed{need.sectors, std::min(need.sectors, need.least)};
}

std::vector<LineCost> line_costs(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance) {
    std::map<std::uint32_t, LineCost> costs;
    StepLines lines(module, provenance.instructions());
    for (std::uint32_t i = 0; i < trace.step_count(); ++i) {
        const trace::Step& step = trace.step(StepId(i));
        const InstructionInfo* const line = provenance.instructions().at(step.line);
        if (line == nullptr) continue;
        const std::uint32_t source_line = lines.next(step);
        if (source_line == 0) continue;
        const StepFacts facts = facts_of(trace, provenance, StepId(i));
        LineCost& cost = costs[source_line];
        cost.source_line = source_line;
        cost.counts += facts.counts;
        const trace::Counts& counts = facts.counts;
        for (const Effect& effect : trace.effects(step)) {
            if (effect.space != Space::shared) continue;
            if (const auto need = access_need(trace, effect, line)) cost.excess_wavefronts += need->used - *need->least;
        }
        cost.idle_lanes += counts.warp_instructions * warp_size - counts.thread_instructions;
    }
    std::vector<LineCost> result;
    result.reserve(costs.size());
    for (const auto& [source_line, cost] : costs) result.push_back(cost);
    return result;
}

std::vector<float> relative_costs(const std::vector<LineCost>& lines) {
    std::uint64_t most_excess = 1, most_idle = 1;
    for (const LineCost& line : lines) {
        most_excess = std::max(most_excess, line.excess_wavefronts);
        most_idle = std::max(most_idle, line.idle_lanes);
    }
    const auto share = [](std::uint64_t part, std::uint64_t most) {
        return static_cast<float>(part) / static_cast<float>(most);
    };
    std::vector<float> shares;
    shares.reserve(lines.size());
    for (const LineCost& line : lines)
        shares.push_back(std::max(share(line.excess_wavefronts, most_excess), share(line.idle_lanes, most_idle)));
    return shares;
}

std::map<PtxLine, trace::Counts> access_counts(const trace::Trace& trace, const ptx::Module& module) {
    const model::BankModel banks = banks_of(trace);
    const InstructionTable instructions(module, trace.registers);
    std::map<PtxLine, trace::Counts> counts;
    for (std::uint32_t i = 0; i < trace.step_count(); ++i) {
        const trace::Step& step = trace.step(StepId(i));
        StepFacts facts;
        count_accesses(trace, step, instructions.at(step.line), banks, facts);
        if (facts.counts != trace::Counts()) counts[step.line] += facts.counts;
    }
    return counts;
}

LineActivity line_activity(const BlockView& block, PassId id, std::uint32_t source_line) {
    const Pass& pass = block.passes.passes[id.index()];
    const std::uint32_t file = own_file(block.module);
    const auto own_line = [&](std::size_t index) {
        const InstructionInfo* const line = block.instruction_at(index);
        return line == nullptr ? 0 : source_line_of(block.module, *line->instruction, file);
    };
    const auto line_before = [&](std::size_t index) {
        const WarpId warp = block.step_at(index).warp;
        std::uint32_t line = 0;
        while (line == 0 && index-- > 0) line = block.step_at(index).warp == warp ? own_line(index) : 0;
        return line;
    };
    LineActivity activity;
    std::map<WarpId, std::uint32_t> lines;
    std::map<WarpId, LaneMask> executed, useful;
    for (std::size_t index = pass.first; index < pass.past_last; ++index) {
        const trace::Step& step = block.step_at(index);
        const auto [line, first] = lines.try_emplace(step.warp, 0);
        if (const std::uint32_t own = own_line(index); own != 0) {
            line->second = own;
        } else if (first) {
            line->second = line_before(index);
        }
        if (line->second != source_line) continue;
        const StepFacts facts = facts_of(block.trace, block.provenance, block.passes.steps[index]);
        executed[step.warp] |= step.executed;
        useful[step.warp] |= facts.useful;
        activity.use_known =
            activity.use_known && (block.provenance.unknown_use(block.passes.steps[index]) & step.executed).none();
        activity.counts += facts.counts;
    }
    for (const auto& [warp, lanes] : executed) activity.executed += lanes.count();
    for (const auto& [warp, lanes] : useful) activity.useful += lanes.count();
    return activity;
}

namespace {

/// Wavefronts beyond the first of each group of lanes; for an atomic, only those of the loads in its loop.
std::uint64_t conflicts_of(const trace::Trace& trace, const trace::Effect& effect, const InstructionInfo* line,
                           const model::BankModel& banks) {
    const std::vector<model::Wavefront> wavefronts = model::shared_schedule(
        access_of(effect, line), bytes_per_lane(effect), addresses_of(trace, effect), effect.lanes, banks);
    const bool all = effect.kind != EffectKind::atomic;
    std::uint64_t conflicts = 0;
    for (std::size_t i = 1; i < wavefronts.size(); ++i) {
        const model::Wavefront &before = wavefronts[i - 1], &here = wavefronts[i];
        if (here.group == before.group && (all || (here.loads && before.loads))) ++conflicts;
    }
    return conflicts;
}

/// Sums over the steps of each launch, all of whose blocks must be recorded: add(sum, step).
template <class Sum, class Add>
std::vector<std::optional<Sum>> sums_by_launch(const trace::Trace& trace, const Add& add) {
    std::vector<std::optional<Sum>> launches;
    launches.reserve(trace.launches.size());
    for (const trace::Launch& launch : trace.launches)
        launches.push_back(launch.all_recorded() ? std::optional(Sum()) : std::nullopt);
    for (std::uint32_t i = 0; i < trace.step_count(); ++i) {
        const trace::Step& step = trace.step(StepId(i));
        if (std::optional<Sum>& launch = launches[step.launch]) add(*launch, step);
    }
    return launches;
}

}  // namespace

std::vector<std::optional<SharedConflicts>> shared_conflicts(const trace::Trace& trace,
                                                             const InstructionTable& instructions) {
    const model::BankModel banks = banks_of(trace);
    return sums_by_launch<SharedConflicts>(trace, [&](SharedConflicts& launch, const trace::Step& step) {
        for (const Effect& effect : trace.effects(step)) {
            if (effect.space != Space::shared) continue;
            const InstructionInfo* const line = instructions.at(step.line);
            if (effect.kind == EffectKind::load || effect.kind == EffectKind::atomic)
                launch.loads += conflicts_of(trace, effect, line, banks);
            if (effect.kind == EffectKind::store) launch.stores += conflicts_of(trace, effect, line, banks);
        }
    });
}

std::vector<std::optional<std::uint64_t>> generic_atomic_wavefronts(const trace::Trace& trace,
                                                                    const InstructionTable& instructions) {
    return sums_by_launch<std::uint64_t>(trace, [&](std::uint64_t& launch, const trace::Step& step) {
        const InstructionInfo* const line = instructions.at(step.line);
        if (line == nullptr || line->instruction->modifiers.space != ptx::Space::generic) return;
        LaneMask on_shared, on_global;
        bool is_wide = false;
        for (const Effect& effect : trace.effects(step)) {
            if (effect.kind != EffectKind::atomic) continue;
            if (effect.space == Space::shared) on_shared |= effect.lanes;
            if (effect.space == Space::global) on_global |= effect.lanes;
            is_wide = bytes_per_lane(effect) > 4;
        }
        const bool tried_on_all = line->atomic == model::Access::atomic_loop;  // once, before the loop on shared memory
        const std::uint64_t times = line->atomic == model::Access::compare_and_swap ? 2 : 1;
        const LaneMask half = LaneMask::first(warp_size / 2);
        for (const LaneMask group : is_wide ? std::array{half, ~half} : std::array{LaneMask::all(), LaneMask()}) {
            const bool counts = tried_on_all ? ((on_shared | on_global) & group).any()
                                             : (on_global & group).any() && (on_shared & group).none();
            if (counts) launch += times;
        }
    });
}

}  // namespace lanescope::analysis
