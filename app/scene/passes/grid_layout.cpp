#include "scene/passes/grid_layout.h"

#include "scene/layers.h"
#include "scene/passes/geometry.h"
#include "scene/passes/short_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace lanescope::scene {
namespace {

using analysis::ColumnGroup;
using analysis::GridShape;

// Points at scale 1.
constexpr float margin = 14, frame_padding = 10, frame_gap = 12, grid_gap = 20, plane_gap = 10;
constexpr float frame_head = 26, grid_title_height = 18, index_height = 14, between_height = 18;
constexpr float largest_pitch = 44, smallest_pitch = 2, smallest_value_pitch = 13, cell_gap = 2;
/// For an array of one dimension that is drawn beside grids, or as a grid on request.
constexpr std::uint32_t wrapped_at = 32;

/// Characters in one line; longer values are in two, or shortened.
constexpr std::size_t line_characters = 3;

/// The characters of nearly all values of each array.
std::size_t characters_of(const analysis::Picture& picture) {
    constexpr std::size_t most_looked_at = 4000;  // of an array: the others are about as long
    std::size_t characters = 0;
    for (const ColumnGroup& group : picture.groups) {
        const std::size_t all = picture.rows.size() * group.count;
        const std::size_t every = std::max<std::size_t>(1, all / most_looked_at);
        std::vector<std::size_t> lengths;
        for (std::size_t number = 0; number < all; number += every) {
            const auto column = group.first_column + static_cast<std::uint32_t>(number % group.count);
            const analysis::Cell& cell = picture.rows[number / group.count].cells[column];
            if (cell.known) lengths.push_back(value_text(group, column, cell).size());
        }
        if (lengths.empty()) continue;
        const auto nearly_all = lengths.begin() + static_cast<std::ptrdiff_t>((lengths.size() - 1) * 9 / 10);
        std::ranges::nth_element(lengths, nearly_all);
        characters = std::max(characters, *nearly_all);
    }
    return characters;
}

/// The pitch at which that many characters fit at the smallest text size.
float pitch_for(std::size_t characters) {
    return std::max(
        smallest_value_pitch,
        text_width(Font::code, smallest_text, "0") * static_cast<float>(std::min(characters, line_characters)) + 4);
}

/// The height of a wide cell is less than its width: a square would waste height.
float height_for(float pitch) { return pitch <= 24 ? pitch : 24 + (pitch - 24) * 0.35F; }

class Placing {
  public:
    Placing(const analysis::Picture& picture, const PassesOptions& options) : picture_(picture), options_(options) {
        layout_.scale = std::clamp(options.scale, 0.5F, 4.0F);
        std::uint32_t widest = 0;
        for (const ColumnGroup& group : picture.groups)
            if (group.shape) widest = std::max(widest, form_of(group, wrapped_at).width);
        if (widest == 0) widest = wrapped_at;
        for (const ColumnGroup& group : picture.groups) layout_.forms.push_back(form_of(group, widest));
        shown_.resize(picture.rows.size());
        for (std::size_t row = 0; row < picture.rows.size(); ++row) {
            for (std::uint32_t g = 0; g < picture.groups.size(); ++g)
                if (has_value(row, picture.groups[g])) shown_[row].push_back(g);
        }
    }

    GridLayout take() {
        const float s = layout_.scale;
        const std::size_t characters = characters_of(picture_);
        const float readable = pitch_for(characters) * s;
        if (characters > line_characters) two_lines_from_ = std::floor(readable);
        float pitch = fitting_pitch(readable);
        if (pitch < readable) {
            constexpr float noticed = 1.2F;
            layout_.brief_titles = true;
            const float with_brief = fitting_pitch(readable);
            layout_.brief_titles = with_brief > noticed * pitch;
            if (layout_.brief_titles) pitch = with_brief;
        }
        if (pitch > 8) pitch = std::floor(pitch);
        pitch *= std::max(options_.zoom, 0.05F);
        layout_.values = pitch >= std::floor(readable);
        place(pitch, options_.width * std::max(options_.zoom, 1.0F));
        layout_.height = std::max(layout_.height, options_.height);
        return std::move(layout_);
    }

