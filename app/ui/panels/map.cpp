#include "ui/panels/map.h"

#include "analysis/panels/delayed_lane.h"
#include "base/grouped.h"
#include "base/newest_asked.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::ui {

using analysis::MapCell;
using analysis::MapColumn;
using analysis::MapRow;
using analysis::MapRows;
using scene::TraceRef;

struct MapPanel::Work {
    struct Answer {
        Subject of;
        analysis::AccessMap map;
    };
    NewestAsked<Subject, Answer> asked{[](const Subject& of, Progress& progress, const auto& give) {
        analysis::AccessMap map = analysis::access_map(*of.run->analysis, of.launch, of.apart, progress);
        if (!progress.cancelled()) give(Answer{of, std::move(map)});
    }};
};

MapPanel::MapPanel() : work_(std::make_unique<Work>()) {}

MapPanel::~MapPanel() = default;

bool MapPanel::making() const { return work_->asked.is_pending(); }

double MapPanel::seconds_until_redraw() const {
    constexpr double between_looks = 0.03;
    return making() ? between_looks : 0;
}

bool MapPanel::is_of(const Workspace& workspace) const {
    const Shown* const shown = workspace.shown();
    return shown != nullptr && made_ && made_->run == shown->run && made_->launch == shown->launch;
}

std::vector<std::string> MapPanel::subtitle(const Context& context) const {
    if (context.workspace.shown() == nullptr) return {};
    if (making()) {
        const float share = work_->asked.share();
        return {share > 0 ? fmt::format("counting accesses, {:.0f} %", 100 * share) : "counting accesses"};
    }
    if (!made_) return {};
    const std::string accesses = counted(map_.columns.size(), "access");
    const std::string blocks = map_.extent.empty() ? counted(map_.blocks, "block") : map_.extent;
    const std::string launch =
        made_->run->trace().launches.size() > 1 ? fmt::format("launch {}: ", map_.launch) : std::string();
    return {fmt::format("{}{}, {}, {}", launch, counted(map_.rows.size(), "warp"), accesses, blocks),
            fmt::format("{}{}, {}", launch, counted(map_.rows.size(), "warp"), accesses)};
}

float MapPanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    if (context.workspace.shown() == nullptr || map_.columns.empty()) return right;
    constexpr ButtonLook how{.quiet = true, .height = 24};
    const auto place = [&](const std::string& label) {
        const ImVec2 size = button_size(look, label, Icon::none, Icon::none, how);
        right -= size.x + look.px(gap);
        ImGui::SetCursorScreenPos({right + look.px(gap), top + (height - size.y) * 0.5F});
    };
    const bool can_part = apart_ || map_.largest_execution > 1;
    if (can_part) {
        const std::string label = apart_ ? "Executions: apart" : "Executions: summed";
        place(label);
        if (button(look, "##executions", label, Icon::none, Icon::none, how)) apart_ = !apart_;
        tip(look, "One column for each instruction, or one for each of its executions by a warp, as in a loop.");
    }
    const std::string label = fmt::format("Rows: {}{}",
                                          rows_.kind == MapRows::warps    ? "warps"
                                          : rows_.kind == MapRows::blocks ? "blocks"
                                                                          : "equal blocks",
                                          kind_ ? "" : " (auto)");
    place(label);
    if (button(look, "##rows", label, Icon::none, Icon::none, how)) {
        if (!kind_)
            kind_ = MapRows::warps;
        else if (*kind_ == MapRows::warps)
            kind_ = MapRows::blocks;
        else if (*kind_ == MapRows::blocks)
            kind_ = MapRows::runs;
        else
            kind_.reset();
        scroll_ = {0, 0};
    }
    tip(look,
        "Warps, blocks (sums of their warps), runs of blocks that are equal warp by warp, or automatically the "
        "finest of them that fits. Click for the next.");
    return right;
}

scene::Scene MapPanel::whole_picture(const Workspace& workspace) const {
    if (!is_of(workspace)) return view_.scene();
    return scene::map_scene(map_, rows_, {.width = view_.scene().width});
}

std::string MapPanel::csv(const Workspace& workspace) const {
    if (!is_of(workspace)) return {};
    return analysis::csv_of(map_);
}

void MapPanel::take(const Workspace& workspace) {
    const Subject wanted{workspace.shown()->run, workspace.shown()->launch, apart_};
    for (Work::Answer& answer : work_->asked.take()) {
        made_ = answer.of;
        map_ = std::move(answer.map);
        rows_for_.reset();
        scroll_ = {0, 0};
    }
    if (asked_ == wanted) return;
    asked_ = wanted;
    work_->asked.ask(wanted);
}

std::optional<std::size_t> MapPanel::next_column(const Workspace& workspace) const {
    const PtxLine line = workspace.next_ptx_line();
    // Which of its executions comes next is not known here.
    if (apart_ || !line.valid()) return std::nullopt;
    return analysis::column_of(map_, line, workspace.next_cuda_line());
}

void MapPanel::build(const Workspace& workspace, const SceneView::Surface& surface, float scale) {
    const scene::MapOptions options{.width = surface.room.x / scale,
                                    .height = surface.room.y / scale,
                                    .scroll_x = scroll_.x,
                                    .scroll_y = scroll_.y,
                                    .shown = std::pair(workspace.shown()->block, workspace.at().followed()),
                                    .next = is_of(workspace) ? next_column(workspace) : std::nullopt};
    const Fit fit{kind_, scene::map_rows_within(options.height)};
    if (rows_for_ != fit) {
        rows_ = kind_ ? analysis::map_view(map_, *kind_) : analysis::map_view_within(map_, fit.most);
        rows_for_ = fit;
        built_for_.reset();
    }
    const Key key{workspace.shown()->id, options.shown->second, options.next,    options.width,
                  options.height,        options.scroll_x,      options.scroll_y};
    if (built_for_ == key) return;
    view_.set(scene::map_scene(map_, rows_, options));
    built_for_ = key;
    if (!view_.scene().viewports.empty()) {
        const scene::Viewport& part = view_.scene().viewports.front();
        scroll_ = {part.scroll_x, part.scroll_y};
    }
}

