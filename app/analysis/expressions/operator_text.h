// How an instruction's operation is written in a formula and said in a sentence.
#pragma once

#include "ptx/module.h"

#include <string_view>

namespace lanescope::analysis {

struct OperatorText {
    enum class Form : std::uint8_t {
        none,          ///< makes no formula
        infix,         ///< a + b
        prefix,        ///< -a
        call,          ///< min(a, b)
        multiply_add,  ///< a * b + c
        transparent,   ///< a: a copy or a conversion
    };
    Form form = Form::none;
    std::string_view symbol;  ///< "+", "min"
};
[[nodiscard]] OperatorText operator_text(const ptx::Instruction& instruction);

/// "==", "<" ...; empty for what has no sign of its own.
[[nodiscard]] std::string_view comparison_sign(ptx::Compare compare);
/// The comparison that holds exactly where this one does not; for floats NaN stands aside.
[[nodiscard]] std::string_view opposite_sign(ptx::Compare compare);

/// The name in CUDA C++: %tid.x is threadIdx.x. Empty for those that have none.
[[nodiscard]] std::string_view cuda_name(ptx::Special special);

}  // namespace lanescope::analysis
