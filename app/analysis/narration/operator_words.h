// What a lane does by an instruction that computes, in words: one phrase for each such instruction of PTX.
#pragma once

#include "ptx/opcode.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::analysis {

/// "adds {1} to {0} and keeps {r}": {0}, {1}, ... stand for the source operands, {r} for the result. Empty for what
/// does not compute: loads, branches, barriers, what lanes do together.
[[nodiscard]] std::string_view operator_phrase(ptx::Opcode opcode);

/// The phrase with its places filled. An operand that the instruction does not have reads "a value".
[[nodiscard]] std::string filled(std::string_view phrase, const std::vector<std::string>& operands,
                                 const std::string& result);

}  // namespace lanescope::analysis
