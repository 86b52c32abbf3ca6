#include "scene/grid_scene.h"

#include "analysis/panels/program_lines.h"
#include "analysis/source/source_line.h"
#include "base/grouped.h"
#include "model/device_limits.h"
#include "scene/grid/arc_bundles.h"
#include "scene/grid/layout.h"
#include "scene/labels.h"
#include "scene/time_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>

namespace lanescope::scene {

namespace {

using analysis::GridArc;
using analysis::GridBlock;
using analysis::GridHostStep;
using analysis::GridLaunch;
using analysis::GridPicture;

constexpr float kernel_size = 13, detail_size = 12, clock_size = 11, key_size = 12,
                host_size = GridPanelLayout::host_size;
constexpr std::size_t most_arcs = 1'500;

/// The colors of arcs, by array: the first arrays that are read have a color each, the others share one.
constexpr std::array array_roles = {Role::read, Role::selected, Role::agrees, Role::text};

class GridDrawing {
  public:
    GridDrawing(const trace::Trace& trace, const GridPicture& picture, const GridOptions& options)
        : trace_(trace), picture_(picture), options_(options), layout_(picture, options) {
        for (const GridArc& arc : picture_.arcs) {
            if (std::ranges::find(arrays_, arc.buffer) == arrays_.end()) arrays_.push_back(arc.buffer);
        }
    }

    Scene draw() {
        Scene scene;
        scene.title = "Grid";
        scene.description = description();
        scene.width = options_.width;
        scene.height = layout_.height();
        const Box& body = layout_.body();
        scene.viewports.push_back({.box = {body.x, 0, body.width, body.bottom() + GridPanelLayout::axis},
                                   .width = static_cast<float>(layout_.content_width()),
                                   .height = body.bottom() + GridPanelLayout::axis,
                                   .scroll_x = static_cast<float>(layout_.scroll())});
        scene.shapes.emplace_back(ClipBegin{body.x - 8, 0, body.width + 16, scene.height - layout_.legend_height()});
        for (std::size_t i = 0; i < picture_.launches.size(); ++i) draw_launch(i);
        draw_host(picture_.launches.size(), picture_.host_steps, layout_.past_last(), layout_.last_gap());
        below_.flush(scene);
        draw_arcs();
        for (std::size_t i = 0; i < picture_.launches.size(); ++i) draw_unrecorded(i);
        for (const auto& [number, rows] : row_blocks_) draw_row_names(number, rows);
        draw_shown();
        draw_names();
        above_.flush(scene);
        names_.flush(scene);
        scene.shapes.emplace_back(ClipEnd{});
        draw_lane_names();
        draw_legend();
        draw_note();
        above_.flush(scene);
        return scene;
    }

    /// The lines that the note of the drawn picture takes.
    [[nodiscard]] std::size_t note_lines() const { return note_lines_; }
    [[nodiscard]] std::size_t legend_rows() const { return legend_rows_; }

  private:
    [[nodiscard]] bool visible(double from, double to) const {
        const Box& body = layout_.body();
        return to >= static_cast<double>(body.x) - 4 && from <= static_cast<double>(body.right()) + 4;
    }

    void draw_launch(std::size_t number) {
        const GridPanelLayout::Launch& at = layout_.launch(number);
        draw_host(number, picture_.launches[number].host_steps, at.from - at.gap, at.gap);
        if (!visible(at.from, at.to)) return;
        draw_heading(number);
        draw_axis(number);
        if (!at.strips) draw_lanes(number);
        draw_queue(number);
        if (at.strips)
            draw_strips(number);
        else
            for (const GridBlock& block : picture_.launches[number].blocks) draw_block(number, block);
    }

    /// A band for every other multiprocessor.
    void draw_lanes(std::size_t number) {
        for (std::uint32_t i = 0; i < layout_.launch(number).lanes; i += 2) {
            const Box lane = layout_.lane(number, i);
            below_.rects.push_back(rect({lane.x, lane.y - 2, lane.width, lane.height}, 0, {Role::line, 0.22F}));
        }
    }

    /// The blocks that never started, as they wait for a place.
    void draw_queue(std::size_t number) {
        const GridPanelLayout::Launch& at = layout_.launch(number);
        const std::vector<BlockId>& blocks = picture_.launches[number].never_started;
        if (at.queue <= 0 || blocks.empty()) return;
        const Box& body = layout_.body();
        constexpr float gap = 6;
        float x = std::max(static_cast<float>(at.from), body.x);
        const float right = std::min(static_cast<float>(at.to), body.right());
        const std::string title = ended_early() ? "did not run:" : "never started:";
        const float y = at.queue + GridPanelLayout::queue_height / 2;
        below_.put(x, y, Anchor::start, {Font::words, detail_size, {Role::soft, 1}}, title);
        x += text_width(Font::words, detail_size, title) + 2 * gap;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const std::string name = fmt::format("block {}", grouped(blocks[i].value));
            const std::string rest = fmt::format("and {} more", grouped(blocks.size() - i));
            const float width = text_width(Font::words_medium, detail_size, name) + 16;
            const bool last = i + 1 == blocks.size();
            if (x + width + (last ? 0 : text_width(Font::words, detail_size, rest) + gap) > right) {
                below_.put(x, y, Anchor::start, {Font::words, detail_size, {Role::soft, 1}}, rest);
                return;
            }
            Rect box = rect({x, at.queue, width, GridPanelLayout::queue_height}, 3, {}, {Role::soft, 0.8F});
            box.dashed = true;
            below_.rects.push_back(box);
            below_.put(x + 8, y, Anchor::start, {Font::words_medium, detail_size, {Role::text, 1}}, name);
            x += width + gap;
        }
    }

