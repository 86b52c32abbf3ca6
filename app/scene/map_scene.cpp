#include "scene/map_scene.h"

#include "base/grouped.h"
#include "scene/heat_paint.h"
#include "scene/layers.h"
#include "scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lanescope::scene {
namespace {

using analysis::AccessMap;
using analysis::MapCell;
using analysis::MapColumn;
using analysis::MapRow;
using analysis::MapRows;
using analysis::MapView;

constexpr float least_gutter = 122, most_gutter = 150, right_margin = 14, head_line = 15;
constexpr float map_heading_size = 11;
constexpr float least_pitch = 46, most_column_pitch = 240, least_row = 7, most_row = 34, text_row = 13;
constexpr float legend_line = 20, legend_square = 12, unknown_row = 18;
constexpr std::size_t rows_of_a_file = 96;

/// The height with that many lines for the expression of an access.
constexpr float head_height_of(std::size_t access_lines) {
    return (4 + static_cast<float>(access_lines)) * head_line + 6;
}

/// The largest excess of a cell in the view, by unit: the scale of the colors.
struct Scale {
    std::uint64_t wavefronts = 0, sectors = 0;
    [[nodiscard]] std::uint64_t most(const MapColumn& column) const {
        return column.space == trace::Space::shared ? wavefronts : sectors;
    }
};

Scale scale_of(const AccessMap& map, const MapView& view) {
    Scale scale;
    for (const MapRow& row : view.rows) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            std::uint64_t& most = map.columns[i].space == trace::Space::shared ? scale.wavefronts : scale.sectors;
            most = std::max(most, row.cells[i].excess());
        }
    }
    return scale;
}

/// The color of an access in Banks: without excess it has degree 1.
Paint paint_of(const MapColumn& column, const MapCell& cell, const Scale& scale) {
    if (cell.executions == 0) return {Role::raised, 1};
    if (!column.rated()) return {Role::read, 0.35F};
    return heat_paint(1 + static_cast<double>(cell.excess()), 1 + static_cast<double>(scale.most(column)));
}

/// "+124", or nothing.
std::string excess_text(std::uint64_t excess) { return excess == 0 ? std::string() : "+" + grouped(excess); }

/// An expression in at most two lines, the second one shortened in its middle: neighbors often begin alike.
std::vector<std::string> access_lines(const std::string& access, float width) {
    const float fits = size_to_fit(Font::code, access, width, map_heading_size, smallest_text);
    if (fits > 0 || access.empty()) return {access};
    std::size_t first = access.size();
    while (first > 1 && text_width(Font::code, smallest_text, std::string_view(access).substr(0, first)) > width)
        --first;
    // Cut before an index or at a space, where the line has one.
    const std::size_t cut = access.find_last_of("[ ", first);
    if (cut != std::string::npos && cut > 1) first = cut;
    const std::size_t rest = std::min(access.find_first_not_of(' ', first), access.size());
    return {access.substr(0, first), fitted_in_middle(Font::code, smallest_text, access.substr(rest), width)};
}

class MapDrawing {
  public:
    MapDrawing(const AccessMap& map, const MapView& view, const MapOptions& options)
        : map_(map), view_(view), options_(options), scale_(scale_of(map, view)) {
        lay_out();
    }

    Scene draw() {
        Scene scene;
        scene.title = fmt::format("Map of launch {}: {} by {}", map_.launch, counted(view_.rows.size(), "row"),
                                  counted(map_.columns.size(), "access"));
        scene.width = width_;
        scene.height = scene_height_;
        if (cells_.width > window_.width || cells_.height > window_.height)
            scene.viewports.push_back(
                {.box = window_, .width = cells_.width, .height = cells_.height, .scroll_x = x_, .scroll_y = y_});
        draw_cells(scene);
        draw_labels(scene);
        draw_heads(scene);
        Layer layer;
        draw_legend(layer);
        layer.flush(scene);
        describe(scene);
        return scene;
    }

