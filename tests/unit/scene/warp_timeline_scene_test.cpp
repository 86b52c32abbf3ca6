// The timeline of a block's warps on a GPU as shapes: legible from 1 to 32 warps, and drawn up to the emulator's step.
#include "legibility.h"

#include "scene/timeline_scene.h"
#include "scene/warp_timeline_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::scene {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using timing::Timeline;

/// A block of warps that each wait three times, the higher ones for less long; two waits are kept.
Timeline timeline_of(std::uint32_t warps) {
    Timeline timeline{.kernel = "reduce/some",
                      .view = "compiled",
                      .n = 1024,
                      .plain = {.median = 4.5},
                      .stamped = {.median = 5.25},
                      .waits = 2};
    timing::TimelineBlock block{.begin = 0, .end = 2000, .cycles = 3500, .multiprocessor = 17};
    for (std::uint64_t w = 0; w < warps; ++w) {
        block.warps.push_back({.begin = 3 * w,
                               .end = 3500,
                               .waits_in_all = 3,
                               .waits = {{.arrived = 500 + 10 * w, .went_on = 900},
                                         {.arrived = 1000 + 10 * w, .went_on = 1800, .mbarrier = w % 2 == 1}}});
    }
    timeline.launches.push_back({.kernel = "some", .grid = {1, 1, 1}, .block = {warps * 32, 1, 1}, .blocks = {block}});
    return timeline;
}

std::vector<Rect> parts_drawn(const Scene& scene) {
    std::vector<Rect> parts = all<Rect>(scene);
    std::erase_if(parts, [](const Rect& each) { return each.ref.kind != TraceRef::Kind::lane; });
    return parts;
}

TEST(NoTimelineScene, HasAllItsWordsInEveryRoom) {
    const std::string command = "lanescope timeline reduce/until-one-is-left --n 64 --block 8 --out recording.json";
    for (const float width : {320.0F, 480.0F, 1100.0F}) {
        const Scene scene = no_timeline_scene(width, 0, std::string(no_timeline), command);
        EXPECT_THAT(illegible(scene), IsEmpty()) << width;
        std::string all;
        for (const std::string& text : texts_of(scene)) all += (all.empty() ? "" : " ") + text;
        EXPECT_EQ(all, std::string(no_timeline) + " " + command) << width;
    }
}

TEST(WarpTimelineScene, IsLegibleInEveryRoom) {
    for (const std::uint32_t warps : {1U, 8U, 32U}) {
        for (const float width : {360.0F, 620.0F, 1100.0F}) {
            for (const float height : {0.0F, 190.0F, 500.0F}) {
                const Scene scene = warp_timeline_scene(
                    timeline_of(warps), 0, BlockId(0),
                    {.width = width,
                     .height = height,
                     .places = std::vector<analysis::WarpPlace>(warps, {.waits = 1, .waiting = false}),
                     .followed = WarpId(0),
                     .origin = "NVIDIA H200, driver 580.95.05, NVRTC 13.0, 2026-11-25"});
                EXPECT_THAT(illegible(scene), IsEmpty()) << warps << " warps, " << width << " x " << height;
            }
        }
    }
}

TEST(WarpTimelineScene, DrawsWorkAndWaitsInTurnAndWhatWasNotKeptApart) {
    const Scene scene =
        warp_timeline_scene(timeline_of(2), 0, BlockId(0), {.width = 1100, .places = {}, .followed = {}});
    const std::vector<Rect> parts = parts_drawn(scene);
    ASSERT_EQ(parts.size(), 10U);
    for (const Rect& part : parts) {
        EXPECT_EQ(part.hatch.visible(), part.ref.column % 2 == 1) << "waits are hatched";
        EXPECT_EQ(part.dashed, part.ref.column == 4) << "the third wait was not kept";
    }
    EXPECT_NEAR(parts[1].x + parts[1].width, parts[2].x, 0.01F);
    EXPECT_THAT(texts_of(scene), Contains(HasSubstr("1 more wait was not kept")));
    EXPECT_THAT(texts_of(scene), Contains(HasSubstr("This run is another launch")));
}

TEST(WarpTimelineScene, OutlinesTheStepOnScreenAndDrawsFainterWhatIsToCome) {
    const Scene scene = warp_timeline_scene(timeline_of(2), 0, BlockId(0),
                                            {.width = 1100,
                                             .places = {{.waits = 0, .waiting = true}, {.waits = 1, .waiting = false}},
                                             .followed = WarpId(1)});
    const std::vector<Rect> parts = parts_drawn(scene);
    ASSERT_EQ(parts.size(), 10U);
    EXPECT_LT(parts[2].fill.alpha, parts[0].fill.alpha) << "warp 0 has still to work after its first wait";
    EXPECT_EQ(parts[5].fill.alpha, parts[7].fill.alpha) << "warp 1 does so now";
    std::size_t strong = 0, outlines = 0;
    for (const Rect& each : all<Rect>(scene)) {
        if (each.stroke.role != Role::cursor || each.stroke.alpha == 0 || each.height < 20) continue;
        ++outlines;
        strong += each.stroke.alpha == 1 ? 1 : 0;
        const Rect& part = each.stroke.alpha == 1 ? parts[7] : parts[1];
        EXPECT_LE(each.x, part.x);
        EXPECT_GE(each.x + each.width, part.x + part.width);
    }
    EXPECT_EQ(outlines, 2U);
    EXPECT_EQ(strong, 1U) << "of the warp that one follows";
}

TEST(TimelineScene, DoesNotSayThatNothingPollsWhereTheRecordingMarksNoPolls) {
    const auto said = [](unsigned waits) {
        Timeline timeline = timeline_of(2);
        timeline.waits = waits;
        std::string all_words;
        for (const Text& text : all<Text>(timeline_scene(timeline, {.width = 1100, .shown = {}, .now = {}})))
            all_words += text.text + ' ';
        return all_words;
    };
    EXPECT_THAT(said(2), HasSubstr("The recording does not mark polls."));
    EXPECT_THAT(said(0), HasSubstr("The recording marks neither waits at barriers nor polls."));
}

}  // namespace
}  // namespace lanescope::scene