    /// The names of the multiprocessors, of the first launch in view that has any.
    void draw_lane_names() {
        for (std::size_t number = 0; number < picture_.launches.size(); ++number) {
            const GridPanelLayout::Launch& at = layout_.launch(number);
            if (at.lanes == 0 || !visible(at.from, at.to)) continue;
            float free_from = 0;
            for (std::uint32_t i = 0; i < at.lanes; ++i) {
                const Box lane = layout_.lane(number, i);
                const float y = lane.y + lane.height / 2 - 2;
                if (y < free_from) continue;
                above_.put(layout_.body().x - 10, y, Anchor::end, {Font::words, clock_size, {Role::soft, 1}},
                           fmt::format("SM {}", i));
                free_from = y + clock_size + 3;
            }
            return;
        }
    }

    void draw_heading(std::size_t number) {
        const GridPanelLayout::Launch& at = layout_.launch(number);
        const Box& body = layout_.body();
        const auto left = static_cast<float>(std::max(at.from, static_cast<double>(body.x)));
        const auto right = static_cast<float>(std::min(at.to, static_cast<double>(body.right())));
        const bool shown = options_.shown && options_.shown->first == number;
        const TraceRef ref = ref_to(TraceRef::Kind::heading, 0, number);
        below_.rects.push_back(rect({left, GridPanelLayout::heading - 8, std::max(right - left, 1.0F), 2}, 1,
                                    shown ? Paint{Role::cursor, 1} : Paint{Role::line, 1}));
        Rect under = rect({left, 2, std::max(right - left, 1.0F), GridPanelLayout::heading - 10}, 0, {});
        under.ref = ref;
        below_.rects.push_back(under);
        if (right - left < 34) return;
        const trace::Launch& of = trace_.launches[number];
        below_.put(left, 13, Anchor::start, {Font::code_bold, kernel_size, {Role::text, 1}},
                   fitted(Font::code_bold, kernel_size, analysis::launch_name_of(of.kernel), right - left), ref);
        const std::string blocks = counted(of.grid.count(), "block");
        const bool last = number + 1 == trace_.launches.size();
        const std::string end(last ? analysis::end_of_partial_launch(trace_) : std::string_view());
        const std::string threads = counted(of.block.count(), "thread");
        std::vector<std::string> alternatives = {fmt::format("launch {}: {} of {}", number, blocks, threads),
                                                 fmt::format("{} of {}", blocks, threads), blocks};
        if (!end.empty()) {
            alternatives.insert(alternatives.begin(), fmt::format("{}, {}", alternatives.front(), end));
            alternatives[1] = fmt::format("{}, {}", blocks, end);
            alternatives[2] = end;
            alternatives[3] = "partial";
            // Its last tick is not its end.
            Curve edge = line(right, GridPanelLayout::heading, right, body.bottom(), {Role::cost, 1}, 2);
            edge.dashed = true;
            if (at.to <= static_cast<double>(body.right())) above_.curves.push_back(edge);
        }
        for (const std::string& text : alternatives) {
            if (text_width(Font::words, detail_size, text) > right - left) continue;
            below_.put(left, 29, Anchor::start, {Font::words, detail_size, {end.empty() ? Role::soft : Role::cost, 1}},
                       text, ref);
            break;
        }
    }

    void draw_axis(std::size_t number) {
        const GridLaunch& launch = picture_.launches[number];
        const GridPanelLayout::Launch& at = layout_.launch(number);
        const Box& body = layout_.body();
        const auto length = static_cast<double>(launch.time.length());
        constexpr double apart = 76;  // points between two numbers
        if (length == 0 || at.to - at.from < 24) return;
        const auto step = static_cast<std::uint64_t>(round_step(apart * length / (at.to - at.from)));
        const double per_tick = (at.to - at.from) / length;
        const double hidden = std::max(0.0, (static_cast<double>(body.x) - at.from) / per_tick);
        const std::uint64_t begin = launch.time.first + static_cast<std::uint64_t>(hidden);
        const float y = body.bottom();
        for (std::uint64_t tick = (begin + step - 1) / step * step; tick <= launch.time.past_last; tick += step) {
            const auto x = static_cast<float>(layout_.x(number, tick));
            if (x > body.right()) break;
            below_.curves.push_back(line(x, body.y - 6, x, y + 4, {Role::line, 0.7F}));
            const std::string text = grouped(tick);
            const float half = text_width(Font::words, clock_size, text) / 2;
            if (x - half < static_cast<float>(at.from) - 6 || x + half > static_cast<float>(at.to) + 8) continue;
            below_.put(x, y + 13, Anchor::middle, {Font::words, clock_size, {Role::soft, 1}}, text);
        }
    }

    void draw_block(std::size_t number, const GridBlock& block) {
        const Box box = layout_.bar(number, block);
        if (!visible(static_cast<double>(box.x), static_cast<double>(box.right()))) return;
        const float radius = std::min({3.0F, box.height / 3, box.width / 3});
        Rect bar = block.recorded ? rect(box, radius, {Role::useful, 0.34F}, {Role::useful, 0.9F})
                                  : rect(box, radius, {Role::soft, 0.16F}, {Role::soft, 0.7F});
        bar.dashed = !block.recorded;
        if (box.width < 6 || box.height < 8) {
            bar.stroke = {};
            bar.fill.alpha = block.recorded ? 0.65F : 0.32F;
        }
        bar.ref = ref_to(TraceRef::Kind::cell, number, block.id.value);
        below_.rects.push_back(bar);
        for (const analysis::GridSpan& wait : block.waits) {
            const auto from = static_cast<float>(layout_.x(number, wait.first));
            const auto to = static_cast<float>(layout_.x(number, wait.past_last));
            if (to - from < 1) continue;
            Rect pause = rect({from, box.y, std::min(to, box.right()) - from, box.height}, 0, {Role::panel, 0.9F},
                              {Role::useful, 0.5F});
            pause.hatch = {Role::soft, 0.9F};
            if (to - from < 6 || box.height < 6) pause.stroke = {};
            below_.rects.push_back(pause);
        }
        if (block.stall) draw_stall(box, *block.stall, number);
        draw_name(box, block, number);
    }

