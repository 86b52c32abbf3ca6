#include "analysis/passes.h"

#include "analysis/code.h"
#include "analysis/launch_shape.h"
#include "analysis/loop_variable.h"
#include "analysis/phases.h"
#include "analysis/step_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;
using trace::Space;

std::vector<StepId> steps_of(const trace::Trace& trace, std::uint32_t launch, BlockId block) {
    std::vector<StepId> steps;
    const trace::Launch& of = trace.launches[launch];
    if (!of.first_step.valid() || !of.past_last_step.valid()) return steps;
    for (std::uint32_t i = of.first_step.value; i < of.past_last_step.value && i < trace.step_count(); ++i) {
        if (trace.step(StepId(i)).block == block) steps.emplace_back(i);
    }
    return steps;
}

/// Cuts the steps where everything before is of an earlier epoch than everything after. Where warps pass barriers that
/// not all of them meet (named ones), their epochs overlap and stay together, so that a pass is always one run of steps.
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

/// Cuts further where the warps synchronise by themselves: before the first access of a phase, if all accesses before are
/// of earlier phases and all after of this or later ones. Warps that are not in step with each other are not cut.
std::vector<Pass> cut_at_phases(const trace::Trace& trace, const Provenance& provenance, std::span<const StepId> steps,
                                const std::vector<Pass>& cuts) {
    const std::vector<std::uint32_t> phases = phases_of(trace, provenance, steps);
    std::vector<Pass> result;
    std::vector<std::uint32_t> least_from;
    for (const Pass& cut : cuts) {
        result.push_back(cut);
        if (cut.first_epoch != cut.last_epoch) continue;
        constexpr std::uint32_t none = ~0U;
        least_from.assign(cut.past_last - cut.first + 1, none);
        std::vector<bool> accesses(cut.past_last - cut.first);
        for (std::size_t i = cut.past_last; i-- > cut.first;) {
            accesses[i - cut.first] = std::ranges::any_of(trace.effects(trace.step(steps[i])), is_traffic);
            least_from[i - cut.first] = accesses[i - cut.first] ? std::min(least_from[i - cut.first + 1], phases[i])
                                                                : least_from[i - cut.first + 1];
        }
        std::uint32_t greatest = 0;
        bool any = false;  // access so far
        for (std::size_t i = cut.first; i < cut.past_last; ++i) {
            if (!accesses[i - cut.first]) continue;
            if ((any || phases[i] > 0) && greatest < least_from[i - cut.first] && i > result.back().first) {
                result.back().past_last = i;
                result.push_back(cut);
                result.back().first = i;
            }
            greatest = std::max(greatest, phases[i]);
            any = true;
        }
    }
    return result;
}

/// What a run of steps does to memory and between lanes.
struct Traffic {
    bool any = false;      ///< shared memory or lanes
    bool changes = false;  ///< stores to shared memory, shuffles: more than loads
    bool stores_global = false;
    bool loads_global = false;
};

Traffic traffic_of(const trace::Trace& trace, std::span<const StepId> steps) {
    Traffic traffic;
    for (const StepId id : steps) {
        for (const Effect& effect : trace.effects(trace.step(id))) {
            const bool writes = effect.kind == EffectKind::store || effect.kind == EffectKind::atomic;
            if (is_traffic(effect)) {
                traffic.any = true;
                traffic.changes |= effect.kind != EffectKind::load;
            }
            traffic.stores_global |= writes && effect.space == Space::global;
            traffic.loads_global |= effect.kind == EffectKind::load && effect.space == Space::global;
        }
    }
    return traffic;
}

void append(Pass& to, const Pass& next) {
    to.last_epoch = std::max(to.last_epoch, next.last_epoch);
    to.past_last = next.past_last;
}

