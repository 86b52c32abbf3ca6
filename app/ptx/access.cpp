#include "ptx/access.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

bool is_read(const Function& function, const Operand& destination) {
    if (destination.kind != Operand::Kind::reg) return false;
    return std::ranges::any_of(function.instructions, [&](const Instruction& other) {
        const Uses uses = uses_of(function, other);
        return std::ranges::find(uses.data, destination.reg) != uses.data.end() ||
               std::ranges::find(uses.address, destination.reg) != uses.address.end();
    });
}

bool is_one_immediate(const Operand& operand) {
    return operand.kind == Operand::Kind::immediate && operand.immediate == 1;
}

/// Whether the operand is the constant 1, or a register that always holds it.
bool is_one(const Function& function, const Operand& operand) {
    if (operand.kind == Operand::Kind::immediate) return operand.immediate == 1;
    if (operand.kind != Operand::Kind::reg) return false;
    for (const Instruction& other : function.instructions) {
        const std::vector<RegisterId> defined = definitions_of(function, other);
        if (std::ranges::find(defined, operand.reg) == defined.end()) continue;
        if (other.meaning().bits != ResultBits::copied || other.guard || !is_one_immediate(other.operands[1]))
            return false;
    }
    return true;
}

}  // namespace

model::Access access_of_load(const Instruction& instruction) {
    return instruction.modifiers.space == Space::generic ? model::Access::generic_load : model::Access::load;
}

model::Access access_of_atomic(const Function& function, const Instruction& instruction) {
    const Modifiers& modifiers = instruction.modifiers;
    if (modifiers.atomic == Atomic::cas) return model::Access::compare_and_swap;
    if (is_float(modifiers.type)) return model::Access::atomic_loop;
    if (modifiers.atomic != Atomic::none && bytes_of(modifiers.type) == 8) {
        const bool is_native =
            modifiers.atomic == Atomic::exch || (modifiers.atomic == Atomic::add && modifiers.space == Space::generic);
        return is_native ? model::Access::atomic : model::Access::atomic_loop;
    }
    if (modifiers.atomic != Atomic::add) return model::Access::atomic;
    const Operand& added = instruction.operands[instruction.operand_count - 1U];
    const bool drops_result = instruction.destination_count == 0 || !is_read(function, instruction.operands[0]);
    return drops_result && is_one(function, added) ? model::Access::atomic_add_one : model::Access::atomic;
}

}  // namespace lanescope::ptx
