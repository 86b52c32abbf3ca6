// What the lanes of a warp do together: shuffles, votes, matches, reductions, and barriers that answer.
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
    if (source == t.lane) return fmt::format("{} keeps its own {}: no lane to take from", t.actor(), t.number(result));
    return fmt::format("{} takes {} from {}", t.actor(), t.number(result), t.lanes_named(LaneMask::only(source)));
}

/// "add up", "find the largest of"
const char* combine_words(ptx::Atomic operation) {
    switch (operation) {
        case ptx::Atomic::min: return "find the smallest of";
        case ptx::Atomic::max: return "find the largest of";
        case ptx::Atomic::and_: return "find the bits common to";
        case ptx::Atomic::or_: return "put together the bits of";
        case ptx::Atomic::xor_: return "combine by exclusive or";
        default: return "add up";
    }
}

/// The lanes of a mask that some lane got: "lanes 0 and 4", "none"
std::string lanes_told(const Narrator& t, std::uint64_t mask) {
    const LaneMask lanes(static_cast<std::uint32_t>(mask));
    return lanes.none() ? "none" : t.lanes_named(lanes);
}

std::string describe_vote(const Narrator& t, const TracedValue& result) {
    const std::string who = t.group_named(t.step.executed);
    const char* const answer = result.bits != 0 ? "yes" : "no";
    switch (t.instruction().modifiers.vote) {
        case ptx::Vote::all: return fmt::format("{} vote: does it hold for all of them? {}", who, answer);
        case ptx::Vote::any: return fmt::format("{} vote: does it hold for any of them? {}", who, answer);
        case ptx::Vote::uni: return fmt::format("{} vote: do they all say the same? {}", who, answer);
        default: return fmt::format("{} vote, and each learns for whom it holds: {}", who, lanes_told(t, result.bits));
    }
}

std::string describe_match(const Narrator& t, const TracedValue& result) {
    if (t.instruction().modifiers.vote == ptx::Vote::all) {
        return fmt::format("{} compare what they hold: {}", t.group_named(t.step.executed),
                           result.bits != 0 ? "it is the same for all" : "it is not the same for all");
    }
    return fmt::format("{} learns which lanes hold what it holds: {}", t.actor(), lanes_told(t, result.bits));
}

/// bar.red and the waits of memory barriers, which have a result.
std::string describe_answer(const Narrator& t, ValueId result) {
    using ptx::Opcode;
    switch (t.instruction().opcode) {
        case Opcode::mbarrier_test_wait:
        case Opcode::mbarrier_try_wait:
            return fmt::format("{} asks whether all have arrived at the memory barrier: {}", t.actor(),
                               t.provenance[result].bits != 0 ? "yes" : "not yet");
        case Opcode::mbarrier_arrive: return fmt::format("{} arrives at the memory barrier and goes on", t.actor());
        case Opcode::mbarrier_arrive_drop:
            return fmt::format("{} arrives at the memory barrier for the last time and goes on", t.actor());
        default: break;
    }
    const std::string who = t.group_named(t.step.executed);
    switch (t.instruction().modifiers.atomic) {
        case ptx::Atomic::popc:
            return fmt::format("{} meet the block at the barrier, which counts for how many threads it holds: {}", who,
                               t.number(result));
        case ptx::Atomic::or_:
            return fmt::format("{} meet the block at the barrier, which tells whether it holds for any thread: {}", who,
                               t.number(result));
        default:
            return fmt::format("{} meet the block at the barrier, which tells whether it holds for all threads: {}",
                               who, t.number(result));
    }
}

}  // namespace

std::string describe_collective(const Narrator& t, ValueId result) {
    using ptx::Opcode;
    const TracedValue& value = t.provenance[result];
    switch (t.instruction().opcode) {
        case Opcode::shfl: return describe_shuffle(t, result);
        case Opcode::redux:
            return fmt::format("{} {} what they hold: {}", t.group_named(t.step.executed),
                               combine_words(t.instruction().modifiers.atomic), t.number(result));
        case Opcode::vote: return describe_vote(t, value);
        case Opcode::match: return describe_match(t, value);
        case Opcode::activemask:
            return fmt::format("{} asks which lanes are at this instruction with it: {}", t.actor(),
                               lanes_told(t, value.bits));
        default: return describe_answer(t, result);
    }
}

}  // namespace lanescope::analysis
