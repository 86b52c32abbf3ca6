#include "scene/grid_scene.h"

#include "analysis/source/source_line.h"
#include "base/grouped.h"
#include "model/device_limits.h"
#include "scene/grid/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace lanescope::scene {

using analysis::GridArc;
using analysis::GridBlock;
using analysis::GridHostStep;
using analysis::GridLaunch;
using analysis::GridPicture;

namespace {

/// The colors of arcs, by array: one each for the arrays that are read first, one for all others.
constexpr std::array array_roles = {Role::read, Role::selected, Role::agrees, Role::text};

void draw_shown(GridDrawing& d) {
    if (!d.options.shown) return;
    const auto& [number, id] = *d.options.shown;
    const GridBlock* const block = d.picture.block(number, id);
    if (block == nullptr) return;
    const Box box = d.layout.bar(number, *block);
    d.above.rings.push_back(ring(box, 4, 2, {Role::cursor, 1}, 2));
    if (!d.options.tick) return;
    const auto x = static_cast<float>(d.layout.x(number, *d.options.tick));
    const Box& body = d.layout.body();
    d.above.rects.push_back(rect({x - 1, body.y - 6, 2, body.height + 8}, 0, {Role::cursor, 0.9F}));
}

std::string description(const GridDrawing& d) {
    constexpr std::size_t most = 40;
    std::string text;
    for (std::size_t i = 0; i < std::min(d.picture.launches.size(), most); ++i) {
        const GridLaunch& launch = d.picture.launches[i];
        for (const GridHostStep& step : launch.host_steps) text += fmt::format("host: {}\n", step.text);
        text +=
            fmt::format("launch {}: {}, {}, ticks {} to {}\n", i, analysis::launch_name_of(d.trace.launches[i].kernel),
                        counted(d.trace.launches[i].grid.count(), "block"), grouped(launch.time.first),
                        grouped(launch.time.past_last));
    }
    for (std::size_t i = 0; i < std::min(d.picture.arcs.size(), most); ++i) {
        const GridArc& arc = d.picture.arcs[i];
        text +=
            fmt::format("launch {} block {} -> launch {} block {}: {}{}\n", arc.from_launch, arc.from.value,
                        arc.to_launch, arc.to.value, d.trace.buffers[arc.buffer].name, arc.atomic ? ", atomic" : "");
    }
    return text;
}

/// Draws everything, and returns how many lines of the note and rows of the legend it takes, drawn or not.
struct GridDrawn {
    Scene scene;
    std::size_t note_lines, legend_rows;
};
GridDrawn draw_grid(const trace::Trace& trace, const GridPicture& picture, const GridOptions& options) {
    GridDrawing d = grid_drawing(trace, picture, options);
    GridDrawn drawn{};
    Scene& scene = drawn.scene;
    scene.title = "Grid";
    scene.description = description(d);
    scene.width = options.width;
    scene.height = d.layout.height();
    const Box& body = d.layout.body();
    scene.viewports.push_back({.box = {body.x, 0, body.width, body.bottom() + GridPanelLayout::axis},
                               .width = static_cast<float>(d.layout.content_width()),
                               .height = body.bottom() + GridPanelLayout::axis,
                               .scroll_x = static_cast<float>(d.layout.scroll())});
    scene.shapes.emplace_back(ClipBegin{body.x - 8, 0, body.width + 16, scene.height - d.layout.legend_height()});
    std::vector<BlockName> names;
    std::vector<std::pair<std::size_t, std::vector<RowBlocks>>> rows;  // by launch, of strips
    for (std::size_t number = 0; number < picture.launches.size(); ++number) {
        const GridPanelLayout::Launch& at = d.layout.launch(number);
        draw_host(d, number, picture.launches[number].host_steps, at.from - at.gap, at.gap);
        if (!d.visible(at.from, at.to)) continue;
        draw_launch_frame(d, number);
        if (at.strips)
            rows.emplace_back(number, draw_strips(d, number));
        else
            for (const analysis::GridBlock& block : picture.launches[number].blocks)
                draw_block(d, number, block, names);
    }
    draw_host(d, picture.launches.size(), picture.host_steps, d.layout.past_last(), d.layout.last_gap());
    d.below.flush(scene);
    draw_arcs(d);
    for (std::size_t i = 0; i < picture.launches.size(); ++i) draw_unrecorded(d, i);
    for (const auto& [number, blocks] : rows) draw_row_names(d, number, blocks);
    draw_shown(d);
    draw_names(d, names);
    d.above.flush(scene);
    d.names.flush(scene);
    scene.shapes.emplace_back(ClipEnd{});
    draw_lane_names(d);
    drawn.legend_rows = draw_legend(d);
    drawn.note_lines = draw_note(d);
    d.above.flush(scene);
    return drawn;
}

}  // namespace