float MapPanel::scale_of(const Look& look) {
    constexpr float usual_width = 900, usual_height = 520, most_growth = 1.7F;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    return look.scale() *
           std::clamp(std::min(room.x / look.px(usual_width), room.y / look.px(usual_height)), 1.0F, most_growth);
}

void MapPanel::draw(Context& context) {
    const Look& look = context.look;
    if (context.workspace.shown() == nullptr) {
        note(look, why_empty(context.workspace, "The accesses of all warps"));
        return;
    }
    take(context.workspace);
    if (!made_) return note(look, "The accesses of all warps are being counted.");
    const float scale = scale_of(look);
    const SceneView::Surface surface = SceneView::surface(look);
    if (!view_.scene().viewports.empty())
        scroll_ = SceneView::scrolled(view_.scene().viewports.front(), surface, scale);
    build(context.workspace, surface, scale);
    view_.draw(context, surface.at, surface.room, {0, 0}, scale);
    for (const scene::Viewport& part : view_.scene().viewports) view_.draw_scrollbars(look, part, surface, scale);
    // The map of another run or launch, drawn until the new one is ready, takes no clicks.
    if (surface.hovered && is_of(context.workspace)) answer_mouse(context, surface.clicked);
}

void MapPanel::go_to(Workspace& workspace, const analysis::AccessMap& map, StepId id) {
    if (!id.valid()) return;
    const trace::Step& step = workspace.shown()->trace().step(id);
    workspace.play(false);
    if (workspace.shown()->block != step.block) workspace.show_block(map.launch, step.block);
    const std::size_t position = workspace.shown()->passes->position_of(id);
    workspace.seek_exactly(position);
    workspace.choose(step.warp, analysis::delayed_lane(workspace.shown()->view(), position));
}

void MapPanel::answer_mouse(Context& context, bool clicked) const {
    const TraceRef under = view_.under_mouse();
    Workspace& workspace = context.workspace;
    if (under.kind == TraceRef::Kind::cell && under.row < rows_.rows.size()) {
        const MapRow& row = rows_.rows[under.row];
        describe(context, &row, under.column);
        const StepId target = row.cells[under.column].target();
        if (!target.valid()) return;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (clicked) go_to(workspace, map_, target);
    } else if (under.kind == TraceRef::Kind::row && under.row < rows_.rows.size()) {
        const MapRow& row = rows_.rows[under.row];
        if (!row.recorded) {
            tip(context.look,
                fmt::format("{}: not recorded. Their wavefronts and sectors are not known.", scene::row_name(row)));
            return;
        }
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        tip(context.look, fmt::format("{}. Click to show the block.", scene::row_name(row)));
        if (!clicked) return;
        workspace.play(false);
        if (workspace.shown()->block != row.block) workspace.show_block(map_.launch, row.block);
        if (row.warp) workspace.choose(*row.warp, std::nullopt);
    } else if (under.kind == TraceRef::Kind::heading && under.column < map_.columns.size()) {
        describe(context, nullptr, under.column);
        const std::uint32_t line = map_.columns[under.column].source_line;
        if (line == 0) return;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (clicked) workspace.goto_line = line;
    } else {
        view_.explain_words(context.look);
    }
}

void MapPanel::describe(const Context& context, const MapRow* row, std::size_t number) const {
    fact_sheet(context.look, facts_of(context.workspace, row, number));
}

Facts MapPanel::facts_of(const Workspace& workspace, const MapRow* row, std::size_t number) const {
    const MapColumn& column = map_.columns[number];
    const MapCell& cell = row == nullptr ? column.sum : row->cells[number];
    const std::string place = column.source_line == 0 ? fmt::format("PTX line {}", column.line.value)
                                                      : fmt::format("line {}", column.source_line);
    Facts facts{{row == nullptr ? "all recorded blocks" : scene::row_name(*row),
                 row != nullptr && row->blocks > 1 ? "each" : ""}};
    facts.emplace_back(place, column.access.empty()
                                  ? scene::access_words(column)
                                  : fmt::format("{}, {}", column.access, scene::access_words(column)));
    facts.emplace_back("executions", grouped(cell.executions));
    if (cell.executions > 0) {
        facts.emplace_back(std::string(scene::unit_of(column, 2)), grouped(cell.used));
        if (column.rated()) {
            facts.emplace_back("ideal", grouped(cell.least));
            facts.emplace_back("excessive", grouped(cell.excess()));
            if ((row == nullptr || !row->warp) && cell.excess() > 0)
                facts.emplace_back("excessive, of one warp at most", grouped(cell.most_excess));
        } else {
            facts.emplace_back("ideal", "not rated: the lanes' addresses decide");
        }
    }
    if (row != nullptr && cell.target().valid()) {
        const trace::Step& step = workspace.shown()->trace().step(cell.target());
        facts.emplace_back(
            "click", fmt::format("first execution{}: block {}, warp {}, {}",
                                 cell.excess() > 0 ? " that is not ideal" : "", grouped(step.block.value),
                                 step.warp.value, cell.excess() > 0 ? "the first lane that waits" : "its first lane"));
    }
    return facts;
}

}  // namespace lanescope::ui
