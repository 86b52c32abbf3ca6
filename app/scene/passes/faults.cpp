// The faults of the block at their places: a dashed outline around the cell and a sign at its corner; a fault without a
// cell is beside the name of its pass.
#include "scene/passes/draw.h"

#include <algorithm>
#include <set>

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
    layer.texts.push_back(text_at(x, y, Anchor::middle,
                                  {Font::code_bold, std::max(smallest_text, 11 * scale), {Role::on_cost, alpha}}, "!"));
}

}  // namespace

void draw_fault(const PassesDrawing& d, const analysis::FaultMark& mark, std::optional<Box> cell, Point beside,
                Layer& layer) {
    const float alpha = mark.step < d.options.position ? 1.0F : 0.55F;
    if (!cell) return draw_sign(beside.x, beside.y, d.geometry.scale, alpha, mark.finding, layer);
    Rect outline = ring(*cell, d.geometry.radius, 3, {Role::cost, alpha}, 2);
    outline.dashed = true;
    outline.ref = {TraceRef::Kind::none, 0, 0, {}};
    layer.rings.push_back(outline);
    draw_sign(cell->right() + 1, cell->y - 2, d.geometry.scale, alpha, mark.finding, layer);
}

void draw_faults(const PassesDrawing& d, Layer& layer) {
    const PassesGeometry& g = d.geometry;
    std::set<std::pair<std::uint32_t, std::optional<std::uint32_t>>> marked;
    for (const analysis::FaultMark& mark : d.options.faults) {
        if (mark.row >= d.picture.rows.size() || !marked.insert({mark.row, mark.column}).second) continue;
        const RowNameLine name = row_name(d, mark.row).front();
        const Point beside{g.label_x + text_width(name.font, name.size, name.text) + 13 * g.scale, name.y};
        std::optional<Box> cell;
        if (mark.column && *mark.column < d.picture.columns) cell = g.cell(mark.row, *mark.column);
        draw_fault(d, mark, cell, beside, layer);
    }
}

}  // namespace lanescope::scene
