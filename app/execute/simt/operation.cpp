#include "execute/simt/operation.h"

namespace lanescope::execute {

namespace {

bool is_half(ptx::Type type) {
    switch (type) {
        case ptx::Type::f16:
        case ptx::Type::f16x2:
        case ptx::Type::bf16:
        case ptx::Type::bf16x2: return true;
        default: return false;
    }
}

bool uses_carry(const ptx::Modifiers& modifiers) { return modifiers.carry_in || modifiers.carry_out; }

Found arithmetic(const ptx::Instruction& instruction) {
    if (uses_carry(instruction.modifiers)) return carry_operation(instruction);
    if (is_half(instruction.modifiers.type)) return half_operation(instruction);
    return ptx::is_float(instruction.modifiers.type) ? floating_operation(instruction) : integer_operation(instruction);
}

}  // namespace

Row row_of(ptx::Type type) {
    if (type == ptx::Type::pred) return Row::predicate;
    switch (ptx::bytes_of(type)) {
        case 1:
        case 2:
        case 4: return Row::narrow;
        case 8: return Row::wide;
        default: return Row::none;
    }
}

Found find_operation(const ptx::Function& function, const ptx::Instruction& instruction) {
    if (const Found found = address_operation(instruction)) return found;
    switch (instruction.meaning().group) {
        case ptx::Group::integer:
            if (const Found found = arithmetic(instruction)) return found;
            return bit_operation(instruction);
        case ptx::Group::floating: return arithmetic(instruction);
        case ptx::Group::logic: return logic_operation(instruction);
        case ptx::Group::compare:
        case ptx::Group::select: return compare_operation(instruction);
        case ptx::Group::move: return move_operation(function, instruction);
        case ptx::Group::convert: return convert_operation(function, instruction);
        default: return std::nullopt;
    }
}

}  // namespace lanescope::execute
