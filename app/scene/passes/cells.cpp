#include "scene/passes/draw.h"
#include "scene/passes/runs.h"
#include "scene/passes/short_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace lanescope::scene {
namespace {

using analysis::Cell;
using analysis::PictureRow;

constexpr float narrow_cell = 30, least_valued_width = 14;

/// How much of the cell's executed look it has: 1 = executed, `ghost` = not yet.
float presence(const PassesDrawing& d, const PictureRow& row, const Cell& cell) {
    const Phase phase = d.state.phase_of(row);
    if (phase == Phase::future) return ghost;
    if (phase == Phase::current && cell.written && !d.state.done(cell.writer, phase)) return not_yet;
    return 1;
}

TraceRef reference(const Cell& cell, std::size_t row, std::uint32_t column, std::uint32_t span = 1) {
    return {TraceRef::Kind::cell, static_cast<std::uint32_t>(row), column, cell.writer, span};
}

struct CellPaint {
    Paint fill{}, stroke{}, hatch{}, text{};
    bool dashed = false, bold = false;
};

CellPaint paint_of(CellLook look, float presence) {
    const auto p = [presence](Role role, float alpha = 1) { return Paint{role, alpha * presence}; };
    // Cells not yet executed are faint, but readable.
    const auto ink = [presence](Role role, float alpha = 1) {
        return presence < 1 ? Paint{Role::text, presence + 0.24F} : Paint{role, alpha};
    };
    switch (look) {
        case CellLook::unknown: return {.stroke = p(Role::line, 0.9F), .dashed = true};
        case CellLook::dead:
            return {.fill = p(Role::raised, 0.6F), .stroke = p(Role::line, 0.6F), .text = ink(Role::soft, 0.9F)};
        case CellLook::alive: return {.fill = p(Role::raised), .stroke = p(Role::line), .text = ink(Role::text)};
        case CellLook::moved:
            return {.fill = p(Role::useful, moved_tint), .stroke = p(Role::useful), .text = ink(Role::text)};
        case CellLook::computed: return {.fill = p(Role::useful), .text = ink(Role::on_useful), .bold = true};
        case CellLook::wasted:
            return {.fill = p(Role::raised),
                    .stroke = p(Role::useful),
                    .hatch = p(Role::soft, 0.24F),
                    .text = ink(Role::soft)};
    }
    std::unreachable();
}

/// Outlines for what a cell's look does not show: executing now, selected, under the mouse. Around a cell without a
/// value they are thin; outline_runs() shows there what is executing now.
void outline(const PassesDrawing& d, std::size_t row, std::uint32_t column, const Box& box, float radius, bool thin,
             Layer& layer) {
    const PictureRow& r = d.picture.rows[row];
    const Cell& cell = r.cells[column];
    const float s = thin ? 1 : std::max(d.geometry.scale, 1.0F);
    const bool itself = cell.value == d.state.past.selected;
    const bool lit = d.lit(row, column);
    if (lit)
        layer.rings.push_back(
            ring(box, radius, 0, {Role::selected, 1}, (itself && cell.written && !thin ? 2.5F : 1.5F) * s));
    if (!thin && cell.written && d.state.phase_of(r) == Phase::current)
        layer.rings.push_back(d.grids ? ring(box, radius, lit ? -2.5F * s : 0, {Role::cursor, 0.8F}, s)
                                      : ring(box, radius, lit ? 2.5F * s : 0.5F, {Role::cursor, 1}, 2 * s));
    if (d.hovered(row, column))
        layer.rings.push_back(ring(box, radius, thin ? 0 : -1.5F * s, {Role::text, 0.8F}, 1.5F * s));
}

/// A value in a narrow cell gets every point.
float room_for_value(const analysis::ColumnGroup& group, const Box& box) {
    return box.width - (group.lanes ? 6.0F : box.width < narrow_cell ? 1.5F : 4.0F);
}

/// Does a cell of that height have room for a part of the value that identifies it?
bool tells_value(const PassesDrawing& d, std::size_t row, std::uint32_t column, const Box& box) {
    const analysis::ColumnGroup& group = d.picture.group_of(column);
    const std::string text = value_text(group, column, d.picture.rows[row].cells[column]);
    const float room = room_for_value(group, box);
    return size_to_fit(Font::code, text, room, smallest_text, smallest_text) > 0 ||
           !short_value(text, Font::code, room, box.height).empty();
}

/// Colors say more than a row of ellipses.
void draw_valued_cells(const PassesDrawing& d, std::size_t row, Layer& layer) {
    std::size_t known = 0, told = 0;
    for (std::uint32_t c = 0; c < d.picture.columns; ++c) {
        if (!d.geometry.shows(row, c) || !d.picture.rows[row].cells[c].known) continue;
        ++known;
        told += tells_value(d, row, c, d.geometry.cell(row, c)) ? 1 : 0;
    }
    const bool values = 2 * told >= known;
    for (std::uint32_t c = 0; c < d.picture.columns; ++c) {
        if (!d.geometry.shows(row, c)) continue;
        const Box box = d.geometry.cell(row, c);
        if (values)
            draw_cell(d, row, c, box, d.geometry.value_size, layer);
        else
            draw_colored_cell(d, row, c, box, 2, layer);
    }
}

Paint color_of(CellLook look, float presence) {
    switch (look) {
        case CellLook::unknown:
        case CellLook::dead: return {};
        case CellLook::alive: return {Role::soft, 0.22F * presence};
        case CellLook::moved: return {Role::useful, moved_tint * presence};
        case CellLook::computed: return {Role::useful, presence};
        case CellLook::wasted: return {};
    }
    std::unreachable();
}

/// The strip behind known cells makes a row one shape; it has gaps where no value was ever written.
void draw_strips(const PassesDrawing& d, std::size_t row, Layer& layer) {
    const PictureRow& r = d.picture.rows[row];
    const float alpha = d.state.phase_of(r) == Phase::future ? 0.45F : 1.0F;
    for (const auto& [begin, past_last] : d.geometry.stretches) {
        if (!d.geometry.shows(row, begin) || d.geometry.is_roomy(begin)) continue;
        for (std::uint32_t c = begin; c < past_last;) {
            const std::uint32_t first = c;
            const bool known = r.cells[c].known;
            while (c < past_last && r.cells[c].known == known) ++c;
            const Paint paint = known ? Paint{Role::raised, alpha} : Paint{};
            Rect strip = rect(d.geometry.columns(row, first, c - 1), d.geometry.radius, paint,
                              known ? Paint{} : Paint{Role::line, 0.5F * alpha});
            strip.ref = reference(r.cells[first], row, first, c - first);
            layer.rects.push_back(strip);
        }
    }
}

void draw_colored_cells(const PassesDrawing& d, std::size_t row, Layer& layer) {
    const PictureRow& r = d.picture.rows[row];
    draw_strips(d, row, layer);
    for (std::uint32_t c = 0; c < d.picture.columns; ++c) {
        if (!d.geometry.shows(row, c) || d.geometry.is_roomy(c)) continue;
        const Cell& cell = r.cells[c];
        const CellLook look = look_of(r, cell, c);
        const float here = presence(d, r, cell);
        Rect shape = rect(d.geometry.cell(row, c), d.geometry.radius, color_of(look, here));
        if (look == CellLook::wasted) {
            shape.hatch = {Role::useful, 0.8F * here};
            shape.stroke = {Role::useful, 0.8F * here};
        }
        if (shape.fill.visible() || shape.hatch.visible()) {
            shape.ref = reference(cell, row, c);
            layer.rects.push_back(shape);
        }
        outline(d, row, c, d.geometry.cell(row, c), d.geometry.radius, true, layer);
    }
}

/// The number of cells with each look, of those that share a bar.
struct Bar {
    std::array<std::uint32_t, 6> looks{};
    std::uint32_t cells = 0;
    bool lit = false;
    float presence = 1;

