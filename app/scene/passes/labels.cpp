#include "scene/passes/draw.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::scene {
namespace {

/// Is a name or number over the columns visible, outside the labels of the rows?
bool among_cells(const PassesGeometry& g, float from, float to) { return from >= g.label_end && to <= g.lanes_begin; }

/// The element's number at its first column, the member's name at the others.
std::string index_of(const analysis::ColumnGroup& group, std::uint32_t column) {
    const std::uint64_t cell = group.cell_of(column), member = cell % group.per_element();
    return member == 0 ? std::to_string(cell / group.per_element()) : "." + group.members[member].name;
}

/// The shortest beginning of the name that no other member's name begins with.
std::string shortest_name(const std::vector<analysis::Member>& members, std::size_t of) {
    const std::string& name = members[of].name;
    for (std::size_t length = 1; length + 1 < name.size(); ++length) {
        const std::string_view begin = std::string_view(name).substr(0, length);
        const auto alike =
            std::ranges::count_if(members, [&](const analysis::Member& each) { return each.name.starts_with(begin); });
        if (alike == 1) return std::string(begin) + "…";
    }
    return name;
}

/// Do the names of an element's members fit over its columns, side by side and beside its number?
bool members_fit(const PassesDrawing& d, const analysis::ColumnGroup& group, float size) {
    constexpr float apart = 4, overhang = 1.4F;  // pitches
    const auto members = static_cast<std::uint32_t>(group.per_element());
    for (std::uint32_t c = 0; c + 1 < std::min(group.count, 2 * members); ++c) {
        const float one = text_width(Font::code, size, index_of(group, group.first_column + c)),
                    next = text_width(Font::code, size, index_of(group, group.first_column + c + 1));
        if ((one + next) / 2 + apart > d.geometry.pitch || std::max(one, next) > overhang * d.geometry.pitch)
            return false;
    }
    return true;
}

/// Columns with a label: one an element, as close together as numbers fit; every member where all of them fit.
std::vector<std::uint32_t> indexed_columns(const PassesDrawing& d, const analysis::ColumnGroup& group, float size) {
    const PassesGeometry& g = d.geometry;
    const auto members = static_cast<std::uint32_t>(group.per_element());
    const bool all = g.index_every == 1 && members_fit(d, group, size);
    const std::uint32_t every = all ? 1 : (g.index_every + members - 1) / members * members;
    std::vector<std::uint32_t> columns;
    for (std::uint32_t c = 0; c < group.count; ++c) {
        if (d.geometry.lead_of(group.first_column + c) != group.first_column + c) continue;
        const bool begins = group.cell_of(group.first_column + c) % members == 0;
        if (columns.empty() ? !begins && !all : group.first_column + c < columns.back() + every) continue;
        columns.push_back(group.first_column + c);
    }
    return columns;
}

/// A picture of one array has no names above its cells: the only name is beside their indices.
void draw_only_name(const PassesDrawing& d, Layer& layer) {
    const PassesGeometry& g = d.geometry;
    if (!g.array_names.empty() || d.picture.groups.size() != 1) return;
    const float size = std::max(smallest_text, 12 * g.scale);
    layer.put(g.label_x, g.indices_y, Anchor::start, {Font::words_medium, size, {Role::text, 0.9F}},
              fitted(Font::words_medium, size, d.picture.groups.front().name, g.label_width));
}

void draw_names(const PassesDrawing& d, Layer& layer) {
    const PassesGeometry& g = d.geometry;
    draw_only_name(d, layer);
    for (const PassesGeometry::ArrayName& name : g.array_names) {
        std::string title = title_of(g, d.options, d.picture.groups[name.group]);
        // A short name such as "a" needs no more than its own width.
        if (name.room < std::min(g.name_size, text_width(Font::words_medium, g.name_size, title))) continue;
        layer.put(name.from, name.upper ? g.upper_names_y : g.names_y, Anchor::start,
                  {Font::words_medium, g.name_size, {Role::text, 0.9F}},
                  fitted(Font::words_medium, g.name_size, std::move(title), name.room));
    }
    for (const analysis::ColumnGroup& group : d.picture.groups) {
        if (group.count > 0 && !g.shows(0, group.first_column)) continue;  // the input above has the same columns
        const float index_size = std::clamp(11 * g.scale, smallest_text, std::max(smallest_text, g.pitch * 0.5F));
        for (const std::uint32_t column : indexed_columns(d, group, index_size)) {
            const float x = g.column_center(column);
            std::string index = index_of(group, column);
            const float half = text_width(Font::code, index_size, index) / 2;
            if (g.pinned() && !among_cells(g, x - half, x + half)) continue;
            const bool hovered = d.options.hovered_column && g.lead_of(*d.options.hovered_column) == column;
            layer.put(x, g.indices_y, Anchor::middle, {Font::code, index_size, {hovered ? Role::text : Role::soft, 1}},
                      std::move(index));
        }
    }
}

/// The bar at the pass that executes next: beside its row, or below the last row where the pass changes no column.
void draw_cursor(const PassesDrawing& d, Layer& layer) {
    const PassesGeometry& g = d.geometry;
    const auto row = d.state.row_reached(d.picture);
    if (!row) return;
    const bool has_row = d.state.phase_of(d.picture.rows[*row]) == Phase::current;
    const bool in_line = !has_row && g.line_between > 0 && d.picture.rows[*row].between;
    const float middle = g.row_middle(*row);
    float height = std::min(g.row_pitch - 4, (g.two_lines ? 30 : 16) * g.scale), y = middle - height / 2;
    if (in_line) {
        height = g.line_between - 4;
        y = g.row_bottom(*row) + 2;
    } else if (!has_row) {
        const bool last = *row + 1 == d.picture.rows.size();
        const float gap = last ? 18 * g.scale : g.gap();
        height = std::max(gap - 6, 4.0F);
        y = g.row_bottom(*row) + 3;
        const float size = std::max(smallest_text, 12 * g.scale);
        const float free =
            (g.two_lines ? 15 * g.scale : size / 2) - g.cell_height / 2;  // labels extend this far below a cell
        if (gap - 2 * std::max(free, 0.0F) >= 1.3F * size)
            layer.put(g.label_x, y + height / 2, Anchor::start, {Font::code, size, {Role::text, 1}},
                      fitted(Font::code, size, d.state.label, g.label_width));
    }
    layer.rects.push_back(rect({g.label_x - 9 * g.scale, y, 3 * g.scale, height}, 1.5F * g.scale, {Role::cursor, 1}));
}

void draw_row_label(const PassesDrawing& d, std::size_t row, Layer& layer) {
    const float alpha = d.state.phase_of(d.picture.rows[row]) == Phase::future ? 0.5F : 1.0F;
    for (RowNameLine& line : row_name(d, row)) {
        layer.put(d.geometry.label_x, line.y, Anchor::start, {line.font, line.size, {line.role, alpha}},
                  std::move(line.text));
    }
}

void draw_lane_count(const PassesDrawing& d, std::size_t row, Layer& layer) {
    const PassesGeometry& g = d.geometry;
    const analysis::PictureRow& r = d.picture.rows[row];
    // All threads loaded the first row, so there is no work above it.
    if (!g.lanes_shown || row == 0) return;
    const float alpha = d.state.phase_of(r) == Phase::future ? 0.5F : 1.0F;
    const float size = std::max(smallest_text, 12 * g.scale);
    const auto put = [&](float y, Font font, Role role, std::string text) {
        layer.put(g.lanes_x, y, Anchor::end, {font, size, {role, alpha}}, std::move(text));
    };
    if (g.two_lines) {
        const float middle = g.gap_top(row) + g.gap() / 2;
        put(middle - 8 * g.scale, Font::words_medium, Role::text, lanes_text(r));
        put(middle + 8 * g.scale, Font::words, Role::soft, lanes_unit(r));
    } else {
        put(g.row_middle(row), Font::words, Role::soft, lanes_text(r));
    }
}

/// The passes after the row that have no row of their own, over the lanes of the next row.
void draw_passes_between(const PassesDrawing& d, std::size_t row, Layer& layer) {
    const PassesGeometry& g = d.geometry;
    if (g.line_between == 0 || !d.picture.rows[row].between) return;
    const Box line{g.label_x, g.row_bottom(row), g.lanes_begin - g.label_x, g.line_between};
    draw_between(d, row, line, layer);
}

/// The background of a row's labels, which covers the cells at the edges of a view that shows only a part.
void draw_margins(const PassesDrawing& d, std::size_t row, Layer& layer) {
    const PassesGeometry& g = d.geometry;
    const float top = row == 0 ? 0 : g.row_bottom(row - 1);
    const float bottom = row + 1 == d.picture.rows.size() ? g.height : g.row_bottom(row);
    const Paint ground = g.pinned() ? Paint{Role::panel, 1} : Paint{};
    Rect left = rect({g.view.x, top, g.label_end - g.view.x, bottom - top}, 0, ground);
    left.ref = {TraceRef::Kind::row, static_cast<std::uint32_t>(row), 1, {}};
    layer.rects.push_back(left);
    if (!g.pinned() || g.lanes_begin >= g.view.right()) return;
    Rect right = rect({g.lanes_begin, top, g.width - g.lanes_begin, bottom - top}, 0, ground);
    right.ref = {TraceRef::Kind::cover, 0, 0, {}};
    layer.rects.push_back(right);
}

}  // namespace

