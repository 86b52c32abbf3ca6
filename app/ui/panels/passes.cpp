#include "ui/panels/passes.h"

#include "analysis/panels/program_lines.h"
#include "analysis/passes_picture/shown_cells.h"
#include "base/grouped.h"
#include "base/text.h"
#include "scene/layers.h"
#include "scene/passes/grid_layout.h"
#include "scene/text.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

namespace lanescope::ui {

using scene::Font;
using scene::Role;
using scene::TraceRef;

namespace {

constexpr double travel_seconds = 0.2;
constexpr float most_zoom = 64, zoom_step = 1.2F;
constexpr std::uint32_t widest_with_values = 48;       // columns; wider pictures have a lens instead
constexpr float least_column = 42, most_enlarged = 3;  // points a column keeps when the picture is enlarged

// A strip of grids fills the panel by itself until its cells are as large as its text allows. Beyond that, its text is
// enlarged as well, as long as the whole strip stays in view and no cell becomes smaller.
float enlargement_of_grids(const analysis::Picture& picture, ImVec2 points) {
    const auto layout_at = [&](float by) {
        scene::PassesOptions options;
        options.width = points.x / by;
        options.height = points.y / by;
        options.arrays = scene::ArrayView::grids;
        options.frames = true;
        return scene::grid_layout(picture, options);
    };
    const float usual = layout_at(1).pitch_x;
    for (const float by : {most_enlarged, 2.5F, 2.0F, 1.75F, 1.5F, 1.25F}) {
        const scene::GridLayout layout = layout_at(by);
        const bool in_view = layout.width <= points.x / by + 1 && layout.height <= points.y / by + 1;
        if (in_view && layout.values && !layout.brief_titles && layout.pitch_x * by >= usual) return by;
    }
    return 1;
}

// The picture row of the current pass.
std::optional<std::size_t> current_row(const Workspace& workspace) {
    return analysis::row_of_pass(*workspace.shown()->picture, PassId{static_cast<std::uint32_t>(workspace.pass())});
}

}  // namespace

std::vector<std::string> PassesPanel::subtitle(const Context& context) const {
    const Workspace& workspace = context.workspace;
    if (workspace.shown() == nullptr) return {};
    const Shown& shown = *workspace.shown();
    const bool at_end = workspace.position() >= workspace.at().end();
    std::string title = pass_title(shown, workspace.pass(), at_end);
    const auto& rows = shown.picture->rows;
    const auto row = current_row(workspace);
    if (!at_end && row && *row < rows.size() && rows[*row].pass != PassId{static_cast<std::uint32_t>(workspace.pass())})
        title += ", in registers: no array changes";
    const auto& passes = shown.passes->passes;
    if (at_end && title.starts_with("finished, ")) return {std::move(title), "finished"};  // the number may be cut
    if (at_end || passes.empty()) return {std::move(title)};
    return {std::move(title), passes[workspace.pass()].label};
}

float PassesPanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    constexpr float control = 24;
    const auto fitting = [&](const char* id, Icon icon, Fit to, const char* words) {
        right -= look.px(control);
        ImGui::SetCursorScreenPos({right, top + (height - look.px(control)) * 0.5F});
        const ButtonLook how{.quiet = true, .enabled = zoom_ != 1 || fitted_ != to, .height = control};
        if (button(look, id, "", icon, Icon::none, how)) fit(to);
        tip(look, words);
    };
    fitting("##fit", Icon::fit, Fit::whole, "Fit the whole picture, with colors where values have no room (0)");
    fitting("##fit-width", Icon::fit_width, Fit::width, "Fit the width, with values; scroll to the other rows (9)");
    right -= look.px(gap);
    if (context.workspace.shown() == nullptr) return right;
    find_joint(*context.workspace.shown());
    if (!joint_.empty() && !draws_grids(context.workspace)) {
        const auto ways = {std::string_view("joined"), std::string_view("apart")};
        right -= segmented_width(look, ways, type::small);
        ImGui::SetCursorScreenPos({right, top + (height - look.px(control)) * 0.5F});
        ImGui::BeginGroup();
        if (const auto clicked = segmented(look, "##joint", ways, joined_ ? 0 : 1, control, type::small)) {
            joined_ = *clicked == 0;
            enlarged_ = {};
        }
        ImGui::EndGroup();
        tip(look,
            "Joined: arrays that form one value are the lines of one cell. The same threads write them at the\n"
            "same index in every pass, and combine the values of several of them at one index.\n"
            "Apart: each array by itself.");
        right -= look.px(gap);
    }
    if (!context.workspace.shown()->picture->has_grids()) return right;
    const auto labels = {std::string_view("rows"), std::string_view("grids")};
    right -= segmented_width(look, labels, type::small);
    ImGui::SetCursorScreenPos({right, top + (height - look.px(control)) * 0.5F});
    ImGui::BeginGroup();
    const bool grids = draws_grids(context.workspace);
    if (const auto clicked = segmented(look, "##arrays", labels, grids ? 1 : 0, control, type::small)) {
        arrays_ = *clicked == 1 ? scene::ArrayView::grids : scene::ArrayView::rows;
        zoom_ = 1;
        pan_ = {0, 0};
        enlarged_ = {};
    }
    ImGui::EndGroup();
    tip(look,
        "Rows: each array is one row of cells, with all arcs.\n"
        "Grids: by rows and columns, a frame for each pass. Inferred: the length of a row follows from the\n"
        "addresses of the accesses along threadIdx.x, threadIdx.y and loops, or from the cells that threads bring\n"
        "together. blockDim.x: a guess, for a linear index of the threads has the same addresses.");
    return right - look.px(gap);
}

