#include "analysis/expressions/operator_text.h"
#include "analysis/narration/narrator.h"
#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::analysis {
namespace {

using Form = OperatorText::Form;
using Kind = ptx::Operand::Kind;
using trace::EffectKind;

/// The source variable that the step's result becomes: by DWARF it lives in the register right after the step.
const ptx::SourceVariable* assigned_variable(const Narrator& t) {
    const ptx::Instruction& instruction = t.instruction();
    if (instruction.destination_count == 0 || instruction.operands[0].kind != Kind::reg) return nullptr;
    const auto next = static_cast<std::size_t>(&instruction - t.line->function->instructions.data()) + 1;
    if (next >= t.line->function->instructions.size()) return nullptr;
    const PtxLine until = t.line->function->instructions[next].line;
    for (const ptx::SourceVariable& variable : t.line->function->source_variables) {
        for (const ptx::VariableRange& range : variable.ranges) {
            if (range.reg == instruction.operands[0].reg && range.first <= until &&
                range.past_last > instruction.line) {
                return &variable;
            }
        }
    }
    return nullptr;
}

/// Was the value computed from the other one, in that many operations? Parents are older than their results.
bool made_of(const Provenance& provenance, ValueId value, ValueId other, unsigned operations) {
    if (value == other) return true;
    if (operations == 0 || value < other) return false;
    return std::ranges::any_of(provenance.parents(value),
                               [&](ValueId parent) { return made_of(provenance, parent, other, operations - 1); });
}

/// Does the address of a memory access that the lane makes soon depend on this step's result? If so, the access's
/// element.
std::optional<std::string> address_for(const Narrator& t) {
    constexpr std::size_t soon = 24;  // steps of the warp
    constexpr unsigned hops = 6;      // operations from index to address
    const ValueId result = t.provenance.written_by(t.id, t.lane);
    std::size_t seen = 0;
    for (std::size_t i = t.index + 1; i < t.passes.steps.size() && seen < soon; ++i) {
        const trace::Step& later = t.step_at(i);
        if (later.warp != t.step.warp || !later.executed.has(t.lane)) continue;
        ++seen;
        for (const trace::Effect& effect : t.trace.effects(later)) {
            const bool access = trace::is_access(effect.kind);
            if (!access || !effect.lanes.has(t.lane)) continue;
            const InstructionInfo* const line = t.provenance.instructions().at(later.line);
            const auto steering =
                line != nullptr ? t.provenance.instructions().steering(*line) : std::span<const RegisterId>{};
            if (steering.empty() || !steering.front().valid()) continue;
            const auto definition = t.formulas.definition(steering.front(), i, t.lane);
            ValueId at =
                definition ? t.provenance.written_to(steering.front(), t.passes.steps[*definition], t.lane) : ValueId{};
            if (at.valid() && made_of(t.provenance, at, result, hops)) {
                return memory_name(t.trace, t.module, t.step.launch, effect.space, t.trace.address(effect, t.lane),
                                   effect.bytes);
            }
        }
    }
    return {};
}

/// "adds B to A and keeps R"
std::string describe_operator(const Narrator& t, const std::vector<std::string>& operands, const std::string& result) {
    return fmt::format("{} {}", t.actor(), filled(t.instruction().meaning().phrase, operands, result));
}

/// Arithmetic on input data.
std::string describe_data(const Narrator& t, ValueId result) {
    const auto data = t.provenance.instructions().data(*t.line);
    const auto parents = t.provenance.parents(result);
    std::vector<std::string> operands;
    std::size_t next = 0;
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (data[i].valid() && next < parents.size()) {
            operands.push_back(t.described(parents[next++]));
        } else {
            operands.push_back(
                t.formulas.of_operand(t.instruction().destination_count + static_cast<unsigned>(i), t.index, t.lane)
                    .value);
        }
    }
    return describe_operator(t, operands, t.number(result));
}

std::string describe_copy(const Narrator& t, ValueId result) {
    const ptx::SourceVariable* const variable = assigned_variable(t);
    const std::string to = variable != nullptr ? variable->name : "another register";
    const auto origin = origin_of(t.trace, t.module, t.provenance, t.step.launch, result);
    if (t.instruction().meaning().bits == ptx::ResultBits::converted && !origin &&
        !t.provenance.parents(result).empty()) {
        return fmt::format("{} converts {} to {}", t.actor(), t.number(t.provenance.parents(result).front()),
                           t.number(result));
    }
    if (variable != nullptr) return fmt::format("{} assigns {} to {}", t.actor(), t.described(result), to);
    return fmt::format("{} copies {} to {}", t.actor(), t.described(result), to);
}

