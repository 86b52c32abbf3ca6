#include "scene/large_warps.h"

#include "base/grouped.h"

#include <fmt/format.h>

namespace lanescope::scene {
namespace {

// Points at scale 1: the edge of the panel, from a warp to the next, the numbers above a line of lanes.
constexpr float edge = 14, between_warps = 10, numbers_height = 16, number_size = 11.5F;
constexpr float usual_words = 12.5F, large_words = 16, most_pitch = 44, most_height = 60;
/// The height of the words above the lanes, of their size.
constexpr float words_line = 1.65F;

}  // namespace

LargeWarps::LargeWarps(const analysis::WarpPicture& picture, const WarpsOptions& options)
    : picture_(picture), options_(options), groups_(picture.rows.size() + (options.next ? 1 : 0)) {
    set(warp_size);
    // One line is the usual picture of a warp; it is broken where that makes the squares clearly larger.
    for (const unsigned lanes : {warp_size / 2, warp_size / 4}) {
        LargeWarps broken = *this;
        broken.set(lanes);
        if (broken.side() > 1.25F * side()) set(lanes);
    }
}

float LargeWarps::group_height() const {
    const float room = options_.height - (warps_legend_height + between_warps) * options_.scale;
    return room / static_cast<float>(std::max<std::size_t>(groups_, 1)) - between_warps * options_.scale;
}

void LargeWarps::set(unsigned lanes_a_line) {
    lanes_a_line_ = lanes_a_line;
    const float scale = options_.scale, lines = static_cast<float>(warp_size / lanes_a_line);
    words_ = group_height() > 90 * scale ? large_words : usual_words;
    // Warps of one line each share the numbers above the first.
    const auto groups = static_cast<float>(std::max<std::size_t>(groups_, 1));
    const float numbers = (lanes_a_line == warp_size ? 1 / groups : lines) * numbers_height * scale;
    const float lanes = group_height() - words_ * words_line * scale - numbers;
    pitch_ = std::min((options_.width - 2 * edge * scale) / static_cast<float>(lanes_a_line), most_pitch * scale);
    height_ = std::min({lanes / lines, most_upright * pitch_, most_height * scale});
}

float LargeWarps::side() const { return std::min(pitch_, height_); }

float LargeWarps::draw_lanes(float top, float height, bool numbered, const LaneStates& states, Role filled,
                             std::uint32_t row, std::optional<unsigned> chosen, Layer& layer) const {
    const float scale = options_.scale, size = std::max(smallest_text, number_size * scale);
    const unsigned every = pitch_ > 1.9F * size ? 1 : pitch_ > 0.6F * size ? 4 : 8;
    for (unsigned first = 0; first < warp_size; first += lanes_a_line_) {
        const LaneColumns columns{edge * scale - pitch_ * static_cast<float>(first), pitch_};
        if (numbered || lanes_a_line_ < warp_size) {
            for (unsigned lane = first; lane < first + lanes_a_line_; lane += every)
                layer.put(columns.box(0, 0, lane).center_x(), top + numbers_height * scale / 2, Anchor::middle,
                          {Font::code, size, {Role::soft, 1}}, std::to_string(lane));
            top += numbers_height * scale;
        }
        draw_lane_squares(columns, top, height, states, filled, row, layer, {first, first + lanes_a_line_});
        if (chosen && *chosen >= first && *chosen < first + lanes_a_line_)
            draw_chosen_lane(columns, top, top + height, *chosen, layer);
        top += height;
    }
    return top;
}

void LargeWarps::draw_words(const WarpsDrawing& d, float top, const analysis::WarpRow& row,
                            const WarpState* state) const {
    const float size = d.text(words_), middle = top + words_ * words_line * d.scale / 2, gap = 1.1F * size;
    const Paint soft{Role::soft, 1}, strong{Role::text, 1};
    const bool chosen = options_.warp == row.warp;
    float left = edge * d.scale;
    const auto put = [&](Font font, Paint paint, const std::string& words) {
        d.put(left, middle, Anchor::start, font, words_, paint, words);
        left += text_width(font, size, words) + gap;
    };
    put(chosen ? Font::words_bold : Font::words, chosen ? strong : soft, fmt::format("warp {}", row.warp.value));
    put(Font::words, row.useful.any() ? strong : soft, share_of(row) + (row.useful.any() ? " useful" : ""));
    const float right = options_.width - edge * d.scale;
    const float state_width =
        state == nullptr ? 0 : text_width(Font::words, size, state->text) + (state->waits ? 1.5F : 0) * size;
    const std::string efficiency = efficiency_of(row);
    const std::string words = efficiency.empty() ? "" : "efficiency " + efficiency;
    if (left + text_width(Font::words, size, words) + gap + state_width <= right) put(Font::words, soft, words);
    if (state == nullptr) return;
    const std::string shown = fitted(Font::words, size, state->text, right - left);
    d.put(right, middle, Anchor::end, Font::words, words_, state->waits ? strong : soft, shown);
    if (state->waits) draw_pause(d, right - text_width(Font::words, size, shown), middle, words_);
}

void LargeWarps::draw(Layer& layer) const {
    const float scale = options_.scale;
    const WarpsDrawing d{.scale = scale, .layer = layer};
    const float words = words_ * words_line * scale;
    float top = between_warps * scale / 2;
    for (std::size_t index = 0; index < picture_.rows.size(); ++index) {
        const analysis::WarpRow& row = picture_.rows[index];
        const bool chosen = options_.warp == row.warp;
        Rect name = rect({0, top, options_.width, words}, 0, {});
        name.ref = ref_to(TraceRef::Kind::row, row.warp.value);
        layer.rects.push_back(name);
        draw_words(d, top, row, index < options_.states.size() ? &options_.states[index] : nullptr);
        const float bottom = draw_lanes(top + words, height_, index == 0, states_of(row), Role::useful, row.warp.value,
                                        chosen ? options_.lane : std::nullopt, layer);
        if (picture_.rows.size() > 1) {
            // Behind the words alone: lanes that are not useful are as dark as the band.
            if (chosen)
                layer.rects.push_back(
                    rect({edge / 2 * scale, top, options_.width - edge * scale, words}, 3, {Role::raised, 1}));
            if (options_.next && options_.next->warp == row.warp) draw_cursor(d, -4 * scale, top, bottom - top);
        }
        top = bottom + between_warps * scale;
    }
    if (!options_.next) return;
    const NextInstruction& next = *options_.next;
    const std::string which = picture_.rows.size() > 1 ? fmt::format(" of warp {}", next.warp.value) : std::string();
    d.put(edge * scale, top + words / 2, Anchor::start, Font::words, words_, {Role::text, 1},
          fmt::format("next instruction{}: {} {}", which, counted(next.executed.count(), "lane"),
                      verb(next.executed.count(), "run")));
    // Lower than those of the pass: they are of one instruction, in a strong color.
    const float height = std::max(height_ / 2, std::min(height_, most_warp_row * scale));
    draw_lanes(top + words, height, false, states_of(next), Role::cursor, next.warp.value, std::nullopt, layer);
}

}  // namespace lanescope::scene
