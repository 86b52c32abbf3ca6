#include "scene/timeline_scene.h"

#include "analysis/source/source_line.h"
#include "base/grouped.h"
#include "scene/labels.h"
#include "scene/layers.h"
#include "scene/text.h"
#include "scene/time_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lanescope::scene {

namespace {

using timing::Timeline;
using timing::TimelineBlock;
using timing::TimelineFacts;
using timing::TimelineLaunch;

constexpr float lane_names = 52;
constexpr float title_size = 13, detail_size = 12, clock_size = 11, key_size = 12;
constexpr float heading_line = 17, detail_line = 15;
constexpr float usual_height = 360, most_row_pitch = 26, least_place = 3;

constexpr float around = bars_heading + bars_axis + bars_legend;  // the rows

float height_of(std::size_t rows) {
    return around + std::clamp(static_cast<float>(rows) * most_row_pitch, 2 * most_row_pitch, usual_height);
}

class TimelineDrawing {
  public:
    TimelineDrawing(const Timeline& timeline, const TimelineOptions& options)
        : timeline_(timeline),
          options_(options),
          end_(std::max<double>(static_cast<double>(timeline.end()), 1)),
          places_(timing::places_of(timeline)) {
        const float rows = static_cast<float>(std::max<std::size_t>(places_.multiprocessors.size(), 1));
        note_ = BarsNote(note(), key_size, options.width);
        const float room = std::max(options.width - 2 * panel_padding, 1.0F);
        heading_ = wrapped(Font::words, detail_size, heading(), room);
        title_ = wrapped(Font::words_bold, title_size, "Recorded on " + options.origin, room);
        const auto further = [](const std::vector<std::string>& lines) {
            return static_cast<float>(std::max<std::size_t>(lines.size(), 1) - 1);
        };
        const float heading_extra = heading_line * further(title_) + detail_line * further(heading_);
        const float extra = note_.extra() + heading_extra;
        height_ = options.height > 0 ? options.height : height_of(places_.multiprocessors.size()) + extra;
        const float left = panel_padding + lane_names;
        body_ = {left, bars_heading + heading_extra, std::max(options.width - left - panel_padding, 1.0F),
                 std::max(height_ - around - extra, 1.0F)};
        pitch_ = std::min(body_.height / rows, most_row_pitch);
        content_ = static_cast<double>(body_.width) * std::max(options.zoom, 1.0);
        scroll_ = std::clamp(options.scroll_x, 0.0, content_ - static_cast<double>(body_.width));
        const float gap = pitch_ >= 8 ? 3.0F : pitch_ >= 4 ? 1.0F : 0.0F;
        lane_height_ = std::max(pitch_ - gap, 0.5F);
        by_place_ = lane_height_ / static_cast<float>(places_.most) >= least_place || places_.most == 1;
    }

    Scene draw() {
        Scene scene = scene_of_bars("Timeline", description(), options_.width, height_, time_axis());
        draw_heading();
        below_.flush(scene);
        clip_to_bars(scene, body_);
        draw_lanes();
        draw_axis();
        for (std::size_t launch = 0; launch < timeline_.launches.size(); ++launch) {
            for (std::size_t block = 0; block < timeline_.launches[launch].blocks.size(); ++block)
                draw_block(launch, block);
        }
        draw_shown();
        below_.flush(scene);
        above_.flush(scene);
        scene.shapes.emplace_back(ClipEnd{});
        draw_lane_names();
        draw_legend();
        above_.flush(scene);
        return scene;
    }

