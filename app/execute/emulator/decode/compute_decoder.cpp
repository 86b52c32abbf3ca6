// Each operation is found by name and type; its rows say what the operands must be.
#include "execute/emulator/decode/compute_decoder.h"

#include "execute/simt/approximation.h"

#include <fmt/format.h>

namespace lanescope::execute {

using ptx::Instruction;
using ptx::Operand;

bool ComputeDecoder::compute(Micro& micro, const Instruction& instruction) {
    if (reads_clock(instruction)) {
        micro.kind = Kind::clock;
        return operands_.add_destination(micro, instruction.operands[0]) || state_.refuse(instruction, {});
    }
    if (const Operand& operand = instruction.operands[1];
        operand.kind == Operand::Kind::address && operands_.base_of(operand)) {
        return address_in_frame(micro, instruction);
    }
    const std::optional<Operation> operation = find_operation(*state_.function, instruction);
    if (!operation) return state_.refuse(instruction, {});
    micro.kind = Kind::compute;
    micro.function = operation->function;
    micro.approximate = is_approximate(instruction);
    micro.slots.constant = operation->constant;

    std::vector<Operand> written = operands_.flat(instruction, 0, instruction.destination_count);
    if (instruction.operands[0].paired.valid()) {
        Operand paired;
        paired.kind = Operand::Kind::reg;
        paired.reg = instruction.operands[0].paired;
        written.push_back(paired);
    }
    std::vector<Operand> read = operands_.flat(instruction, instruction.destination_count, instruction.operand_count);
    Operand carry;
    carry.kind = Operand::Kind::reg;
    carry.reg = state_.function->carry;
    if (instruction.modifiers.carry_in) read.push_back(carry);
    if (instruction.modifiers.carry_out) written.push_back(carry);
    if (!destinations(micro, instruction, *operation, written) || !sources(micro, instruction, *operation, read)) {
        return false;
    }
    // The steering operand is read after the result is written.
    micro.selects =
        instruction.meaning().group == ptx::Group::select && micro.slots.destination[0] != micro.slots.source[2];
    if (micro.selects) micro.simple = false;
    return true;
}

bool ComputeDecoder::address_in_frame(Micro& micro, const Instruction& instruction) {
    const Operand& variable = instruction.operands[1];
    Instruction sum;
    sum.opcode = ptx::Opcode::add;
    sum.modifiers.type = ptx::Type::u64;
    const std::optional<Operation> operation = find_operation(*state_.function, sum);
    if (instruction.meaning().bits != ptx::ResultBits::copied || !operation) return state_.refuse(instruction, {});
    micro.kind = Kind::compute;
    micro.function = operation->function;
    if (!destinations(micro, instruction, *operation, {instruction.operands[0]})) return false;
    micro.input_dependent_source.fill(input_independent_slot);
    micro.slots.source[0] = operands_.base_of(variable)->slot;
    micro.slots.source[1] = state_.file.constant(Row::wide, operands_.address_of(variable)).slot;
    return true;
}

bool ComputeDecoder::destinations(Micro& micro, const Instruction& instruction, const Operation& operation,
                                  const std::vector<Operand>& written) {
    micro.input_dependent_destination = scratch_word_slot;
    for (std::size_t i = 0; i < operation.destination.size(); ++i) {
        micro.slots.destination[i] = scratch_word_slot;
        if (operation.destination[i] == Row::none || i >= written.size()) continue;
        if (written[i].kind == Operand::Kind::sink && operation.destination[i] == Row::predicate) continue;
        if (!operands_.add_destination(micro, written[i]))
            return state_.refuse(instruction, "its destination is not a register");
        const Destination& destination = state_.code.destinations.back();
        if (destination.row != operation.destination[i]) {
            return state_.refuse(instruction, "its destination does not have the instruction's width");
        }
        micro.slots.destination[i] = destination.slot;
        if (micro.destination_count == 1) micro.input_dependent_destination = destination.input_dependent;
    }
    micro.simple = micro.destination_count <= 1;
    return true;
}

bool ComputeDecoder::sources(Micro& micro, const Instruction& instruction, const Operation& operation,
                             const std::vector<Operand>& read) {
    micro.input_dependent_source.fill(input_independent_slot);
    for (std::size_t i = 0; i < operation.source.size(); ++i) {
        if (operation.source[i] == Row::none) continue;
        if (i >= read.size()) return state_.refuse(instruction, "it lacks an operand");
        const std::optional<Value> value = operands_.source(read[i], operation.source[i]);
        if (!value)
            return state_.refuse(instruction,
                                 fmt::format("its source {} does not have the instruction's width", i + 1));
        micro.slots.source[i] = value->slot;
        micro.slots.invert |= value->invert;
        micro.input_dependent_source[i] = value->input_dependent;
        if (i >= 3) micro.simple = false;
    }
    return true;
}

}  // namespace lanescope::execute
