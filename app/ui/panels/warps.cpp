#include "ui/panels/warps.h"

#include "analysis/step_facts.h"
#include "scene/warps_scene.h"
#include "ui/widgets.h"

#include <fmt/format.h>

namespace lanescope::ui {

using scene::Role;
using scene::TraceRef;

namespace {

std::string list_of(LaneMask lanes) {
    std::string text;
    for (const unsigned lane : lanes) text += fmt::format("{}{}", text.empty() ? "" : ", ", lane);
    return text;
}

std::string told(const analysis::WarpRow& row, unsigned lane) {
    if (row.useful.has(lane)) return "does something in this pass that reaches an output";
    if (row.ran.has(lane)) return "runs instructions in this pass, but nothing of it reaches an output";
    if (row.exited.has(lane)) return "has returned";
    if (row.masked.has(lane)) return "is masked off for the whole pass";
    return "has no thread";
}

}  // namespace

std::string WarpsPanel::subtitle(const Context& context) const {
    const Shown* shown = context.model.shown();
    if (shown == nullptr) return {};
    std::uint64_t instructions = 0, useful = 0;
    for (const analysis::WarpRow& row : picture_.rows) {
        instructions += row.warp_instructions;
        useful += row.useful_lanes;
    }
    if (instructions == 0) return {};
    return fmt::format("efficiency of the pass: {:.0f} %",
                       100.0 * static_cast<double>(useful) / (32.0 * static_cast<double>(instructions)));
}

void WarpsPanel::draw(Context& context) {
    const Look& look = context.look;
    Model& model = context.model;
    if (model.shown() == nullptr || model.shown()->passes->passes.empty()) {
        ImGui::SetCursorPos({look.px(card_padding), ImGui::GetCursorPosY() + look.px(card_padding)});
        ImGui::TextColored(look.color4(Role::soft), "Nothing has run yet.");
        return;
    }
    const Shown& shown = *model.shown();
    const SceneView::Surface surface = SceneView::surface(look);
    const ImVec2 room = surface.room;

    if (counted_for_ != shown.id || counted_pass_ != model.pass()) {
        counted_for_ = shown.id;
        counted_pass_ = model.pass();
        picture_ = analysis::warp_picture(shown.trace(), *shown.analysis().provenance, *shown.passes,
                                          shown.passes->passes[model.pass()].id);
    }
    const Key key{shown.id, model.position(), room.x, room.y};
    if (built_for_ != key) {
        built_for_ = key;
        scene::WarpsOptions options{
            .width = room.x / look.scale(), .height = room.y / look.scale(), .next = std::nullopt, .scale = 1};
        if (const StepId next = model.next_step(); next.valid()) {
            const trace::Step& step = shown.trace().step(next);
            const analysis::StepFacts facts = analysis::facts_of(shown.trace(), *shown.analysis().provenance, next);
            options.next = scene::NextInstruction{.warp = step.warp,
                                                  .executed = step.executed,
                                                  .predicated_off = facts.predicated_off,
                                                  .inactive = facts.inactive,
                                                  .exited = facts.exited};
        }
        view_.set(scene::warps_scene(picture_, options));
    }
    view_.draw(context, surface.at, room, {0, 0}, look.scale());
    if (!surface.hovered) return;
    const TraceRef under = view_.under_mouse();
    if (under.kind != TraceRef::Kind::lane || under.row >= picture_.rows.size()) return;
    const analysis::WarpRow& row = picture_.rows[under.row];
    tip(look, fmt::format("Lane {} of warp {} (thread {}) {}.\nThe warp: {} instructions, {:.0f} % of its lanes "
                          "useful.\nUseful: {}.",
                          under.column, row.warp.value, row.warp.value * 32 + under.column, told(row, under.column),
                          row.warp_instructions, 100 * row.efficiency(),
                          row.useful.any() ? list_of(row.useful) : std::string("none")));
}

}  // namespace lanescope::ui
