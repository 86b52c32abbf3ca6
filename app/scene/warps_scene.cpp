#include "scene/warps_scene.h"

#include "base/grouped.h"
#include "scene/large_warps.h"
#include "scene/warps_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace lanescope::scene {
namespace {

/// A column of words or numbers right of the squares, right-aligned.
struct NumberColumn {
    const char* heading;
    float width;  // points at scale 1
    float right = 0;
};

/// Places as many columns as leave the squares a pitch of at least `least`, and the squares before them.
std::vector<NumberColumn> place(WarpsDrawing& d, float left, float width, std::vector<NumberColumn> columns,
                                float least) {
    const auto taken = [&] {
        float sum = 12;
        for (const NumberColumn& column : columns) sum += column.width;
        return sum * d.scale;
    };
    while (columns.size() > 1 && (width - left - taken()) / warp_size < least * d.scale) columns.pop_back();
    d.columns.left = left;
    d.columns.pitch = std::min((width - left - taken()) / warp_size, most_lane_pitch * d.scale);
    float right = left + d.columns.pitch * warp_size;
    for (NumberColumn& column : columns) column.right = right += column.width * d.scale;
    return columns;
}

void draw_next(const WarpsDrawing& d, const NextInstruction& next, float right, float top, float height) {
    d.put(d.columns.left - 8 * d.scale, top + height / 2, Anchor::end, Font::words, 12, {Role::text, 1}, "next");
    draw_lane_squares(d.columns, top, height, states_of(next), Role::cursor, next.warp.value, d.layer);
    d.put(right, top + height / 2, Anchor::end, Font::code, 12, {Role::text, 1},
          fmt::format("{} run", next.executed.count()));
}

/// The room that a row's number needs.
float least_row_of(float scale) { return std::max(smallest_text, smallest_text * scale) * 1.1F; }

/// The number of stacks of rows side by side: as many as are needed to give each row the height of its number, while
/// the squares stay wide enough to see.
std::size_t stacks_of(std::size_t rows, float width, float height, float scale) {
    constexpr float least_pitch = 6, words = 58 + 68 + 12;
    const float least_row = least_row_of(scale);
    std::size_t stacks = 1;
    const auto too_low = [&] {
        return height / std::ceil(static_cast<float>(rows) / static_cast<float>(stacks)) < least_row;
    };
    const auto room_for_more = [&] {
        return width / static_cast<float>(stacks + 1) >= (words + least_pitch * warp_size) * scale;
    };
    while (height > 0 && too_low() && room_for_more()) ++stacks;
    return stacks;
}

/// The enlargement in a large panel, because a lecture shows one panel to a hall.
float growth(const analysis::WarpPicture& picture, const WarpsOptions& options,
             const std::vector<NumberColumn>& columns) {
    if (options.height <= 0) return 1;
    constexpr float most = 1.8F, next = 30;
    float width = 58 + most_lane_pitch * warp_size + 12;
    for (const NumberColumn& column : columns) width += column.width;
    const float height =
        lane_numbers_height + warps_legend_height + next + most_warp_row * static_cast<float>(picture.rows.size());
    return std::clamp(std::min(options.width / width, options.height / height) / options.scale, 1.0F, most);
}

std::string warps_description(const analysis::WarpPicture& picture) {
    std::string text;
    for (const analysis::WarpRow& row : picture.rows) {
        const std::string decided =
            row.decided.any() ? fmt::format("{} condition only, ", row.decided.count()) : std::string();
        text += fmt::format("Warp {}: {} useful, {}{} wasted, {} masked off, {} exited. ", row.warp.value,
                            row.useful.count(), decided, row.ran.count(), row.masked.count(), row.exited.count());
    }
    return text;
}

/// Rows of warps in stacks side by side.
struct WarpStacks {
    float width;       // of a stack
    std::size_t rows;  // of a stack
    float row_height;
    float words;        // size of the text of a row, points at scale 1
    std::size_t every;  // so many rows share a text
};
/// `room`: the height for the rows of warps and of the next instruction. Heights and widths in points.
WarpStacks warp_stacks(const WarpsDrawing& d, std::size_t warps, const WarpsOptions& options, float room,
                       std::size_t stacks) {
    WarpStacks all{.width = options.width / static_cast<float>(stacks),
                   .rows = (std::max<std::size_t>(warps, 1) + stacks - 1) / stacks,
                   .row_height = 0,
                   .words = 0,
                   .every = 1};
    // In stacks side by side the squares are small, and the rows are as high as their numbers.
    const float wanted = std::max(d.columns.pitch * 1.4F, stacks > 1 ? least_row_of(d.scale) : 15 * d.scale);
    all.row_height = std::min(wanted, most_warp_row * d.scale);
    if (options.height > 0) {
        const std::size_t rows = all.rows + (options.next ? 1 : 0);
        all.row_height = std::min(std::max(all.row_height, most_upright * d.columns.pitch),
                                  std::max(room, 8.0F) / static_cast<float>(rows));
    }
    // At the smallest text size, every second, fourth or eighth warp is named, as on any axis.
    all.words = std::clamp(all.row_height / (1.1F * d.scale), smallest_text, 11.5F);
    all.every =
        std::bit_ceil(static_cast<std::size_t>(std::max(1.0F, std::ceil(d.text(all.words) * 1.05F / all.row_height))));
    return all;
}

/// Draws the name of the row's warp, its numbers, and what it waits for.
void draw_row_words(const WarpsDrawing& d, const analysis::WarpRow& row, const WarpState* state,
                    const std::vector<NumberColumn>& columns, float middle, float words, bool chosen) {
    const Paint soft{Role::soft, 1}, strong{Role::text, 1};
    d.put(d.columns.left - 8 * d.scale, middle, Anchor::end, Font::words, words, chosen ? strong : soft,
          fmt::format("warp {}", row.warp.value));
    const Paint paint = row.useful.any() ? strong : soft;
    d.put(columns[0].right, middle, Anchor::end, Font::code, words, paint, share_of(row));
    if (columns.size() > 1) d.put(columns[1].right, middle, Anchor::end, Font::code, words, paint, efficiency_of(row));
    if (columns.size() > 2 && state != nullptr) {
        d.put(columns[2].right, middle, Anchor::end, Font::words, words, state->waits ? strong : soft, state->text);
        if (state->waits)
            draw_pause(d, columns[2].right - text_width(Font::words, d.text(words), state->text), middle, words);
    }
}

/// Marks the rows of the chosen warp and of the next instruction under their squares.
void draw_row_marks(const WarpsDrawing& d, const analysis::WarpRow& row, const WarpsOptions& options,
                    const WarpStacks& stacks, float left, float top, bool single) {
    if (options.warp == row.warp && !single) {
        Rect band =
            rect({left + 12 * d.scale, top, stacks.width - 20 * d.scale, stacks.row_height}, 2, {Role::raised, 1});
        d.layer.rects.push_back(band);
    }
    if (options.next && options.next->warp == row.warp && !single) draw_cursor(d, left, top, stacks.row_height);
    Rect name = rect({left, top, d.columns.left - left, stacks.row_height}, 0, {});
    name.ref = {TraceRef::Kind::row, row.warp.value, 0, {}};
    d.layer.rects.push_back(name);
}

}  // namespace

