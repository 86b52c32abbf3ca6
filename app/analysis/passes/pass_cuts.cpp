#include "analysis/passes/pass_cuts.h"

#include "analysis/dataflow/instruction_table.h"
#include "trace/barrier_object.h"

#include <algorithm>
#include <map>
#include <optional>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;
using trace::Space;

/// Cuts the steps where everything before is of an earlier epoch than everything after. Where only some warps pass a
/// barrier (a named one), epochs overlap and are not cut, so that a pass is always one run of steps.
std::vector<Pass> cut_at_barriers(const trace::Trace& trace, std::span<const StepId> steps) {
    std::vector<std::uint32_t> least_from(steps.size());
    for (std::size_t i = steps.size(); i-- > 0;) {
        least_from[i] = trace.step(steps[i]).epoch;
        if (i + 1 < steps.size()) least_from[i] = std::min(least_from[i], least_from[i + 1]);
    }
    std::vector<Pass> passes;
    std::uint32_t greatest = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::uint32_t epoch = trace.step(steps[i]).epoch;
        if (passes.empty() || greatest < least_from[i]) {
            passes.emplace_back();
            passes.back().first = i;
            passes.back().first_epoch = least_from[i];
        }
        greatest = std::max(greatest, epoch);
        passes.back().last_epoch = greatest;
        passes.back().past_last = i + 1;
    }
    return passes;
}

std::vector<BarrierPhase> completed_phases(const trace::Trace& trace, StepId id) {
    std::vector<BarrierPhase> completed;
    for (const Effect& effect : trace.effects(trace.step(id))) {
        if (!is_of_mbarrier(effect)) continue;
        for (const unsigned lane : effect.lanes) {
            const trace::BarrierObject before(trace.before(effect, lane));
            const trace::BarrierObject after(trace.after(effect, lane));
            // An mbarrier that is initialized again begins with phase 0.
            if (after.phase == before.phase + 1)
                completed.push_back({.barrier = trace.address(effect, lane), .number = before.phase});
        }
    }
    return completed;
}

/// Counts the arrivals at the named barriers of a block, step by step.
class NamedBarriers {
  public:
    NamedBarriers(const trace::Trace& trace, const InstructionTable& code) : trace_(trace), code_(code) {}

    /// The phase that the step completes, if any. All threads of a warp arrive together (PTX ISA 9.7.13.1).
    std::optional<BarrierPhase> arrive(StepId id) {
        const trace::Step& step = trace_.step(id);
        const InstructionInfo* const line = code_.at(step.line);
        if (line == nullptr || line->instruction->action() != ptx::Action::block_barrier) return std::nullopt;
        const ptx::Instruction& instruction = *line->instruction;
        const auto effect = std::ranges::find(trace_.effects(step), EffectKind::barrier, &Effect::kind);
        const unsigned count = instruction.destination_count + 1U;
        if (effect == trace_.effects(step).end() || effect->lanes.none() || instruction.operand_count <= count ||
            instruction.operands[count].kind != ptx::Operand::Kind::immediate)
            return std::nullopt;  // a barrier of all threads, or one whose number is not known here
        Arrivals& at = arrivals_[effect->id];
        at.threads += warp_size;
        if (at.threads < instruction.operands[count].immediate) return std::nullopt;
        at.threads = 0;
        return BarrierPhase{.kind = BarrierPhase::Barrier::named, .barrier = effect->id, .number = at.phase++};
    }

  private:
    struct Arrivals {
        std::uint64_t threads = 0, phase = 0;
    };
    const trace::Trace& trace_;
    const InstructionTable& code_;
    std::map<std::uint32_t, Arrivals> arrivals_;
};