/// Local memory that the compiler lays out: its PTX name is no name of the source.
bool takes_stack_frame(const Narrator& t) {
    const ptx::Instruction& instruction = t.instruction();
    for (unsigned i = instruction.destination_count; i < instruction.operand_count; ++i) {
        const ptx::Operand& operand = instruction.operands[i];
        if (operand.kind != ptx::Operand::Kind::address) continue;
        const ptx::Variable* const variable = ptx::variable_of(t.module, *t.line->function, operand);
        if (variable != nullptr && variable->space == ptx::Space::local) return true;
    }
    return false;
}

/// Indices, addresses, loop counters: no data.
std::string describe_index(const Narrator& t, ValueId result) {
    const ptx::Instruction& instruction = t.instruction();
    const Formula formula = t.formulas.of_result(t.index, t.lane);
    const bool all = formula.uniform && !(formula.own && formula.has_names) && t.step.executed.count() > 1;
    const std::string subject = all ? t.group_named(t.step.executed) : t.actor();
    const std::string s = all ? "" : "s";
    const std::string steps = formula.names == formula.value || !formula.has_names ? formula.value
                              : formula.leaf || formula.numbers == formula.value
                                  ? fmt::format("{} = {}", formula.names, formula.value)
                                  : fmt::format("{} = {} = {}", formula.names, formula.numbers, formula.value);
    if (const ptx::SourceVariable* const variable = assigned_variable(t)) {
        return formula.names == variable->name
                   ? fmt::format("{} keep{} {} = {}", subject, s, variable->name, formula.value)
                   : fmt::format("{} set{} {} = {}", subject, s, variable->name, steps);
    }
    const bool transparent = operator_text(instruction).form == Form::transparent;
    const auto element = address_for(t);
    if (t.provenance[result].bytes == 8) {
        if (transparent && takes_stack_frame(t))
            return fmt::format("{} take{} the address of {} stack frame", subject, s, all ? "their" : "its");
        if (transparent && formula.names.starts_with('&')) {
            return fmt::format("{} take{} the address of {}", subject, s, formula.names.substr(1));
        }
        return element ? fmt::format("{} computes the address of {}", t.actor(), *element)
                       : fmt::format("{} compute{} an address", subject, s);
    }
    if (operator_text(instruction).form == Form::none) {
        std::vector<std::string> operands;
        for (unsigned i = instruction.destination_count; i < instruction.operand_count; ++i)
            operands.push_back(t.formulas.of_operand(i, t.index, t.lane).names);
        return describe_operator(t, operands, formula.value);
    }
    if (transparent) {
        return formula.has_names ? fmt::format("{} read{} {}", subject, s, steps)
                                 : fmt::format("{} set{} a register to {}", subject, s, steps);
    }
    if (element && !all) return fmt::format("{} computes {} for the address of {}", t.actor(), steps, *element);
    return fmt::format("{} compute{} {}", subject, s, steps);
}

/// "i < n holds for lanes 0 and 1, not for the other 6".
std::string holding(const Narrator& t, const std::string& text, LaneMask holds, LaneMask fails) {
    if (fails.none()) return fmt::format("{} holds for {}", text, t.group_named(holds));
    if (holds.none() && fails.count() == 1) return fmt::format("{} fails for {}", text, t.lanes_named(fails));
    if (holds.none()) return fmt::format("{} holds for {}", text, t.none_of(fails));
    const std::string others = fails.count() == 1 ? "" : fmt::format(" {}", fails.count());
    return fmt::format("{} holds for {}, not for the other{}", text, t.lanes_named(holds), others);
}

/// A negated predicate, for a branch that skips the code the source executes: "!(i < n) is true for lanes 6 and 7,
/// false for the other 30".
std::string describe_negation(const Narrator& t, LaneMask holds, LaneMask fails) {
    const auto negated = t.provenance.instructions().data(*t.line);
    if (negated.empty() || !negated.front().valid()) return "a condition is negated";
    const Condition condition = condition_of(t, negated.front(), false, false);
    const std::string text = condition.inverted                    ? condition.text
                             : condition.text == unknown_condition ? "the negated condition"
                                                                   : fmt::format("!({})", condition.text);
    if (fails.none()) return fmt::format("{} is true for {}", text, t.group_named(holds));
    if (holds.none()) return fmt::format("{} is false for {}", text, t.group_named(fails));
    const std::string others = fails.count() == 1 ? "" : fmt::format(" {}", fails.count());
    return fmt::format("{} is true for {}, false for the other{}", text, t.lanes_named(holds), others);
}