    [[nodiscard]] float share(CellLook look) const {
        return static_cast<float>(looks[static_cast<std::size_t>(look)]) / static_cast<float>(cells);
    }
    friend bool operator==(const Bar&, const Bar&) = default;
};

void draw_bar(const Bar& bar, Box box, Layer& layer) {
    box.width = std::max(box.width, 2.0F);
    // If any of its cells was computed, the whole bar is tinted, because arcs end on it and one cell of many must be
    // visible. From the bottom up: the shares of computed, wasted and moved cells.
    if (const float share = bar.share(CellLook::computed); share > 0 && share < 1)
        layer.rects.push_back(rect(box, 0, {Role::useful, 0.3F * bar.presence}));
    float floor = box.bottom();
    const auto stack = [&](CellLook look, Paint fill, Paint hatch) {
        const float share = bar.share(look);
        if (share <= 0) return;
        const float height = std::min(std::max(share * box.height, 2.0F), floor - box.y);
        floor -= height;
        Rect piece = rect({box.x, floor, box.width, height}, 0, fill);
        piece.hatch = hatch;
        layer.rects.push_back(piece);
    };
    stack(CellLook::computed, {Role::useful, bar.presence}, {});
    stack(CellLook::wasted, {Role::useful, 0.2F * bar.presence}, {Role::useful, 0.8F * bar.presence});
    stack(CellLook::moved, {Role::useful, moved_tint * bar.presence}, {});
    stack(CellLook::alive, {Role::soft, 0.22F * bar.presence}, {});
    if (bar.lit) layer.rings.push_back(ring(box, 0, 0, {Role::selected, 1}, 1));
}

void draw_bars(const PassesDrawing& d, std::size_t row, Layer& layer) {
    const PictureRow& r = d.picture.rows[row];
    draw_strips(d, row, layer);
    // A power of two, so that power-of-two strides give even bars.
    const std::uint32_t each = std::bit_ceil(static_cast<std::uint32_t>(std::ceil(1.5F / d.geometry.pitch)));
    for (const auto& [begin, past_last] : d.geometry.stretches) {
        if (!d.geometry.shows(row, begin) || d.geometry.is_roomy(begin)) continue;
        const auto bar_at = [&](std::uint32_t first) {
            Bar bar;
            for (std::uint32_t c = first; c < std::min(first + each, past_last); ++c, ++bar.cells) {
                ++bar.looks[static_cast<std::size_t>(look_of(r, r.cells[c], c))];
                bar.lit = bar.lit || d.lit(row, c);
                bar.presence = std::min(bar.presence, presence(d, r, r.cells[c]));
            }
            return bar;
        };
        // Equal adjacent rectangles are merged.
        for (std::uint32_t c = begin; c < past_last;) {
            const std::uint32_t first = c;
            const Bar bar = bar_at(c);
            do c += each;
            while (c < past_last && bar_at(c) == bar);
            draw_bar(bar, d.geometry.columns(row, first, std::min(c, past_last) - 1), layer);
        }
    }
}

/// Where cells are too small for a ring each: a ring around every run that the current pass writes or, where there are
/// too many runs, one around them all.
void outline_runs(const PassesDrawing& d, std::size_t row, Layer& layer) {
    const PictureRow& r = d.picture.rows[row];
    if (d.state.phase_of(r) != Phase::current) return;
    std::vector<Box> runs;
    for (const auto& [begin, past_last] : d.geometry.stretches) {
        if (!d.geometry.shows(row, begin)) continue;
        for (std::uint32_t c = begin; c < past_last; ++c) {
            if (!r.cells[c].written) continue;
            const std::uint32_t first = c;
            while (c + 1 < past_last && r.cells[c + 1].written) ++c;
            runs.push_back(d.geometry.columns(row, first, c));
        }
    }
    if (runs.empty()) return;
    Box around = runs.front();
    for (const Box& run : runs) {
        const float right = std::max(around.right(), run.right()), bottom = std::max(around.bottom(), run.bottom());
        around.x = std::min(around.x, run.x), around.y = std::min(around.y, run.y);
        around.width = right - around.x, around.height = bottom - around.y;
    }
    if (around.width / static_cast<float>(runs.size()) < 12) runs = {around};
    for (const Box& run : runs) layer.rings.push_back(ring(run, d.geometry.radius, 0, {Role::cursor, 1}, 1.5F));
}

}  // namespace

