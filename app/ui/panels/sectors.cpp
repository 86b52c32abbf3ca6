#include "ui/panels/sectors.h"

#include "analysis/panels/access_near.h"
#include "base/grouped.h"
#include "base/lane_list.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::ui {

using scene::TraceRef;

std::vector<std::string> SectorsPanel::subtitle(const Context& context) const {
    if (!picture_ || context.workspace.shown() == nullptr || !index_) return {};
    return access_subtitle(context.workspace, *index_, picture_->kind,
                           picture_->access.empty() ? picture_->array : picture_->access);
}

void SectorsPanel::find_access(const Workspace& workspace) {
    const Shown& shown = *workspace.shown();
    const AccessPlace place = access_place(workspace);
    if (found_for_ == place) return;
    if (found_for_.run != place.run)
        uses_ = analysis::launch_accesses(shown.trace(), shown.launch, trace::Space::global);
    const bool same_run = found_for_.run == place.run;
    found_for_ = place;
    const std::optional<StepId> before = picture_ && same_run ? std::optional(picture_->step) : std::nullopt;
    index_ = analysis::access_near(shown.view(), place.position, place.warp, trace::Space::global);
    picture_ = index_ ? analysis::sector_picture(shown.view(), *index_) : std::nullopt;
    if (!picture_ || before != picture_->step) {
        turns_.reset();
        first_row_ = 0;
    }
}

void SectorsPanel::turn_wheel(bool over_buttons, const scene::SectorsOptions& options) {
    const float wheel = ImGui::GetIO().MouseWheel;
    if (wheel == 0 || !picture_) return;
    const int down = wheel < 0 ? 1 : -1;
    if (over_buttons) return turns_.turn_wheel(down, picture_->requests.size());
    const auto beyond = static_cast<int>(scene::sectors_rows_beyond(*picture_, options));
    first_row_ = static_cast<std::size_t>(std::clamp(static_cast<int>(first_row_) + 2 * down, 0, beyond));
}

Needs sectors_needs() {
    return {.width = {.least = 440, .wanted = 760, .grows = 0.5F},
            .height = {.least = 190, .wanted = 260, .grows = 0.1F}};
}

Needs SectorsPanel::needs(const Workspace&) const { return sectors_needs(); }

void SectorsPanel::draw(Context& context) {
    const Look& look = context.look;
    if (context.workspace.shown() == nullptr || context.workspace.shown()->passes->passes.empty()) {
        note(look, why_empty(context.workspace, "The accesses to global memory"));
        return;
    }
    find_access(context.workspace);
    if (picture_) turns_.play(picture_->requests.size());

    const SceneView::Surface surface = SceneView::surface(look);
    const auto& [at, room, clicked, hovered] = surface;
    scene::SectorsOptions options{.width = room.x / look.scale(), .height = room.y / look.scale(), .request = {}};
    if (hovered) turn_wheel(view_.under_mouse().kind == TraceRef::Kind::wavefront, options);
    const Key key{picture_ ? picture_->step : StepId{},
                  context.workspace.shown()->id,
                  room.x,
                  room.y,
                  turns_.shown(),
                  first_row_};
    if (built_for_ != key) {
        built_for_ = key;
        options.request = turns_.shown();
        options.first_row = first_row_;
        view_.set(picture_ ? scene::sectors_scene(*picture_, options) : scene::no_sectors_scene(options, !uses_));
    }
    view_.draw(context, at, room, {0, 0}, look.scale());
    if (!hovered || !picture_) return;
    view_.explain_words(look);
    const TraceRef under = view_.under_mouse();
    explain(context, under);
    if (!clicked) return;
    if (under.kind == TraceRef::Kind::wavefront) turns_.click(under);
    if (under.kind == TraceRef::Kind::bank) turns_.click({.kind = TraceRef::Kind::wavefront, .column = under.column});
    if (under.kind == TraceRef::Kind::lane && index_)
        context.workspace.choose(context.workspace.shown()->view().step_at(*index_).warp, under.column);
}

void SectorsPanel::explain(Context& context, const TraceRef& under) const {
    const Look& look = context.look;
    const analysis::SectorPicture& picture = *picture_;
    const std::string_view used = picture.kind == trace::EffectKind::store ? "written" : "used";
    if (under.kind == TraceRef::Kind::lane && under.row < picture.pieces.size()) {
        const analysis::SectorPiece& piece = picture.pieces[under.row];
        std::string text = fmt::format("{}: {} at {}, byte {} of its cache line.\nAccessed by {} {}.", piece.name,
                                       counted(picture.bytes, "byte"), address_text(piece.address),
                                       piece.address % analysis::cache_line_bytes, noun(piece.lanes.count(), "lane"),
                                       lane_list(piece.lanes));
        if (picture.atomic()) {
            const unsigned turn = (piece.lanes & LaneMask::first(under.column)).count() + 1;
            text +=
                fmt::format("\nLane {} has turn {} of {} at this address.", under.column, turn, piece.lanes.count());
        }
        tip(look, text + fmt::format("\nClick to follow lane {}.", under.column));
    }
    if (under.kind == TraceRef::Kind::bank && under.column < picture.requests.size()) {
        const std::uint64_t sector = picture.requests[under.column].sector;
        tip(look,
            fmt::format(
                "Sector {} of {}: bytes {} to {} of the cache line at {}.\n{} of {} are {}.\nClick "
                "to see its lanes.",
                under.column + 1, picture.requests.size(), sector * model::sector_bytes % analysis::cache_line_bytes,
                sector * model::sector_bytes % analysis::cache_line_bytes + model::sector_bytes - 1,
                address_text(sector * model::sector_bytes / analysis::cache_line_bytes * analysis::cache_line_bytes),
                picture.used_bytes_of(sector), counted(model::sector_bytes, "byte"), used));
    }
    if (under.kind == TraceRef::Kind::heading && !picture.atomic())
        tip(look, "The access skips the memory between these rows.");
    if (under.kind == TraceRef::Kind::wavefront && under.span == 0)
        tip(look, "All at once; click again to play the sectors one after the other.");
    if (under.kind == TraceRef::Kind::wavefront && under.span > 0 && under.column < picture.requests.size()) {
        const LaneMask lanes = picture.requests[under.column].lanes;
        tip(look, fmt::format("Sector {} of {} serves {} {}.\nThe wheel moves to the next.", under.column + 1,
                              picture.requests.size(), noun(lanes.count(), "lane"), lane_list(lanes)));
    }
    if (under.kind == TraceRef::Kind::step) tip(look, scene::sector_sentence(picture) + ".");
}

}  // namespace lanescope::ui
