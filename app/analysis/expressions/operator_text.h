// How an instruction's operation is written in a formula and said in a sentence.
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

/// What stands before an operand (from 0) and after the one before it: " + ", ", "; of the first, "-" or nothing.
[[nodiscard]] std::string text_before(const OperatorText& op, std::size_t operand);
/// "a + b", "-a", "min(a, b)", "a * b + c": every expression that is spelled out is printed by this and text_before().
[[nodiscard]] std::string applied(const OperatorText& op, std::span<const std::string> operands);

/// "==", "<" ...; empty for what has no sign of its own.
[[nodiscard]] std::string_view comparison_sign(ptx::Compare compare);

/// The name in CUDA C++: %tid.x is threadIdx.x. Empty for those that have none.
[[nodiscard]] std::string_view cuda_name(ptx::Special special);

}  // namespace lanescope::analysis
