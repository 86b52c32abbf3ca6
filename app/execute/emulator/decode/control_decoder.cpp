// Labels become numbers of instructions; the operands of barriers and shuffles become rows.
#include "execute/emulator/decode/control_decoder.h"

#include <span>

namespace lanescope::execute {

namespace {

using ptx::Instruction;
using ptx::Operand;

}  // namespace

Kind ControlDecoder::kind_of_return() const { return state_.function->entry ? Kind::exit : Kind::return_from_call; }

Pc ControlDecoder::reconvergence_of(const Instruction& instruction) const {
    return instruction.reconvergence == ptx::no_instruction ? no_pc
                                                            : state_.begins[state_.number] + instruction.reconvergence;
}

bool ControlDecoder::branch(Micro& micro, const Instruction& instruction) const {
    micro.kind = Kind::branch;
    micro.target = state_.begins[state_.number] + instruction.target;
    micro.reconvergence = reconvergence_of(instruction);
    return true;
}

bool ControlDecoder::branch_indexed(Micro& micro, const Instruction& instruction) {
    const std::optional<Value> index = operands_.source(instruction.operands[0], Row::narrow);
    if (!index) return state_.refuse(instruction, {});
    micro.kind = Kind::branch_indexed;
    micro.operands[0] = *index;
    micro.reconvergence = reconvergence_of(instruction);
    micro.first_target = static_cast<std::uint32_t>(state_.code.targets.size());
    const Operand& labels = instruction.operands[1];
    micro.target_count = labels.elements;
    for (std::uint32_t label = 0; label < labels.elements; ++label) {
        state_.code.targets.push_back(state_.begins[state_.number] +
                                      state_.function->vector_elements[labels.first + label].target);
    }
    return true;
}

bool ControlDecoder::call(Micro& micro, const Instruction& instruction) {
    const auto places = [&](const Operand& list) {
        std::vector<FramePlace> result;
        for (const Operand& element : std::span(state_.function->vector_elements).subspan(list.first, list.elements)) {
            result.push_back(
                {operands_.address_of(element), ptx::variable_of(state_.module, *state_.function, element)->bytes});
        }
        return result;
    };
    Call result{.caller = state_.number,
                .arguments = places(instruction.operands[2]),
                .results = places(instruction.operands[0])};
    const Operand& target = instruction.operands[1];
    if (target.kind == Operand::Kind::function) {
        result.callee = state_.file.number_of(state_.module.functions[target.function]);
    } else {
        const std::optional<Value> pointer = operands_.source(target, Row::wide);
        if (!pointer) return state_.refuse(instruction, "its pointer does not have 64 bits");
        result.target = *pointer;
    }
    micro.kind = Kind::call;
    micro.access = static_cast<std::uint32_t>(state_.code.calls.size());
    state_.code.calls.push_back(std::move(result));
    return true;
}

bool ControlDecoder::barrier(Micro& micro, const Instruction& instruction) {
    micro.kind = Kind::barrier;
    const bool reduces = instruction.modifiers.barrier == ptx::Barrier::red;
    unsigned next = 0;
    if (reduces && !operands_.add_destination(micro, instruction.operands[next++]))
        return state_.refuse(instruction, {});
    const unsigned last = instruction.operand_count - (reduces ? 1U : 0U);
    for (unsigned i = 0; next < last; ++i, ++next) {
        const std::optional<Value> value = operands_.source(instruction.operands[next], Row::narrow);
        if (!value || i > 1) return state_.refuse(instruction, {});
        micro.operands[i] = *value;
    }
    micro.meets_block = instruction.modifiers.barrier == ptx::Barrier::sync && last == 1 &&
                        instruction.operands[0].kind == ptx::Operand::Kind::immediate &&
                        instruction.operands[0].immediate == 0;
    if (!reduces) return true;
    const std::optional<Value> predicate = operands_.source(instruction.operands[last], Row::predicate);
    if (!predicate) return state_.refuse(instruction, {});
    micro.operands[2] = *predicate;
    return true;
}

bool ControlDecoder::across_lanes(Micro& micro, const Instruction& instruction, Kind kind) {
    micro.kind = kind;
    for (unsigned i = 0; i < instruction.destination_count; ++i) {
        if (!operands_.add_destination(micro, instruction.operands[i])) return state_.refuse(instruction, {});
    }
    if (instruction.destination_count > 0 && instruction.operands[0].paired.valid()) {
        state_.code.destinations.push_back(state_.file.destination(state_.number, instruction.operands[0].paired));
        ++micro.destination_count;
    }
    for (unsigned i = instruction.destination_count; i < instruction.operand_count; ++i) {
        const bool predicate = kind == Kind::vote && i == instruction.destination_count;
        const bool value = kind == Kind::match && i == instruction.destination_count;
        const Row row = predicate ? Row::predicate
                        : value   ? row_of_bytes(ptx::bytes_of(instruction.modifiers.type))
                                  : Row::narrow;
        const std::optional<Value> operand = operands_.source(instruction.operands[i], row);
        if (!operand) return state_.refuse(instruction, "its operands do not have the instruction's width");
        micro.operands[i - instruction.destination_count] = *operand;
    }
    micro.waits_at_sync = kind != Kind::active_mask;
    micro.mask_operand = static_cast<std::uint8_t>(instruction.operand_count - instruction.destination_count - 1U);
    return true;
}

}  // namespace lanescope::execute
