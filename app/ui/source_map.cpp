#include "ui/source_map.h"

#include "analysis/source/source_line.h"
#include "ui/source_text.h"

#include <algorithm>

namespace lanescope::ui {
SourceMap::SourceMap(std::shared_ptr<const trace::Trace> trace, const ptx::Module& module)
    : trace_(std::move(trace)), cuda_(lines_of(trace_->origin.source)), ptx_(lines_of(trace_->origin.ptx)) {
    cuda_of_ptx_.resize(ptx_.size() + 1, 0);
    instruction_at_.resize(ptx_.size() + 1, false);
    ptx_of_cuda_.resize(cuda_.size() + 1);
    const std::uint32_t file = analysis::own_file(module);
    for (const ptx::Function& function : module.functions) {
        for (const ptx::Instruction& instruction : function.instructions) {
            const std::uint32_t line = analysis::source_line_of(module, instruction, file);
            if (instruction.line.index() < instruction_at_.size()) instruction_at_[instruction.line.index()] = true;
            if (line == 0 || line >= ptx_of_cuda_.size() || instruction.line.index() >= cuda_of_ptx_.size()) continue;
            cuda_of_ptx_[instruction.line.index()] = line;
            ptx_of_cuda_[line].push_back(instruction.line);
        }
    }
    for (std::vector<PtxLine>& lines : ptx_of_cuda_) std::ranges::sort(lines);
}

std::uint32_t SourceMap::cuda_line(PtxLine line) const {
    return line.valid() && line.index() < cuda_of_ptx_.size() ? cuda_of_ptx_[line.index()] : 0;
}

std::span<const PtxLine> SourceMap::ptx_lines(std::uint32_t cuda_line) const {
    return cuda_line < ptx_of_cuda_.size() ? std::span<const PtxLine>(ptx_of_cuda_[cuda_line])
                                           : std::span<const PtxLine>();
}

}  // namespace lanescope::ui