/// Cuts after each step that completes a phase of an mbarrier: warps that wait for the phase go on from there. Warps
/// that do not wait for it are cut, too, so that a pass is always one run of steps. Phases of named barriers are cut in
/// the same way, where warps are in different epochs.
std::vector<Pass> cut_at_mbarriers(const trace::Trace& trace, const InstructionTable& code,
                                   std::span<const StepId> steps, const std::vector<Pass>& cuts) {
    std::vector<Pass> result;
    NamedBarriers named(trace, code);
    for (const Pass& cut : cuts) {
        result.push_back(cut);
        for (std::size_t i = cut.first; i < cut.past_last; ++i) {
            std::vector<BarrierPhase> completes = completed_phases(trace, steps[i]);
            const std::optional<BarrierPhase> of_named = named.arrive(steps[i]);
            if (of_named && cut.first_epoch != cut.last_epoch) completes.push_back(*of_named);
            if (completes.empty()) continue;
            std::vector<BarrierPhase>& of_pass = result.back().completes;
            of_pass.insert(of_pass.end(), completes.begin(), completes.end());
            if (i + 1 == cut.past_last) break;
            result.back().past_last = i + 1;
            result.push_back(cut);
            result.back().first = i + 1;
        }
    }
    return result;
}

/// Cuts further where the warps synchronize by themselves: before the first access of a phase, if all accesses before
/// it are of earlier phases and all after it of this or later ones. Warps that are not in step are not cut.
std::vector<Pass> cut_at_phases(const trace::Trace& trace, const Provenance& provenance, const Traffic& traffic,
                                std::span<const StepId> steps, const std::vector<Pass>& cuts) {
    const std::vector<std::uint32_t> phases = phases_of(trace, provenance, traffic, steps);
    std::vector<Pass> result;
    std::vector<std::uint32_t> least_from;
    for (const Pass& cut : cuts) {
        result.push_back(cut);
        if (cut.first_epoch != cut.last_epoch) continue;
        constexpr std::uint32_t none = ~0U;
        least_from.assign(cut.past_last - cut.first + 1, none);
        std::vector<bool> accesses(cut.past_last - cut.first);
        for (std::size_t i = cut.past_last; i-- > cut.first;) {
            accesses[i - cut.first] = traffic(trace.step(steps[i]));
            least_from[i - cut.first] = accesses[i - cut.first] ? std::min(least_from[i - cut.first + 1], phases[i])
                                                                : least_from[i - cut.first + 1];
        }
        std::uint32_t greatest = 0;
        bool any = false;  // any access so far
        for (std::size_t i = cut.first; i < cut.past_last; ++i) {
            if (!accesses[i - cut.first]) continue;
            if ((any || phases[i] > 0) && greatest < least_from[i - cut.first] && i > result.back().first) {
                result.back().past_last = i;
                result.back().completes.clear();  // the last part has the completed phases
                result.push_back(cut);
                result.back().first = i;
            }
            greatest = std::max(greatest, phases[i]);
            any = true;
        }
    }
    return result;
}

std::span<const StepId> steps_of(std::span<const StepId> steps, const Pass& pass) {
    return steps.subspan(pass.first, pass.past_last - pass.first);
}

void append(Pass& to, const Pass& next) {
    to.last_epoch = std::max(to.last_epoch, next.last_epoch);
    to.past_last = next.past_last;
    to.completes.insert(to.completes.end(), next.completes.begin(), next.completes.end());
}

/// Joins passes without traffic with the one before; those at the start with the one after.
std::vector<Pass> merge_quiet(const trace::Trace& trace, const Provenance& provenance, const Traffic& traffic,
                              std::span<const StepId> steps, const std::vector<Pass>& cuts) {
    std::vector<Pass> merged;
    bool open = false;  // the last pass has had no traffic yet
    for (const Pass& cut : cuts) {
        const PassActivity deeds = activity_of(trace, provenance, traffic, steps_of(steps, cut));
        // Loading into registers for lanes to exchange is a load, too.
        const bool busy = deeds.any || (merged.empty() && deeds.loads_global);
        if (merged.empty() || (busy && !open)) {
            merged.push_back(cut);
            open = !busy;
        } else {
            append(merged.back(), cut);
            open = open && !busy;
        }
    }
    return merged;
}