std::string share_of(const analysis::WarpRow& row) {
    if (row.useful.any()) return fmt::format("{} of {}", row.useful.count(), row.threads.count());
    if (row.exited == row.threads) return "exited";
    return (row.ran | row.decided).any() ? fmt::format("0 of {}", row.threads.count()) : "idle";
}

std::string efficiency_of(const analysis::WarpRow& row) {
    if (row.warp_instructions == 0) return {};
    return fmt::format("{}{:.0f} %", row.use_known ? "" : "≤ ", row.efficiency_percent());
}

LaneStates states_of(const NextInstruction& next) {
    return {.useful = next.executed,
            .decided = {},
            .ran = {},
            .exited = next.exited,
            .skipped = next.predicated_off,
            .masked = next.inactive};
}

void draw_cursor(const WarpsDrawing& d, float left, float top, float height) {
    d.layer.rects.push_back(rect({left + 6 * d.scale, top, 3 * d.scale, height}, 1, {Role::cursor, 1}));
}

void draw_pause(const WarpsDrawing& d, float right, float middle, float size) {
    const float tall = d.text(size) * 0.6F, wide = std::max(tall * 0.3F, 1.5F);
    for (const float back : {2.2F, 4.2F})
        d.layer.rects.push_back(
            rect({right - back * wide - 2 * d.scale, middle - tall / 2, wide, tall}, 0, {Role::text, 1}));
}