std::vector<std::string> member_names(const analysis::ColumnGroup& group, float size, float room) {
    for (const bool whole : {true, false}) {
        std::vector<std::string> names(group.members.size());
        for (std::size_t of = 1; of < names.size(); ++of)
            names[of] = "." + (whole ? group.members[of].name : shortest_name(group.members, of));
        const auto fits = [&](const std::string& name) { return text_width(Font::code, size, name) <= room; };
        if (std::ranges::all_of(names, fits)) return names;
    }
    return {};
}

namespace {

/// As much of the label as fits. In "stride = 16" the name is cut, because the value distinguishes the passes.
std::string fitted_label(Font font, float size, const std::string& label, float width) {
    const std::size_t sign = label.find(" = ");
    if (sign == std::string::npos || text_width(font, size, label) <= width) return fitted(font, size, label, width);
    const std::string value = label.substr(sign);
    const std::string name =
        fitted(font, size, label.substr(0, sign), std::max(width - text_width(font, size, value), 0.0F));
    return name.empty() || name == "…" ? fitted(font, size, label.substr(sign + 3), width) : name + value;
}

}  // namespace

std::vector<RowNameLine> row_name(const PassesDrawing& d, std::size_t row) {
    const PassesGeometry& g = d.geometry;
    const analysis::PictureRow& r = d.picture.rows[row];
    const float middle = g.row_middle(row);
    const auto line = [&](float y, Font font, float points, Role role, const std::string& text) {
        const float size = std::max(smallest_text, points * g.scale);
        return RowNameLine{y, font, size, role, fitted_label(font, size, text, g.label_width)};
    };
    if (!g.two_lines) return {line(middle, Font::code, 12, Role::text, r.sublabel.empty() ? r.label : r.sublabel)};
    if (r.sublabel.empty() || r.label.empty()) {
        return {line(middle, Font::words_bold, 13, Role::text, r.label.empty() ? r.sublabel : r.label)};
    }
    return {line(middle - 8 * g.scale, Font::words_bold, 13, Role::text, r.label),
            line(middle + 8 * g.scale, Font::code, 12, Role::soft, r.sublabel)};
}

