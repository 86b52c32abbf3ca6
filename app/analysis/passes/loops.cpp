#include "analysis/passes/loops.h"

#include "analysis/dataflow/instruction_table.h"
#include "analysis/launch_shape.h"
#include "analysis/source/element_type.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lanescope::analysis {
std::vector<Loop> loops_of(const ptx::Function& function) {
    std::vector<Loop> loops;
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
        const ptx::Instruction& branch = function.instructions[i];
        if (branch.action() != ptx::Action::jump || branch.target > i) continue;
        const auto same = std::ranges::find(loops, branch.target, &Loop::first);
        if (same == loops.end()) {
            loops.push_back({branch.target, i});
        } else {
            same->last = std::max(same->last, i);
        }
    }
    std::ranges::sort(
        loops, [](const Loop& a, const Loop& b) { return a.first != b.first ? a.first < b.first : a.last > b.last; });
    return loops;
}

LoopDecision decision_of(const ptx::Function& function, const Loop& loop, std::uint32_t at) {
    const ptx::Instruction& branch = function.instructions[at];
    if (branch.action() != ptx::Action::jump || !branch.guard || !loop.holds(at)) return {};
    if (!loop.holds(branch.target)) return {true, true};
    if (!loop.holds(at + 1)) return {true, false};
    const ptx::Instruction& next = function.instructions[at + 1];
    const bool leaves = next.action() == ptx::Action::jump && !next.guard && !loop.holds(next.target);
    return {leaves, false};
}

namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::SourceVariable;
using Kind = ptx::Operand::Kind;

bool is_barrier(const Instruction& instruction) { return instruction.meaning().group == ptx::Group::barrier; }

std::vector<Loop> loops_with_barrier(const Function& function) {
    std::vector<Loop> loops = loops_of(function);
    std::erase_if(loops, [&](const Loop& loop) {
        const auto body = std::span(function.instructions).subspan(loop.first, loop.last - loop.first + 1);
        return std::ranges::none_of(body, is_barrier);
    });
    return loops;
}

bool defines(const Instruction& instruction, RegisterId reg) {
    for (unsigned i = 0; i < instruction.destination_count; ++i) {
        const ptx::Operand& operand = instruction.operands[i];
        if (operand.kind == Kind::reg && (operand.reg == reg || operand.paired == reg)) return true;
    }
    return false;
}

/// Does the loop change the variable?
bool changes(const Function& function, const Loop& loop, const SourceVariable& variable) {
    for (std::uint32_t i = loop.first; i <= loop.last; ++i) {
        for (const ptx::VariableRange& range : variable.ranges) {
            if (defines(function.instructions[i], range.reg)) return true;
        }
    }
    return false;
}

/// Follows the operands of `reg`, used at instruction `at`, back to variables of the source.
void trace_back(const Function& function, const Loop& loop, RegisterId reg, std::uint32_t at, unsigned depth,
                std::vector<const SourceVariable*>& found) {
    constexpr unsigned deepest = 6;  // !(a * 2 < b) is four definitions deep
    const SourceVariable* const variable = ptx::variable_in(function, reg, function.instructions[at].line);
    if (variable != nullptr) {
        if (std::ranges::find(found, variable) == found.end()) found.push_back(variable);
        return;
    }
    if (depth == deepest) return;
    for (std::uint32_t i = at; i-- > loop.first;) {
        const Instruction& definition = function.instructions[i];
        if (!defines(definition, reg)) continue;
        if (definition.meaning().group == ptx::Group::load) return;
        for (unsigned k = definition.destination_count; k < definition.operand_count; ++k) {
            if (definition.operands[k].kind == Kind::reg) {
                trace_back(function, loop, definition.operands[k].reg, i, depth + 1, found);
            }
        }
        return;
    }
}

/// A variable that a loop with a barrier tests and changes.
struct Tested {
    const SourceVariable* variable = nullptr;
    PtxLine first, last;  ///< of the loop
};

