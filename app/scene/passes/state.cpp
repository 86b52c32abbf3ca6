#include "scene/passes/state.h"

#include <algorithm>

namespace lanescope::scene {

std::optional<std::size_t> PassesState::row_reached(const analysis::Picture& picture) const {
    if (!current.valid()) return std::nullopt;
    const auto beyond = std::ranges::find_if(
        picture.rows, [&](const analysis::PictureRow& row) { return phase_of(row) == Phase::future; });
    if (beyond == picture.rows.begin()) return std::nullopt;
    return static_cast<std::size_t>(beyond - picture.rows.begin()) - 1;
}

Phase PassesState::phase_of(const analysis::PictureRow& row) const {
    if (row.is_after(current)) return Phase::future;
    return current.valid() && row.pass == current && !row.initial ? Phase::current : Phase::past;
}

bool PassesState::done(StepId step, Phase phase) const {
    if (phase != Phase::current) return phase == Phase::past;
    return !step.valid() || step < next;
}

PassesState passes_state(const analysis::BlockPasses& passes, const analysis::Provenance& provenance,
                         const PassesOptions& options) {
    PassesState state;
    if (options.position < passes.steps.size()) {
        state.current = passes.pass_of(options.position);
        state.label = passes.passes[state.current.index()].label;
        state.next = passes.steps[options.position];
    }
    if (options.selected && options.selected->valid() && options.selected->index() < provenance.size()) {
        state.past = {.selected = *options.selected, .values = provenance.backward_slice(*options.selected)};
    }
    return state;
}

}  // namespace lanescope::scene
