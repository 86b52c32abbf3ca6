// The text of an instruction's operation, in a formula and in a sentence.
#pragma once

#include "ptx/module.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lanescope::analysis {

struct OperatorText {
    using Form = ptx::Notation;
    Form form = Form::none;
    std::string_view symbol;  ///< "+", "min"
};
[[nodiscard]] OperatorText operator_text(const ptx::Instruction& instruction);

/// The text before an operand (from 0) and after the previous one: " + ", ", "; for the first, "-" or nothing.
[[nodiscard]] std::string text_before(const OperatorText& op, std::size_t operand);
/// "a + b", "-a", "min(a, b)", "a * b + c": this and text_before() print every expression.
[[nodiscard]] std::string applied(const OperatorText& op, std::span<const std::string> operands);

/// "==", "<" ...; empty for comparisons without an operator in C++.
[[nodiscard]] std::string_view comparison_sign(ptx::Compare compare);

/// The name in CUDA C++: %tid.x is threadIdx.x. Empty for registers without one.
[[nodiscard]] std::string_view cuda_name(ptx::Special special);

}  // namespace lanescope::analysis
