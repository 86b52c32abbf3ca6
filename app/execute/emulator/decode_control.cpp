// Control flow and cross-lane instructions: branches, calls, barriers, shuffles, votes.
#include "execute/emulator/decoder.h"

#include <span>

namespace lanescope::execute {

namespace {

using ptx::Instruction;
using ptx::Operand;

}  // namespace

Kind Decoder::kind_of_return() const { return function_->entry ? Kind::exit : Kind::return_from_call; }

Pc Decoder::reconvergence_of(const Instruction& instruction) const {
    return instruction.reconvergence == ptx::no_instruction ? no_pc : begins_[number_] + instruction.reconvergence;
}

bool Decoder::branch_indexed(Micro& micro, const Instruction& instruction) {
    const std::optional<Value> index = source(instruction.operands[0], Row::narrow);
    if (!index) return refuse(instruction, {});
    micro.kind = Kind::branch_indexed;
    micro.operands[0] = *index;
    micro.reconvergence = reconvergence_of(instruction);
    micro.first_target = static_cast<std::uint32_t>(code_.targets.size());
    const Operand& labels = instruction.operands[1];
    micro.target_count = labels.elements;
    for (std::uint32_t label = 0; label < labels.elements; ++label) {
        code_.targets.push_back(begins_[number_] + function_->vector_elements[labels.first + label].target);
    }
    return true;
}

bool Decoder::call(Micro& micro, const Instruction& instruction) {
    const auto places = [&](const Operand& list) {
        std::vector<FramePlace> result;
        for (const Operand& element : std::span(function_->vector_elements).subspan(list.first, list.elements)) {
            result.push_back({address_of(element), ptx::variable_of(module_, *function_, element)->bytes});
        }
        return result;
    };
    Call result{
        .caller = number_, .arguments = places(instruction.operands[2]), .results = places(instruction.operands[0])};
    const Operand& target = instruction.operands[1];
    if (target.kind == Operand::Kind::function) {
        result.callee = file_.number_of(module_.functions[target.function]);
    } else {
        const std::optional<Value> pointer = source(target, Row::wide);
        if (!pointer) return refuse(instruction, "its pointer does not have 64 bits");
        result.target = *pointer;
    }
    micro.kind = Kind::call;
    micro.access = static_cast<std::uint32_t>(code_.calls.size());
    code_.calls.push_back(std::move(result));
    return true;
}

bool Decoder::barrier(Micro& micro, const Instruction& instruction) {
    micro.kind = Kind::barrier;
    const bool reduces = instruction.modifiers.barrier == ptx::Barrier::red;
    unsigned next = 0;
    if (reduces && !add_destination(micro, instruction.operands[next++])) return refuse(instruction, {});
    const unsigned last = instruction.operand_count - (reduces ? 1U : 0U);
    for (unsigned i = 0; next < last; ++i, ++next) {
        const std::optional<Value> value = source(instruction.operands[next], Row::narrow);
        if (!value || i > 1) return refuse(instruction, {});
        micro.operands[i] = *value;
    }
    micro.meets_block = instruction.modifiers.barrier == ptx::Barrier::sync && last == 1 &&
                        instruction.operands[0].kind == ptx::Operand::Kind::immediate &&
                        instruction.operands[0].immediate == 0;
    if (!reduces) return true;
    const std::optional<Value> predicate = source(instruction.operands[last], Row::predicate);
    if (!predicate) return refuse(instruction, {});
    micro.operands[2] = *predicate;
    return true;
}

bool Decoder::across_lanes(Micro& micro, const Instruction& instruction, Kind kind) {
    micro.kind = kind;
    for (unsigned i = 0; i < instruction.destination_count; ++i) {
        if (!add_destination(micro, instruction.operands[i])) return refuse(instruction, {});
    }
    if (instruction.destination_count > 0 && instruction.operands[0].paired.valid()) {
        code_.destinations.push_back(file_.destination(number_, instruction.operands[0].paired));
        ++micro.destination_count;
    }
    for (unsigned i = instruction.destination_count; i < instruction.operand_count; ++i) {
        const bool predicate = kind == Kind::vote && i == instruction.destination_count;
        const bool value = kind == Kind::match && i == instruction.destination_count;
        const Row row = predicate ? Row::predicate
                        : value   ? row_of_bytes(ptx::bytes_of(instruction.modifiers.type))
                                  : Row::narrow;
        const std::optional<Value> operand = source(instruction.operands[i], row);
        if (!operand) return refuse(instruction, "its operands do not have the instruction's width");
        micro.operands[i - instruction.destination_count] = *operand;
    }
    micro.waits_at_sync = kind != Kind::active_mask;
    micro.mask_operand = static_cast<std::uint8_t>(instruction.operand_count - instruction.destination_count - 1U);
    return true;
}

}  // namespace lanescope::execute
