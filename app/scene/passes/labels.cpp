#include "scene/passes/draw.h"

#include <algorithm>

namespace lanescope::scene {
namespace {

std::string title_of(const analysis::ColumnGroup& group) {
    return group.folded ? group.name + ", two buffers folded" : group.name;
}

void draw_names(const PassesDrawing& d, Layer& layer) {
    const PassesGeometry& g = d.geometry;
    const float size = std::max(smallest_text, 12 * g.scale);
    for (const analysis::ColumnGroup& group : d.picture.groups) {
        if (g.names_y > 0 && group.count > 0) {
            const Box box = g.columns(0, group.first_column, group.first_column + group.count - 1);
            const float inset = (g.pitch - g.cell_width) / 2;
            layer.texts.push_back(text_at(box.x + inset, g.names_y, Anchor::start,
                                          {Font::words_medium, size, {Role::text, 0.9F}},
                                          fitted(Font::words_medium, size, title_of(group), box.width + 14 * g.scale)));
        }
        const float index_size = std::clamp(11 * g.scale, smallest_text, std::max(smallest_text, g.pitch * 0.5F));
        for (std::uint32_t c = 0; c < group.count; c += g.index_every) {
            const std::uint32_t column = group.first_column + c;
            const bool hovered = d.options.hovered_column == column;
            layer.texts.push_back(text_at(g.column_center(column), g.indices_y, Anchor::middle,
                                          {Font::code, index_size, {hovered ? Role::text : Role::soft, 1}},
                                          std::to_string(group.first_index + c)));
        }
    }
}

void draw_row_label(const PassesDrawing& d, std::size_t row, Layer& layer) {
    const PassesGeometry& g = d.geometry;
    const analysis::PictureRow& r = d.picture.rows[row];
    const Phase phase = d.state.phase_of(r);
    const float alpha = phase == Phase::future ? 0.5F : 1.0F;
    const float middle = g.row_top(row) + g.cell_height / 2;
    const float label = std::max(smallest_text, 13 * g.scale), sub = std::max(smallest_text, 12 * g.scale);
    const auto put = [&](float y, Font font, float size, Role role, const std::string& text) {
        layer.texts.push_back(
            text_at(g.label_x, y, Anchor::start, {font, size, {role, alpha}}, fitted(font, size, text, g.label_width)));
    };
    if (!g.two_lines) {
        put(middle, Font::code, sub, Role::text, r.sublabel.empty() ? r.label : r.sublabel);
    } else if (r.sublabel.empty() || r.label.empty()) {
        put(middle, Font::words_bold, label, Role::text, r.label.empty() ? r.sublabel : r.label);
    } else {
        put(middle - 8 * g.scale, Font::words_bold, label, Role::text, r.label);
        put(middle + 8 * g.scale, Font::code, sub, Role::soft, r.sublabel);
    }
    if (phase == Phase::current) {
        const float height = std::min(g.row_pitch - 4, (g.two_lines ? 30 : 16) * g.scale);
        layer.rects.push_back(rect({g.label_x - 9 * g.scale, middle - height / 2, 3 * g.scale, height}, 1.5F * g.scale,
                                   {Role::cursor, 1}));
    }
}

void draw_lane_count(const PassesDrawing& d, std::size_t row, Layer& layer) {
    const PassesGeometry& g = d.geometry;
    const analysis::PictureRow& r = d.picture.rows[row];
    // The first row was loaded by all; there is nothing above it that they worked on.
    if (!g.lanes_shown || row == 0) return;
    const float alpha = d.state.phase_of(r) == Phase::future ? 0.5F : 1.0F;
    const float size = std::max(smallest_text, 12 * g.scale);
    const auto put = [&](float y, Font font, Role role, std::string text) {
        layer.texts.push_back(text_at(g.lanes_x, y, Anchor::end, {font, size, {role, alpha}}, std::move(text)));
    };
    if (g.two_lines) {
        const float middle = g.row_top(row) - g.gap() / 2;
        put(middle - 8 * g.scale, Font::words_medium, Role::text, lanes_text(r));
        put(middle + 8 * g.scale, Font::words, Role::soft, "lanes");
    } else {
        put(g.row_top(row) + g.cell_height / 2, Font::words, Role::soft, lanes_text(r));
    }
}

}  // namespace

void draw_labels(const PassesDrawing& d, Layer& layer) {
    draw_names(d, layer);
    for (std::size_t row = 0; row < d.picture.rows.size(); ++row) {
        draw_row_label(d, row, layer);
        draw_lane_count(d, row, layer);
    }
    // Where rows are one line high, the unit stands once, at the top.
    if (d.geometry.lanes_shown && !d.geometry.two_lines)
        layer.texts.push_back(text_at(d.geometry.lanes_x, d.geometry.indices_y, Anchor::end,
                                      {Font::words, std::max(smallest_text, 12 * d.geometry.scale), {Role::soft, 1}},
                                      "lanes"));
}

}  // namespace lanescope::scene
