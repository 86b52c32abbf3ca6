#include "analysis/panels/access_near.h"

#include "analysis/costs.h"

#include <algorithm>

namespace lanescope::analysis {

const trace::Effect* access_in(const trace::Trace& trace, const trace::Step& step, trace::Space space) {
    for (const trace::Effect& effect : trace.effects(step)) {
        if (is_access(effect.kind) && effect.space == space && effect.lanes.any()) return &effect;
    }
    return nullptr;
}

std::optional<std::size_t> access_near(const BlockView& block, std::size_t position, WarpId warp, trace::Space space) {
    if (block.passes.steps.empty()) return std::nullopt;
    const auto has_access = [&](std::size_t index, bool any_warp) {
        const trace::Step& step = block.step_at(index);
        const bool is_shown = space != trace::Space::global || has_known_sectors(block.instruction_at(index));
        return is_shown && (any_warp || step.warp == warp) && access_in(block.trace, step, space) != nullptr;
    };
    const Pass& pass =
        block.passes.passes[block.passes.pass_of(std::min(position, block.passes.steps.size() - 1)).index()];
    for (const bool any_warp : {false, true}) {
        for (std::size_t index = position; index < pass.past_last; ++index) {
            if (has_access(index, any_warp)) return index;
        }
        for (std::size_t index = std::min(position, pass.past_last); index-- > pass.first;) {
            if (has_access(index, any_warp)) return index;
        }
    }
    for (std::size_t index = std::min(position, pass.first); index-- > 0;) {
        if (has_access(index, true)) return index;
    }
    return std::nullopt;
}

bool launch_accesses(const trace::Trace& trace, std::uint32_t launch, trace::Space space) {
    return std::ranges::any_of(trace.steps(), [&](const trace::Step& step) {
        return step.launch == launch && access_in(trace, step, space) != nullptr;
    });
}

}  // namespace lanescope::analysis
