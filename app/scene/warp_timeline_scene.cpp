#include "scene/warp_timeline_scene.h"

#include "base/grouped.h"
#include "scene/layers.h"
#include "scene/time_axis.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::scene {

namespace {

using timing::Timeline;
using timing::TimelineBlock;
using timing::TimelineWait;
using timing::TimelineWarp;

constexpr float lane_names = 64;
constexpr float title_size = 13, detail_size = 12, name_size = 11;
constexpr float most_pitch = 26, shortest_row = 12, usual_height = 360;
constexpr float around = bars_heading + bars_axis + bars_legend;
constexpr float to_come = 0.4F;  // the strength of what the emulator has not executed yet

class WarpTimelineDrawing {
  public:
    WarpTimelineDrawing(const Timeline& timeline, std::uint32_t launch, BlockId block,
                        const WarpTimelineOptions& options)
        : timeline_(timeline), id_(block), block_(timeline.launches[launch].blocks[block.value]), options_(options) {
        for (const TimelineWarp& warp : block_.warps) end_ = std::max(end_, static_cast<double>(warp.end));
        note_ = BarsNote(note(), detail_size, options.width);
        height_ = options.height > 0 ? options.height : warp_timeline_height(block_) + note_.extra();
        const float left = panel_padding + lane_names;
        body_ = {left, bars_heading, std::max(options.width - left - panel_padding, 1.0F),
                 std::max(height_ - around - note_.extra(), 1.0F)};
        pitch_ = std::min(body_.height / static_cast<float>(block_.warps.size()), most_pitch);
        lane_height_ = std::max(pitch_ - (pitch_ >= 8 ? 3.0F : pitch_ >= 4 ? 1.0F : 0.0F), 0.5F);
        content_ = static_cast<double>(body_.width) * std::max(options.zoom, 1.0);
        scroll_ = std::clamp(options.scroll_x, 0.0, content_ - static_cast<double>(body_.width));
    }

    Scene draw() {
        Scene scene = scene_of_bars("Warps on the GPU", description(), options_.width, height_, time_axis());
        draw_heading();
        below_.flush(scene);
        clip_to_bars(scene, body_);
        draw_time_axis(below_, above_, time_axis(),
                       [](double cycles) { return counted(static_cast<std::uint64_t>(cycles), "cycle"); });
        for (std::size_t warp = 0; warp < block_.warps.size(); ++warp) draw_warp(warp);
        below_.flush(scene);
        above_.flush(scene);
        scene.shapes.emplace_back(ClipEnd{});
        draw_lane_names();
        draw_legend();
        above_.flush(scene);
        return scene;
    }

  private:
    [[nodiscard]] TimeAxis time_axis() const {
        const float bottom = body_.y + pitch_ * static_cast<float>(block_.warps.size());
        return {.body = body_, .bottom = bottom, .end = end_, .content = content_, .scroll = scroll_};
    }
    [[nodiscard]] float x(std::uint64_t cycle) const {
        return static_cast<float>(static_cast<double>(body_.x) - scroll_ +
                                  static_cast<double>(cycle) / std::max(end_, 1.0) * content_);
    }
    [[nodiscard]] float top_of(std::size_t warp) const { return body_.y + pitch_ * static_cast<float>(warp); }

    void draw_heading() {
        const float room = options_.width - 2 * panel_padding;
        below_.curves.push_back(line(panel_padding, 1, options_.width - panel_padding, 1, {Role::line, 1}));
        below_.put(panel_padding, 14, Anchor::start, {Font::words_bold, title_size, {Role::text, 1}},
                   fitted(Font::words_bold, title_size, "Recorded on " + options_.origin, room));
        const std::string what = fmt::format(
            "{}, {}, n = {}: block {} on multiprocessor {}, {} in {}{}", timeline_.kernel,
            timeline_.view == "written" ? "as written" : "as compiled", grouped(timeline_.n), grouped(id_.value),
            block_.multiprocessor, counted(block_.warps.size(), "warp"),
            counted(static_cast<std::uint64_t>(end_), "cycle"),
            !options_.places.empty()   ? "."
            : options_.instead.empty() ? ". This run is another launch."
                                       : fmt::format(". This run is another launch: {}.", options_.instead));
        below_.put(panel_padding, 31, Anchor::start,
                   {Font::words, detail_size, {options_.places.empty() ? Role::cost : Role::soft, 1}},
                   fitted(Font::words, detail_size, what, room));
    }

    /// The place's number among the parts of its warp.
    [[nodiscard]] static std::uint64_t number_of(const analysis::WarpPlace& place) {
        return 2 * place.waits + (place.waiting ? 1 : 0);
    }

    void draw_warp(std::size_t index) {
        const TimelineWarp& warp = block_.warps[index];
        const std::vector<WarpPart> parts = parts_of(warp);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const WarpPart& part = parts[i];
            const float from = x(part.from), to = std::max(x(part.to), from + 0.8F);
            if (to < body_.x || from > body_.right()) continue;
            const bool unknown = warp.waits_in_all > warp.waits.size() && i + 1 == parts.size();
            draw_part(index, part, {from, top_of(index), to - from, lane_height_}, unknown);
        }
    }