bool PassesPanel::draws_grids(const Workspace& workspace) const {
    const analysis::Picture& picture = *workspace.shown()->picture;
    return picture.has_grids() && scene::draws_grids(picture, arrays_);
}

void PassesPanel::find_joint(const Shown& shown) {
    if (joint_for_ == shown.id) return;
    joint_for_ = shown.id;
    joint_ = analysis::joint_values_of(shown.view(), *shown.picture);
}

void PassesPanel::fit(Fit to) {
    fitted_ = to;
    fit_chosen_ = true;
    zoom_ = 1;
    pan_ = {0, 0};
}

void PassesPanel::zoom_by(int steps) {
    zoom_about(std::pow(zoom_step, static_cast<float>(steps)), {room_.x / scale_ / 2, room_.y / scale_ / 2});
}

void PassesPanel::move_by(float x, float y) {
    pan_.x += x * room_.x / scale_;
    pan_.y += y * room_.y / scale_;
}

// Cells wide enough for their values, and rows with arcs between them.
Needs PassesPanel::needs(const Workspace& workspace) const {
    constexpr float beside = 168, cell = 28, around = 50 + 34 + 60, row = 70, low_row = 40;
    constexpr float least_width = 550;  // of seven tabs
    constexpr float without_values = 760, least_height = 240, most_height = 640;
    constexpr std::uint32_t few = 16, many = 32;
    const Shown* const shown = workspace.shown();
    if (shown == nullptr) return {};
    const auto columns = static_cast<float>(std::max(shown->picture->columns, few));
    const float wide = shown->picture->columns > many ? without_values : beside + cell * columns;
    const auto rows = static_cast<float>(shown->picture->rows.size());
    Needs needs{.width = {.least = least_width, .wanted = wide, .grows = 2},
                .height = {.least = std::clamp(around + low_row * rows, least_height, most_height),
                           .wanted = std::clamp(around + row * rows, least_height, most_height),
                           .grows = 2}};
    if (draws_grids(workspace)) needs.height = {.least = 320, .wanted = most_height, .grows = 2};
    return needs;
}

float PassesPanel::enlargement(const Context& context, ImVec2 points) {
    const Shown& shown = *context.workspace.shown();
    if (enlarged_.shown == shown.id && enlarged_.width == points.x && enlarged_.height == points.y) return enlarged_.by;
    if (draws_grids(context.workspace)) {
        enlarged_ = {shown.id, points.x, points.y, enlargement_of_grids(*shown.picture, points)};
        return enlarged_.by;
    }
    scene::PassesOptions natural;
    natural.width = points.x;
    natural.arrays = scene::ArrayView::rows;
    natural.legend = false;
    if (joined_) natural.joint = joint_;
    const scene::Scene picture =
        scene::passes_scene(*shown.passes, *shown.picture, *shown.analysis().provenance, natural);
    // A little wider than the columns: the names of the passes are at the left, the lanes at the right.
    const float column = points.x / static_cast<float>(shown.picture->columns + 4);
    const float by = std::min(points.y / std::max(picture.height, 1.0F), column / least_column);
    enlarged_ = {shown.id, points.x, points.y, std::clamp(by, 1.0F, most_enlarged)};
    return enlarged_.by;
}

