#include "scene/passes/geometry.h"

#include "base/grouped.h"
#include "scene/passes/short_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lanescope::scene {
namespace {

// Points at scale 1. Text shrinks to `smallest_text` where room is short and never below it.
constexpr float value_text_size = 15, node_text_size = 12;
constexpr float picture_margin = 16;
constexpr float smallest_valued_cell = 9, whole_pitch = 18, roomy_cell = 34;
constexpr float smallest_colored_pitch = 2.5F;
constexpr float widest_pitch = 84;
constexpr float group_gap = 22, narrow_group_gap = 10;
constexpr float many_groups = 4;                           // side by side
constexpr float small_array = 30;                          // the width of one of few cells, beside larger ones
constexpr float between_text_height = 20;                  // of the line below a row
constexpr float two_line_pitch = 42, one_line_pitch = 14;  // rows that labels of so many lines need

/// Characters of the longest value; the code font is monospaced.
std::size_t longest_value(const analysis::Picture& picture) {
    std::size_t longest = 0;
    for (const analysis::PictureRow& row : picture.rows)
        for (const analysis::ColumnGroup& group : picture.groups)
            for (std::uint32_t c = group.first_column; c < group.first_column + group.count; ++c)
                longest = std::max(longest, value_text(group, c, row.cells[c]).size());
    return longest;
}

/// Do nearly all values fit into a cell that wide, at the smallest text size, in one line or in two? If not, colors
/// show more than dots.
bool values_fit(const analysis::Picture& picture, float cell_width, bool two_lines) {
    constexpr float edges = 1.5F, nearly_all = 0.9F;
    const float character = text_width(Font::code, smallest_text, "0"), width = std::max(cell_width - edges, 0.0F);
    const auto room = static_cast<std::size_t>(width / character);
    std::size_t known = 0, fit = 0;
    for (const analysis::PictureRow& row : picture.rows) {
        for (const analysis::ColumnGroup& group : picture.groups) {
            for (std::uint32_t c = group.first_column; c < group.first_column + group.count; ++c) {
                if (!row.cells[c].known) continue;
                ++known;
                const std::string text = value_text(group, c, row.cells[c]);
                fit += text.size() <= room || (two_lines && tells_in_two_lines(text, Font::code, width)) ? 1 : 0;
            }
        }
    }
    return static_cast<float>(fit) >= nearly_all * static_cast<float>(known);
}

struct Crowd {
    std::size_t thread_digits = 1;    ///< of the widest text in a circle: a thread's number, "×10"
    std::uint32_t node_distance = 0;  ///< fewest columns between two circles of a row; 0: never two in a row
    bool above_first = false;         ///< the lanes of the first row are drawn above it
};

Crowd crowd_of(const analysis::Picture& picture, const PassesOptions& options) {
    Crowd crowd;
    for (std::size_t r = 0; r < picture.rows.size(); ++r) {
        std::vector<analysis::Node> joint;
        if (!options.joint.empty()) joint = joint_nodes(picture.rows[r], options.joint, {});
        const analysis::Node* before = nullptr;
        std::size_t together = 0;  // circles at one column
        for (const analysis::Node& node : options.joint.empty() ? picture.rows[r].nodes : joint) {
            const LaneMark mark = mark_of(node, r);
            crowd.above_first = crowd.above_first || (r == 0 && mark != LaneMark::none);
            if (mark != LaneMark::circle) continue;
            crowd.thread_digits = std::max(crowd.thread_digits, std::to_string(node.thread).size());
            together = before != nullptr && before->column == node.column ? together + 1 : 1;
            if (together > 1) crowd.thread_digits = std::max(crowd.thread_digits, 1 + std::to_string(together).size());
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
    // The pass that stores has no row, but its name stands beside the cursor.
    float width = text_width(Font::code, 12 * scale, "store");
    for (const analysis::PictureRow& row : picture.rows) {
        width = std::max(width, text_width(Font::words_bold, 13 * scale, row.label));
        // Low rows have one line: the sublabel if there is one.
        const std::string& line = row.sublabel.empty() ? row.label : row.sublabel;
        width = std::max(width, text_width(Font::code, 12 * scale, line));
    }
    return width;
}

float lanes_column(const analysis::Picture& picture, float scale) {
    float width = text_width(Font::words, 12 * scale, "lanes");
    for (const analysis::PictureRow& row : picture.rows) {
        width = std::max(width, text_width(Font::words_medium, 12 * scale, lanes_text(row)));
        width = std::max(width, text_width(Font::words, 12 * scale, lanes_unit(row)));
    }
    return width;
}

/// Half a number's diagonal and a margin.
float node_radius_for(std::size_t digits, float size) {
    const float half = text_width(Font::code, size, "0") * static_cast<float>(digits) / 2;
    return std::hypot(half, cap_height(Font::code, size) / 2) + 3;
}

bool is_global(const analysis::ColumnGroup& group) { return !group.lanes && group.space == trace::Space::global; }

std::uint64_t first_index_of(const analysis::ColumnGroup& group) {
    return group.cell_of(group.first_column) / group.per_element();
}

/// By column: does `which` hold for its group? Empty where it holds for all groups, or for none.
template <class Which>
std::vector<bool> columns_of(const analysis::Picture& picture, Which which) {
    if (std::ranges::all_of(picture.groups, which) || std::ranges::none_of(picture.groups, which)) return {};
    std::vector<bool> columns(picture.columns);
    for (const analysis::ColumnGroup& group : picture.groups) {
        for (std::uint32_t c = 0; c < group.count; ++c) columns[group.first_column + c] = which(group);
    }
    return columns;
}

/// By column: does no thread write the array? Empty where that holds for all arrays, or for none.
std::vector<bool> never_written(const analysis::Picture& picture) {
    std::vector<bool> written(picture.groups.size());
    const auto number_of = [&](const analysis::ColumnGroup& group) {
        return static_cast<std::size_t>(&group - picture.groups.data());
    };
    for (const analysis::PictureRow& row : picture.rows)
        for (const analysis::Node& node : row.nodes) written[number_of(picture.group_of(node.column))] = true;
    return columns_of(picture, [&](const analysis::ColumnGroup& group) { return !written[number_of(group)]; });
}

/// PassesGeometry::above for a picture whose first row is the contents of global memory: the elements of global memory,
/// or only those that are never written, if only the next pass reads them and no thread reads the first contents of
/// other elements.
std::vector<bool> inputs_of(const analysis::Picture& picture) {
    if (picture.rows.size() < 2 || !picture.rows.front().initial) return {};
    const bool all_global = std::ranges::all_of(picture.groups, is_global);
    std::vector<bool> inputs = all_global ? never_written(picture) : columns_of(picture, is_global);
    if (inputs.empty()) return {};
    for (std::size_t row = 1; row < picture.rows.size(); ++row) {
        for (const analysis::Node& node : picture.rows[row].nodes) {
            const auto hinders = [&](const analysis::Source& source) {
                const bool first = source.row == 0 && !source.same_row;
                return inputs[source.column] ? row > 1 : all_global && first;
            };
            if (inputs[node.column] || std::ranges::any_of(node.sources, hinders) ||
                std::ranges::any_of(node.index_sources, hinders))
                return {};
        }
    }
    return inputs;
}

/// PassesGeometry::above: the cells outside global memory, if the block writes global memory only in the last row, and
/// nothing else there. Side by side with them, it would be unchanged in all other rows.
std::vector<bool> cells_before_outputs(const analysis::Picture& picture) {
    if (picture.rows.size() < 2 || picture.rows.front().initial) return {};
    std::vector<bool> cells = columns_of(picture, [](const analysis::ColumnGroup& g) { return !is_global(g); });
    if (cells.empty()) return {};
    for (std::size_t row = 0; row < picture.rows.size(); ++row) {
        const bool last = row + 1 == picture.rows.size();
        for (const analysis::Node& node : picture.rows[row].nodes) {
            // No arc shows what the first row was loaded from.
            const bool reads =
                row > 0 && std::ranges::any_of(node.sources, [&](const auto& s) { return !cells[s.column]; });
            if (cells[node.column] == last || reads) return {};
        }
    }
    return cells;
}

/// The columns that share a place, and those that are side by side.
void place_lines(PassesGeometry& g, const analysis::Picture& picture, const PassesOptions& options) {
    if (!options.joint.empty()) {
        g.lines.resize(picture.columns);
        for (std::uint32_t c = 0; c < picture.columns; ++c) g.lines[c].lead = c;
    }
    for (const analysis::JointValue& value : options.joint) {
        const std::size_t parts = value.first_columns.size();
        g.most_lines = std::max(g.most_lines, parts);
        for (std::size_t part = 0; part < parts; ++part) {
            for (std::uint32_t index = 0; index < value.count; ++index) {
                g.lines[value.first_columns[part] + index] = {value.first_columns.front() + index,
                                                              static_cast<std::uint8_t>(part),
                                                              static_cast<std::uint8_t>(parts)};
            }
        }
    }
    for (const analysis::ColumnGroup& group : picture.groups) {
        for (std::uint32_t c = group.first_column; c < group.first_column + group.count; ++c) {
            const bool new_line = c == group.first_column ||
                                  (!g.lines.empty() &&
                                   (g.lines[c].number != g.lines[c - 1].number || g.lines[c].of != g.lines[c - 1].of));
            if (new_line) g.stretches.push_back({c, c});
            g.stretches.back().past_last = c + 1;
        }
    }
}

/// Columns of the group that have a place of their own.
std::uint32_t places_of(const PassesGeometry& g, const analysis::ColumnGroup& group) {
    if (g.lines.empty()) return group.count;
    std::uint32_t places = 0;
    for (std::uint32_t c = group.first_column; c < group.first_column + group.count; ++c)
        places += g.lines[c].lead == c ? 1 : 0;
    return places;
}

/// Places the columns from left to right in the available room.
void place_columns(PassesGeometry& g, const analysis::Picture& picture, const PassesOptions& options) {
    const float s = g.scale;
    const float label = label_column(picture, s);
    const Point from = options.seen_from.value_or(Point{});
    g.view = {from.x, from.y, 0, 0};
    g.label_x = from.x + picture_margin * s;
    g.label_width = std::min(label, options.width * 0.28F);
    const float left = picture_margin * s + g.label_width + 22 * s;
    g.label_end = from.x + left - 8 * s;

    const float lanes = lanes_column(picture, s) + (14 + picture_margin) * s;
    g.above = inputs_of(picture);
    if (g.above.empty()) {
        g.above = cells_before_outputs(picture);
        g.first_lower_row = g.above.empty() ? 1 : picture.rows.size() - 1;
    }
    const auto over = [&](const analysis::ColumnGroup& group) {
        return !g.above.empty() && group.count > 0 && g.above[group.first_column];
    };
    if (const auto first = std::ranges::find_if(picture.groups, over); first != picture.groups.end())
        g.first_upper_index = first_index_of(*first);
    /// Groups that are side by side: all, or those of the upper or of the lower rows.
    struct Side {
        float columns = 0, groups = 0;
    };
    std::array<Side, 2> sides;
    for (const analysis::ColumnGroup& group : picture.groups) {
        Side& side = sides[over(group) ? 1 : 0];
        const std::uint32_t places = places_of(g, group);
        if (places == 0 && group.count > 0) continue;  // parts of another array's value
        side.columns += static_cast<float>(places);
        ++side.groups;
    }
    const float gap = (std::max(sides[0].groups, sides[1].groups) > many_groups ? narrow_group_gap : group_gap) * s;
    // In a very narrow panel the cells have priority.
    const float most_columns = std::max({sides[0].columns, sides[1].columns, 1.0F});
    g.lanes_shown = options.width - left - lanes >= std::min(220 * s, most_columns * 30 * s);
    const float right = g.lanes_shown ? lanes : picture_margin * s;

    const float room = std::max(options.width - left - right, 40.0F) * std::max(options.zoom, 0.05F);
    const auto gaps_in = [&](const Side& side) { return gap * (std::max(side.groups, 1.0F) - 1); };
    const auto pitch_in = [&](const Side& side) { return (room - gaps_in(side)) / std::max(side.columns, 1.0F); };
    const std::size_t widest = pitch_in(sides[1]) < pitch_in(sides[0]) ? 1 : 0;
    const float columns = std::max(sides[widest].columns, 1.0F), gaps = gaps_in(sides[widest]);
    g.pitch = std::clamp((room - gaps) / columns, 0.05F, widest_pitch * s * std::max(options.zoom, 1.0F));
    // Cells with room for values have whole widths, so that all edges are equally sharp.
    if (g.pitch >= whole_pitch) g.pitch = std::floor(g.pitch);
    float used = g.pitch * columns + gaps;
    // Arrays of a few cells, too narrow beside large ones, get more room, but the large ones keep at least half.
    const auto is_small = [&](const analysis::ColumnGroup& group) {
        const auto places = static_cast<float>(places_of(g, group));
        return places > 0 && places * g.pitch < small_array * s;
    };
    Side small;
    for (const analysis::ColumnGroup& group : picture.groups) {
        if ((over(group) ? 1U : 0U) != widest || !is_small(group)) continue;
        small.columns += static_cast<float>(places_of(g, group));
        ++small.groups;
    }
    const float each = std::floor(std::min(small_array * s, (room - gaps) / 2 / std::max(small.groups, 1.0F)));
    const float rest = (room - gaps - small.groups * each) / std::max(columns - small.columns, 1.0F);
    if (small.groups > 0 && small.columns < columns && rest < g.pitch) {
        g.own_pitch.resize(picture.columns);
        for (const analysis::ColumnGroup& group : picture.groups)
            if (is_small(group))
                std::fill_n(g.own_pitch.begin() + group.first_column, group.count,
                            each / static_cast<float>(places_of(g, group)));
        g.pitch = rest;
        used = room;
    }
    float x = left + (options.zoom <= 1 ? std::max(0.0F, std::floor((room - used) / 2)) : 0.0F);
    x = snapped(x);
    g.column_left.resize(picture.columns);
    std::array<float, 2> next{x, x};
    for (const analysis::ColumnGroup& group : picture.groups) {
        float& left_edge = next[over(group) ? 1 : 0];
        for (std::uint32_t c = group.first_column; c < group.first_column + group.count; ++c) {
            const std::uint32_t lead = g.lead_of(c);
            g.column_left[c] = lead == c ? left_edge : g.column_left[lead];
            if (lead == c) left_edge += g.pitch_of(c);
        }
        if (places_of(g, group) > 0 || group.count == 0) left_edge += gap;
    }
    g.width = std::max(options.width, left + used + right);
    g.view.width = options.seen_from ? std::min(options.width, g.width) : g.width;
    const float edge = std::min(g.view.right(), g.width);
    g.lanes_x = edge - picture_margin * s;
    g.lanes_begin = g.lanes_shown ? edge - lanes + 6 * s : edge;
}

/// Chooses the content of a cell by its width, and the content's size.
void choose_density(PassesGeometry& g, const analysis::Picture& picture) {
    // In narrow cells, three characters need every point.
    const float between = g.pitch >= 40   ? 4.0F
                          : g.pitch >= 24 ? 3.0F
                          : g.pitch >= 18 ? 2.0F
                          : g.pitch >= 6  ? 1.0F
                          : g.pitch >= 4  ? 0.75F
                                          : 0.5F;
    g.cell_width = std::max(g.pitch - between, g.pitch * 0.6F);
    // A picture of few columns cannot be wider, so its long values are shortened.
    const bool one_line = g.cell_width >= roomy_cell || values_fit(picture, g.cell_width, false);
    g.two_line_values = !one_line && g.most_lines == 1 && values_fit(picture, g.cell_width, true);
    if (g.cell_width >= smallest_valued_cell && (one_line || g.two_line_values)) {
        const float character = text_width(Font::code, 1.0F, "0");
        const std::size_t longest = std::max<std::size_t>(longest_value(picture), 1);
        const float fit = (g.cell_width - 5) / (character * static_cast<float>(longest));
        // A few long values must not shrink all others: they shrink separately (cells.cpp).
        const float least = std::clamp(g.cell_width * 0.55F, smallest_text, 12.0F);
        g.value_size = std::clamp(std::floor(fit * 2) / 2, least, value_text_size * g.scale);
        g.density = Density::values;
    } else {
        g.density = g.pitch >= smallest_colored_pitch ? Density::cells : Density::bars;
        if (g.density == Density::bars) g.cell_width = g.pitch;
    }
}

struct NodeSize {
    float radius = 3;  ///< a dot
    float text = 0;    ///< em size of the number; 0: none
};

/// The smallest circle that still fits its number; a dot where neighbors or rows are closer.
NodeSize smallest_node(const Crowd& crowd, float apart, float gap) {
    const float radius = std::max(node_radius_for(crowd.thread_digits, smallest_text), 9.0F);
    return 2 * radius <= std::min(apart, gap - 6) ? NodeSize{radius, smallest_text} : NodeSize{};
}

/// As large as looks good between rows that are `gap` apart, if the neighbors leave room.
NodeSize node_between(const Crowd& crowd, float apart, float gap, float scale) {
    const NodeSize node{std::max(node_radius_for(crowd.thread_digits, node_text_size * scale),
                                 std::clamp(gap * 0.2F, 11 * scale, 14 * scale)),
                        std::max(node_text_size * scale, smallest_text)};
    return 2 * node.radius <= std::min(apart, gap - 6) ? node : smallest_node(crowd, apart, gap);
}

/// The heights of cells and of the gaps between them, from the smallest readable to the largest sensible.
struct Spread {
    static constexpr std::size_t stages = 5;
    std::array<float, stages> cell{}, gap{};  ///< tight (dots for circles), least, natural, most, utmost
    float head = 0, bottom = 0;
    float rows = 1, gaps = 0;
    float lines_between = 0;  ///< of all rows

    [[nodiscard]] float at(const std::array<float, stages>& of, float t) const {
        const auto stage = std::min(static_cast<std::size_t>(t), stages - 2);
        return std::lerp(of[stage], of[stage + 1], t - static_cast<float>(stage));
    }
    [[nodiscard]] float needed(float t) const {
        return head + bottom + lines_between + rows * at(cell, t) + gaps * at(gap, t);
    }
    /// The interpolation between the stages at which the rows fill `height`; 2, natural, where none is given.
    [[nodiscard]] float filling(float height) const {
        if (height <= 0) return 2;
        float t = 0;
        for (std::size_t stage = 0; stage + 1 < stages; ++stage) {
            const auto from = static_cast<float>(stage);
            const float below = needed(from), above = needed(from + 1);
            t = from + std::clamp((height - below) / std::max(above - below, 1.0F), 0.0F, 1.0F);
            if (t < from + 1) break;
        }
        return t;
    }
};

bool named(const analysis::Picture& picture, const PassesOptions& options) {
    return picture.groups.size() > 1 || !options.joint.empty() ||
           std::ranges::any_of(picture.groups, [](const analysis::ColumnGroup& group) {
               return group.folded || group.space == trace::Space::global;
           });
}

/// Each name begins over its array. A name that would reach into the next one of its line goes to the line above; where
/// both lines are full, it is shortened.
void place_names(PassesGeometry& g, const analysis::Picture& picture, const PassesOptions& options) {
    if (!named(picture, options)) return;
    g.name_size = std::max(smallest_text, 12 * g.scale);
    const float inset = (g.pitch - g.cell_width) / 2, apart = 14 * g.scale;
    // The lane counts are below the names, so the last names may reach over them.
    const float end = (g.lanes_shown ? std::max(g.lanes_x, g.lanes_begin) : g.lanes_begin) + apart;
    float lower = end, upper = end;  // where the next name of each line begins
    for (auto number = static_cast<std::uint32_t>(picture.groups.size()); number-- > 0;) {
        const analysis::ColumnGroup& group = picture.groups[number];
        if (group.count == 0 || places_of(g, group) == 0) continue;
        const Box box = g.columns(0, group.first_column, group.first_column + group.count - 1);
        if (box.right() < g.label_end || box.x > g.lanes_begin) continue;
        const float width = text_width(Font::words_medium, g.name_size, title_of(g, options, group)) + 1;
        PassesGeometry::ArrayName name{.group = number, .from = std::max(box.x + inset, g.label_end)};
        // The last ones end where the counts of lanes do.
        const auto from_in = [&](float next) {
            return next == end ? std::min(name.from, next - apart - width) : name.from;
        };
        const auto room_in = [&](float next) { return next - apart - from_in(next); };
        name.upper = room_in(lower) < width && room_in(upper) > room_in(lower);
        if (!g.above.empty()) name.upper = g.above[group.first_column];
        float& next = name.upper ? upper : lower;
        name.from = std::max(from_in(next), g.label_end);
        name.room = std::min(width, next - apart - name.from);
        next = name.from;
        g.array_names.push_back(name);
    }
}

bool two_name_lines(const PassesGeometry& g) {
    return std::ranges::any_of(g.array_names, &PassesGeometry::ArrayName::upper);
}

Spread spread_of(const PassesGeometry& g, const analysis::Picture& picture, const PassesOptions& options,
                 const Crowd& crowd, float apart) {
    const float s = g.scale;
    const bool values = g.density == Density::values;
    Spread spread;
    spread.head = (two_name_lines(g) ? 62 : named(picture, options) ? 46 : 26) * s;
    spread.bottom = 14 * s;
    spread.rows = static_cast<float>(std::max<std::size_t>(picture.rows.size(), 1));
    spread.gaps = spread.rows - 1 + (values && crowd.above_first ? 1.0F : 0.0F);

    const float least_cell = values ? 20.0F : 9 * std::max(s, 0.9F);
    const float natural_cell = std::max(least_cell, values ? std::min(32 * s, g.cell_width * 1.1F) : 16 * s);
    const float most_cell = values ? std::max(natural_cell, 34 * s) : 26 * s;
    const NodeSize least_node = smallest_node(crowd, apart, 100);
    const float least_gap = values ? 2 * least_node.radius + (least_node.text > 0 ? 6 : 14) : 6 * std::max(s, 0.9F);
    // Wide colored cells have arcs between them, which need room to be distinguishable.
    const bool arcs = g.density == Density::cells && g.pitch >= 8;
    const float natural_gap = values ? std::max(least_gap, 50 * s) : arcs ? 24 * s : 9 * s;
    const float most_gap = values ? std::max(natural_gap, 80 * s) : 46 * s;
    // A tall panel is filled, up to a maximum: steeper arcs would make rows look unrelated. Two or three rows may be
    // larger, because they would leave half of the panel empty.
    const float few = spread.rows <= 2 ? 1.7F : spread.rows <= 3 ? 1.3F : 1.0F;
    spread.cell = {values ? 17.0F : least_cell, least_cell, natural_cell, most_cell, 1.5F * few * most_cell};
    spread.gap = {values ? 12.0F : least_gap, least_gap, natural_gap, most_gap, 2.2F * few * most_gap};
    if (values && g.two_line_values)
        for (float& cell : spread.cell) cell = std::max(cell, two_lines_height(smallest_text));
    // The lines of one value are closer together than cells.
    if (g.most_lines > 1)
        for (float& cell : spread.cell) cell *= 0.85F * static_cast<float>(g.most_lines);
    return spread;
}

/// Columns between two circles of a row, in points.
float apart_of(const PassesGeometry& g, const Crowd& crowd) {
    return g.pitch * static_cast<float>(crowd.node_distance == 0 ? 4 : crowd.node_distance) - 2;
}

/// The lines that name passes without a row are shown where they take room from nothing else: in a picture that fits
/// without them, or that scrolls in any case.
void place_lines_between(PassesGeometry& g, const analysis::Picture& picture, const PassesOptions& options,
                         Spread& spread) {
    const auto lines = std::ranges::count_if(picture.rows, [](const auto& row) { return row.between.has_value(); });
    if (lines == 0) return;
    const float height = between_text_height * std::max(g.scale, smallest_text / 12);
    const float needed = spread.needed(0), with_lines = needed + height * static_cast<float>(lines);
    const bool scrolled = !options.whole && needed > options.height;
    if (options.height > 0 && with_lines > options.height && !scrolled) return;
    g.line_between = height;
    spread.lines_between = with_lines - needed;
    float moved = 0;
    for (const analysis::PictureRow& row : picture.rows) {
        g.moved_down.push_back(moved);
        if (row.between) moved += height;
    }
}

/// If the whole picture has to fit and values have no room, cells are colors; rows of color may be very low. Values
/// take two lines only where these fit in any case.
Spread spread_for(PassesGeometry& g, const analysis::Picture& picture, const Crowd& crowd,
                  const PassesOptions& options) {
    Spread spread = spread_of(g, picture, options, crowd, apart_of(g, crowd));
    if (options.height <= 0 || spread.needed(0) <= options.height) return spread;
    const bool values = g.density == Density::values;
    if (values && (options.whole || g.two_line_values)) {
        g.density = Density::cells;
        g.two_line_values = false;
        spread = spread_of(g, picture, options, crowd, apart_of(g, crowd));
    }
    if (!options.whole) return spread;
    const float pitch = std::max((options.height - spread.head - spread.bottom) / spread.rows, 3.0F);
    spread.cell[0] = std::min(spread.cell[0], pitch * 0.7F);
    spread.gap[0] = std::min(spread.gap[0], pitch * 0.3F);
    return spread;
}

/// Places the rows from top to bottom at natural distances, stretched or compressed towards the available height.
void place_rows(PassesGeometry& g, const analysis::Picture& picture, const PassesOptions& options) {
    const float s = g.scale;
    const Crowd crowd = crowd_of(picture, options);
    Spread spread = spread_for(g, picture, crowd, options);
    place_lines_between(g, picture, options, spread);
    const bool values = g.density == Density::values;
    if (named(picture, options)) g.names_y = g.view.y + (two_name_lines(g) ? 33 : 17) * s;
    g.upper_names_y = g.view.y + 17 * s;
    g.head = spread.head;
    g.indices_y = g.view.y + g.head - 10 * s;

    const float t = spread.filling(options.height);
    const float cell = spread.at(spread.cell, t), gap = spread.at(spread.gap, t);
    // Edges are sharp, unless a row is so low that half a point matters.
    const auto each = static_cast<float>(g.most_lines);
    g.cell_height = cell >= 6 ? std::floor(cell / each) * each : cell;
    g.row_pitch = g.cell_height + (cell >= 6 ? std::floor(gap) : gap);
    g.first_top = std::ceil(g.head) + (values && crowd.above_first ? g.gap() : 0.0F);
    const bool is_input = !g.above.empty() && picture.rows.front().initial;
    g.first_height = is_input ? g.cell_height / each : g.cell_height;
    g.first_top -= g.cell_height - g.first_height;
    g.two_lines = g.row_pitch >= two_line_pitch * s;
    g.label_every = static_cast<std::size_t>(
        std::max(1.0F, std::ceil(std::max(one_line_pitch * s, 1.15F * smallest_text) / g.row_pitch)));
    const float line = g.cell_height / each;
    g.radius = values ? std::min(5.0F, line / 6) : g.density == Density::cells && g.pitch >= 8 ? 2.0F : 0.0F;
    g.radius = std::min(g.radius, line / 3);
    if (values) {
        g.value_size = std::max(std::min(g.value_size, std::floor(line * 1.3F) / 2), smallest_text);
        const NodeSize node = node_between(crowd, apart_of(g, crowd), g.gap(), s);
        g.node_radius = node.radius;
        g.node_size = node.text;
    }
    g.height = std::max(g.row_bottom(picture.rows.size() - 1) + spread.bottom, options.height);
    g.view.height = options.seen_from && options.height > 0 ? options.height : g.height;
}

void place_indices(PassesGeometry& g, const analysis::Picture& picture) {
    std::uint32_t last = 0;
    for (const analysis::ColumnGroup& group : picture.groups)
        last = std::max(last, static_cast<std::uint32_t>(group.cell_of(group.first_column + group.count - 1)));
    const float widest = text_width(Font::code, std::max(smallest_text, 11 * g.scale), std::to_string(last)) + 6;
    while (g.pitch * static_cast<float>(g.index_every) < widest) g.index_every *= 2;
}

}  // namespace

std::string title_of(const PassesGeometry& geometry, const PassesOptions& options, const analysis::ColumnGroup& group) {
    const bool below = !geometry.above.empty() && group.count > 0 && !geometry.above[group.first_column];
    const auto value = std::ranges::find_if(options.joint, [&](const analysis::JointValue& joint) {
        return joint.first_columns.front() == group.first_column;
    });
    std::string title = value != options.joint.end() ? value->title() : group.name;
    if (group.folded) title += ", two buffers folded";
    if (!below) return title;
    // The numbers over the columns belong to the upper array.
    const std::uint64_t first = first_index_of(group);
    const bool leftmost = geometry.column_left[group.first_column] == std::ranges::min(geometry.column_left);
    if (leftmost && first != geometry.first_upper_index) title += " from " + grouped(first);
    return "then " + title;
}

std::uint32_t PassesGeometry::column_at(std::size_t row, float x) const {
    std::optional<std::uint32_t> found;
    for (std::uint32_t c = 0; c < column_left.size(); ++c) {
        if (lead_of(c) == c && shows(row, c) && (!found || column_left[c] <= x)) found = c;
    }
    return found.value_or(0);
}

PassesGeometry passes_geometry(const analysis::Picture& picture, const PassesOptions& options) {
    PassesGeometry g;
    g.scale = std::clamp(options.scale, 0.5F, 4.0F);
    place_lines(g, picture, options);
    place_columns(g, picture, options);
    choose_density(g, picture);
    place_names(g, picture, options);
    place_rows(g, picture, options);
    place_indices(g, picture);
    return g;
}

LaneMark mark_of(const analysis::Node& node, std::size_t row) {
    const bool carries = !node.combines && !node.changes && !node.sources.empty();
    // No cells are above the first row: a line could only come from the row itself.
    if (row == 0 && (carries || std::ranges::none_of(node.sources, &analysis::Source::same_row))) return LaneMark::none;
    return carries ? LaneMark::lines : LaneMark::circle;
}

std::string value_text(const analysis::ColumnGroup& group, std::uint32_t column, const analysis::Cell& cell) {
    return cell.known ? trace::text_of(group.element_of(group.cell_of(column)), cell.bits) : std::string();
}

std::string lanes_text(const analysis::PictureRow& row) {
    return fmt::format("{}{} of {}", row.use_known ? "" : "≤ ", grouped(row.useful), grouped(row.threads));
}

std::string lanes_unit(const analysis::PictureRow& row) {
    return row.use_known && row.lanes == row.useful ? "lanes" : fmt::format("{} write", grouped(row.lanes));
}

}  // namespace lanescope::scene