GridDrawing grid_drawing(const trace::Trace& trace, const GridPicture& picture, const GridOptions& options) {
    GridDrawing d{.trace = trace, .picture = picture, .options = options, .layout = {picture, options}};
    for (const GridArc& arc : picture.arcs) {
        if (std::ranges::find(d.arrays, arc.buffer) == d.arrays.end()) d.arrays.push_back(arc.buffer);
    }
    return d;
}

bool GridDrawing::visible(double from, double to) const {
    const Box& body = layout.body();
    return to >= static_cast<double>(body.x) - 4 && from <= static_cast<double>(body.right()) + 4;
}

Role GridDrawing::role_of(std::uint32_t buffer) const {
    const auto at = static_cast<std::size_t>(std::ranges::find(arrays, buffer) - arrays.begin());
    return at < array_roles.size() ? array_roles[at] : Role::soft;
}

bool GridDrawing::ended_early() const {
    return trace.is_cut_short() && std::ranges::all_of(trace.findings, [](const trace::Finding& each) {
               return each.kind == trace::Finding::Kind::step_budget;
           });
}

bool GridDrawing::has_unrecorded() const {
    return std::ranges::any_of(picture.launches, [](const GridLaunch& launch) {
        const auto lacks_steps = [](const GridBlock& block) {
            return !block.recorded || block.recorded_until.has_value();
        };
        return launch.unknown > 0 || std::ranges::any_of(launch.blocks, lacks_steps);
    });
}

std::string never_started_text(const GridLaunch& launch, bool cut_short) {
    const std::vector<BlockId>& blocks = launch.never_started;
    if (blocks.empty()) return {};
    const std::string what = cut_short ? "did not run: the run was ended early." : "never started.";
    if (blocks.size() == 1) return fmt::format("Block {} {}", grouped(blocks.front().value), what);
    if (blocks.size() == 2)
        return fmt::format("Blocks {} and {} {}", grouped(blocks.front().value), grouped(blocks.back().value), what);
    const bool contiguous = blocks.back().value - blocks.front().value + 1 == blocks.size();
    if (!contiguous) return fmt::format("{} {}", counted(blocks.size(), "block"), what);
    return fmt::format("Blocks {} to {} {}", grouped(blocks.front().value), grouped(blocks.back().value), what);
}

std::string residency_text(const GridLaunch& launch) {
    if (launch.residency == GridLaunch::Residency::emulated)
        return counted(launch.resident, "block") + " resident at once, in turns";
    if (launch.residency == GridLaunch::Residency::asked) {
        const std::uint64_t each = launch.resident / std::max(launch.multiprocessors, 1U);
        return fmt::format("{}, {}{} on each", counted(launch.multiprocessors, "multiprocessor"),
                           each == 1 ? "" : "at most ", counted(each, "block"));
    }
    return fmt::format("Up to {} resident, as on an {}", counted(launch.resident, "block"), model::emulated_gpu);
}

Scene grid_scene(const trace::Trace& trace, const GridPicture& picture, const GridOptions& options) {
    GridDrawn drawn = draw_grid(trace, picture, options);
    if (drawn.note_lines <= options.note_lines && drawn.legend_rows <= options.legend_rows) return drawn.scene;
    GridOptions with_room = options;
    with_room.note_lines = std::max(options.note_lines, drawn.note_lines);
    with_room.legend_rows = std::max(options.legend_rows, drawn.legend_rows);
    return draw_grid(trace, picture, with_room).scene;
}

}  // namespace lanescope::scene
