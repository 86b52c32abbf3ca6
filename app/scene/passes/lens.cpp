#include "scene/passes/draw.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::scene {
namespace {

/// The row whose cells are at the point or nearest to it, if the point is among the rows.
std::optional<std::size_t> row_under(const PassesDrawing& d, float y) {
    const PassesGeometry& g = d.geometry;
    const float reach = std::min(g.gap() / 2, 8.0F);
    for (std::size_t row = 0; row < d.picture.rows.size(); ++row)
        if (y >= g.row_top(row) - reach && y < g.row_bottom(row) + reach) return row;
    return std::nullopt;
}

/// Is every value of the row readable in place?
bool all_values_shown(const PassesDrawing& d, std::size_t row) {
    if (d.geometry.density != Density::values) return false;
    return std::ranges::all_of(d.picture.groups, [&](const analysis::ColumnGroup& group) {
        for (std::uint32_t c = group.first_column; c < group.first_column + group.count; ++c) {
            const std::string text = value_text(group, c, d.picture.rows[row].cells[c]);
            if (size_to_fit(Font::code, text, d.geometry.cell_width - 4, 15, smallest_text) == 0) return false;
        }
        return true;
    });
}

}  // namespace

void draw_lens(const PassesDrawing& d, Layer& layer) {
    const PassesGeometry& g = d.geometry;
    if (d.options.lens_x < 0 || d.options.lens_y < 0 || d.picture.columns == 0) return;
    const auto row = row_under(d, d.options.lens_y);
    if (!row || all_values_shown(d, *row)) return;
    const Box left = g.cell(*row, g.column_at(*row, 0)), right = g.cell(*row, g.column_at(*row, g.width));
    if (d.options.lens_x < left.x - 8 || d.options.lens_x > right.right() + 8) return;

    // The cell under the mouse and as many of its neighbors as fit into two thirds of the panel.
    const std::uint32_t under = g.column_at(*row, d.options.lens_x);
    const analysis::ColumnGroup& group = d.picture.group_of(under);
    const auto stretch = std::ranges::find_if(
        g.stretches, [&](const auto& columns) { return columns.first <= under && under < columns.past_last; });
    // The parts of one value are lines of the lens, too.
    std::vector<std::uint32_t> parts{0};  // columns from the first part
    for (const analysis::JointValue& value : d.options.joint) {
        if (!value.place_of(under)) continue;
        parts.clear();
        for (const std::uint32_t first : value.first_columns) parts.push_back(first - value.first_columns.front());
    }
    const float text = std::max(13 * g.scale, smallest_text), space = 4, padding = 10;
    std::size_t longest = 2;
    const auto& cells = d.picture.rows[*row].cells;
    const std::uint32_t around = 12;
    const std::uint32_t low = under - std::min(around, under - stretch->first);
    const std::uint32_t high = std::min(under + around, stretch->past_last - 1);
    for (std::uint32_t c = low; c <= high; ++c) {
        for (const std::uint32_t part : parts) {
            longest = std::max(longest, value_text(d.picture.group_of(c + part), c + part, cells[c + part]).size());
        }
        if (!group.members.empty()) longest = std::max(longest, group.index_text(group.cell_of(c)).size());
    }
    const float character = text_width(Font::code_bold, text, "0");
    const float cell_width = std::max(38 * g.scale, character * static_cast<float>(longest) + 12);
    const float room = std::min(g.view.width * 0.66F, g.view.width - 24);
    const auto fitting =
        static_cast<std::uint32_t>(std::max(1.0F, (room - 2 * padding + space) / (cell_width + space)));
    const std::uint32_t count = std::min({fitting, 17U, stretch->past_last - stretch->first});
    std::uint32_t first = under - std::min(count / 2, under - stretch->first);
    first = std::min(first, stretch->past_last - count);

    const auto lines = static_cast<float>(parts.size());
    const float line_height = (parts.size() > 1 ? 22 : 28) * g.scale, cell_height = line_height * lines;
    const float index_height = 16 * g.scale;
    const float width = static_cast<float>(count) * (cell_width + space) - space + 2 * padding;
    const float height = index_height + cell_height + 2 * padding - 4;
    const Box shown = g.columns(*row, first, first + count - 1);
    const float leftmost = g.view.x + 8;
    Box box{snapped(std::clamp(shown.center_x() - width / 2, leftmost, std::max(leftmost, g.view.right() - width - 8))),
            0, width, height};
    // Below its row, or above it where there is no room, so that the row itself stays visible.
    box.y = snapped(shown.bottom() + 10 * g.scale);
    const bool above = box.bottom() > g.view.bottom() - 4 && shown.y - 10 * g.scale - height >= g.view.y + 4;
    if (above) box.y = snapped(shown.y - 10 * g.scale - height);

    const Paint outline{Role::selected, 1};
    const float edge = above ? box.bottom() : box.y;
    const float from = above ? shown.y - 2 : shown.bottom() + 2;
    layer.curves.push_back(line(shown.x, from, std::clamp(shown.x, box.x + 8, box.right() - 8), edge, outline, 1));
    layer.curves.push_back(
        line(shown.right(), from, std::clamp(shown.right(), box.x + 8, box.right() - 8), edge, outline, 1));
    layer.rects.push_back(ring(shown, 2, 0.5F, outline, 1.5F));
    Rect frame = rect(box, 8, {Role::panel, 1}, outline, 2);
    frame.ref = {TraceRef::Kind::lens, 0, 0, {}};
    layer.rects.push_back(frame);

    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t column = first + i;
        const Box cell{box.x + padding + static_cast<float>(i) * (cell_width + space),
                       box.bottom() - padding - cell_height, cell_width, cell_height};
        Box line{cell.x, cell.y, cell.width, line_height};
        for (const std::uint32_t part : parts) {
            draw_cell(d, *row, column + part, line, text, layer);
            line.y += line_height;
        }
        if (column == under) layer.rings.push_back(ring(cell, 5, 0, {Role::text, 0.8F}, 1.5F));
        layer.put(cell.center_x(), box.y + padding - 2 + index_height / 2 - 3, Anchor::middle,
                  {Font::code, std::max(smallest_text, 10.5F * g.scale), {Role::soft, 1}},
                  group.index_text(group.cell_of(column)));
    }
}

}  // namespace lanescope::scene
