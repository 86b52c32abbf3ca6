#include "analysis/expressions/operator_text.h"

#include <fmt/format.h>

namespace lanescope::analysis {
namespace {

using Form = OperatorText::Form;

}  // namespace

OperatorText operator_text(const ptx::Instruction& instruction) {
    const ptx::OpcodeMeaning& meaning = instruction.meaning();
    // C++ has no operator for the high half of a product; `*` would be wrong.
    if (instruction.modifiers.width == ptx::Width::hi && meaning.symbol == "*") return {Form::call, "mulhi"};
    if (meaning.notation == Form::call && meaning.symbol.empty())
        return {Form::call, ptx::info(instruction.opcode).name};
    return {meaning.notation,
            instruction.modifiers.type == ptx::Type::pred ? meaning.predicate_symbol : meaning.symbol};
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