const analysis::Node* last_node(const PictureRow& row, std::uint32_t column) {
    const auto after = std::ranges::upper_bound(row.nodes, column, {}, &analysis::Node::column);
    return after != row.nodes.begin() && (after - 1)->column == column ? &*(after - 1) : nullptr;
}

CellLook look_of(const PictureRow& row, const Cell& cell, std::uint32_t column) {
    if (!cell.known) return CellLook::unknown;
    if (!cell.written) return cell.read_again ? CellLook::alive : CellLook::dead;
    if (!cell.useful) return CellLook::wasted;
    const analysis::Node* node = last_node(row, column);
    // A copy from another place is a swap or a transpose; a copy in place is only carried over.
    const bool comes_from_elsewhere =
        cell.copied && node != nullptr &&
        std::ranges::any_of(node->sources, [](const analysis::Source& source) { return !source.own; });
    // Directly from global memory or the code; an atomic's result with a constant comes from both.
    const bool loaded =
        node != nullptr && (node->from_global || node->immediate) && !node->combines && node->sources.empty();
    const bool moved = cell.copied || loaded;
    return moved && !comes_from_elsewhere ? CellLook::moved : CellLook::computed;
}

void draw_cell(const PassesDrawing& d, std::size_t row, std::uint32_t column, const Box& box, float most,
               Layer& layer) {
    const PictureRow& r = d.picture.rows[row];
    const Cell& cell = r.cells[column];
    const analysis::ColumnGroup& group = d.picture.group_of(column);
    const CellPaint paint = paint_of(look_of(r, cell, column), presence(d, r, cell));
    const float radius = group.lanes ? box.height / 2 : std::min(5.0F, box.height / 6);

    Rect shape = rect(box, radius, paint.fill, paint.stroke);
    shape.hatch = paint.hatch;
    shape.dashed = paint.dashed;
    shape.ref = reference(cell, row, column);
    layer.rects.push_back(shape);
    outline(d, row, column, box, radius, false, layer);

    std::string text = value_text(group, column, cell);
    const Font font = paint.bold ? Font::code_bold : Font::code;
    const float room = room_for_value(group, box);
    if (cell.replaced) {
        const std::string both =
            trace::text_of(group.element_of(group.cell_of(column)), cell.replaced_bits) + "→" + text;
        if (size_to_fit(font, both, room, most, smallest_text) > 0) text = both;
    }
    const float size = size_to_fit(font, text, room, most, smallest_text);
    if (size > 0) {
        layer.texts.push_back(text_in(box, {font, size, paint.text}, std::move(text)));
        return;
    }
    // Long values are shortened rather than made too small; the lens and the tooltip show all of it.
    const bool is_line = !d.geometry.lines.empty() && d.geometry.lines[column].of > 1;  // of a value's cell
    std::vector<std::string> lines = short_value(text, font, room, is_line ? 0 : box.height);
    if (lines.empty() && cell.known) lines = {"…"};  // there is a value, but not enough room for it
    put_lines(layer, box, {font, most, paint.text}, lines, room);
}