  private:
    [[nodiscard]] double x(double time) const {
        return static_cast<double>(body_.x) - scroll_ + time / end_ * content_;
    }
    [[nodiscard]] double x(std::uint64_t time) const { return x(static_cast<double>(time)); }
    [[nodiscard]] float top_of(std::uint32_t row) const { return body_.y + pitch_ * static_cast<float>(row); }
    [[nodiscard]] Box box_of(std::size_t launch, std::size_t index) const {
        const TimelineBlock& block = timeline_.launches[launch].blocks[index];
        const timing::TimelinePlaces::Place& at = places_.blocks[launch][index];
        const double from = x(block.begin), to = x(block.end);
        const float height = by_place_ ? lane_height_ / static_cast<float>(places_.most) : lane_height_;
        const float top = top_of(at.row) + (by_place_ ? height * static_cast<float>(at.place) : 0);
        const float gap = by_place_ && height >= 6 ? 1.0F : 0.0F;
        return {static_cast<float>(from), top,
                std::max(static_cast<float>(to - from) - (by_place_ ? 0.6F : 0.0F), 0.8F), height - gap};
    }

    /// Names the run of the timeline, and says whether it is the one shown.
    [[nodiscard]] std::string heading() const {
        const TimelineLaunch& first = timeline_.launches.front();
        std::string what = fmt::format("{}, {}, n = {}, {} of {}", timeline_.kernel,
                                       timeline_.view == "written" ? "as written" : "as compiled", grouped(timeline_.n),
                                       counted(first.blocks.size(), "block"), counted(first.threads(), "thread"));
        if (timeline_.launches.size() > 1)
            what += fmt::format(" and {} more", counted(timeline_.launches.size() - 1, "launch"));
        what += options_.same_launch ? ": the launch of this run."
                                     : fmt::format(". This run is another launch: {}.", options_.instead);
        return what;
    }

    void draw_heading() {
        const float right = options_.width - panel_padding;
        below_.curves.push_back(line(panel_padding, 1, right, 1, {Role::line, 1}));
        float y = 14;
        for (const std::string& each : title_) {
            below_.put(panel_padding, y, Anchor::start, {Font::words_bold, title_size, {Role::text, 1}}, each);
            y += heading_line;
        }
        const Role role = options_.same_launch ? Role::soft : Role::cost;
        for (const std::string& each : heading_) {
            below_.put(panel_padding, y, Anchor::start, {Font::words, detail_size, {role, 1}}, each);
            y += detail_line;
        }
    }

    void draw_lanes() {
        if (pitch_ < 5) return;
        for (std::uint32_t row = 0; row < places_.multiprocessors.size(); row += 2)
            below_.rects.push_back(rect({body_.x, top_of(row), body_.width, lane_height_}, 0, {Role::line, 0.22F}));
    }

    void draw_lane_names() {
        float free_from = 0;
        for (std::uint32_t row = 0; row < places_.multiprocessors.size(); ++row) {
            const float y = top_of(row) + lane_height_ / 2;
            if (y < free_from) continue;
            above_.put(body_.x - 10, y, Anchor::end, {Font::words, clock_size, {Role::soft, 1}},
                       fmt::format("SM {}", places_.multiprocessors[row]));
            free_from = y + clock_size + 3;
        }
    }

    [[nodiscard]] TimeAxis time_axis() const {
        const float bottom = body_.y + pitch_ * static_cast<float>(places_.multiprocessors.size());
        return {.body = body_, .bottom = bottom, .end = end_, .content = content_, .scroll = scroll_};
    }

    void draw_axis() {
        draw_time_axis(below_, above_, time_axis(),
                       [](double nanoseconds) { return fmt::format("{} µs", number_text(nanoseconds / 1e3)); });
    }

