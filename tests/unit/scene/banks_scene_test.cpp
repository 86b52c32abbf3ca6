// The Banks and Warps panels as shapes: the whole content of the pictures is drawn, legible and clickable.
#include "legibility.h"

#include "scene/banks_scene.h"
#include "scene/text.h"
#include "scene/warps_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace lanescope::scene {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// 16 lanes at every 16th word: two banks, eight words in each.
analysis::BankPicture strided(std::uint64_t rows = 8) {
    analysis::BankPicture picture;
    picture.step = StepId(7);
    picture.degree.assign(32, 0);
    picture.memory_rows = rows;
    picture.arithmetic = "word 16·lane is in bank (16·lane) mod 32: 2 banks, 8 words in each";
    picture.wavefronts.resize(8);
    for (unsigned lane = 0; lane < 16; ++lane) {
        const std::uint64_t word = std::uint64_t{lane} * 16;
        picture.words.push_back({word, static_cast<unsigned>(word % 32), word / 32, LaneMask(1U << lane), lane / 2});
        ++picture.degree[word % 32];
        picture.wavefronts[lane / 2].lanes |= LaneMask(1U << lane);
        picture.lanes |= LaneMask(1U << lane);
    }
    return picture;
}

std::size_t with_kind(const Scene& scene, TraceRef::Kind kind) {
    return static_cast<std::size_t>(
        std::ranges::count_if(all<Rect>(scene), [&](const Rect& rect) { return rect.ref.kind == kind; }));
}

TEST(BanksScene, ShowsEveryWordTouchedAndAButtonAWavefront) {
    const Scene scene = banks_scene(strided(), {.width = 560, .height = 320, .turn = {}});
    EXPECT_EQ(with_kind(scene, TraceRef::Kind::lane), 16U);
    EXPECT_EQ(with_kind(scene, TraceRef::Kind::wavefront), 9U) << "eight, and all of them";
    EXPECT_THAT(texts_of(scene), Contains("8 wavefronts"));
    EXPECT_THAT(illegible(scene), IsEmpty());
}

TEST(BanksScene, PlaysOneWavefrontAndSaysWhoWaits) {
    const Scene scene = banks_scene(strided(), {.width = 720, .height = 320, .turn = 1});
    EXPECT_THAT(texts_of(scene), Contains(HasSubstr("lanes 2, 3 served, 12 wait")));
    EXPECT_THAT(illegible(scene), IsEmpty());
}

/// Lanes 0 to 29 change word 3, lanes 30 and 31 words of their own.
analysis::BankPicture meeting() {
    analysis::BankPicture picture;
    picture.kind = trace::EffectKind::atomic;
    picture.degree.assign(32, 0);
    picture.memory_rows = 1;
    picture.arithmetic = "3 banks, up to 30 lanes in one (bank 3)";
    picture.wavefronts.resize(30);
    picture.words = {
        {3, 3, 0, LaneMask(0x3fffffff), 0}, {4, 4, 0, LaneMask(1U << 30), 0}, {5, 5, 0, LaneMask(1U << 31), 0}};
    picture.degree[3] = 30, picture.degree[4] = picture.degree[5] = 1;
    for (unsigned lane = 0; lane < 30; ++lane) picture.wavefronts[lane].lanes = LaneMask(1U << lane);
    picture.wavefronts[0].lanes |= LaneMask(3U << 30);
    picture.lanes = LaneMask(~0U);
    return picture;
}

TEST(BanksScene, HasALineForEachWavefrontWhereLanesMeet) {
    const Scene scene = banks_scene(meeting(), {.width = 560, .height = 640, .turn = {}});
    EXPECT_EQ(with_kind(scene, TraceRef::Kind::lane), 3U + 32U) << "the words, and each lane in its line";
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_THAT(texts_of(scene), Contains(std::to_string(lane)));
    EXPECT_THAT(illegible(scene), IsEmpty());
    const Scene low = banks_scene(meeting(), {.width = 560, .height = 300, .turn = {}});
    EXPECT_EQ(with_kind(low, TraceRef::Kind::lane), 3U) << "not all lines have room";
}

