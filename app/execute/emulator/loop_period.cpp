#include "execute/emulator/loop_period.h"

#include "execute/emulator/lane_values.h"

#include <algorithm>
#include <functional>

namespace lanescope::execute {

LoopPeriod::LoopPeriod(const Code& code, const Warp& warp)
    : code_(code), executed_(code.micros.size(), false), steps_(code.micros.size()) {
    if (warp.control.runnable()) lane_ = warp.control.lanes().lowest();
}

void LoopPeriod::before(Pc pc, const Warp& warp) {
    const Micro& micro = code_.micros[pc];
    if (!warp.control.lanes().has(lane_)) return;
    executed_[pc] = true;
    const bool guarded =
        micro.guard != always_slot && !LaneMask(warp.word(micro.guard) ^ micro.guard_invert).has(lane_);
    const bool reads = micro.kind == Kind::load || micro.kind == Kind::atomic;
    if (!reads || guarded) return;
    const MemoryAccess& access = code_.accesses[micro.access];
    std::uint64_t address = access.offset;
    if (access.base) {
        address += cell(warp, *access.base, lane_);
        if (access.base->row != Row::wide) address = static_cast<std::uint32_t>(address);
    }
    const ptx::Space space = access.space == ptx::Space::generic ? space_of(address) : access.space;
    if (space != ptx::Space::shared && space != ptx::Space::global) return;
    if (access.space == ptx::Space::generic) address -= window_of(space);
    std::erase_if(reads_, [&](const Read& read) { return read.pc == pc; });
    reads_.push_back({.pc = pc,
                      .space = space,
                      .address = address,
                      .bytes = bytes_of(access),
                      .barrier_object = access.barrier_object != nullptr,
                      .strong = access.strong});
}

void LoopPeriod::recorded(Pc pc, StepId step) { steps_[pc] = step; }

std::optional<StepId> LoopPeriod::step_of(Pc pc) const {
    if (pc >= steps_.size() || !steps_[pc].valid()) return std::nullopt;
    return steps_[pc];
}

namespace {

/// The function that an instruction is in, by its place among Code::callees; the kernel is the first.
std::size_t function_at(const Code& code, Pc pc) {
    const auto after = std::ranges::upper_bound(code.callees, pc, {}, &Callee::begin);
    return static_cast<std::size_t>(after - code.callees.begin()) - 1;
}

const ptx::Function* function_of(const Code& code, Pc pc) {
    const ptx::Instruction* const instruction = code.micros[pc].instruction;
    for (const ptx::Function& function : code.module->functions) {
        const ptx::Instruction* const first = function.instructions.data();
        const bool inside =
            std::less_equal<>()(first, instruction) && std::less<>()(instruction, first + function.instructions.size());
        if (inside) return &function;
    }
    return nullptr;
}

/// The outermost branch back, of the outermost function that loops.
Pc branch_back(const Code& code, const LoopPeriod& period) {
    Pc found = no_pc;
    for (Pc pc = 0; pc < code.micros.size(); ++pc) {
        const Micro& micro = code.micros[pc];
        if (micro.kind != Kind::branch || !period.executed(pc)) continue;
        if (micro.target > pc || !period.executed(micro.target)) continue;
        if (found != no_pc && function_at(code, found) != function_at(code, pc)) break;
        if (found == no_pc || pc - micro.target > found - code.micros[found].target) found = pc;
    }
    return found;
}

/// Whether the branch has a side that was not executed and that does not lead back into the loop.
bool could_leave(const Code& code, const LoopPeriod& period, Pc pc) {
    const Micro& micro = code.micros[pc];
    if (micro.guard == always_slot || !period.executed(pc)) return false;
    if (micro.kind == Kind::exit || micro.kind == Kind::return_from_call) return true;
    if (micro.kind != Kind::branch || (period.executed(micro.target) && period.executed(pc + 1))) return false;
    return micro.reconvergence == no_pc || !period.executed(micro.reconvergence);
}

/// The instructions of a loop that a predicate is computed from.
struct Condition {
    std::vector<Pc> reads;
    std::vector<Pc> skipped;  ///< would change it; not executed
};

/// The definitions of a register among the instructions [first, last].
std::vector<Pc> definitions_in(const Code& code, const ptx::Function& function, Pc first, Pc last, RegisterId reg) {
    std::vector<Pc> found;
    for (Pc pc = first; pc <= last; ++pc) {
        if (code.micros[pc].instruction == nullptr) continue;
        const auto defined = ptx::definitions_of(function, *code.micros[pc].instruction);
        if (std::ranges::find(defined, reg) != defined.end()) found.push_back(pc);
    }
    return found;
}

/// The condition of a predicate in the loop [first, last] of its function. Nothing: it is not known, because a function
/// returns it or the path decides it.
std::optional<Condition> condition_of(const Code& code, const LoopPeriod& period, Pc first, Pc last,
                                      RegisterId predicate) {
    const ptx::Function* const function = function_of(code, first);
    if (function == nullptr) return std::nullopt;
    std::vector<RegisterId> wanted{predicate};
    Condition condition;
    for (std::size_t next = 0; next < wanted.size(); ++next) {
        std::vector<Pc> definitions = definitions_in(code, *function, first, last, wanted[next]);
        const auto executed = std::ranges::partition(definitions, [&](Pc pc) { return !period.executed(pc); });
        if (executed.size() > 1) return std::nullopt;
        condition.skipped.insert(condition.skipped.end(), definitions.begin(), executed.begin());
        if (executed.empty()) continue;  // from before the loop
        const Micro& micro = code.micros[executed.front()];
        if (micro.kind == Kind::load || micro.kind == Kind::atomic) {
            if (code.accesses[micro.access].call_parameter) return std::nullopt;
            condition.reads.push_back(executed.front());
            continue;
        }
        for (const RegisterId reg : ptx::uses_of(*function, *micro.instruction).data) {
            if (std::ranges::find(wanted, reg) == wanted.end()) wanted.push_back(reg);
        }
    }
    return condition;
}

/// Whether the predicate is a constant, as that of `while (true)` compiled as written.
bool is_constant(const Code& code, Pc first, Pc last, RegisterId predicate) {
    const ptx::Function* const function = function_of(code, first);
    if (function == nullptr) return false;
    const std::vector<Pc> definitions = definitions_in(code, *function, first, last, predicate);
    if (definitions.size() != 1) return false;
    const ptx::Uses uses = ptx::uses_of(*function, *code.micros[definitions.front()].instruction);
    return uses.data.empty() && uses.address.empty() && code.micros[definitions.front()].kind != Kind::load;
}

/// The branch that leads past the instruction: the last one before it that was executed to one side alone.
std::optional<Pc> branch_past(const Code& code, const LoopPeriod& period, Pc first, Pc skipped) {
    for (Pc pc = skipped; pc-- > first;) {
        const Micro& micro = code.micros[pc];
        if (micro.kind == Kind::branch && micro.guard != always_slot && period.executed(pc) &&
            period.executed(micro.target) != period.executed(pc + 1))
            return pc;
    }
    return std::nullopt;
}

/// The last branch to the loop's beginning, executed or not: `continue` is another one.
Pc end_of_loop(const Code& code, Pc first, Pc back) {
    Pc last = back;
    for (Pc pc = back; pc < code.micros.size() && function_at(code, pc) == function_at(code, back); ++pc)
        if (code.micros[pc].kind == Kind::branch && code.micros[pc].target == first) last = pc;
    return last;
}

/// If the condition does not show it: the read that is most likely what the loop waits for.
std::optional<LoopPeriod::Read> likeliest(const std::vector<LoopPeriod::Read>& reads) {
    const auto rank = [](const LoopPeriod::Read& read) { return read.barrier_object ? 2 : read.strong ? 1 : 0; };
    std::optional<LoopPeriod::Read> found;
    for (const LoopPeriod::Read& read : reads) {
        if (!found || rank(read) >= rank(*found)) found = read;
    }
    return found;
}

}  // namespace

void Loop::hold(std::uint32_t line) {
    if (line == 0) return;
    first_line = first_line == 0 ? line : std::min(first_line, line);
    last_line = std::max(last_line, line);
}

Loop loop_in(const Code& code, const LoopPeriod& period) {
    Loop loop;
    loop.back = branch_back(code, period);
    if (loop.back == no_pc) return loop;
    const Pc first = code.micros[loop.back].target;
    for (Pc pc = first; pc <= loop.back; ++pc) {
        if (period.executed(pc)) loop.hold(code.source_line(code.micros[pc]));
    }
    const std::vector<LoopPeriod::Read>& reads = period.reads();
    const Pc last = end_of_loop(code, first, loop.back);
    const auto read_among = [&](const std::vector<Pc>& pcs) -> const LoopPeriod::Read* {
        const auto read = std::ranges::find_if(
            reads, [&](const LoopPeriod::Read& each) { return std::ranges::find(pcs, each.pc) != pcs.end(); });
        return read == reads.end() ? nullptr : &*read;
    };
    bool known = true;  // what all conditions depend on
    for (Pc pc = first; pc <= loop.back; ++pc) {
        if (!could_leave(code, period, pc)) continue;
        const RegisterId predicate = code.micros[pc].instruction->guard->predicate;
        if (is_constant(code, first, last, predicate)) continue;
        if (!loop.exit) loop.exit = pc;
        const auto condition = condition_of(code, period, first, last, predicate);
        known = known && condition.has_value();
        if (!condition) continue;
        if (const LoopPeriod::Read* const read = read_among(condition->reads)) {
            loop.exit = pc;
            loop.waits_for = *read;
            return loop;
        }
        // A condition on what the loop never changes: the branch that leads past the change decides.
        for (const Pc skipped : condition->skipped) {
            const auto branch = branch_past(code, period, first, skipped);
            if (!branch) continue;
            const auto steered =
                condition_of(code, period, first, last, code.micros[*branch].instruction->guard->predicate);
            if (const LoopPeriod::Read* const read = steered ? read_among(steered->reads) : nullptr) {
                loop.exit = *branch;
                loop.waits_for = *read;
                return loop;
            }
            if (loop.exit == pc) loop.exit = *branch;
        }
    }
    if (!known || !loop.exit) loop.waits_for = likeliest(reads);
    return loop;
}

}  // namespace lanescope::execute