    void draw_block(std::size_t launch, std::size_t index) {
        const TimelineBlock& block = timeline_.launches[launch].blocks[index];
        const Box box = box_of(launch, index);
        if (box.right() < body_.x || box.x > body_.right()) return;
        const bool framed = by_place_ && box.height >= 6 && box.width >= 6;
        // Where blocks share a row, each adds its part to the color: it is stronger the more blocks run at once.
        const float alone = by_place_ ? (framed            ? 0.34F
                                         : launch % 2 == 0 ? 0.7F
                                                           : 0.5F)
                                      : 1 - std::pow(0.2F, 1.0F / static_cast<float>(places_.most));
        Rect bar = rect(box, framed ? std::min(3.0F, box.height / 3) : 0, {Role::useful, alone},
                        framed ? Paint{Role::useful, 0.9F} : Paint{});
        bar.ref = ref_to(TraceRef::Kind::node, launch, index);
        below_.rects.push_back(bar);
        if (block.polled_cycles > 0 && by_place_) {
            const auto from = static_cast<float>(std::max(x(block.first_poll), static_cast<double>(box.x)));
            const auto to = static_cast<float>(std::min(x(block.last_poll), static_cast<double>(box.right())));
            if (to - from >= 1) {
                Rect wait = rect({from, box.y, to - from, box.height}, 0, {Role::panel, 0.75F}, {});
                wait.hatch = {Role::soft, 0.9F};
                if (box.height < 5) wait.hatch = {}, wait.fill = {Role::panel, 0.55F};
                wait.ref = bar.ref;
                below_.rects.push_back(wait);
            }
        }
        if (box.height < 11) return;
        const std::string name = grouped(index);
        if (text_width(Font::words_medium, smallest_text, name) + 8 > box.width) return;
        above_.put(box.x + 5, box.y + box.height / 2, Anchor::start,
                   {Font::words_medium, smallest_text, {Role::text, 1}}, name);
    }

    void draw_shown() {
        if (!options_.shown) return;
        const auto& [launch, block] = *options_.shown;
        if (launch >= timeline_.launches.size() || block.value >= timeline_.launches[launch].blocks.size()) return;
        Rect frame = ring(box_of(launch, block.value), 3, 2, {Role::cursor, 1}, 2);
        frame.dashed = !options_.same_launch;
        above_.rings.push_back(frame);
        if (!options_.now) return;
        const Box box = box_of(launch, block.value);
        const auto from = static_cast<float>(x(options_.now->first)), to = static_cast<float>(x(options_.now->second));
        above_.rects.push_back(rect({from, box.y, std::max(to - from, 2.0F), box.height}, 0, {Role::cursor, 0.55F}));
    }

    void draw_legend() {
        LegendRow row(above_, height_ - bars_legend - note_.extra() + 14, options_.width - panel_padding);
        row.add(by_place_ ? "block on the GPU" : "blocks on the GPU, stronger where more run at once",
                [&](const Box& box) {
                    above_.rects.push_back(rect(box, 3, {Role::useful, 0.34F}, {Role::useful, 0.9F}));
                });
        if (polls() && by_place_) {
            row.add("failed polls, from the first to the last", [&](const Box& box) {
                Rect wait = rect(box, 0, {Role::panel, 0.75F}, {Role::useful, 0.5F});
                wait.hatch = {Role::soft, 0.9F};
                above_.rects.push_back(wait);
            });
        }
        if (options_.shown) {
            row.add(options_.same_launch ? "on screen" : "the block of the same number", [&](const Box& box) {
                Rect frame = ring(box, 4, 0, {Role::cursor, 1}, 2);
                frame.dashed = !options_.same_launch;
                above_.rings.push_back(frame);
            });
        }
        if (options_.now) {
            row.add("the step on screen, within", [&](const Box& box) {
                above_.rects.push_back(rect(box, 0, {Role::cursor, 0.55F}));
            });
        }
        note_.draw(above_, height_);
    }

    [[nodiscard]] bool polls() const {
        return std::ranges::any_of(timeline_.launches, [](const TimelineLaunch& launch) {
            return std::ranges::any_of(launch.blocks,
                                       [](const TimelineBlock& block) { return block.polled_cycles > 0; });
        });
    }