/// The point of the scene from which `grids_ahead` views are built; it changes when the view has moved by its own size.
scene::Point PassesPanel::page(ImVec2 room) const {
    const float width = std::max(room.x / scale_, 1.0F), height = std::max(room.y / scale_, 1.0F);
    return {std::floor(pan_.x / width) * width, std::floor(pan_.y / height) * height};
}

void PassesPanel::build(const Context& context, ImVec2 room) {
    const Workspace& workspace = context.workspace;
    const Shown& shown = *workspace.shown();
    const bool whole = fitted_ == Fit::whole && zoom_ == 1;
    const bool grids = draws_grids(workspace);
    const bool lens = !grids && (whole || shown.picture->columns > widest_with_values);
    Key key{.shown = shown.id,
            .position = workspace.position(),
            .width = room.x / scale_,
            .height = room.y / scale_,
            .zoom = zoom_,
            .grids = grids,
            .whole = whole,
            .frames = !fit_chosen_,
            .joined = joined_,
            .seen_from = grids ? page(room) : scene::Point{pan_.x, pan_.y},
            .lens_x = lens ? lens_.x : -1,
            .lens_y = lens ? lens_.y : -1,
            .hovered_row = {},
            .hovered_column = {},
            .selection = workspace.selection()};
    if (hovered_ && (hovered_->kind == TraceRef::Kind::cell || hovered_->kind == TraceRef::Kind::node)) {
        key.hovered_row = hovered_->row;
        key.hovered_column = hovered_->column;
    }
    if (built_for_ == key) return;
    built_for_ = key;
    view_.set(scene_of(workspace, key));
}

scene::Scene PassesPanel::scene_of(const Workspace& workspace, const Key& key) const {
    const Shown& shown = *workspace.shown();
    scene::PassesOptions options;
    options.width = key.width;
    options.height = key.height;
    options.zoom = key.zoom;
    options.arrays = key.grids ? scene::ArrayView::grids : scene::ArrayView::rows;
    options.whole = key.whole;
    options.frames = key.frames;
    options.seen_from = key.seen_from;
    options.position = key.position;
    options.hovered_row = key.hovered_row;
    options.hovered_column = key.hovered_column;
    if (key.selection && key.selection->value.valid()) options.selected = key.selection->value;
    // The value under the mouse is highlighted as if selected; a click selects it.
    if (key.hovered_row && *key.hovered_row < shown.picture->rows.size() &&
        *key.hovered_column < shown.picture->columns) {
        const analysis::Cell& cell = shown.picture->rows[*key.hovered_row].cells[*key.hovered_column];
        if (cell.value.valid()) options.selected = cell.value;
    }
    options.faults = shown.faults;
    if (key.joined) options.joint = joint_;
    options.lens_x = key.lens_x;
    options.lens_y = key.lens_y;
    options.legend = !key.seen_from;  // in a view that scrolls it is in the footer
    return scene::passes_scene(*shown.passes, *shown.picture, *shown.analysis().provenance, options);
}

/// Without the view's edges: the names are at the edges of the picture, the legend is below it.
scene::Scene PassesPanel::whole_picture(const Workspace& workspace) const {
    if (!built_for_ || workspace.shown() == nullptr) return view_.scene();
    Key key = *built_for_;
    key.seen_from.reset();
    key.height += scene::passes_legend_height;
    key.lens_x = key.lens_y = -1;
    return scene_of(workspace, key);
}

void PassesPanel::zoom_about(float factor, ImVec2 mouse) {
    const float wanted = std::clamp(zoom_ * factor, 1.0F, most_zoom);
    const float ratio = wanted / zoom_;
    // The point under the mouse stays there, as far as the picture grows in proportion.
    pan_.x = (pan_.x + mouse.x) * ratio - mouse.x;
    pan_.y = (pan_.y + mouse.y) * ratio - mouse.y;
    zoom_ = wanted;
}

void PassesPanel::keep_within(ImVec2 room) {
    pan_.x = std::clamp(pan_.x, 0.0F, std::max(0.0F, picture().width - room.x / scale_));
    pan_.y = std::clamp(pan_.y, 0.0F, std::max(0.0F, picture().height - room.y / scale_));
}