/// Passes without traffic join the one before; those at the start the one after.
std::vector<Pass> merge_quiet(const trace::Trace& trace, std::span<const StepId> steps, const std::vector<Pass>& cuts) {
    std::vector<Pass> merged;
    bool open = false;  // the last one has had no traffic yet
    for (const Pass& cut : cuts) {
        const Traffic traffic = traffic_of(trace, steps.subspan(cut.first, cut.past_last - cut.first));
        // Loading into registers, for lanes to exchange, is a load too.
        const bool busy = traffic.any || (merged.empty() && traffic.loads_global);
        if (merged.empty() || (busy && !open)) {
            merged.push_back(cut);
            open = !busy;
        } else {
            append(merged.back(), cut);
            open = open && !busy;
        }
    }
    for (std::uint32_t i = 0; i < merged.size(); ++i) merged[i].id = PassId(i);
    return merged;
}

Pass::Role role_of(const trace::Trace& trace, std::span<const StepId> steps, const Pass& pass, std::size_t passes) {
    if (passes == 1) return Pass::Role::whole;
    if (pass.id.value == 0) return Pass::Role::load;
    if (pass.id.index() + 1 < passes) return Pass::Role::step;
    const Traffic traffic = traffic_of(trace, steps.subspan(pass.first, pass.past_last - pass.first));
    return !traffic.changes && traffic.stores_global ? Pass::Role::store : Pass::Role::step;
}

/// "down 4", "xor 8": how far the first shuffle of the pass reaches; empty without one.
std::string shuffle_label(const trace::Trace& trace, const Provenance& provenance, std::span<const StepId> steps) {
    for (const StepId id : steps) {
        const trace::Step& step = trace.step(id);
        const CodeLine* const line = provenance.code().at(step.line);
        for (const Effect& effect : trace.effects(step)) {
            if (effect.kind != EffectKind::shuffle || line == nullptr) continue;
            std::uint32_t farthest = 0;
            for (const unsigned lane : effect.lanes) {
                const auto source = static_cast<std::uint32_t>(trace.after(effect, lane));
                const bool crosses = line->instruction->modifiers.shuffle == ptx::Shuffle::bfly;
                farthest = std::max(farthest, crosses ? source ^ lane : source > lane ? source - lane : lane - source);
            }
            switch (line->instruction->modifiers.shuffle) {
                case ptx::Shuffle::up: return fmt::format("up {}", farthest);
                case ptx::Shuffle::down: return fmt::format("down {}", farthest);
                case ptx::Shuffle::bfly: return fmt::format("xor {}", farthest);
                default: return "shuffle";
            }
        }
    }
    return {};
}

std::string label_of(const Pass& pass, std::span<const LoopVariable> shown) {
    switch (pass.role) {
        case Pass::Role::load: return "load";
        case Pass::Role::store: return "store";
        case Pass::Role::whole: return "whole kernel";
        case Pass::Role::step: break;
    }
    if (shown.empty()) return fmt::format("pass {}", pass.id.value);
    std::string label;
    for (const LoopVariable& variable : shown) {
        label += fmt::format("{}{} = {}", label.empty() ? "" : ", ", variable.name, variable.value);
    }
    return label;
}

void name_passes(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance,
                 BlockPasses& result) {
    for (Pass& pass : result.passes) pass.role = role_of(trace, result.steps, pass, result.passes.size());
    const ptx::Function* const function = module.find(trace.launches[result.launch].kernel);
    std::vector<SteppingVariables> variables(result.passes.size());
    if (function != nullptr) variables = stepping_variables(trace, *function, result.steps, result.passes);
    for (std::size_t p = 0; p < result.passes.size(); ++p) {
        Pass& pass = result.passes[p];
        auto& [tested, others] = variables[p];
        // A label holds what the loops test; without such a variable, the first other one.
        const std::size_t shown = tested.empty() ? std::min<std::size_t>(others.size(), 1) : tested.size();
        if (pass.role == Pass::Role::step) {
            pass.variables = std::move(tested);
            pass.variables.insert(pass.variables.end(), others.begin(), others.end());
        }
        pass.label = label_of(pass, std::span(pass.variables).first(std::min(shown, pass.variables.size())));
        if (pass.role != Pass::Role::step || !pass.variables.empty()) continue;
        const std::span<const StepId> steps(result.steps);
        const std::string exchange =
            shuffle_label(trace, provenance, steps.subspan(pass.first, pass.past_last - pass.first));
        if (!exchange.empty()) pass.label = exchange;
    }
}

