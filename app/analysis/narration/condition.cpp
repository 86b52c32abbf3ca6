// From a predicate to its condition, as the source would write it.
#include "analysis/narration/narrator.h"

#include "analysis/expressions/operator_text.h"

#include <fmt/format.h>

#include <array>

namespace lanescope::analysis {

std::optional<std::string> comparison_of(const Narrator& t, std::size_t index) {
    const InstructionInfo* const line = t.instruction_at(index);
    if (line == nullptr) return {};
    const ptx::Instruction& compare = *line->instruction;
    const std::string_view sign = comparison_sign(compare.modifiers.compare);
    const unsigned first = compare.destination_count;
    if (sign.empty() || compare.modifiers.combine != ptx::Combine::none || compare.operand_count < first + 2U)
        return {};
    const Formula left = t.formulas.of_operand(first, index, t.lane);
    const Formula right = t.formulas.of_operand(first + 1, index, t.lane);
    const auto text = [&](const std::string& of_left, const std::string& of_right) {
        return applied({OperatorText::Form::infix, sign}, std::array{of_left, of_right});
    };
    if (left.uniform && right.uniform) {
        const std::string numbers = text(left.value, right.value), names = text(left.names, right.names);
        return names == numbers ? numbers : fmt::format("{} ({})", names, numbers);
    }
    return text(left.folded, right.folded);
}

std::optional<std::size_t> common_definition(const Narrator& t, RegisterId reg, std::size_t index) {
    std::optional<std::size_t> common;
    for (const unsigned lane : t.step.active) {
        const auto definition = t.formulas.definition(reg, index, lane);
        if (!definition || (common && common != definition)) return std::nullopt;
        common = definition;
    }
    return common;
}

Condition condition_of(const Narrator& t, RegisterId reg, bool negated) {
    Condition condition;
    condition.inverted = negated;
    std::size_t index = t.index;
    // A compiler keeps chains of negations short; each hop goes back in time.
    while (const auto definition = common_definition(t, reg, index)) {
        const InstructionInfo* const line = t.instruction_at(*definition);
        if (line == nullptr) break;
        const ptx::Instruction& instruction = *line->instruction;
        const auto sources = t.provenance.instructions().data(*line);
        if (instruction.meaning().bits == ptx::ResultBits::complement && sources.size() == 1 && sources[0].valid()) {
            condition.inverted = !condition.inverted;
            reg = sources[0];
            index = *definition;
            continue;
        }
        const bool copies = operator_text(instruction).form == OperatorText::Form::transparent;
        if (copies && sources.size() == 1 && sources[0].valid()) {
            reg = sources[0];
            index = *definition;
            continue;
        }
        if (const auto text = comparison_of(t, *definition)) {
            condition.text = *text;
            return condition;
        }
        break;
    }
    condition.text = "the condition";
    return condition;
}

}  // namespace lanescope::analysis