  private:
    /// `readable`: the pitch from which values can be read.
    [[nodiscard]] float fitting_pitch(float readable) {
        const float s = layout_.scale;
        // The widest array must fit into the width, and so must the widest frame if its values are then readable. The
        // whole strip must fit into the height if the values are readable, or if the whole picture was asked for.
        const float inside = options_.width - 2 * (margin + frame_padding) * s;
        const float widest_array = largest([&](float pitch) { return widest_share(pitch) <= inside; });
        const float widest_frame = largest([&](float pitch) { return widest_row(pitch) <= inside; });
        const float widest = widest_frame >= readable ? widest_frame : widest_array;
        float pitch = std::min(widest, std::max(readable, 30 * s));
        if (options_.height > 0) {
            const float by_height = largest([&](float at) {
                place(at, options_.width);
                return layout_.height <= options_.height;
            });
            pitch = std::min(widest, options_.whole ? by_height : std::max(by_height, readable));
            // A grid that scrolls within a frame is no longer seen as a grid. Without values, many frames say more than
            // large cells, but a grid of few cells must not become a thumbnail.
            constexpr float least_of_many = 4, least_grid = 112;
            std::uint32_t longest = 1;
            for (const GridForm& form : layout_.forms) longest = std::max({longest, form.width, form.rows_of_plane()});
            const float small = std::max(least_of_many, least_grid / static_cast<float>(longest));
            const auto frames_fit = [&](float at) {
                place(at, options_.width);
                return std::ranges::all_of(layout_.frames, [&](const GridLayout::Frame& frame) {
                    return frame.box.height + 2 * margin * s <= options_.height;
                });
            };
            if (options_.frames && !options_.whole && !frames_fit(pitch))
                pitch = std::min(widest, std::max(by_height, std::min(largest(frames_fit), small * s)));
        }
        return pitch;
    }

    [[nodiscard]] bool has_value(std::size_t row, const ColumnGroup& group) const {
        const auto& cells = picture_.rows[row].cells;
        const auto begin = cells.begin() + group.first_column;
        return std::any_of(begin, begin + group.count, [](const analysis::Cell& cell) { return cell.known; });
    }

    template <class Fits>
    [[nodiscard]] float largest(Fits fits) const {
        const float s = layout_.scale;
        float low = smallest_pitch, high = largest_pitch * s;
        if (fits(high)) return high;
        for (int step = 0; step < 12; ++step) {
            const float middle = (low + high) / 2;
            (fits(middle) ? low : high) = middle;
        }
        return low;
    }

    [[nodiscard]] float gutter(std::uint32_t group) const {
        const ColumnGroup& of = picture_.groups[group];
        const std::uint64_t last = of.cell_of(of.first_column + of.count - 1);
        const std::uint64_t row = of.shape ? last / of.shape->width : last;
        return text_width(Font::code, index_size(), std::to_string(row)) + 6 * layout_.scale;
    }
    [[nodiscard]] float index_size() const { return std::max(smallest_text, 10.5F * layout_.scale); }

