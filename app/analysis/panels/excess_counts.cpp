#include "analysis/panels/excess_counts.h"

#include <algorithm>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::Space;

Excess excess_of(const trace::Trace& trace, const Effect& effect, const InstructionInfo* line) {
    const std::optional<AccessNeed> need = access_need(trace, effect, line);
    if (!need || !need->least) return {};
    const std::uint64_t excess = need->used - *need->least;
    return effect.space == Space::shared ? Excess{.wavefronts = excess} : Excess{.sectors = excess};
}

}  // namespace

ExcessCounts::ExcessCounts(const BlockView& block) : before_(1) {
    before_.reserve(block.passes.steps.size() + 1);
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        Excess sum = before_.back();
        for (const Effect& effect : block.trace.effects(block.step_at(index))) {
            const Excess own = excess_of(block.trace, effect, block.instruction_at(index));
            sum.wavefronts += own.wavefronts;
            sum.sectors += own.sectors;
        }
        before_.push_back(sum);
    }
}

Excess ExcessCounts::of(std::size_t first, std::size_t past_last) const {
    const Excess& from = before_[std::min(first, before_.size() - 1)];
    const Excess& to = before_[std::min(past_last, before_.size() - 1)];
    return {.wavefronts = to.wavefronts - from.wavefronts, .sectors = to.sectors - from.sectors};
}

}  // namespace lanescope::analysis
