#include "ui/panels/compare.h"

#include "base/grouped.h"
#include "scene/comparison_scene.h"
#include "scene/multiples_scene.h"
#include "scene/passes_scene.h"
#include "ui/glossary.h"
#include "ui/sentences.h"
#include "ui/shell.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace lanescope::ui {

using scene::TraceRef;

bool ComparePanel::exists(const Workspace&) const { return shell_.comparing().running(); }

std::vector<std::string> ComparePanel::subtitle(const Context& context) const {
    const Comparing& comparing = shell_.comparing();
    if (draws_many()) {
        std::string programs = fmt::format("{}, all blocks", counted(comparing.others() + 1, "program"));
        const char* const later = comparing.others() == 2 ? "C" : "C or D";
        return {fmt::format("{}; click {} to see its panels, as B", programs, later), std::move(programs)};
    }
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
    } else if (!(draws_many() && look.slim()) &&  // presented, the pictures need its room
               add("##swap", "Swap", "A becomes B, and B becomes A, which the launch bar changes")) {
        shell_.swap_compared();
    }
    if (comparing.others() > 1) {
        const char* const words = in_detail_ ? "Pictures" : "A and B";
        if (add("##detail", words, in_detail_ ? "The passes of all programs" : "A and B alone, pass by pass"))
            in_detail_ = !in_detail_;
    }
    return draws_many() ? draw_choice(look, right, top, height) : right - look.px(gap);
}

/// Draws the choice between all pictures and the one that fills the panel; returns the new right end.
float ComparePanel::draw_choice(const Look& look, float right, float top, float height) {
    constexpr float control = 24;
    static constexpr std::array<std::string_view, 1 + 1 + Comparing::most> words = {"all", "A", "B", "C", "D"};
    const std::vector<std::string_view> labels(
        words.begin(), words.begin() + 2 + static_cast<std::ptrdiff_t>(shell_.comparing().others()));
    right -= segmented_width(look, labels, type::small);
    ImGui::SetCursorScreenPos({right, top + (height - look.px(control)) * 0.5F});
    const int selected = enlarged_ ? static_cast<int>(*enlarged_) + 1 : 0;
    if (const auto chosen = segmented(look, "##enlarged", labels, selected, control, type::small)) {
        enlarged_.reset();
        if (*chosen > 0) enlarged_ = static_cast<std::size_t>(*chosen) - 1;
    }
    return right - look.px(gap);
}

bool ComparePanel::shrink() {
    const bool was = draws_many() && enlarged_.has_value();
    enlarged_.reset();
    return was;
}