    void draw_stall(const Box& box, const analysis::GridSpan& stall, std::size_t number) {
        const auto from = static_cast<float>(layout_.x(number, stall.first));
        const auto to = std::min(static_cast<float>(layout_.x(number, stall.past_last)), box.right());
        if (to - from < 1) return;
        Rect pause = rect({from, box.y, to - from, box.height}, 0, {Role::panel, 0.9F}, {Role::cost, 0.9F});
        pause.dashed = true;
        below_.rects.push_back(pause);
        const std::string text = "stalled";
        if (box.height < 14 || text_width(Font::words, clock_size, text) + 12 > to - from) return;
        above_.put((from + to) / 2, box.y + box.height / 2, Anchor::middle, {Font::words, clock_size, {Role::cost, 1}},
                   text);
    }

    void draw_name(const Box& box, const GridBlock& block, std::size_t number) {
        if (box.height < 11) return;
        const float size = box.height >= 20 ? 12.5F : smallest_text;
        const bool shown = options_.shown == std::pair(static_cast<std::uint32_t>(number), block.id);
        const Font font = shown ? Font::words_bold : Font::words_medium;
        // The name stands where the block executes, not over a hatched part.
        float from = box.x, to = box.right();
        std::vector<analysis::GridSpan> pauses = block.waits;
        if (block.stall) pauses.push_back(*block.stall);
        std::ranges::sort(pauses, {}, &analysis::GridSpan::first);
        for (const analysis::GridSpan& wait : pauses) {
            const auto begin = static_cast<float>(layout_.x(number, wait.first));
            constexpr float narrow = 6;  // a name may stand over it
            if (static_cast<float>(layout_.x(number, wait.past_last)) - begin < narrow) continue;
            if (begin - from >= text_width(font, size, grouped(block.id.value)) + 10) {
                to = std::min(to, begin);
                break;
            }
            from = static_cast<float>(layout_.x(number, wait.past_last));
        }
        for (const std::string& text : {fmt::format("block {}", block.id.value), fmt::format("{}", block.id.value)}) {
            if (text_width(font, size, text) + 10 > to - from) continue;
            const Style style{font, size, {block.recorded ? Role::text : Role::soft, 1}};
            block_names_.push_back({box, &block, style, text, std::max(from, layout_.body().x) + name_indent, to});
            return;
        }
    }

    /// Names stand beside the arcs: moved to the right of them where the bar has room, otherwise over them on a plate.
    void draw_names() {
        constexpr float plate_padding = 3, step = 4;
        for (const BlockName& name : block_names_) {
            const float width = text_width(name.style.font, name.style.size, name.text);
            const float middle = name.bar.y + name.bar.height / 2;
            const float height = std::min(name.bar.height - 2, name.style.size + 4);
            const auto box_at = [&](float x) {
                return Box{x - plate_padding, middle - height / 2, width + 2 * plate_padding, height};
            };
            const std::vector<Box> arcs = arcs_in({name.x, name.bar.y, name.to - name.x, name.bar.height});
            const auto is_free = [&](float x) {
                const Box box = box_at(x);
                return std::ranges::none_of(arcs, [&](const Box& part) {
                    return part.x < box.right() && box.x < part.right() && part.y < box.bottom() &&
                           box.y < part.bottom();
                });
            };
            float x = name.x;
            while (!is_free(x) && x + width + name_indent <= name.to) x += step;
            if (x + width + name_indent > name.to) x = name.x;
            if (!is_free(x)) names_.rects.push_back(rect(box_at(x), 3, {Role::panel, 0.85F}));
            names_.put(x, middle, Anchor::start, name.style, name.text);
            draw_left(name.bar, *name.block, x + width + 2 * name_indent, name.to);
        }
    }

    /// Boxes around parts of the arcs that are drawn near `area`, their ends included.
    [[nodiscard]] std::vector<Box> arcs_in(const Box& area) const {
        constexpr int parts = 24;
        constexpr float room = 3;
        std::vector<Box> found;
        const auto add = [&](float x0, float y0, float x1, float y1) {
            const Box part{std::min(x0, x1) - room, std::min(y0, y1) - room, std::abs(x1 - x0) + 2 * room,
                           std::abs(y1 - y0) + 2 * room};
            if (part.x < area.right() && area.x < part.right() && part.y < area.bottom() && area.y < part.bottom())
                found.push_back(part);
        };
        for (const Curve& arc : above_.curves) {
            const auto [left, right] = std::minmax({arc.x0, arc.x1, arc.x2, arc.x3});
            const auto [top, bottom] = std::minmax({arc.y0, arc.y1, arc.y2, arc.y3});
            if (left > area.right() || right < area.x || top > area.bottom() || bottom < area.y) continue;
            float x = arc.x0, y = arc.y0;
            for (int i = 1; i <= parts; ++i) {
                const float t = static_cast<float>(i) / parts, u = 1 - t;
                const auto at = [&](float a, float b, float c, float d) {
                    return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
                };
                const float next_x = at(arc.x0, arc.x1, arc.x2, arc.x3), next_y = at(arc.y0, arc.y1, arc.y2, arc.y3);
                add(x, y, next_x, next_y);
                x = next_x, y = next_y;
            }
        }
        return found;
    }

    /// The elements that it left in global memory, where no arc is in the way.
    void draw_left(const Box& box, const GridBlock& block, float from, float to) {
        constexpr float least_height = 20, size = 12;
        constexpr std::size_t most_arcs_around = 64;
        if (block.left.empty() || box.height < least_height || picture_.arcs.size() > most_arcs_around) return;
        const Box text{from, box.y + box.height / 2 - size / 2, text_width(Font::code, size, block.left), size};
        if (text.right() + 6 > std::min(to, layout_.body().right())) return;
        for (const GridArc& arc : picture_.arcs) {
            const auto ends = ends_of(arc);
            if (!ends) continue;
            const float left = std::min(ends->x0, ends->x1), right = std::max(ends->x0, ends->x1);
            const float top = std::min(ends->y0, ends->y1) - 16, bottom = std::max(ends->y0, ends->y1);
            if (left < text.right() + 4 && text.x < right + 4 && top < text.bottom() && text.y < bottom) return;
        }
        names_.put(text.x, box.y + box.height / 2, Anchor::start, {Font::code, size, {Role::text, 1}}, block.left);
    }

