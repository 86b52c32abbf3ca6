#include "analysis/passes/passes.h"

#include "analysis/dataflow/instruction_table.h"
#include "analysis/passes/loops.h"
#include "analysis/passes/pass_cuts.h"
#include "analysis/passes/pass_meter.h"
#include "analysis/passes/traffic.h"
#include "analysis/source/display_names.h"
#include "base/ids.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;
using trace::Space;

Pass::Role role_of(const trace::Trace& trace, const Provenance& provenance, const Traffic& traffic,
                   const BlockPasses& block, const Pass& pass) {
    if (block.passes.size() == 1) return Pass::Role::whole;
    const std::span<const StepId> steps(block.steps);
    const PassActivity deeds =
        activity_of(trace, provenance, traffic, steps.subspan(pass.first, pass.past_last - pass.first));
    // A kernel that works on global memory itself has no passes for loading data and storing results.
    if (traffic.space() == Space::global) return Pass::Role::step;
    if (pass.id.value == 0) return Pass::Role::load;
    if (pass.id.index() + 1 < block.passes.size()) return Pass::Role::step;
    const bool takes_out = deeds.stores_global && !deeds.changes && !deeds.computes;
    return takes_out ? Pass::Role::store : Pass::Role::step;
}

/// "down 4", "xor 8": the distance of the first shuffle of the pass; "redux" for a reduction over the warp. Empty
/// without one.
std::string shuffle_label(const trace::Trace& trace, const Provenance& provenance, std::span<const StepId> steps) {
    for (const StepId id : steps) {
        const trace::Step& step = trace.step(id);
        if (!exchanges(trace, provenance.instructions(), step)) continue;
        const InstructionInfo* const line = provenance.instructions().at(step.line);
        if (line->flow == Flow::reduce) return "redux";
        for (const Effect& effect : trace.effects(step)) {
            if (effect.kind != EffectKind::shuffle) continue;
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

/// "full[0] phase 1", "full[1] and empty[0] phase 0", "barrier 1 phase 0": the phases that the pass completes. Empty
/// where it completes none.
std::string mbarrier_label(const trace::Trace& trace, const ptx::Module& module, std::uint32_t launch,
                           const Pass& pass) {
    constexpr std::size_t most = 2;
    std::string label;
    for (std::size_t i = 0; i < std::min(pass.completes.size(), most); ++i) {
        const BarrierPhase& phase = pass.completes[i];
        std::string name = phase.kind == BarrierPhase::Barrier::named
                               ? fmt::format("barrier {}", phase.barrier)
                               : shared_name(trace, module, launch, phase.barrier, 8);
        // Names with two underscores are the library's, such as the members of cuda::barrier that hold the mbarrier.
        name.erase(std::min(name.find(".__"), name.size()));
        label += fmt::format("{}{} phase {}", label.empty() ? "" : ", ", name, phase.number);
    }
    if (pass.completes.size() > most) label += ", ...";
    return label;
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

/// Does the variable that names the pass grow (1) or shrink (-1) around it, by its neighbors? 0: unknown.
int direction_of(std::span<const Pass> passes, std::size_t at) {
    const auto value = [&](std::size_t p) -> std::optional<double> {
        if (p >= passes.size() || passes[p].variables.empty() || passes[at].variables.empty()) return {};
        const LoopVariable& variable = passes[p].variables.front();
        double number = 0;
        const char* const end = variable.value.data() + variable.value.size();
        const bool same = variable.name == passes[at].variables.front().name;
        if (!same || std::from_chars(variable.value.data(), end, number).ec != std::errc{}) return {};
        return number;
    };
    const auto here = value(at), next = value(at + 1), before = at > 0 ? value(at - 1) : std::nullopt;
    if (here && next && *next != *here) return *next > *here ? 1 : -1;
    if (here && before && *before != *here) return *here > *before ? 1 : -1;
    return 0;
}

/// Distinguishes equal names: an up-sweep from the down-sweep by the direction of its variable, the rest by number.
void make_labels_distinct(std::span<Pass> passes) {
    const auto recurring = [&] {
        std::map<std::string, std::vector<std::size_t>> named;
        for (std::size_t p = 0; p < passes.size(); ++p) named[passes[p].label].push_back(p);
        std::erase_if(named, [](const auto& each) { return each.second.size() == 1; });
        return named;
    };
    for (const auto& [label, same] : recurring()) {
        for (const std::size_t p : same) {
            if (const int direction = direction_of(passes, p); direction != 0)
                passes[p].label += direction > 0 ? " \u2191" : " \u2193";
        }
    }
    for (const auto& [label, same] : recurring()) {
        for (std::size_t k = 1; k < same.size(); ++k) passes[same[k]].label += fmt::format(" ({})", k + 1);
    }
}

void name_passes(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance,
                 const Traffic& traffic, BlockPasses& result) {
    for (Pass& pass : result.passes) pass.role = role_of(trace, provenance, traffic, result, pass);
    const ptx::Function* const function = module.find(trace.launches[result.launch].kernel);
    std::vector<SteppingVariables> variables(result.passes.size());
    const bool specialized =
        std::ranges::any_of(result.passes, [](const Pass& pass) { return !pass.completes.empty(); });
    if (function != nullptr) variables = stepping_variables(trace, *function, result.steps, result.passes, traffic);
    for (std::size_t p = 0; p < result.passes.size(); ++p) {
        Pass& pass = result.passes[p];
        auto& [tested, others] = variables[p];
        // Warps that wait for each other at mbarriers are in different places, so no variable belongs to the pass.
        if (specialized) others.clear();
        // A label has the variables that loops test or, if there are none, the first other variable.
        const std::size_t shown = tested.empty() ? std::min<std::size_t>(others.size(), 1) : tested.size();
        if (pass.role == Pass::Role::step) {
            pass.variables = std::move(tested);
            pass.variables.insert(pass.variables.end(), others.begin(), others.end());
        }
        pass.label = label_of(pass, std::span(pass.variables).first(std::min(shown, pass.variables.size())));
        if (pass.role != Pass::Role::step) continue;
        if (!pass.completes.empty()) pass.label = mbarrier_label(trace, module, result.launch, pass);
        if (!pass.completes.empty() || !pass.variables.empty()) continue;
        const std::span<const StepId> steps(result.steps);
        const std::string exchange =
            shuffle_label(trace, provenance, steps.subspan(pass.first, pass.past_last - pass.first));
        if (!exchange.empty()) pass.label = exchange;
    }
    make_labels_distinct(result.passes);
}

/// Fills in the measures of the pass's steps.
void measure(PassMeter& meter, std::span<const StepId> steps, Pass& pass) {
    if (steps.empty()) return;
    meter.begin(steps.front());
    for (const StepId id : steps) meter.add(id);
    meter.fill_in(pass);
}

}  // namespace

std::size_t BlockPasses::computing() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        passes, [](const Pass& pass) { return pass.role == Pass::Role::step || pass.role == Pass::Role::whole; }));
}

