#include "analysis/narration/narrator.h"
#include "analysis/passes/loops.h"
#include "analysis/source/source_line.h"
#include "base/grouped.h"

#include <fmt/format.h>

namespace lanescope::analysis {
namespace {

using trace::EffectKind;

std::string describe_exit(const Narrator& t) {
    const std::string lanes = t.group_named(t.step.executed);
    const auto does = [&](std::string_view what) { return verb(t.step.executed.count(), what); };
    if (t.instruction().action() == ptx::Action::trap)
        return fmt::format("{} {} a trap: the launch is aborted", lanes, does("execute"));
    if (!t.line->function->entry && t.instruction().action() == ptx::Action::return_)
        return fmt::format("{} {} from {}", lanes, does("return"), library_name_of(t.line->function->name));
    return fmt::format("{} {}", lanes, does("exit"));
}

/// "all 16 lanes go back to line 9"
std::string describe_jump(const Narrator& t) {
    const ptx::Instruction& jump = t.instruction();
    const bool back = jump.target <= static_cast<std::uint32_t>(&jump - t.line->function->instructions.data());
    return fmt::format("{} {} {} {}", t.group_named(t.step.executed), verb(t.step.executed.count(), "go"),
                       back ? "back to" : "to", t.destination(jump.target) + t.quoted(jump.target));
}

/// "the loop continues, ", where the branch decides about its innermost loop.
const char* loop_outcome(const Narrator& t, std::uint32_t branch, bool taken) {
    const char* outcome = "";
    for (const Loop& loop : loops_of(*t.line->function)) {
        const LoopDecision decision = decision_of(*t.line->function, loop, branch);
        if (!loop.holds(branch)) continue;
        outcome = !decision.decides                     ? ""
                  : decision.leaves_when_taken == taken ? "the loop ends, "
                                                        : "the loop continues, ";
    }
    return outcome;
}

std::string describe_branch(const Narrator& t) {
    const ptx::Instruction& branch = t.instruction();
    if (!branch.guard) return describe_jump(t);
    const trace::Effect* const effect = t.effect(EffectKind::branch);
    const LaneMask taken = effect != nullptr ? effect->lanes : t.step.executed;
    const LaneMask stay = t.step.active & ~taken;
    const std::size_t instructions = t.line->function->instructions.size();
    const auto position = static_cast<std::uint32_t>(&branch - t.line->function->instructions.data());
    const Condition condition = condition_of(t, t.line->guard, branch.guard->negated);
    // The sentence has the condition of the source; the compiler may branch where it fails.
    const LaneMask holds = condition.inverted ? stay : taken;
    const LaneMask fails = condition.inverted ? taken : stay;
    const std::string where_holds = t.destination(condition.inverted ? position + 1 : branch.target);
    const std::string where_fails = t.destination(condition.inverted ? branch.target : position + 1);
    const std::string here = t.destination(position);
    const auto all_go = [&](const char* outcome, LaneMask lanes, const std::string& where) {
        return fmt::format("{} {}: {}{} {} {} {}", condition.text, outcome, loop_outcome(t, position, taken.any()),
                           t.group_named(lanes), verb(lanes.count(), "go"), where == here ? "on within" : "to", where);
    };
    if (fails.none()) return all_go("holds", holds, where_holds);
    if (holds.none()) return all_go("fails", fails, where_fails);
    // An `if` without an else: the lanes for which it fails continue where all reconverge.
    const std::uint32_t skipped_to = t.past_jumps(condition.inverted ? branch.target : position + 1);
    const bool enters = branch.reconvergence < instructions && t.past_jumps(branch.reconvergence) == skipped_to;
    const char* const they = holds.count() == 1 ? "it" : "they";
    const std::string others = fails.count() == 1 ? "the other" : fmt::format("the other {}", fails.count());
    if (!enters && where_holds == where_fails)
        return fmt::format("{} holds for {} and fails for {}: two ways, both to {}", condition.text,
                           t.lanes_named(holds), others, where_holds);
    return enters ? fmt::format("{} holds for {}: {} {} the branch, {} {} to {}", condition.text, t.lanes_named(holds),
                                they, verb(holds.count(), "enter"), others, verb(fails.count(), "go"), where_fails)
                  : fmt::format("{} holds for {}: {} {} to {}, {} to {}", condition.text, t.lanes_named(holds), they,
                                verb(holds.count(), "go"), where_holds, others, where_fails);
}

std::string describe_call(const Narrator& t) {
    const std::string name = t.callee_of(t.instruction());
    const std::string subject = t.group_named(t.step.executed);
    const std::string calls = verb(t.step.executed.count(), "call");
    if (name != "vprintf") return fmt::format("{} {} {}", subject, calls, name);
    for (const trace::Printed& printed : t.trace.printed) {
        if (printed.step != t.id || printed.lane.value != t.lane) continue;
        std::string_view text = printed.text;
        while (text.ends_with('\n')) text.remove_suffix(1);
        return fmt::format("{} prints \"{}\"", t.actor(), text);
    }
    return fmt::format("{} {} printf", subject, calls);
}

/// brx.idx: a switch of the source.
std::string describe_table_jump(const Narrator& t) {
    const trace::Effect* const effect = t.effect(EffectKind::branch);
    const LaneMask taken = effect != nullptr && effect->lanes.any() ? effect->lanes : t.step.executed;
    return fmt::format("{} {} through the jump table of a switch", t.group_named(taken), verb(taken.count(), "branch"));
}

}  // namespace

std::string describe_control(const Narrator& narrator) {
    switch (narrator.instruction().action()) {
        case ptx::Action::return_:
        case ptx::Action::exit:
        case ptx::Action::trap: return describe_exit(narrator);
        case ptx::Action::jump: return describe_branch(narrator);
        case ptx::Action::jump_table: return describe_table_jump(narrator);
        case ptx::Action::call: return describe_call(narrator);
        default: return describe_sync(narrator);
    }
}

}  // namespace lanescope::analysis
