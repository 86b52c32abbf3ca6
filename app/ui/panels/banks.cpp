#include "ui/panels/banks.h"

#include "base/grouped.h"
#include "base/lane_list.h"
#include "model/device_limits.h"
#include "ui/panels/sectors.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::ui {

using scene::TraceRef;

namespace {

/// The word of the selected cell, if it lies in the block's shared memory.
std::optional<std::uint64_t> selected_word(const Workspace& workspace) {
    const auto& selection = workspace.selection();
    if (!selection) return std::nullopt;
    const analysis::Picture& picture = *workspace.shown()->picture;
    const analysis::ColumnGroup& group = picture.group_of(selection->column);
    if (group.lanes || group.space != trace::Space::shared) return std::nullopt;
    return picture.rows[selection->row].cells[selection->column].address / model::bank_bytes;
}

}  // namespace

std::vector<std::string> BanksPanel::subtitle(const Context& context) const {
    if (!access_.picture() || context.workspace.shown() == nullptr) return {};
    if (whole_pass_) {
        return {fmt::format("{} of the pass", counted(heat_.rows.size(), "access"))};
    }
    return access_.subtitle(context.workspace);
}

// Few rows of shared memory are drawn higher than many.
Needs BanksPanel::needs(const Workspace& workspace) const {
    constexpr float around = 50 + 62 + 56, least_around = 50 + 48 + 48;  // title, bars and numbers; the foot
    constexpr float high_row = 40, usual_row = 20, low_row = 11, high_rows = 3;
    constexpr std::uint64_t most_rows = 14;
    const Shown* const shown = workspace.shown();
    if (shown == nullptr) return {};
    const std::uint64_t bytes = shown->trace().launches[shown->launch].shared_bytes();
    if (bytes == 0) return sectors_needs();  // Sectors is in front in its place
    const std::uint64_t row_bytes = std::uint64_t{model::usual_banks} * model::bank_bytes;
    const auto rows = static_cast<float>(std::min((bytes + row_bytes - 1) / row_bytes, most_rows));
    const float wanted = std::max(rows * usual_row, std::min(rows, high_rows) * high_row);
    return {.width = {.least = 440, .wanted = 62 + 24.0F * static_cast<float>(model::usual_banks), .grows = 0.5F},
            .height = {.least = least_around + rows * low_row, .wanted = around + wanted, .grows = 0.1F}};
}

double BanksPanel::seconds_until_redraw() const { return access_.turns.playing() ? 0.05 : 0; }

float BanksPanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    constexpr float control = 22;
    const float width = segmented_width(look, {"access", "pass"}, type::small);
    ImGui::SetCursorScreenPos({right - width, top + (height - look.px(control)) * 0.5F});
    if (const auto chosen = segmented(look, "##what", {"access", "pass"}, whole_pass_ ? 1 : 0, control, type::small)) {
        whole_pass_ = *chosen == 1;
    }
    return right - width - look.px(gap);
}

void BanksPanel::draw(Context& context) {
    const Look& look = context.look;
    if (context.workspace.shown() == nullptr || context.workspace.shown()->passes->passes.empty()) {
        note(look, why_empty(context.workspace, "The accesses to shared memory"));
        return;
    }
    access_.follow(context.workspace, analysis::named_bank_picture);
    const SceneView::Surface surface = SceneView::surface(look);
    if (whole_pass_) {
        draw_pass(context, surface);
    } else {
        draw_access(context, surface);
    }
}

void BanksPanel::find_heat(const Workspace& workspace) {
    const Shown& shown = *workspace.shown();
    if (heat_for_ == shown.id && heat_pass_ == workspace.pass()) return;
    heat_for_ = shown.id;
    heat_pass_ = workspace.pass();
    heat_ = analysis::bank_heat(shown.view(), shown.passes->passes[heat_pass_].id, std::nullopt);
    pan_ = 0;
}

