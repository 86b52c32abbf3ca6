#include "ptx/thread_bounds.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace lanescope::ptx {

namespace {

using Sources = std::uint64_t;  // a set: one bit each parameter, and one for indices
constexpr std::size_t most_parameters = 63;
constexpr Sources index = Sources{1} << most_parameters;

bool is_index(const Operand& operand) {
    constexpr std::array<Special, 6> indices{Special::tid_x,   Special::tid_y,   Special::tid_z,
                                             Special::ctaid_x, Special::ctaid_y, Special::ctaid_z};
    return operand.kind == Operand::Kind::special && std::ranges::find(indices, operand.special) != indices.end();
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
    if (std::ranges::any_of(operands, is_index)) from |= index;
    for (const RegisterId reg : uses_of(function, instruction).data) from |= registers[reg.index()];
    return from;
}

}  // namespace

std::vector<bool> bounds_of_threads(const Function& kernel) {
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
    Sources bounds = 0;
    for (const Instruction& instruction : kernel.instructions) {
        if (instruction.modifiers.compare == Compare::none) continue;
        std::vector<Sources> sides;
        for (const Operand& operand : operands_of(instruction).subspan(1))
            if (operand.kind == Operand::Kind::reg) sides.push_back(registers[operand.reg.index()]);
        const auto depends = [](Sources side) { return (side & index) != 0; };
        if (std::ranges::none_of(sides, depends)) continue;
        for (const Sources side : sides)
            if (!depends(side)) bounds |= side;
    }
    std::vector<bool> found(kernel.parameters.size());
    for (std::size_t i = 0; i < std::min(found.size(), most_parameters); ++i) found[i] = (bounds >> i & 1U) != 0;
    return found;
}

}  // namespace lanescope::ptx
