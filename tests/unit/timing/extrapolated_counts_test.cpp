// Counts for sizes too large to emulate, extrapolated from smaller ones.
#include "timing/extrapolated_counts.h"

#include "timing/difference.h"
#include "timing/measurement.h"
#include "timing/recording_library.h"
#include "unit/timing/made_up.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace lanescope::timing {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Point counted(std::uint64_t n, std::uint64_t grid, std::uint64_t instructions) {
    Point point = made_up("k", n, 256, 10);
    point.grid = grid;
    point.counts = CostCounts{.instructions = instructions, .wavefronts = 2 * instructions, .sectors = n / 8};
    return point;
}

Point wanted(std::uint64_t n, std::uint64_t grid) {
    Point point = counted(n, grid, 0);
    point.counts.reset();
    return point;
}

TEST(ExtrapolatedCounts, GrowWithTheBlocks) {
    const std::vector<Point> known = {counted(1024, 4, 107), counted(2048, 8, 207), counted(4096, 16, 407)};
    const auto found = extrapolated_counts(known, wanted(1 << 20, 4096));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->instructions, 4096U * 25 + 7);
    EXPECT_EQ(found->sectors, (1U << 20U) / 8);
}

TEST(ExtrapolatedCounts, GrowWithTheTurnsOfALoopWhereTheGridStays) {
    const std::vector<Point> known = {counted(4096, 4, 1007), counted(1 << 20, 1056, 5000),
                                      counted(1 << 22, 1056, 8000)};
    const auto found = extrapolated_counts(known, wanted(1 << 24, 1056));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->instructions, 20000U);
}

TEST(ExtrapolatedCounts, AreNoneWhereNothingDeterminesThem) {
    EXPECT_FALSE(extrapolated_counts(std::vector{counted(2048, 8, 207), counted(4096, 16, 407)}, wanted(1 << 20, 4096)))
        << "two of a growing grid are not checked by a third";
    EXPECT_FALSE(extrapolated_counts(std::vector{counted(1024, 4, 107), counted(2048, 8, 207), counted(4096, 16, 900)},
                                     wanted(1 << 20, 4096)))
        << "they do not grow in step: they depend on the data";
    EXPECT_FALSE(extrapolated_counts(std::vector{counted(1024, 4, 107), counted(2048, 8, 207), counted(4096, 16, 407)},
                                     wanted(1 << 20, 3)))
        << "another rule for the grid";
}

/// The counts recorded at the largest size, left out, are predicted from the sizes below it.
TEST(ExtrapolatedCounts, PredictWhatTheRecordingThatShipsHasCounted) {
    const RecordingLibrary& library = shipped_recordings();
    const Recording& all = library[*library.largest()].recording;
    Recording known = all;
    constexpr std::uint64_t last = std::uint64_t{1} << 22U;
    for (Point& point : known.points) {
        if (point.n >= last) point.counts.reset();
    }
    std::set<std::string> predicted;
    double worst = 0;
    for (std::size_t index = 0; index < all.points.size(); ++index) {
        const Point& truth = all.points[index];
        if (truth.n != last || !truth.counts) continue;
        const auto found = counts_in(known, known.points[index]);
        if (!found) continue;
        predicted.insert(truth.kernel);
        for (const auto place :
             {&CostCounts::instructions, &CostCounts::wavefronts, &CostCounts::sectors, &CostCounts::barriers}) {
            const auto is = static_cast<double>((*truth.counts).*place);
            const auto said = static_cast<double>(found->counts.*place);
            if (is > 0) worst = std::max(worst, std::abs(said - is) / is);
        }
    }
    EXPECT_GT(predicted.size(), 25U);
    EXPECT_LT(worst, 0.025) << "of a kernel whose work depends on its data";
}

TEST(Difference, HasReasonsAtEverySizeOfTheRecordingThatShips) {
    const RecordingLibrary& library = shipped_recordings();
    const Recording& recording = library[*library.largest()].recording;
    std::size_t looked_at = 0;
    for (std::size_t index = 0; index < recording.points.size(); ++index) {
        if (std::ranges::find(lecture_stages, recording.points[index].kernel, &Stage::kernel) == lecture_stages.end())
            continue;
        const auto before = neighbor_of(recording, index, {});
        if (!before) continue;
        const Difference found = difference(recording, *before, index);
        const Point& point = recording.points[index];
        EXPECT_FALSE(found.counts.empty()) << point.kernel << " " << point.n << " in blocks of " << point.block;
        if (point.n > 1U << 24U) {
            EXPECT_THAT(found.sentence, HasSubstr("Counted ")) << "where they come from";
        }
        ++looked_at;
    }
    EXPECT_GT(looked_at, 100U);
}

TEST(Omissions, OfOneReasonAreStatedOnce) {
    Recording recording;
    const auto omit = [&](const char* kernel, std::uint64_t n, std::uint32_t block, const char* what,
                          const char* remedy) {
        recording.omissions.push_back(
            {.kernel = kernel, .element = {}, .n = n, .block = block, .what = what, .remedy = remedy});
    };
    omit("a", 64, 32, "a cannot take 64", "32 at most.");
    omit("a", 128, 32, "a cannot take 128", "32 at most.");
    omit("a", 64, 16, "a cannot take 64", "32 at most.");
    omit("b", 64, 32, "it did not end", "");
    const auto groups = omission_groups(recording);
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].count, 3U);
    EXPECT_THAT(groups[0].n, ElementsAre(64, 128));
    EXPECT_THAT(groups[0].block, ElementsAre(16, 32));
    EXPECT_EQ(groups[0].why, "a cannot take 64. 32 at most.");
    EXPECT_EQ(groups[1].why, "it did not end.");
}

TEST(Omissions, OfSeveralFilesStandTogetherUntilTheyAreMeasured) {
    Recording one = made_up_recording({}), other = made_up_recording({made_up("a", 64, 32, 1)});
    one.omissions = {{.kernel = "a", .element = {}, .n = 64, .block = 32, .what = "it hung", .remedy = {}}};
    other.omissions = {{.kernel = "b", .element = {}, .n = 64, .block = 32, .what = "it hung", .remedy = {}}};
    merge(one, other);
    ASSERT_EQ(one.omissions.size(), 1U);
    EXPECT_EQ(one.omissions[0].kernel, "b");
}

}  // namespace
}  // namespace lanescope::timing