void BanksPanel::draw_pass(Context& context, const SceneView::Surface& surface) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    find_heat(workspace);
    const auto& [at, room, clicked, hovered] = surface;
    const Key key{.access = {.step = access_.step(), .shown = workspace.shown()->id, .width = room.x, .height = room.y},
                  .whole_pass = true,
                  .pass = workspace.pass()};
    if (built_for_ != key) {
        built_for_ = key;
        const float width = room.x / look.scale(), height = room.y / look.scale();
        const auto chosen = access_.index() ? heat_.row_of(*access_.index()) : std::nullopt;
        const bool in_launch = access_.none() == scene::NoAccess::in_launch;
        view_.set(heat_.rows.empty()
                      ? scene::no_access_scene(trace::Space::shared, {.width = width, .height = height},
                                               in_launch ? scene::NoAccess::in_launch : scene::NoAccess::in_pass)
                      : scene::bank_heat_scene(heat_, {.width = width, .height = height, .chosen = chosen}));
    }
    pan_ = view_.scrolled(pan_, surface, look.scale());
    view_.draw(context, at, room, {0, pan_}, look.scale());
    view_.draw_scrollbar(look, surface, pan_, look.scale());
    if (!hovered) return;
    view_.explain_words(look);
    const TraceRef under = view_.under_mouse();
    if ((under.kind != TraceRef::Kind::bank && under.kind != TraceRef::Kind::row) || under.row >= heat_.rows.size())
        return;
    const analysis::BankHeatRow& row = heat_.rows[under.row];
    std::string text = fmt::format("The {} of line {} by warp {} takes {}.", name_of_access(row.kind), row.source_line,
                                   row.warp.value, counted(row.wavefronts, "wavefront"));
    if (under.kind == TraceRef::Kind::bank) {
        text += fmt::format("\nBank {} serves {}.", under.column,
                            counted(row.degree[under.column], row.by_word ? "word" : "lane"));
    }
    tip(look, text + "\nClick to see the access.");
    if (!clicked) return;
    workspace.choose(row.warp, std::nullopt);
    workspace.seek_exactly(row.step);
    whole_pass_ = false;
}

void BanksPanel::draw_access(Context& context, const SceneView::Surface& surface) {
    const Look& look = context.look;
    access_.play();
    const auto& [at, room, clicked, hovered] = surface;
    const std::optional<analysis::BankPicture>& picture = access_.picture();
    if (hovered && picture && ImGui::GetIO().MouseWheel != 0)
        access_.turn_wheel(view_.under_mouse().kind == TraceRef::Kind::wavefront,
                           scene::banks_rows_beyond(*picture, access_.options(look, room)));
    const Key key{.access = access_.key(context.workspace, room), .selected = selected_word(context.workspace)};
    if (built_for_ != key) {
        built_for_ = key;
        scene::AccessOptions options = access_.options(look, room);
        options.selected = key.selected;
        view_.set(picture ? scene::banks_scene(*picture, options)
                          : scene::no_access_scene(trace::Space::shared, options, access_.none()));
    }
    view_.draw(context, at, room, {0, 0}, look.scale());
    if (!hovered || !picture) return;
    view_.explain_words(look);
    const TraceRef under = view_.under_mouse();
    if (clicked && under.kind == TraceRef::Kind::wavefront) access_.turns.click(under);
    if (under.kind == TraceRef::Kind::lane && under.row < picture->words.size()) {
        const analysis::BankWord& word = picture->words[under.row];
        const bool meet = !picture->by_word && word.lanes.count() > 1;
        tip(look, fmt::format("Word {} (byte {}) is in bank {} mod {} = {}.\nRequested by {} {}; served {} wavefront "
                              "{}.\nThe bank serves {}.",
                              word.word, address_text(word.word * model::bank_bytes), word.word, picture->banks,
                              word.bank, noun(word.lanes.count(), "lane"), lane_list(word.lanes),
                              meet ? "one after the other, from" : "in", word.wavefront + 1,
                              counted(picture->degree[word.bank], picture->by_word ? "word" : "lane")));
    }
    access_.explain(look, under, "wavefront");
    if (under.kind == TraceRef::Kind::step) tip(look, scene::bank_sentence(*picture) + ".");
}

}  // namespace lanescope::ui