void draw_row_labels(const PassesDrawing& d, Layer& layer, Scene& scene) {
    if (d.geometry.pinned()) layer.flush(scene);
    const auto current = d.state.row_reached(d.picture);
    for (std::size_t row = 0; row < d.picture.rows.size(); ++row) {
        draw_margins(d, row, layer);
        draw_passes_between(d, row, layer);
        if (!d.geometry.labeled(row, current)) continue;
        draw_row_label(d, row, layer);
        draw_lane_count(d, row, layer);
    }
    draw_cursor(d, layer);
}

void draw_column_labels(const PassesDrawing& d, Layer& layer, Scene& scene) {
    const PassesGeometry& g = d.geometry;
    if (g.pinned()) {
        layer.flush(scene);
        Rect top = rect({g.view.x, g.view.y, g.view.width, g.head}, 0, {Role::panel, 1});
        top.ref = {TraceRef::Kind::cover, 0, 0, {}};
        layer.rects.push_back(top);
    }
    draw_names(d, layer);
    // Where rows are one line high, the unit is shown once, at the top.
    if (g.lanes_shown && !g.two_lines)
        layer.put(g.lanes_x, g.indices_y, Anchor::end,
                  {Font::words, std::max(smallest_text, 12 * g.scale), {Role::soft, 1}}, "lanes");
}

}  // namespace lanescope::scene