    [[nodiscard]] float grid_width(std::uint32_t group, float pitch) const {
        const GridForm& form = layout_.forms[group];
        const auto planes = static_cast<float>(form.planes());
        return planes * static_cast<float>(form.width) * pitch + (planes - 1) * plane_gap * layout_.scale;
    }
    [[nodiscard]] float title_width(std::uint32_t group) const {
        const float size = std::max(smallest_text, 12 * layout_.scale);
        return text_width(Font::words_medium, size,
                          grid_title(picture_.groups[group], layout_.forms[group], layout_.brief_titles)) +
               2;
    }
    /// The width with the title, which may be wider than the cells.
    [[nodiscard]] float share_of(std::uint32_t group, float pitch) const {
        return gutter(group) + std::max(grid_width(group, pitch), std::min(title_width(group), 300 * layout_.scale));
    }
    /// The width of the frame's grids side by side.
    [[nodiscard]] float row_width(std::size_t row, float pitch) const {
        float width = 0;
        for (const std::uint32_t group : shown_[row])
            width += share_of(group, pitch) + (width > 0 ? grid_gap * layout_.scale : 0.0F);
        return width;
    }
    [[nodiscard]] float head_width(std::size_t row) const {
        const float s = layout_.scale;
        const analysis::PictureRow& of = picture_.rows[row];
        return text_width(Font::words_bold, 13 * s, of.label) + text_width(Font::code, 12 * s, of.sublabel) +
               text_width(Font::words, 12 * s, lanes_line(of)) + 24 * s;
    }
    [[nodiscard]] float widest_row(float pitch) const {
        float widest = 0;
        for (std::size_t row = 0; row < shown_.size(); ++row) widest = std::max(widest, row_width(row, pitch));
        return widest;
    }
    [[nodiscard]] float widest_share(float pitch) const {
        float widest = 0;
        for (std::uint32_t group = 0; group < picture_.groups.size(); ++group)
            widest = std::max(widest, share_of(group, pitch));
        return widest;
    }

    void place(float pitch, float room) {
        const float s = layout_.scale;
        layout_.pitch_x = pitch;
        layout_.pitch_y = pitch <= 8 ? height_for(pitch) : std::floor(height_for(pitch));
        if (two_lines_from_ && pitch >= *two_lines_from_)
            layout_.pitch_y = std::max(layout_.pitch_y, two_lines_height(smallest_text) + cell_gap);
        layout_.frames.assign(picture_.rows.size(), {});
        layout_.width = room;
        const float left = margin * s, right = room - margin * s;
        float x = left, y = margin * s, line = 0;
        for (std::size_t row = 0; row < picture_.rows.size(); ++row) {
            GridLayout::Frame frame = frame_of(row, right - left - 2 * frame_padding * s);
            if (x > left && x + frame.box.width > right) {
                x = left;
                y += line + frame_gap * s;
                line = 0;
            }
            frame.box.x = snapped(x), frame.box.y = snapped(y);
            frame.line_between += frame.box.y;
            for (GridLayout::Grid& grid : frame.grids) {
                grid.x = snapped(grid.x + frame.box.x), grid.y = snapped(grid.y + frame.box.y);
                grid.title_y += frame.box.y;
            }
            line = std::max(line, frame.box.height);
            layout_.width = std::max(layout_.width, frame.box.right() + margin * s);
            x += frame.box.width + frame_gap * s;
            layout_.frames[row] = std::move(frame);
        }
        layout_.height = y + line + margin * s;
    }

    /// The frame at the origin, with its grids side by side, in several lines where `room` is too narrow.
    [[nodiscard]] GridLayout::Frame frame_of(std::size_t row, float room) const {
        const float s = layout_.scale, pitch = layout_.pitch_x, padding = frame_padding * s;
        const float titles = (grid_title_height + index_height) * s;
        GridLayout::Frame frame;
        float x = 0, top = frame_head * s, tallest = 0, widest = head_width(row);
        for (const std::uint32_t group : shown_[row]) {
            const float share = share_of(group, pitch);
            if (x > 0 && x + share > room) {
                x = 0;
                top += titles + tallest + padding;
                tallest = 0;
            }
            frame.grids.push_back({.group = group,
                                   .x = padding + x + gutter(group),
                                   .y = top + titles,
                                   .title_y = top + grid_title_height * s / 2,
                                   .title_room = share - gutter(group)});
            const auto lines = static_cast<float>(layout_.forms[group].rows_of_plane());
            tallest = std::max(tallest, lines * layout_.pitch_y);
            widest = std::max(widest, x + share);
            x += share + grid_gap * s;
        }
        if (!shown_[row].empty()) top += titles + tallest;
        if (picture_.rows[row].between) {
            frame.line_between = top + padding / 2;
            top += between_height * s;
        }
        frame.box = {0, 0, widest + 2 * padding, top + padding};
        return frame;
    }

