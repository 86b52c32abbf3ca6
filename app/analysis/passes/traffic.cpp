#include "analysis/passes/traffic.h"

#include <algorithm>

namespace lanescope::analysis {

using trace::Effect;
using trace::EffectKind;
using trace::Space;

bool exchanges(const trace::Trace& trace, const InstructionTable& code, const trace::Step& step) {
    const InstructionInfo* const line = code.at(step.line);
    if (line == nullptr || step.executed.none()) return false;
    if (line->flow == Flow::reduce) return true;
    return line->flow == Flow::shuffle && std::ranges::any_of(trace.effects(step), [](const Effect& effect) {
               return effect.kind == EffectKind::shuffle;
           });
}

bool may_end_pass(ptx::Action action) {
    switch (action) {
        case ptx::Action::block_barrier:
        case ptx::Action::warp_barrier:
        case ptx::Action::mbarrier_wait:
        case ptx::Action::shuffle:
        case ptx::Action::warp_reduce: return true;
        default: return false;
    }
}

bool is_of_mbarrier(const Effect& effect) {
    return effect.kind == EffectKind::atomic && effect.id == static_cast<std::uint32_t>(ptx::Atomic::none);
}

Traffic::Traffic(const trace::Trace& trace, const InstructionTable& code, std::span<const StepId> steps)
    : trace_(trace), code_(code) {
    const bool any = std::ranges::any_of(steps, [&](StepId id) { return (*this)(trace.step(id)); });
    if (!any) space_ = Space::global;
}

bool Traffic::operator()(const trace::Step& step) const {
    const auto effects = trace_.effects(step);
    return std::ranges::any_of(effects, [&](const Effect& effect) { return accesses(effect); }) ||
           exchanges(trace_, code_, step);
}

bool Traffic::accesses(const Effect& effect) const {
    switch (effect.kind) {
        case EffectKind::load:
        case EffectKind::store: return effect.space == space_;
        case EffectKind::atomic: return effect.space == space_ && !is_of_mbarrier(effect);
        default: return false;
    }
}

}  // namespace lanescope::analysis