    /// The blocks of a row that are several at once.
    struct RowBlocks {
        std::uint64_t count = 0, recorded = 0;
        std::uint32_t first = 0, last = 0;
        void add(const GridBlock& block) {
            first = count == 0 ? block.id.value : std::min(first, block.id.value);
            last = std::max(last, block.id.value);
            ++count;
            recorded += block.recorded ? 1 : 0;
        }
        /// "0 to 83"
        [[nodiscard]] std::string range() const {
            return count == 1 ? grouped(first) : fmt::format("{} to {}", grouped(first), grouped(last));
        }
        /// "blocks 0 to 83", "2,940 blocks, 0 to 99,999"
        [[nodiscard]] std::string text() const {
            if (count == std::uint64_t{last} - first + 1) return noun(count, "block") + ' ' + range();
            return fmt::format("{}, {}", counted(count, "block"), range());
        }
    };

    void draw_row_names(std::size_t number, const std::vector<RowBlocks>& rows) {
        constexpr float indent = 4, padding = 3;
        const GridPanelLayout::Launch& at = layout_.launch(number);
        const Style style{Font::words, clock_size, {Role::text, 1}};
        const float left = std::max(static_cast<float>(at.from), layout_.body().x) + indent;
        const float room = std::min(static_cast<float>(at.to), layout_.body().right()) - left - padding;
        // The bar is to be seen beside it.
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
            const Box plate{left - padding, layout_.y_of_row(number, row), width_of(text) + 2 * padding,
                            layout_.bar_height(number)};
            const auto covers = [&](const Box& other) {
                return other.x < plate.right() && plate.x < other.right() && other.y < plate.bottom() &&
                       plate.y < other.bottom();
            };
            if (std::ranges::any_of(plates_, covers)) continue;
            names_.rects.push_back(rect(plate, 2, {Role::panel, 0.7F}));
            names_.put(left, plate.y + plate.height / 2, Anchor::start, style, text);
        }
    }

    /// The share of the blocks in a row that is resident at a time; of these, from the top, the share that is recorded.
    void draw_strips(std::size_t number) {
        constexpr double cell = 3;  // points wide
        static constexpr int levels = 6;
        const GridPanelLayout::Launch& at = layout_.launch(number);
        const Box& body = layout_.body();
        const double from = std::max(at.from, static_cast<double>(body.x) - cell);
        const double to = std::min(at.to, static_cast<double>(body.right()) + cell);
        if (to <= from) return;
        const auto columns = static_cast<std::size_t>(std::ceil((to - from) / cell));
        struct Cell {
            double covered = 0;
            std::uint32_t block = 0;
            double waited = 0, recorded = 0;
            bool any = false;
            [[nodiscard]] bool waits() const { return waited > covered / 2; }
            [[nodiscard]] int recorded_level() const {
                return recorded <= 0 ? 0
                                     : std::clamp(static_cast<int>(std::ceil(recorded / covered * levels)), 1, levels);
            }
        };
        const std::uint32_t rows = layout_.rows(number);
        std::vector<Cell> cells(columns * rows);
        std::vector<RowBlocks> of_rows(at.slots_a_row > 1 ? rows : 0);
        for (const GridBlock& block : picture_.launches[number].blocks) {
            const double begin = std::max(layout_.x(number, block.time.first), from);
            const double end = std::min(layout_.x(number, block.time.past_last), to);
            if (end <= begin) continue;
            const std::size_t row = layout_.row(number, block.slot);
            if (row < of_rows.size()) of_rows[row].add(block);
            const auto each_cell = [&](double first, double last, const auto& visit) {
                for (auto c = static_cast<std::size_t>((first - from) / cell);
                     c < columns && from + static_cast<double>(c) * cell < last; ++c) {
                    const double left = from + static_cast<double>(c) * cell;
                    visit(cells[row * columns + c], std::min(last, left + cell) - std::max(first, left));
                }
            };
            each_cell(begin, end, [&](Cell& under, double covered) {
                under.covered += covered;
                if (!std::exchange(under.any, true)) under.block = block.id.value;
                if (block.recorded) under.recorded += covered;
            });
            for (const analysis::GridSpan& wait : block.waits) {
                const double waits_from = std::max(layout_.x(number, wait.first), begin);
                const double waits_to = std::min(layout_.x(number, wait.past_last), end);
                if (waits_to > waits_from)
                    each_cell(waits_from, waits_to, [](Cell& under, double waited) { under.waited += waited; });
            }
        }
        const auto level_of = [&](const Cell& each) {
            const double share = each.covered / (cell * at.slots_a_row);
            return each.any ? std::clamp(static_cast<int>(std::ceil(share * levels)), 1, levels) : 0;
        };
        const float height = layout_.bar_height(number);
        for (std::uint32_t row = 0; row < rows; ++row) {
            for (std::size_t c = 0; c < columns;) {
                const Cell& first = cells[row * columns + c];
                std::size_t past = c + 1;
                while (past < columns && level_of(cells[row * columns + past]) == level_of(first) &&
                       cells[row * columns + past].recorded_level() == first.recorded_level() &&
                       cells[row * columns + past].waits() == first.waits())
                    ++past;
                if (first.any) {
                    const double left = from + static_cast<double>(c) * cell;
                    const double right = std::min(from + static_cast<double>(past) * cell, at.to);
                    const float strength = 0.15F + 0.7F * static_cast<float>(level_of(first)) / levels;
                    const auto draw = [&](float from_top, float high, bool recorded) {
                        if (high <= 0) return;
                        Rect strip = rect({static_cast<float>(left), layout_.y_of_row(number, row) + from_top,
                                           static_cast<float>(right - left), high},
                                          0, {recorded ? Role::useful : Role::soft, strength * (recorded ? 1 : 0.6F)});
                        if (first.waits()) {
                            strip.fill.alpha /= 3;
                            strip.hatch = {Role::soft, 0.9F};
                        }
                        strip.ref = ref_to(TraceRef::Kind::cell, number, first.block);
                        below_.rects.push_back(strip);
                    };
                    const float known = height * static_cast<float>(first.recorded_level()) / levels;
                    draw(0, known, true);
                    draw(known, height - known, false);
                }
                c = past;
            }
        }
        row_blocks_.emplace_back(number, std::move(of_rows));
    }

