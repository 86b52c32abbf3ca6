// The lecture's table, its steps and its claims, and differences explained by counts.
#include "timing/steps.h"

#include "timing/difference.h"
#include "timing/document_claims.h"
#include "timing/recording_library.h"
#include "unit/timing/made_up.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace lanescope::timing {
namespace {

using testing::HasSubstr;

Recording lecture() {
    const RecordingLibrary& library = shipped_recordings();
    return std::ranges::find_if(library.all(), &LibraryEntry::quoted)->recording;
}

TEST(Steps, OfTheLectureAreAsItPrintsThem) {
    const auto setting = best_setting(lecture());
    ASSERT_TRUE(setting);
    EXPECT_EQ(*setting, (Setting{.n = lecture_n, .block = lecture_block, .element = "int"}));
    const Steps steps = steps_of(lecture(), *setting);
    ASSERT_EQ(steps.rows.size(), 7U);
    EXPECT_EQ(steps.rows.front().microseconds, 8054);
    EXPECT_EQ(steps.rows.front().bandwidth, 2.083);
    EXPECT_FALSE(steps.rows.front().step);
    EXPECT_EQ(steps.rows.back().microseconds, 268);
    EXPECT_EQ(steps.rows.back().bandwidth, 62.671);
    EXPECT_EQ(steps.rows.back().together, 30.04);
    EXPECT_NEAR(*steps.algorithmic, 11.84, 0.01) << "“Optimization types”";
    EXPECT_NEAR(*steps.code, 2.54, 0.01);
}

TEST(Steps, AreStatedAsFarAsTheyWereMeasured) {
    const Recording recording = made_up_recording({made_up("reduce/interleaved-modulo", 1024, 128, 8),
                                                   made_up("reduce/strided-index", 1024, 128, 4),
                                                   made_up("reduce/first-add-during-load", 1024, 128, 1)});
    const Steps steps = steps_of(recording, {.n = 1024, .block = 128});
    ASSERT_EQ(steps.rows.size(), 3U);
    EXPECT_EQ(steps.rows[1].step, 2);
    EXPECT_FALSE(steps.rows[2].step) << "the one before was not measured";
    EXPECT_EQ(steps.rows[2].together, 8);
    EXPECT_FALSE(steps.algorithmic);
}

TEST(Steps, TakeWholeAlgorithmsBeforeFirstLaunchesAndTheBestOfSeveralGrids) {
    Point whole = made_up("reduce/sequential", 1024, 128, 9), first = whole, other_grid = whole;
    whole.until_one = true;
    first.time.median = 5;
    other_grid.until_one = true;
    other_grid.grid = 4;
    other_grid.time.median = 7;
    const Recording recording = made_up_recording({first, whole, other_grid});
    EXPECT_EQ(point_of(recording, "reduce/sequential", {.n = 1024, .block = 128}), 2U);
}

TEST(Steps, AreOfTheSizeThatOneAsksForInTheBlocksThatItWasMeasuredIn) {
    const Recording recording = made_up_recording({made_up("reduce/interleaved-modulo", lecture_n, 128, 8),
                                                   made_up("reduce/strided-index", lecture_n, 128, 4),
                                                   made_up("reduce/strided-index", 1U << 24U, 256, 4)});
    EXPECT_EQ(best_setting(recording), (Setting{.n = lecture_n, .block = 128}));
    EXPECT_EQ(best_setting(recording, {}, 1U << 24U), (Setting{.n = 1U << 24U, .block = 256}));
}

TEST(Steps, AreOfIntsWhereBothTypesWereMeasured) {
    Point of_float = made_up("reduce/sequential", lecture_n, 128, 8);
    of_float.element = "float";
    const Recording recording = made_up_recording({of_float, made_up("reduce/sequential", lecture_n, 128, 9)});
    EXPECT_EQ(best_setting(recording), (Setting{.n = lecture_n, .block = 128, .element = "int"}));
}

TEST(StatedPeak, IsItsFormula) { EXPECT_NEAR(lecture_peak, 145.92, 1e-9); }

TEST(Claims, FallAsTheRecordingSays) {
    const auto claim = [](const Recording& recording, std::string_view word) {
        const auto all = claims(recording, {.n = 4096, .block = 128});
        const auto found = std::ranges::find_if(all, [&](const Claim& each) { return each.says.contains(word); });
        return *found;
    };
    const Recording slower = made_up_recording(
        {made_up("scan/in-place", 4096, 128, 13), made_up("scan/up-sweep-down-sweep", 4096, 128, 10)});
    EXPECT_EQ(claim(slower, "40 %").outcome, Claim::Outcome::holds);
    EXPECT_THAT(claim(slower, "40 %").today, HasSubstr("30 % slower"));
    const Recording worse = made_up_recording(
        {made_up("scan/in-place", 4096, 128, 15), made_up("scan/up-sweep-down-sweep", 4096, 128, 10)});
    EXPECT_EQ(claim(worse, "40 %").outcome, Claim::Outcome::does_not);
    EXPECT_EQ(claim(worse, "64 to 256").outcome, Claim::Outcome::not_measured);
    EXPECT_EQ(claim(worse, "30.04").outcome, Claim::Outcome::not_measured);

    const Recording close = made_up_recording(
        {made_up("reduce/global-memory", 4096, 128, 12), made_up("reduce/sequential", 4096, 128, 10)});
    EXPECT_EQ(claim(close, "massive").outcome, Claim::Outcome::does_not);
    EXPECT_THAT(claim(close, "massive").today, HasSubstr("1.20 times as fast"));
    EXPECT_EQ(claim(slower, "massive").outcome, Claim::Outcome::not_measured);
    const Recording far = made_up_recording(
        {made_up("reduce/global-memory", 4096, 128, 50), made_up("reduce/sequential", 4096, 128, 10)});
    EXPECT_EQ(claim(far, "too slow").outcome, Claim::Outcome::holds);

    Point few = made_up("reduce/grid-stride", 4096, 128, 3), many = few;
    few.grid = 64;
    many.grid = 512;
    many.time.median = 2;
    const Recording grids = made_up_recording({few, many});
    EXPECT_EQ(claim(grids, "64 to 256").outcome, Claim::Outcome::does_not);
    EXPECT_THAT(claim(grids, "64 to 256").today, HasSubstr("512 blocks of 128"));
}

const Claim& claim_with(const std::vector<Claim>& all, std::string_view word) {
    return *std::ranges::find_if(all, [&](const Claim& each) { return each.says.contains(word); });
}

TEST(Claims, AreJudgedAtTheLecturesSizeAndStatedForTheLargestToo) {
    std::vector<Point> points;
    for (std::size_t stage = 0; stage < lecture_stages.size(); ++stage) {
        const std::string kernel(lecture_stages[stage].kernel);
        points.push_back(made_up(kernel, lecture_n, 128, 8.0 - static_cast<double>(stage)));
        points.push_back(made_up(kernel, lecture_n * 16, 128, stage == 6 ? 1 : 40));
    }
    const auto all = claims(made_up_recording(points), {.n = lecture_n, .block = 128});
    const Claim& together = claim_with(all, "30.04");
    EXPECT_EQ(together.outcome, Claim::Outcome::does_not);
    EXPECT_EQ(together.today, "4.00 times (N = 2²², blocks of 128); 40.00 times (N = 2²⁶, blocks of 128)");
}

TEST(Claims, OnGridsAreStatedForEachSizeThatWasMeasuredWithSeveral) {
    std::vector<Point> points;
    for (const std::uint64_t n : {std::uint64_t{4096}, std::uint64_t{8192}}) {
        for (const std::uint64_t grid : {64U, 512U}) {
            points.push_back(made_up("reduce/grid-stride", n, 128, grid == n / 64 ? 1 : 2));
            points.back().grid = grid;
        }
    }
    points.push_back(made_up("reduce/grid-stride", 16384, 128, 1));  // one grid says nothing
    const auto all = claims(made_up_recording(points), {.n = 4096, .block = 128});
    EXPECT_EQ(claim_with(all, "64 to 256").outcome, Claim::Outcome::holds);
    EXPECT_THAT(claim_with(all, "64 to 256").today, testing::AllOf(HasSubstr("64 blocks of 128"), HasSubstr("N = 2¹³"),
                                                                   testing::Not(HasSubstr("N = 2¹⁴"))));
    EXPECT_EQ(claim_with(all, "Brent").outcome, Claim::Outcome::does_not) << "64 elements a block";
}

TEST(Claims, OfWhatAWrongResultTookAreNone) {
    Point wrong = made_up("scan/in-place", 4096, 128, 1);
    wrong.agrees = false;
    const auto all = claims(made_up_recording({wrong, made_up("scan/up-sweep-down-sweep", 4096, 128, 10)}),
                            {.n = 4096, .block = 128});
    EXPECT_EQ(claim_with(all, "40 %").outcome, Claim::Outcome::not_measured);
}

TEST(Claims, OfACardStandBesideTheOneThatWasMeasured) {
    Recording recording = made_up_recording({made_up("reduce/sequential", lecture_n, 1024, 20)});
    recording.points.push_back(made_up("reduce/sequential", lecture_n, 128, 20));
    recording.points.back().overhead = 4;
    recording.points.back().launches = 3;
    recording.points.push_back(made_up("reduce/one-launch", lecture_n, 256, 10));
    recording.sweeps = {{.bytes = 4 * lecture_n, .shape = "any", .time = spread_of({9.5})}};
    const Setting setting{.n = lecture_n, .block = 128};
    EXPECT_EQ(claim_with(claims(recording, setting), "8 blocks").outcome, Claim::Outcome::not_measured);
    recording.arch = 90;
    recording.processors = 132;
    const auto all = claims(recording, setting);
    EXPECT_EQ(claim_with(all, "8 blocks").today,
              "32 blocks, by compute capability 9.0: at most 132 x 32 = 4,224 are active");
    EXPECT_EQ(claim_with(all, "512 threads").today, "measured in blocks of 1,024");
    EXPECT_EQ(claim_with(all, "16 words").outcome, Claim::Outcome::does_not);
    EXPECT_EQ(claim_with(all, "Launching").outcome, Claim::Outcome::holds);
    EXPECT_THAT(claim_with(all, "Launching").today, HasSubstr("4.0 µs an empty kernel; 3 launches"));
    EXPECT_EQ(claim_with(all, "limiter").outcome, Claim::Outcome::holds);
    EXPECT_THAT(claim_with(all, "limiter").today, HasSubstr("reduce/one-launch at 95 %"));
}

TEST(Difference, NamesTheCountThatChangedMostFirst) {
    Point before = made_up("reduce/strided-index", 1024, 128, 10), after = made_up("reduce/sequential", 1024, 128, 5);
    before.counts = CostCounts{.instructions = 1000, .wavefronts = 800, .sectors = 128, .barriers = 8, .operations = 1};
    after.counts = CostCounts{.instructions = 900, .wavefronts = 200, .sectors = 128, .barriers = 8, .operations = 1};
    const Recording recording = made_up_recording({before, after});
    EXPECT_EQ(neighbor_of(recording, 1, {}), 0U);
    EXPECT_FALSE(neighbor_of(recording, 0, {}));
    const Difference found = difference(recording, 0, 1);
    EXPECT_EQ(found.gain, 2);
    ASSERT_FALSE(found.counts.empty());
    EXPECT_EQ(found.counts.front().name, "shared wavefronts");
    EXPECT_EQ(found.sentence,
              "2.00 times as fast: 4.00 times fewer shared wavefronts, 1.11 times fewer instructions issued.");
}

TEST(Difference, SaysWhereThereAreNoCounts) {
    const Recording recording = made_up_recording({made_up("scan/a", 1024, 128, 10), made_up("scan/b", 1024, 128, 20)});
    EXPECT_EQ(neighbor_of(recording, 1, {"scan/a", "scan/x", "scan/b"}), 0U);
    EXPECT_THAT(difference(recording, 0, 1).sentence, HasSubstr("2.00 times as slow. This recording has no counts"));
}

}  // namespace
}  // namespace lanescope::timing