  private:
    struct LegendItem {
        std::vector<Paint> squares;
        Paint hatch;
        std::string text;
        float x = 0, y = 0;
    };

    void lay_out() {
        const auto columns = static_cast<float>(std::max<std::size_t>(map_.columns.size(), 1));
        gutter_ = least_gutter;
        for (const MapRow& row : view_.rows)
            gutter_ = std::max(gutter_, text_width(Font::words_bold, 12, label_of(row)) + 24);
        gutter_ = std::min(gutter_, most_gutter);
        // A file is as wide as all columns need; a window scrolls.
        width_ = options_.width;
        if (options_.height <= 0) width_ = std::max(width_, gutter_ + least_pitch * columns + right_margin);
        const float room = std::max(width_ - gutter_ - right_margin, least_pitch);
        pitch_ = std::clamp(room / columns, least_pitch, most_column_pitch);
        cells_.width = pitch_ * columns;
        for (const MapColumn& column : map_.columns)
            access_lines_ = std::max(access_lines_, access_lines(column.access, pitch_ - 6).size());
        const float head_height = head_height_of(access_lines_);
        window_ = {gutter_, head_height, std::min(cells_.width, room), 0};

        make_legend();
        const float below = legend_height_ + 10;
        const auto unknown = static_cast<float>(std::ranges::count(view_.rows, false, &MapRow::recorded));
        const auto known = static_cast<float>(view_.rows.size()) - unknown;
        const float high = options_.height - head_height - below;
        const float usual = known <= 16 ? 24.0F : known <= 48 ? 16.0F : 10.0F;
        row_height_ = options_.height <= 0
                          ? usual
                          : std::clamp((high - unknown * unknown_row) / std::max(known, 1.0F), least_row, most_row);
        tops_.reserve(view_.rows.size() + 1);
        float top = 0;
        for (const MapRow& row : view_.rows) {
            tops_.push_back(top);
            top += row.recorded ? row_height_ : std::max(unknown_row, row_height_);
        }
        tops_.push_back(top);
        cells_.height = top;
        window_.height = options_.height <= 0 ? top : std::clamp(high, least_row, std::max(top, least_row));
        scene_height_ = options_.height > 0 ? options_.height : head_height + top + below;
        x_ = std::clamp(options_.scroll_x, 0.0F, std::max(cells_.width - window_.width, 0.0F));
        y_ = std::clamp(options_.scroll_y, 0.0F, std::max(cells_.height - window_.height, 0.0F));
    }

    [[nodiscard]] Box row_box(std::size_t row) const {
        return {window_.x - x_, window_.y - y_ + tops_[row], cells_.width, tops_[row + 1] - tops_[row]};
    }
    [[nodiscard]] bool row_visible(std::size_t row) const {
        const Box box = row_box(row);
        return box.bottom() > window_.y && box.y < window_.bottom();
    }
    /// The visible part of the box.
    [[nodiscard]] Box in_sight(const Box& box) const {
        const float left = std::max(box.x, window_.x), top = std::max(box.y, window_.y);
        return {left, top, std::max(std::min(box.right(), window_.right()) - left, 0.0F),
                std::max(std::min(box.bottom(), window_.bottom()) - top, 0.0F)};
    }
    [[nodiscard]] bool in_sight_whole(const Box& box) const {
        return box.y >= window_.y && box.bottom() <= window_.bottom() + 0.01F && box.x >= window_.x &&
               box.right() <= window_.right() + 0.01F;
    }
    [[nodiscard]] bool is_shown(const MapRow& row) const {
        if (!options_.shown || !row.recorded) return false;
        const auto [block, warp] = *options_.shown;
        if (row.warp) return row.block == block && *row.warp == warp;
        return block >= row.block && block.value - row.block.value < row.blocks;
    }