    void draw_host(std::size_t number, const std::vector<GridHostStep>& steps, double left, double width) {
        if (steps.empty() || width < 6 || !visible(left, left + width)) return;
        const Box& body = layout_.body();
        const auto x = static_cast<float>(left) + (layout_.host_is_written() ? 10.0F : 6.0F);
        if (layout_.host_is_written())
            below_.put(x, 13, Anchor::start, {Font::words_medium, detail_size, {Role::soft, 1}}, "host");
        const float pitch = layout_.host_is_written() ? 17.0F : 9.0F;
        const auto room = static_cast<std::size_t>(std::max((body.height - 4) / pitch, 1.0F));
        const std::size_t drawn = steps.size() <= room ? steps.size() : room - 1;
        float y = body.y + (body.height - pitch * static_cast<float>(std::min(steps.size(), room))) / 2 + pitch / 2;
        for (std::size_t i = 0; i < drawn; ++i, y += pitch) {
            const TraceRef ref = ref_to(TraceRef::Kind::line, number, i);
            Rect mark = rect({x, y - 3, 6, 6}, 1, {Role::soft, 1});
            mark.ref = ref;
            below_.rects.push_back(mark);
            if (!layout_.host_is_written()) continue;
            const float text_room = static_cast<float>(width) - 26;
            below_.put(x + 11, y, Anchor::start, {Font::words, host_size, {Role::text, 1}},
                       fitted(Font::words, host_size, steps[i].text, text_room), ref);
        }
        if (drawn < steps.size()) {
            below_.put(x, y, Anchor::start, {Font::words, smallest_text, {Role::soft, 1}},
                       fmt::format("+{}", grouped(steps.size() - drawn)));
        }
    }

    // --- arcs

    [[nodiscard]] Role role_of(std::uint32_t buffer) const {
        const auto at = static_cast<std::size_t>(std::ranges::find(arrays_, buffer) - arrays_.begin());
        return at < array_roles.size() ? array_roles[at] : Role::soft;
    }
    [[nodiscard]] bool touches_shown(const GridArc& arc) const {
        return options_.shown && (*options_.shown == std::pair(arc.from_launch, arc.from) ||
                                  *options_.shown == std::pair(arc.to_launch, arc.to));
    }

    void draw_arcs() {
        if (layout_.tracks() > 0) {
            std::size_t emphasized = 0;
            constexpr std::size_t most_emphasized = 100;
            for (std::size_t i = 0; i < picture_.arcs.size() && emphasized < most_emphasized; ++i) {
                if (!touches_shown(picture_.arcs[i])) continue;
                draw_arc(i);
                ++emphasized;
            }
            return draw_bundles();
        }
        std::vector<std::size_t> seen;
        for (std::size_t i = 0; i < picture_.arcs.size(); ++i)
            if (layout_.sees(picture_.arcs[i])) seen.push_back(i);
        seen_arcs_ = seen.size();
        const std::size_t every = (seen.size() + most_arcs - 1) / most_arcs;
        for (std::size_t i = 0; i < seen.size(); ++i) {
            if (every <= 1 || i % every == 0 || touches_shown(picture_.arcs[seen[i]])) draw_arc(seen[i]);
        }
    }

    [[nodiscard]] Role role_of_track(std::uint32_t track) const {
        const std::optional<std::uint32_t> array = layout_.array_of(track);
        return array ? role_of(*array) : Role::soft;
    }

