#include "base/grouped.h"
#include "scene/grid/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanescope::scene {

using analysis::GridBlock;

namespace {

constexpr double strip_cell = 3;  // points
constexpr int strip_levels = 6;   // of strength

/// A piece of a row, as narrow as can be distinguished. Widths in points, summed over the blocks in it.
struct StripCell {
    double covered = 0, waited = 0, recorded = 0;
    std::uint32_t block = 0;  ///< the first of these blocks
    bool any = false;

    [[nodiscard]] bool waits() const { return waited > covered / 2; }
    [[nodiscard]] int recorded_level() const {
        return recorded <= 0
                   ? 0
                   : std::clamp(static_cast<int>(std::ceil(recorded / covered * strip_levels)), 1, strip_levels);
    }
    [[nodiscard]] int level(std::uint32_t slots) const {
        const double share = covered / (strip_cell * slots);
        return any ? std::clamp(static_cast<int>(std::ceil(share * strip_levels)), 1, strip_levels) : 0;
    }
    [[nodiscard]] bool looks_like(const StripCell& other, std::uint32_t slots) const {
        return level(slots) == other.level(slots) && recorded_level() == other.recorded_level() &&
               waits() == other.waits();
    }
};

/// The visible part of a launch: `columns` cells for each row, from `from` to `to`.
struct StripCells {
    double from, to;
    std::size_t columns;
    std::vector<StripCell> cells{};

    [[nodiscard]] StripCell& at(std::size_t row, std::size_t column) { return cells[row * columns + column]; }
    /// Calls visit(cell, covered) for the cells of a row between two positions.
    template <class Visit>
    void each(std::size_t row, double first, double last, const Visit& visit) {
        for (auto c = static_cast<std::size_t>((first - from) / strip_cell);
             c < columns && from + static_cast<double>(c) * strip_cell < last; ++c) {
            const double left = from + static_cast<double>(c) * strip_cell;
            visit(at(row, c), std::min(last, left + strip_cell) - std::max(first, left));
        }
    }
};

void add_block(const GridDrawing& d, std::size_t number, const GridBlock& block, std::size_t row, StripCells& cells) {
    const double begin = std::max(d.layout.x(number, block.time.first), cells.from);
    const double end = std::min(d.layout.x(number, block.time.past_last), cells.to);
    cells.each(row, begin, end, [&](StripCell& under, double covered) {
        under.covered += covered;
        if (!std::exchange(under.any, true)) under.block = block.id.value;
        if (block.recorded) under.recorded += covered;
    });
    for (const analysis::GridSpan& wait : block.waits) {
        const double waits_from = std::max(d.layout.x(number, wait.first), begin);
        const double waits_to = std::min(d.layout.x(number, wait.past_last), end);
        if (waits_to > waits_from)
            cells.each(row, waits_from, waits_to, [](StripCell& under, double waited) { under.waited += waited; });
    }
}

/// A stretch of a row whose cells look the same as `first`.
void draw_strip(GridDrawing& d, std::size_t number, std::uint32_t row, const StripCell& first, double left,
                double right) {
    const float height = d.layout.bar_height(number);
    const int level = first.level(d.layout.launch(number).slots_a_row);
    const float strength = 0.15F + 0.7F * static_cast<float>(level) / strip_levels;
    const auto draw = [&](float from_top, float high, bool recorded) {
        if (high <= 0) return;
        Rect strip = rect({static_cast<float>(left), d.layout.y_of_row(number, row) + from_top,
                           static_cast<float>(right - left), high},
                          0, {recorded ? Role::useful : Role::soft, strength * (recorded ? 1 : 0.6F)});
        if (first.waits()) {
            strip.fill.alpha /= 3;
            strip.hatch = {Role::soft, 0.9F};
        }
        strip.ref = ref_to(TraceRef::Kind::cell, number, first.block);
        d.below.rects.push_back(strip);
    };
    const float known = height * static_cast<float>(first.recorded_level()) / strip_levels;
    draw(0, known, true);
    draw(known, height - known, false);
}

void draw_row_of_strips(GridDrawing& d, std::size_t number, std::uint32_t row, StripCells& cells) {
    const GridPanelLayout::Launch& at = d.layout.launch(number);
    for (std::size_t c = 0; c < cells.columns;) {
        const StripCell& first = cells.at(row, c);
        std::size_t past = c + 1;
        while (past < cells.columns && cells.at(row, past).looks_like(first, at.slots_a_row)) ++past;
        if (first.any)
            draw_strip(d, number, row, first, cells.from + static_cast<double>(c) * strip_cell,
                       std::min(cells.from + static_cast<double>(past) * strip_cell, at.to));
        c = past;
    }
}

}  // namespace