void draw_colored_cell(const PassesDrawing& d, std::size_t row, std::uint32_t column, const Box& box, float radius,
                       Layer& layer) {
    const PictureRow& r = d.picture.rows[row];
    const Cell& cell = r.cells[column];
    const CellLook look = look_of(r, cell, column);
    const float here = presence(d, r, cell);
    const CellPaint paint = paint_of(look, here);
    Rect shape = rect(box, radius, paint.fill, {});
    if (look == CellLook::alive) shape.fill = {Role::soft, 0.3F * here};
    if (look == CellLook::unknown) shape.stroke = {Role::line, 0.5F * here};
    if (look == CellLook::wasted) shape.hatch = shape.stroke = {Role::useful, 0.8F * here};
    shape.ref = reference(cell, row, column);
    layer.rects.push_back(shape);
    outline(d, row, column, box, radius, true, layer);
}

void draw_halo(const PassesDrawing& d, std::uint32_t row, const CellPlace& place, Layer& layer) {
    std::vector<Box> cells;
    for (std::uint32_t c = 0; c < d.picture.halo.size(); ++c) {
        if (!d.picture.halo[c] || !d.picture.rows[row].cells[c].known) continue;
        if (const auto cell = place(row, c)) cells.push_back(*cell);
    }
    const float alpha = d.state.phase_of(d.picture.rows[row]) == Phase::future ? ghost : 1;
    for (const Box& run : runs_of(cells))
        layer.rings.push_back(ring(run, d.geometry.radius, d.grids ? 0 : 1, {Role::text, 0.85F * alpha}, 1.75F));
}

void draw_cells(const PassesDrawing& d, std::size_t row, Layer& layer) {
    switch (d.geometry.density) {
        case Density::values: draw_valued_cells(d, row, layer); return;
        case Density::cells: draw_colored_cells(d, row, layer); break;
        case Density::bars: draw_bars(d, row, layer); break;
    }
    for (std::uint32_t c = 0; c < d.geometry.own_pitch.size(); ++c) {  // empty where no array has a pitch of its own
        if (!d.geometry.is_roomy(c) || !d.geometry.shows(row, c)) continue;
        const Box box = d.geometry.cell(row, c);
        if (box.height >= smallest_text + 2 && box.width >= least_valued_width)
            draw_cell(d, row, c, box, smallest_text, layer);
        else
            draw_colored_cell(d, row, c, box, 2, layer);
    }
    outline_runs(d, row, layer);
}

}  // namespace lanescope::scene
