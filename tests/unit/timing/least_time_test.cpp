// No launch takes less time than its launch and its bytes need, and no estimate is shown that does.
#include "made_up.h"
#include "timing/estimates.h"
#include "timing/recording_library.h"

#include <gmock/gmock.h>

namespace lanescope::timing {
namespace {

using testing::HasSubstr;

constexpr DeviceLimit device{.launch = 3.5, .peak = 4000, .l2_bytes = 50'000'000};

Point point_of(std::uint64_t n, std::uint64_t bytes, std::uint64_t sectors) {
    Point point{.kernel = "k", .element = "int", .n = n, .block = 256, .time = {}};
    point.bytes = bytes;
    point.counts = CostCounts{.sectors = sectors};
    return point;
}

TEST(LeastTime, IsThatOfALaunchOrOfTheBytesThatCrossTheBus) {
    const LeastTime small = least_time(device, point_of(1024, 4096, 128));
    EXPECT_EQ(small.microseconds, 3.5);
    EXPECT_FALSE(small.by_memory);
    const LeastTime read = least_time(device, point_of(100'000'000, 400'000'000, 12'500'000));
    EXPECT_EQ(read.microseconds, 100);
    EXPECT_TRUE(read.by_memory);
    EXPECT_EQ(least_time(device, point_of(100'000'000, 800'000'000, 25'000'000)).microseconds, 187.5)
        << "what is written may stay in the cache";
    EXPECT_EQ(least_time(device, point_of(100'000'000, 400'000'000, 1000)).microseconds, 3.5)
        << "a kernel that reads little of its input";
    EXPECT_EQ(least_time({}, point_of(1024, 4096, 128)).microseconds, 0) << "nothing is known of the device";
}

TEST(LeastTime, IsBelowEveryMeasuredTime) {
    for (const LibraryEntry& entry : shipped_recordings().all()) {
        if (entry.quoted()) continue;
        const DeviceLimit limit = device_limit_of(entry.recording);
        EXPECT_GT(limit.peak, 0);
        for (const Point& point : entry.recording.points)
            EXPECT_LE(least_time(limit, point).microseconds, point.time.median) << point.kernel << ' ' << point.n;
    }
}

TEST(LeastTime, ReplacesAnEstimateBelowItAndSaysSo) {
    JudgedModel model;
    model.model.nanoseconds.fill(0);
    model.model.machine.processors = 132;
    model.limit = device;
    Estimates estimates;
    Point point = point_of(100'000'000, 400'000'000, 12'500'000);
    point.grid = 390'625;
    point.launches = 1;
    add(estimates, point, true, model);
    ASSERT_EQ(estimates.points.size(), 1U);
    EXPECT_EQ(estimates.points.front().time.median, 100);
    EXPECT_THAT(estimates.sentence, HasSubstr("nominal bandwidth, 100.00 µs, which is shown instead"));
    model.model.nanoseconds.front() = 1e6;
    add(estimates, point, true, model);
    EXPECT_EQ(estimates.points.back().time.median, 1000) << "an estimate above it stays";
}

}  // namespace
}  // namespace lanescope::timing
