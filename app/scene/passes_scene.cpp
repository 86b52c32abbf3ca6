#include "scene/passes_scene.h"

#include "analysis/passes_picture/passes_between.h"
#include "analysis/passes_picture/shown_cells.h"
#include "base/grouped.h"
#include "scene/passes/draw.h"
#include "scene/passes/grids.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::scene {
namespace {

constexpr float legend_text = 12;

std::string title_of(const analysis::Picture& picture, const std::vector<analysis::JointValue>& joint) {
    std::string names;
    for (const analysis::ColumnGroup& group : picture.groups) {
        const auto value = std::ranges::find_if(
            joint, [&](const analysis::JointValue& each) { return each.place_of(group.first_column).has_value(); });
        if (value != joint.end() && value->first_columns.front() != group.first_column) continue;
        const bool one_value = value != joint.end();
        names += (names.empty() ? "" : ", ") + fmt::format("{} ({} {})", one_value ? value->title() : group.name,
                                                           one_value ? value->count : group.count / group.per_element(),
                                                           group.lanes ? "lanes" : "elements");
    }
    return fmt::format("Passes over {}", names.empty() ? "nothing" : names);
}

/// One sentence a row, for users who cannot see the picture.
std::string description_of(const analysis::Picture& picture) {
    constexpr std::size_t most_values = 8;
    std::string text;
    for (const analysis::PictureRow& row : picture.rows) {
        text += row.label;
        if (!row.sublabel.empty()) text += ", " + row.sublabel;
        text += row.initial ? ": before the first pass"
                            : fmt::format(": {} of {} wrote", grouped(row.lanes), counted(row.threads, "lane"));
        std::size_t shown = 0, written = 0;
        for (const analysis::ColumnGroup& group : picture.groups) {
            for (std::uint32_t c = group.first_column; c < group.first_column + group.count; ++c) {
                const analysis::Cell& cell = row.cells[c];
                if (!cell.written) continue;
                ++written;
                if (shown == most_values) continue;
                text += fmt::format("{} {}{} = {}", shown == 0 ? "" : ",", group.name,
                                    group.subscript(group.cell_of(c)), value_text(group, c, cell));
                ++shown;
            }
        }
        if (written > shown) text += fmt::format(" and {} more", written - shown);
        text += ". ";
        if (row.between) {
            const std::string label = row.between->label.empty() ? "" : ", " + row.between->label;
            text += fmt::format("{}{}: {}. ", title_of(*row.between), label, activity_of(*row.between));
        }
    }
    if (const auto halo = std::ranges::count(picture.halo, true); halo > 0)
        text += fmt::format("Halo: {}. ", counted(static_cast<std::uint64_t>(halo), "cell"));
    if (!text.empty()) text.pop_back();
    return text;
}

Scene empty_picture(const PassesOptions& options) {
    Scene scene;
    scene.title = "Passes";
    scene.description = "Nothing to show: the block accesses no memory, and its lanes exchange no values.";
    scene.width = options.width;
    scene.height = std::max(options.height, 120 * options.scale);
    const float size = 13 * options.scale, line = 20 * options.scale;
    float y = scene.height / 2 - line / 2;
    const auto put = [&](Font font, Role role, std::string_view text) {
        for (std::string& each : wrapped(font, size, text, scene.width - 2 * panel_padding)) {
            scene.shapes.emplace_back(
                text_at(scene.width / 2, y, Anchor::middle, {font, size, {role, 1}}, std::move(each)));
            y += line;
        }
    };
    put(Font::words_medium, Role::text, "This block accesses no memory.");
    put(Font::words, Role::soft, "Its lanes exchange no values either. Another block of the launch may.");
    return scene;
}

}  // namespace

bool draws_grids(const analysis::Picture& picture, ArrayView arrays) {
    if (arrays != ArrayView::by_shape) return arrays == ArrayView::grids;
    if (!picture.has_grids()) return false;
    // Rows as long as the block is wide may not be rows, because a reduction counts the threads of any block. They are
    // drawn where another array has rows, and in global memory, where a matrix of one block has no other evidence.
    return std::ranges::any_of(picture.groups,
                               [](const analysis::ColumnGroup& group) {
                                   return !group.lanes && group.shape && group.shape->width < group.count &&
                                          group.shape->from != analysis::GridShape::From::block;
                               }) ||
           std::ranges::all_of(picture.groups, [](const analysis::ColumnGroup& group) {
               return !group.lanes && group.space == trace::Space::global;
           });
}

