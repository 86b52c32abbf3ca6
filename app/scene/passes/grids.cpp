#include "scene/passes/grids.h"

#include "scene/passes/draw.h"
#include "scene/passes/grid_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::scene {
namespace {

using analysis::ColumnGroup;
using analysis::Node;
using analysis::Source;

class Strip {
  public:
    Strip(const PassesDrawing& d, const GridLayout& layout) : d_(d), l_(layout), s_(layout.scale) {}

    void draw(Scene& scene) {
        for (std::size_t row = 0; row < d_.picture.rows.size(); ++row) draw_frame(row);
        layer_.flush(scene);
        draw_arcs();
        layer_.flush(scene);
        draw_faults();
        layer_.flush(scene);
    }

  private:
    void draw_frame(std::size_t row) {
        const analysis::PictureRow& r = d_.picture.rows[row];
        const GridLayout::Frame& frame = l_.frames[row];
        const Phase phase = d_.state.phase_of(r);
        const bool current = d_.state.row_reached(d_.picture) == row;
        Rect box = rect(frame.box, 6 * s_, {}, current ? Paint{Role::cursor, 1} : Paint{Role::line, 0.8F},
                        current ? 2.0F : 1.0F);
        box.ref = {TraceRef::Kind::row, static_cast<std::uint32_t>(row), 0, {}};
        layer_.rects.push_back(box);
        draw_head(row, phase == Phase::future ? 0.5F : 1.0F);
        draw_line_between(row);
        if (!in_view(frame.box)) return;
        for (const GridLayout::Grid& grid : frame.grids) draw_grid(row, grid);
        draw_halo(
            d_, static_cast<std::uint32_t>(row),
            [&](std::uint32_t at, std::uint32_t column) { return l_.cell(d_.picture, at, column); }, layer_);
    }

    /// Can a part of the box come into view before the next scene is made?
    [[nodiscard]] bool in_view(const Box& box) const {
        const std::optional<Point>& from = d_.options.seen_from;
        if (!from) return true;
        const float right = from->x + grids_ahead * d_.options.width, below = from->y + grids_ahead * d_.options.height;
        const bool beside = box.right() < from->x || box.x > right;
        const bool above = d_.options.height > 0 && (box.bottom() < from->y || box.y > below);
        return !beside && !above;
    }

    void draw_head(std::size_t row, float alpha) {
        const analysis::PictureRow& r = d_.picture.rows[row];
        const Box& box = l_.frames[row].box;
        const float size = std::max(smallest_text, 13 * s_), small = std::max(smallest_text, 12 * s_);
        const float y = box.y + 14 * s_;
        Rect head = rect({box.x, box.y, box.width, 26 * s_}, 0, {});
        head.ref = {TraceRef::Kind::row, static_cast<std::uint32_t>(row), 1, {}};
        layer_.rects.push_back(head);
        float x = box.x + 10 * s_, end = box.right() - 10 * s_;
        if (!r.initial) {
            const std::string lanes = lanes_line(r);
            layer_.put(end, y, Anchor::end, {Font::words, small, {Role::soft, alpha}}, lanes);
            end -= text_width(Font::words, small, lanes) + 10 * s_;
        }
        const auto put = [&](Font font, float points, Role role, const std::string& text) {
            const std::string shown = fitted(font, points, text, end - x);
            layer_.put(x, y, Anchor::start, {font, points, {role, alpha}}, shown);
            x += text_width(font, points, shown) + 8 * s_;
        };
        if (!r.label.empty()) put(Font::words_bold, size, Role::text, r.label);
        if (!r.sublabel.empty() && x < end) put(Font::code, small, Role::soft, r.sublabel);
    }

    /// The passes between this frame and the next.
    void draw_line_between(std::size_t row) {
        if (!d_.picture.rows[row].between) return;
        const GridLayout::Frame& frame = l_.frames[row];
        const float inset = 10 * s_;
        if (d_.picture.rows[row].between->has(d_.state.current))
            layer_.rects.push_back(
                rect({frame.box.x + 3 * s_, frame.line_between, 3 * s_, 16 * s_}, 1.5F * s_, {Role::cursor, 1}));
        draw_between(d_, row,
                     {frame.box.x + inset, frame.line_between, frame.box.width - 2 * inset,
                      frame.box.bottom() - frame.line_between - inset / 2},
                     layer_);
    }