Scene warps_scene(const analysis::WarpPicture& picture, const WarpsOptions& options) {
    Scene scene;
    scene.title = fmt::format("Warps: {}", picture.rows.size());
    scene.description = warps_description(picture);
    scene.width = options.width;
    scene.height = options.height;

    Layer layer;
    std::vector<NumberColumn> wanted{{"useful", 68}, {"efficiency", 66}};
    if (!options.states.empty()) wanted.push_back({"at", 118});
    const float scale = options.scale * growth(picture, options, wanted);
    WarpsDrawing d{.scale = scale, .layer = layer};

    // Between the warps and the next instruction, and its row.
    constexpr float before_next = 8, next_row = 22;
    const float legend = warps_legend_height * scale, next = options.next ? (before_next + next_row) * scale : 0,
                head = lane_numbers_height * scale;
    const std::size_t count = std::max<std::size_t>(picture.rows.size(), 1);
    const float room = options.height - head - legend - next;
    const std::size_t stack_count = stacks_of(count, options.width, room, scale);
    // Narrow squares are better than no text about a warp's position and what it waits for.
    constexpr float least_pitch = 7;
    std::vector<NumberColumn> columns =
        place(d, 58 * scale, options.width / static_cast<float>(stack_count), wanted, least_pitch);
    const float rows_room = room + (options.next ? next_row * scale : 0);
    const WarpStacks stacks = warp_stacks(d, picture.rows.size(), options, rows_room, stack_count);
    const float row_height = stacks.row_height;
    const LaneLegend signs{.predicated = options.next && options.next->predicated_off.any(),
                           .decided = some_decided(picture)};
    if (options.height > 0) {
        const LargeWarps large(picture, options);
        if (large.side() > 1.2F * std::min(d.columns.pitch, row_height)) {
            large.draw(layer);
            draw_lane_legend(12 * options.scale, scene.height - warps_legend_height * options.scale / 2, options.width,
                             options.scale, signs, layer);
            layer.flush(scene);
            return scene;
        }
    }
    if (options.height <= 0)
        scene.height = head + static_cast<float>(stacks.rows) * row_height + next + legend + 8 * scale;

    float top = head, bottom = head;
    for (std::size_t index = 0; index < picture.rows.size(); ++index) {
        const float left = stacks.width * static_cast<float>(index / stacks.rows);
        if (index % stacks.rows == 0) {
            columns = place(d, left + 58 * scale, left + stacks.width, wanted, least_pitch);
            draw_lane_numbers(d.columns, 10 * scale, d.text(11), layer);
            for (const NumberColumn& column : columns)
                d.put(column.right, 10 * scale, Anchor::end, Font::words, 11, {Role::soft, 1}, column.heading);
            top = head;
        }
        const analysis::WarpRow& row = picture.rows[index];
        const bool chosen = options.warp == row.warp;
        draw_row_marks(d, row, options, stacks, left, top, picture.rows.size() == 1);
        if (index % stacks.rows % stacks.every == 0)
            draw_row_words(d, row, index < options.states.size() ? &options.states[index] : nullptr, columns,
                           top + row_height / 2, stacks.words, chosen);
        draw_lane_squares(d.columns, top, row_height, states_of(row), Role::useful, row.warp.value, layer);
        if (chosen && options.lane) draw_chosen_lane(d.columns, top, top + row_height, *options.lane, layer);
        top += row_height;
        bottom = std::max(bottom, top);
    }
    columns = place(d, 58 * scale, stacks.width, wanted, least_pitch);
    if (options.next) draw_next(d, *options.next, columns[0].right, bottom + before_next * scale, row_height);
    draw_lane_legend(12 * scale, scene.height - legend / 2, options.width, scale, signs, layer);
    layer.flush(scene);
    return scene;
}

