#include "ui/panels/timing.h"

#include "analysis/passes/passes.h"
#include "base/grouped.h"
#include "session/algorithm_counts.h"
#include "session/catalog.h"
#include "ui/widgets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace lanescope::ui {

using scene::Font;
using scene::PlotPoint;
using scene::PlotSeries;
using scene::Role;
using scene::TimingChart;
using timing::Point;

namespace {

constexpr float least_picture = 700;  // points wide
constexpr float table_wide = 860, table_high = 505, largest_zoom = 1.7F;
constexpr float least_legend = 150, count_row = 19;
constexpr float most_legend = 0.42F;  // of the panel's width
constexpr float least_plot_width = 240, least_chart_height = 150;
constexpr std::uint32_t usual_block = 256;
constexpr std::uint64_t most_opened = std::uint64_t{1} << 16U;  // elements: sixteen blocks are recorded of any number

std::string grouped_number(std::uint64_t value) { return grouped(std::to_string(value), ","); }

/// What the result was held against.
std::string result_text(const Point& point) {
    if (!point.agrees) return "differs from what it should be";
    if (point.check == "emulator") return "the emulator's, bit for bit";
    return point.check == "rounding" ? "the CPU's, within rounding" : "the CPU's, bit for bit";
}

bool in_catalog(const std::string& kernel) {
    return std::ranges::find(session::catalog(), kernel, &session::Program::name) != session::catalog().end();
}

/// The template's instance of the type that was timed; empty where that is the program's own.
std::string instance_of(const Point& point) {
    const auto program = std::ranges::find(session::catalog(), point.kernel, &session::Program::name);
    constexpr std::array<std::string_view, 2> types{"int", "float"};
    if (program == session::catalog().end() || std::ranges::find(types, point.element) == types.end()) return {};
    std::vector<std::string> arguments = program->template_arguments;
    for (std::string& argument : arguments)
        if (std::ranges::find(types, argument) != types.end()) argument = point.element;
    return arguments == program->template_arguments
               ? std::string()
               : fmt::format("{}<{}>", program->kernel, fmt::join(arguments, ", "));
}

}  // namespace

std::vector<std::string> TimingPanel::subtitle(const Context&) const {
    if (!timings_.chosen()) return {};
    return {timings_.recording().device};
}

std::string TimingPanel::csv(const Workspace&) const {
    return timings_.chosen() ? scene::timing_csv(subject(), view_) : std::string();
}

const scene::Scene* TimingPanel::drawn() const {
    if (!timings_.chosen()) return nullptr;
    if (!scene_) {
        const float width = std::max(width_, least_picture);
        scene_ = scene::timing_scene(subject(), view_, {.width = width, .height = width * 0.5F});
    }
    return &*scene_;
}

scene::Scene TimingPanel::whole_picture(const Workspace&) const {
    if (!timings_.chosen() || !scene::is_plot(view_.chart) || !plot_.lacks.empty()) return *drawn();
    const float width = std::max(width_, least_picture);
    return scene::plot_scene(subject(), view_, {.width = width, .height = width * 0.5F}, plots_.as_seen(plot_));
}

// The kernel in the window is the one that stands out, and with it its family comes.
void TimingPanel::follow(Workspace& workspace) {
    if (workspace.shown() == nullptr) return;
    const std::string& name = workspace.shown()->run->program.name;
    if (name == view_.current) return;
    view_.current = name;
    const std::string family(scene::family_of(name));
    const std::vector<std::string> measured = scene::families(timings_.recording());
    if (std::ranges::find(measured, family) != measured.end()) view_.family = family;
}

void TimingPanel::arrive(Workspace& workspace) {
    const Shown* shown = workspace.shown();
    if (!awaited_ || workspace.busy() || shown == nullptr) return;
    if (shown->run->program.name == awaited_->program && shown->run->block == awaited_->block) {
        if (const auto worst = analysis::costliest_pass(*shown->passes)) workspace.seek_pass(*worst);
    }
    awaited_.reset();
}

scene::TimingSubject TimingPanel::subject() const {
    scene::TimingSubject subject = timings_.subject();
    subject.estimates = &estimator_.estimates();
    return subject;
}