void PassesPanel::follow(const Context& context, ImVec2 room) {
    const std::optional<std::size_t> row = current_row(context.workspace);
    const std::uint64_t id = context.workspace.shown()->id;
    const bool same_room = followed_in_.x == room.x && followed_in_.y == room.y;
    if (!row || (followed_for_ == id && followed_row_ == *row && same_room)) return;
    followed_for_ = id;
    followed_row_ = *row;
    followed_in_ = room;
    const auto number = static_cast<std::uint32_t>(*row);
    // A frame of grids has its heading above its cells, and far from the view no cells yet.
    std::optional<scene::Box> box;
    if (!draws_grids(context.workspace)) box = scene::box_of_row(picture(), TraceRef::Kind::cell, number);
    if (!box) box = scene::box_of_row(picture(), TraceRef::Kind::row, number);
    if (!box) return;
    const float tall = room.y / scale_;
    const float margin = std::min(tall * 0.25F, 60.0F);
    // A grid that does not fit is shown from its beginning.
    if (box->bottom() + margin > pan_.y + tall) pan_.y = box->bottom() + margin - tall;
    if (box->y - margin < pan_.y) pan_.y = box->y - margin;
}

std::optional<ImVec2> PassesPanel::cell_on_screen(std::uint32_t row, std::uint32_t column) const {
    return view_.on_screen(TraceRef::Kind::cell, row, column);
}

ImVec2 PassesPanel::on_screen(float x, float y) const {
    return {at_.x + (x - pan_.x) * scale_, at_.y + (y - pan_.y) * scale_};
}

void PassesPanel::draw(Context& context) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    if (workspace.shown() == nullptr) {
        note(look, why_empty(workspace, "The passes of the block"));
        return;
    }
    find_joint(*workspace.shown());
    const std::string& program = workspace.shown()->run->program.name;
    if (fit_chosen_for_ != program) {
        fit_chosen_for_ = program;
        fit_chosen_ = false;
    }
    const float edge = look.px(2), footer = look.px(34);
    ImVec2 room = ImGui::GetContentRegionAvail();
    room = {std::max(room.x - 2 * edge, 1.0F), std::max(room.y - footer - edge, 1.0F)};
    room_ = room;
    scale_ = look.scale() * enlargement(context, {room.x / look.scale(), room.y / look.scale()});
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    at_ = {std::floor(corner.x + edge), std::floor(corner.y)};

    ImGui::SetCursorScreenPos(at_);
    ImGui::InvisibleButton("picture", room);
    const bool hovered = ImGui::IsItemHovered();
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 mouse((io.MousePos.x - at_.x) / scale_, (io.MousePos.y - at_.y) / scale_);

    if (hovered && io.MouseWheel != 0) {
        if (io.KeyShift) {
            pan_.x -= io.MouseWheel * 60;
        } else {
            zoom_about(std::pow(zoom_step, io.MouseWheel), mouse);
        }
    }
    if (hovered && io.MouseWheelH != 0) pan_.x -= io.MouseWheelH * 60;
    if (ImGui::IsItemActivated()) dragged_ = false;
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
        dragged_ = true;
        pan_.x -= io.MouseDelta.x / scale_;
        pan_.y -= io.MouseDelta.y / scale_;
    }
    lens_ = hovered && !dragged_ ? ImVec2(mouse.x + pan_.x, mouse.y + pan_.y) : ImVec2(-1, -1);

    // Hits refer to the picture on the screen; their changes are built next.
    std::optional<TraceRef> hit;
    if (hovered) {
        const TraceRef ref = scene::hit(picture(), mouse.x + pan_.x, mouse.y + pan_.y);
        const bool nothing =
            ref.kind == TraceRef::Kind::none || ref.kind == TraceRef::Kind::cover || ref.kind == TraceRef::Kind::lens;
        if (!nothing) hit = ref;
    }
    hovered_ = hit;
    if (ImGui::IsItemDeactivated() && !dragged_ && hovered) {
        const bool on_fault = hit && hit->kind == TraceRef::Kind::fault;
        const bool on_value = hit && (hit->kind == TraceRef::Kind::cell || hit->kind == TraceRef::Kind::node);
        if (on_fault) {
            workspace.seek_finding(hit->row);
        } else if (!on_value || (workspace.selection() && workspace.selection()->row == hit->row &&
                                 workspace.selection()->column == hit->column)) {
            workspace.clear_selection();
        } else {
            workspace.select(hit->row, hit->column);
        }
    }

    notice_step(workspace);
    build(context, room);
    follow(context, room);
    keep_within(room);
    build(context, room);  // names stay at the edges of the visible part
    view_.draw(context, at_, room, pan_, scale_);
    draw_travelers(look, room);
    if (hit && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) explain(context, *hit);

    ImGui::SetCursorScreenPos({corner.x, corner.y + room.y});
    draw_footer(context);
}

