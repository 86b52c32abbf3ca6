#include "ui/panels/timing.h"

#include "analysis/passes/passes.h"
#include "base/command_line.h"
#include "base/grouped.h"
#include "scene/brief_plot.h"
#include "session/algorithm_counts.h"
#include "session/catalog.h"
#include "session/element_types.h"
#include "session/hardware_timeline.h"
#include "timing/families.h"
#include "ui/comparing.h"
#include "ui/panels/timing_controls.h"
#include "ui/widgets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lanescope::ui {

using scene::PlotPoint;
using scene::PlotSeries;
using scene::TimingChart;
using scene::TraceRef;
using timing::Point;

namespace {

constexpr float least_chart_width = 700;  // points wide
constexpr float table_wide = 860, table_high = 505, largest_zoom = 1.7F;
constexpr float least_chart_height = 150;
constexpr float brief_width = 640, brief_height = 340;  // points of the panel; a smaller one has a brief plot
constexpr double brief_from = std::uint64_t{1} << 18U;  // elements: of fewer, most of the time is the launch
constexpr float near_point = 12;                        // points: the reach of the mouse
constexpr float click_distance = 4;                     // pixels that a click may move
constexpr float zoom_a_notch = 0.8F;
constexpr std::uint64_t most_opened = std::uint64_t{1} << 16U;  // elements: of any number, sixteen blocks are recorded

/// The reference that the result was compared with.
std::string result_text(const Point& point) {
    if (!point.agrees) return "wrong";
    if (point.check == "emulator") return "equals the emulator's, bit for bit";
    return point.check == "rounding" ? "equals the CPU's, within rounding" : "equals the CPU's, bit for bit";
}

bool in_catalog(const std::string& kernel) {
    return std::ranges::find(session::catalog(), kernel, &session::Program::name) != session::catalog().end();
}

/// The template's instance for the timed type; empty where that is the program's own.
std::string instance_of(const Point& point) {
    const auto program = std::ranges::find(session::catalog(), point.kernel, &session::Program::name);
    if (program == session::catalog().end() || !session::is_element_type(point.element)) return {};
    std::vector<std::string> arguments = program->recipe.template_arguments;
    for (std::string& argument : arguments)
        if (session::is_element_type(argument)) argument = point.element;
    return arguments == program->recipe.template_arguments
               ? std::string()
               : fmt::format("{}<{}>", program->recipe.kernel, fmt::join(arguments, ", "));
}

}  // namespace

// Wide enough for the names at the ends of the lines.
Needs TimingPanel::needs(const Workspace& workspace) const {
    // A few sentences stand in the place of the chart.
    if (is_of_others(workspace))
        return {.width = {.least = 330, .wanted = 440, .grows = 0.2F},
                .height = {.least = 210, .wanted = 250, .grows = 0}};
    return {.width = {.least = 420, .wanted = 560, .grows = 0.5F},
            .height = {.least = 290, .wanted = 400, .grows = 0.5F}};
}

std::vector<std::string> TimingPanel::subtitle(const Context&) const {
    if (!timings_.chosen()) return {};
    return {timings_.recording().device, {}};  // none rather than a part of it
}

// The share of the pass at the cursor in the estimated time; a click leads to the passes.
float TimingPanel::header(Context& context, float right, float top, float height) {
    Workspace& workspace = context.workspace;
    if (workspace.shown() == nullptr) return right;
    const Shown& shown = *workspace.shown();
    workspace.time_shares().follow(shown.run);
    const std::vector<std::optional<double>> shares = workspace.time_shares().of_passes(shown);
    const std::size_t pass = workspace.pass();
    if (pass >= shares.size() || !shares[pass]) return right;
    const Look& look = context.look;
    const ButtonLook how{.quiet = true, .height = 24};
    const std::string words = fmt::format("{}: est. {:.1f} %", shown.passes->passes[pass].label, *shares[pass]);
    const ImVec2 size = button_size(look, words, Icon::none, Icon::none, how);
    ImGui::SetCursorScreenPos({right - size.x, top + (height - size.y) * 0.5F});
    if (button(look, "##share", words, Icon::none, Icon::none, how)) to_counts_();
    tip(look,
        fmt::format("The share of the pass at the cursor in the run's time as the cost model estimates it: {:.2f} "
                    "µs, with a median error of {:.0f} % for such launches. Click: Counts, pass by pass.",
                    *workspace.time_shares().known()->total, 100 * workspace.time_shares().known()->median_error));
    return right - size.x - look.px(gap);
}

