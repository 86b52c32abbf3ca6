#include "base/grouped.h"
#include "scene/grid/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace lanescope::scene {

using analysis::GridArc;
using analysis::GridBlock;
using analysis::GridLaunch;

namespace {

constexpr float name_indent = 6;

void draw_stall(GridDrawing& d, const Box& box, const analysis::GridSpan& stall, std::size_t number) {
    const auto from = static_cast<float>(d.layout.x(number, stall.first));
    const auto to = std::min(static_cast<float>(d.layout.x(number, stall.past_last)), box.right());
    if (to - from < 1) return;
    Rect pause = rect({from, box.y, to - from, box.height}, 0, {Role::panel, 0.9F}, {Role::cost, 0.9F});
    pause.dashed = true;
    d.below.rects.push_back(pause);
    const std::string text = "stalled";
    if (box.height < 14 || text_width(Font::words, grid_text::clock, text) + 12 > to - from) return;
    d.above.put((from + to) / 2, box.y + box.height / 2, Anchor::middle,
                {Font::words, grid_text::clock, {Role::cost, 1}}, text);
}

void draw_name(GridDrawing& d, const Box& box, const GridBlock& block, std::size_t number,
               std::vector<BlockName>& names) {
    if (box.height < 11) return;
    const float size = box.height >= 20 ? 12.5F : smallest_text;
    const bool shown = d.options.shown == std::pair(static_cast<std::uint32_t>(number), block.id);
    const Font font = shown ? Font::words_bold : Font::words_medium;
    // The name stands where the block executes, not on a hatched part.
    float from = box.x, to = box.right();
    std::vector<analysis::GridSpan> pauses = block.waits;
    if (block.stall) pauses.push_back(*block.stall);
    std::ranges::sort(pauses, {}, &analysis::GridSpan::first);
    for (const analysis::GridSpan& wait : pauses) {
        const auto begin = static_cast<float>(d.layout.x(number, wait.first));
        constexpr float narrow = 6;  // the name may cover such a part
        if (static_cast<float>(d.layout.x(number, wait.past_last)) - begin < narrow) continue;
        if (begin - from >= text_width(font, size, grouped(block.id.value)) + 10) {
            to = std::min(to, begin);
            break;
        }
        from = static_cast<float>(d.layout.x(number, wait.past_last));
    }
    for (const std::string& text : {fmt::format("block {}", block.id.value), fmt::format("{}", block.id.value)}) {
        if (text_width(font, size, text) + 10 > to - from) continue;
        const Style style{font, size, {block.recorded ? Role::text : Role::soft, 1}};
        names.push_back({box, &block, style, text, std::max(from, d.layout.body().x) + name_indent, to});
        return;
    }
}

/// The elements that the block left in global memory, where no arc is in the way.
void draw_left(GridDrawing& d, const Box& box, const GridBlock& block, float from, float to) {
    constexpr float least_height = 20, size = 12;
    constexpr std::size_t most_arcs_around = 64;
    if (block.left.empty() || box.height < least_height || d.picture.arcs.size() > most_arcs_around) return;
    const Box text{from, box.y + box.height / 2 - size / 2, text_width(Font::code, size, block.left), size};
    if (text.right() + 6 > std::min(to, d.layout.body().right())) return;
    for (const GridArc& arc : d.picture.arcs) {
        const auto ends = ends_of(d, arc);
        if (!ends) continue;
        const float left = std::min(ends->x0, ends->x1), right = std::max(ends->x0, ends->x1);
        const float top = std::min(ends->y0, ends->y1) - 16, bottom = std::max(ends->y0, ends->y1);
        if (left < text.right() + 4 && text.x < right + 4 && top < text.bottom() && text.y < bottom) return;
    }
    d.names.put(text.x, box.y + box.height / 2, Anchor::start, {Font::code, size, {Role::text, 1}}, block.left);
}

}  // namespace

