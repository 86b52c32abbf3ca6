// Where each operand lies, in the register file or in memory.
#include "execute/emulator/decode/operands.h"

#include <algorithm>

namespace lanescope::execute {

using ptx::Instruction;
using ptx::Operand;

std::vector<Operand> Operands::flat(const Instruction& instruction, unsigned first, unsigned last) const {
    std::vector<Operand> result;
    for (unsigned i = first; i < last; ++i) {
        const Operand& operand = instruction.operands[i];
        if (operand.kind != Operand::Kind::vector) {
            result.push_back(operand);
            continue;
        }
        for (std::uint32_t element = 0; element < operand.elements; ++element) {
            result.push_back(state_.function->vector_elements[operand.first + element]);
        }
    }
    return result;
}

std::optional<Value> Operands::base_of(const Operand& operand) const {
    if (operand.variable == Operand::no_variable || !state_.code.callees[state_.number].reentrant) return std::nullopt;
    const ptx::Space space = ptx::variable_of(state_.module, *state_.function, operand)->space;
    if (space != ptx::Space::local && space != ptx::Space::param) return std::nullopt;
    return Value{
        .row = Row::wide, .slot = state_.code.callees[state_.number].base, .input_dependent = input_independent_slot};
}

std::uint64_t Operands::address_of(const Operand& operand) {
    if (operand.variable == Operand::no_variable) return static_cast<std::uint64_t>(operand.offset);
    const ptx::Variable& variable = *ptx::variable_of(state_.module, *state_.function, operand);
    const Frame& frame = state_.frame();
    std::uint64_t begin = 0;
    switch (variable.space) {
        case ptx::Space::shared:
            if (std::ranges::find(state_.code.shared_variables, &variable) == state_.code.shared_variables.end()) {
                state_.code.shared_variables.push_back(&variable);
            }
            begin = variable.dynamic() ? state_.code.kernel->dynamic_shared_offset : variable.offset;
            break;
        case ptx::Space::local: begin = frame.locals + variable.offset; break;
        case ptx::Space::param:
            begin = variable.offset;
            if (operand.owner == Operand::Owner::function) begin += frame.call_parameters;
            if (operand.owner == Operand::Owner::result) begin += frame.results;
            if (operand.owner == Operand::Owner::parameter && !state_.function->entry) begin += frame.parameters;
            break;
        default: begin = state_.addresses[operand.variable]; break;
    }
    return begin + static_cast<std::uint64_t>(operand.offset);
}

std::optional<Value> Operands::source(const Operand& operand, Row row) {
    switch (operand.kind) {
        case Operand::Kind::reg: {
            Value value = state_.file.value(state_.number, operand.reg);
            if (value.row != row) return std::nullopt;
            value.invert = operand.negated ? ~0U : 0U;
            return value;
        }
        case Operand::Kind::immediate:
            return state_.file.constant(row, row == Row::predicate && operand.immediate != 0 ? ~0U : operand.immediate);
        case Operand::Kind::special:
            state_.knows_workspace = state_.knows_workspace || operand.special == ptx::Special::envreg1 ||
                                     operand.special == ptx::Special::envreg2;
            state_.code.reserves_shared =
                state_.code.reserves_shared || operand.special == ptx::Special::reserved_smem_offset_1;
            return state_.file.special(row, operand.special);
        case Operand::Kind::address:
            if (base_of(operand)) return std::nullopt;
            return state_.file.constant(row, address_of(operand));
        case Operand::Kind::function: return state_.file.constant(row, address_of_function(operand.function));
        default: return std::nullopt;
    }
}

bool Operands::add_destination(Micro& micro, const Operand& operand) {
    if (operand.kind != Operand::Kind::reg) return false;
    state_.code.destinations.push_back(state_.file.destination(state_.number, operand.reg));
    ++micro.destination_count;
    return true;
}

}  // namespace lanescope::execute