    void draw_part(std::size_t index, const WarpPart& part, const Box& box, bool unknown) {
        const bool known = index < options_.places.size();
        const std::uint64_t number = number_of(part.place);
        const std::uint64_t reached = known ? number_of(options_.places[index]) : 0;
        const float strength = known && number > reached ? to_come : 1;
        Rect bar = rect(box, 0, {Role::useful, (part.place.waiting || unknown ? 0.12F : 0.62F) * strength});
        if (part.place.waiting) bar.hatch = {Role::soft, 0.9F * strength};
        if (unknown) bar.stroke = {Role::line, 1}, bar.dashed = true;
        bar.ref = ref_to(TraceRef::Kind::lane, index, number);
        below_.rects.push_back(bar);
        if (known && number == reached) {
            const bool followed = options_.followed && options_.followed->index() == index;
            above_.rings.push_back(
                ring(box, 2, followed ? 2.0F : 0.0F, {Role::cursor, followed ? 1.0F : 0.55F}, followed ? 2.0F : 1.0F));
        }
        if (!unknown || box.height < 11) return;
        const TimelineWarp& warp = block_.warps[index];
        const std::uint64_t more = warp.waits_in_all - warp.waits.size();
        const std::string text = fmt::format("{} {} not kept", counted(more, "more wait"), verb(more, "were", "was"));
        if (text_width(Font::words, smallest_text, text) + 8 > box.width) return;
        above_.put(box.x + 5, box.y + box.height / 2, Anchor::start, {Font::words, smallest_text, {Role::soft, 1}},
                   text);
    }

    void draw_lane_names() {
        float free_from = 0;
        for (std::size_t warp = 0; warp < block_.warps.size(); ++warp) {
            const float y = top_of(warp) + lane_height_ / 2;
            if (y < free_from) continue;
            const bool followed = options_.followed && options_.followed->index() == warp;
            above_.put(
                body_.x - 10, y, Anchor::end,
                {followed ? Font::words_bold : Font::words, name_size, {followed ? Role::cursor : Role::soft, 1}},
                fmt::format("warp {}", warp));
            free_from = y + name_size + 3;
        }
    }

    void draw_legend() {
        LegendRow row(above_, height_ - bars_legend - note_.extra() + 14, options_.width - panel_padding);
        row.add("works", [&](const Box& box) { above_.rects.push_back(rect(box, 0, {Role::useful, 0.62F})); });
        row.add("waits at a barrier", [&](const Box& box) {
            Rect wait = rect(box, 0, {Role::useful, 0.12F});
            wait.hatch = {Role::soft, 0.9F};
            above_.rects.push_back(wait);
        });
        if (!options_.places.empty()) {
            row.add("the step on screen", [&](const Box& box) {
                above_.rings.push_back(ring(box, 2, 0, {Role::cursor, 1}, 2));
            });
            row.add("still to come", [&](const Box& box) {
                above_.rects.push_back(rect(box, 0, {Role::useful, 0.62F * to_come}));
            });
        }
        note_.draw(above_, height_);
    }

    [[nodiscard]] std::string note() const {
        double cycles = 0, waited = 0;
        for (const TimelineWarp& warp : block_.warps) {
            cycles += static_cast<double>(warp.end - warp.begin);
            waited += static_cast<double>(warp.waited());
        }
        std::string text = fmt::format("Waits at barriers take {:.0f} % of the cycles of its warps. ",
                                       cycles > 0 ? waited / cycles * 100 : 0.0);
        if (!timeline_.waits_not_timed.empty()) text += timeline_.waits_not_timed + " ";
        return text + fmt::format("Waiting for memory is not measured. With stamps {:.2f} µs, without {:.2f} µs.",
                                  timeline_.stamped.median, timeline_.plain.median);
    }

    [[nodiscard]] std::string description() const {
        std::string text = fmt::format("recorded on {}: {} {}, n = {}, block {}\n", options_.origin, timeline_.kernel,
                                       timeline_.view, grouped(timeline_.n), id_.value);
        for (std::size_t i = 0; i < block_.warps.size(); ++i) {
            const TimelineWarp& warp = block_.warps[i];
            text += fmt::format("  warp {}: from cycle {} to {}; {}, {} of waiting\n", i, warp.begin, warp.end,
                                counted(warp.waits_in_all, "wait"), counted(warp.waited(), "cycle"));
        }
        return text;
    }

    const Timeline& timeline_;
    BlockId id_;
    const TimelineBlock& block_;
    const WarpTimelineOptions& options_;
    double end_ = 1;  ///< cycles that are drawn
    BarsNote note_;
    float height_ = 0, pitch_ = 0, lane_height_ = 0;
    Box body_;
    double content_ = 0, scroll_ = 0;
    Layer below_, above_;
};

}  // namespace

std::vector<WarpPart> parts_of(const TimelineWarp& warp) {
    std::vector<WarpPart> parts;
    std::uint64_t from = warp.begin;
    for (std::size_t i = 0; i < warp.waits.size(); ++i) {
        const TimelineWait& wait = warp.waits[i];
        parts.push_back({.from = from, .to = wait.arrived, .place = {.waits = i, .waiting = false}});
        parts.push_back({.from = wait.arrived,
                         .to = wait.went_on,
                         .place = {.waits = i, .waiting = true},
                         .mbarrier = wait.mbarrier});
        from = wait.went_on;
    }
    parts.push_back(
        {.from = from, .to = std::max(from, warp.end), .place = {.waits = warp.waits.size(), .waiting = false}});
    return parts;
}

float warp_timeline_height(const TimelineBlock& block) {
    const auto rows = static_cast<float>(block.warps.size());
    return around + std::clamp(rows * most_pitch, 2 * most_pitch, std::max(usual_height, rows * shortest_row));
}

Scene warp_timeline_scene(const Timeline& timeline, std::uint32_t launch, BlockId block,
                          const WarpTimelineOptions& options) {
    return WarpTimelineDrawing(timeline, launch, block, options).draw();
}

}  // namespace lanescope::scene