Scene instructions_scene(std::span<const analysis::InstructionRow> rows, std::span<const std::string> texts,
                         const InstructionsOptions& options) {
    Scene scene;
    scene.title = fmt::format("Instructions: {}", counted(rows.size(), "row"));
    scene.width = options.width;

    Layer layer;
    // Larger than usual in a large panel, because a lecture shows one panel to a hall.
    constexpr float most_growth = 1.8F, usual_width = 44 + 330 + most_lane_pitch * warp_size + 64 + 52 + 12;
    const float scale = options.scale * std::clamp(options.width / (usual_width * options.scale), 1.0F, most_growth);
    WarpsDrawing d{.scale = scale, .layer = layer};
    const float number = 44 * scale;
    const float words = std::clamp(options.width * 0.34F, 60 * scale, 330 * scale);
    const std::vector<NumberColumn> columns =
        place(d, number + words, options.width, {{"lanes", 64}, {"instr.", 52}}, 8);
    const float row_height = std::max(std::min(d.columns.pitch * 1.4F, most_warp_row * scale), d.text(11) * 1.3F);
    float top = lane_numbers_height * scale;
    scene.height =
        std::max(options.height, top + row_height * static_cast<float>(rows.size()) + warps_legend_height * scale);

    draw_lane_numbers(d.columns, 10 * scale, d.text(11), layer);
    for (const NumberColumn& column : columns)
        d.put(column.right, 10 * scale, Anchor::end, Font::words, 11, {Role::soft, 1}, column.heading);
    const float first_row = top;
    bool predicated = false;
    for (std::size_t index = 0; index < rows.size(); ++index) {
        const analysis::InstructionRow& row = rows[index];
        const bool under_way = options.position && row.last >= *options.position &&
                               (index == 0 || rows[index - 1].last < *options.position);
        const bool to_come = options.position && row.first >= *options.position && !under_way;
        const Paint ink{to_come ? Role::soft : Role::text, to_come ? 0.7F : 1.0F};
        const std::size_t drawn_before = layer.rects.size();
        const float middle = top + row_height / 2;
        if (under_way) draw_cursor(d, 0, top, row_height);
        Rect label = rect({0, top, d.columns.left, row_height}, 0, {});
        label.ref = {TraceRef::Kind::row, static_cast<std::uint32_t>(index), 0, {}};
        layer.rects.push_back(label);
        if (row.source_line != 0) {
            d.put(number - 10 * scale, middle, Anchor::end, Font::code, 11, {Role::soft, 1},
                  std::to_string(row.source_line));
        }
        d.put(number, middle, Anchor::start, Font::code, 11.5F, ink,
              fitted(Font::code, d.text(11.5F), texts[index], words - 10 * scale));
        draw_lane_squares(d.columns, top, row_height,
                          {.useful = row.useful,
                           .decided = {},
                           .ran = row.executed & ~row.useful,
                           .exited = row.exited,
                           .skipped = row.predicated_off,
                           .masked = row.inactive},
                          under_way ? Role::cursor : Role::useful, static_cast<std::uint32_t>(index), layer);
        // Squares also distinguish rows not yet executed from executed ones.
        if (to_come) {
            for (Rect& square : std::span(layer.rects).subspan(drawn_before)) square.fill.alpha *= 0.45F;
        }
        predicated = predicated || row.predicated_off.any();
        d.put(columns[0].right, middle, Anchor::end, Font::code, 11.5F, ink,
              row.executed.any() ? fmt::format("{} run", row.executed.count()) : "none");
        if (columns.size() > 1) {
            d.put(columns[1].right, middle, Anchor::end, Font::code, 11.5F, {Role::soft, 1},
                  fmt::format("×{}", row.instructions));
        }
        scene.description += fmt::format("Line {}: {}. ", row.source_line, counted(row.executed.count(), "lane"));
        top += row_height;
    }
    if (options.lane && top > first_row) draw_chosen_lane(d.columns, first_row, top, *options.lane, layer);
    draw_lane_legend(12 * scale, scene.height - warps_legend_height * scale / 2, options.width, scale,
                     {.predicated = predicated}, layer);
    layer.flush(scene);
    return scene;
}

}  // namespace lanescope::scene