/// A single step forward animates the values that it moved; any other change, or the next step, ends the animation.
void PassesPanel::notice_step(const Workspace& workspace) {
    const std::uint64_t id = workspace.shown()->id;
    const std::size_t position = workspace.position();
    if (seen_ == id && seen_position_ == position) {
        if (ImGui::GetTime() - travels_since_ > travel_seconds) travels_since_ = -1;
        return;
    }
    const std::vector<std::size_t>& stops = workspace.at().stops(workspace.step_unit());
    const auto stops_up_to = [&](std::size_t at) { return std::ranges::upper_bound(stops, at) - stops.begin(); };
    const bool one_step =
        seen_ == id && position > seen_position_ && stops_up_to(position) - stops_up_to(seen_position_) <= 1;
    const bool slow = !workspace.playing() || 1 / (steps_per_second * workspace.settings.speed) >= travel_seconds / 2;
    travels_since_ = one_step && slow && workspace.settings.motion ? ImGui::GetTime() : -1;
    if (one_step) {
        travel_first_ = workspace.shown()->passes->steps[seen_position_];
        travel_last_ = workspace.shown()->passes->steps[position - 1];
    }
    seen_ = id;
    seen_position_ = position;
}

double PassesPanel::seconds_until_redraw() const { return travels_since_ >= 0 ? 1.0 / 60 : 0; }

void PassesPanel::draw_travelers(const Look& look, ImVec2 room) const {
    if (travels_since_ < 0) return;
    const auto t = static_cast<float>(std::clamp((ImGui::GetTime() - travels_since_) / travel_seconds, 0.0, 1.0));
    const float eased = t * t * (3 - 2 * t), back = 1 - eased;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(at_, {at_.x + room.x, at_.y + room.y}, true);
    for (const scene::Shape& shape : picture().shapes) {
        const auto* curve = std::get_if<scene::Curve>(&shape);
        if (curve == nullptr || !curve->ref.step.valid()) continue;
        if (curve->ref.step < travel_first_ || travel_last_ < curve->ref.step) continue;
        const auto along = [&](float p0, float p1, float p2, float p3) {
            return back * back * back * p0 + 3 * back * back * eased * p1 + 3 * back * eased * eased * p2 +
                   eased * eased * eased * p3;
        };
        const ImVec2 at = on_screen(along(curve->x0, curve->x1, curve->x2, curve->x3),
                                    along(curve->y0, curve->y1, curve->y2, curve->y3));
        list->AddCircleFilled(at, look.px(5), look.color(Role::panel));
        list->AddCircleFilled(at, look.px(4), look.color(Role::read));
    }
    list->PopClipRect();
}

void PassesPanel::explain(const Context& context, const TraceRef& ref) const {
    const Look& look = context.look;
    const Shown& shown = *context.workspace.shown();
    if (ref.kind == TraceRef::Kind::fault && ref.row < shown.trace().findings.size()) {
        const trace::Finding& finding = shown.trace().findings[ref.row];
        return tip(look, fmt::format("{}, line {}\n{}\nClick to go there.", trace::name_of(finding.kind),
                                     finding.source_line, finding.message));
    }
    if (ref.kind == TraceRef::Kind::note && ref.row < shown.picture->rows.size())
        return tip(look, between_sentence(*shown.picture->rows[ref.row].between));
    if (ref.kind != TraceRef::Kind::cell && ref.kind != TraceRef::Kind::node && ref.kind != TraceRef::Kind::row) return;
    if (ref.row >= shown.picture->rows.size()) return;
    const analysis::PictureRow& row = shown.picture->rows[ref.row];
    if (ref.kind != TraceRef::Kind::row && ref.column >= row.cells.size()) return;
    if (ref.kind != TraceRef::Kind::row) {
        const auto lens = scene::box_of(picture(), TraceRef::Kind::lens);
        std::optional<Area> clear;
        if (lens) clear = Area{on_screen(lens->x, lens->y), on_screen(lens->right(), lens->bottom())};
        return fact_sheet(look, cell_facts(shown, ref.row, ref.column), clear);
    }
    // Only the name of a pass has a tooltip, not the space between its cells.
    if (ref.column == 0) return;
    const std::string name = row.sublabel.empty() ? row.label : row.label + ", " + row.sublabel;
    const std::string useful = fmt::format("{}{} of {} did useful work", row.use_known ? "" : "at most ",
                                           grouped(row.useful), counted(row.threads, "thread"));
    tip(look, fmt::format("{}: {}, {} stored{}", name, useful, grouped(row.lanes), name_signs(name)));
}