TEST(BankHeatScene, HasACellForEveryBankOfEveryAccess) {
    analysis::BankHeat heat;
    for (unsigned row = 0; row < 12; ++row) {
        std::vector<unsigned> degree(32, 0);
        degree[row] = row;
        heat.rows.push_back(
            {.step = row, .warp = WarpId(row), .source_line = 14, .line = {}, .degree = degree, .wavefronts = row});
    }
    const Scene scene = bank_heat_scene(heat, {.width = 560, .height = 320, .chosen = 3});
    EXPECT_EQ(with_kind(scene, TraceRef::Kind::bank), 12U * 32U);
    EXPECT_EQ(with_kind(scene, TraceRef::Kind::row), 12U);
    EXPECT_THAT(illegible(scene), IsEmpty());
}

TEST(BanksScene, LeavesOutUntouchedRowsWhereThereIsNoRoomForAll) {
    const Scene scene = banks_scene(strided(2000), {.width = 560, .height = 260, .turn = {}});
    EXPECT_EQ(with_kind(scene, TraceRef::Kind::lane), 16U);
    EXPECT_THAT(texts_of(scene), Contains(HasSubstr("of 2,000 rows")));
}

/// The height of the first square of a lane.
float square_of(const Scene& scene) {
    for (const Rect& each : all<Rect>(scene)) {
        if (each.ref.kind == TraceRef::Kind::lane) return each.height;
    }
    return 0;
}

TEST(BanksScene, NamesTheLanesInThePanelOfASmallWindow) {
    const Scene scene = banks_scene(strided(), {.width = 534, .height = 490, .turn = {}});
    EXPECT_THAT(texts_of(scene), testing::AllOf(Contains("9"), Contains("15")));
    EXPECT_THAT(illegible(scene), IsEmpty());
}

TEST(BanksScene, DrawsTheLanesOfOneConflictAlikeHoweverLongTheirNamesAre) {
    for (float width = 380; width < 1600; width += 40) {
        std::size_t outlined = 0, squares = 0;
        for (const Rect& each : all<Rect>(banks_scene(strided(), {.width = width, .height = 300, .turn = {}}))) {
            if (each.ref.kind != TraceRef::Kind::lane) continue;
            ++squares;
            if (each.stroke.visible()) ++outlined;
        }
        EXPECT_TRUE(outlined == 0 || outlined == squares) << outlined << " of " << squares << " at " << width;
    }
}

TEST(BanksScene, KeepsAirBetweenTheNumbersOfNeighbors) {
    analysis::BankPicture beside = strided(1);
    beside.words.clear();
    beside.degree.assign(32, 1);
    beside.wavefronts.resize(1);
    for (unsigned lane = 0; lane < 32; ++lane) beside.words.push_back({lane, lane, 0, LaneMask(1U << lane), 0});
    for (float width = 380; width < 1600; width += 20) {
        std::vector<Text> numbers;
        for (const Text& text : all<Text>(banks_scene(beside, {.width = width, .height = 300, .turn = {}}))) {
            if (text.font == Font::code_bold && text.fill.role == Role::on_useful && text.text.size() == 2)
                numbers.push_back(text);
        }
        for (std::size_t i = 1; i < numbers.size(); ++i) {
            const float wide = text_width(Font::code_bold, numbers[i].size, numbers[i].text);
            EXPECT_GE(numbers[i].x - numbers[i - 1].x - wide, 2) << "at " << width;
        }
    }
}

TEST(BanksScene, GrowsWithALargePanel) {
    const Scene usual = banks_scene(strided(), {.width = 900, .height = 300, .turn = {}});
    const Scene large = banks_scene(strided(), {.width = 1400, .height = 800, .turn = {}});
    EXPECT_GT(square_of(large), 1.4F * square_of(usual));
    EXPECT_THAT(illegible(large), IsEmpty());
}

TEST(BanksScene, FewRowsTakeTheRoomUpTo40Points) {
    const auto height_of_a_cell = [](std::uint64_t rows, float height) {
        float highest = 0;
        const Scene scene = banks_scene(strided(rows), {.width = 780, .height = height, .turn = {}});
        for (const Rect& each : all<Rect>(scene))
            if (each.ref.kind == TraceRef::Kind::lane) highest = std::max(highest, each.height);
        EXPECT_THAT(illegible(scene), IsEmpty()) << rows << " rows";
        return highest;
    };
    EXPECT_NEAR(height_of_a_cell(8, 600), 40, 2.5F);
    EXPECT_NEAR(height_of_a_cell(8, 900), 40, 2.5F) << "no higher";
    EXPECT_LT(height_of_a_cell(8, 300), 26) << "all rows stay in sight";
}

