#include "ui/panels/theory.h"

#include "base/grouped.h"
#include "base/newest_asked.h"
#include "scene/labels.h"
#include "scene/theory_scene.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::ui {

namespace {

constexpr double seconds_between_looks = 0.1;
constexpr float reach = 12;  // points from the mouse to a point of a plot

}  // namespace

struct TheoryPanel::Work {
    NewestAsked<session::WorkBySize, analysis::WorkAtSize> asked{
        [](const session::WorkBySize& sizes, Progress& progress, const auto& give) {
            session::measure_work(sizes, progress, give);
        }};
};

TheoryPanel::TheoryPanel() : work_(std::make_unique<Work>()) {}

TheoryPanel::~TheoryPanel() = default;

bool TheoryPanel::measuring() const { return work_->asked.is_pending(); }

void TheoryPanel::cancel() {
    work_->asked.cancel();
    cancelled_ = true;
}

double TheoryPanel::seconds_until_redraw() const { return measuring() ? seconds_between_looks : 0; }

std::string TheoryPanel::doing() const {
    if (!work_->asked.busy()) return {};
    const std::string size = work_->asked.doing();
    return size.empty() ? "the first size" : size;
}

std::vector<std::string> TheoryPanel::subtitle(const Context& context) const {
    if (context.workspace.shown() == nullptr || run_ == nullptr) return {};
    const std::string numbers = fmt::format("W = {}, t = {}", grouped(picture_.work), grouped(picture_.span));
    if (picture_.launches.size() < 2) return {numbers};
    return {fmt::format("{}, {}", numbers, counted(picture_.launches.size(), "launch")), numbers};
}

float TheoryPanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    if (run_ == nullptr || context.workspace.shown() == nullptr) return right;
    const bool busy = work_->asked.busy();
    if (!busy && !cancelled_) return right;
    const ButtonLook how{.quiet = true, .height = 24};
    const char* const words = busy ? "Cancel" : "Measure";
    const ImVec2 size = button_size(look, words, Icon::none, Icon::none, how);
    ImGui::SetCursorScreenPos({right - size.x, top + (height - size.y) * 0.5F});
    if (button(look, "##work", words, Icon::none, Icon::none, how)) {
        if (busy) {
            cancel();
        } else {
            asked_.clear();
        }
    }
    tip(look, busy ? fmt::format("Stop measuring the work at other sizes ({:.0f} % done)",
                                 100 * std::max(work_->asked.share(), 0.0F))
                   : "Measure the work at other sizes");
    return right - size.x - look.px(gap);
}

void TheoryPanel::take(const Workspace& workspace) {
    const Shown& shown = *workspace.shown();
    if (run_ == shown.run && launch_ == shown.launch) return;
    run_ = shown.run;
    launch_ = shown.launch;
    picture_ = session::theory_of(*run_, launch_);
    sizes_ = session::work_by_size(*run_);
    built_for_.reset();
}

void TheoryPanel::measure() {
    picture_.work_note = sizes_.note;
    if (const std::string identity = sizes_.identity(); identity != asked_) {
        asked_ = identity;
        measured_.clear();
        cancelled_ = false;
        if (sizes_.sizes.empty()) {
            work_->asked.cancel();
        } else {
            work_->asked.ask(sizes_);
        }
    }
    if (cancelled_) picture_.work_note += " Cancelled: not all sizes were measured.";
}

void TheoryPanel::collect() {
    for (const analysis::WorkAtSize& at : work_->asked.take()) measured_.push_back(at);
    picture_.work_by_size = measured_;
}

void TheoryPanel::draw(Context& context) {
    const Look& look = context.look;
    const Workspace& workspace = context.workspace;
    if (workspace.shown() == nullptr) {
        run_ = nullptr;
        note(look, why_empty(workspace, "Work, span and cost of the run"));
        return;
    }
    take(workspace);
    // A program whose first launch is shown while it runs is measured once it has ended.
    if (!run_->trace().running) measure();
    collect();
    const SceneView::Surface surface = SceneView::surface(look);
    const float scale = look.scale();
    Key key{run_.get(), launch_, surface.room.x / scale, measured_.size(), doing()};
    key.measuring += cancelled_ ? "cancelled" : "";
    if (built_for_ != key) {
        view_.set(scene::theory_scene(picture_, {.width = key.width, .measuring = doing()}));
        built_for_ = key;
    }
    top_ = view_.scrolled(top_, surface, scale);
    view_.draw(context, surface.at, surface.room, {0, top_}, scale);
    view_.draw_scrollbar(look, surface, top_, scale);
    if (!surface.hovered) return;
    const ImVec2 mouse = view_.mouse();
    const scene::TraceRef under = scene::nearest(view_.scene(), scene::TraceRef::Kind::point, mouse.x, mouse.y, reach);
    if (under.kind == scene::TraceRef::Kind::point) return explain_point(look, under);
    view_.explain_words(look);
}

void TheoryPanel::explain_point(const Look& look, const scene::TraceRef& under) const {
    const bool second = under.row >= scene::first_work_series;
    const scene::XyPlot plot = second ? scene::work_plot(picture_, {}) : scene::brent_plot(picture_);
    const std::size_t series = under.row - (second ? scene::first_work_series : 0);
    if (series >= plot.series.size() || under.column >= plot.series[series].points.size()) return;
    const scene::PlotPoint& point = plot.series[series].points[under.column];
    fact_sheet(look, {{plot.series[series].name, ""},
                      {second ? "N" : "processors p", scene::number_text(point.x)},
                      {second ? "operations" : "steps", scene::number_text(point.y)}});
}

}  // namespace lanescope::ui
