#include "scene/warps_scene.h"

#include "base/grouped.h"
#include "scene/labels.h"
#include "scene/lane_squares.h"
#include "scene/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::scene {
namespace {

constexpr float passes_legend_height = 30, most_pass_row = 22, warp_gap = 6;  // points

/// "12 of 32": the useful lanes of all lanes.
std::string share_text(const analysis::WarpTotals& totals) {
    return fmt::format("{} of {}", grouped(totals.useful), grouped(totals.threads));
}

std::string efficiency_text(const analysis::WarpTotals& totals) {
    if (totals.warp_instructions == 0) return "idle";
    const double percent = totals.efficiency_percent();
    const std::string_view bound = totals.use_known ? "" : "≤ ";
    return percent > 0 && percent < 0.5 ? "<1 %" : fmt::format("{}{:.0f} %", bound, percent);
}

/// The places in the picture. A pass takes as many lines of warps as give each lane a visible width.
struct WarpPassesLayout {
    float scale = 1, left = 0, right = 0, share_right = 0, efficiency_right = 0;
    float pitch = 0, line = 0;
    std::size_t warps_a_line = 1, lines = 1;

    [[nodiscard]] float row() const { return line * static_cast<float>(lines) + (lines > 1 ? 5 : 2) * scale; }
    [[nodiscard]] LaneColumns columns(std::size_t warp) const {
        const auto place = static_cast<float>(warp % warps_a_line);
        return {left + place * (pitch * static_cast<float>(warp_size) + warp_gap * scale), pitch};
    }
    [[nodiscard]] float top_of(float top, std::size_t warp) const {
        const std::size_t above = warp / warps_a_line;
        return top + line * static_cast<float>(above);
    }
};

float text_size(float scale, float size) { return std::max(smallest_text, size * scale); }

WarpPassesLayout layout_of(std::span<const analysis::WarpTotals> sums, std::span<const std::string> names,
                           std::size_t warps, const WarpPassesOptions& options) {
    constexpr float least_pitch = 2.2F, least_line = 5;
    const float scale = options.scale, size = text_size(scale, 12);
    float name = 0, share = text_width(Font::words, text_size(scale, 11), "useful");
    for (const std::string& each : names) name = std::max(name, text_width(Font::words, size, each));
    for (const analysis::WarpTotals& sum : sums) share = std::max(share, text_width(Font::code, size, share_text(sum)));
    const float efficiency = text_width(Font::words, text_size(scale, 11), "efficiency");

    WarpPassesLayout at{.scale = scale};
    at.left = 16 * scale + std::min(name, options.width * 0.22F) + 10 * scale;
    at.right = options.width - 12 * scale - share - efficiency - 28 * scale;
    const auto pitch_of = [&](std::size_t a_line) {
        const float gaps = warp_gap * scale * static_cast<float>(a_line - 1);
        return (at.right - at.left - gaps) / static_cast<float>(a_line * warp_size);
    };
    for (at.warps_a_line = warps; at.warps_a_line > 1 && pitch_of(at.warps_a_line) < least_pitch * scale;)
        at.warps_a_line = (at.warps_a_line + 1) / 2;
    at.lines = (warps + at.warps_a_line - 1) / at.warps_a_line;
    at.pitch = std::clamp(pitch_of(at.warps_a_line), 0.25F, most_lane_pitch * scale);
    at.right = at.columns(at.warps_a_line - 1).left + at.pitch * static_cast<float>(warp_size);
    at.share_right = at.right + 14 * scale + share;
    at.efficiency_right = at.share_right + 14 * scale + efficiency;

    // As high as the room allows, between the height of a name and the largest row of squares.
    const float least = std::max(least_line * scale, size * 1.25F / static_cast<float>(at.lines));
    const float usual = (at.lines > 2 ? 8 : 12) * scale;
    const float most = std::max(least, std::min(most_pass_row * scale, std::max(at.pitch * 1.4F, usual)));
    const float room = options.height - (lane_numbers_height + passes_legend_height) * scale;
    const float each = room / static_cast<float>(std::max<std::size_t>(names.size(), 1));
    at.line = most;
    if (options.height > 0) {
        const float rest = (each - (at.lines > 1 ? 5 : 2) * scale) / static_cast<float>(at.lines);
        at.line = std::clamp(rest, least, most);
    }
    return at;
}

}  // namespace

