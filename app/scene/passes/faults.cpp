// The faults of the block at their places: a dashed outline around the cells, one for adjacent cells, and a sign at the
// first; a fault without a cell has its sign beside the name of its pass.
#include "scene/passes/draw.h"
#include "scene/passes/runs.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace lanescope::scene {
namespace {

void draw_sign(float x, float y, float scale, float alpha, std::size_t finding, Layer& layer) {
    Circle sign;
    sign.x = x, sign.y = y, sign.radius = std::max(7.0F, 7.5F * scale);
    sign.fill = {Role::cost, alpha};
    sign.stroke = {Role::panel, 1};
    sign.stroke_width = 1.5F;
    sign.ref = {TraceRef::Kind::fault, static_cast<std::uint32_t>(finding), 0, {}};
    layer.circles.push_back(sign);
    layer.put(x, y, Anchor::middle, {Font::code_bold, std::max(smallest_text, 11 * scale), {Role::on_cost, alpha}},
              "!");
}

}  // namespace

void draw_faults(const PassesDrawing& d, const CellPlace& place, const RowPlace& beside, Layer& layer) {
    constexpr float ahead = 0.55F;                                  // the alpha of marks that are not executed yet
    std::map<std::uint32_t, std::map<std::uint32_t, bool>> marked;  // by row and column, whether executed
    for (const analysis::FaultMark& mark : d.options.faults) {
        if (mark.row >= d.picture.rows.size() || !mark.column || *mark.column >= d.picture.columns) continue;
        bool& executed = marked[mark.row][*mark.column];
        executed = executed || mark.step < d.options.position;
    }
    for (const auto& [row, columns] : marked) {
        for (const bool executed : {true, false}) {
            std::vector<Box> cells;
            for (const auto& [column, is_executed] : columns) {
                const auto cell = executed == is_executed ? place(row, column) : std::nullopt;
                if (cell) cells.push_back(*cell);
            }
            for (const Box& run : runs_of(cells)) {
                Rect outline = ring(run, d.geometry.radius, d.grids ? 1 : 3, {Role::cost, executed ? 1 : ahead}, 2);
                outline.dashed = true;
                outline.ref = {TraceRef::Kind::none, 0, 0, {}};
                layer.rings.push_back(outline);
            }
        }
    }
    std::set<std::pair<std::uint32_t, std::optional<std::uint32_t>>> signs;
    for (const analysis::FaultMark& mark : d.options.faults) {
        if (mark.again || mark.row >= d.picture.rows.size() || !signs.insert({mark.row, mark.column}).second) continue;
        const float alpha = mark.step < d.options.position ? 1.0F : ahead;
        std::optional<Box> cell;
        if (mark.column && *mark.column < d.picture.columns) cell = place(mark.row, *mark.column);
        const Point at = cell ? Point{cell->right() + 1, cell->y - 2} : beside(mark.row);
        draw_sign(at.x, at.y, d.geometry.scale, alpha, mark.finding, layer);
    }
}

void draw_faults(const PassesDrawing& d, Layer& layer) {
    const PassesGeometry& g = d.geometry;
    draw_faults(
        d, [&](std::uint32_t row, std::uint32_t column) { return std::optional(g.cell(row, column)); },
        [&](std::uint32_t row) {
            const RowNameLine name = row_name(d, row).front();
            return Point{g.label_x + text_width(name.font, name.size, name.text) + 13 * g.scale, name.y};
        },
        layer);
}

}  // namespace lanescope::scene
