#include "analysis/source/step_lines.h"

#include "analysis/source/source_line.h"

namespace lanescope::analysis {

StepLines::StepLines(const ptx::Module& module, const InstructionTable& instructions)
    : module_(module), instructions_(instructions), file_(own_file(module)) {}

std::uint32_t StepLines::next(const trace::Step& step) {
    std::uint32_t& line = last_[{step.launch, step.block, step.warp}];
    const InstructionInfo* const instruction = instructions_.at(step.line);
    if (instruction == nullptr) return line;
    if (const std::uint32_t own = source_line_of(module_, *instruction->instruction, file_); own != 0) line = own;
    return line;
}

}  // namespace lanescope::analysis
