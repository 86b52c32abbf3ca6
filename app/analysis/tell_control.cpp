#include "analysis/condition.h"
#include "analysis/launch_shape.h"
#include "analysis/teller.h"

#include <fmt/format.h>

namespace lanescope::analysis {
namespace {

using trace::EffectKind;

/// How many warps of the block stand at this barrier once the step is done, and how many there are.
struct Arrivals {
    unsigned here = 0, warps = 0;
};

Arrivals arrivals(const Teller& t) {
    Arrivals result;
    result.warps = warps_of(t.trace.launches[t.passes.launch]);
    for (std::size_t i = t.index + 1; i-- > 0;) {
        const trace::Step& step = t.trace.step(t.passes.steps[i]);
        if (step.epoch != t.step.epoch) break;
        for (const trace::Effect& effect : t.trace.effects(step)) {
            if (effect.kind == EffectKind::barrier) ++result.here;
        }
    }
    return result;
}

std::string tell_barrier(const Teller& t) {
    if (t.effect(EffectKind::barrier) == nullptr) {
        return fmt::format("{} wait for each other's memory accesses", t.everyone(t.step.executed));
    }
    const Arrivals at = arrivals(t);
    if (at.warps <= 1) {
        return fmt::format("{} meet at the barrier: what they wrote to shared memory is there for all",
                           t.everyone(t.step.executed));
    }
    if (at.here >= at.warps) {
        return fmt::format(
            "Warp {} is the last at the barrier: what all {} warps wrote to shared memory is there for all",
            t.step.warp.value, at.warps);
    }
    return fmt::format("Warp {} waits at the barrier; {} of {} warps {} there", t.step.warp.value, at.here, at.warps,
                       at.here == 1 ? "is" : "are");
}

std::string tell_exit(const Teller& t) {
    const bool one = t.step.executed.count() == 1;
    return fmt::format("{} {} done", t.everyone(t.step.executed), one ? "is" : "are");
}

/// "on to line 11", "on to the barrier"
std::string tell_jump(const Teller& t) {
    const bool one = t.step.executed.count() == 1;
    return fmt::format("{} {} on to {}", t.everyone(t.step.executed), one ? "goes" : "go",
                       t.destination(t.instruction().target));
}

std::string tell_branch(const Teller& t) {
    const ptx::Instruction& branch = t.instruction();
    if (!branch.guard) return tell_jump(t);
    const trace::Effect* const effect = t.effect(EffectKind::branch);
    const LaneMask taken = effect != nullptr ? effect->lanes : t.step.executed;
    const LaneMask stay = t.step.active & ~taken;
    const auto position = static_cast<std::uint32_t>(&branch - t.line->function->instructions.data());
    const Condition condition = condition_of(t, branch.guard->predicate, branch.guard->negated);
    // The condition is told as the source has it; the compiler may jump where it fails.
    const LaneMask holds = condition.inverted ? stay : taken;
    const LaneMask fails = condition.inverted ? taken : stay;
    const std::string where_holds = t.destination(condition.inverted ? position + 1 : branch.target);
    const std::string where_fails = t.destination(condition.inverted ? branch.target : position + 1);
    if (fails.none()) return fmt::format("{} holds: {} go on to {}", condition.text, t.everyone(holds), where_holds);
    if (holds.none()) return fmt::format("{} fails: {} go on to {}", condition.text, t.everyone(fails), where_fails);
    return fmt::format("{} holds for {}: {} {} on to {}, {} to {}", condition.text, t.those(holds), holds.count(),
                       holds.count() == 1 ? "goes" : "go", where_holds, fails.count(), where_fails);
}

}  // namespace

std::string tell_control(const Teller& teller) {
    switch (ptx::info(teller.instruction().opcode).group) {
        case ptx::Group::barrier: return tell_barrier(teller);
        case ptx::Group::exit: return tell_exit(teller);
        case ptx::Group::branch:
            return teller.instruction().opcode == ptx::Opcode::bra
                       ? tell_branch(teller)
                       : fmt::format("{} call {}", teller.everyone(teller.step.executed),
                                     ptx::mnemonic(teller.instruction()));
        default:
            return fmt::format("{} run {}", teller.everyone(teller.step.executed), ptx::mnemonic(teller.instruction()));
    }
}

}  // namespace lanescope::analysis
