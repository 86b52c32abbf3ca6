#include "ptx/reached.h"

#include <algorithm>
#include <span>

namespace lanescope::ptx {

namespace {

template <class Predicate>
bool any_operand(const Module& module, const Function& kernel, Predicate predicate,
                 const std::function<bool(const Instruction&)>& counts = {}) {
    return std::ranges::any_of(reached_from(module, kernel), [&](const Function* function) {
        return std::ranges::any_of(function->instructions, [&](const Instruction& instruction) {
            if (counts && !counts(instruction)) return false;
            return std::ranges::any_of(std::span(instruction.operands).first(instruction.operand_count), predicate);
        });
    });
}

}  // namespace

std::vector<const Function*> reached_from(const Module& module, const Function& kernel) {
    std::vector<bool> seen(module.functions.size(), false);
    std::vector<const Function*> reached{&kernel};
    for (std::size_t next = 0; next < reached.size(); ++next) {
        for (const Instruction& instruction : reached[next]->instructions) {
            if (instruction.action() != Action::call || instruction.operands[1].kind != Operand::Kind::function)
                continue;
            const std::uint32_t callee = instruction.operands[1].function;
            if (!seen[callee] && &module.functions[callee] != &kernel) reached.push_back(&module.functions[callee]);
            seen[callee] = true;
        }
    }
    return reached;
}

bool reads(const Module& module, const Function& kernel, Special special,
           const std::function<bool(const Instruction&)>& counts) {
    const auto is_read = [&](const Operand& operand) {
        return operand.kind == Operand::Kind::special && operand.special == special;
    };
    return any_operand(module, kernel, is_read, counts);
}

bool uses_variable(const Module& module, const Function& kernel, std::uint32_t variable) {
    return any_operand(module, kernel, [&](const Operand& operand) {
        return operand.owner == Operand::Owner::module && operand.variable == variable;
    });
}

std::vector<Variable> variables_in_use(const Module& module) {
    std::vector<bool> used(module.variables.size(), false);
    const auto use = [&](const Operand& operand) {
        if (operand.owner == Operand::Owner::module) used[operand.variable] = true;
    };
    for (const Function& function : module.functions) {
        for (const Instruction& instruction : function.instructions)
            std::ranges::for_each(std::span(instruction.operands).first(instruction.operand_count), use);
        std::ranges::for_each(function.vector_elements, use);
    }
    for (const Variable& variable : module.variables) {
        for (const Relocation& relocation : variable.relocations)
            if (!relocation.of_function) used[relocation.index] = true;
    }
    std::vector<Variable> variables;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) variables.push_back(module.variables[i]);
    return variables;
}

const Instruction* first_texel_access(const Module& module, const Function& kernel) {
    for (const Function* function : reached_from(module, kernel)) {
        for (const Instruction& instruction : function->instructions)
            if (instruction.modifiers.dimensions > 0) return &instruction;
    }
    return nullptr;
}

}  // namespace lanescope::ptx