void TimingPanel::estimate(const Workspace& workspace) {
    // A recording that grows is no basis yet: each point would make another model.
    if (workspace.shown() != nullptr && !workspace.of_trace() && !timings_.measuring()) {
        const session::Run& run = *workspace.shown()->run;
        const std::uint32_t charted = setting_ ? setting_->block : usual_block;
        estimator_.follow(run.request, session::block_to_estimate(run.program, charted), timings_.recording(),
                          timings_.version());
    }
    if (estimator_.poll()) {
        built_for_.reset();
        scene_.reset();
    }
}

void TimingPanel::rebuild() {
    if (built_for_ == view_ && built_version_ == timings_.version()) return;
    // Another kernel in the window leaves the axes as a person has set them.
    scene::TimingView framed = view_;
    framed.current.clear();
    if (framed_for_ != framed || built_version_ != timings_.version()) ++plots_built_;
    framed_for_ = framed;
    // Points have the same numbers while their recording grows, but not in another one, which a measurement brings,
    // too.
    if (built_chosen_ != timings_.chosen() || (built_version_ != timings_.version() && !timings_.measuring())) {
        selected_.reset();
        difference_.reset();
        pins_.clear();
    }
    built_for_ = view_;
    built_version_ = timings_.version();
    built_chosen_ = timings_.chosen();
    scene_.reset();
    setting_ = scene::setting_of(timings_.recording(), view_);
    if (scene::is_plot(view_.chart)) plot_ = scene::timing_plot(subject(), view_);
}

void TimingPanel::select(Workspace& workspace, std::size_t point) {
    const timing::Recording& recording = timings_.recording();
    const Point& at = recording.points[point];
    selected_ = point;
    std::vector<std::string> order;
    for (const scene::Variant& variant : subject().variants) {
        if (scene::family_of(variant.kernel) == scene::family_of(at.kernel)) order.push_back(variant.kernel);
    }
    const auto before = timing::neighbour_of(recording, point, order);
    difference_.reset();
    if (before) difference_ = timing::difference(recording, *before, point);
    if (!in_catalog(at.kernel)) return;
    // What was timed is what the hardware runs, and of that type where the type is the template's.
    workspace.open(at.kernel, instance_of(at));
    workspace.set_field(Field::view, "compiled");
    workspace.set_field(Field::block, std::to_string(at.block));
    workspace.set_field(Field::n, std::to_string(std::min(at.n, most_opened)));
    awaited_ = Awaited{.program = at.kernel, .block = at.block};
}

void TimingPanel::pin(std::size_t point) {
    const auto found = std::ranges::find(pins_, point, &scene::PlotPin::source);
    if (found != pins_.end()) {
        pins_.erase(found);
        return;
    }
    const Point& at = timings_.recording().points[point];
    pins_.push_back({.source = point,
                     .text = fmt::format("{}: {}, {:.0f} GB/s", scene::short_name(subject(), at.kernel),
                                         time_text(at.time.median), at.bandwidth())});
}

void TimingPanel::draw(Context& context) {
    const Look& look = context.look;
    follow(context.workspace);
    arrive(context.workspace);
    if (!timings_.chosen()) {
        note(look, "There is no recording. `lanescope time --out FILE.json` makes one on a machine with a GPU.");
        return;
    }
    rebuild();
    estimate(context.workspace);
    const float pad = look.px(card_padding), edge = look.px(2);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), rest = ImGui::GetContentRegionAvail();
    const float width = std::max(rest.x - 2 * pad, 1.0F), bottom = corner.y + rest.y - edge;
    width_ = rest.x / look.scale();
    float y = corner.y + look.px(8);
    ImGui::SetCursorScreenPos({corner.x + pad, y});
    draw_controls(context, width);
    y += look.px(control + 4);
    ImGui::SetCursorScreenPos({corner.x + pad, y});
    draw_settings(context, width);
    y += look.px(control + 4);
    if (timings_.measuring() || timings_.problem()) {
        ImGui::SetCursorScreenPos({corner.x + pad, y});
        draw_state(context, width);
        y += look.px(state_row + 4);
    }
    float chart = bottom - y;
    const float told = difference_ ? look.px(count_row) * static_cast<float>(2 + (difference_->counts.empty() ? 0 : 1) +
                                                                             difference_->counts.size()) +
                                         look.px(16)
                                   : 0;
    const bool tells = told > 0 && chart - told > look.px(least_chart_height);
    if (tells) chart -= told;
    if (chart < look.px(40)) return;
    ImGui::SetCursorScreenPos({corner.x + edge, y});
    draw_chart(context, {rest.x - 2 * edge, chart});
    if (tells) {
        ImGui::SetCursorScreenPos({corner.x + pad, y + chart});
        draw_difference(look, {width, told});
    }
}

