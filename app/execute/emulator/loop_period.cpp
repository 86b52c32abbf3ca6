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

/// The reads that a predicate is computed from, among the executed instructions [first, last] of its function. Nothing:
/// it is not known, because a function returns it or the path decides it.
std::optional<std::vector<Pc>> reads_of(const Code& code, const LoopPeriod& period, Pc first, Pc last,
                                        RegisterId predicate) {
    const ptx::Function* const function = function_of(code, first);
    if (function == nullptr) return std::nullopt;
    std::vector<RegisterId> wanted{predicate};
    std::vector<Pc> reads;
    for (std::size_t next = 0; next < wanted.size(); ++next) {
        std::optional<Pc> definition;
        for (Pc pc = first; pc <= last; ++pc) {
            if (!period.executed(pc) || code.micros[pc].instruction == nullptr) continue;
            const auto defined = ptx::definitions_of(*function, *code.micros[pc].instruction);
            if (std::ranges::find(defined, wanted[next]) == defined.end()) continue;
            if (definition) return std::nullopt;
            definition = pc;
        }
        if (!definition) continue;  // from before the loop
        const Micro& micro = code.micros[*definition];
        if (micro.kind == Kind::load || micro.kind == Kind::atomic) {
            if (code.accesses[micro.access].call_parameter) return std::nullopt;
            reads.push_back(*definition);
            continue;
        }
        for (const RegisterId reg : ptx::uses_of(*function, *micro.instruction).data) {
            if (std::ranges::find(wanted, reg) == wanted.end()) wanted.push_back(reg);
        }
    }
    return reads;
}

/// Where the condition does not show it: the read that is most likely what the loop waits for.
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
    bool known = true;  // what all conditions depend on
    for (Pc pc = first; pc <= loop.back; ++pc) {
        if (!could_leave(code, period, pc)) continue;
        if (!loop.exit) loop.exit = pc;
        const auto condition = reads_of(code, period, first, loop.back, code.micros[pc].instruction->guard->predicate);
        known = known && condition.has_value();
        const auto read = std::ranges::find_if(reads, [&](const LoopPeriod::Read& each) {
            return condition && std::ranges::find(*condition, each.pc) != condition->end();
        });
        if (read == reads.end()) continue;
        loop.exit = pc;
        loop.waits_for = *read;
        return loop;
    }
    if (!known || !loop.exit) loop.waits_for = likeliest(reads);
    return loop;
}

}  // namespace lanescope::execute
