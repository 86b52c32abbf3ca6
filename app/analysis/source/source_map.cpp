#include "analysis/source/source_map.h"

#include "analysis/source/source_line.h"
#include "base/text.h"

#include <algorithm>
#include <map>
#include <string>

namespace lanescope::analysis {

namespace {

const std::string& text_of(const trace::Origin& origin, std::size_t source) {
    return source == 0 ? origin.source : origin.other_sources[source - 1].text;
}

/// By the number of the file in the PTX.
std::map<std::uint32_t, std::size_t> sources_of(const trace::Origin& origin, const ptx::Module& module) {
    std::map<std::uint32_t, std::size_t> sources{{own_file(module), 0}};
    for (const auto& [number, name] : module.files) {
        const auto other = std::ranges::find(origin.other_sources, name, &trace::SourceText::name);
        if (other != origin.other_sources.end())
            sources.emplace(number, static_cast<std::size_t>(other - origin.other_sources.begin()) + 1);
    }
    return sources;
}

}  // namespace

SourceMap::SourceMap(std::shared_ptr<const trace::Trace> trace, const ptx::Module& module, std::size_t source)
    : trace_(std::move(trace)), cuda_(lines_of(text_of(trace_->origin, source))), ptx_(lines_of(trace_->origin.ptx)) {
    source_of_.resize(ptx_.size() + 1, 0);
    const std::map<std::uint32_t, std::size_t> sources = sources_of(trace_->origin, module);
    cuda_of_ptx_.resize(ptx_.size() + 1, 0);
    instruction_at_.resize(ptx_.size() + 1, false);
    ptx_of_cuda_.resize(cuda_.size() + 1);
    const auto wanted = std::ranges::find(sources, source, [](const auto& entry) { return entry.second; });
    const std::uint32_t file = wanted != sources.end() ? wanted->first : ~0U;
    for (const ptx::Function& function : module.functions) {
        for (const ptx::Instruction& instruction : function.instructions) {
            const std::uint32_t line = source_line_of(module, instruction, file);
            if (instruction.line.index() < instruction_at_.size()) instruction_at_[instruction.line.index()] = true;
            for (std::uint32_t at = instruction.place; at < module.places.size(); at = module.places[at].inlined_at) {
                const auto known = sources.find(module.places[at].file);
                if (known == sources.end() || instruction.line.index() >= source_of_.size()) continue;
                source_of_[instruction.line.index()] = known->second;
                break;
            }
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

std::size_t SourceMap::source_of(PtxLine line) const {
    return line.valid() && line.index() < source_of_.size() ? source_of_[line.index()] : 0;
}

std::span<const PtxLine> SourceMap::ptx_lines(std::uint32_t cuda_line) const {
    return cuda_line < ptx_of_cuda_.size() ? std::span<const PtxLine>(ptx_of_cuda_[cuda_line])
                                           : std::span<const PtxLine>();
}

std::uint32_t cuda_line_at(const BlockView& block, const SourceMap& map, std::size_t index) {
    const WarpId warp = block.step_at(index).warp;
    for (++index; index-- > 0;) {
        const trace::Step& step = block.step_at(index);
        if (step.warp != warp) continue;
        if (const std::uint32_t line = map.cuda_line(step.line); line != 0) return line;
    }
    return 0;
}

}  // namespace lanescope::analysis