std::vector<Tested> tested_variables(const Function& function) {
    std::vector<Tested> result;
    for (const Loop& loop : loops_with_barrier(function)) {
        std::vector<const SourceVariable*> found;
        for (std::uint32_t i = loop.first; i <= loop.last; ++i) {
            if (!decision_of(function, loop, i).decides) continue;
            trace_back(function, loop, function.instructions[i].guard->predicate, i, 0, found);
        }
        for (const SourceVariable* variable : found) {
            if (!variable->parameter && changes(function, loop, *variable)) {
                result.push_back(
                    {variable, function.instructions[loop.first].line, function.instructions[loop.last].line});
            }
        }
    }
    return result;
}

/// The values of variables as a block runs. Only registers that hold a variable at some line are kept.
class Registers {
  public:
    Registers(const Function& function, std::uint32_t first, std::size_t warps) : first_(first) {
        slot_.resize(function.registers.size(), none);
        for (const SourceVariable& variable : function.source_variables) {
            for (const ptx::VariableRange& range : variable.ranges) {
                if (range.reg.index() < slot_.size() && slot_[range.reg.index()] == none)
                    slot_[range.reg.index()] = slots_++;
            }
        }
        values_.resize(warps * slots_ * warp_size);
        written_.resize(warps * slots_);
    }

    void apply(const trace::Trace& trace, WarpId warp, const trace::Effect& write) {
        const std::uint32_t reg = write.id - first_;  // below `first_`: past every slot
        if (reg >= slot_.size() || slot_[reg] == none) return;
        const std::size_t at = warp.index() * slots_ + slot_[reg];
        if (at >= written_.size()) return;
        written_[at] |= write.lanes;
        for (const unsigned lane : write.lanes) values_[at * warp_size + lane] = trace.after(write, lane);
    }

    /// The value that all `lanes` agree on, or nothing.
    [[nodiscard]] std::optional<std::uint64_t> agreed(WarpId warp, RegisterId reg, LaneMask lanes) const {
        if (reg.index() >= slot_.size() || slot_[reg.index()] == none || lanes.none()) return {};
        const std::size_t at = warp.index() * slots_ + slot_[reg.index()];
        if (at >= written_.size() || (lanes & ~written_[at]).any()) return {};
        const std::uint64_t value = values_[at * warp_size + lanes.lowest()];
        for (const unsigned lane : lanes) {
            if (values_[at * warp_size + lane] != value) return {};
        }
        return value;
    }

  private:
    static constexpr std::uint32_t none = ~0U;
    std::uint32_t first_;              ///< of the function's registers in the trace
    std::vector<std::uint32_t> slot_;  ///< by register
    std::uint32_t slots_ = 0;
    std::vector<std::uint64_t> values_;
    std::vector<LaneMask> written_;
};

/// The values of one variable in the lanes of one pass.
struct Sample {
    enum class State : std::uint8_t { unseen, agreed, differs } state = State::unseen;
    std::uint64_t value = 0;
    PtxLine line;  ///< of the access it was taken at
};

const ptx::VariableRange* range_at(const SourceVariable& variable, PtxLine line) {
    for (const ptx::VariableRange& range : variable.ranges) {
        if (range.first <= line && line < range.past_last) return &range;
    }
    return nullptr;
}

bool in_scope(const SourceVariable& variable, PtxLine line) {
    return variable.scope_first_line == 0 ||
           (variable.scope_first_line <= line.value && line.value <= variable.scope_last_line);
}

/// samples[pass][variable], taken at the first traffic of each warp in the pass.
std::vector<std::vector<Sample>> take_samples(const trace::Trace& trace, const Function& function,
                                              std::span<const StepId> steps, std::span<const Pass> passes,
                                              const Traffic& traffic) {
    const std::size_t warps = warps_of(trace.launches[trace.step(steps.front()).launch]);
    Registers registers(function, first_register_of(function, trace.registers), warps);
    std::vector<std::vector<Sample>> samples(passes.size());
    std::vector<bool> seen;
    for (std::size_t p = 0; p < passes.size(); ++p) {
        samples[p].resize(function.source_variables.size());
        seen.assign(warps, false);
        for (std::size_t i = passes[p].first; i < passes[p].past_last; ++i) {
            const trace::Step& step = trace.step(steps[i]);
            if (step.warp.index() >= warps) continue;
            const auto effects = trace.effects(step);
            if (!seen[step.warp.index()] && traffic(step)) {
                seen[step.warp.index()] = true;
                for (std::size_t v = 0; v < function.source_variables.size(); ++v) {
                    const SourceVariable& variable = function.source_variables[v];
                    const ptx::VariableRange* const range = range_at(variable, step.line);
                    if (range == nullptr || !in_scope(variable, step.line)) continue;
                    const auto value = registers.agreed(step.warp, range->reg, step.executed);
                    Sample& sample = samples[p][v];
                    const bool fits = value && (sample.state == Sample::State::unseen || sample.value == *value);
                    sample = {
                        fits && sample.state != Sample::State::differs ? Sample::State::agreed : Sample::State::differs,
                        value.value_or(0), step.line};
                }
            }
            for (const trace::Effect& effect : effects) {
                if (effect.kind == trace::EffectKind::register_write) registers.apply(trace, step.warp, effect);
            }
        }
    }
    return samples;
}

