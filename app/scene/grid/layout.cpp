#include "scene/grid/layout.h"

#include "scene/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

namespace lanescope::scene {

namespace {

constexpr float lane_names = 52;  // width of "SM 131"
constexpr float most_pitch = 56, marked_gap = 18, empty_gap = 14, least_gap = 2;

/// The most room for the steps of the host between two launches; longer texts are cut.
constexpr std::array written_gaps = {210.0F, 160.0F, 124.0F};

/// The room that the texts of the host's steps take, at most `most`.
float written_gap(const std::vector<analysis::GridHostStep>& steps, float most) {
    constexpr float around = 40;
    float widest = 0;
    for (const analysis::GridHostStep& step : steps) {
        widest = std::max(widest, text_width(Font::words, GridPanelLayout::host_size, step.text));
        if (widest + around > most) return most;
    }
    return widest + around;
}

/// The most slots of a launch, at least 1.
std::uint32_t most_slots(const analysis::GridPicture& picture) {
    std::uint32_t most = 1;
    for (const analysis::GridLaunch& launch : picture.launches) most = std::max(most, launch.slots);
    return most;
}

/// The height of a row where room is plentiful.
float usual_pitch(std::uint32_t slots) {
    return slots <= 12 ? 34.0F : slots <= 48 ? 16.0F : GridPanelLayout::least_row;
}

}  // namespace

GridPanelLayout::GridPanelLayout(const analysis::GridPicture& picture, const GridOptions& options)
    : picture_(picture), options_(options), launches_(picture.launches.size()) {
    const std::uint32_t slots = most_slots(picture);
    constexpr float most_rows_height = 480;
    const auto lacks = [](const analysis::GridLaunch& launch) { return !launch.never_started.empty(); };
    const float queue = std::ranges::any_of(picture.launches, lacks) ? queue_height + 12 : 0;
    const float wanted = std::min(static_cast<float>(slots) * usual_pitch(slots), most_rows_height) + queue;
    const float around = heading + axis + legend_height();
    height_ = options.height > 0 ? options.height : around + std::max(wanted, 2 * usual_pitch(1)) + panel_padding;
    const auto named = [](const analysis::GridLaunch& launch) { return launch.multiprocessors > 0; };
    const float left = panel_padding + (std::ranges::any_of(picture.launches, named) ? lane_names : 0);
    const float width = std::max(options.width - left - panel_padding, 1.0F);
    body_ = {left, heading, width, std::max(height_ - around, 1.0F)};
    content_ = static_cast<double>(body_.width) * std::max(options.zoom, 1.0);
    scroll_ = std::clamp(options.scroll_x, 0.0, content_ - static_cast<double>(body_.width));
    place_rows();
    place_launches();
    tracks_ = tracks_wanted();
    if (tracks_ == 0) return;
    place_rows();
    place_launches();
}

bool GridPanelLayout::sees(const analysis::GridArc& arc) const {
    const double from = x(arc.from_launch, arc.written_at), to = x(arc.to_launch, arc.read_at);
    return std::max(from, to) >= static_cast<double>(body_.x) &&
           std::min(from, to) <= static_cast<double>(body_.right());
}

std::uint32_t GridPanelLayout::track_of(std::uint32_t buffer) const {
    const auto at = static_cast<std::uint32_t>(std::ranges::find(arrays_, buffer) - arrays_.begin());
    return std::min(at, tracks_ - 1);
}

std::optional<std::uint32_t> GridPanelLayout::array_of(std::uint32_t track) const {
    return track + 1 == tracks_ && arrays_.size() > tracks_ ? std::nullopt : std::optional(arrays_[track]);
}

std::uint32_t GridPanelLayout::tracks_wanted() {
    std::size_t seen = 0;
    std::map<std::uint32_t, std::size_t> arcs;  // by array
    for (const analysis::GridArc& arc : picture_.arcs) {
        if (!sees(arc)) continue;
        ++seen;
        ++arcs[arc.buffer];
    }
    if (seen <= most_single_arcs) return 0;
    for (const auto& [array, count] : arcs) arrays_.push_back(array);
    std::ranges::stable_sort(arrays_, std::greater<>(), [&](std::uint32_t array) { return arcs[array]; });
    const float rows = std::min(static_cast<float>(most_slots(picture_)) * least_row + 8, body_.height * 0.5F);
    const auto room = static_cast<std::size_t>(std::max((body_.height - rows) / track_height, 0.0F));
    return static_cast<std::uint32_t>(std::min({arrays_.size(), most_tracks, room}));
}

void GridPanelLayout::place_rows() {
    for (std::size_t i = 0; i < launches_.size(); ++i) {
        Launch& launch = launches_[i];
        const std::uint32_t slots = std::max(picture_.launches[i].slots, 1U);
        const float queue = picture_.launches[i].never_started.empty() ? 0 : queue_height + 12;
        const float below = queue + track_height * static_cast<float>(tracks_);
        const float room = std::max(body_.height - 8 - below, least_row);
        const auto slots_a_row = [room](std::uint32_t places, float least) {
            const auto most_rows = static_cast<std::uint32_t>(std::max(std::floor(room / least), 1.0F));
            return (places + most_rows - 1) / most_rows;
        };
        const std::uint32_t multiprocessors = picture_.launches[i].multiprocessors;
        if (multiprocessors > 0) {
            launch.lanes = std::min(multiprocessors, slots);
            launch.each = (slots + multiprocessors - 1) / multiprocessors;
        }
        const std::uint32_t all = launch.lanes > 0 ? launch.lanes * launch.each : slots;
        launch.slots_a_row = slots_a_row(all, least_row);
        if (launch.slots_a_row > 1) launch.slots_a_row = slots_a_row(all, least_joined_row);
        // A row has a whole number of multiprocessors, or a multiprocessor a whole number of rows.
        if (launch.lanes > 0 && launch.slots_a_row > 1)
            launch.slots_a_row = (launch.slots_a_row + launch.each - 1) / launch.each * launch.each;
        const std::uint32_t shown = (all + launch.slots_a_row - 1) / launch.slots_a_row;
        if (launch.lanes > 1 && launch.each > 1 && launch.slots_a_row == 1)
            launch.lane_gap = std::clamp(room / static_cast<float>(shown) * 0.25F, 1.0F, 8.0F);
        const float gaps = launch.lane_gap * static_cast<float>(std::max(launch.lanes, 1U) - 1);
        launch.pitch = std::min((room - gaps) / static_cast<float>(shown), most_pitch);
        const float height = launch.pitch * static_cast<float>(shown) + gaps;
        launch.top = body_.y + (body_.height - height - below) / 2;
        if (queue > 0) launch.queue = launch.top + height + 10;
    }
}

void GridPanelLayout::place_launches() {
    const auto count = static_cast<double>(launches_.size());
    const bool trailing = !picture_.host_steps.empty();
    double ticks = 0;
    for (const analysis::GridLaunch& launch : picture_.launches) ticks += static_cast<double>(launch.time.length());
    const auto body = static_cast<double>(body_.width);
    float most_written = 0;
    for (const float most : written_gaps) {
        double texts = trailing ? written_gap(picture_.host_steps, most) : 0;
        for (const analysis::GridLaunch& launch : picture_.launches)
            texts += launch.host_steps.empty() ? 0 : written_gap(launch.host_steps, most);
        most_written = most;
        written_ = texts <= body * 0.45;
        if (written_) break;
    }
    const bool marked = count * marked_gap <= content_ * 0.3;
    const auto gap_of = [&](const std::vector<analysis::GridHostStep>& steps, bool first) -> double {
        if (steps.empty()) return first ? 0 : marked ? empty_gap : least_gap;
        return written_ ? written_gap(steps, most_written) : marked ? marked_gap : least_gap;
    };
    last_gap_ = gap_of(picture_.host_steps, true);
    double gaps = last_gap_;
    for (std::size_t i = 0; i < launches_.size(); ++i) {
        launches_[i].gap = gap_of(picture_.launches[i].host_steps, i == 0);
        gaps += launches_[i].gap;
    }
    // A short launch beside a long one must still be wide enough to see and click.
    const double room = std::max(content_ - gaps, content_ / 4);
    const double least = std::min(count <= 12 ? 96.0 : marked ? 40.0 : 3.0, room / std::max(count, 1.0) / 2);
    double narrow = 0, wide_ticks = 0;
    for (const analysis::GridLaunch& launch : picture_.launches) {
        const auto length = static_cast<double>(launch.time.length());
        if (length * room <= least * ticks)
            narrow += least;
        else
            wide_ticks += length;
    }
    double at = static_cast<double>(body_.x) - scroll_;
    for (std::size_t i = 0; i < launches_.size(); ++i) {
        const auto length = static_cast<double>(picture_.launches[i].time.length());
        const bool is_narrow = length * room <= least * ticks;
        at += launches_[i].gap;
        launches_[i].from = at;
        at += is_narrow ? least : length / std::max(wide_ticks, 1.0) * (room - narrow);
        launches_[i].to = at;
        const analysis::GridLaunch& launch = picture_.launches[i];
        const double blocks = std::max<double>(static_cast<double>(launch.blocks.size()), 1);
        const double bar = (at - launches_[i].from) * std::max(launch.slots, 1U) / blocks;
        launches_[i].strips = launches_[i].slots_a_row > 1 || bar < static_cast<double>(least_bar);
    }
    past_last_ = at;
}

double GridPanelLayout::x(std::size_t launch, std::uint64_t tick) const {
    const analysis::GridSpan& time = picture_.launches[launch].time;
    const double share = static_cast<double>(tick - std::min(tick, time.first)) /
                         static_cast<double>(std::max<std::uint64_t>(time.length(), 1));
    return launches_[launch].from + (launches_[launch].to - launches_[launch].from) * std::min(share, 1.0);
}

std::uint32_t GridPanelLayout::rows(std::size_t launch) const {
    const Launch& at = launches_[launch];
    const std::uint32_t slots = at.lanes > 0 ? at.lanes * at.each : std::max(picture_.launches[launch].slots, 1U);
    return (slots + at.slots_a_row - 1) / at.slots_a_row;
}

std::uint32_t GridPanelLayout::row(std::size_t launch, std::uint32_t slot) const {
    const Launch& at = launches_[launch];
    const std::uint32_t multiprocessors = picture_.launches[launch].multiprocessors;
    const std::uint32_t place = multiprocessors > 0 ? slot % multiprocessors * at.each + slot / multiprocessors : slot;
    return place / at.slots_a_row;
}

float GridPanelLayout::y_of_row(std::size_t launch, std::uint32_t row) const {
    const Launch& at = launches_[launch];
    const std::uint32_t lane = at.lanes > 0 ? row * at.slots_a_row / at.each : 0;
    const float gaps = at.lane_gap * static_cast<float>(lane);
    return at.top + at.pitch * static_cast<float>(row) + gaps;
}

Box GridPanelLayout::lane(std::size_t launch, std::uint32_t multiprocessor) const {
    const Launch& at = launches_[launch];
    const float top = y(launch, multiprocessor);
    const float rows = static_cast<float>(std::max(at.each / at.slots_a_row, 1U));
    const auto from = static_cast<float>(std::max(at.from, static_cast<double>(body_.x)));
    const auto to = static_cast<float>(std::min(at.to, static_cast<double>(body_.right())));
    return {from, top, std::max(to - from, 0.0F), at.pitch * rows};
}

float GridPanelLayout::bar_height(std::size_t launch) const {
    const float pitch = launches_[launch].pitch;
    if (launches_[launch].slots_a_row > 1) return std::max(pitch - 2, 2.0F);
    return pitch >= 12 ? pitch - 5 : std::max(pitch - 1, 2.0F);
}

Box GridPanelLayout::bar(std::size_t launch, const analysis::GridBlock& block) const {
    const double from = x(launch, block.time.first), to = x(launch, block.time.past_last);
    return {static_cast<float>(from), y(launch, block.slot), std::max(static_cast<float>(to - from) - 1, least_bar),
            bar_height(launch)};
}

}  // namespace lanescope::scene
