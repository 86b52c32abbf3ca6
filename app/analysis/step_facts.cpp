#include "analysis/step_facts.h"

#include "analysis/access.h"
#include "analysis/code.h"
#include "analysis/launch_shape.h"
#include "analysis/source_line.h"

#include <map>
#include <tuple>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;
using trace::Space;

void count_shared(const trace::Trace& trace, const Effect& effect, const CodeLine* line, const model::BankModel& banks,
                  StepFacts& facts) {
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

void count_global(const trace::Trace& trace, const Effect& effect, const CodeLine* line, StepFacts& facts) {
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

}  // namespace

StepFacts facts_of(const trace::Trace& trace, const Provenance& provenance, StepId id) {
    const model::BankModel banks = banks_of(trace);
    const trace::Step& step = trace.step(id);
    const CodeLine* const line = provenance.code().at(step.line);
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
    for (const Effect& effect : trace.effects(step)) {
        switch (effect.kind) {
            case EffectKind::load:
            case EffectKind::store:
            case EffectKind::atomic:
                if (effect.space == Space::shared) count_shared(trace, effect, line, banks, facts);
                if (effect.space == Space::global) count_global(trace, effect, line, facts);
                break;
            case EffectKind::branch:
                counts.branches += 1;
                facts.divergent = effect.lanes.any() && effect.lanes != step.active;
                counts.divergent_branches += facts.divergent ? 1 : 0;
                break;
            default: break;
        }
    }
    const Provenance::Range written = provenance.values_of(id);
    for (std::uint32_t i = written.first; i < written.past_last; ++i) {
        counts.operator_applications += provenance[ValueId(i)].applications;
    }
    return facts;
}

std::vector<LineCost> line_costs(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance) {
    std::map<std::uint32_t, LineCost> costs;
    const std::uint32_t file = own_file(module);
    // What has no line of its own, a function that a library brings or the compiler's own, runs for the warp's line before it.
    std::map<std::tuple<std::uint32_t, BlockId, WarpId>, std::uint32_t> last;
    for (std::uint32_t i = 0; i < trace.step_count(); ++i) {
        const trace::Step& step = trace.step(StepId(i));
        const CodeLine* const line = provenance.code().at(step.line);
        if (line == nullptr) continue;
        std::uint32_t& source_line = last[{step.launch, step.block, step.warp}];
        if (const std::uint32_t own = source_line_of(module, *line->instruction, file); own != 0) source_line = own;
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

}  // namespace lanescope::analysis