std::string TimingPanel::csv(const Workspace&) const {
    return timings_.chosen() ? scene::timing_csv(subject(), view_) : std::string();
}

scene::Scene TimingPanel::whole_picture(const Workspace&) const {
    const float width = std::max(width_, least_chart_width);
    const scene::TimingOptions options{.width = width, .height = width * 0.5F};
    const bool plotted = scene::is_plot(view_.chart) && built_for_ == view_ && plot_.lacks.empty();
    if (!plotted) return scene::timing_scene(subject(), view_, options);
    return scene::plot_scene(subject(), view_, options,
                             brief_ ? seen_of(scene::timing_plot(subject(), view_)) : seen());
}

scene::XyPlot TimingPanel::seen() const { return seen_of(plot_); }

scene::XyPlot TimingPanel::seen_of(scene::XyPlot plot) const {
    if (axes_) {
        plot.x.low = axes_->x_low, plot.x.high = axes_->x_high;
        plot.y.low = axes_->y_low, plot.y.high = axes_->y_high;
    }
    plot.pins = pins_;
    plot.selected = selected_;
    return plot;
}

// The window's kernel is highlighted, or those that are compared; its family is shown.
void TimingPanel::follow(const Workspace& workspace, const Comparing* comparing) {
    if (workspace.shown() == nullptr) return;
    const std::string& name = workspace.shown()->run->program.name;
    view_.compared.clear();
    for (std::size_t other = 0; comparing != nullptr && other < comparing->others(); ++other) {
        if (other == 0) view_.compared.push_back(name);
        const Shown* const shown = comparing->other(other).shown();
        view_.compared.push_back(shown == nullptr ? std::string() : shown->run->program.name);
    }
    if (name == view_.current) return;
    view_.current = name;
    const std::string family(timing::family_of(name));
    const std::vector<std::string> measured = timing::families(timings_.recording());
    if (std::ranges::find(measured, family) != measured.end()) view_.family = family;
}

void TimingPanel::arrive(Workspace& workspace) {
    const Shown* shown = workspace.shown();
    if (!awaited_ || workspace.busy() || shown == nullptr) return;
    if (shown->run->program.name == awaited_->program && shown->run->block == awaited_->block) {
        TimeShares& estimated = workspace.time_shares();
        estimated.follow(shown->run);
        const std::size_t position = workspace.position();
        if (awaited_->position.value_or(position) == position) {  // else the user has gone on meanwhile
            if (estimated.known() == nullptr && estimated.busy()) {
                awaited_->position = position;
                return;
            }
            const std::vector<std::optional<double>> shares = estimated.of_passes(*shown);
            const auto largest = std::ranges::max_element(shares);
            if (largest != shares.end() && *largest)
                workspace.seek_pass(static_cast<std::size_t>(largest - shares.begin()));
            else if (const auto worst = analysis::costliest_pass(*shown->passes))
                workspace.seek_pass(*worst);
        }
    }
    awaited_.reset();
}

scene::TimingSubject TimingPanel::subject() const {
    scene::TimingSubject subject = timings_.subject();
    subject.estimates = &estimator_.estimates();
    return subject;
}

void TimingPanel::estimate(const Workspace& workspace) {
    // A growing recording is not used: each point would start another estimate.
    if (workspace.shown() != nullptr && !workspace.of_trace() && !timings_.measuring()) {
        const session::Run& run = *workspace.shown()->run;
        const std::uint32_t charted = setting_ ? setting_->block : scene::usual_block;
        estimator_.follow(run.request, session::block_to_estimate(run.program, charted), timings_.recording(),
                          timings_.version());
    }
}

void TimingPanel::rebuild() {
    if (built_for_ == view_ && built_version_ == timings_.version()) return;
    // Another kernel in the window leaves the axes as the user has set them.
    scene::TimingView framed = view_;
    framed.current.clear();
    framed.compared.clear();
    if (framed_for_ != framed || built_version_ != timings_.version()) axes_.reset();
    if (!framed_for_ || framed_for_->chart != framed.chart) scroll_ = 0;
    ++plots_built_;
    framed_for_ = framed;
    // Points keep their numbers while their recording grows, but not in another recording.
    if (built_chosen_ != timings_.chosen() || (built_version_ != timings_.version() && !timings_.measuring())) {
        selected_.reset();
        difference_.reset();
        pins_.clear();
    }
    built_for_ = view_;
    built_version_ = timings_.version();
    built_chosen_ = timings_.chosen();
    setting_ = scene::setting_of(timings_.recording(), view_);
    if (!scene::is_plot(view_.chart)) return;
    plot_ = scene::timing_plot(subject(), view_);
    const bool over_n = view_.chart == TimingChart::bandwidth || view_.chart == TimingChart::time;
    if (brief_ && view_.chart != TimingChart::roofline)
        plot_ = scene::brief_plot(std::move(plot_), {.from_x = over_n ? brief_from : 0,
                                                     .wanted = view_.shown,
                                                     .other_family = timing::family_of(view_.current) != view_.family});
}

