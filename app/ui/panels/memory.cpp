#include "ui/panels/memory.h"

#include "analysis/passes_picture/shown_cells.h"
#include "analysis/source/display_names.h"
#include "scene/labels.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::ui {

using analysis::MemoryCell;
using scene::NumberFormat;
using scene::TraceRef;

namespace {

constexpr std::array formats = {NumberFormat::natural, NumberFormat::decimal, NumberFormat::hexadecimal,
                                NumberFormat::floating, NumberFormat::binary};
constexpr float room_for_title = 150;  // points: of the panel's tab and its neighbors'

/// The cell of the Passes picture that shows that element now: in the last row whose writer has executed.
std::optional<Selection> cell_of(const Workspace& workspace, trace::Space space, std::uint64_t address) {
    const auto found =
        analysis::cell_showing(*workspace.shown()->picture, space, address,
                               PassId{static_cast<std::uint32_t>(workspace.pass())}, workspace.next_step());
    if (!found) return std::nullopt;
    const analysis::Cell& cell = workspace.shown()->picture->rows[found->row].cells[found->column];
    return Selection{found->row, found->column, cell.value};
}

}  // namespace

std::vector<std::string> MemoryPanel::subtitle(const Context& context) const {
    const Shown* shown = context.workspace.shown();
    if (shown == nullptr) return {};
    const trace::Launch& launch = shown->trace().launches[shown->launch];
    if (launch.grid.count() == 1) return {};
    const std::string block = fmt::format("block {}", shown->block.value);
    if (launch.all_recorded()) return {block};
    return {block + "; writes of unrecorded blocks are not shown"};
}

float MemoryPanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    if (context.workspace.shown() == nullptr) return right;
    constexpr float control = 24;
    const auto selected = static_cast<int>(std::ranges::find(formats, format_) - formats.begin());
    const std::initializer_list<std::string_view> labels = {"auto", "dec", "hex", "float", "bin"};
    const float most = room_.x - look.px(room_for_title);
    const float wide = choice_width(look, labels, selected, control, most);
    ImGui::SetCursorScreenPos({right - wide, top + (height - look.px(control)) * 0.5F});
    if (const auto chosen = choice(look, "format", labels, selected, control, most))
        format_ = formats[static_cast<std::size_t>(*chosen)];
    return right - wide - look.px(gap);
}

void MemoryPanel::take_moment(const Workspace& workspace) {
    const Shown& shown = *workspace.shown();
    if (made_for_ != shown.id) {
        made_for_ = shown.id;
        table_ = std::make_unique<analysis::MemoryTable>(shown.run->analysis, shown.launch, shown.block);
        followed_.reset();
        scrolled_by_hand_ = false;
    }
    const std::optional<Lane>& lane = workspace.lane();
    const analysis::MemoryMoment moment =
        lane ? analysis::memory_moment(shown.view(), workspace.position(), lane->warp, lane->number)
             : analysis::memory_moment(shown.view(), workspace.position());
    if (moment != table_->moment()) table_->seek(moment);
}

scene::MemoryOptions MemoryPanel::options(const Workspace& workspace) const {
    scene::MemoryOptions options{
        .width = room_.x / scale_, .height = room_.y / scale_, .top = top_, .format = format_, .selected = {}};
    if (workspace.selection() && workspace.selection()->value.valid()) options.selected = workspace.selection()->value;
    return options;
}

// Each move scrolls to the place that the next step accesses, unless the user has scrolled away; once the cursor is
// within the visible part again, it is followed again.
void MemoryPanel::follow(const Context& context) {
    if (followed_ == table_->moment()) return;
    followed_ = table_->moment();
    const auto place = table_->focus();
    if (!place) return;
    const scene::MemoryOptions now = options(context.workspace);
    const scene::RowExtent row = scene::memory_row(*table_, now, *place);
    const double seen = now.height - scene::memory_legend_height;
    const bool in_view = row.top >= top_ && row.bottom <= top_ + seen;
    if (in_view) scrolled_by_hand_ = false;
    if (in_view || scrolled_by_hand_) return;
    // A little of the content above it stays in view: mostly the heading.
    const double margin = std::min(60.0, seen / 4);
    const double wanted = row.top < top_ ? row.top - margin : row.bottom + margin / 2 - seen;
    put_at_ = std::clamp(wanted, 0.0, std::max(0.0, height_ - now.height));
    ImGui::SetScrollY(static_cast<float>(put_at_) * scale_);
    top_ = put_at_;
}