PassId BlockPasses::pass_of(std::size_t index) const {
    const auto after = std::ranges::upper_bound(passes, index, {}, &Pass::first);
    return after == passes.begin() ? PassId(0) : std::prev(after)->id;
}

std::size_t BlockPasses::position_of(StepId step) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(steps, step) - steps.begin());
}

std::optional<std::size_t> BlockPasses::find(StepId step) const {
    const std::size_t position = position_of(step);
    return position < steps.size() && steps[position] == step ? std::optional(position) : std::nullopt;
}

std::optional<std::size_t> BlockPasses::named(std::string_view label, std::size_t near) const {
    const auto away = [&](std::size_t pass) { return pass > near ? pass - near : near - pass; };
    std::optional<std::size_t> found;
    for (std::size_t pass = 0; pass < passes.size(); ++pass)
        if (passes[pass].label == label && (!found || away(pass) < away(*found))) found = pass;
    return found;
}

std::optional<std::size_t> find_pass(std::span<const GridPass> passes, const BlockPasses& block, const Pass& pass) {
    const auto index = [&](auto found) {
        return found == passes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - passes.begin()));
    };
    const auto of_block = [&](const GridPass& each) {
        return each.launch == block.launch &&
               std::ranges::find(each.of_blocks, std::pair(block.block, pass.id)) != each.of_blocks.end();
    };
    const auto aligned = std::ranges::find_if(passes, of_block);
    if (aligned != passes.end()) return index(aligned);
    return index(std::ranges::find_if(
        passes, [&](const GridPass& each) { return each.launch == block.launch && are_same(each, pass); }));
}

std::vector<StepId> steps_of(const trace::Trace& trace, std::uint32_t launch, BlockId block) {
    std::vector<StepId> steps;
    const trace::Launch& of = trace.launches[launch];
    if (!of.first_step.valid() || !of.past_last_step.valid()) return steps;
    for (std::uint32_t i = of.first_step.value; i < of.past_last_step.value && i < trace.step_count(); ++i) {
        if (trace.step(StepId(i)).block == block) steps.emplace_back(i);
    }
    return steps;
}

BlockPasses passes_of(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance,
                      std::uint32_t launch, BlockId block) {
    BlockPasses result;
    result.launch = launch;
    result.block = block;
    result.steps = steps_of(trace, launch, block);
    const Traffic traffic(trace, provenance.instructions(), result.steps);
    result.passes = cut_passes(trace, provenance, traffic, result.steps);
    name_passes(trace, module, provenance, traffic, result);
    PassMeter meter(trace, provenance, launch, result.steps);
    for (Pass& pass : result.passes) {
        measure(meter, std::span(result.steps).subspan(pass.first, pass.past_last - pass.first), pass);
        // Every epoch of a block but its last ends with a barrier.
        const bool last = pass.id.index() + 1 == result.passes.size();
        const std::uint32_t next_epoch = last ? pass.last_epoch : result.passes[pass.id.index() + 1].first_epoch;
        pass.counts.barriers = next_epoch - pass.first_epoch;
    }
    return result;
}

double lost_issues(const Pass& pass) {
    const trace::Counts& counts = pass.counts;
    const std::uint64_t accesses =
        counts.shared_load_instructions + counts.shared_store_instructions + counts.shared_atomic_instructions;
    const std::uint64_t wavefronts =
        counts.shared_load_wavefronts + counts.shared_store_wavefronts + counts.shared_atomic_wavefronts;
    const double replays = wavefronts > accesses ? static_cast<double>(wavefronts - accesses) : 0;
    return static_cast<double>(counts.warp_instructions) + replays - static_cast<double>(pass.useful_lanes) / warp_size;
}

std::optional<std::size_t> costliest_pass(const BlockPasses& passes) {
    if (passes.passes.empty()) return std::nullopt;
    const auto worst = std::ranges::max_element(passes.passes, {}, lost_issues);
    return static_cast<std::size_t>(worst - passes.passes.begin());
}

}  // namespace lanescope::analysis
