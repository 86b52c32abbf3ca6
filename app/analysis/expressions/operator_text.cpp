#include "analysis/expressions/operator_text.h"

#include <fmt/format.h>

namespace lanescope::analysis {
namespace {

using Form = OperatorText::Form;

/// The two results of mul are its low half, which is what `*` means, and its high half, which has no sign.
OperatorText multiplication(const ptx::Instruction& instruction, Form form) {
    if (instruction.modifiers.width == ptx::Width::hi) return {Form::call, "mulhi"};
    return {form, "*"};
}

}  // namespace

OperatorText operator_text(const ptx::Instruction& instruction) {
    using ptx::Opcode;
    switch (instruction.opcode) {
        case Opcode::add:
        case Opcode::addc: return {Form::infix, "+"};
        case Opcode::sub:
        case Opcode::subc: return {Form::infix, "-"};
        case Opcode::mul:
        case Opcode::mul24: return multiplication(instruction, Form::infix);
        case Opcode::mad:
        case Opcode::mad24:
        case Opcode::madc: return multiplication(instruction, Form::multiply_add);
        case Opcode::fma: return {Form::multiply_add, "*"};
        case Opcode::div: return {Form::infix, "/"};
        case Opcode::rem: return {Form::infix, "%"};
        case Opcode::and_: return {Form::infix, instruction.modifiers.type == ptx::Type::pred ? "&&" : "&"};
        case Opcode::or_: return {Form::infix, instruction.modifiers.type == ptx::Type::pred ? "||" : "|"};
        case Opcode::xor_: return {Form::infix, "^"};
        case Opcode::shl: return {Form::infix, "<<"};
        case Opcode::shr: return {Form::infix, ">>"};
        case Opcode::neg: return {Form::prefix, "-"};
        case Opcode::not_: return {Form::prefix, instruction.modifiers.type == ptx::Type::pred ? "!" : "~"};
        case Opcode::mov:
        case Opcode::cvt:
        case Opcode::cvta: return {Form::transparent, {}};
        default: break;
    }
    switch (ptx::info(instruction.opcode).group) {
        case ptx::Group::integer:
        case ptx::Group::floating:
        case ptx::Group::logic: return {Form::call, ptx::info(instruction.opcode).name};
        default: return {};
    }
}

std::string text_before(const OperatorText& op, std::size_t operand) {
    if (operand == 0) return op.form == Form::prefix ? std::string(op.symbol) : std::string();
    if (op.form == Form::call) return ", ";
    if (op.form == Form::multiply_add) return operand == 1 ? " * " : " + ";
    return fmt::format(" {} ", op.symbol);
}

std::string applied(const OperatorText& op, std::span<const std::string> operands) {
    std::string text;
    for (std::size_t i = 0; i < operands.size(); ++i) text += text_before(op, i) + operands[i];
    return op.form == Form::call ? fmt::format("{}({})", op.symbol, text) : text;
}

std::string_view comparison_sign(ptx::Compare compare) {
    using enum ptx::Compare;
    switch (compare) {
        case eq:
        case equ: return "==";
        case ne:
        case neu: return "!=";
        case lt:
        case lo:
        case ltu: return "<";
        case le:
        case ls:
        case leu: return "<=";
        case gt:
        case hi:
        case gtu: return ">";
        case ge:
        case hs:
        case geu: return ">=";
        default: return {};
    }
}

std::string_view cuda_name(ptx::Special special) {
    using enum ptx::Special;
    switch (special) {
        case tid_x: return "threadIdx.x";
        case tid_y: return "threadIdx.y";
        case tid_z: return "threadIdx.z";
        case ntid_x: return "blockDim.x";
        case ntid_y: return "blockDim.y";
        case ntid_z: return "blockDim.z";
        case ctaid_x: return "blockIdx.x";
        case ctaid_y: return "blockIdx.y";
        case ctaid_z: return "blockIdx.z";
        case nctaid_x: return "gridDim.x";
        case nctaid_y: return "gridDim.y";
        case nctaid_z: return "gridDim.z";
        default: return {};
    }
}

}  // namespace lanescope::analysis