const scene::Scene* ComparePanel::drawn() const {
    return shell_.comparing().comparison() == nullptr && !draws_many() ? nullptr : &view_.scene();
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

scene::Scene ComparePanel::whole_picture(const Workspace& workspace) const {
    constexpr float width = 900;
    if (draws_many()) return many_scene_of(workspace, {.width = width, .moments = {}, .hovered = {}, .enlarged = {}});
    return scene_of({.version = 0, .width = width, .current = {}, .hovered = {}});
}

bool ComparePanel::draws_many() const { return shell_.comparing().others() > 1 && !in_detail_; }

scene::Scene ComparePanel::many_scene_of(const Workspace& one, const ManyKey& key) const {
    const Comparing& comparing = shell_.comparing();
    const std::size_t count = comparing.others() + 1;
    const std::vector<std::string> names = comparing.all_names(one);
    // In the window all of them are in view, each with its counts.
    const bool beside = key.height > 0;
    scene::MultiplesOptions options{.width = key.width,
                                    .hovered = key.hovered,
                                    .beside = beside,
                                    .sentences = key.sentences,
                                    .enlarged = beside ? key.enlarged : std::nullopt,
                                    .height = key.height};
    std::vector<scene::Scene> pictures(count);
    std::vector<scene::Multiple> multiples(count);
    for (std::size_t at = 0; at < count; ++at) {
        const Workspace& workspace = at == 0 ? one : comparing.other(at - 1);
        scene::Multiple& made = multiples[at];
        made.name = names[at];
        if (at > 0) {
            made.comparison = comparing.comparison(at - 1);
            made.times = comparing.times(at - 1);
            made.caveat = comparing.caveat(at - 1);
        }
        const Shown* const shown = workspace.shown();
        if (shown == nullptr) {
            made.instead = why_not_compared(one, workspace, static_cast<char>('A' + at));
            continue;
        }
        made.place = pass_title(*shown, workspace.pass(), workspace.position() >= workspace.at().end());
        if (at > 0 && !comparing.have_counterparts(one, at - 1)) made.place = "no counterpart, at " + made.place;
    }
    constexpr float least_picture = 80, ample_picture = 200;  // points
    scene::RoomOfMultiple room{.width = scene::multiple_width(key.width, count, beside)};
    if (options.enlarged) {
        room = scene::room_of_enlarged(multiples, options);
    } else if (beside) {
        const auto room_left = [&] {
            const auto [without_pictures, rows] = scene::height_of_multiples(multiples, options);
            return std::max((key.height - without_pictures) / static_cast<float>(rows), least_picture);
        };
        options.tight = room_left() < ample_picture;
        room.height = room_left();
    }
    for (std::size_t at = 0; at < count; ++at) {
        const Workspace& workspace = at == 0 ? one : comparing.other(at - 1);
        const Shown* const shown = workspace.shown();
        if (shown == nullptr || (options.enlarged && *options.enlarged != at)) continue;
        const auto picture = [&](scene::ArrayView arrays) {
            return scene::passes_scene(*shown->passes, *shown->picture, *shown->analysis().provenance,
                                       {.width = room.width,
                                        .height = room.height,
                                        .arrays = arrays,
                                        .whole = beside,
                                        .position = workspace.position(),
                                        .faults = shown->faults,
                                        .legend = false});
        };
        pictures[at] = picture(scene::ArrayView::by_shape);
        // Grids that would be drawn at half their size are rows, which fit any height.
        if (room.height > 0 && pictures[at].height > 2 * room.height) pictures[at] = picture(scene::ArrayView::rows);
        multiples[at].picture = &pictures[at];
    }
    options.picture_height = room.height;
    return scene::multiples_scene(multiples, options);
}

void ComparePanel::draw_many(Context& context) {
    Comparing& comparing = shell_.comparing();
    if (enlarged_ > comparing.others()) enlarged_.reset();  // it was closed
    const Look& look = context.look;
    const SceneView::Surface surface = SceneView::surface(look);
    const float scale = look.scale();
    ManyKey key{.version = comparing.version(),
                .width = surface.room.x / scale,
                .height = surface.room.y / scale,
                .moments = {},
                .hovered = hovered_,
                .enlarged = enlarged_,
                .sentences = !shell_.shows_changes()};
    const auto add = [&](const Workspace& workspace) {
        key.moments.push_back({workspace.shown() == nullptr ? 0 : workspace.shown()->id, workspace.position()});
    };
    add(context.workspace);
    for (std::size_t other = 0; other < comparing.others(); ++other) add(comparing.other(other));
    // The state of a program that has not run changes by itself.
    const bool waits = std::ranges::any_of(key.moments, [](const Moment& each) { return each.shown == 0; });
    if (many_built_for_ != key || waits) {
        built_for_.reset();
        view_.set(many_scene_of(context.workspace, key));
        many_built_for_ = key;
    }
    const std::optional<TraceRef> found = draw_scrolled(context, surface);
    if (!found) return;
    const TraceRef under = *found;
    if (under.kind == TraceRef::Kind::heading) {
        hovered_ = under.row;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        const bool shrinks = enlarged_ == under.row;
        tip(look, shrinks ? "Click: the pictures of all programs" : "Click: its picture alone, as large as the panel");
        if (surface.clicked) enlarged_ = shrinks ? std::nullopt : std::optional<std::size_t>(under.row);
    } else if (under.kind == TraceRef::Kind::row) {
        hovered_ = under.row;
        if (under.row < 2 || enlarged_) return;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        tip(look, "Click: it becomes B, which Passes B, Warps B, Banks B and Counts show");
        if (surface.clicked) comparing.bring_forward(under.row - 1);
    } else if (under.kind == TraceRef::Kind::note && under.row > 0 && comparing.times(under.row - 1) != nullptr) {
        tip(look, comparing.times(under.row - 1)->method);
    }
}

/// Also forgets which row was under the mouse. Returns what is under it, nothing where it is elsewhere.
std::optional<TraceRef> ComparePanel::draw_scrolled(Context& context, const SceneView::Surface& surface) {
    const Look& look = context.look;
    const float scale = look.scale();
    pan_ = view_.scrolled(pan_, surface, scale);
    view_.draw(context, surface.at, surface.room, {0, pan_}, scale);
    view_.draw_scrollbar(look, surface, pan_, scale);
    hovered_.reset();
    return surface.hovered ? std::optional(view_.under_mouse()) : std::nullopt;
}

void ComparePanel::draw_waiting(Context& context) {
    note(context.look, why_not_compared(context.workspace, *shell_.comparing().other(), 'B'));
}

void ComparePanel::draw(Context& context) {
    Comparing& comparing = shell_.comparing();
    if (!comparing.running()) return;
    if (draws_many()) return draw_many(context);
    if (comparing.comparison() == nullptr) return draw_waiting(context);
    const Look& look = context.look;
    const SceneView::Surface surface = SceneView::surface(look);
    const float scale = look.scale();
    const Key key{.version = comparing.version(),
                  .width = surface.room.x / scale,
                  .current = comparing.row(context.workspace),
                  .hovered = hovered_};
    if (built_for_ != key) {
        many_built_for_.reset();
        view_.set(scene_of(key));
        built_for_ = key;
    }
    const std::optional<TraceRef> found = draw_scrolled(context, surface);
    if (!found) return;
    const TraceRef under = *found;
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
