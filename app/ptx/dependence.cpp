// Which registers an instruction reads as data, which to form an address, and which it writes.
#include "ptx/module.h"

namespace lanescope::ptx {
namespace {

template <class Visit>
void for_each_register(const Function& function, const Operand& operand, Visit visit) {
    if (operand.kind == Operand::Kind::reg) visit(operand.reg);
    if (operand.kind == Operand::Kind::vector)
        for (std::uint32_t i = 0; i < operand.elements; ++i) {
            const Operand& element = function.vector_elements[operand.first + i];
            if (element.kind == Operand::Kind::reg) visit(element.reg);
        }
}

}  // namespace

Uses uses_of(const Function& function, const Instruction& instruction) {
    Uses uses;
    for (std::size_t i = 0; i < instruction.operand_count; ++i) {
        const Operand& operand = instruction.operands[i];
        if (operand.kind == Operand::Kind::memory) {
            if (operand.reg.valid()) uses.address.push_back(operand.reg);
        } else if (i >= instruction.destination_count) {
            for_each_register(function, operand, [&](RegisterId reg) { uses.data.push_back(reg); });
        }
    }
    if (instruction.modifiers.carry_in) uses.data.push_back(function.carry);
    return uses;
}

std::vector<RegisterId> definitions_of(const Function& function, const Instruction& instruction) {
    std::vector<RegisterId> written;
    for (std::size_t i = 0; i < instruction.destination_count; ++i) {
        const Operand& operand = instruction.operands[i];
        for_each_register(function, operand, [&](RegisterId reg) { written.push_back(reg); });
        if (operand.paired.valid()) written.push_back(operand.paired);
    }
    if (instruction.modifiers.carry_out) written.push_back(function.carry);
    return written;
}

}  // namespace lanescope::ptx