    void draw_cells(Scene& scene) const {
        scene.shapes.emplace_back(ClipBegin{window_.x, window_.y, window_.width, window_.height});
        Layer layer;
        for (std::size_t r = 0; r < view_.rows.size(); ++r) {
            if (!row_visible(r)) continue;
            const MapRow& row = view_.rows[r];
            const Box box = row_box(r);
            if (!row.recorded) {
                draw_unknown(layer, box, r);
                continue;
            }
            for (std::size_t c = 0; c < row.cells.size(); ++c) {
                const Box cell{box.x + pitch_ * static_cast<float>(c), box.y, pitch_, box.height};
                if (cell.right() > window_.x && cell.x < window_.right()) draw_cell(layer, cell, r, c);
            }
            const bool new_block = row.warp && r > 0 && view_.rows[r - 1].block != row.block;
            if (new_block) layer.curves.push_back(line(box.x, box.y, box.right(), box.y, {Role::soft, 0.55F}, 1));
        }
        layer.flush(scene);
        scene.shapes.emplace_back(ClipEnd{});
    }

    void draw_cell(Layer& layer, const Box& box, std::size_t r, std::size_t c) const {
        const MapColumn& column = map_.columns[c];
        const MapCell& cell = view_.rows[r].cells[c];
        const float gap = box.height >= text_row ? 0.75F : 0.35F;
        Rect shape = rect(in_sight(box.grown(-gap)), box.height >= text_row ? 2 : 0, paint_of(column, cell, scale_));
        shape.ref = ref_to(TraceRef::Kind::cell, r, c);
        layer.rects.push_back(shape);
        if (options_.next == c && is_shown(view_.rows[r]))
            layer.rings.push_back(ring(in_sight(box.grown(-gap)), 2, 0, {Role::cursor, 1}, 2));
        const std::string text = excess_text(cell.excess());
        if (text.empty() || box.height < text_row || !in_sight_whole(box)) return;
        const float size =
            size_to_fit(Font::code_bold, text, box.width - 6, std::min(15.0F, box.height - 2), smallest_text);
        // A light cell is nearer to the color of the panel.
        const Role role = shape.fill.alpha > 0.6F ? Role::on_cost : Role::text;
        if (size > 0) layer.texts.push_back(text_in(box, {Font::code_bold, size, {role, 1}}, text));
    }

    void draw_unknown(Layer& layer, const Box& box, std::size_t r) const {
        Rect shape =
            rect(in_sight({window_.x, box.y + 1, window_.width, box.height - 2}), 2, {Role::panel, 1}, {Role::line, 1});
        shape.hatch = {Role::soft, 0.5F};
        shape.ref = ref_to(TraceRef::Kind::row, r);
        layer.rects.push_back(shape);
    }

    void draw_labels(Scene& scene) const {
        scene.shapes.emplace_back(ClipBegin{0, window_.y, gutter_, window_.height});
        Layer layer;
        float free = window_.y;  // no label begins above this
        for (std::size_t r = 0; r < view_.rows.size(); ++r) {
            if (!row_visible(r)) continue;
            const MapRow& row = view_.rows[r];
            Box box = row_box(r);
            box.x = 0;
            box.width = gutter_;
            Rect area = rect(box, 0, {});
            area.ref = ref_to(TraceRef::Kind::row, r);
            layer.rects.push_back(area);
            const bool shown = is_shown(row);
            if (shown)
                layer.rects.push_back(rect({5, box.y + 1, 3, std::max(box.height - 2, 3.0F)}, 1, {Role::cursor, 1}));
            const float size = std::clamp(box.height - 3, smallest_text, 12.0F);
            if (box.center_y() - size / 2 < free || box.center_y() + size / 2 > window_.bottom()) continue;
            free = box.center_y() + size / 2 + 1;
            const Font font = shown ? Font::words_bold : Font::words;
            layer.put(gutter_ - 8, box.center_y(), Anchor::end, {font, size, {shown ? Role::text : Role::soft, 1}},
                      fitted(font, size, label_of(row), gutter_ - 20));
        }
        layer.flush(scene);
        scene.shapes.emplace_back(ClipEnd{});
    }

