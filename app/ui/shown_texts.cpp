#include "ui/shown_texts.h"

#include "analysis/expressions/formula.h"
#include "analysis/narration/narration.h"
#include "analysis/source/display_names.h"

namespace lanescope::ui {

const std::string& ShownTexts::narration(const Shown& shown, std::size_t position,
                                         std::optional<std::size_t> whole_pass, const std::optional<Lane>& lane) {
    const Narrated now{shown.id, position, whole_pass, lane};
    if (now == narrated_) return narration_;
    narrated_ = now;
    if (whole_pass) {
        narration_ = analysis::narrate_pass(shown.view(), PassId{static_cast<std::uint32_t>(*whole_pass)});
        return narration_;
    }
    unsigned by = warp_size;  // a useful one
    if (lane && position < shown.passes->steps.size()) {
        const trace::Step& step = shown.view().step_at(position);
        if (lane->warp == step.warp && step.executed.has(lane->number)) by = lane->number;
    }
    narration_ = analysis::narrate(shown.view(), position, by);
    return narration_;
}

const std::string& ShownTexts::expression(const Shown& shown, const Selection& selection) {
    const Expressed now{shown.id, selection};
    if (now == expressed_) return expression_;
    expressed_ = now;
    const analysis::ColumnGroup& group = shown.picture->group_of(selection.column);
    const analysis::Provenance& provenance = *shown.analysis().provenance;
    // An unchanged copy of an input stands as the element that it was copied from.
    if (auto input = analysis::copied_input(shown.trace(), shown.module(), provenance, shown.launch, selection.value))
        expression_ = *std::move(input);
    else
        expression_ = analysis::expression_of(shown.trace(), provenance, selection.value,
                                              group.element_of(group.cell_of(selection.column)));
    return expression_;
}

}  // namespace lanescope::ui
