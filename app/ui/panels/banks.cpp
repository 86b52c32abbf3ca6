#include "ui/panels/banks.h"

#include "base/lane_list.h"
#include "scene/banks_scene.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

namespace lanescope::ui {

using scene::Role;
using scene::TraceRef;

namespace {

constexpr double seconds_a_wavefront = 0.6;

const char* name_of(trace::EffectKind kind) {
    switch (kind) {
        case trace::EffectKind::load: return "load";
        case trace::EffectKind::store: return "store";
        default: return "atomic";
    }
}

}  // namespace

std::string BanksPanel::subtitle(const Context& context) const {
    if (!picture_ || context.model.shown() == nullptr || !index_) return {};
    const Shown& shown = *context.model.shown();
    const trace::Step& step = shown.trace().step(picture_->step);
    const std::uint32_t line = shown.map->cuda_line(step.line);
    std::string text = name_of(picture_->kind);
    if (!picture_->array.empty()) text += " of " + picture_->array;
    if (line != 0) text += fmt::format(", line {}", line);
    return text + fmt::format(", warp {}", step.warp.value);
}

void BanksPanel::find_access(const Model& model) {
    const Shown& shown = *model.shown();
    if (found_for_ == shown.id && found_at_ == model.position()) return;
    found_for_ = shown.id;
    found_at_ = model.position();
    const std::optional<StepId> before = picture_ ? std::optional(picture_->step) : std::nullopt;
    index_ = analysis::shared_access_near(shown.trace(), *shown.passes, model.position(), model.at().followed());
    picture_.reset();
    if (index_) {
        picture_ = analysis::bank_picture(shown.trace(), *shown.analysis().provenance, shown.passes->steps[*index_]);
    }
    if (!picture_ || before != picture_->step) {
        wavefront_.reset();
        playing_ = false;
    }
}

double BanksPanel::restless() const { return playing_ ? 0.05 : 0; }

void BanksPanel::draw(Context& context) {
    const Look& look = context.look;
    if (context.model.shown() == nullptr) {
        ImGui::SetCursorPos({look.px(card_padding), ImGui::GetCursorPosY() + look.px(card_padding)});
        ImGui::TextColored(look.color4(Role::soft), "Nothing has run yet.");
        return;
    }
    find_access(context.model);
    if (playing_ && picture_ && ImGui::GetTime() - since_ > seconds_a_wavefront) {
        since_ = ImGui::GetTime();
        const unsigned next = wavefront_.value_or(0) + 1;
        if (next < picture_->wavefronts.size()) {
            wavefront_ = next;
        } else {
            playing_ = false;
        }
    }

    const auto [at, room, clicked, hovered] = SceneView::surface(look);

    const Key key{picture_ ? picture_->step : StepId{}, context.model.shown()->id, room.x, room.y, wavefront_};
    if (built_for_ != key) {
        built_for_ = key;
        const scene::BanksOptions options{
            .width = room.x / look.scale(), .height = room.y / look.scale(), .wavefront = wavefront_, .scale = 1};
        view_.set(picture_ ? scene::banks_scene(*picture_, options) : scene::no_banks_scene(options));
    }
    view_.draw(context, at, room, {0, 0}, look.scale());
    if (!hovered || !picture_) return;
    const TraceRef under = view_.under_mouse();
    if (clicked && under.kind == TraceRef::Kind::wavefront) {
        // "all" plays them one after the other when it is shown already.
        const bool all = under.span == 0;
        playing_ = all && !wavefront_;
        since_ = ImGui::GetTime();
        wavefront_ = all ? std::nullopt : std::optional(under.column);
        if (playing_) wavefront_ = 0;
    }
    if (under.kind == TraceRef::Kind::lane && under.row < picture_->words.size()) {
        const analysis::BankWord& word = picture_->words[under.row];
        tip(look, fmt::format("Word {} (byte {:#x}) lies in bank {} mod {} = {}.\nWanted by {} {}; served in wavefront "
                              "{}.\nThe bank has {} to serve.",
                              word.word, word.word * 4, word.word, picture_->banks, word.bank,
                              word.lanes.count() == 1 ? "lane" : "lanes", lane_list(word.lanes), word.wavefront + 1,
                              picture_->degree[word.bank]));
    }
    if (under.kind == TraceRef::Kind::wavefront && under.span == 0) {
        tip(look, "All at once; click again to play the wavefronts one after the other.");
    }
}

}  // namespace lanescope::ui