/// Does `second` store values that `first` read, or results of them, to the memory that makes passes?
bool stores_readings(const trace::Trace& trace, const Provenance& provenance, const Traffic& traffic,
                     std::span<const StepId> steps, const Pass& first, const Pass& second) {
    const std::uint32_t begin = provenance.values_of(steps[first.first]).first;
    std::vector<bool> of_readings(provenance.values_of(steps[second.past_last - 1]).past_last - begin);
    for (std::size_t i = first.first; i < second.past_last; ++i) {
        const trace::Step& step = trace.step(steps[i]);
        bool loads = false, stores = false;
        for (const Effect& effect : trace.effects(step)) {
            loads |= i < first.past_last && effect.kind == EffectKind::load && traffic.accesses(effect);
            stores |= effect.kind != EffectKind::load && traffic.accesses(effect);
        }
        const ValueRange written = provenance.values_of(steps[i]);
        for (std::uint32_t v = written.first; v < written.past_last; ++v) {
            bool of = loads;
            for (const ValueId parent : provenance.parents(ValueId(v))) {
                of = of || (parent.value >= begin && of_readings[parent.value - begin]);
            }
            if (!of) continue;
            if (stores && provenance[ValueId(v)].is_cell()) return true;
            of_readings[v - begin] = true;
        }
    }
    return false;
}

std::vector<Pass> merge_halves(const trace::Trace& trace, const Provenance& provenance, const Traffic& traffic,
                               std::span<const StepId> steps, const std::vector<Pass>& cuts) {
    std::vector<Pass> merged;
    bool reads_only = false;  // the last pass only reads
    for (const Pass& cut : cuts) {
        const bool changes = activity_of(trace, provenance, traffic, steps_of(steps, cut)).changes;
        if (reads_only && changes && stores_readings(trace, provenance, traffic, steps, merged.back(), cut)) {
            append(merged.back(), cut);
        } else {
            merged.push_back(cut);
        }
        reads_only = !changes;
    }
    return merged;
}

}  // namespace

PassActivity activity_of(const trace::Trace& trace, const Provenance& provenance, const Traffic& traffic,
                         std::span<const StepId> steps) {
    PassActivity deeds;
    for (const StepId id : steps) {
        const trace::Step& step = trace.step(id);
        if (exchanges(trace, provenance.instructions(), step)) deeds.any = deeds.changes = true;
        for (const Effect& effect : trace.effects(step)) {
            const bool writes = trace::is_write(effect.kind);
            if (traffic.accesses(effect)) {
                deeds.any = true;
                deeds.changes |= writes;
            }
            deeds.stores_global |= writes && effect.space == Space::global;
            deeds.loads_global |= effect.kind == EffectKind::load && effect.space == Space::global;
        }
        const ValueRange written = provenance.values_of(id);
        for (std::uint32_t v = written.first; v < written.past_last; ++v) {
            deeds.computes |= provenance[ValueId(v)].application && provenance[ValueId(v)].reaches_output;
        }
    }
    return deeds;
}

std::vector<Pass> cut_passes(const trace::Trace& trace, const Provenance& provenance, const Traffic& traffic,
                             std::span<const StepId> steps) {
    const auto at_barriers = cut_at_barriers(trace, steps);
    const auto at_mbarriers = cut_at_mbarriers(trace, provenance.instructions(), steps, at_barriers);
    const auto at_phases = cut_at_phases(trace, provenance, traffic, steps, at_mbarriers);
    auto passes =
        merge_halves(trace, provenance, traffic, steps, merge_quiet(trace, provenance, traffic, steps, at_phases));
    for (std::uint32_t i = 0; i < passes.size(); ++i) passes[i].id = PassId(i);
    return passes;
}

}  // namespace lanescope::analysis
