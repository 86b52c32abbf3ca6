#include "ui/panels/compare.h"

#include "scene/comparison_scene.h"
#include "ui/glossary.h"
#include "ui/shell.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::ui {

using scene::TraceRef;

namespace {

/// What B does while there is nothing to compare, or why there never will be.
std::string state_of(const Workspace& one, const Workspace& other) {
    if (other.refusal()) return "B could not be run: " + other.refusal()->message();
    if (other.question())
        return "B has a main, which runs on this machine only with your permission: open it once as the window's own "
               "program.";
    if (other.busy()) {
        const std::string doing = other.busy_doing();
        const float share = other.busy_share();
        return fmt::format("B runs{}{}, {:.0f} s so far.", doing.empty() ? "" : ": " + doing,
                           share >= 0 ? fmt::format(", {:.0f} %", 100 * share) : "", other.busy_seconds());
    }
    if (one.shown() == nullptr) return "A has not run yet.";
    return "B was cancelled. Choose what to compare with in the menu Compare.";
}

}  // namespace

bool ComparePanel::exists(const Workspace&) const { return shell_.comparing().running(); }

std::vector<std::string> ComparePanel::subtitle(const Context& context) const {
    const Comparing& comparing = shell_.comparing();
    if (comparing.comparison() == nullptr) return {};
    if (!comparing.have_counterparts(context.workspace)) return {"this pass has no counterpart", "no counterpart"};
    return {"all blocks"};
}

float ComparePanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    Comparing& comparing = shell_.comparing();
    const auto add = [&](const char* id, const char* text, const char* meaning) {
        const ButtonLook how{.quiet = true, .height = 24};
        const ImVec2 size = button_size(look, text, Icon::none, Icon::none, how);
        right -= size.x;
        ImGui::SetCursorScreenPos({right, top + (height - size.y) * 0.5F});
        const bool pressed = button(look, id, text, Icon::none, Icon::none, how);
        tip(look, meaning);
        right -= look.px(4);
        return pressed;
    };
    if (add("##end", "End", "Stop comparing: B is closed")) {
        shell_.end_comparing();
        return right;
    }
    if (comparing.other()->busy()) {
        if (add("##cancel", "Cancel", "Cancel the run of B")) comparing.other()->cancel();
    } else if (add("##swap", "Swap", "A becomes B, and B becomes A, which the launch bar changes")) {
        shell_.swap_compared();
    }
    return right - look.px(gap);
}

const scene::Scene* ComparePanel::drawn() const {
    return shell_.comparing().comparison() == nullptr ? nullptr : &view_.scene();
}

scene::Scene ComparePanel::scene_of(const Key& key) const {
    const Comparing& comparing = shell_.comparing();
    return scene::comparison_scene({.comparison = *comparing.comparison(),
                                    .one = comparing.names().first,
                                    .other = comparing.names().second,
                                    .times = comparing.times(),
                                    .caveat = comparing.caveat(),
                                    .waiting = "The times are being estimated."},
                                   {.width = key.width, .current = key.current, .hovered = key.hovered});
}

scene::Scene ComparePanel::whole_picture(const Workspace&) const {
    constexpr float width = 900;
    return scene_of({.version = 0, .width = width, .current = {}, .hovered = {}});
}

void ComparePanel::draw_waiting(Context& context) {
    note(context.look, state_of(context.workspace, *shell_.comparing().other()));
}

void ComparePanel::draw(Context& context) {
    Comparing& comparing = shell_.comparing();
    if (!comparing.running()) return;
    if (comparing.comparison() == nullptr) return draw_waiting(context);
    const Look& look = context.look;
    const SceneView::Surface surface = SceneView::surface(look);
    const float scale = look.scale();
    const Key key{.version = comparing.version(),
                  .width = surface.room.x / scale,
                  .current = comparing.row(context.workspace),
                  .hovered = hovered_};
    if (built_for_ != key) {
        view_.set(scene_of(key));
        built_for_ = key;
    }
    pan_ = view_.scrolled(pan_, surface, scale);
    view_.draw(context, surface.at, surface.room, {0, pan_}, scale);
    view_.draw_scrollbar(look, surface, pan_, scale);
    hovered_.reset();
    if (!surface.hovered) return;
    const TraceRef under = view_.under_mouse();
    if (under.kind == TraceRef::Kind::row) {
        hovered_ = under.row;
        if (surface.clicked) comparing.seek_row(context.workspace, under.row);
    } else if (under.kind == TraceRef::Kind::heading) {
        const auto& columns = comparing.comparison()->columns;
        if (under.column < columns.size()) {
            explain(look, columns[under.column].term, columns[under.column].name);
        } else if (comparing.times() != nullptr) {
            tip(look, comparing.times()->method);
        }
    } else if (under.kind == TraceRef::Kind::note && comparing.times() != nullptr) {
        tip(look, comparing.times()->method);
    }
}

}  // namespace lanescope::ui