Scene warp_passes_scene(std::span<const analysis::WarpPicture> pictures, const analysis::BlockPasses& passes,
                        const WarpPassesOptions& options) {
    Scene scene;
    std::vector<std::string> names;
    names.reserve(passes.passes.size());
    for (const analysis::Pass& pass : passes.passes) names.push_back(pass.label);
    scene.title = fmt::format("Warps: {}", counted(pictures.size(), "pass"));
    scene.width = options.width;
    const ShortNames called = short_names(names);
    std::vector<analysis::WarpTotals> sums;
    for (const analysis::WarpPicture& picture : pictures) sums.push_back(picture.totals());
    const std::size_t warps = pictures.empty() ? 1 : std::max<std::size_t>(pictures.front().rows.size(), 1);
    const WarpPassesLayout at = layout_of(sums, called.names, warps, options);
    const float scale = options.scale, size = text_size(scale, 12), small = text_size(scale, 11);
    const Paint soft{Role::soft, 1}, strong{Role::text, 1};

    Layer layer;
    const auto put = [&](float x, float y, Anchor anchor, const Style& style, std::string words) {
        layer.put(x, y, anchor, style, std::move(words));
    };
    const float head = 10 * scale;
    if (!called.head.empty()) {
        put(at.left - 10 * scale, head, Anchor::end, {Font::words, small, soft},
            fitted(Font::words, small, called.head, at.left - 20 * scale));
    }
    if (at.lines == 1) {
        std::vector<Extent> extents;
        const auto label = [&](std::size_t warp) { return fmt::format("{}{}", warp == 0 ? "warp " : "", warp); };
        for (std::size_t warp = 0; warp < warps; ++warp) {
            const float from = at.columns(warp).left;
            extents.push_back({from, from + text_width(Font::words, small, label(warp))});
        }
        const std::size_t every = every_that_fits(extents, 6 * scale);
        for (std::size_t warp = 0; warp < warps; warp += every)
            put(extents[warp].from, head, Anchor::start, {Font::words, small, soft}, label(warp));
    }
    put(at.share_right, head, Anchor::end, {Font::words, small, soft}, "useful");
    put(at.efficiency_right, head, Anchor::end, {Font::words, small, soft}, "efficiency");

    float top = lane_numbers_height * scale;
    for (std::size_t pass = 0; pass < pictures.size(); ++pass) {
        const auto number = static_cast<std::uint32_t>(pass);
        const bool now = options.pass == pass;
        const float height = at.row(), middle = top + at.line * static_cast<float>(at.lines) / 2;
        if (now) {
            layer.rects.push_back(
                rect({12 * scale, top - 1 * scale, at.efficiency_right - 8 * scale, height}, 2, {Role::raised, 1}));
            layer.rects.push_back(rect({6 * scale, top, 3 * scale, height - 2 * scale}, 1, {Role::cursor, 1}));
        }
        Rect whole = rect({0, top, options.width, height}, 0, {});
        whole.ref = {TraceRef::Kind::row, number, 0, {}};
        layer.rects.push_back(whole);
        const Paint ink = now ? strong : soft;
        const std::string name = pass < called.names.size() ? called.names[pass] : std::to_string(pass);
        put(at.left - 10 * scale, middle, Anchor::end, {Font::words, size, ink},
            fitted(Font::words, size, name, at.left - 26 * scale));
        for (std::size_t warp = 0; warp < pictures[pass].rows.size(); ++warp) {
            const analysis::WarpRow& row = pictures[pass].rows[warp];
            draw_lane_boxes(at.columns(warp), at.top_of(top, warp), at.line, states_of(row), number,
                            static_cast<std::uint32_t>(warp * warp_size), layer);
            if (options.lane && options.warp == row.warp) {
                const float y = at.top_of(top, warp);
                draw_chosen_lane(at.columns(warp), y, y + at.line, *options.lane, layer);
            }
        }
        const analysis::WarpTotals& sum = sums[pass];
        put(at.share_right, middle, Anchor::end, {Font::code, size, ink}, share_text(sum));
        put(at.efficiency_right, middle, Anchor::end, {Font::code, size, ink}, efficiency_text(sum));
        scene.description += fmt::format("{}: {} {} useful, {}. ", names[pass], share_text(sum),
                                         noun(sum.threads, "lane"), efficiency_text(sum));
        top += height;
    }
    scene.height = std::max(options.height, top + passes_legend_height * scale);
    draw_lane_legend(12 * scale, scene.height - passes_legend_height * scale / 2, options.width, scale,
                     {.decided = std::ranges::any_of(pictures, some_decided)}, layer);
    layer.flush(scene);
    return scene;
}

}  // namespace lanescope::scene