/// Work, span and lanes of a pass. `chain` has one number for each value of the block's range of values.
class Measure {
  public:
    Measure(const trace::Trace& trace, const Provenance& provenance, const BlockPasses& passes)
        : trace_(trace), provenance_(provenance) {
        if (passes.steps.empty()) return;
        first_ = provenance.values_of(passes.steps.front()).first;
        chain_.resize(provenance.values_of(passes.steps.back()).past_last - first_);
        useful_threads_.resize(threads_of(trace.launches[passes.launch]));
    }

    void pass(std::span<const StepId> steps, Pass& pass) {
        if (steps.empty()) return;
        useful_threads_.assign(useful_threads_.size(), false);
        const std::uint32_t begin = provenance_.values_of(steps.front()).first;
        for (const StepId id : steps) {
            const Provenance::Range written = provenance_.values_of(id);
            const trace::Step& step = trace_.step(id);
            const auto effects = trace_.effects(step);
            const bool shuffles =
                std::ranges::any_of(effects, [](const Effect& e) { return e.kind == EffectKind::shuffle; });
            for (std::uint32_t i = written.first; i < written.past_last; ++i) {
                const Value& value = provenance_[ValueId(i)];
                std::uint32_t chain = 0, deepest = 0;
                for (const ValueId parent : provenance_.parents(ValueId(i))) {
                    deepest = std::max(deepest, provenance_[parent].depth);
                    if (parent.value >= begin) chain = std::max(chain, chain_[parent.value - first_]);
                }
                chain += value.depth - deepest;
                chain_[i - first_] = chain;
                if (!value.reaches_output) continue;
                pass.work += value.applications;
                pass.span = std::max<std::uint64_t>(pass.span, chain);
                const std::size_t thread = thread_of(step.warp, value.lane);
                const bool result = value.application || value.is_cell() || shuffles;
                if (result && thread < useful_threads_.size()) useful_threads_[thread] = true;
            }
            pass.counts += facts_of(trace_, provenance_, id).counts;
        }
        pass.lanes = static_cast<unsigned>(std::ranges::count(useful_threads_, true));
    }

  private:
    const trace::Trace& trace_;
    const Provenance& provenance_;
    std::uint32_t first_ = 0;
    std::vector<std::uint32_t> chain_;  ///< longest chain of applications that ends in the value, within its pass
    std::vector<bool> useful_threads_;
};

}  // namespace

PassId BlockPasses::pass_of(std::size_t index) const {
    const auto after = std::ranges::upper_bound(passes, index, {}, &Pass::first);
    return after == passes.begin() ? PassId(0) : std::prev(after)->id;
}

BlockPasses passes_of(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance,
                      std::uint32_t launch, BlockId block) {
    BlockPasses result;
    result.launch = launch;
    result.block = block;
    result.steps = steps_of(trace, launch, block);
    result.passes = merge_quiet(trace, result.steps,
                                cut_at_phases(trace, provenance, result.steps, cut_at_barriers(trace, result.steps)));
    name_passes(trace, module, provenance, result);
    Measure measure(trace, provenance, result);
    for (Pass& pass : result.passes) {
        measure.pass(std::span(result.steps).subspan(pass.first, pass.past_last - pass.first), pass);
        // Every epoch of a block but its last ends with a barrier.
        const bool last = pass.id.index() + 1 == result.passes.size();
        const std::uint32_t next_epoch = last ? pass.last_epoch : result.passes[pass.id.index() + 1].first_epoch;
        pass.counts.barriers = next_epoch - pass.first_epoch;
    }
    return result;
}

}  // namespace lanescope::analysis