void MemoryPanel::draw(Context& context) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    if (workspace.shown() == nullptr) {
        note(look, why_empty(context.workspace, "The contents of memory"));
        return;
    }
    take_moment(workspace);
    // A lecture shows one panel to a hall: then everything is larger.
    constexpr float usual_width = 1250, most_growth = 1.6F;
    scale_ = look.scale() * std::clamp(ImGui::GetContentRegionAvail().x / look.px(usual_width), 1.0F, most_growth);
    const float edge = look.px(2);
    const ImVec2 rest = ImGui::GetContentRegionAvail(), corner = ImGui::GetCursorScreenPos();
    at_ = {std::floor(corner.x + edge), std::floor(corner.y)};
    room_ = {std::max(rest.x - 2 * edge, 1.0F), std::max(rest.y - edge, 1.0F)};
    ImGui::SetCursorScreenPos(at_);
    ImGui::BeginChild("memory", room_);
    top_ = ImGui::GetScrollY() / scale_;
    // A scrollbar takes its room from the picture.
    if (ImGui::GetScrollMaxY() > 0) room_.x -= ImGui::GetStyle().ScrollbarSize;
    if (std::abs(top_ - put_at_) > 1) scrolled_by_hand_ = true;
    put_at_ = top_;
    height_ = scene::memory_height(*table_, options(workspace));
    follow(context);

    const scene::MemoryOptions now = options(workspace);
    const Key key{workspace.shown()->id, table_->moment(), now.width, now.height, now.top, now.format, now.selected};
    if (built_for_ != key) {
        built_for_ = key;
        view_.set(scene::memory_scene(*table_, now));
    }
    // As high as the content, so that ImGui scrolls; the picture itself stays in place and shows another part.
    const bool clicked =
        ImGui::InvisibleButton("picture", {room_.x, std::max(static_cast<float>(height_) * scale_, room_.y)});
    const bool hovered = ImGui::IsItemHovered();
    const bool twice = hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    view_.draw(context, at_, room_, {0, 0}, scale_);
    if (hovered) act(context, view_.under_mouse(), clicked, twice);
    ImGui::EndChild();
}

std::optional<analysis::Element> MemoryPanel::element_at(const Shown& shown, const TraceRef& ref) const {
    if (ref.kind != TraceRef::Kind::cell || ref.row >= table_->areas().size()) return std::nullopt;
    const analysis::MemoryArea& area = table_->areas()[ref.row];
    if (area.space == trace::Space::local) return std::nullopt;
    const unsigned bytes = trace::bytes_of(area.element);
    const std::uint64_t address = area.address + std::uint64_t{ref.column} * bytes;
    return analysis::Element{
        .name = analysis::memory_name(shown.trace(), shown.module(), shown.launch, area.space, address, bytes),
        .space = area.space,
        .address = address,
        .type = area.element_of(ref.column),
        .launch = shown.launch,
        .block = shown.block};
}

void MemoryPanel::act(Context& context, const TraceRef& ref, bool clicked, bool twice) {
    Workspace& workspace = context.workspace;
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Right)) element_of_menu_ = element_at(*workspace.shown(), ref);
    if (ref.kind == TraceRef::Kind::lane && ref.column < table_->variables().size()) show_variable(context, ref);
    if (ref.kind != TraceRef::Kind::cell || ref.row >= table_->areas().size()) {
        if (clicked && ref.kind == TraceRef::Kind::none) workspace.clear_selection();
        return;
    }
    const analysis::MemoryArea& area = table_->areas()[ref.row];
    if (twice) {
        const MemoryCell cell = table_->cell(ref.row, ref.column);
        if (const auto position = workspace.shown()->passes->find(cell.writer)) {
            workspace.play(false);
            workspace.seek_exactly(*position);
        }
    } else if (clicked) {
        const std::uint64_t address = area.address + std::uint64_t{ref.column} * trace::bytes_of(area.element);
        if (const auto found = cell_of(workspace, area.space, address)) workspace.select(found->row, found->column);
    }
    show_element(context, ref);
}

void MemoryPanel::show_element(const Context& context, const TraceRef& ref) const {
    const Shown& shown = *context.workspace.shown();
    fact_sheet(context.look, element_facts(shown, *table_, ref.row, ref.column));
}

void MemoryPanel::show_variable(const Context& context, const TraceRef& ref) const {
    fact_sheet(context.look, variable_facts(table_->variables()[ref.column]));
}

std::optional<ImVec2> MemoryPanel::element_on_screen(std::size_t area, std::uint64_t element) const {
    for (const scene::Shape& shape : picture().shapes) {
        const auto* rect = std::get_if<scene::Rect>(&shape);
        if (rect == nullptr || rect->ref.kind != TraceRef::Kind::cell || rect->ref.row != area ||
            rect->ref.column != element) {
            continue;
        }
        const ImVec2 middle(at_.x + (rect->x + rect->width / 2) * scale_,
                            at_.y + (rect->y + rect->height / 2) * scale_);
        return middle.y < at_.y + room_.y ? std::optional(middle) : std::nullopt;
    }
    return {};
}

}  // namespace lanescope::ui
