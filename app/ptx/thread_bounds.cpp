#include "ptx/thread_bounds.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace lanescope::ptx {

namespace {

using Sources = std::uint64_t;  // a set: one bit each parameter, one each axis of indices, and one for products
constexpr std::size_t most_parameters = 60;
constexpr Sources product = Sources{1} << 63U;
constexpr Sources index_of(unsigned axis) { return Sources{1} << (most_parameters + axis); }
constexpr Sources indices = index_of(0) | index_of(1) | index_of(2);
constexpr Sources parameters = index_of(0) - 1;

Sources index_in(const Operand& operand) {
    if (operand.kind != Operand::Kind::special) return 0;
    switch (operand.special) {
        case Special::tid_x:
        case Special::ctaid_x: return index_of(0);
        case Special::tid_y:
        case Special::ctaid_y: return index_of(1);
        case Special::tid_z:
        case Special::ctaid_z: return index_of(2);
        default: return 0;
    }
}

std::span<const Operand> operands_of(const Instruction& instruction) {
    return std::span(instruction.operands).first(instruction.operand_count);
}

/// The operands that an instruction's results are computed from.
Sources sources_of(const Function& function, const Instruction& instruction, const std::vector<Sources>& registers) {
    const auto operands = operands_of(instruction);
    Sources from = 0;
    if (instruction.action() == Action::load && operands.size() > 1 && operands[1].owner == Operand::Owner::parameter &&
        operands[1].variable < most_parameters)
        from = Sources{1} << operands[1].variable;
    if (instruction.action() != Action::compute) return from;
    for (const Operand& operand : operands) from |= index_in(operand);
    unsigned factors = 0;
    for (const RegisterId reg : uses_of(function, instruction).data) {
        from |= registers[reg.index()];
        if ((registers[reg.index()] & parameters) != 0) ++factors;
    }
    const bool multiplies = instruction.opcode == Opcode::mul || instruction.opcode == Opcode::mad;
    if (multiplies && factors > 1) from |= product;
    return from;
}

}  // namespace

std::vector<ThreadBound> thread_bounds(const Function& kernel) {
    std::vector<Sources> registers(kernel.registers.size());
    for (bool changes = true; changes;) {
        changes = false;
        for (const Instruction& instruction : kernel.instructions) {
            const Sources from = sources_of(kernel, instruction, registers);
            for (const RegisterId reg : definitions_of(kernel, instruction)) {
                Sources& known = registers[reg.index()];
                changes = changes || (known | from) != known;
                known |= from;
            }
        }
    }
    std::vector<ThreadBound> bounds;
    for (const Instruction& instruction : kernel.instructions) {
        if (instruction.modifiers.compare == Compare::none) continue;
        Sources bounded = 0, bound = 0;
        for (const Operand& operand : operands_of(instruction).subspan(1)) {
            if (operand.kind != Operand::Kind::reg) continue;
            const Sources side = registers[operand.reg.index()];
            ((side & indices) != 0 ? bounded : bound) |= side;
        }
        if (bounded == 0 || (bound & parameters) == 0) continue;
        ThreadBound& found = bounds.emplace_back();
        for (unsigned axis = 0; axis < found.axes.size(); ++axis) found.axes[axis] = (bounded & index_of(axis)) != 0;
        for (std::size_t i = 0; i < std::min(kernel.parameters.size(), most_parameters); ++i)
            if ((bound >> i & 1U) != 0) found.parameters.push_back(i);
        found.multiplies = (bound & product) != 0;
    }
    return bounds;
}

std::vector<bool> bounds_of_threads(const Function& kernel) {
    std::vector<bool> found(kernel.parameters.size());
    for (const ThreadBound& bound : thread_bounds(kernel))
        for (const std::size_t parameter : bound.parameters) found[parameter] = true;
    return found;
}

}  // namespace lanescope::ptx