TEST(BanksScene, UsesTheWidthOfAPanelThatStandsAlone) {
    for (const std::uint64_t rows : {1U, 8U, 32U}) {
        const Scene scene = banks_scene(strided(rows), {.width = 1900, .height = 850, .turn = {}});
        float right = 0;
        for (const Rect& each : all<Rect>(scene)) right = std::max(right, each.x + each.width);
        EXPECT_GT(right, 1850) << rows << " rows";
        EXPECT_THAT(illegible(scene), IsEmpty());
    }
}

TEST(BanksScene, SaysTheArithmeticInFullWhereASecondLineHasRoom) {
    const Scene scene = banks_scene(strided(), {.width = 480, .height = 480, .turn = {}});
    EXPECT_THAT(texts_of(scene), Contains(strided().arithmetic));
    EXPECT_THAT(illegible(scene), IsEmpty());
    const Scene narrow = banks_scene(strided(), {.width = 400, .height = 480, .turn = {}});
    EXPECT_THAT(texts_of(narrow), testing::AllOf(Contains("word 16·lane is in bank (16·lane) mod 32:"),
                                                 Contains("2 banks, 8 words in each")));
    EXPECT_THAT(illegible(narrow), IsEmpty());
    const Scene drawn = banks_scene(strided(), {.width = 480, .height = 0, .turn = {}});
    EXPECT_THAT(texts_of(drawn), Contains(strided().arithmetic));
    EXPECT_THAT(illegible(drawn), IsEmpty());
    for (const Rect& each : all<Rect>(drawn)) EXPECT_LE(each.y + each.height, drawn.height);
}

/// All texts, put together in the order in which they are drawn.
std::string read_aloud(const Scene& scene) {
    std::string all_of_it;
    for (const std::string& text : texts_of(scene)) all_of_it += text + " ";
    return all_of_it;
}

TEST(BanksScene, SaysTheWholeSentenceInTheLowestPanelThatHasRoomForIt) {
    analysis::BankPicture named = strided();
    named.access = "sdata[index + s]";
    for (const float width : {380.0F, 425.0F, 480.0F, 564.0F, 760.0F}) {
        for (const float height : {210.0F, 250.0F, 290.0F, 640.0F}) {
            const Scene scene = banks_scene(named, {.width = width, .height = height, .turn = {}});
            EXPECT_THAT(illegible(scene), IsEmpty()) << width << " x " << height;
            const std::string words = read_aloud(scene);
            EXPECT_THAT(words, HasSubstr("sdata[index + s]")) << width << " x " << height;
            EXPECT_THAT(words, testing::Not(HasSubstr("\u2026"))) << width << " x " << height;
            EXPECT_THAT(words, HasSubstr("words in each")) << width << " x " << height;
        }
    }
    const Scene low = banks_scene(named, {.width = 380, .height = 130, .turn = {}});
    EXPECT_EQ(with_kind(low, TraceRef::Kind::step), 1U) << "cut off: pointing at it must say the rest";
}

/// All lanes in one bank: as many rows and wavefronts as a warp has lanes.
analysis::BankPicture one_column(unsigned words = 32) {
    analysis::BankPicture picture = strided(words);
    picture.words.clear();
    picture.degree.assign(32, 0);
    picture.degree[0] = words;
    picture.access = "tile[threadIdx.x][threadIdx.y]";
    picture.wavefronts.assign(words, {});
    for (unsigned word = 0; word < words; ++word) {
        picture.words.push_back({std::uint64_t{word} * 32, 0, word, LaneMask(1U << (word % 32)), word});
        picture.wavefronts[word].lanes = LaneMask(1U << (word % 32));
    }
    return picture;
}

TEST(BanksScene, ShowsA32WayConflictAndEveryWavefrontOfIt) {
    for (const float width : {425.0F, 564.0F, 1200.0F}) {
        for (const float height : {290.0F, 320.0F, 700.0F}) {
            const Scene scene = banks_scene(one_column(), {.width = width, .height = height, .turn = 30});
            EXPECT_EQ(with_kind(scene, TraceRef::Kind::lane), 32U) << width << " x " << height;
            EXPECT_EQ(with_kind(scene, TraceRef::Kind::wavefront), 33U) << width << " x " << height;
            for (const Rect& each : all<Rect>(scene)) {
                if (each.ref.kind != TraceRef::Kind::wavefront) continue;
                EXPECT_LE(each.x + each.width, width);
                EXPECT_LE(each.y + each.height, height);
            }
            EXPECT_THAT(illegible(scene), IsEmpty()) << width << " x " << height;
        }
    }
}