void TimingPanel::select(Workspace& workspace, std::size_t point) {
    const timing::Recording& recording = timings_.recording();
    const Point& at = recording.points[point];
    selected_ = point;
    std::vector<std::string> order;
    for (const timing::Variant& variant : subject().variants) {
        if (timing::family_of(variant.kernel) == timing::family_of(at.kernel)) order.push_back(variant.kernel);
    }
    const auto before = timing::neighbor_of(recording, point, order);
    difference_.reset();
    difference_width_.reset();
    difference_scroll_ = 0;
    if (before) difference_ = timing::difference(recording, *before, point);
    explains_ = difference_.has_value();
    if (!in_catalog(at.kernel)) return;
    // The timed kernel is the compiled view, of the timed element type where the kernel is a template.
    workspace.open_launch(at.kernel, instance_of(at),
                          {{Field::view, "compiled"},
                           {Field::block, std::to_string(at.block)},
                           {Field::n, std::to_string(std::min(at.n, most_opened))}});
    awaited_ = Awaited{.program = at.kernel, .block = at.block, .position = {}};
}

void TimingPanel::pin(std::size_t point) {
    const auto found = std::ranges::find(pins_, point, &scene::PlotPin::source);
    if (found != pins_.end()) {
        pins_.erase(found);
        return;
    }
    const Point& at = timings_.recording().points[point];
    pins_.push_back({.source = point,
                     .text = fmt::format("{}: {}, {} GB/s", scene::short_name(subject(), at.kernel),
                                         timing::time_text(at.time.median), rounded(at.bandwidth()))});
}

bool TimingPanel::is_of_others(const Workspace& workspace) const {
    if (workspace.shown() == nullptr || timings_.measuring()) return false;
    const session::Program& program = workspace.shown()->run->program;
    if (program.source.built_in || program.name == catalog_beside_) return false;
    return !timings_.chosen() || std::ranges::find(timings_.recording().points, program.name, &Point::kernel) ==
                                     timings_.recording().points.end();
}

// All that is known of the user's own program, and how its time is measured.
void TimingPanel::draw_own(Context& context) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    const Shown& shown = *workspace.shown();
    workspace.time_shares().follow(shown.run);
    const std::string file = std::filesystem::path(workspace.file()).filename().string();
    const std::string name = file.empty() ? shown.run->program.name : file;
    own_text_ = fmt::format("No time of {} is recorded.\n\n", name);
    if (const session::TimeOfPasses* const known = workspace.time_shares().known(); known == nullptr) {
        own_text_ += "Its time is being estimated.";
    } else if (known->total) {
        own_text_ += fmt::format("Estimate: {:.2f} µs for all launches, with a median error of {:.0f} %. {}",
                                 *known->total, 100 * known->median_error, known->method);
    } else {
        own_text_ += "No estimate. " + known->why;
    }
    own_text_ += fmt::format(
        "\n\nTo measure it, on a machine with an NVIDIA GPU:\nlanescope {}\nThen open times.json here (File, Open).",
        command_text(session::timing_arguments(*shown.run)));
    const float pad = look.px(card_padding), width = ImGui::GetContentRegionAvail().x;
    ImGui::SetCursorPos({ImGui::GetCursorPosX() + pad, ImGui::GetCursorPosY() + look.px(8)});
    ImGui::BeginGroup();
    {
        const Type words(look, scene::Font::words, type::label);
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width - 2 * pad);
        ImGui::TextUnformatted(own_text_.c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::Dummy({1, look.px(8)});
    if (timings_.chosen() && button(look, "catalog", "Times of the catalog's kernels"))
        catalog_beside_ = shown.run->program.name;
    ImGui::EndGroup();
}

