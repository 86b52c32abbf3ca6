// Synchronization and asynchrony: barriers, fences, asynchronous copies, mbarriers.
#include "analysis/launch_shape.h"
#include "analysis/narration/narrator.h"
#include "base/grouped.h"

#include <fmt/format.h>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;

/// How many warps of the block wait at this barrier after the step, and how many there are.
struct Arrivals {
    unsigned here = 0, warps = 0;
};

Arrivals arrivals(const Narrator& t) {
    Arrivals result;
    result.warps = warps_of(t.launch());
    for (std::size_t i = t.index + 1; i-- > 0;) {
        const trace::Step& step = t.step_at(i);
        if (step.epoch != t.step.epoch) break;
        for (const Effect& effect : t.trace.effects(step)) {
            if (effect.kind == EffectKind::barrier) ++result.here;
        }
    }
    return result;
}

std::string describe_block_barrier(const Narrator& t) {
    const std::string subject = t.group_named(t.step.executed);
    if (t.instruction().modifiers.barrier == ptx::Barrier::arrive)
        return fmt::format("{} arrive at the barrier and do not wait", subject);
    const Arrivals at = arrivals(t);
    if (at.warps <= 1) return fmt::format("{} reach the barrier: each now sees the others' writes", subject);
    if (at.here >= at.warps) {
        return fmt::format(
            "Warp {} is the last to reach the barrier: all {} now see the others' writes to shared memory",
            t.step.warp.value, counted(at.warps, "warp"));
    }
    return fmt::format("Warp {} waits at the barrier: {} of {} {} arrived", t.step.warp.value, at.here,
                       counted(at.warps, "warp"), verb(at.here, "have", "has"));
}

/// The threads for which a fence orders the writes (PTX ISA 9.7.13, membar and fence).
const char* reach_of(ptx::Scope scope) {
    switch (scope) {
        case ptx::Scope::cta: return "the threads of the block";
        case ptx::Scope::cluster: return "the threads of the cluster";
        case ptx::Scope::sys: return "all threads and the host";
        default: return "all threads of the device";
    }
}

/// "in[4] to sdata[4]", where the trace has the copy.
std::string copied(const Narrator& t) {
    const Effect* const load = t.effect(EffectKind::load);
    const Effect* const store = t.effect(EffectKind::store);
    const auto name = [&](const Effect* effect) {
        return memory_name(t.trace, t.module, t.step.launch, effect->space, t.trace.address(*effect, t.lane),
                           effect->bytes);
    };
    if (load == nullptr || store == nullptr || !load->lanes.has(t.lane) || !store->lanes.has(t.lane))
        return "global to shared memory";
    return fmt::format("{} to {}", name(load), name(store));
}

}  // namespace

std::string describe_sync(const Narrator& t) {
    const std::uint64_t count = t.step.executed.count();
    const std::string subject = t.group_named(t.step.executed);
    const ptx::Instruction& instruction = t.instruction();
    switch (instruction.action()) {
        case ptx::Action::block_barrier: return describe_block_barrier(t);
        case ptx::Action::fence:
            return fmt::format("{} {} a fence: {} see writes before it no later than writes after it", subject,
                               verb(count, "execute"), reach_of(instruction.modifiers.scope));
        case ptx::Action::copy: return fmt::format("{} starts an asynchronous copy from {}", t.actor(), copied(t));
        case ptx::Action::copy_wait: {
            if (instruction.operand_count == 0) break;
            const std::uint64_t left = instruction.operands[0].immediate;
            if (left == 0)
                return fmt::format("{} {} until all groups of asynchronous copies are complete", subject,
                                   verb(count, "wait"));
            return fmt::format("{} {} until at most {} of asynchronous copies {} pending", subject, verb(count, "wait"),
                               counted(left, "group"), verb(left, "are", "is"));
        }
        default: break;
    }
    // "waits until ...": of several lanes the verb loses its s.
    const std::string_view phrase = instruction.meaning().phrase;
    const std::string_view first = phrase.substr(0, phrase.find(' '));
    return fmt::format("{} {}{}", subject, count == 1 || first.empty() ? first : first.substr(0, first.size() - 1),
                       phrase.substr(first.size()));
}

}  // namespace lanescope::analysis