void draw_block(GridDrawing& d, std::size_t number, const GridBlock& block, std::vector<BlockName>& names) {
    const Box box = d.layout.bar(number, block);
    if (!d.visible(static_cast<double>(box.x), static_cast<double>(box.right()))) return;
    const float radius = std::min({3.0F, box.height / 3, box.width / 3});
    Rect bar = block.recorded ? rect(box, radius, {Role::useful, 0.34F}, {Role::useful, 0.9F})
                              : rect(box, radius, {Role::soft, 0.16F}, {Role::soft, 0.7F});
    bar.dashed = !block.recorded;
    if (box.width < 6 || box.height < 8) {
        bar.stroke = {};
        bar.fill.alpha = block.recorded ? 0.65F : 0.32F;
    }
    bar.ref = ref_to(TraceRef::Kind::cell, number, block.id.value);
    d.below.rects.push_back(bar);
    if (block.recorded_until) {
        const float from = std::max(static_cast<float>(d.layout.x(number, *block.recorded_until)), box.x);
        Rect rest = rect({from, box.y, box.right() - from, box.height}, 0, {Role::panel, 0.9F}, {Role::soft, 0.7F});
        rest.dashed = true;
        rest.ref = bar.ref;
        if (rest.width >= 1) d.below.rects.push_back(rest);
    }
    for (const analysis::GridSpan& wait : block.waits) {
        const auto from = static_cast<float>(d.layout.x(number, wait.first));
        const auto to = static_cast<float>(d.layout.x(number, wait.past_last));
        if (to - from < 1) continue;
        Rect pause = rect({from, box.y, std::min(to, box.right()) - from, box.height}, 0, {Role::panel, 0.9F},
                          {Role::useful, 0.5F});
        pause.hatch = {Role::soft, 0.9F};
        if (to - from < 6 || box.height < 6) pause.stroke = {};
        d.below.rects.push_back(pause);
    }
    if (block.stall) draw_stall(d, box, *block.stall, number);
    draw_name(d, box, block, number, names);
}

void draw_names(GridDrawing& d, const std::vector<BlockName>& names) {
    constexpr float plate_padding = 3, step = 4;
    for (const BlockName& name : names) {
        const float width = text_width(name.style.font, name.style.size, name.text);
        const float middle = name.bar.y + name.bar.height / 2;
        const float height = std::min(name.bar.height - 2, name.style.size + 4);
        const auto box_at = [&](float x) {
            return Box{x - plate_padding, middle - height / 2, width + 2 * plate_padding, height};
        };
        const std::vector<Box> arcs = arcs_in(d, {name.x, name.bar.y, name.to - name.x, name.bar.height});
        const auto is_free = [&](float x) {
            const Box box = box_at(x);
            return std::ranges::none_of(arcs, [&](const Box& part) {
                return part.x < box.right() && box.x < part.right() && part.y < box.bottom() && box.y < part.bottom();
            });
        };
        float x = name.x;
        while (!is_free(x) && x + width + name_indent <= name.to) x += step;
        if (x + width + name_indent > name.to) x = name.x;
        if (!is_free(x)) d.names.rects.push_back(rect(box_at(x), 3, {Role::panel, 0.85F}));
        d.names.put(x, middle, Anchor::start, name.style, name.text);
        draw_left(d, name.bar, *name.block, x + width + 2 * name_indent, name.to);
    }
}

void draw_unrecorded(GridDrawing& d, std::size_t number) {
    const GridLaunch& launch = d.picture.launches[number];
    const Box& body = d.layout.body();
    double from = static_cast<double>(body.right()), to = static_cast<double>(body.x);
    std::uint64_t count = 0;
    std::uint32_t top = d.layout.rows(number), bottom = 0;
    for (const GridBlock& block : launch.blocks) {
        if (block.recorded) continue;
        ++count;
        const double begin = d.layout.x(number, block.time.first), end = d.layout.x(number, block.time.past_last);
        if (!d.visible(begin, end)) continue;
        from = std::min(from, std::max(begin, static_cast<double>(body.x)));
        to = std::max(to, std::min(end, static_cast<double>(body.right())));
        top = std::min(top, d.layout.row(number, block.slot));
        bottom = std::max(bottom, d.layout.row(number, block.slot));
    }
    if (count == 0 || to <= from) return;
    const float y0 = d.layout.y_of_row(number, top), y1 = d.layout.y_of_row(number, bottom);
    const float y = (y0 + y1 + d.layout.bar_height(number)) / 2;
    const auto x = static_cast<float>((from + to) / 2);
    const std::string blocks = counted(count, "block");
    for (const std::string& text :
         {blocks + " not recorded: only counted, without their reads and waits", blocks + " not recorded: only counted",
          blocks + " not recorded", std::string("not recorded")}) {
        constexpr float padding = 8, height = 18;
        const float half = text_width(Font::words, grid_text::detail, text) / 2 + padding;
        if (2 * half > static_cast<float>(to - from)) continue;
        d.plates.push_back({x - half, y - height / 2, 2 * half, height});
        d.above.rects.push_back(rect(d.plates.back(), 4, {Role::panel, 0.94F}, {Role::soft, 0.6F}));
        d.above.put(x, y, Anchor::middle, {Font::words, grid_text::detail, {Role::text, 1}}, text);
        return;
    }
}

}  // namespace lanescope::scene
