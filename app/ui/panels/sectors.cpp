#include "ui/panels/sectors.h"

#include "base/grouped.h"
#include "base/lane_list.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

namespace lanescope::ui {

using scene::TraceRef;

std::vector<std::string> SectorsPanel::subtitle(const Context& context) const {
    if (!access_.picture() || context.workspace.shown() == nullptr) return {};
    return access_.subtitle(context.workspace);
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
    access_.follow(context.workspace, analysis::sector_picture);
    access_.play();

    const SceneView::Surface surface = SceneView::surface(look);
    const auto& [at, room, clicked, hovered] = surface;
    const std::optional<analysis::SectorPicture>& picture = access_.picture();
    if (hovered && picture && ImGui::GetIO().MouseWheel != 0)
        access_.turn_wheel(view_.under_mouse().kind == TraceRef::Kind::wavefront,
                           scene::sectors_rows_beyond(*picture, access_.options(look, room)));
    if (const AccessKey key = access_.key(context.workspace, room); built_for_ != key) {
        built_for_ = key;
        const scene::AccessOptions options = access_.options(look, room);
        view_.set(picture ? scene::sectors_scene(*picture, options)
                          : scene::no_access_scene(trace::Space::global, options, access_.none()));
    }
    view_.draw(context, at, room, {0, 0}, look.scale());
    if (!hovered || !picture) return;
    view_.explain_words(look);
    const TraceRef under = view_.under_mouse();
    explain(context, under);
    if (!clicked) return;
    if (under.kind == TraceRef::Kind::wavefront) access_.turns.click(under);
    if (under.kind == TraceRef::Kind::bank)
        access_.turns.click({.kind = TraceRef::Kind::wavefront, .column = under.column});
    if (under.kind == TraceRef::Kind::lane)
        context.workspace.choose(context.workspace.shown()->view().step_at(*access_.index()).warp, under.column);
}

void SectorsPanel::explain(Context& context, const TraceRef& under) const {
    const Look& look = context.look;
    const analysis::SectorPicture& picture = *access_.picture();
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
    access_.explain(look, under, "sector");
    if (under.kind == TraceRef::Kind::step) tip(look, scene::sector_sentence(picture) + ".");
}

}  // namespace lanescope::ui