    /// One block needs no name.
    [[nodiscard]] std::string label_of(const MapRow& row) const {
        if (row.recorded && row.warp && map_.blocks == 1) return fmt::format("warp {}", grouped(row.warp->value));
        return row_name(row);
    }

    void draw_heads(Scene& scene) const {
        const float head_height = head_height_of(access_lines_);
        scene.shapes.emplace_back(ClipBegin{window_.x, 0, window_.width, head_height});
        Layer layer;
        for (std::size_t c = 0; c < map_.columns.size(); ++c) {
            const MapColumn& column = map_.columns[c];
            const Box box{window_.x - x_ + pitch_ * static_cast<float>(c), 0, pitch_, head_height};
            if (box.right() < window_.x || box.x > window_.right()) continue;
            Rect area = rect(box, 0, {});
            area.ref = ref_to(TraceRef::Kind::heading, 0, c);
            layer.rects.push_back(area);
            if (options_.next == c)
                layer.rects.push_back(rect({box.x + 2, head_height - 4, box.width - 4, 3}, 1, {Role::cursor, 1}));
            if (box.x < window_.x - 1 || box.right() > window_.right() + 1) continue;
            const MapColumn* const before = c > 0 ? &map_.columns[c - 1] : nullptr;
            const bool same_line = before != nullptr && before->source_line == column.source_line &&
                                   (column.execution == 0 || before->line == column.line);
            if (c > 0 && !same_line) layer.curves.push_back(line(box.x, 4, box.x, head_height - 2, {Role::line, 1}, 1));
            float y = head_line * 0.5F + 4;
            const auto put = [&](Font font, Role role, const std::string& text) {
                const float fits = size_to_fit(font, text, box.width - 6, map_heading_size, smallest_text);
                const float size = fits > 0 ? fits : map_heading_size;
                layer.put(box.center_x(), y, Anchor::middle, {font, size, {role, 1}},
                          fitted(font, size, text, box.width - 6));
                y += head_line;
            };
            const std::string place = column.source_line == 0 ? fmt::format("PTX {}", column.line.value)
                                                              : fmt::format("line {}", column.source_line);
            const bool has_room = text_width(Font::words_medium, smallest_text, place) <= box.width - 6;
            put(Font::words_medium, Role::text,
                has_room || column.source_line == 0 ? place : std::to_string(column.source_line));
            const std::vector<std::string> access = access_lines(column.access, box.width - 6);
            for (std::size_t number = 0; number < access_lines_; ++number)
                put(Font::code, Role::text, number < access.size() ? access[number] : std::string());
            put(Font::words, Role::soft,
                !is_repeated(c)
                    ? std::string(name_of(column))
                    : fmt::format("{} {}{}", name_of(column), column.execution, column.and_later ? "+" : ""));
            put(Font::words, Role::soft, column.space == trace::Space::shared ? "shared" : "global");
            const std::uint64_t excess = column.sum.excess();
            put(Font::code_bold, excess > 0 ? Role::cost : Role::soft,
                !column.rated() ? "–"
                : excess == 0   ? "0"
                                : excess_text(excess));
        }
        layer.flush(scene);
        scene.shapes.emplace_back(ClipEnd{});
        Layer side;
        const float y = head_line * (3.5F + static_cast<float>(access_lines_)) + 4;
        side.texts.push_back(
            text_at(gutter_ - 8, y, Anchor::end, {Font::words, 11, {Role::soft, 1}}, "excessive, all warps"));
        side.flush(scene);
    }