    const analysis::Picture& picture_;
    const PassesOptions& options_;
    std::vector<std::vector<std::uint32_t>> shown_;  ///< groups, by row: an array without a value takes no room
    std::optional<float> two_lines_from_;            ///< the pitch from which cells are as high as two lines of text
    GridLayout layout_;
};

}  // namespace

GridForm form_of(const ColumnGroup& group, std::uint32_t widest) {
    GridForm form;
    if (!group.shape) {
        form.width = std::max(1U, std::min(group.count, widest));
        form.wrapped = group.count > form.width;
    } else {
        form.width = std::min(group.window > 0 ? group.window : group.shape->width, std::max(group.count, 1U));
        form.padding = group.window > 0 ? 0 : group.shape->padding;
        form.plane = group.window_rows > 0 ? group.window_rows : group.shape->height;
    }
    form.rows = std::max(1U, (group.count + form.width - 1) / form.width);
    if (form.plane >= form.rows) form.plane = 0;
    return form;
}

std::string grid_title(const ColumnGroup& group, const GridForm& form, bool brief) {
    if (brief) {
        const std::string whole = grid_title(group, form);
        return whole.substr(0, whole.find(','));
    }
    if (group.lanes) return group.shape ? "lanes, in the block's shape" : "lanes";
    const std::string name = group.folded ? group.name + ", two buffers folded" : group.name;
    if (!group.shape) return form.wrapped ? fmt::format("{}, {} a line", name, form.width) : name;
    std::string title = name;
    switch (group.shape->from) {
        case GridShape::From::declaration: title += group.shape->extents; break;
        case GridShape::From::subscripts:
        case GridShape::From::addresses: title += fmt::format(", rows of {} (inferred)", group.shape->width); break;
        case GridShape::From::block: title += fmt::format(", rows of {} (blockDim.x)", group.shape->width); break;
    }
    if (form.planes() > 1 && group.shape->height > 0) {
        const std::uint64_t plane = std::uint64_t{group.shape->width} * group.shape->height;
        const std::uint64_t last = group.cell_of(group.first_column + group.count - 1) / plane;
        title += fmt::format(", planes {} to {}", group.cell_of(group.first_column) / plane, last);
    }
    // Padding is the smaller part of a row: more than that is data that this launch leaves out.
    const std::string_view what = form.padding < form.width - form.padding ? "padding" : "not accessed";
    if (form.padding == 1) title += fmt::format(", column {} is {}", form.width - 1, what);
    if (form.padding > 1)
        title += fmt::format(", columns {} to {} are {}", form.width - form.padding, form.width - 1, what);
    return title;
}

std::string lanes_line(const analysis::PictureRow& row) {
    const std::string unit = lanes_unit(row);
    return lanes_text(row) + (unit == "lanes" ? " lanes" : " lanes, " + unit);
}

Box GridLayout::place(const Grid& grid, std::uint32_t number) const {
    const GridForm& form = forms[grid.group];
    const std::uint32_t line = number / form.width, plane = form.plane == 0 ? 0 : line / form.plane;
    const std::uint32_t row = line - plane * form.plane, column = number % form.width;
    const float left =
        grid.x + static_cast<float>(plane) * (static_cast<float>(form.width) * pitch_x + plane_gap * scale);
    const float between = pitch_x >= 16 ? cell_gap : pitch_x >= 5 ? 1.0F : 0.0F;
    return {left + static_cast<float>(column) * pitch_x, grid.y + static_cast<float>(row) * pitch_y, pitch_x - between,
            pitch_y - between};
}

std::optional<Box> GridLayout::cell(const analysis::Picture& picture, std::size_t row, std::uint32_t column) const {
    for (const Grid& grid : frames[row].grids) {
        const ColumnGroup& group = picture.groups[grid.group];
        if (column >= group.first_column && column - group.first_column < group.count)
            return place(grid, column - group.first_column);
    }
    return std::nullopt;
}

GridLayout grid_layout(const analysis::Picture& picture, const PassesOptions& options) {
    return Placing(picture, options).take();
}

}  // namespace lanescope::scene
