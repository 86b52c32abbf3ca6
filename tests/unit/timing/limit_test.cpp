// How close kernels come to the memory's ceilings.
#include "timing/limit.h"

#include "unit/timing/made_up.h"

#include <gmock/gmock.h>

#include <array>

namespace lanescope::timing {
namespace {

using testing::DoubleEq;

constexpr std::uint64_t limit_n = 1U << 20U;

/// A device of 8 GB/s; one read and one copy of n elements, at 4 bytes a nanosecond each way.
Recording recording_of(std::vector<Point> points) {
    Recording recording = made_up_recording(std::move(points));
    const double read = 4 * limit_n / 4e3;  // microseconds at 4 GB/s
    recording.peak = 8;
    recording.sweeps = {{.bytes = 4 * limit_n, .shape = "", .time = spread_of({read})}};
    recording.copies = {{.bytes = limit_n, .time = spread_of({1})},
                        {.bytes = 4 * limit_n, .time = spread_of({2 * read})}};
    return recording;
}

TEST(Limit, IsTheShareOfTheCeilingsMeasuredWithAsManyBytes) {
    const Recording recording = recording_of({made_up("a", limit_n, 256, 4 * limit_n / 2e3)});
    const BandwidthLimits limits = limits_of(recording, std::array<std::string, 1>{"a"}, limit_n, "int");
    EXPECT_THAT(limits.copy, DoubleEq(4));
    EXPECT_THAT(limits.sweep, DoubleEq(4));
    ASSERT_EQ(limits.rows.size(), 1U);
    EXPECT_THAT(limits.rows[0].of_copy, DoubleEq(0.5));
    EXPECT_THAT(limits.rows[0].of_sweep, DoubleEq(0.5));
    EXPECT_THAT(limits.rows[0].of_nominal, DoubleEq(0.25));
}

TEST(Limit, ComparesDoublesWithCeilingsOfAsManyBytes) {
    Point doubles = made_up("a", limit_n / 2, 256, 4 * limit_n / 2e3);
    doubles.element = "double";
    doubles.bytes = 4 * limit_n;
    const Recording recording = recording_of({doubles});
    const BandwidthLimits limits = limits_of(recording, std::array<std::string, 1>{"a"}, limit_n / 2, "double");
    ASSERT_EQ(limits.rows.size(), 1U);
    EXPECT_THAT(limits.copy, DoubleEq(4));
    EXPECT_THAT(limits.rows[0].of_copy, DoubleEq(0.5));
    EXPECT_THAT(limits.rows[0].of_sweep, DoubleEq(0.5));
}

TEST(Limit, TakesEachKernelsFastestBlockAndStandsTheFastestFirst) {
    const Recording recording =
        recording_of({made_up("a", limit_n, 256, 9), made_up("b", limit_n, 64, 7), made_up("b", limit_n, 512, 3),
                      made_up("a", limit_n, 64, 5), made_up("a", 2 * limit_n, 64, 1)});
    const BandwidthLimits limits = limits_of(recording, std::array<std::string, 3>{"a", "b", "c"}, limit_n, "int");
    ASSERT_EQ(limits.rows.size(), 2U) << "c was not measured";
    EXPECT_EQ(limits.rows[0].point, 2U);
    EXPECT_EQ(limits.rows[1].point, 3U);
}

TEST(Limit, PutsWrongResultsLastAndKnowsNoCeilingThatWasNotMeasured) {
    Recording recording = recording_of({made_up("fast", limit_n, 256, 1), made_up("slow", limit_n, 256, 9)});
    recording.points[0].agrees = false;
    recording.copies.clear();
    recording.peak = 0;
    const BandwidthLimits limits = limits_of(recording, std::array<std::string, 2>{"fast", "slow"}, limit_n, "int");
    ASSERT_EQ(limits.rows.size(), 2U);
    EXPECT_EQ(limits.rows[0].point, 1U);
    EXPECT_EQ(limits.copy, 0);
    EXPECT_EQ(limits.rows[0].of_copy, 0);
    EXPECT_EQ(limits.rows[0].of_nominal, 0);
    EXPECT_TRUE(limits_of(recording, std::array<std::string, 1>{"fast"}, limit_n, "float").rows.empty());
}

}  // namespace
}  // namespace lanescope::timing
