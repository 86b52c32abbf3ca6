// Warps of all passes as shapes: a row for each pass, a square for each thread, boxes where squares have no room.
#include "legibility.h"

#include "scene/warps_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::scene {
namespace {

using testing::Contains;
using testing::IsEmpty;

/// In pass p every 2^p-th thread is useful; the others are masked off.
std::vector<analysis::WarpPicture> halving(unsigned warps, unsigned passes) {
    std::vector<analysis::WarpPicture> pictures(passes);
    for (unsigned p = 0; p < passes; ++p) {
        for (unsigned w = 0; w < warps; ++w) {
            analysis::WarpRow row;
            row.warp = WarpId(w);
            row.threads = LaneMask(~0U);
            for (unsigned lane = 0; lane < 32; ++lane) {
                if ((w * 32 + lane) % (1U << p) == 0) row.useful |= LaneMask(1U << lane);
            }
            row.masked = row.threads & ~row.useful;
            row.warp_instructions = 2;
            row.useful_lanes = std::uint64_t{2} * row.useful.count();
            pictures[p].rows.push_back(row);
        }
    }
    return pictures;
}

analysis::BlockPasses named(unsigned passes) {
    analysis::BlockPasses named;
    named.passes.resize(passes);
    named.passes[0].label = "load";
    for (unsigned p = 1; p < passes; ++p) named.passes[p].label = "s = " + std::to_string(1U << (p - 1));
    return named;
}

std::vector<Rect> lanes_in(const Scene& scene, std::uint32_t pass) {
    std::vector<Rect> found = all<Rect>(scene);
    std::erase_if(found,
                  [&](const Rect& each) { return each.ref.kind != TraceRef::Kind::lane || each.ref.row != pass; });
    return found;
}

unsigned filled_threads(const std::vector<Rect>& boxes) {
    unsigned sum = 0;
    for (const Rect& each : boxes) sum += each.fill.role == Role::useful ? each.ref.span : 0;
    return sum;
}

TEST(WarpPassesScene, HasARowAPassAndASquareAThread) {
    const auto pictures = halving(2, 4);
    const Scene scene =
        warp_passes_scene(pictures, named(4), {.width = 900, .height = 300, .pass = 2, .warp = {}, .lane = {}});
    for (std::uint32_t pass = 0; pass < 4; ++pass) {
        EXPECT_EQ(lanes_in(scene, pass).size(), 64U);
        EXPECT_EQ(filled_threads(lanes_in(scene, pass)), 64U >> pass);
    }
    EXPECT_THAT(texts_of(scene), Contains("16 of 64"));
    EXPECT_THAT(texts_of(scene), Contains("25 %"));
    EXPECT_THAT(illegible(scene), IsEmpty());
}

TEST(WarpPassesScene, JoinsNeighborsWhereSquaresHaveNoRoom) {
    const auto pictures = halving(8, 2);
    const Scene scene =
        warp_passes_scene(pictures, named(2), {.width = 900, .height = 300, .pass = {}, .warp = {}, .lane = {}});
    EXPECT_EQ(lanes_in(scene, 0).size(), 8U) << "a box a warp";
    EXPECT_EQ(filled_threads(lanes_in(scene, 0)), 256U);
    EXPECT_EQ(filled_threads(lanes_in(scene, 1)), 128U);
    EXPECT_THAT(illegible(scene), IsEmpty());
}

TEST(WarpPassesScene, PutsWarpsBelowEachOtherWhereTheBlockIsWideAndGrows) {
    const auto pictures = halving(32, 11);
    const Scene scene =
        warp_passes_scene(pictures, named(11), {.width = 500, .height = 200, .pass = 3, .warp = {}, .lane = {}});
    EXPECT_GT(scene.height, 200);
    EXPECT_EQ(filled_threads(lanes_in(scene, 10)), 1U);
    std::vector<float> tops;
    for (const Rect& each : lanes_in(scene, 0)) tops.push_back(each.y);
    std::ranges::sort(tops);
    EXPECT_GT(tops.back() - tops.front(), 10) << "several lines";
    EXPECT_THAT(illegible(scene), IsEmpty());
}

TEST(WarpPassesScene, OutlinesTheChosenLaneInEveryPass) {
    const auto pictures = halving(2, 3);
    const Scene scene =
        warp_passes_scene(pictures, named(3), {.width = 900, .height = 300, .pass = 0, .warp = WarpId(1), .lane = 4});
    EXPECT_EQ(
        std::ranges::count_if(all<Rect>(scene), [](const Rect& each) { return each.stroke.role == Role::selected; }),
        3);
}

}  // namespace
}  // namespace lanescope::scene
