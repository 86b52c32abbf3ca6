#include "scene/passes/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::scene {
namespace {

// Points at scale 1. Sizes of text shrink to `smallest_text` where room is short and never below it.
constexpr float value_text_size = 15, node_text_size = 12;
constexpr float margin = 16;
constexpr float smallest_valued_cell = 18;
constexpr float smallest_coloured_pitch = 2.5F;
constexpr float widest_pitch = 84;
constexpr float group_gap = 22;

/// Characters of the longest value; the code font has one width.
std::size_t longest_value(const analysis::Picture& picture) {
    std::size_t longest = 0;
    for (const analysis::PictureRow& row : picture.rows)
        for (const analysis::ColumnGroup& group : picture.groups)
            for (std::uint32_t c = 0; c < group.count; ++c)
                longest = std::max(longest, value_text(group, row.cells[group.first_column + c]).size());
    return longest;
}

struct Crowd {
    std::size_t thread_digits = 1;    ///< of the largest thread number in a circle
    std::uint32_t node_distance = 0;  ///< least columns between two circles of a row; 0: never two in a row
    bool above_first = false;         ///< the first row's lanes show above it
};

Crowd crowd_of(const analysis::Picture& picture) {
    Crowd crowd;
    for (std::size_t r = 0; r < picture.rows.size(); ++r) {
        const analysis::Node* before = nullptr;
        for (const analysis::Node& node : picture.rows[r].nodes) {
            const LaneMark mark = mark_of(node, r);
            crowd.above_first = crowd.above_first || (r == 0 && mark != LaneMark::none);
            if (mark != LaneMark::circle) continue;
            crowd.thread_digits = std::max(crowd.thread_digits, std::to_string(node.thread).size());
            if (before != nullptr && before->column != node.column) {
                const std::uint32_t distance = node.column - before->column;
                crowd.node_distance = crowd.node_distance == 0 ? distance : std::min(crowd.node_distance, distance);
            }
            before = &node;
        }
    }
    return crowd;
}

float label_column(const analysis::Picture& picture, float scale) {
    float width = 0;
    for (const analysis::PictureRow& row : picture.rows) {
        width = std::max(width, text_width(Font::words_bold, 13 * scale, row.label));
        // Where rows are low, a row has one line: its sublabel if it has one.
        const std::string& line = row.sublabel.empty() ? row.label : row.sublabel;
        width = std::max(width, text_width(Font::code, 12 * scale, line));
    }
    return width;
}

float lanes_column(const analysis::Picture& picture, float scale) {
    float width = text_width(Font::words, 12 * scale, "lanes");
    for (const analysis::PictureRow& row : picture.rows)
        width = std::max(width, text_width(Font::words_medium, 12 * scale, lanes_text(row)));
    return width;
}

/// Half a number's diagonal and a little air.
float node_radius_for(std::size_t digits, float size) {
    const float half = text_width(Font::code, size, "0") * static_cast<float>(digits) / 2;
    return std::hypot(half, cap_height(Font::code, size) / 2) + 3;
}

/// Columns from left to right in the room there is.
void place_columns(PassesGeometry& g, const analysis::Picture& picture, const PassesOptions& options) {
    const float s = g.scale;
    const float label = label_column(picture, s);
    g.label_x = margin * s;
    g.label_width = std::min(label, options.width * 0.28F);
    const float left = g.label_x + g.label_width + 22 * s;

    const float lanes = lanes_column(picture, s) + (14 + margin) * s;
    const auto columns = static_cast<float>(std::max(picture.columns, 1U));
    const float gaps = group_gap * s * static_cast<float>(std::max<std::size_t>(picture.groups.size(), 1) - 1);
    // In a very narrow panel the cells come first.
    g.lanes_shown = options.width - left - lanes >= std::min(220 * s, columns * 30 * s);
    const float right = g.lanes_shown ? lanes : margin * s;

    const float room = std::max(options.width - left - right, 40.0F) * std::max(options.zoom, 0.05F);
    g.pitch = std::clamp((room - gaps) / columns, 0.05F, widest_pitch * s * std::max(options.zoom, 1.0F));
    // Cells with room for values stand on whole points: all edges are equally crisp.
    if (g.pitch >= smallest_valued_cell) g.pitch = std::floor(g.pitch);
    const float used = g.pitch * columns + gaps;
    float x = left + (options.zoom <= 1 ? std::max(0.0F, std::floor((room - used) / 2)) : 0.0F);
    x = snapped(x);
    g.column_left.resize(picture.columns);
    for (const analysis::ColumnGroup& group : picture.groups) {
        for (std::uint32_t c = 0; c < group.count; ++c) {
            g.column_left[group.first_column + c] = x;
            x += g.pitch;
        }
        x += group_gap * s;
    }
    g.width = std::max(options.width, left + used + right);
    g.lanes_x = g.width - margin * s;
}

/// What a cell can say in its width, and how large.
void choose_density(PassesGeometry& g, const analysis::Picture& picture) {
    const float between = g.pitch >= 40   ? 4.0F
                          : g.pitch >= 18 ? 3.0F
                          : g.pitch >= 6  ? 1.0F
                          : g.pitch >= 4  ? 0.75F
                                          : 0.5F;
    g.cell_width = std::max(g.pitch - between, g.pitch * 0.6F);
    if (g.cell_width >= smallest_valued_cell) {
        const float character = text_width(Font::code, 1.0F, "0");
        const std::size_t longest = std::max<std::size_t>(longest_value(picture), 1);
        const float fit = (g.cell_width - 5) / (character * static_cast<float>(longest));
        // A few long values must not make all of them small: those shrink by themselves (see the cells).
        const float least = std::clamp(g.cell_width * 0.55F, smallest_text, 12.0F);
        g.value_size = std::clamp(std::floor(fit * 2) / 2, least, value_text_size * g.scale);
        g.density = Density::values;
    } else {
        g.density = g.pitch >= smallest_coloured_pitch ? Density::cells : Density::bars;
        if (g.density == Density::bars) g.cell_width = g.pitch;
    }
}

struct NodeSize {
    float radius = 3;  ///< a dot
    float text = 0;    ///< em size of the number; 0: none
};

/// The smallest circle that still holds its number; a dot where neighbours stand closer.
NodeSize smallest_node(const Crowd& crowd, float apart) {
    const float radius = std::max(node_radius_for(crowd.thread_digits, smallest_text), 9.0F);
    return 2 * radius <= apart ? NodeSize{radius, smallest_text} : NodeSize{};
}

/// As large as looks well between rows that are `gap` apart, if neighbours leave the room.
NodeSize node_between(const Crowd& crowd, float apart, float gap, float scale) {
    const NodeSize node{std::max(node_radius_for(crowd.thread_digits, node_text_size * scale),
                                 std::clamp(gap * 0.2F, 11 * scale, 14 * scale)),
                        std::max(node_text_size * scale, smallest_text)};
    return 2 * node.radius <= std::min(apart, gap - 6) ? node : smallest_node(crowd, apart);
}

/// Rows from top to bottom: natural distances, stretched or squeezed towards the height that is there.
void place_rows(PassesGeometry& g, const analysis::Picture& picture, const PassesOptions& options) {
    const float s = g.scale;
    const bool values = g.density == Density::values;
    const bool named = picture.groups.size() > 1 || std::ranges::any_of(picture.groups, [](const auto& group) {
                           return group.folded || group.space == trace::Space::global;
                       });
    const Crowd crowd = crowd_of(picture);
    const float apart = g.pitch * static_cast<float>(crowd.node_distance == 0 ? 4 : crowd.node_distance) - 2;

    float top = 8 * s;
    if (named) g.names_y = top + 9 * s, top += 20 * s;
    g.indices_y = top + 8 * s;
    top += 18 * s;
    const float bottom = 14 * s;

    const auto rows = static_cast<float>(std::max<std::size_t>(picture.rows.size(), 1));
    const bool lead = values && crowd.above_first;
    const float row_gaps = rows - 1 + (lead ? 1.0F : 0.0F);

    const float least_cell = values ? 20.0F : 9 * std::max(s, 0.9F);
    const float natural_cell = std::max(least_cell, values ? std::min(32 * s, g.cell_width * 1.1F) : 16 * s);
    const float most_cell = values ? std::max(natural_cell, 34 * s) : 26 * s;
    // Rows are never squeezed beyond the smallest circles that can hold their numbers.
    const NodeSize least_node = smallest_node(crowd, apart);
    const float least_gap = values ? 2 * least_node.radius + (least_node.text > 0 ? 6 : 14) : 6 * std::max(s, 0.9F);
    // Colours of some width have arcs between them, which need room to be told apart.
    const bool arcs = g.density == Density::cells && g.pitch >= 8;
    const float natural_gap = values ? std::max(least_gap, 50 * s) : arcs ? 24 * s : 9 * s;
    const float most_gap = values ? std::max(natural_gap, 80 * s) : 46 * s;
    // A tall panel is filled; beyond this, arcs are so steep that rows fall apart.
    const float utmost_cell = 1.5F * most_cell, utmost_gap = 2.2F * most_gap;

    // One number tells how the rows are spread: 0 = least, 1 = natural, 2 = most, 3 = utmost.
    const auto mix = [](float least, float natural, float most, float utmost, float t) {
        if (t < 1) return std::lerp(least, natural, t);
        return t < 2 ? std::lerp(natural, most, t - 1) : std::lerp(most, utmost, t - 2);
    };
    const auto cell_at = [&](float t) { return mix(least_cell, natural_cell, most_cell, utmost_cell, t); };
    const auto gap_at = [&](float t) { return mix(least_gap, natural_gap, most_gap, utmost_gap, t); };
    const auto needed = [&](float t) { return top + bottom + rows * cell_at(t) + row_gaps * gap_at(t); };
    float t = 1;
    if (options.height > 0) {
        t = 0;
        for (const float stage : {0.0F, 1.0F, 2.0F}) {
            const float below = needed(stage), above = needed(stage + 1);
            t = stage + std::clamp((options.height - below) / std::max(above - below, 1.0F), 0.0F, 1.0F);
            if (t < stage + 1) break;
        }
    }
    g.cell_height = std::floor(cell_at(t));
    const float gap = std::floor(gap_at(t));
    g.row_pitch = g.cell_height + gap;
    g.first_top = std::ceil(top) + (lead ? gap : 0.0F);
    g.two_lines = g.row_pitch >= 32 * s;
    g.radius = values ? std::min(5.0F, g.cell_height / 6) : g.density == Density::cells && g.pitch >= 8 ? 2.0F : 0.0F;
    if (values) {
        g.value_size = std::max(std::min(g.value_size, std::floor(g.cell_height * 1.3F) / 2), smallest_text);
        const NodeSize node = node_between(crowd, apart, gap, s);
        g.node_radius = node.radius;
        g.node_size = node.text;
    }
    g.height = std::max(g.row_bottom(static_cast<std::size_t>(rows) - 1) + bottom, options.height);
}

void place_indices(PassesGeometry& g, const analysis::Picture& picture) {
    std::uint32_t last = 0;
    for (const analysis::ColumnGroup& group : picture.groups)
        last = std::max(last, group.first_index + group.count - 1);
    const float widest = text_width(Font::code, std::max(smallest_text, 11 * g.scale), std::to_string(last)) + 6;
    while (g.pitch * static_cast<float>(g.index_every) < widest) g.index_every *= 2;
}

}  // namespace

std::uint32_t PassesGeometry::column_at(float x) const {
    const auto after = std::ranges::upper_bound(column_left, x);
    return after == column_left.begin() ? 0U : static_cast<std::uint32_t>(after - column_left.begin() - 1);
}

PassesGeometry passes_geometry(const analysis::Picture& picture, const PassesOptions& options) {
    PassesGeometry g;
    g.scale = std::clamp(options.scale, 0.5F, 4.0F);
    place_columns(g, picture, options);
    choose_density(g, picture);
    place_rows(g, picture, options);
    place_indices(g, picture);
    return g;
}

LaneMark mark_of(const analysis::Node& node, std::size_t row) {
    if (row == 0 && std::ranges::none_of(node.sources, &analysis::Source::same_row)) return LaneMark::none;
    return !node.combines && !node.changes && !node.sources.empty() ? LaneMark::lines : LaneMark::circle;
}

std::string value_text(const analysis::ColumnGroup& group, const analysis::Cell& cell) {
    return cell.known ? trace::text_of(group.element, cell.bits) : std::string();
}

std::string lanes_text(const analysis::PictureRow& row) { return fmt::format("{} of {}", row.lanes, row.threads); }

}  // namespace lanescope::scene