std::string RowBlocks::range() const {
    return count == 1 ? grouped(first) : fmt::format("{} to {}", grouped(first), grouped(last));
}

std::string RowBlocks::text() const {
    if (count == std::uint64_t{last} - first + 1) return noun(count, "block") + ' ' + range();
    return fmt::format("{}, {}", counted(count, "block"), range());
}

void RowBlocks::add(const GridBlock& block) {
    first = count == 0 ? block.id.value : std::min(first, block.id.value);
    last = std::max(last, block.id.value);
    ++count;
    recorded += block.recorded ? 1 : 0;
}

std::vector<RowBlocks> draw_strips(GridDrawing& d, std::size_t number) {
    const GridPanelLayout::Launch& at = d.layout.launch(number);
    const Box& body = d.layout.body();
    StripCells cells{.from = std::max(at.from, static_cast<double>(body.x) - strip_cell),
                     .to = std::min(at.to, static_cast<double>(body.right()) + strip_cell),
                     .columns = 0};
    if (cells.to <= cells.from) return {};
    const std::uint32_t rows = d.layout.rows(number);
    cells.columns = static_cast<std::size_t>(std::ceil((cells.to - cells.from) / strip_cell));
    cells.cells.resize(cells.columns * rows);
    std::vector<RowBlocks> of_rows(at.slots_a_row > 1 ? rows : 0);
    for (const GridBlock& block : d.picture.launches[number].blocks) {
        const double begin = std::max(d.layout.x(number, block.time.first), cells.from);
        const double end = std::min(d.layout.x(number, block.time.past_last), cells.to);
        if (end <= begin) continue;
        const std::size_t row = d.layout.row(number, block.slot);
        if (row < of_rows.size()) of_rows[row].add(block);
        add_block(d, number, block, row, cells);
    }
    for (std::uint32_t row = 0; row < rows; ++row) draw_row_of_strips(d, number, row, cells);
    return of_rows;
}

void draw_row_names(GridDrawing& d, std::size_t number, const std::vector<RowBlocks>& rows) {
    constexpr float indent = 4, padding = 3;
    const GridPanelLayout::Launch& at = d.layout.launch(number);
    const Style style{Font::words, grid_text::clock, {Role::text, 1}};
    const float left = std::max(static_cast<float>(at.from), d.layout.body().x) + indent;
    const float room = std::min(static_cast<float>(at.to), d.layout.body().right()) - left - padding;
    // The bar must remain visible beside it.
    constexpr float most_share = 0.6F;
    const auto width_of = [&](const std::string& text) { return text_width(style.font, style.size, text); };
    const bool in_words =
        std::ranges::all_of(rows, [&](const RowBlocks& row) { return width_of(row.text()) <= room * most_share; });
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
        const RowBlocks& of = rows[row];
        if (of.count == 0) continue;
        std::string text = in_words ? of.text() : of.range();
        if (of.recorded > 0 && of.recorded < of.count)
            if (const std::string more = fmt::format("{}, {} recorded", text, grouped(of.recorded));
                width_of(more) <= room * most_share)
                text = more;
        if (width_of(text) > room) continue;
        const Box plate{left - padding, d.layout.y_of_row(number, row), width_of(text) + 2 * padding,
                        d.layout.bar_height(number)};
        const auto covers = [&](const Box& other) {
            return other.x < plate.right() && plate.x < other.right() && other.y < plate.bottom() &&
                   plate.y < other.bottom();
        };
        if (std::ranges::any_of(d.plates, covers)) continue;
        d.names.rects.push_back(rect(plate, 2, {Role::panel, 0.7F}));
        d.names.put(left, plate.y + plate.height / 2, Anchor::start, style, text);
    }
}

}  // namespace lanescope::scene