    /// Does another column have another execution of the same access?
    [[nodiscard]] bool is_repeated(std::size_t c) const {
        return map_.columns[c].execution > 1 ||
               (map_.columns[c].execution == 1 && c + 1 < map_.columns.size() && map_.columns[c + 1].execution == 2);
    }

    [[nodiscard]] static std::string_view name_of(const MapColumn& column) {
        switch (column.kind) {
            case trace::EffectKind::load: return "load";
            case trace::EffectKind::store: return "store";
            default: return "atomic";
        }
    }

    void make_legend() {
        bool idle = false, none = false, unrated = false, unknown = false;
        for (const MapRow& row : view_.rows) {
            unknown = unknown || !row.recorded;
            for (std::size_t c = 0; c < row.cells.size(); ++c) {
                const MapCell& cell = row.cells[c];
                idle = idle || cell.executions == 0;
                const bool rated = map_.columns[c].rated();
                none = none || (cell.executions > 0 && rated && cell.excess() == 0);
                unrated = unrated || (cell.executions > 0 && !rated);
            }
        }
        const auto ramp = [](std::uint64_t most) {
            const auto top = 1 + static_cast<double>(most);
            std::vector<Paint> squares{heat_paint(2, top)};
            if (most > 2) squares.push_back(heat_paint((2 + top) / 2, top));
            if (most > 1) squares.push_back(heat_paint(top, top));
            return squares;
        };
        const auto range = [](std::uint64_t most, std::string_view one, std::string_view many) {
            return most == 1 ? fmt::format("1 excessive {}", one)
                             : fmt::format("1 to {} excessive {}", grouped(most), many);
        };
        if (none) legend_.push_back({{heat_paint(1, 2)}, {}, "ideal"});
        if (scale_.wavefronts > 0)
            legend_.push_back({ramp(scale_.wavefronts), {}, range(scale_.wavefronts, "wavefront", "wavefronts")});
        if (scale_.sectors > 0)
            legend_.push_back({ramp(scale_.sectors), {}, range(scale_.sectors, "sector", "sectors")});
        if (unrated) legend_.push_back({{{Role::read, 0.35F}}, {}, "atomic of global memory: counted, not rated"});
        if (idle) legend_.push_back({{{Role::raised, 1}}, {}, "not executed"});
        if (unknown) legend_.push_back({{{Role::panel, 1}}, {Role::soft, 0.5F}, "not recorded: unknown, in no sum"});
        for (const std::string& sentence : sentences())
            for (std::string& words : wrapped(Font::words, 11, sentence, width_ - 2 * panel_padding))
                legend_.push_back({{}, {}, std::move(words)});

        float x = panel_padding, y = legend_line / 2;
        for (LegendItem& item : legend_) {
            const float wide = square_width(item) + text_width(Font::words, 11, item.text);
            const bool is_sentence = item.squares.empty();
            if (x > panel_padding && (is_sentence || x + wide > width_ - panel_padding)) {
                x = panel_padding;
                y += legend_line;
            }
            item.x = x;
            item.y = y;
            x += wide + 18;
        }
        legend_height_ = legend_.empty() ? 0 : y + legend_line / 2;
    }

    [[nodiscard]] static float square_width(const LegendItem& item) {
        if (item.squares.empty()) return 0;
        return static_cast<float>(item.squares.size()) * (legend_square + 1) + 5;
    }

    [[nodiscard]] std::vector<std::string> sentences() const {
        std::vector<std::string> all;
        if (std::string rows = rows_sentence(view_.kind); !rows.empty()) all.push_back(std::move(rows));
        if (map_.other_memory > 0)
            all.push_back(fmt::format("{} of local memory {} not shown.", counted(map_.other_memory, "access"),
                                      verb(map_.other_memory, "are", "is")));
        return all;
    }

