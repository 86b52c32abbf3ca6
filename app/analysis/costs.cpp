#include "analysis/costs.h"

#include "analysis/block_view.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/launch_shape.h"
#include "analysis/source/source_line.h"
#include "analysis/source/step_lines.h"
#include "model/model.h"

#include <algorithm>
#include <map>

namespace lanescope::analysis {
namespace {

using Kind = ptx::Operand::Kind;

bool reads(const ptx::Function& function, const ptx::Operand& operand, RegisterId reg) {
    if (operand.kind == Kind::reg || operand.kind == Kind::memory) return operand.reg == reg;
    if (operand.kind != Kind::vector) return false;
    for (unsigned e = 0; e < operand.elements; ++e) {
        if (function.vector_elements[operand.first + e].reg == reg) return true;
    }
    return false;
}

/// Does no instruction of the function read the atomic's result?
bool result_unused(const InstructionInfo& line) {
    const ptx::Instruction& atomic = *line.instruction;
    if (atomic.destination_count == 0 || atomic.operands[0].kind != Kind::reg) return true;
    const RegisterId result = atomic.operands[0].reg;
    return std::ranges::none_of(line.function->instructions, [&](const ptx::Instruction& other) {
        if (other.guard && other.guard->predicate == result) return true;
        for (unsigned i = other.destination_count; i < other.operand_count; ++i) {
            if (reads(*line.function, other.operands[i], result)) return true;
        }
        return false;
    });
}

model::Access atomic_access(const trace::Effect& effect, const InstructionInfo& line) {
    const ptx::Modifiers& modifiers = line.instruction->modifiers;
    if (modifiers.atomic == ptx::Atomic::cas) return model::Access::compare_and_swap;
    if (modifiers.atomic != ptx::Atomic::add) return model::Access::atomic;
    if (ptx::is_float(modifiers.type) || effect.bytes == 8) return model::Access::atomic_loop;
    const ptx::Operand& operand = line.instruction->operands[line.instruction->operand_count - 1U];
    const bool adds_one = operand.kind == Kind::immediate && operand.immediate == 1;
    return adds_one && result_unused(line) ? model::Access::atomic_add_one : model::Access::atomic;
}

}  // namespace

model::Access access_of(const trace::Effect& effect, const InstructionInfo* line) {
    if (effect.kind == trace::EffectKind::load) return model::Access::load;
    if (effect.kind == trace::EffectKind::store || line == nullptr) return model::Access::store;
    return atomic_access(effect, *line);
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

using trace::Effect;
using trace::EffectKind;
using trace::Space;

void count_shared(const trace::Trace& trace, const Effect& effect, const InstructionInfo* line,
                  const model::BankModel& banks, StepFacts& facts) {
    const model::Wavefronts wavefronts = model::wavefronts(access_of(effect, line), bytes_per_lane(effect),
                                                           addresses_of(trace, effect), effect.lanes, banks);
    facts.wavefronts += wavefronts.total();
    if (effect.kind != EffectKind::atomic) {
        facts.ways = model::conflict_ways(access_of(effect, line), bytes_per_lane(effect), addresses_of(trace, effect),
                                          effect.lanes, banks);
    }
    trace::Counts& counts = facts.counts;
    counts.shared_load_wavefronts += wavefronts.load;
    counts.shared_store_wavefronts += wavefronts.store;
    counts.shared_atomic_wavefronts += wavefronts.atomic;
    counts.shared_load_instructions += effect.kind == EffectKind::load ? 1 : 0;
    counts.shared_store_instructions += effect.kind == EffectKind::store ? 1 : 0;
    counts.shared_atomic_instructions += effect.kind == EffectKind::atomic ? 1 : 0;
}

void count_global(const trace::Trace& trace, const Effect& effect, const InstructionInfo* line, StepFacts& facts) {
    const unsigned sectors = model::global_sectors(access_of(effect, line), bytes_per_lane(effect),
                                                   addresses_of(trace, effect), effect.lanes);
    facts.sectors += sectors;
    trace::Counts& counts = facts.counts;
    if (effect.kind == EffectKind::load) {
        counts.global_load_instructions += 1;
        counts.global_load_sectors += sectors;
    } else if (effect.kind == EffectKind::store) {
        counts.global_store_instructions += 1;
        counts.global_store_sectors += sectors;
    } else {
        counts.global_atomic_instructions += 1;
        counts.global_atomic_sectors += sectors;
    }
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
    const Provenance::Range written = provenance.values_of(id);
    for (std::uint32_t i = written.first; i < written.past_last; ++i) {
        counts.operations += provenance[ValueId(i)].operations;
    }
    return facts;
}

std::vector<LineCost> line_costs(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance) {
    std::map<std::uint32_t, LineCost> costs;
    StepLines lines(module, provenance.instructions());
    for (std::uint32_t i = 0; i < trace.step_count(); ++i) {
        const trace::Step& step = trace.step(StepId(i));
        if (provenance.instructions().at(step.line) == nullptr) continue;
        const std::uint32_t source_line = lines.next(step);
        if (source_line == 0) continue;
        const StepFacts facts = facts_of(trace, provenance, StepId(i));
        LineCost& cost = costs[source_line];
        cost.source_line = source_line;
        cost.counts += facts.counts;
        const trace::Counts& counts = facts.counts;
        cost.excess_wavefronts +=
            facts.wavefronts -
            (counts.shared_load_instructions + counts.shared_store_instructions + counts.shared_atomic_instructions);
        cost.idle_lanes += counts.warp_instructions * warp_size - counts.thread_instructions;
    }
    std::vector<LineCost> result;
    result.reserve(costs.size());
    for (const auto& [source_line, cost] : costs) result.push_back(cost);
    return result;
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

/// Wavefronts that follow another of the same group of lanes.
std::uint64_t conflicts_of(const trace::Trace& trace, const trace::Effect& effect, const model::BankModel& banks) {
    const std::vector<model::Wavefront> wavefronts = model::shared_schedule(
        access_of(effect, nullptr), bytes_per_lane(effect), addresses_of(trace, effect), effect.lanes, banks);
    std::uint64_t conflicts = 0;
    for (std::size_t i = 1; i < wavefronts.size(); ++i)
        if (wavefronts[i].group == wavefronts[i - 1].group) ++conflicts;
    return conflicts;
}

}  // namespace

std::vector<std::optional<SharedConflicts>> shared_conflicts(const trace::Trace& trace) {
    std::vector<std::optional<SharedConflicts>> launches;
    for (const trace::Launch& launch : trace.launches) {
        const bool whole = launch.recorded.size() == launch.grid.count();
        launches.push_back(whole ? std::optional(SharedConflicts()) : std::nullopt);
    }
    const model::BankModel banks = banks_of(trace);
    for (std::uint32_t i = 0; i < trace.step_count(); ++i) {
        const trace::Step& step = trace.step(StepId(i));
        std::optional<SharedConflicts>& launch = launches[step.launch];
        if (!launch) continue;
        for (const trace::Effect& effect : trace.effects(step)) {
            if (effect.space != trace::Space::shared) continue;
            if (effect.kind == trace::EffectKind::load) launch->loads += conflicts_of(trace, effect, banks);
            if (effect.kind == trace::EffectKind::store) launch->stores += conflicts_of(trace, effect, banks);
        }
    }
    return launches;
}

}  // namespace lanescope::analysis
