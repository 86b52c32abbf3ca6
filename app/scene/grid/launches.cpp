#include "analysis/panels/program_lines.h"
#include "analysis/source/source_line.h"
#include "base/grouped.h"
#include "scene/grid/draw.h"
#include "scene/labels.h"
#include "scene/time_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::scene {

using analysis::GridHostStep;
using analysis::GridLaunch;

namespace {

/// A band for every other multiprocessor.
void draw_lanes(GridDrawing& d, std::size_t number) {
    for (std::uint32_t i = 0; i < d.layout.launch(number).lanes; i += 2) {
        const Box lane = d.layout.lane(number, i);
        d.below.rects.push_back(rect({lane.x, lane.y - 2, lane.width, lane.height}, 0, {Role::line, 0.22F}));
    }
}

/// The blocks that never started, drawn as they wait for a slot.
void draw_queue(GridDrawing& d, std::size_t number) {
    const GridPanelLayout::Launch& at = d.layout.launch(number);
    const std::vector<BlockId>& blocks = d.picture.launches[number].never_started;
    if (at.queue <= 0 || blocks.empty()) return;
    const Box& body = d.layout.body();
    constexpr float gap = 6;
    float x = std::max(static_cast<float>(at.from), body.x);
    const float right = std::min(static_cast<float>(at.to), body.right());
    const std::string title = d.ended_early() ? "did not run:" : "never started:";
    const float y = at.queue + GridPanelLayout::queue_height / 2;
    d.below.put(x, y, Anchor::start, {Font::words, grid_text::detail, {Role::soft, 1}}, title);
    x += text_width(Font::words, grid_text::detail, title) + 2 * gap;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::string name = fmt::format("block {}", grouped(blocks[i].value));
        const std::string rest = fmt::format("and {} more", grouped(blocks.size() - i));
        const float width = text_width(Font::words_medium, grid_text::detail, name) + 16;
        const bool last = i + 1 == blocks.size();
        if (x + width + (last ? 0 : text_width(Font::words, grid_text::detail, rest) + gap) > right) {
            d.below.put(x, y, Anchor::start, {Font::words, grid_text::detail, {Role::soft, 1}}, rest);
            return;
        }
        Rect box = rect({x, at.queue, width, GridPanelLayout::queue_height}, 3, {}, {Role::soft, 0.8F});
        box.dashed = true;
        d.below.rects.push_back(box);
        d.below.put(x + 8, y, Anchor::start, {Font::words_medium, grid_text::detail, {Role::text, 1}}, name);
        x += width + gap;
    }
}

void draw_heading(GridDrawing& d, std::size_t number) {
    const GridPanelLayout::Launch& at = d.layout.launch(number);
    const Box& body = d.layout.body();
    const auto left = static_cast<float>(std::max(at.from, static_cast<double>(body.x)));
    const auto right = static_cast<float>(std::min(at.to, static_cast<double>(body.right())));
    const bool shown = d.options.shown && d.options.shown->first == number;
    const TraceRef ref = ref_to(TraceRef::Kind::heading, 0, number);
    d.below.rects.push_back(rect({left, GridPanelLayout::heading - 8, std::max(right - left, 1.0F), 2}, 1,
                                 shown ? Paint{Role::cursor, 1} : Paint{Role::line, 1}));
    Rect under = rect({left, 2, std::max(right - left, 1.0F), GridPanelLayout::heading - 10}, 0, {});
    under.ref = ref;
    d.below.rects.push_back(under);
    if (right - left < 34) return;
    const trace::Launch& of = d.trace.launches[number];
    d.below.put(left, 13, Anchor::start, {Font::code_bold, grid_text::kernel, {Role::text, 1}},
                fitted(Font::code_bold, grid_text::kernel, analysis::launch_name_of(of.kernel), right - left), ref);
    const std::string blocks = counted(of.grid.count(), "block");
    const bool last = number + 1 == d.trace.launches.size();
    const std::string end(last ? analysis::end_of_partial_launch(d.trace) : std::string_view());
    const std::string threads = counted(of.block.count(), "thread");
    std::vector<std::string> alternatives = {fmt::format("launch {}: {} of {}", number, blocks, threads),
                                             fmt::format("{} of {}", blocks, threads), blocks};
    if (!end.empty()) {
        alternatives.insert(alternatives.begin(), fmt::format("{}, {}", alternatives.front(), end));
        alternatives[1] = fmt::format("{}, {}", blocks, end);
        alternatives[2] = end;
        alternatives[3] = "partial";
        // The edge is dashed because the launch's last tick is not its end.
        Curve edge = line(right, GridPanelLayout::heading, right, body.bottom(), {Role::cost, 1}, 2);
        edge.dashed = true;
        if (at.to <= static_cast<double>(body.right())) d.above.curves.push_back(edge);
    }
    for (const std::string& text : alternatives) {
        if (text_width(Font::words, grid_text::detail, text) > right - left) continue;
        d.below.put(left, 29, Anchor::start,
                    {Font::words, grid_text::detail, {end.empty() ? Role::soft : Role::cost, 1}}, text, ref);
        break;
    }
}

