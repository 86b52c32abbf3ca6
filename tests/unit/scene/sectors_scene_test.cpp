// The Sectors panel as shapes: everything the picture holds is there, legible and clickable.
#include "legibility.h"

#include "scene/sectors_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace lanescope::scene {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// 32 lanes, each `stride` bytes after the lane before.
analysis::SectorPicture strided(std::uint64_t stride, unsigned bytes = 4) {
    analysis::SectorPicture picture;
    picture.step = StepId(7);
    picture.bytes = bytes;
    picture.arithmetic = "neighboring lanes apart: 4 sectors would do; 384 of 512 bytes are not used";
    for (unsigned lane = 0; lane < 32; ++lane) {
        const std::uint64_t address = 0x7000 + stride * lane;
        const std::string name = "[" + std::to_string(stride * lane / bytes) + "]";
        picture.lanes |= LaneMask::only(lane);
        picture.pieces.push_back({.address = address,
                                  .lanes = LaneMask::only(lane),
                                  .sector = address / 32,
                                  .name = "in" + name,
                                  .index = name,
                                  .row = name});
        if (picture.requests.empty() || picture.requests.back().sector != address / 32)
            picture.requests.push_back({address / 32, LaneMask()});
        picture.requests.back().lanes |= LaneMask::only(lane);
    }
    picture.sectors = picture.requests.size();
    picture.used_bytes = std::uint64_t{32} * bytes;
    picture.least = picture.used_bytes / 32;
    return picture;
}

/// All lanes at one address.
analysis::SectorPicture atomic() {
    analysis::SectorPicture picture = strided(0);
    picture.kind = trace::EffectKind::atomic;
    picture.pieces.resize(1);
    picture.pieces[0].lanes = picture.lanes;
    picture.requests.clear();
    for (unsigned lane = 0; lane < 32; ++lane) picture.requests.push_back({0x7000 / 32, LaneMask::only(lane)});
    return picture;
}

std::size_t with_kind(const Scene& scene, TraceRef::Kind kind) {
    return static_cast<std::size_t>(
        std::ranges::count_if(all<Rect>(scene), [&](const Rect& rect) { return rect.ref.kind == kind; }));
}

TEST(SectorsScene, ShowsEveryLaneAndAButtonASector) {
    const Scene scene = sectors_scene(strided(16), {.width = 720, .height = 320, .turn = {}});
    EXPECT_EQ(with_kind(scene, TraceRef::Kind::lane), 32U);
    EXPECT_EQ(with_kind(scene, TraceRef::Kind::wavefront), 17U) << "sixteen, and all of them";
    EXPECT_THAT(texts_of(scene), Contains("16 sectors"));
    EXPECT_THAT(texts_of(scene), Contains("32 of 128"));
    EXPECT_THAT(illegible(scene), IsEmpty());
}

TEST(SectorsScene, SaysHowMuchItSkipsBetweenItsRows) {
    const Scene scene = sectors_scene(strided(1024), {.width = 720, .height = 0, .turn = {}});
    EXPECT_THAT(texts_of(scene), Contains("896 bytes not accessed"));
    EXPECT_EQ(with_kind(scene, TraceRef::Kind::heading), 31U);
    EXPECT_THAT(illegible(scene), IsEmpty());
}

TEST(SectorsScene, OfOneSectorSaysItsLanesAndBytes) {
    const Scene scene = sectors_scene(strided(16), {.width = 720, .height = 320, .turn = 1});
    EXPECT_THAT(texts_of(scene), Contains(HasSubstr("lanes 2, 3: 8 of 32 bytes used")));
    EXPECT_THAT(illegible(scene), IsEmpty());
}

TEST(SectorsScene, OfAnAtomicShowsTheLanesThatMeetInTheirTurns) {
    const Scene scene = sectors_scene(atomic(), {.width = 900, .height = 320, .turn = {}});
    EXPECT_EQ(with_kind(scene, TraceRef::Kind::lane), 32U);
    EXPECT_EQ(with_kind(scene, TraceRef::Kind::wavefront), 33U);
    EXPECT_THAT(texts_of(scene), testing::AllOf(Contains("turn"), Contains("31"), Contains("32 sectors")));
    for (float width = 360; width < 1500; width += 60)
        EXPECT_THAT(illegible(sectors_scene(atomic(), {.width = width, .height = 320, .turn = {}})), IsEmpty());
}

TEST(SectorsScene, IsLegibleForEveryStrideWidthAndRoom) {
    for (const unsigned bytes : {1U, 2U, 4U, 8U, 16U}) {
        for (const std::uint64_t stride : {1U, 3U, 8U, 33U, 64U}) {
            for (float width = 360; width < 1500; width += 190) {
                for (const float height : {150.0F, 230.0F, 320.0F, 620.0F}) {
                    const analysis::SectorPicture picture = strided(stride * bytes, bytes);
                    const Scene scene =
                        sectors_scene(picture, {.width = width, .height = height, .turn = {}, .first_row = 0});
                    EXPECT_THAT(illegible(scene), IsEmpty()) << bytes << " bytes, stride " << stride << ", " << width;
                    const std::size_t beyond =
                        sectors_rows_beyond(picture, {.width = width, .height = height, .turn = {}});
                    if (beyond == 0) {
                        EXPECT_EQ(with_kind(scene, TraceRef::Kind::lane), 32U);
                    }
                    for (const Rect& rect : all<Rect>(scene)) {
                        if (rect.ref.kind != TraceRef::Kind::lane) continue;
                        EXPECT_LE(rect.y + rect.height, height) << "the rows end above the lower edge";
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace lanescope::scene