void TimingPanel::draw(Context& context) {
    const Look& look = context.look;
    follow(context.workspace, context.comparing);
    arrive(context.workspace);
    own_text_.clear();
    if (is_of_others(context.workspace)) return draw_own(context);
    if (!timings_.chosen()) {
        note(look, "There is no recording. `lanescope time --out FILE.json` makes one on a machine with a GPU.");
        return;
    }
    const ImVec2 whole = ImGui::GetContentRegionAvail();
    if (const bool brief = whole.x < look.px(brief_width) || whole.y < look.px(brief_height); brief != brief_) {
        brief_ = brief;
        built_for_.reset();
        axes_.reset();
    }
    if (estimator_.poll()) built_for_.reset();  // before the plot is built: between frames it is complete
    rebuild();
    estimate(context.workspace);
    const float pad = look.px(card_padding), edge = look.px(2);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), rest = ImGui::GetContentRegionAvail();
    const float width = std::max(rest.x - 2 * pad, 1.0F), bottom = corner.y + rest.y - edge;
    width_ = rest.x / look.scale();
    const scene::TimingSubject about = subject();
    TimingControls controls(timings_, view_, setting_, plot_, about);
    float y = corner.y + look.px(8);
    ImGui::SetCursorScreenPos({corner.x + pad, y});
    controls.draw_chart_row(look, width);
    y += look.px(TimingControls::control + 4);
    ImGui::SetCursorScreenPos({corner.x + pad, y});
    controls.draw_recording_row(look, width);
    y += look.px(TimingControls::control + 4);
    if (timings_.measuring() || timings_.problem()) {
        ImGui::SetCursorScreenPos({corner.x + pad, y});
        controls.draw_measurement_row(look, width);
        y += look.px(TimingControls::state_row + 4);
    }
    float chart = bottom - y;
    // In the place of the chart it may have a scrollbar.
    const float for_difference = explains_ ? width - look.px(card_padding) : width;
    if (difference_ && difference_width_ != for_difference) {
        difference_width_ = for_difference;
        view_of_difference_.set(scene::difference_scene(subject(), *difference_, for_difference / look.scale()));
    }
    const float height = difference_ ? look.px(view_of_difference_.scene().height) : 0;
    const bool has_room = height > 0 && chart - height > look.px(least_chart_height);
    if (has_room) chart -= height;
    if (chart < look.px(40)) return;
    explains_ = explains_ && difference_ && !has_room;
    if (explains_) return draw_difference(context, {corner.x + edge, y}, {rest.x - 2 * edge, chart});
    ImGui::SetCursorScreenPos({corner.x + edge, y});
    draw_chart(context, {rest.x - 2 * edge, chart});
    if (has_room) view_of_difference_.draw(context, {corner.x + pad, y + chart}, {width, height}, {0, 0}, look.scale());
}