    /// Below the rows: how many arcs lead from a stretch of the clock to another, and within one.
    void draw_bundles() {
        const Box& body = layout_.body();
        for (std::uint32_t track = 0; track < layout_.tracks(); ++track) {
            const float y = layout_.track_top(track);
            const std::optional<std::uint32_t> array = layout_.array_of(track);
            below_.rects.push_back(rect({body.x, y + 1, body.width, 1}, 0, {Role::line, 0.5F}));
            above_.put(body.x, y + 8, Anchor::start, {Font::words_medium, clock_size, {role_of_track(track), 1}},
                       array        ? trace_.buffers[*array].name
                       : track == 0 ? "all arrays"
                                    : "other arrays");
        }
        std::vector<ArcBundle> bundles = arc_bundles(picture_, layout_);
        std::vector<std::size_t> order(bundles.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return bundles[i].arcs; });
        std::vector<Box> labels;
        for (const std::size_t i : order) draw_bundle(bundles[i], i, labels);
    }

    void draw_bundle(const ArcBundle& bundle, std::size_t number, std::vector<Box>& labels) {
        constexpr float pill = 15, padding = 7;
        const TraceRef ref = ref_to(TraceRef::Kind::arc, bundle.first, number + 1);
        const float bottom = layout_.track_top(bundle.track) + GridPanelLayout::track_height - 3;
        const Role role = role_of_track(bundle.track);
        const std::string text = grouped(bundle.arcs);
        const float half = text_width(Font::words_medium, clock_size, text) / 2 + padding;
        const auto from = static_cast<float>(bundle.from), to = static_cast<float>(bundle.to);
        const auto is_free = [&](const Box& label) {
            const auto overlaps = [&](const Box& other) {
                return other.x < label.right() && label.x < other.right() && other.y < label.bottom() &&
                       label.y < other.bottom();
            };
            return std::ranges::none_of(labels, overlaps);
        };
        if (bundle.within) {
            const Box& body = layout_.body();
            const float middle = std::clamp(to, body.x + half, std::max(body.right() - half, body.x + half));
            const Box at{middle - half, bottom - pill, 2 * half, pill};
            if (!is_free(at)) return;
            labels.push_back(at);
            Rect box = rect(at, pill / 2, {Role::panel, 1}, {role, 0.9F});
            box.ref = ref;
            above_.rects.push_back(box);
            above_.put(middle, bottom - pill / 2, Anchor::middle, {Font::words_medium, clock_size, {Role::text, 1}},
                       text, ref);
            return;
        }
        const float y = bottom - pill - 1, apex = y - 16;
        Curve curve;
        curve.x0 = from, curve.y0 = y, curve.x1 = from, curve.y1 = apex;
        curve.x2 = to, curve.y2 = apex, curve.x3 = to, curve.y3 = y;
        curve.stroke = {role, 0.75F};
        curve.stroke_width = 1.2F + 0.35F * std::log2(static_cast<float>(bundle.arcs));
        curve.dashed = bundle.atomic;
        curve.ref = ref;
        above_.curves.push_back(curve);
        Circle end;
        end.x = to, end.y = y, end.radius = 2.6F, end.fill = {role, 1};
        above_.circles.push_back(end);
        const Box label{(from + to) / 2 - half + 3, y - 20, 2 * half - 6, 13};
        if (!is_free(label)) return;
        labels.push_back(label);
        above_.rings.push_back(rect(label, 3, {Role::panel, 0.9F}));
        above_.put(label.x + label.width / 2, label.y + label.height / 2, Anchor::middle,
                   {Font::words, clock_size, {Role::text, 1}}, text, ref);
    }

    /// Over the blocks that were counted alone, what they are: gray alone says nothing.
    void draw_unrecorded(std::size_t number) {
        const GridLaunch& launch = picture_.launches[number];
        const Box& body = layout_.body();
        double from = static_cast<double>(body.right()), to = static_cast<double>(body.x);
        std::uint64_t count = 0;
        std::uint32_t top = layout_.rows(number), bottom = 0;
        for (const GridBlock& block : launch.blocks) {
            if (block.recorded) continue;
            ++count;
            const double begin = layout_.x(number, block.time.first), end = layout_.x(number, block.time.past_last);
            if (!visible(begin, end)) continue;
            from = std::min(from, std::max(begin, static_cast<double>(body.x)));
            to = std::max(to, std::min(end, static_cast<double>(body.right())));
            top = std::min(top, layout_.row(number, block.slot));
            bottom = std::max(bottom, layout_.row(number, block.slot));
        }
        if (count == 0 || to <= from) return;
        const float y0 = layout_.y_of_row(number, top), y1 = layout_.y_of_row(number, bottom);
        const float y = (y0 + y1 + layout_.bar_height(number)) / 2;
        const auto x = static_cast<float>((from + to) / 2);
        const std::string blocks = counted(count, "block");
        for (const std::string& text :
             {blocks + " not recorded: counted alone, what they read and when they waited was not kept",
              blocks + " not recorded: counted alone", blocks + " not recorded", std::string("not recorded")}) {
            constexpr float padding = 8, height = 18;
            const float half = text_width(Font::words, detail_size, text) / 2 + padding;
            if (2 * half > static_cast<float>(to - from)) continue;
            plates_.push_back({x - half, y - height / 2, 2 * half, height});
            above_.rects.push_back(rect(plates_.back(), 4, {Role::panel, 0.94F}, {Role::soft, 0.6F}));
            above_.put(x, y, Anchor::middle, {Font::words, detail_size, {Role::text, 1}}, text);
            return;
        }
    }

    struct ArcEnds {
        float x0, y0, x1, y1;
    };
    /// Nothing for blocks without a bar.
    [[nodiscard]] std::optional<ArcEnds> ends_of(const GridArc& arc) const {
        const GridBlock* const from = picture_.block(arc.from_launch, arc.from);
        const GridBlock* const to = picture_.block(arc.to_launch, arc.to);
        if (from == nullptr || to == nullptr) return std::nullopt;
        return ArcEnds{.x0 = static_cast<float>(layout_.x(arc.from_launch, arc.written_at + 1)),
                       .y0 = layout_.y(arc.from_launch, from->slot) + layout_.bar_height(arc.from_launch) / 2,
                       .x1 = static_cast<float>(layout_.x(arc.to_launch, arc.read_at)),
                       .y1 = layout_.y(arc.to_launch, to->slot) + layout_.bar_height(arc.to_launch) / 2};
    }

    void draw_arc(std::size_t index) {
        const GridArc& arc = picture_.arcs[index];
        const auto ends = ends_of(arc);
        if (!ends) return;
        const auto [x0, y0, x1, y1] = *ends;
        if (!visible(static_cast<double>(std::min(x0, x1)), static_cast<double>(std::max(x0, x1)))) return;
        const bool emphasized = touches_shown(arc);
        const std::size_t count = std::min(seen_arcs_, most_arcs);
        const float usual = count <= 24 ? 0.85F : count <= 120 ? 0.5F : count <= 500 ? 0.3F : 0.15F;
        const Paint paint{role_of(arc.buffer), emphasized ? 1.0F : usual};
        const float bend = std::max((x1 - x0) * 0.5F, x1 - x0 < 16 ? 3.0F : 10.0F),
                    lift = std::abs(y1 - y0) < 1 ? -16.0F : 0.0F;
        Curve curve;
        curve.x0 = x0, curve.y0 = y0, curve.x1 = x0 + bend, curve.y1 = y0 + lift;
        curve.x2 = x1 - bend, curve.y2 = y1 + lift, curve.x3 = x1, curve.y3 = y1;
        curve.stroke = paint;
        curve.stroke_width = emphasized ? 2.2F : 1.4F;
        curve.dashed = arc.atomic;
        curve.ref = ref_to(TraceRef::Kind::arc, index);
        above_.curves.push_back(curve);
        constexpr std::size_t dotted = 200;
        if (count > dotted && !emphasized) return;
        Circle end;
        end.x = x1, end.y = y1, end.radius = emphasized ? 3.2F : 2.4F;
        end.fill = {paint.role, 1};
        above_.circles.push_back(end);
    }

    void draw_shown() {
        if (!options_.shown) return;
        const auto& [number, id] = *options_.shown;
        const GridBlock* const block = picture_.block(number, id);
        if (block == nullptr) return;
        const Box box = layout_.bar(number, *block);
        above_.rings.push_back(ring(box, 4, 2, {Role::cursor, 1}, 2));
        if (!options_.tick) return;
        const auto x = static_cast<float>(layout_.x(number, *options_.tick));
        const Box& body = layout_.body();
        above_.rects.push_back(rect({x - 1, body.y - 6, 2, body.height + 8}, 0, {Role::cursor, 0.9F}));
    }

    // --- what it means

    void draw_legend() {
        LegendRow row(above_, layout_.height() - layout_.legend_height() + 14, options_.width - panel_padding, true);
        const auto boxed = [&](const Rect& shape) { above_.rects.push_back(shape); };
        bool waits = false;
        for (const GridLaunch& launch : picture_.launches)
            for (const GridBlock& block : launch.blocks) waits = waits || !block.waits.empty();
        row.add("block", [&](const Box& box) { boxed(rect(box, 3, {Role::useful, 0.34F}, {Role::useful, 0.9F})); });
        if (waits) {
            row.add("waits for another block", [&](const Box& box) {
                Rect pause = rect(box, 0, {Role::panel, 0.9F}, {Role::useful, 0.5F});
                pause.hatch = {Role::soft, 0.9F};
                boxed(pause);
            });
        }
        const auto stalls = [](const GridBlock& block) { return block.stall.has_value(); };
        const auto some_stall = [&](const GridLaunch& launch) { return std::ranges::any_of(launch.blocks, stalls); };
        if (std::ranges::any_of(picture_.launches, some_stall)) {
            row.add("stalled on request", [&](const Box& box) {
                Rect pause = rect(box, 0, {Role::panel, 0.9F}, {Role::cost, 0.9F});
                pause.dashed = true;
                boxed(pause);
            });
        }
        if (has_unrecorded()) {
            row.add("not recorded", [&](const Box& box) {
                Rect bar = rect(box, 3, {Role::soft, 0.16F}, {Role::soft, 0.7F});
                bar.dashed = true;
                boxed(bar);
            });
        }
        if (!layout_.host_is_written() && has_host_steps())
            row.add("step of the host", [&](const Box& box) {
                boxed(rect({box.x + box.width / 2 - 3, box.y + box.height / 2 - 3, 6, 6}, 1, {Role::soft, 1}));
            });
        if (options_.shown)
            row.add("on screen", [&](const Box& box) {
                above_.rings.push_back(ring(box, 4, 0, {Role::cursor, 1}, 2));
            });
        for (const bool atomic : {false, true}) {
            for (const std::uint32_t buffer : arrays_) {
                const auto is_this = [&](const GridArc& arc) { return arc.buffer == buffer && arc.atomic == atomic; };
                if (std::ranges::none_of(picture_.arcs, is_this)) continue;
                const std::string name = trace_.buffers[buffer].name;
                row.add(atomic ? name + ", atomic" : name, [&](const Box& box) {
                    const float y = box.y + box.height / 2;
                    Curve stroke = line(box.x, y, box.right() - 2, y, {role_of(buffer), 1}, 2);
                    stroke.dashed = atomic;
                    above_.curves.push_back(stroke);
                    Circle end;
                    end.x = box.right() - 2, end.y = y, end.radius = 3, end.fill = {role_of(buffer), 1};
                    above_.circles.push_back(end);
                });
            }
        }
        legend_rows_ = row.rows();
    }

    [[nodiscard]] bool has_host_steps() const {
        return !picture_.host_steps.empty() || std::ranges::any_of(picture_.launches, [](const GridLaunch& launch) {
            return !launch.host_steps.empty();
        });
    }

    /// By the step budget or the user, not by a fault of the launch.
    [[nodiscard]] bool ended_early() const {
        return trace_.is_cut_short() && std::ranges::all_of(trace_.findings, [](const trace::Finding& each) {
                   return each.kind == trace::Finding::Kind::step_budget;
               });
    }

    [[nodiscard]] bool has_unrecorded() const {
        return std::ranges::any_of(picture_.launches, [](const GridLaunch& launch) {
            return launch.unknown > 0 || std::ranges::any_of(launch.blocks, std::logical_not(), &GridBlock::recorded);
        });
    }

    void draw_note() {
        std::string text = analysis::partial_run_text(trace_);
        text += text.empty() ? "Time in instructions of a warp." : " Time in instructions of a warp.";
        const std::size_t shown = options_.shown ? options_.shown->first : 0;
        if (shown < picture_.launches.size()) {
            const GridLaunch& launch = picture_.launches[shown];
            text += ' ' + residency_text(launch);
            const std::uint64_t blocks = trace_.launches[shown].grid.count();
            if (launch.residency == GridLaunch::Residency::device && launch.resident > 0 && blocks > launch.resident)
                text += fmt::format(": {} are {:.1f} waves", counted(blocks, "block"),
                                    static_cast<double>(blocks) / static_cast<double>(launch.resident));
            if (const trace::BlockOrder& order = trace_.launches[shown].residency.order; !order.usual())
                text += fmt::format(", start order: {}", trace::text_of(order));
            text += '.';
            if (!launch.never_started.empty()) text += ' ' + never_started_text(launch, ended_early());
            const std::uint32_t each = layout_.launch(shown).each, joined = layout_.launch(shown).slots_a_row;
            if (layout_.launch(shown).lanes > 0 && joined > 1) {
                text += fmt::format(" A row is {}: the stronger, the more of their places are taken.",
                                    counted(joined / each, "multiprocessor"));
            } else if (layout_.launch(shown).strips && joined > 1) {
                text += fmt::format(" A row is {}: the stronger, the more of them at once.",
                                    counted(joined, "resident block"));
            }
            if (launch.unknown > 0)
                text += fmt::format(" What {} executed is not known.", counted(launch.unknown, "further block"));
        }
        if (picture_.through_host) text += " No arcs lead through the host: what it computes is not traced.";
        if (has_unrecorded()) text += " Arcs: recorded blocks only.";
        if (layout_.tracks() > 0) {
            text += fmt::format(" {}{}, counted by array below the blocks; zoomed in, each is drawn.",
                                picture_.arcs_left_out ? "More than " : "", counted(picture_.arcs.size(), "arc"));
        } else if (seen_arcs_ > most_arcs || picture_.arcs_left_out)
            text += fmt::format(" Of {}{}, {} are drawn.", picture_.arcs_left_out ? "more than " : "",
                                counted(picture_.arcs.size(), "arc"), grouped(std::min(seen_arcs_, most_arcs)));
        const float room = std::max(options_.width - 2 * panel_padding, 1.0F);
        const std::vector<std::string> lines = wrapped(Font::words, key_size, text, room);
        note_lines_ = lines.size();
        float y =
            layout_.height() - layout_.legend_height() + layout_.further_legend_rows() + GridPanelLayout::legend - 14;
        for (std::size_t i = 0; i < std::min(lines.size(), options_.note_lines); ++i) {
            above_.put(panel_padding, y, Anchor::start, {Font::words, key_size, {Role::soft, 1}}, lines[i]);
            y += GridPanelLayout::note_line;
        }
    }

    [[nodiscard]] std::string description() const {
        constexpr std::size_t most = 40;
        std::string text;
        for (std::size_t i = 0; i < std::min(picture_.launches.size(), most); ++i) {
            const GridLaunch& launch = picture_.launches[i];
            for (const GridHostStep& step : launch.host_steps) text += fmt::format("host: {}\n", step.text);
            text += fmt::format("launch {}: {}, {}, ticks {} to {}\n", i,
                                analysis::launch_name_of(trace_.launches[i].kernel),
                                counted(trace_.launches[i].grid.count(), "block"), grouped(launch.time.first),
                                grouped(launch.time.past_last));
        }
        for (std::size_t i = 0; i < std::min(picture_.arcs.size(), most); ++i) {
            const GridArc& arc = picture_.arcs[i];
            text +=
                fmt::format("launch {} block {} -> launch {} block {}: {}{}\n", arc.from_launch, arc.from.value,
                            arc.to_launch, arc.to.value, trace_.buffers[arc.buffer].name, arc.atomic ? ", atomic" : "");
        }
        return text;
    }

    std::size_t note_lines_ = 0, legend_rows_ = 1;
    const trace::Trace& trace_;
    const GridPicture& picture_;
    const GridOptions& options_;
    GridPanelLayout layout_;
    std::vector<std::uint32_t> arrays_;  ///< buffers, in the order in which they are first read
    std::size_t seen_arcs_ = 0;          ///< of those that are drawn one by one
    /// The name of a block, between `x` and `to` in its bar.
    struct BlockName {
        Box bar;
        const GridBlock* block;
        Style style;
        std::string text;
        float x, to;
    };
    static constexpr float name_indent = 6;
    std::vector<BlockName> block_names_;
    std::vector<std::pair<std::size_t, std::vector<RowBlocks>>> row_blocks_;  ///< by launch, of strips
    std::vector<Box> plates_;  ///< of texts over the blocks that are not recorded
    Layer below_, above_, names_;
};

}  // namespace