TEST(BanksScene, KeepsTheButtonsWhereTheyAreWhenOneIsChosen) {
    const auto first = [](std::optional<unsigned> chosen) {
        for (const Rect& each : all<Rect>(banks_scene(one_column(), {.width = 564, .height = 290, .turn = chosen})))
            if (each.ref.kind == TraceRef::Kind::wavefront && each.ref.column == 20) return std::pair(each.x, each.y);
        return std::pair(0.0F, 0.0F);
    };
    EXPECT_EQ(first({}), first(20));
}

TEST(BanksScene, ScrollsToTheRowsThatHaveNoRoom) {
    const analysis::BankPicture many = one_column(96);
    AccessOptions options{.width = 564, .height = 290, .turn = {}};
    const std::size_t beyond = banks_rows_beyond(many, options);
    ASSERT_GT(beyond, 0U);
    const auto last_shown = [&] {
        std::uint32_t last = 0;
        for (const Rect& each : all<Rect>(banks_scene(many, options)))
            if (each.ref.kind == TraceRef::Kind::lane) last = std::max(last, each.ref.row);
        return last;
    };
    EXPECT_EQ(last_shown(), 95U - beyond);
    options.first_row = beyond;
    EXPECT_EQ(last_shown(), 95U);
    EXPECT_EQ(banks_rows_beyond(one_column(), options), 0U) << "32 rows fit";
}

TEST(BanksScene, SaysWhereNoAccessIs) {
    const AccessOptions options{.width = 480, .height = 200, .turn = {}};
    EXPECT_THAT(texts_of(no_access_scene(trace::Space::shared, options)),
                Contains("No access to shared memory so far."));
    EXPECT_THAT(texts_of(no_access_scene(trace::Space::shared, options, NoAccess::in_launch)),
                Contains("This kernel does not use shared memory."));
}

TEST(BanksScene, IsLegibleAtAnySizeThatAPanelHas) {
    for (const float width : {380.0F, 480.0F, 760.0F}) {
        for (const float height : {180.0F, 320.0F, 640.0F}) {
            EXPECT_THAT(illegible(banks_scene(strided(), {.width = width, .height = height, .turn = 3})), IsEmpty())
                << width << " x " << height;
        }
    }
}

analysis::WarpPicture eight_warps() {
    analysis::WarpPicture picture;
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
        analysis::WarpRow row;
        row.warp = WarpId(warp);
        row.threads = LaneMask(~0U);
        row.useful = LaneMask(warp == 0 ? 0xFFU : 0U);
        row.ran = LaneMask(warp == 0 ? 0xFF00U : 0xFFFFU);
        row.masked = LaneMask(0xF0000U);
        row.exited = row.threads & ~(row.useful | row.ran | row.masked);
        row.warp_instructions = 10;
        row.useful_lanes = row.useful.count() * 5;
        picture.rows.push_back(row);
    }
    return picture;
}

TEST(WarpsScene, HasASquareALaneAndAShareAWarp) {
    const Scene scene = warps_scene(eight_warps(), {.width = 560, .height = 320, .next = {}});
    EXPECT_EQ(with_kind(scene, TraceRef::Kind::lane), 8U * 32U);
    EXPECT_THAT(texts_of(scene), Contains("8 of 32"));
    EXPECT_THAT(texts_of(scene), Contains("0 of 32"));
    EXPECT_THAT(illegible(scene), IsEmpty());
}

TEST(WarpsScene, GrowsWithALargePanel) {
    const Scene usual = warps_scene(eight_warps(), {.width = 900, .height = 200, .next = {}});
    const Scene large = warps_scene(eight_warps(), {.width = 1600, .height = 900, .next = {}});
    EXPECT_GT(square_of(large), 1.4F * square_of(usual));
    EXPECT_THAT(illegible(large), IsEmpty());
}

/// The highest and the lowest edge of any lane's square.
std::pair<float, float> extent_of_squares(const Scene& scene) {
    std::pair<float, float> extent{1e9F, 0};
    for (const Rect& each : all<Rect>(scene)) {
        if (each.ref.kind != TraceRef::Kind::lane) continue;
        extent = {std::min(extent.first, each.y), std::max(extent.second, each.y + each.height)};
    }
    return extent;
}

