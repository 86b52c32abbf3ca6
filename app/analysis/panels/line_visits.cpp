#include "analysis/panels/line_visits.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace lanescope::analysis {

std::vector<LineVisit> line_visits(const BlockView& block, std::span<const WatchedLine> lines) {
    using ByLine = std::unordered_map<std::uint32_t, std::size_t>;
    ByLine in_ptx;
    std::map<const SourceMap*, ByLine> in_cuda;
    for (std::size_t index = 0; index < lines.size(); ++index)
        (lines[index].map == nullptr ? in_ptx : in_cuda[lines[index].map]).emplace(lines[index].line, index);

    const std::size_t steps = block.passes.steps.size();
    std::vector<LineVisit> visits;
    for (std::size_t position = 0; position < steps && !in_ptx.empty(); ++position) {
        const auto found = in_ptx.find(block.step_at(position).line.value);
        if (found != in_ptx.end()) visits.push_back({position, found->second});
    }
    struct Was {
        std::uint32_t cuda = 0;
        PtxLine ptx;
    };
    for (const auto& [map, watched] : in_cuda) {
        std::unordered_map<std::uint32_t, Was> last;  // by warp
        for (std::size_t position = 0; position < steps; ++position) {
            const trace::Step& step = block.step_at(position);
            const std::uint32_t line = map->cuda_line(step.line);
            if (line == 0) continue;  // library code: the warp is still in the line that called it
            const Was was = std::exchange(last[step.warp.value], Was{line, step.line});
            // A jump back within a line begins the next iteration of a loop on that line.
            const bool enters = was.cuda != line || step.line <= was.ptx;
            const auto found = watched.find(line);
            if (enters && found != watched.end()) visits.push_back({position, found->second});
        }
    }
    std::ranges::sort(visits);
    return visits;
}

}  // namespace lanescope::analysis