bool steps_between(const Sample& one, const Sample& other) {
    return one.state == Sample::State::agreed && other.state == Sample::State::agreed && one.value != other.value;
}

/// The loops that change each variable, found when first asked for.
class ChangingLoops {
  public:
    explicit ChangingLoops(const Function& function) : function_(function), loops_(loops_of(function)) {
        of_variable_.resize(function.source_variables.size());
    }

    /// Does one of these loops contain both places? A variable that differs before and after its loop does not step
    /// passes.
    [[nodiscard]] bool hold(std::size_t variable, PtxLine one, PtxLine other) {
        std::optional<std::vector<Loop>>& changing = of_variable_[variable];
        if (!changing) {
            changing.emplace();
            for (const Loop& loop : loops_)
                if (changes(function_, loop, function_.source_variables[variable])) changing->push_back(loop);
        }
        return std::ranges::any_of(*changing, [&](const Loop& loop) {
            const PtxLine first = function_.instructions[loop.first].line,
                          last = function_.instructions[loop.last].line;
            return first <= one && one <= last && first <= other && other <= last;
        });
    }

  private:
    const Function& function_;
    std::vector<Loop> loops_;
    std::vector<std::optional<std::vector<Loop>>> of_variable_;
};

}  // namespace

std::vector<SteppingVariables> stepping_variables(const trace::Trace& trace, const Function& function,
                                                  std::span<const StepId> steps, std::span<const Pass> passes,
                                                  const Traffic& traffic) {
    std::vector<SteppingVariables> result(passes.size());
    if (function.source_variables.empty() || steps.empty()) return result;
    const std::vector<Tested> tested = tested_variables(function);
    const auto samples = take_samples(trace, function, steps, passes, traffic);
    ChangingLoops loops(function);
    const auto steps_in_a_loop = [&](std::size_t v, const Sample& one, const Sample& other) {
        return steps_between(one, other) && loops.hold(v, one.line, other.line);
    };
    const auto index_of = [&](const SourceVariable* variable) {
        return static_cast<std::size_t>(variable - function.source_variables.data());
    };
    for (std::size_t p = 0; p < passes.size(); ++p) {
        std::vector<bool> taken(function.source_variables.size());
        const auto add = [&](std::size_t v, std::vector<LoopVariable>& to) {
            const SourceVariable& variable = function.source_variables[v];
            const auto element = element_of_number(variable.kind, variable.value);
            if (taken[v] || !element) return;
            taken[v] = true;
            to.push_back({variable.name, trace::text_of(*element, samples[p][v].value)});
        };
        for (const Tested& loop : tested) {
            const std::size_t v = index_of(loop.variable);
            const Sample& sample = samples[p][v];
            if (sample.state == Sample::State::agreed && loop.first <= sample.line && sample.line <= loop.last) {
                add(v, result[p].tested);
            }
        }
        for (std::size_t v = 0; v < function.source_variables.size(); ++v) {
            if (function.source_variables[v].parameter) continue;
            const bool from_before = p > 0 && steps_in_a_loop(v, samples[p - 1][v], samples[p][v]);
            const bool to_next = p + 1 < passes.size() && steps_in_a_loop(v, samples[p][v], samples[p + 1][v]);
            if (from_before || to_next) add(v, result[p].others);
        }
    }
    return result;
}

}  // namespace lanescope::analysis
