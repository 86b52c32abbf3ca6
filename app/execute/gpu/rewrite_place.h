// The offsets of a module's instructions in its text, at which rewriters insert text.
#pragma once

#include "execute/gpu/rewrite_text.h"
#include "ptx/module.h"

#include <algorithm>
#include <cstddef>

namespace lanescope::execute {

[[nodiscard]] inline std::size_t offset_of(const ptx::Module& module, const ptx::Instruction& instruction) {
    return module.line_starts[instruction.line.value - 1] + instruction.column - 1;
}
[[nodiscard]] inline std::size_t end_of(const ptx::Module& module, const ptx::Instruction& instruction) {
    return end_of_statement(module.text, offset_of(module, instruction));
}

/// Before the first instruction; before its label if a branch leads back to it.
[[nodiscard]] inline std::size_t begin_of(const ptx::Module& module, const ptx::Function& function) {
    const bool returned_to = std::ranges::any_of(
        function.instructions, [](const ptx::Instruction& instruction) { return instruction.target == 0; });
    std::size_t offset = offset_of(module, function.instructions.front());
    for (const ptx::Label& label : function.labels) {
        if (returned_to && label.instruction == 0)
            offset = std::min<std::size_t>(offset, module.line_starts[label.line.value - 1]);
    }
    return offset;
}

}  // namespace lanescope::execute
