// What waits, orders and runs beside: barriers, fences, copies in the background, memory barriers.
#include "analysis/launch_shape.h"
#include "analysis/narration/narrator.h"

#include <fmt/format.h>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;

/// How many warps of the block stand at this barrier once the step is done, and how many there are.
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
    const std::string who = t.group_named(t.step.executed);
    if (t.instruction().modifiers.barrier == ptx::Barrier::arrive)
        return fmt::format("{} arrive at the barrier and do not wait", who);
    const Arrivals at = arrivals(t);
    if (at.warps <= 1) return fmt::format("{} reach the barrier: each now sees what the others wrote", who);
    if (at.here >= at.warps) {
        return fmt::format(
            "Warp {} is the last to reach the barrier: all {} warps now see what the others wrote to shared memory",
            t.step.warp.value, at.warps);
    }
    return fmt::format("Warp {} waits at the barrier: {} of {} warps {} arrived", t.step.warp.value, at.here, at.warps,
                       at.here == 1 ? "has" : "have");
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
        return memory_name(t.trace, t.module, effect->space, t.trace.address(*effect, t.lane), effect->bytes);
    };
    if (load == nullptr || store == nullptr || !load->lanes.has(t.lane) || !store->lanes.has(t.lane))
        return "global to shared memory";
    return fmt::format("{} to {}", name(load), name(store));
}

}  // namespace

std::string describe_sync(const Narrator& t) {
    using ptx::Opcode;
    const std::string who = t.group_named(t.step.executed);
    const char* const s = t.step.executed.count() == 1 ? "s" : "";
    const auto sentence_of = [&](const char* verb, const char* rest) {
        return fmt::format("{} {}{} {}", who, verb, s, rest);
    };
    const auto immediate = [&] { return t.instruction().operands[0].immediate; };
    switch (t.instruction().opcode) {
        case Opcode::bar:
        case Opcode::barrier: return describe_block_barrier(t);
        case Opcode::bar_warp_sync: return sentence_of("wait", "for each other: each now sees what the others wrote");
        case Opcode::membar:
        case Opcode::fence:
            return fmt::format("{} execute{} a fence: {} see writes before it no later than writes after it", who, s,
                               reach_of(t.instruction().modifiers.scope));
        case Opcode::cp_async: return fmt::format("{} starts an asynchronous copy from {}", t.actor(), copied(t));
        case Opcode::cp_async_commit_group:
            return sentence_of("commit", "the asynchronous copies started so far as one group");
        case Opcode::cp_async_wait_group:
            return immediate() == 0
                       ? sentence_of("wait", "until all groups of asynchronous copies are complete")
                       : fmt::format("{} wait{} until at most {} group{} of asynchronous copies {} pending", who, s,
                                     immediate(), immediate() == 1 ? "" : "s", immediate() == 1 ? "is" : "are");
        case Opcode::cp_async_wait_all: return sentence_of("wait", "until all asynchronous copies are complete");
        case Opcode::cp_async_mbarrier_arrive:
        case Opcode::cp_async_mbarrier_arrive_noinc:
            return sentence_of("schedule", "an arrival at the mbarrier for when the copies are complete");
        case Opcode::mbarrier_init: return sentence_of("initialize", "the mbarrier");
        case Opcode::mbarrier_inval: return sentence_of("invalidate", "the mbarrier");
        case Opcode::mbarrier_arrive:
        case Opcode::mbarrier_arrive_drop: return sentence_of("arrive", "at the mbarrier");
        case Opcode::prefetch:
        case Opcode::prefetchu: return sentence_of("request", "a cache line ahead of its use");
        case Opcode::nanosleep: return sentence_of("sleep", "for a moment");
        default: return sentence_of("stop", "at a breakpoint");  // brkpt
    }
}

}  // namespace lanescope::analysis
