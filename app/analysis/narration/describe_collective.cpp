// Cross-lane instructions: shuffles, votes, matches, reductions, and barriers with a result.
#include "analysis/narration/narrator.h"

#include <fmt/format.h>

namespace lanescope::analysis {
namespace {

using trace::EffectKind;

std::string describe_shuffle(const Narrator& t, ValueId result) {
    const trace::Effect* const shuffle = t.effect(EffectKind::shuffle);
    const auto source = shuffle != nullptr && shuffle->lanes.has(t.lane)
                            ? static_cast<unsigned>(t.trace.after(*shuffle, t.lane))
                            : t.lane;
    if (source == t.lane) return fmt::format("{} keeps its own value {}", t.actor(), t.number(result));
    return fmt::format("{} receives {} from {}", t.actor(), t.number(result), t.lanes_named(LaneMask::only(source)));
}

/// "add up", "find the maximum of"
const char* combine_words(ptx::Atomic operation) {
    switch (operation) {
        case ptx::Atomic::min: return "find the minimum of";
        case ptx::Atomic::max: return "find the maximum of";
        case ptx::Atomic::and_: return "find the bitwise AND of";
        case ptx::Atomic::or_: return "find the bitwise OR of";
        case ptx::Atomic::xor_: return "find the bitwise XOR of";
        default: return "add up";
    }
}

/// "lanes 0 and 4", "none"
std::string lanes_of_mask(const Narrator& t, std::uint64_t mask) {
    const LaneMask lanes(static_cast<std::uint32_t>(mask));
    return lanes.none() ? "none" : t.lanes_named(lanes);
}

std::string describe_vote(const Narrator& t, const TracedValue& result) {
    const std::string subject = t.group_named(t.step.executed);
    const char* const answer = result.bits != 0 ? "yes" : "no";
    switch (t.instruction().modifiers.vote) {
        case ptx::Vote::all: return fmt::format("{} vote: the predicate holds for all of them: {}", subject, answer);
        case ptx::Vote::any: return fmt::format("{} vote: the predicate holds for any of them: {}", subject, answer);
        case ptx::Vote::uni:
            return fmt::format("{} vote: the predicate is the same for all of them: {}", subject, answer);
        default: return fmt::format("{} vote: the predicate holds for {}", subject, lanes_of_mask(t, result.bits));
    }
}

std::string describe_match(const Narrator& t, const TracedValue& result) {
    if (t.instruction().modifiers.vote == ptx::Vote::all) {
        return fmt::format("{} compare their values: {}", t.group_named(t.step.executed),
                           result.bits != 0 ? "all are equal" : "not all are equal");
    }
    return fmt::format("{} finds the lanes with the same value: {}", t.actor(), lanes_of_mask(t, result.bits));
}

/// bar.red and the waits at mbarriers, which have a result.
std::string describe_answer(const Narrator& t, ValueId result) {
    switch (t.instruction().action()) {
        case ptx::Action::mbarrier_wait:
            return fmt::format("{} tests whether the phase of the mbarrier is complete: {}", t.actor(),
                               t.provenance[result].bits != 0 ? "yes" : "not yet");
        case ptx::Action::mbarrier_arrive:
            return fmt::format("{} arrives at the mbarrier and does not wait", t.actor());
        case ptx::Action::mbarrier_drop:
            return fmt::format("{} arrives at the mbarrier for the last time and does not wait", t.actor());
        default: break;
    }
    const std::string subject = t.group_named(t.step.executed);
    switch (t.instruction().modifiers.atomic) {
        case ptx::Atomic::popc:
            return fmt::format("{} reach the barrier, which counts the threads of the block whose predicate holds: {}",
                               subject, t.number(result));
        case ptx::Atomic::or_:
            return fmt::format("{} reach the barrier, where the predicate holds for any thread of the block: {}",
                               subject, t.number(result));
        default:
            return fmt::format("{} reach the barrier, where the predicate holds for all threads of the block: {}",
                               subject, t.number(result));
    }
}

}  // namespace

std::string describe_collective(const Narrator& t, ValueId result) {
    const TracedValue& value = t.provenance[result];
    switch (t.instruction().action()) {
        case ptx::Action::shuffle: return describe_shuffle(t, result);
        case ptx::Action::warp_reduce:
            return fmt::format("{} {} their values: {}", t.group_named(t.step.executed),
                               combine_words(t.instruction().modifiers.atomic), t.number(result));
        case ptx::Action::vote: return describe_vote(t, value);
        case ptx::Action::match: return describe_match(t, value);
        case ptx::Action::active_mask:
            return fmt::format("{} reads the mask of active lanes: {}", t.actor(), lanes_of_mask(t, value.bits));
        default: return describe_answer(t, result);
    }
}

}  // namespace lanescope::analysis