    void draw_legend(Layer& layer) const {
        const float top = scene_height_ - legend_height_ - 6;
        for (const LegendItem& item : legend_) {
            float x = item.x;
            for (const Paint& paint : item.squares) {
                Rect square = rect({x, top + item.y - legend_square / 2, legend_square, legend_square}, 2, paint,
                                   item.hatch.visible() ? Paint{Role::line, 1} : Paint{});
                square.hatch = item.hatch;
                layer.rects.push_back(square);
                x += legend_square + 1;
            }
            layer.texts.push_back(
                text_at(item.x + square_width(item), top + item.y, Anchor::start, {Font::words, 11, {Role::soft, 1}},
                        fitted(Font::words, 11, item.text, width_ - item.x - square_width(item) - 6)));
        }
    }

    void describe(Scene& scene) const {
        for (const MapColumn& column : map_.columns) {
            const std::string used = fmt::format("{} {}", grouped(column.sum.used), unit_of(column, column.sum.used));
            scene.description += fmt::format(
                "Line {}, {} {}: {}{}. ", column.source_line, access_words(column), column.access, used,
                column.rated() ? fmt::format(", {} excessive", grouped(column.sum.excess())) : std::string());
        }
        if (!map_.extent.empty()) scene.description += map_.extent + '.';
    }

    const AccessMap& map_;
    const MapView& view_;
    const MapOptions& options_;
    Scale scale_;
    std::vector<LegendItem> legend_;
    std::vector<float> tops_;  // of the rows, and the end
    Box window_;               // of the cells, in the scene
    struct {
        float width = 0, height = 0;
    } cells_;
    std::size_t access_lines_ = 1;  // of the expressions in the headings
    float width_ = 0, gutter_ = 0;
    float pitch_ = 0, row_height_ = 0, legend_height_ = 0, scene_height_ = 0, x_ = 0, y_ = 0;
};

}  // namespace

std::size_t map_rows_within(float height) {
    if (height <= 0) return rows_of_a_file;
    constexpr float around = head_height_of(1) + 2 * legend_line + 10, apart = 9;
    return static_cast<std::size_t>(std::max((height - around) / apart, 8.0F));
}

std::string row_name(const MapRow& row) {
    const std::string first = grouped(row.block.value);
    if (row.blocks > 1) return fmt::format("blocks {} to {}", first, grouped(row.block.value + row.blocks - 1));
    return row.warp ? fmt::format("block {}, warp {}", first, row.warp->value) : fmt::format("block {}", first);
}

std::string unit_of(const MapColumn& column, std::uint64_t number) {
    return noun(number, column.space == trace::Space::shared ? "wavefront" : "sector");
}

std::string rows_sentence(MapRows kind) {
    switch (kind) {
        case MapRows::warps: return {};
        case MapRows::blocks: return "A row is a block: the sums of its warps.";
        case MapRows::runs: break;
    }
    return "A row is a run of blocks that are equal warp by warp: the numbers are of each block.";
}

std::string access_words(const MapColumn& column) {
    std::string text = column.kind == trace::EffectKind::load    ? "load"
                       : column.kind == trace::EffectKind::store ? "store"
                                                                 : "atomic";
    text += column.space == trace::Space::shared ? " of shared memory" : " of global memory";
    if (column.execution == 0) return text;
    return text + (column.and_later ? fmt::format(", executions from {} on", column.execution)
                                    : fmt::format(", execution {}", column.execution));
}

Scene map_scene(const AccessMap& map, const MapView& view, const MapOptions& options) {
    if (!map.columns.empty()) return MapDrawing(map, view, options).draw();
    Scene scene;
    scene.title = "Map";
    scene.description = "The recorded blocks do not access shared or global memory.";
    scene.width = options.width;
    scene.height = options.height > 0 ? options.height : 120;
    scene.shapes.emplace_back(text_at(options.width / 2, scene.height / 2, Anchor::middle,
                                      {Font::words, 13, {Role::soft, 1}},
                                      fitted(Font::words, 13, scene.description, options.width - 16)));
    return scene;
}

}  // namespace lanescope::scene