    [[nodiscard]] std::string note() const {
        const TimelineFacts facts = timing::facts_of(timeline_.launches.front());
        std::string text = fmt::format("%globaltimer, in steps of {} ns. With stamps {:.2f} µs, without {:.2f} µs. ",
                                       grouped(timeline_.step), timeline_.stamped.median, timeline_.plain.median);
        if (timeline_.launches.size() > 1) text += "First launch: ";
        text += fmt::format("{:.2f} waves of {}. ", facts.waves, counted(facts.resident_in_all, "block"));
        if (facts.waited_share)
            text += fmt::format("Waits at barriers take {:.0f} % of the warps' cycles. ", *facts.waited_share * 100);
        if (!timeline_.waits_not_timed.empty()) text += timeline_.waits_not_timed + " ";
        text += timeline_.polling_loops > 0
                    ? fmt::format("Failed polls take {:.0f} % of the blocks' cycles.", facts.polled_share * 100)
                : timeline_.polls_not_timed.empty()
                    // Only polling loops without a call are found, so there may be others.
                    ? std::string(timeline_.waits > 0 ? "The recording does not mark polls."
                                                      : "The recording marks neither waits at barriers nor polls.")
                    : timeline_.polls_not_timed;
        if (timeline_.polling_loops > 0 && !timeline_.polls_not_timed.empty()) text += " " + timeline_.polls_not_timed;
        if (timeline_.incomplete > 0)
            text += fmt::format(" {} {} a warp without an end stamp.", counted(timeline_.incomplete, "block"),
                                verb(timeline_.incomplete, "have", "has"));
        return text;
    }

    [[nodiscard]] std::string description() const {
        constexpr std::size_t most = 16;
        std::string text = fmt::format("recorded on {}: {} {}, n = {}\n", options_.origin, timeline_.kernel,
                                       timeline_.view, grouped(timeline_.n));
        for (std::size_t i = 0; i < timeline_.launches.size(); ++i) {
            const TimelineLaunch& launch = timeline_.launches[i];
            text += fmt::format("launch {}: {}, {}\n", i, analysis::launch_name_of(launch.kernel),
                                counted(launch.blocks.size(), "block"));
            for (std::size_t b = 0; b < std::min(launch.blocks.size(), most); ++b) {
                const TimelineBlock& block = launch.blocks[b];
                text += fmt::format("  block {} on multiprocessor {}: {} to {} ns\n", b, block.multiprocessor,
                                    block.begin, block.end);
            }
        }
        return text;
    }

    const Timeline& timeline_;
    const TimelineOptions& options_;
    double end_;                     ///< nanoseconds that are drawn
    timing::TimelinePlaces places_;  ///< each multiprocessor is a row
    BarsNote note_;
    std::vector<std::string> title_, heading_;  ///< lines
    float height_ = 0, pitch_ = 0, lane_height_ = 0;
    bool by_place_ = true;  ///< each block has a height of its own; false: the blocks of a row overlap
    Box body_;
    double content_ = 0, scroll_ = 0;
    Layer below_, above_;
};

}  // namespace

float timeline_height(const Timeline& timeline) {
    return height_of(timing::places_of(timeline).multiprocessors.size());
}

Scene timeline_scene(const Timeline& timeline, const TimelineOptions& options) {
    return TimelineDrawing(timeline, options).draw();
}

Scene no_timeline_scene(float width, float height, const std::string& why, const std::string& command) {
    constexpr float first = 18, pitch = 20;
    Scene scene;
    scene.title = "Timeline";
    scene.description = why + " " + command + '\n';
    scene.width = width;
    Layer layer;
    layer.curves.push_back(line(panel_padding, 1, width - panel_padding, 1, {Role::line, 1}));
    float y = first;
    struct Part {
        Font font;
        Role role;
        const std::string& text;
    };
    for (const Part& part : {Part{Font::words, Role::soft, why}, Part{Font::code, Role::text, command}})
        for (const std::string& text : wrapped(part.font, detail_size, part.text, width - 2 * panel_padding)) {
            layer.put(panel_padding, y, Anchor::start, {part.font, detail_size, {part.role, 1}}, text);
            y += pitch;
        }
    scene.height = height > 0 ? height : y - 2;
    layer.flush(scene);
    return scene;
}

Scene stacked(Scene top, Scene bottom) {
    const float down = top.height;
    bottom.background = {};
    place_scene(top, bottom, 0, down, 1);
    for (Viewport& part : bottom.viewports) {
        part.box.y += down;
        top.viewports.push_back(part);
    }
    top.description += bottom.description;
    top.height += bottom.height;
    top.width = std::max(top.width, bottom.width);
    return top;
}

}  // namespace lanescope::scene
