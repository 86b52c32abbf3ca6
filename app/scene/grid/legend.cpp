#include "analysis/panels/program_lines.h"
#include "base/grouped.h"
#include "scene/grid/draw.h"
#include "scene/grid_scene.h"
#include "scene/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace lanescope::scene {

using analysis::GridArc;
using analysis::GridBlock;
using analysis::GridLaunch;

namespace {

bool has_host_steps(const analysis::GridPicture& picture) {
    return !picture.host_steps.empty() ||
           std::ranges::any_of(picture.launches, [](const GridLaunch& launch) { return !launch.host_steps.empty(); });
}

}  // namespace

std::size_t draw_legend(GridDrawing& d) {
    LegendRow row(d.above, d.layout.height() - d.layout.legend_height() + 14, d.options.width - panel_padding, true);
    const auto boxed = [&](const Rect& shape) { d.above.rects.push_back(shape); };
    bool waits = false;
    for (const GridLaunch& launch : d.picture.launches)
        for (const GridBlock& block : launch.blocks) waits = waits || !block.waits.empty();
    row.add("block", [&](const Box& box) { boxed(rect(box, 3, {Role::useful, 0.34F}, {Role::useful, 0.9F})); });
    if (waits) {
        row.add("waits for another block", [&](const Box& box) {
            Rect pause = rect(box, 0, {Role::panel, 0.9F}, {Role::useful, 0.5F});
            pause.hatch = {Role::soft, 0.9F};
            boxed(pause);
        });
    }
    const auto stalls = [](const GridBlock& block) { return block.stall.has_value(); };
    const auto some_stall = [&](const GridLaunch& launch) { return std::ranges::any_of(launch.blocks, stalls); };
    if (std::ranges::any_of(d.picture.launches, some_stall)) {
        row.add("stalled on request", [&](const Box& box) {
            Rect pause = rect(box, 0, {Role::panel, 0.9F}, {Role::cost, 0.9F});
            pause.dashed = true;
            boxed(pause);
        });
    }
    if (d.has_unrecorded()) {
        row.add("not recorded", [&](const Box& box) {
            Rect bar = rect(box, 3, {Role::soft, 0.16F}, {Role::soft, 0.7F});
            bar.dashed = true;
            boxed(bar);
        });
    }
    if (!d.layout.host_is_written() && has_host_steps(d.picture))
        row.add("step of the host", [&](const Box& box) {
            boxed(rect({box.x + box.width / 2 - 3, box.y + box.height / 2 - 3, 6, 6}, 1, {Role::soft, 1}));
        });
    if (d.options.shown)
        row.add("on screen", [&](const Box& box) { d.above.rings.push_back(ring(box, 4, 0, {Role::cursor, 1}, 2)); });
    for (const bool atomic : {false, true}) {
        for (const std::uint32_t buffer : d.arrays) {
            const auto is_this = [&](const GridArc& arc) { return arc.buffer == buffer && arc.atomic == atomic; };
            if (std::ranges::none_of(d.picture.arcs, is_this)) continue;
            const std::string name = d.trace.buffers[buffer].name;
            row.add(atomic ? name + ", atomic" : name, [&](const Box& box) {
                const float y = box.y + box.height / 2;
                Curve stroke = line(box.x, y, box.right() - 2, y, {d.role_of(buffer), 1}, 2);
                stroke.dashed = atomic;
                d.above.curves.push_back(stroke);
                Circle end;
                end.x = box.right() - 2, end.y = y, end.radius = 3, end.fill = {d.role_of(buffer), 1};
                d.above.circles.push_back(end);
            });
        }
    }
    return row.rows();
}

std::size_t draw_note(GridDrawing& d) {
    std::string text = analysis::partial_run_text(d.trace);
    text += text.empty() ? "Time in instructions of a warp." : " Time in instructions of a warp.";
    const std::size_t shown = d.options.shown ? d.options.shown->first : 0;
    if (shown < d.picture.launches.size()) {
        const GridLaunch& launch = d.picture.launches[shown];
        text += ' ' + residency_text(launch);
        const std::uint64_t blocks = d.trace.launches[shown].grid.count();
        if (launch.residency == GridLaunch::Residency::device && launch.resident > 0 && blocks > launch.resident)
            text += fmt::format(": {} are {:.1f} waves", counted(blocks, "block"),
                                static_cast<double>(blocks) / static_cast<double>(launch.resident));
        if (const trace::BlockOrder& order = d.trace.launches[shown].residency.order; !order.usual())
            text += fmt::format(", start order: {}", trace::text_of(order));
        text += '.';
        if (!launch.never_started.empty()) text += ' ' + never_started_text(launch, d.ended_early());
        const std::uint32_t each = d.layout.launch(shown).each, joined = d.layout.launch(shown).slots_a_row;
        if (d.layout.launch(shown).lanes > 0 && joined > 1) {
            text += fmt::format(" A row is {}; its color is stronger where more of their slots are in use.",
                                counted(joined / each, "multiprocessor"));
        } else if (d.layout.launch(shown).strips && joined > 1) {
            text += fmt::format(" A row is {}; its color is stronger where more of them run at once.",
                                counted(joined, "resident block"));
        }
        if (launch.unknown > 0)
            text += fmt::format(" The instructions of {} are not known.", counted(launch.unknown, "further block"));
    }
    if (d.picture.through_host) text += " No arcs lead through the host: what it computes is not traced.";
    if (d.has_unrecorded()) text += " Arcs: recorded blocks only.";
    if (d.layout.tracks() > 0) {
        text += fmt::format(" {}{}, counted by array below the blocks; zoomed in, each is drawn.",
                            d.picture.arcs_left_out ? "More than " : "", counted(d.picture.arcs.size(), "arc"));
    } else if (d.seen_arcs > most_arcs || d.picture.arcs_left_out)
        text += fmt::format(" Of {}{}, {} are drawn.", d.picture.arcs_left_out ? "more than " : "",
                            counted(d.picture.arcs.size(), "arc"), grouped(std::min(d.seen_arcs, most_arcs)));
    const float room = std::max(d.options.width - 2 * panel_padding, 1.0F);
    const std::vector<std::string> lines = wrapped(Font::words, grid_text::key, text, room);
    float y =
        d.layout.height() - d.layout.legend_height() + d.layout.further_legend_rows() + GridPanelLayout::legend - 14;
    for (std::size_t i = 0; i < std::min(lines.size(), d.options.note_lines); ++i) {
        d.above.put(panel_padding, y, Anchor::start, {Font::words, grid_text::key, {Role::soft, 1}}, lines[i]);
        y += GridPanelLayout::note_line;
    }
    return lines.size();
}

}  // namespace lanescope::scene
