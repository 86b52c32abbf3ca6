// From an instruction to the line of the user's CUDA source that it comes from.
#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::analysis {

/// The line in the user's own file: of code inlined from elsewhere, the line that calls it. 0: the compiler's own.
[[nodiscard]] std::uint32_t source_line_of(const ptx::Module& module, const ptx::Instruction& instruction);

/// Line number `line` (from 1) of a text, without blanks around it; empty past the end and for 0.
[[nodiscard]] std::string_view trimmed_line(std::string_view text, std::uint32_t line);

}  // namespace lanescope::analysis