    void draw_grid(std::size_t row, const GridLayout::Grid& grid) {
        const ColumnGroup& group = d_.picture.groups[grid.group];
        const GridForm& form = l_.forms[grid.group];
        const float size = std::max(smallest_text, 12 * s_);
        layer_.put(grid.x, grid.title_y, Anchor::start, {Font::words_medium, size, {Role::text, 0.9F}},
                   fitted(Font::words_medium, size, grid_title(group, form, l_.brief_titles), grid.title_room));
        draw_indices(grid);
        const std::uint32_t cells = form.width * form.rows;
        for (std::uint32_t number = 0; number < cells; ++number) {
            const Box box = l_.place(grid, number);
            if (!in_view(box)) continue;
            const bool exists = number < group.count;
            if (number % form.width >= form.width - form.padding) {
                draw_padding(row, group, number, box, exists);
            } else if (exists && l_.values) {
                draw_cell(d_, row, group.first_column + number, box,
                          std::max(smallest_text, std::min(15 * s_, box.height * 0.62F)), layer_);
            } else if (exists) {
                draw_colored_cell(d_, row, group.first_column + number, box, box.width >= 8 ? 2.0F : 0.0F, layer_);
            }
        }
    }

    void draw_padding(std::size_t row, const ColumnGroup& group, std::uint32_t number, const Box& box, bool exists) {
        Rect shape = rect(box, 0, {}, {Role::line, 0.5F});
        shape.hatch = {Role::line, 0.9F};
        if (exists) shape.ref = ref_to(TraceRef::Kind::cell, row, group.first_column + number);
        layer_.rects.push_back(shape);
    }

    /// Index numbers above the first row and beside each row, as many as fit.
    void draw_indices(const GridLayout::Grid& grid) {
        const ColumnGroup& group = d_.picture.groups[grid.group];
        const GridForm& form = l_.forms[grid.group];
        const Style style{Font::code, std::max(smallest_text, 10.5F * s_), {Role::soft, 1}};
        const auto step_for = [](float pitch, float room) {
            std::uint32_t step = 1;
            while (static_cast<float>(step) * pitch < room) step *= 2;
            return step;
        };
        const std::uint64_t width = group.shape ? group.shape->width : 0;
        const auto column_index = [&](std::uint32_t c) {
            const std::uint64_t cell = group.cell_of(group.first_column + std::min(c, group.count - 1));
            return width > 0 ? cell % width : std::uint64_t{c};
        };
        const auto members = static_cast<std::uint32_t>(group.per_element());
        const float widest = text_width(style.font, style.size, std::to_string(column_index(form.width - 1))) + 5;
        const std::uint32_t fitting = std::max(step_for(l_.pitch_x, widest), members);
        const std::vector<std::string> names = member_names(group, style.size, l_.pitch_x - 2);
        const std::uint32_t across = fitting == members && !names.empty() ? 1 : fitting;
        for (std::uint32_t plane = 0; plane < form.planes(); ++plane) {
            const std::uint32_t first = plane * form.rows_of_plane() * form.width;
            for (std::uint32_t c = 0; c < form.width; c += across) {
                const Box box = l_.place(grid, first + c);
                const std::uint64_t member = column_index(c) % members;
                layer_.put(box.center_x(), box.y - 7 * s_, Anchor::middle, style,
                           member > 0 && across == 1 ? names[member] : std::to_string(column_index(c) / members));
            }
        }
        const std::uint32_t down = step_for(l_.pitch_y, style.size + 2);
        for (std::uint32_t line = 0; line < form.rows_of_plane(); line += down) {
            const std::uint32_t number = line * form.width;
            if (number >= group.count) break;
            const std::uint64_t cell = group.cell_of(group.first_column + number);
            const Box box = l_.place(grid, number);
            const std::uint64_t row_of_array = width > 0 ? cell / width : cell / members;
            // In three dimensions, the number of a row within its plane: it is the same in all planes.
            const std::uint64_t row =
                form.planes() > 1 && group.shape->height > 0 ? row_of_array % group.shape->height : row_of_array;
            layer_.put(box.x - 4 * s_, box.center_y(), Anchor::end, style, std::to_string(row));
        }
    }

