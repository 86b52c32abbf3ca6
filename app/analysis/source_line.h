// From an instruction to the line of the user's CUDA source that it comes from.
#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::analysis {

/// The file (a number of Module::files) that the user wrote: the one that a kernel begins in, for headers may be named before
/// it. 0: the text names none.
[[nodiscard]] std::uint32_t own_file(const ptx::Module& module);

/// The line in the user's own file: of code inlined from elsewhere, the line that calls it. 0: a library's or the compiler's
/// own.
[[nodiscard]] std::uint32_t source_line_of(const ptx::Module& module, const ptx::Instruction& instruction);
/// The same where own_file() is known already.
[[nodiscard]] std::uint32_t source_line_of(const ptx::Module& module, const ptx::Instruction& instruction,
                                           std::uint32_t own_file);

/// Line number `line` (from 1) of a text, without blanks around it; empty past the end and for 0.
[[nodiscard]] std::string_view trimmed_line(std::string_view text, std::uint32_t line);

}  // namespace lanescope::analysis