/// The question of a test that has no operator in C++.
std::string test_of(const Narrator& t) {
    const std::string what = t.formulas.of_operand(t.instruction().destination_count, t.index, t.lane).names;
    if (t.instruction().modifiers.space != ptx::Space::none)  // isspacep
        return fmt::format("the address lies in {} memory: that", ptx::name_of(t.instruction().modifiers.space));
    switch (t.instruction().modifiers.test) {
        case ptx::TestFloat::finite: return fmt::format("{} is finite: that", what);
        case ptx::TestFloat::infinite: return fmt::format("{} is infinite: that", what);
        case ptx::TestFloat::number: return fmt::format("{} is a number: that", what);
        case ptx::TestFloat::notanumber: return fmt::format("{} is not a number: that", what);
        case ptx::TestFloat::normal: return fmt::format("{} is a normal number: that", what);
        case ptx::TestFloat::subnormal: return fmt::format("{} is a subnormal number: that", what);
        case ptx::TestFloat::none: break;
    }
    return "the condition";
}

/// Conditions combined, or copied.
std::string describe_logic(const Narrator& t, LaneMask holds) {
    using ptx::ResultBits;
    const ResultBits bits = t.instruction().meaning().bits;
    if (copies_constant(t))
        return fmt::format("{} {} a predicate to {}", t.group_named(t.step.executed),
                           verb(t.step.executed.count(), "set"), holds.any() ? "true" : "false");
    std::string what = bits == ResultBits::conjunction   ? "both conditions hold"
                       : bits == ResultBits::disjunction ? "one of two conditions holds"
                       : bits == ResultBits::exclusive   ? "exactly one of two conditions holds"
                                                         : "the condition holds";
    const auto sources = t.provenance.instructions().data(*t.line);
    LaneMask of_condition = holds;
    if (operator_text(t.instruction()).form == Form::transparent && sources.size() == 1 && sources.front().valid()) {
        const Condition condition = condition_of(t, sources.front(), false);
        what = condition.text + " holds";
        if (condition.inverted) of_condition = t.step.executed & ~holds;
    }
    return fmt::format("{} for {}", what,
                       of_condition.none() ? t.none_of(t.step.executed) : t.group_named(of_condition));
}

std::string describe_predicate(const Narrator& t) {
    const trace::Effect* const write = t.effect(EffectKind::register_write);
    LaneMask holds;
    if (write != nullptr) {
        for (const unsigned lane : write->lanes) {
            if (t.trace.after(*write, lane) != 0) holds |= LaneMask::only(lane);
        }
    }
    const LaneMask fails = t.step.executed & ~holds;
    if (t.instruction().meaning().bits == ptx::ResultBits::complement) return describe_negation(t, holds, fails);
    const auto comparison = comparison_of(t, t.index);
    const bool tests =
        t.instruction().modifiers.test != ptx::TestFloat::none || ptx::group_of(t.instruction()) == ptx::Group::compare;
    if (!comparison && !tests) return describe_logic(t, holds);
    return holding(t, comparison.value_or(test_of(t)), holds, fails);
}

std::string describe_select(const Narrator& t, ValueId result) {
    const auto steering = t.provenance.instructions().steering(*t.line);
    std::string because;
    if (!steering.empty() && steering.front().valid()) {
        const Condition condition = condition_of(t, steering.front(), false);
        if (condition.text != unknown_condition) because = fmt::format(" by {}", condition.text);
    }
    return fmt::format("{} selects {}{}", t.actor(), t.described(result), because);
}

}  // namespace

std::string describe_compute(const Narrator& t) {
    const ValueId result = t.provenance.written_by(t.id, t.lane);
    const ptx::Instruction& instruction = t.instruction();
    // A discarded result has no numbers.
    if (!result.valid())
        return fmt::format("{} {} the result", t.group_named(t.step.executed),
                           verb(t.step.executed.count(), "discard"));
    const TracedValue& value = t.provenance[result];
    switch (t.line->flow) {
        case Flow::shuffle:
        case Flow::reduce:
        case Flow::vote: return describe_collective(t, result);
        case Flow::select: return describe_select(t, result);
        default: break;
    }
    if (value.bytes == 0) return describe_predicate(t);
    const Form form = operator_text(instruction).form;
    if (!value.input_dependent) return describe_index(t, result);
    return form == Form::transparent ? describe_copy(t, result) : describe_data(t, result);
}

}  // namespace lanescope::analysis
