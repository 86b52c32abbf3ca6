#include "analysis/panels/warp_stops.h"

#include "analysis/panels/notable_steps.h"

#include <cstdint>
#include <optional>

namespace lanescope::analysis {

WarpStops warp_stops(const BlockView& block, const SourceMap& map, WarpId warp) {
    WarpStops stops;
    stops.passes.clear();
    const auto add = [](std::vector<std::size_t>& to, std::size_t index) {
        if (to.back() != index) to.push_back(index);
    };
    std::uint32_t last_line = 0;
    for (std::size_t pass = 0; pass < block.passes.passes.size(); ++pass) {
        const Pass& range = block.passes.passes[pass];
        std::optional<std::size_t> first;
        for (std::size_t index = range.first; index < range.past_last; ++index) {
            const trace::Step& step = block.step_at(index);
            if (step.warp != warp) continue;
            if (!first || is_event(block.module, block.instruction_at(index), step)) add(stops.events, index);
            if (!first) first = index;
            add(stops.instructions, index);
            const std::uint32_t line = map.cuda_line(step.line);
            if (line != 0 && line != last_line) {
                last_line = line;
                add(stops.lines, index);
            }
        }
        if (!first) {
            add(stops.instructions, range.first);
            add(stops.events, range.first);
        }
        stops.passes.push_back(pass == 0 ? 0 : first.value_or(range.first));
    }
    const std::size_t end = block.passes.steps.size();
    add(stops.instructions, end);
    add(stops.events, end);
    add(stops.lines, end);
    stops.passes.push_back(end);
    return stops;
}

}  // namespace lanescope::analysis