    /// The arcs of the stores that made the selected value.
    void draw_arcs() {
        if (!d_.state.past.selected.valid()) return;
        for (std::size_t row = 0; row < d_.picture.rows.size(); ++row) {
            for (const Node& node : d_.picture.rows[row].nodes) {
                if (node.value != d_.state.past.selected) continue;
                const auto to = l_.cell(d_.picture, row, node.column);
                if (!to) continue;
                const std::size_t arcs = node.sources.size() + node.index_sources.size();
                for (const Source& source : node.sources) draw_arc(row, node, source, *to, arcs, false);
                for (const Source& source : node.index_sources) draw_arc(row, node, source, *to, arcs, true);
            }
        }
    }

    void draw_arc(std::size_t row, const Node& node, const Source& source, const Box& to, std::size_t arcs,
                  bool index) {
        const std::size_t source_row = source.same_row ? row : source.row;
        const auto from = l_.cell(d_.picture, source_row, source.column);
        if (!from) return;
        layer_.rings.push_back(ring(*from, std::min(3.0F, from->width / 6), 0, {Role::read, 1}, 2));
        Curve arc = line(from->center_x(), from->center_y(), to.center_x(), to.center_y(),
                         {Role::read, arcs > 24  ? 0.35F
                                      : arcs > 8 ? 0.6F
                                                 : 0.9F},
                         1.5F);
        // A straight line would run along the cells in between, so the arc rises above them.
        const float dx = arc.x3 - arc.x0, dy = arc.y3 - arc.y0, length = std::hypot(dx, dy);
        if (length < 1) return;
        const float bend = std::min(0.18F * length, 60 * s_);
        const float nx = dy / length * bend, ny = -dx / length * bend;
        // From edge to edge, so that both values remain readable.
        const float from_edge = std::min({0.5F * from->height, 0.5F * from->width, 0.3F * length}) / length;
        const float to_edge = std::min({0.5F * to.height, 0.5F * to.width, 0.3F * length}) / length;
        arc.x0 += dx * from_edge, arc.y0 += dy * from_edge;
        arc.x3 -= dx * to_edge, arc.y3 -= dy * to_edge;
        arc.x1 = arc.x0 + dx * 0.3F + nx, arc.y1 = arc.y0 + dy * 0.3F + ny;
        arc.x2 = arc.x3 - dx * 0.3F + nx, arc.y2 = arc.y3 - dy * 0.3F + ny;
        arc.dashed = index;
        arc.ref = {TraceRef::Kind::none, static_cast<std::uint32_t>(row), node.column, node.step};
        layer_.curves.push_back(arc);
    }

    void draw_faults() {
        scene::draw_faults(
            d_, [&](std::uint32_t row, std::uint32_t column) { return l_.cell(d_.picture, row, column); },
            [&](std::uint32_t row) {
                const Box& box = l_.frames[row].box;
                const float after = text_width(Font::words_bold, 13 * s_, d_.picture.rows[row].label) + 22 * s_;
                return Point{box.x + after, box.y + 14 * s_};
            },
            layer_);
    }

    const PassesDrawing& d_;
    const GridLayout& l_;
    float s_;
    Layer layer_;
};

}  // namespace

Scene draw_grids(const analysis::Picture& picture, const PassesState& state, const PassesOptions& options) {
    const GridLayout layout = grid_layout(picture, options);
    PassesGeometry geometry;
    geometry.scale = layout.scale;
    geometry.radius = 3;
    const PassesDrawing drawing{picture, options, state, geometry, cells_in_past(picture, state.past, state.current),
                                true};
    Scene scene;
    scene.width = layout.width;
    scene.height = layout.height;
    Strip(drawing, layout).draw(scene);
    return scene;
}

}  // namespace lanescope::scene
