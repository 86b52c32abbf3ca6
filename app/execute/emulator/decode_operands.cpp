// Operands: where each lies in the register file or in memory; and computations, which are operations between them.
#include "execute/emulator/decoder.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::execute {

using ptx::Instruction;
using ptx::Operand;

Row Decoder::row_of_bytes(unsigned bytes) { return bytes == 8 ? Row::wide : Row::narrow; }

std::vector<Operand> Decoder::flat(const Instruction& instruction, unsigned first, unsigned last) const {
    std::vector<Operand> result;
    for (unsigned i = first; i < last; ++i) {
        const Operand& operand = instruction.operands[i];
        if (operand.kind != Operand::Kind::vector) {
            result.push_back(operand);
            continue;
        }
        for (std::uint32_t element = 0; element < operand.elements; ++element) {
            result.push_back(function_->vector_elements[operand.first + element]);
        }
    }
    return result;
}

std::optional<Value> Decoder::base_of(const Operand& operand) const {
    if (operand.variable == Operand::no_variable || !code_.callees[number_].reentrant) return std::nullopt;
    const ptx::Space space = ptx::variable_of(module_, *function_, operand)->space;
    if (space != ptx::Space::local && space != ptx::Space::param) return std::nullopt;
    return Value{.row = Row::wide, .slot = code_.callees[number_].base, .input_dependent = input_independent_slot};
}

std::uint64_t Decoder::address_of(const Operand& operand) {
    if (operand.variable == Operand::no_variable) return static_cast<std::uint64_t>(operand.offset);
    const ptx::Variable& variable = *ptx::variable_of(module_, *function_, operand);
    const Frame& frame = frames_.frames[number_];
    std::uint64_t begin = 0;
    switch (variable.space) {
        case ptx::Space::shared:
            if (std::ranges::find(code_.shared_variables, &variable) == code_.shared_variables.end()) {
                code_.shared_variables.push_back(&variable);
            }
            begin = variable.dynamic() ? code_.kernel->dynamic_shared_offset : variable.offset;
            break;
        case ptx::Space::local: begin = frame.locals + variable.offset; break;
        case ptx::Space::param:
            begin = variable.offset;
            if (operand.owner == Operand::Owner::function) begin += frame.call_parameters;
            if (operand.owner == Operand::Owner::result) begin += frame.results;
            if (operand.owner == Operand::Owner::parameter && !function_->entry) begin += frame.parameters;
            break;
        default: begin = addresses_[operand.variable]; break;
    }
    return begin + static_cast<std::uint64_t>(operand.offset);
}

std::optional<Value> Decoder::source(const Operand& operand, Row row) {
    switch (operand.kind) {
        case Operand::Kind::reg: {
            Value value = file_.value(number_, operand.reg);
            if (value.row != row) return std::nullopt;
            value.invert = operand.negated ? ~0U : 0U;
            return value;
        }
        case Operand::Kind::immediate:
            return file_.constant(row, row == Row::predicate && operand.immediate != 0 ? ~0U : operand.immediate);
        case Operand::Kind::special:
            knows_workspace_ = knows_workspace_ || operand.special == ptx::Special::envreg1 ||
                               operand.special == ptx::Special::envreg2;
            code_.reserves_shared = code_.reserves_shared || operand.special == ptx::Special::reserved_smem_offset_1;
            return file_.special(row, operand.special);
        case Operand::Kind::address:
            if (base_of(operand)) return std::nullopt;
            return file_.constant(row, address_of(operand));
        case Operand::Kind::function: return file_.constant(row, address_of_function(operand.function));
        default: return std::nullopt;
    }
}

bool Decoder::add_destination(Micro& micro, const Operand& operand) {
    if (operand.kind != Operand::Kind::reg) return false;
    code_.destinations.push_back(file_.destination(number_, operand.reg));
    ++micro.destination_count;
    return true;
}

bool Decoder::compute(Micro& micro, const Instruction& instruction) {
    if (reads_clock(instruction)) {
        micro.kind = Kind::clock;
        return add_destination(micro, instruction.operands[0]) || refuse(instruction, {});
    }
    if (const Operand& operand = instruction.operands[1]; operand.kind == Operand::Kind::address && base_of(operand)) {
        return address_in_frame(micro, instruction);
    }
    const std::optional<Operation> operation = find_operation(*function_, instruction);
    if (!operation) return refuse(instruction, {});
    micro.kind = Kind::compute;
    micro.function = operation->function;
    micro.slots.constant = operation->constant;

    std::vector<Operand> written = flat(instruction, 0, instruction.destination_count);
    if (instruction.operands[0].paired.valid()) {
        Operand paired;
        paired.kind = Operand::Kind::reg;
        paired.reg = instruction.operands[0].paired;
        written.push_back(paired);
    }
    std::vector<Operand> read = flat(instruction, instruction.destination_count, instruction.operand_count);
    Operand carry;
    carry.kind = Operand::Kind::reg;
    carry.reg = function_->carry;
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

bool Decoder::address_in_frame(Micro& micro, const Instruction& instruction) {
    const Operand& variable = instruction.operands[1];
    Instruction sum;
    sum.opcode = ptx::Opcode::add;
    sum.modifiers.type = ptx::Type::u64;
    const std::optional<Operation> operation = find_operation(*function_, sum);
    if (instruction.meaning().bits != ptx::ResultBits::copied || !operation) return refuse(instruction, {});
    micro.kind = Kind::compute;
    micro.function = operation->function;
    if (!destinations(micro, instruction, *operation, {instruction.operands[0]})) return false;
    micro.input_dependent_source.fill(input_independent_slot);
    micro.slots.source[0] = base_of(variable)->slot;
    micro.slots.source[1] = file_.constant(Row::wide, address_of(variable)).slot;
    return true;
}

bool Decoder::destinations(Micro& micro, const Instruction& instruction, const Operation& operation,
                           const std::vector<Operand>& written) {
    micro.input_dependent_destination = scratch_word_slot;
    for (std::size_t i = 0; i < operation.destination.size(); ++i) {
        micro.slots.destination[i] = scratch_word_slot;
        if (operation.destination[i] == Row::none || i >= written.size()) continue;
        if (written[i].kind == Operand::Kind::sink && operation.destination[i] == Row::predicate) continue;
        if (!add_destination(micro, written[i])) return refuse(instruction, "its destination is not a register");
        const Destination& destination = code_.destinations.back();
        if (destination.row != operation.destination[i]) {
            return refuse(instruction, "its destination does not have the instruction's width");
        }
        micro.slots.destination[i] = destination.slot;
        if (micro.destination_count == 1) micro.input_dependent_destination = destination.input_dependent;
    }
    micro.simple = micro.destination_count <= 1;
    return true;
}

bool Decoder::sources(Micro& micro, const Instruction& instruction, const Operation& operation,
                      const std::vector<Operand>& read) {
    micro.input_dependent_source.fill(input_independent_slot);
    for (std::size_t i = 0; i < operation.source.size(); ++i) {
        if (operation.source[i] == Row::none) continue;
        if (i >= read.size()) return refuse(instruction, "it lacks an operand");
        const std::optional<Value> value = source(read[i], operation.source[i]);
        if (!value)
            return refuse(instruction, fmt::format("its source {} does not have the instruction's width", i + 1));
        micro.slots.source[i] = value->slot;
        micro.slots.invert |= value->invert;
        micro.input_dependent_source[i] = value->input_dependent;
        if (i >= 3) micro.simple = false;
    }
    return true;
}

}  // namespace lanescope::execute