TEST(WarpsScene, FewWarpsUseTheRoomOfTheirPanel) {
    for (const std::size_t warps : {1U, 2U, 4U}) {
        for (const auto& [width, height] : {std::pair(726.0F, 470.0F), std::pair(640.0F, 190.0F)}) {
            analysis::WarpPicture picture = eight_warps();
            picture.rows.resize(warps);
            const Scene scene = warps_scene(
                picture,
                {.width = width,
                 .height = height,
                 .next = NextInstruction{WarpId(0), LaneMask(0xFFU), LaneMask(0xFF00U), LaneMask(), LaneMask()},
                 .states = std::vector<WarpState>(warps, {.text = "waits for warps 1 to 3", .waits = true})});
            const auto [top, bottom] = extent_of_squares(scene);
            EXPECT_GT(bottom - top, 0.4F * height) << warps << " in " << width << " x " << height;
            EXPECT_LE(bottom, height - 24) << "the legend";
            EXPECT_EQ(with_kind(scene, TraceRef::Kind::lane), warps * 32U + 16U) << "each lane with a state once";
            EXPECT_THAT(texts_of(scene), Contains(testing::StartsWith("8 of 32")));
            EXPECT_THAT(texts_of(scene), Contains("waits for warps 1 to 3"));
            EXPECT_THAT(illegible(scene), IsEmpty()) << warps << " in " << width << " x " << height;
        }
    }
}

TEST(WarpsScene, DistinguishesTheFourKindsOfLanesByShape) {
    const Scene scene = warps_scene(eight_warps(), {.width = 560, .height = 320, .next = {}});
    const auto squares = all<Rect>(scene);
    EXPECT_TRUE(std::ranges::any_of(squares, [](const Rect& r) { return r.hatch.visible(); })) << "masked: hatched";
    EXPECT_TRUE(std::ranges::any_of(squares, [](const Rect& r) { return r.fill.role == Role::useful; }))
        << "useful: filled";
    EXPECT_FALSE(all<Circle>(scene).empty()) << "exited: a dot";
}

TEST(WarpsScene, Draws32WarpsAndTheNextInstructionInAnyPanel) {
    analysis::WarpPicture picture;
    for (std::uint32_t warp = 0; warp < 32; ++warp) {
        picture.rows.push_back(eight_warps().rows[warp % 8]);
        picture.rows.back().warp = WarpId(warp);
    }
    for (const float height : {200.0F, 320.0F, 700.0F}) {
        const Scene scene = warps_scene(
            picture, {.width = 480,
                      .height = height,
                      .next = NextInstruction{WarpId(3), LaneMask(0xFFU), LaneMask(0xFF00U), LaneMask(), LaneMask()}});
        EXPECT_THAT(illegible(scene), IsEmpty()) << height;
        EXPECT_THAT(texts_of(scene), Contains("8 run"));
    }
}

TEST(BlockShapeScene, HasEveryThreadInItsColumnAndRowAndNamesItsWarpAndLane) {
    analysis::WarpPicture picture;
    for (std::uint32_t warp = 0; warp < 3; ++warp) {
        analysis::WarpRow row;
        row.warp = WarpId(warp);
        row.threads = row.useful = LaneMask(warp < 2 ? ~0U : 0xFU);
        picture.rows.push_back(row);
    }
    const trace::Dim3 block{17, 2, 2};
    for (const float height : {120.0F, 400.0F, 2000.0F}) {
        const Scene scene = block_shape_scene(picture, block, {.width = 500, .height = height});
        std::vector<std::pair<float, float>> places;
        for (const Rect& each : all<Rect>(scene)) {
            if (each.ref.kind != TraceRef::Kind::lane) continue;
            const std::uint32_t thread = each.ref.row * warp_size + each.ref.column;
            ASSERT_LT(thread, 68U);
            places.emplace_back(each.x, each.y);
            EXPECT_LE(each.x + each.width, 500);
            EXPECT_LE(each.y + each.height, scene.height);
        }
        ASSERT_EQ(places.size(), 68U);
        EXPECT_FLOAT_EQ(places[17].first, places[0].first) << "y = 1 begins below y = 0";
        EXPECT_GT(places[17].second, places[16].second);
        EXPECT_FLOAT_EQ(places[34].first, places[0].first);
        EXPECT_GT(places[34].second - places[17].second, places[17].second - places[0].second)
            << "the slices of z are apart";
        EXPECT_THAT(illegible(scene), IsEmpty()) << height;
    }
}

}  // namespace
}  // namespace lanescope::scene