void TimingPanel::draw_chart(Context& context, ImVec2 size) {
    ImGui::BeginChild("chart", size, ImGuiChildFlags_None,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    if (scene::is_plot(view_.chart)) {
        draw_plot(context, size);
    } else {
        draw_table(context, size);
    }
    ImGui::EndChild();
}

void TimingPanel::draw_plot(Context& context, ImVec2 size) {
    const Look& look = context.look;
    const float pad = look.px(card_padding - 2);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImVec2 at(corner.x + pad, corner.y + look.px(4));
    ImVec2 room(size.x - 2 * pad, size.y - look.px(8));
    if (!plot_.lacks.empty()) {
        look.text(ImGui::GetWindowDrawList(), Font::words, type::body, at, look.color(Role::soft),
                  elided(look, Font::words, type::body, plot_.lacks, room.x));
        return;
    }
    if (room.x > look.px(least_plot_width + least_legend)) {
        const float em = std::max(XyPlots::em_for(room.x / look.scale()), type::small);
        const float legend = XyPlots::legend_width(look, plot_, em, look.px(least_legend), room.x * most_legend);
        room.x -= legend + look.px(gap);
        const auto clicked = XyPlots::legend(look, plot_, em, {at.x + room.x + look.px(gap), at.y + look.px(14)},
                                             {legend, room.y - look.px(18)});
        if (clicked) {
            const auto series = std::ranges::find(plot_.series, *clicked, &PlotSeries::id);
            const auto rule = std::ranges::find(plot_.rules, *clicked, &scene::PlotRule::id);
            view_.shown[*clicked] = series != plot_.series.end() ? !series->shown : !rule->shown;
        }
    }
    plot_.pins = pins_;
    plot_.selected = selected_;
    ImGui::SetCursorScreenPos(at);
    const auto answer = plots_.draw(look, plot_, std::to_string(plots_built_), at, room);
    if (!answer.under) return;
    const PlotSeries& series = plot_.series[answer.under->series];
    const PlotPoint& point = series.points[answer.under->point];
    tell(look, series, point);
    if (!answer.clicked || point.source == PlotPoint::no_source) return;
    if (ImGui::GetIO().KeyShift || ImGui::GetIO().KeyCtrl) {
        pin(point.source);
    } else {
        select(context.workspace, point.source);
    }
}

void TimingPanel::draw_table(Context& context, ImVec2 size) {
    const Look& look = context.look;
    const SceneView::Surface surface = SceneView::surface(look);
    // Where there is room for more, it is for the back row.
    const float zoom =
        std::clamp(std::min(size.x / look.px(table_wide), size.y / look.px(table_high)), 1.0F, largest_zoom);
    const float scale = look.scale() * zoom, width = size.x / scale;
    if (table_width_ != width || table_height_ != size.y || table_for_ != view_ ||
        table_version_ != timings_.version()) {
        table_width_ = width;
        table_height_ = size.y;
        table_for_ = view_;
        table_version_ = timings_.version();
        table_.set(scene::timing_scene(subject(), view_, {.width = width, .height = size.y / scale, .heading = false}));
    }
    table_pan_ = table_.scrolled(table_pan_, surface, scale);
    table_.draw(context, surface.at, surface.room, {0, table_pan_}, scale);
    table_.draw_scrollbar(look, surface, table_pan_, scale);
    if (!surface.hovered || view_.chart != TimingChart::steps) return;
    const scene::TraceRef under = table_.under_mouse();
    if (under.kind != scene::TraceRef::Kind::row || under.row >= timing::lecture_stages.size()) return;
    const auto setting = scene::steps_setting(timings_.recording(), view_);
    const std::string_view kernel = timing::lecture_stages[under.row].kernel;
    const auto point = setting ? timing::point_of(timings_.recording(), kernel, *setting) : std::nullopt;
    if (!point) return;
    tell(look, {.id = std::string(kernel), .name = scene::short_name(subject(), kernel)}, {.source = *point});
    if (surface.clicked) select(context.workspace, *point);
}

void TimingPanel::tell(const Look& look, const PlotSeries& series, const PlotPoint& point) const {
    const timing::Recording& recording = timings_.recording();
    Facts facts{{series.name, ""}};
    if (point.source == PlotPoint::no_source) {
        facts.emplace_back(plot_.x.title, plot_.x.text(point.x));
        facts.emplace_back(plot_.y.title, plot_.y.text(point.y));
        if (!series.tells.empty()) facts.emplace_back("estimated", "not measured: see its name in the legend");
        fact_sheet(look, facts);
        return;
    }
    const Point& at = recording.points[point.source];
    facts.emplace_back("measured on", recording.device);
    facts.emplace_back("elements", fmt::format("{} of {}", grouped_number(at.n), at.element));
    facts.emplace_back("blocks", at.grid == 0 ? fmt::format("of {} threads", at.block)
                                              : fmt::format("{} of {} threads", grouped_number(at.grid), at.block));
    if (at.launches > 0)
        facts.emplace_back("launches", fmt::format("{}{}", at.launches, at.until_one ? ", until one is left" : ""));
    facts.emplace_back("time, median", time_text(at.time.median));
    if (at.time.samples > 0) {
        facts.emplace_back("10 % to 90 %", fmt::format("{} to {}", time_text(at.time.p10), time_text(at.time.p90)));
        facts.emplace_back("fastest", fmt::format("{} of {} runs", time_text(at.time.least), at.time.samples));
    }
    if (at.overhead > 0 && at.launches > 0)
        facts.emplace_back("launch overhead", fmt::format("{} x {}", at.launches, time_text(at.overhead)));
    if (scene::of_library(at.kernel) && !recording.library.empty()) facts.emplace_back("version", recording.library);
    if (!at.check.empty() && at.time.samples > 0) facts.emplace_back("result", result_text(at));
    facts.emplace_back("effective bandwidth", fmt::format("{:.1f} GB/s", at.bandwidth()));
    if (recording.peak > 0)
        facts.emplace_back("of the theoretical peak", fmt::format("{:.0f} %", 100 * at.bandwidth() / recording.peak));
    if (at.counts) {
        facts.emplace_back("instructions issued", grouped_number(at.counts->instructions));
        facts.emplace_back("shared wavefronts", grouped_number(at.counts->wavefronts));
        facts.emplace_back("sectors", grouped_number(at.counts->sectors));
    }
    facts.emplace_back("click", in_catalog(at.kernel) ? "opens it where it loses its time" : "compares it");
    if (scene::is_plot(view_.chart)) facts.emplace_back("shift + click", "pins its numbers");
    fact_sheet(look, facts);
}

void TimingPanel::draw_difference(const Look& look, ImVec2 size) const {
    const timing::Recording& recording = timings_.recording();
    const scene::TimingSubject about = subject();
    const auto name_of = [&](std::size_t point) { return scene::short_name(about, recording.points[point].kernel); };
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float y = at.y + look.px(6);
    list->AddLine({at.x, at.y}, {at.x + size.x, at.y}, look.color(Role::line));
    const float row = look.px(count_row);
    const auto line = [&](Font font, float em, Role role, const std::string& text) {
        look.text(list, font, em, {at.x, y}, look.color(role), elided(look, font, em, text, size.x));
        y += row;
    };
    line(Font::words_medium, type::label, Role::text,
         fmt::format("{} after {}", name_of(difference_->after), name_of(difference_->before)));
    line(Font::words, type::label, Role::soft, difference_->sentence);
    if (difference_->counts.empty()) return;
    const float names = look.px(140), column = std::min((size.x - names) / 3, look.px(190));
    const auto cell = [&](int index, Font font, const std::string& text, Role role) {
        const float right = at.x + names + column * static_cast<float>(index + 1);
        const std::string fitted = elided(look, font, type::small, text, column - look.px(6));
        look.text(list, font, type::small, {right - look.text_width(font, type::small, fitted), y}, look.color(role),
                  fitted);
    };
    cell(0, Font::words, name_of(difference_->before), Role::soft);
    cell(1, Font::words, name_of(difference_->after), Role::soft);
    cell(2, Font::words, "times fewer", Role::soft);
    y += row;
    for (const timing::CountChange& change : difference_->counts) {
        look.text(list, Font::words, type::small, {at.x, y}, look.color(Role::text),
                  elided(look, Font::words, type::small, change.name, names));
        cell(0, Font::code, grouped_number(change.before), Role::text);
        cell(1, Font::code, grouped_number(change.after), Role::text);
        const auto fewer = change.fewer();
        cell(2, Font::code, fewer ? fmt::format("{:.2f}", *fewer) : "–", Role::text);
        y += row;
    }
}

}  // namespace lanescope::ui