/// Its right edge at `right`, no wider than `room`. Returns the width that it takes from the line; all in pixels.
float PassesPanel::draw_legend(Context& context, float right, float top, float room) {
    const Look& look = context.look;
    const Workspace& workspace = context.workspace;
    const Shown& shown = *workspace.shown();
    const std::tuple key(shown.id, workspace.position() >= workspace.at().end(), room / look.scale());
    if (legend_for_ != key) {
        legend_for_ = key;
        legend_.set(scene::passes_legend(*shown.picture, std::get<bool>(key), std::get<float>(key)));
    }
    const float width = look.px(legend_.scene().width);
    legend_.draw(context, {std::floor(right - width), top}, {width, look.px(legend_.scene().height)}, {0, 0},
                 look.scale());
    return width + look.px(scene::panel_padding);
}

void PassesPanel::draw_footer(Context& context) {
    const Look& look = context.look;
    const Workspace& workspace = context.workspace;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x - 2 * look.px(card_padding);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float left = at.x + look.px(card_padding);
    const float middle = at.y + look.px(16);
    const auto top = [&](Font font, float em) { return middle - look.line_height(font, em) * 0.5F; };

    if (!workspace.selection()) {
        const float legend = draw_legend(context, left + room, middle - look.px(scene::passes_legend_height / 2), room);
        // Why a number is missing among the rows matters more than what the mouse does.
        const auto& rows = workspace.shown()->picture->rows;
        const auto first = std::ranges::find_if(rows, [](const auto& row) { return row.between.has_value(); });
        const bool named = first != rows.end() && scene::box_of(picture(), TraceRef::Kind::note,
                                                                static_cast<std::uint32_t>(first - rows.begin()));
        const std::string without_row = passes_without_row(*workspace.shown(), named);
        const std::string partial = analysis::partial_run_text(workspace.shown()->trace());
        std::vector<std::string_view> hints;
        if (!partial.empty()) hints.push_back(partial);
        if (!without_row.empty()) hints.push_back(without_row);
        constexpr std::array<std::string_view, 3> of_mouse = {
            "Hover over a cell for details, click to select its past. Wheel zooms, drag pans, 0 fits all, 9 the width.",
            "Hover over a cell for details, click to select its past. Wheel zooms, drag pans.",
            "Hover over a cell for details, click to select its past."};
        hints.insert(hints.end(), of_mouse.begin(), of_mouse.end());
        const auto fits = std::ranges::find_if(hints, [&](std::string_view hint) {
            return look.text_width(Font::words, type::small, hint) <= room - legend;
        });
        if (fits != hints.end()) {
            look.text(list, Font::words, type::small, {left, top(Font::words, type::small)}, look.color(Role::soft),
                      *fits);
        }
        ImGui::Dummy({1, 1});  // ImGui requires an item after the cursor was set
        return;
    }
    const auto facts = cell_facts(*workspace.shown(), workspace.selection()->row, workspace.selection()->column);
    std::string text =
        facts.empty() ? std::string() : fmt::format("{} = {}", facts.front().first, facts.front().second);
    if (!workspace.expression().empty()) text += " = " + workspace.expression();
    list->AddRectFilled({left, middle - look.px(5)}, {left + look.px(10), middle + look.px(5)},
                        look.color(Role::selected), look.px(2));
    const float indent = look.px(18), free = room - indent;
    // As large as the narration where it fits, otherwise smaller, then in two lines.
    constexpr float safely = 0.96F;  // the widths of glyphs are rounded at each size
    const float largest =
        safely * type::narration * free / std::max(look.text_width(Font::code, type::narration, text), 1.0F);
    const float em = std::clamp(largest, type::label, type::narration);
    std::vector<std::string> lines{text};
    if (largest < type::label) {
        lines = scene::wrapped(Font::code, type::label, text, free / look.scale());
        const std::size_t first = std::min(lines.front().size(), text.size());
        lines = {lines.front(), std::string(trimmed(std::string_view(text).substr(first)))};
    }
    float y = middle - look.line_height(Font::code, em) * 0.5F * static_cast<float>(lines.size());
    for (const std::string& line : lines) {
        look.text(list, Font::code, em, {left + indent, y}, look.color(Role::text),
                  elided(look, Font::code, em, line, free));
        y += look.line_height(Font::code, em);
    }
    ImGui::SetCursorScreenPos({left, at.y});
    ImGui::InvisibleButton("expression", {std::max(room, 1.0F), look.px(30)});
    tip(look, text);
}

}  // namespace lanescope::ui
