#include "analysis/expressions/formula.h"

#include "analysis/expressions/access_text.h"
#include "analysis/source/display_names.h"
#include "analysis/source/element_type.h"
#include "base/demangle.h"

#include <fmt/format.h>

#include <vector>

namespace lanescope::analysis {
namespace {

using Form = OperatorText::Form;
using Kind = ptx::Operand::Kind;

Formula named(std::string name, Formula value) {
    value.names = value.folded = std::move(name);
    value.has_names = true;
    value.leaf = true;
    value.own = false;
    return value;
}

Formula literal(std::string text) {
    Formula formula;
    formula.names = formula.folded = formula.numbers = formula.value = std::move(text);
    formula.uniform = true;
    return formula;
}

RegisterId traced(RegisterId reg, const InstructionInfo& line) { return RegisterId(reg.value + line.first_register); }

std::string in_brackets(const Formula& part, const std::string& text) { return part.leaf ? text : "(" + text + ")"; }

}  // namespace

const InstructionInfo* FormulaFinder::line_at(std::size_t index) const { return block_.instruction_at(index); }

const trace::Argument* FormulaFinder::argument_at(std::size_t index) const {
    const InstructionInfo* const line = line_at(index);
    if (line == nullptr || line->flow != Flow::load || !line->function->entry) return nullptr;
    // Kernels read each parameter by its own name, [reduce_param_1].
    const ptx::Operand& memory = line->instruction->operands[line->instruction->destination_count];
    const auto& arguments = block_.launch().arguments;
    const bool is_argument = memory.owner == ptx::Operand::Owner::parameter && memory.variable < arguments.size();
    return is_argument ? &arguments[memory.variable] : nullptr;
}

std::optional<std::size_t> FormulaFinder::definition(RegisterId reg, std::size_t index, unsigned lane) const {
    const WarpId warp = block_.step_at(index).warp;
    while (index-- > 0) {
        const trace::Step& step = block_.step_at(index);
        if (step.warp != warp || !step.executed.has(lane)) continue;
        for (const trace::Effect& effect : block_.trace.effects(step)) {
            if (effect.kind == trace::EffectKind::register_write && effect.id == reg.value && effect.lanes.has(lane)) {
                return index;
            }
        }
    }
    return {};
}

Formula FormulaFinder::of_register(RegisterId reg, std::size_t index, unsigned lane, unsigned depth) const {
    return of_register(reg, {index, lane, depth});
}

Formula FormulaFinder::of_result(std::size_t index, unsigned lane) const {
    const InstructionInfo* const line = line_at(index);
    return line == nullptr ? Formula{} : of_instruction(*line, {index, lane, usual_depth});
}

Formula FormulaFinder::of_operand(unsigned operand, std::size_t index, unsigned lane) const {
    const InstructionInfo* const line = line_at(index);
    return line == nullptr ? Formula{}
                           : of_operand(line->instruction->operands[operand], *line, {index, lane, usual_depth});
}

/// The variable of the source that the register holds at step `index`.
const ptx::SourceVariable* FormulaFinder::variable_of(RegisterId reg, std::size_t index) const {
    const InstructionInfo* const line = line_at(index);
    if (line == nullptr || reg.value < line->first_register) return nullptr;
    return ptx::variable_in(*line->function, RegisterId(reg.value - line->first_register), line->instruction->line);
}

/// The value that step `definition` left in the register, as step `index` reads it.
Formula FormulaFinder::written_value(RegisterId reg, std::size_t definition, std::size_t index, unsigned lane) const {
    const StepId step = block_.passes.steps[definition];
    const ValueId id = block_.provenance.written_to(reg, step, lane);
    if (!id.valid()) return literal("?");
    const TracedValue& value = block_.provenance[id];
    const InstructionInfo* const line = line_at(definition);
    const ptx::SourceVariable* const variable = variable_of(reg, index);
    const auto declared = variable != nullptr ? element_of_number(variable->kind, variable->value) : std::nullopt;
    Formula formula;
    if (value.bytes == 0) {
        formula = literal(value.bits != 0 ? "true" : "false");
    } else if (value.input_dependent && !declared) {
        formula = literal(number_of(block_.trace, block_.provenance, id));
    } else {
        const auto element = declared && trace::bytes_of(*declared) == value.bytes
                                 ? *declared
                                 : element_of(line->instruction->modifiers.type, value.bytes);
        formula = literal(trace::text_of(element, value.bits));
    }
    const LaneMask active = block_.step_at(index).active;
    for (const trace::Effect& effect : block_.trace.effects(block_.trace.step(step))) {
        if (effect.kind != trace::EffectKind::register_write || effect.id != reg.value) continue;
        formula.uniform = (active & ~effect.lanes).none();
        for (const unsigned other : active& effect.lanes) {
            formula.uniform = formula.uniform && block_.trace.after(effect, other) == value.bits;
        }
    }
    formula.own = !formula.uniform;
    return formula;
}

/// The element that the step `definition` loaded, with its value.
Formula FormulaFinder::of_load(std::size_t definition, At at, Formula value) const {
    const trace::Step& step = block_.step_at(definition);
    for (const trace::Effect& effect : block_.trace.effects(step)) {
        if (effect.kind != trace::EffectKind::load || !effect.lanes.has(at.lane)) continue;
        // A thread's own memory has no names that say more than the number.
        if (effect.space != trace::Space::shared && effect.space != trace::Space::global) return value;
        const std::uint64_t address = block_.trace.address(effect, at.lane);
        std::string name =
            memory_name(block_.trace, block_.module, block_.passes.launch, effect.space, address, effect.bytes);
        const LaneMask active = block_.step_at(at.index).active;
        bool own = (active & ~effect.lanes).any();
        for (const unsigned other : active& effect.lanes) own = own || block_.trace.address(effect, other) != address;
        if (own && elements_ == Elements::by_index) {
            std::string by_index = access_text(block_, definition, name.substr(0, name.find('[')), effect.space);
            if (!by_index.empty()) {
                // The member of a structure, ".rank", stands after the brackets.
                const std::size_t past = name.rfind(']') + 1;
                if (past < name.size() && !by_index.ends_with(name.substr(past))) by_index += name.substr(past);
                return named(std::move(by_index), std::move(value));
            }
        }
        Formula formula = named(std::move(name), std::move(value));
        formula.own = own;
        return formula;
    }
    return value;
}

/// A selection of 1 or 0 by a comparison, which is how a `bool` of the source compiles: the comparison.
Formula FormulaFinder::of_selected_flag(const InstructionInfo& line, std::size_t definition, At at,
                                        Formula value) const {
    const ptx::Instruction& select = *line.instruction;
    const unsigned first = select.destination_count;
    if (at.depth == 0 || select.operand_count != first + 3U) return value;
    const ptx::Operand &one = select.operands[first], &zero = select.operands[first + 1],
                       &predicate = select.operands[first + 2];
    if (one.kind != Kind::immediate || one.immediate != 1 || zero.kind != Kind::immediate || zero.immediate != 0 ||
        predicate.kind != Kind::reg || predicate.negated)
        return value;
    const auto compared = this->definition(traced(predicate.reg, line), definition, at.lane);
    const InstructionInfo* const comparison = compared ? line_at(*compared) : nullptr;
    if (comparison == nullptr) return value;
    const std::string_view sign = comparison_sign(comparison->instruction->modifiers.compare);
    if (sign.empty() || comparison->instruction->modifiers.combine != ptx::Combine::none ||
        comparison->instruction->operand_count != comparison->instruction->destination_count + 2U)
        return value;
    Formula formula = combined(*comparison, {Form::infix, sign}, {*compared, at.lane, at.depth - 1});
    if (!formula.has_names) return value;
    formula.value = value.value;
    formula.uniform = value.uniform;
    formula.loose = true;
    return formula;
}

Formula FormulaFinder::of_register(RegisterId reg, At at) const {
    const auto defined = definition(reg, at.index, at.lane);
    if (!defined) return literal("?");
    const InstructionInfo* const line = line_at(*defined);
    if (line == nullptr) return literal("?");
    Formula value = written_value(reg, *defined, at.index, at.lane);
    const ptx::SourceVariable* const variable = variable_of(reg, at.index);
    if (variable != nullptr) return named(variable->name, std::move(value));

    const ptx::Instruction& instruction = *line->instruction;
    const unsigned first = instruction.destination_count;
    if (line->flow == Flow::load && first < instruction.operand_count) {
        if (const trace::Argument* const argument = argument_at(*defined))
            return named(argument->name, std::move(value));
        // A fetched value is computed from several texels and is no element of its own.
        return instruction.action() == ptx::Action::texture_fetch ? value : of_load(*defined, at, std::move(value));
    }
    if (line->flow == Flow::select) return of_selected_flag(*line, *defined, at, std::move(value));
    if (line->flow != Flow::compute) return value;
    const Form form = operator_text(instruction).form;
    if (form == Form::transparent && instruction.operand_count == first + 1U) {
        Formula source = of_operand(instruction.operands[first], *line, {*defined, at.lane, at.depth});
        source.value = source.numbers = value.value;
        source.uniform = value.uniform;
        source.own = source.own || (!source.has_names && !source.uniform);
        return source;
    }
    if (form == Form::none || form == Form::transparent || at.depth == 0) return value;
    Formula formula = of_instruction(*line, {*defined, at.lane, at.depth - 1});
    formula.value = value.value;
    formula.uniform = value.uniform;
    return formula.has_names ? formula : value;
}

Formula FormulaFinder::of_operand(const ptx::Operand& operand, const InstructionInfo& line, At at) const {
    switch (operand.kind) {
        case Kind::reg: {
            Formula formula = of_register(traced(operand.reg, line), at);
            if (operand.negated) formula.names = formula.folded = "!" + in_brackets(formula, formula.names);
            return formula;
        }
        case Kind::immediate: {
            const ptx::Type type = line.instruction->modifiers.type;
            return literal(trace::text_of(element_of(type, ptx::bytes_of(type)), operand.immediate));
        }
        case Kind::special: {
            const RegisterId result = traced(line.instruction->operands[0].reg, line);
            Formula value = written_value(result, at.index, at.index, at.lane);
            const std::string_view name = cuda_name(operand.special);
            return named(std::string(name.empty() ? ptx::name_of(operand.special) : name), std::move(value));
        }
        case Kind::address: {
            const ptx::Variable* const variable = ptx::variable_of(block_.module, *line.function, operand);
            Formula formula = literal("address");
            return variable != nullptr ? named("&" + variable_name_of(variable->name), std::move(formula)) : formula;
        }
        default: return literal("?");
    }
}

/// The operator applied to the instruction's sources.
Formula FormulaFinder::combined(const InstructionInfo& line, const OperatorText& op, At at) const {
    const ptx::Instruction& instruction = *line.instruction;
    std::vector<std::string> names, folded, numbers;
    Formula formula;
    formula.uniform = true;
    for (unsigned i = instruction.destination_count; i < instruction.operand_count; ++i) {
        const Formula part = of_operand(instruction.operands[i], line, at);
        const bool evaluated = part.uniform && !part.leaf;
        names.push_back(in_brackets(part, part.names));
        folded.push_back(evaluated ? part.value : in_brackets(part, part.folded));
        numbers.push_back(part.value);
        formula.has_names |= part.has_names;
        formula.own |= part.own && !evaluated;
        formula.uniform = formula.uniform && part.uniform;
    }
    formula.names = applied(op, names);
    formula.folded = applied(op, folded);
    formula.numbers = applied(op, numbers);
    formula.leaf = names.size() == 1 && op.form != Form::prefix;
    formula.loose = op.form == Form::infix && (op.symbol == "&" || op.symbol == "|" || op.symbol == "^");
    return formula;
}

Formula FormulaFinder::of_instruction(const InstructionInfo& line, At at) const {
    const ptx::Instruction& instruction = *line.instruction;
    Formula formula = combined(line, operator_text(instruction), at);
    if (instruction.destination_count > 0 && instruction.operands[0].kind == Kind::reg) {
        const Formula value = written_value(traced(instruction.operands[0].reg, line), at.index, at.index, at.lane);
        formula.value = value.value;
        formula.uniform = value.uniform;
    }
    return formula;
}

}  // namespace lanescope::analysis