namespace {

bool is_empty(const analysis::Picture& picture) { return picture.rows.empty() || picture.columns == 0; }

Scene draw_without_legend(const analysis::Picture& picture, const PassesState& state, const PassesOptions& options) {
    if (draws_grids(picture, options.arrays)) {
        Scene scene = draw_grids(picture, state, options);
        scene.title = title_of(picture, {});
        scene.description = description_of(picture);
        return scene;
    }
    const PassesGeometry geometry = passes_geometry(picture, options);
    const PassesDrawing drawing{picture, options, state, geometry, cells_in_past(picture, state.past, state.current)};

    Scene scene;
    scene.title = title_of(picture, options.joint);
    scene.description = description_of(picture);
    scene.width = geometry.width;
    scene.height = geometry.height;

    Layer layer;
    for (std::size_t row = 0; row < picture.rows.size(); ++row) {
        // Paints nothing: it is the target of clicks beside the cells, and of the window's scrolling.
        const float top = row == 0 ? 0 : geometry.row_bottom(row - 1);
        Rect band = rect({0, top, geometry.width, geometry.row_bottom(row) - top}, 0, {});
        band.ref = {TraceRef::Kind::row, static_cast<std::uint32_t>(row), 0, {}};
        layer.rects.push_back(band);
        draw_lanes(drawing, row, layer);
        draw_cells(drawing, row, layer);
        draw_halo(
            drawing, static_cast<std::uint32_t>(row),
            [&](std::uint32_t at, std::uint32_t column) {
                return geometry.shows(at, column) ? std::optional(geometry.cell(at, column)) : std::nullopt;
            },
            layer);
    }
    draw_row_labels(drawing, layer, scene);
    draw_column_labels(drawing, layer, scene);
    layer.flush(scene);
    draw_faults(drawing, layer);
    layer.flush(scene);
    draw_lens(drawing, layer);
    layer.flush(scene);
    return scene;
}

}  // namespace

Scene draw_passes(const analysis::Picture& picture, const PassesState& state, const PassesOptions& options) {
    if (is_empty(picture)) return empty_picture(options);
    if (!options.legend) return draw_without_legend(picture, state, options);
    const float scale = std::max(std::clamp(options.scale, 0.5F, 4.0F), smallest_text / legend_text);
    const float strip = passes_legend_height * scale;
    PassesOptions above = options;
    if (options.height > 0) above.height = std::max(options.height - strip, 1.0F);
    Scene scene = draw_without_legend(picture, state, above);
    const float room = (std::min(scene.width, options.width) - 2 * panel_padding) / scale;
    const Scene legend = passes_legend(picture, !state.current.valid(), room);
    place_scene(scene, legend, scene.width - panel_padding - legend.width * scale, scene.height, scale);
    scene.height += strip;
    return scene;
}

namespace {

/// The legend's name for values with CellLook::moved: "loaded", "loaded or constant"; empty where there are none.
std::string moved_name(const analysis::Picture& picture) {
    bool loaded = false, copied = false, constant = false;
    for (const analysis::PictureRow& row : picture.rows) {
        for (std::uint32_t column = 0; column < row.cells.size(); ++column) {
            const analysis::Cell& cell = row.cells[column];
            if (look_of(row, cell, column) != CellLook::moved) continue;
            const analysis::Node* const node = last_node(row, column);
            const bool immediate = node != nullptr && node->immediate;
            copied = copied || cell.copied;
            constant = constant || (!cell.copied && immediate);
            loaded = loaded || (!cell.copied && !immediate);
        }
    }
    std::vector<std::string_view> names;
    if (loaded) names.emplace_back("loaded");
    if (copied) names.emplace_back("copied");
    if (constant) names.emplace_back("constant");
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text.append(i == 0 ? "" : i + 1 < names.size() ? ", " : " or ").append(names[i]);
    return text;
}

}  // namespace

Scene passes_legend(const analysis::Picture& picture, bool finished, float width) {
    Scene scene{.title = "Legend of Passes",
                .description = {},
                .width = 0,
                .height = passes_legend_height,
                .background = {},
                .shapes = {},
                .viewports = {}};
    if (is_empty(picture)) return scene;
    struct Sign {
        std::string_view name;
        Paint fill, stroke, hatch;
    };
    std::vector<Sign> signs{{"computed", {Role::useful, 1}, {}, {}}};
    const std::string moved = moved_name(picture);
    if (!moved.empty()) signs.push_back({moved, {Role::useful, moved_tint}, {Role::useful, 1}, {}});
    if (!finished) signs.push_back({"not yet", {Role::useful, not_yet}, {}, {}});
    signs.push_back({"unchanged", {Role::raised, 1}, {Role::line, 1}, {}});
    if (analysis::has_useless_stores(picture))
        signs.push_back({"reaches no output", {Role::raised, 1}, {Role::useful, 1}, {Role::soft, 1}});
    if (!picture.halo.empty()) signs.push_back({"halo", {Role::panel, 1}, {Role::text, 1}, {}});
    constexpr float side = 10, beside = 5, apart = 14;
    const float y = passes_legend_height / 2;
    Layer layer;
    float x = 0;
    for (const Sign& sign : signs) {
        const float end = x + side + beside + text_width(Font::words, legend_text, sign.name);
        if (end > width) break;
        Rect square = rect({x, y - side / 2, side, side}, 2, sign.fill, sign.stroke);
        square.hatch = sign.hatch;
        layer.rects.push_back(square);
        layer.put(x + side + beside, y, Anchor::start, {Font::words, legend_text, {Role::soft, 1}},
                  std::string(sign.name));
        scene.width = end;
        x = end + apart;
    }
    layer.flush(scene);
    return scene;
}

Scene passes_scene(const analysis::BlockPasses& passes, const analysis::Picture& picture,
                   const analysis::Provenance& provenance, const PassesOptions& options) {
    return draw_passes(picture, passes_state(passes, provenance, options), options);
}

}  // namespace lanescope::scene