/// In the place of the chart, until a click.
void TimingPanel::draw_difference(Context& context, ImVec2 at, ImVec2 size) {
    const Look& look = context.look;
    const float pad = look.px(card_padding - 2);
    ImGui::SetCursorScreenPos({at.x + pad, at.y});
    if (button(look, "##chart", "Back to the chart", Icon::none, Icon::none, {.height = TimingControls::control}))
        explains_ = false;
    const float top = look.px(TimingControls::control + 6);
    ImGui::SetCursorScreenPos({at.x, at.y + top});
    ImGui::BeginChild("difference", {size.x, std::max(size.y - top, 1.0F)}, ImGuiChildFlags_None,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    SceneView::Surface surface = SceneView::surface(look);
    surface.at.x += pad;
    surface.room.x = std::max(surface.room.x - 2 * pad, 1.0F);
    difference_scroll_ = view_of_difference_.scrolled(difference_scroll_, surface, look.scale());
    view_of_difference_.draw(context, surface.at, surface.room, {0, difference_scroll_}, look.scale());
    view_of_difference_.draw_scrollbar(look, surface, difference_scroll_, look.scale());
    ImGui::EndChild();
}

void TimingPanel::draw_chart(Context& context, ImVec2 size) {
    ImGui::BeginChild("chart", size, ImGuiChildFlags_None,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    if (scene::is_plot(view_.chart)) {
        draw_plot(context);
    } else {
        draw_table(context);
    }
    ImGui::EndChild();
}

void TimingPanel::draw_plot(Context& context) {
    const Look& look = context.look;
    const SceneView::Surface surface = SceneView::surface(look);
    const float scale = look.scale();
    move_axes(surface);
    if (!view_of_chart_.scene().viewports.empty())
        scroll_ = SceneView::scrolled(view_of_chart_.scene().viewports.front(), surface, scale).y;
    const Key key{.plot = plots_built_,
                  .width = surface.room.x / scale,
                  .height = surface.room.y / scale,
                  .scroll = scroll_,
                  .axes = axes_,
                  .hovered = hovered_,
                  .selected = selected_,
                  .pins = pins_};
    if (drawn_for_ != key) {
        drawn_for_ = key;
        view_of_chart_.set(scene::plot_scene(subject(), view_,
                                             {.width = key.width,
                                              .height = key.height,
                                              .heading = false,
                                              .brief = brief_ && view_.chart != TimingChart::roofline,
                                              .legend = {.switches = true, .scroll = scroll_, .hovered = hovered_}},
                                             seen()));
    }
    view_of_chart_.draw(context, surface.at, surface.room, {0, 0}, scale);
    for (const scene::Viewport& part : view_of_chart_.scene().viewports)
        view_of_chart_.draw_scrollbars(look, part, surface, scale);
    hovered_.reset();
    if (surface.hovered) answer_mouse(context, surface);
}

std::optional<std::uint32_t> TimingPanel::part_of_plot() const {
    const auto [x, y] = view_of_chart_.mouse();
    for (std::uint32_t part = 0; part < 3; ++part) {
        const auto box = scene::box_of(view_of_chart_.scene(), TraceRef::Kind::plot, 0, part);
        if (box && box->contains(x, y)) return part;
    }
    return {};
}

/// A drag moves both axes, or the one where it began; the wheel zooms about the mouse likewise.
void TimingPanel::move_axes(const SceneView::Surface& surface) {
    const auto box = scene::box_of(view_of_chart_.scene(), TraceRef::Kind::plot);
    if (!box) return;
    const auto part = part_of_plot();
    if (ImGui::IsItemActivated()) dragged_ = part;
    if (!ImGui::IsItemActive()) dragged_.reset();
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 low = view_of_chart_.on_screen(box->x, box->y),
                 high = view_of_chart_.on_screen(box->right(), box->bottom());
    const ImVec2 size(high.x - low.x, high.y - low.y);
    const bool drags = dragged_ && io.MouseDragMaxDistanceSqr[0] >= click_distance * click_distance &&
                       (io.MouseDelta.x != 0 || io.MouseDelta.y != 0);
    const bool zooms = surface.hovered && part && io.MouseWheel != 0;
    if (!drags && !zooms) return;
    scene::XyPlot plot = seen();
    const std::uint32_t of = drags ? *dragged_ : *part;
    const bool along_x = of != 2, along_y = of != 1;
    if (drags) {
        if (along_x) plot.x.pan(io.MouseDelta.x / size.x);
        if (along_y) plot.y.pan(-io.MouseDelta.y / size.y);
    } else {
        const double factor = std::pow(zoom_a_notch, io.MouseWheel);
        if (along_x) plot.x.zoom((io.MousePos.x - low.x) / size.x, factor);
        if (along_y) plot.y.zoom((high.y - io.MousePos.y) / size.y, factor);
    }
    axes_ = Axes{.x_low = plot.x.low, .x_high = plot.x.high, .y_low = plot.y.low, .y_high = plot.y.high};
}

void TimingPanel::answer_mouse(Context& context, const SceneView::Surface& surface) {
    const Look& look = context.look;
    const TraceRef under = view_of_chart_.under_mouse();
    if (under.kind == TraceRef::Kind::series) {
        const scene::LegendEntry entry = scene::legend_of(plot_, true)[under.row];
        hovered_ = under.row;
        tip(look, entry.details + (entry.shown ? "Click to hide it." : "Click to show it.") +
                      (brief_ ? " The maximized panel (F) has all lines." : ""));
        if (surface.clicked) view_.shown[entry.id] = !entry.shown;
        return;
    }
    if (!part_of_plot()) return;
    const ImVec2 mouse = view_of_chart_.mouse();
    const TraceRef point = scene::nearest(view_of_chart_.scene(), TraceRef::Kind::point, mouse.x, mouse.y, near_point);
    if (point.kind == TraceRef::Kind::none) {
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) axes_.reset();
        return;
    }
    const PlotSeries& series = plot_.series[point.row];
    const PlotPoint& at = series.points[point.column];
    show_tip(look, series, at);
    const bool moved = ImGui::GetIO().MouseDragMaxDistanceSqr[0] >= click_distance * click_distance;
    if (!surface.clicked || moved || at.source == PlotPoint::no_source) return;
    if (ImGui::GetIO().KeyShift || ImGui::GetIO().KeyCtrl) {
        pin(at.source);
    } else {
        select(context.workspace, at.source);
    }
}

void TimingPanel::draw_table(Context& context) {
    const Look& look = context.look;
    const SceneView::Surface surface = SceneView::surface(look);
    const ImVec2 size = surface.room;
    // A larger panel enlarges the table, to be read from the back row.
    const float zoom =
        std::clamp(std::min(size.x / look.px(table_wide), size.y / look.px(table_high)), 1.0F, largest_zoom);
    const float scale = look.scale() * zoom;
    const Key key{.plot = plots_built_, .width = size.x / scale, .height = size.y / scale};
    if (drawn_for_ != key) {
        drawn_for_ = key;
        view_of_chart_.set(
            scene::timing_scene(subject(), view_, {.width = key.width, .height = key.height, .heading = false}));
    }
    scroll_ = view_of_chart_.scrolled(scroll_, surface, scale);
    view_of_chart_.draw(context, surface.at, surface.room, {0, scroll_}, scale);
    view_of_chart_.draw_scrollbar(look, surface, scroll_, scale);
    if (!surface.hovered) return;
    const TraceRef under = view_of_chart_.under_mouse();
    if (under.kind != TraceRef::Kind::row) return;
    const auto point = scene::point_of_row(subject(), view_, under.row);
    if (!point) return;
    const std::string& kernel = timings_.recording().points[*point].kernel;
    show_tip(look, {.id = kernel, .name = scene::short_name(subject(), kernel)}, {.source = *point});
    if (surface.clicked) select(context.workspace, *point);
}

void TimingPanel::show_tip(const Look& look, const PlotSeries& series, const PlotPoint& point) const {
    const timing::Recording& recording = timings_.recording();
    Facts facts{{series.name, ""}};
    if (point.source == PlotPoint::no_source) {
        facts.emplace_back(plot_.x.title, plot_.x.text(point.x));
        facts.emplace_back(plot_.y.title, plot_.y.text(point.y));
        if (!series.details.empty())
            facts.emplace_back("estimated", "not measured; hover over its name in the legend for the reason");
        fact_sheet(look, facts);
        return;
    }
    const Point& at = recording.points[point.source];
    facts.emplace_back("measured on", recording.device);
    facts.emplace_back("elements", fmt::format("{} of {}", size_text(at.n), at.element));
    facts.emplace_back("blocks", at.grid == 0 ? fmt::format("of {}", counted(at.block, "thread"))
                                              : fmt::format("{} of {}", grouped(at.grid), counted(at.block, "thread")));
    if (at.launches > 0)
        facts.emplace_back("launches", fmt::format("{}{}", at.launches, at.until_one ? ", until one is left" : ""));
    facts.emplace_back("time, median", timing::time_text(at.time.median));
    if (at.time.samples > 0) {
        facts.emplace_back("10 % to 90 %",
                           fmt::format("{} to {}", timing::time_text(at.time.p10), timing::time_text(at.time.p90)));
        facts.emplace_back("fastest",
                           fmt::format("{} of {}", timing::time_text(at.time.least), counted(at.time.samples, "run")));
    }
    if (at.beside)
        facts.emplace_back(at.beside->name, fmt::format("{} in the same rounds: the kernel takes {:.2f} of it",
                                                        timing::time_text(at.beside->time.median), at.over_library()));
    if (at.overhead > 0 && at.launches > 0)
        facts.emplace_back("launch overhead", fmt::format("{} x {}", at.launches, timing::time_text(at.overhead)));
    if (timing::of_library(at.kernel) && !recording.library.empty()) facts.emplace_back("version", recording.library);
    if (!at.check.empty() && at.time.samples > 0) facts.emplace_back("result", result_text(at));
    facts.emplace_back("effective bandwidth", fmt::format("{:.1f} GB/s", at.bandwidth()));
    if (recording.peak > 0)
        facts.emplace_back("of the theoretical peak", fmt::format("{:.0f} %", 100 * at.bandwidth() / recording.peak));
    if (at.counts) {
        facts.emplace_back("instructions issued", grouped(at.counts->instructions));
        facts.emplace_back("shared wavefronts", grouped(at.counts->wavefronts));
        facts.emplace_back("sectors", grouped(at.counts->sectors));
    }
    facts.emplace_back("click", in_catalog(at.kernel) ? "opens its most expensive pass" : "compares it");
    if (scene::is_plot(view_.chart)) facts.emplace_back("shift + click", "pins its numbers");
    fact_sheet(look, facts);
}

}  // namespace lanescope::ui