std::string never_started_text(const GridLaunch& launch, bool cut_short) {
    const std::vector<BlockId>& blocks = launch.never_started;
    if (blocks.empty()) return {};
    const std::string what = cut_short ? "did not run: the run was ended early." : "never started.";
    if (blocks.size() == 1) return fmt::format("Block {} {}", grouped(blocks.front().value), what);
    if (blocks.size() == 2)
        return fmt::format("Blocks {} and {} {}", grouped(blocks.front().value), grouped(blocks.back().value), what);
    const bool contiguous = blocks.back().value - blocks.front().value + 1 == blocks.size();
    if (!contiguous) return fmt::format("{} {}", counted(blocks.size(), "block"), what);
    return fmt::format("Blocks {} to {} {}", grouped(blocks.front().value), grouped(blocks.back().value), what);
}

std::string residency_text(const GridLaunch& launch) {
    if (launch.residency == GridLaunch::Residency::emulated)
        return counted(launch.resident, "block") + " resident at once, in turns";
    if (launch.residency == GridLaunch::Residency::asked) {
        const std::uint64_t each = launch.resident / std::max(launch.multiprocessors, 1U);
        return fmt::format("{}, {}{} on each", counted(launch.multiprocessors, "multiprocessor"),
                           each == 1 ? "" : "at most ", counted(each, "block"));
    }
    return fmt::format("Up to {} resident, as on an {}", counted(launch.resident, "block"), model::emulated_gpu);
}

Scene grid_scene(const trace::Trace& trace, const GridPicture& picture, const GridOptions& options) {
    GridDrawing drawing(trace, picture, options);
    Scene scene = drawing.draw();
    if (drawing.note_lines() <= options.note_lines && drawing.legend_rows() <= options.legend_rows) return scene;
    GridOptions with_room = options;
    with_room.note_lines = std::max(options.note_lines, drawing.note_lines());
    with_room.legend_rows = std::max(options.legend_rows, drawing.legend_rows());
    return GridDrawing(trace, picture, with_room).draw();
}

}  // namespace lanescope::scene
