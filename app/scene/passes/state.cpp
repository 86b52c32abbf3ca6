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
    if (!current.valid() || row.pass < current || row.initial) return Phase::past;
    return row.pass == current ? Phase::current : Phase::future;
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
        state.selected = *options.selected;
        state.past = provenance.backward_slice(state.selected);
    }
    return state;
}

std::vector<bool> cells_in_past(const analysis::Picture& picture, const PassesState& state) {
    if (state.past.empty()) return {};
    const std::size_t columns = picture.columns;
    std::vector<bool> lit(picture.rows.size() * columns);
    for (std::size_t r = picture.rows.size(); r-- > 0;) {
        const analysis::PictureRow& row = picture.rows[r];
        for (std::size_t c = 0; c < columns; ++c) {
            const analysis::Cell& cell = row.cells[c];
            // A later-read value is needed in every row from the one that wrote it to the one that reads it.
            const bool waits = r + 1 < picture.rows.size() && lit[(r + 1) * columns + c] &&
                               picture.rows[r + 1].cells[c].value == cell.value;
            const bool itself = cell.value == state.selected && state.phase_of(row) != Phase::future;
            if (state.in_past(cell.value) && (waits || itself)) lit[r * columns + c] = true;
        }
        for (const analysis::Node& node : row.nodes) {
            if (!state.in_past(node.value)) continue;
            if (row.cells[node.column].value == node.value) lit[r * columns + node.column] = true;
            for (const analysis::Source& source : node.sources) lit[source.row * columns + source.column] = true;
        }
    }
    return lit;
}

}  // namespace lanescope::scene