void draw_axis(GridDrawing& d, std::size_t number) {
    const GridLaunch& launch = d.picture.launches[number];
    const GridPanelLayout::Launch& at = d.layout.launch(number);
    const Box& body = d.layout.body();
    const auto length = static_cast<double>(launch.time.length());
    constexpr double apart = 76;  // points between two numbers
    if (length == 0 || at.to - at.from < 24) return;
    const auto step = static_cast<std::uint64_t>(round_step(apart * length / (at.to - at.from)));
    const double per_tick = (at.to - at.from) / length;
    const double hidden = std::max(0.0, (static_cast<double>(body.x) - at.from) / per_tick);
    const std::uint64_t begin = launch.time.first + static_cast<std::uint64_t>(hidden);
    const float y = body.bottom();
    for (std::uint64_t tick = (begin + step - 1) / step * step; tick <= launch.time.past_last; tick += step) {
        const auto x = static_cast<float>(d.layout.x(number, tick));
        if (x > body.right()) break;
        d.below.curves.push_back(line(x, body.y - 6, x, y + 4, {Role::line, 0.7F}));
        const std::string text = grouped(tick);
        const float half = text_width(Font::words, grid_text::clock, text) / 2;
        if (x - half < static_cast<float>(at.from) - 6 || x + half > static_cast<float>(at.to) + 8) continue;
        d.below.put(x, y + 13, Anchor::middle, {Font::words, grid_text::clock, {Role::soft, 1}}, text);
    }
}

using HostText = std::vector<std::string>;

/// The text of a step of the host in one line, or in up to three where there are so many lines to spare.
HostText host_text(const std::string& text, float room, std::size_t spare) {
    constexpr std::size_t most_more = 2;
    HostText lines = wrapped(Font::words, grid_text::host, text, room);
    const std::size_t most = 1 + std::min(spare, most_more);
    if (lines.size() > most) {
        for (std::size_t i = most; i < lines.size(); ++i) lines[most - 1] += " " + lines[i];
        lines.resize(most);
    }
    for (std::string& line : lines) line = fitted(Font::words, grid_text::host, line, room);
    return lines;
}

}  // namespace

void draw_launch_frame(GridDrawing& d, std::size_t number) {
    draw_heading(d, number);
    draw_axis(d, number);
    if (!d.layout.launch(number).strips) draw_lanes(d, number);
    draw_queue(d, number);
}

void draw_lane_names(GridDrawing& d) {
    for (std::size_t number = 0; number < d.picture.launches.size(); ++number) {
        const GridPanelLayout::Launch& at = d.layout.launch(number);
        if (at.lanes == 0 || !d.visible(at.from, at.to)) continue;
        float free_from = 0;
        for (std::uint32_t i = 0; i < at.lanes; ++i) {
            const Box lane = d.layout.lane(number, i);
            const float y = lane.y + lane.height / 2 - 2;
            if (y < free_from) continue;
            d.above.put(d.layout.body().x - 10, y, Anchor::end, {Font::words, grid_text::clock, {Role::soft, 1}},
                        fmt::format("SM {}", i));
            free_from = y + grid_text::clock + 3;
        }
        return;
    }
}

void draw_host(GridDrawing& d, std::size_t number, const std::vector<GridHostStep>& steps, double left, double width) {
    if (steps.empty() || width < 6 || !d.visible(left, left + width)) return;
    const Box& body = d.layout.body();
    const bool is_written = d.layout.host_is_written();
    const auto x = static_cast<float>(left) + (is_written ? 10.0F : 6.0F);
    if (is_written) d.below.put(x, 13, Anchor::start, {Font::words_medium, grid_text::detail, {Role::soft, 1}}, "host");
    const float pitch = is_written ? 17.0F : 9.0F;
    const auto room = static_cast<std::size_t>(std::max((body.height - 4) / pitch, 1.0F));
    const std::size_t drawn = steps.size() <= room ? steps.size() : room - 1;
    std::vector<HostText> texts(steps.size());
    std::size_t lines = std::min(steps.size(), room);
    if (is_written) {
        const float text_room = static_cast<float>(width) - 30;
        std::size_t spare = room - std::min(steps.size(), room);
        for (std::size_t i = 0; i < drawn; ++i) {
            texts[i] = host_text(steps[i].text, text_room, spare);
            spare -= texts[i].size() - 1;
            lines += texts[i].size() - 1;
        }
    }
    const Style style{Font::words, grid_text::host, {Role::text, 1}};
    float y = body.y + (body.height - pitch * static_cast<float>(lines)) / 2 + pitch / 2;
    for (std::size_t i = 0; i < drawn; ++i) {
        const TraceRef ref = ref_to(TraceRef::Kind::line, number, i);
        Rect mark = rect({x, y - 3, 6, 6}, 1, {Role::soft, 1});
        mark.ref = ref;
        d.names.rects.push_back(mark);
        // On a plate, because arcs from launch to launch run across.
        for (const std::string& line : texts[i]) {
            const float wide = text_width(style.font, style.size, line);
            Rect plate = rect({x + 10, y - pitch / 2, wide + 2, pitch}, 2, {Role::panel, 0.85F});
            plate.ref = ref;
            d.names.rects.push_back(plate);
            d.names.put(x + 11, y, Anchor::start, style, line, ref);
            y += pitch;
        }
        if (texts[i].empty()) y += pitch;
    }
    if (drawn < steps.size()) {
        d.names.put(x, y, Anchor::start, {Font::words, smallest_text, {Role::soft, 1}},
                    fmt::format("+{}", grouped(steps.size() - drawn)));
    }
}

}  // namespace lanescope::scene
