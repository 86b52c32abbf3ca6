// Measurements: their statistics, and the recordings that they are kept in.
#include "timing/measurement.h"
#include "places.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace lanescope::timing {
namespace {

using testing::HasSubstr;

Recording sample() {
    Recording recording{{.device = "NVIDIA H200",
                         .driver = "580.1",
                         .toolkit = "NVRTC 13.0",
                         .date = "2026-11-21",
                         .command = "lanescope time"}};
    recording.l2_bytes = 50U << 20U;
    recording.peak = 4800;
    recording.overhead = spread_of({3, 4, 5});
    recording.copies = {{.bytes = 4096, .time = spread_of({2})}};
    recording.points.push_back({.kernel = "reduce/sequential",
                                .element = "int",
                                .n = 1U << 20U,
                                .block = 256,
                                .grid = 4096,
                                .launches = 1,
                                .bytes = 4U << 20U,
                                .time = spread_of({8.5, 9, 8}),
                                .agrees = true,
                                .overhead = 4});
    return recording;
}

TEST(Spread, HasTheMiddleOfAnOddNumberAndTheMeanOfTheMiddleTwoOfAnEvenOne) {
    EXPECT_EQ(spread_of({3, 1, 2}).median, 2);
    EXPECT_EQ(spread_of({4, 1, 2, 3}).median, 2.5);
    EXPECT_EQ(spread_of({7}).median, 7);
}

TEST(Spread, HasPercentilesByNearestRank) {
    std::vector<double> samples;
    for (int i = 10; i >= 1; --i) samples.push_back(i);
    const Spread spread = spread_of(samples);
    EXPECT_EQ(spread.least, 1);
    EXPECT_EQ(spread.p10, 1);
    EXPECT_EQ(spread.p90, 9);
    EXPECT_EQ(spread.samples, 10U);
}

TEST(Point, HasTheBandwidthOfTheBytesThatMustMove) {
    Point point;
    point.bytes = 4'000'000;
    point.time.median = 2;  // us
    EXPECT_DOUBLE_EQ(point.bandwidth(), 2000) << "4 MB in 2 us";
}

TEST(Recording, ComesBackFromItsFileAsItWas) {
    Recording recording = sample();
    recording.note = "in the rain";
    recording.peak_formula = "6144/8 x 3.2 GHz x 2";
    recording.library = "CUB 3.0.1, nvcc 13.0.88";
    recording.points[0].counts =
        CostCounts{.instructions = 1, .wavefronts = 2, .sectors = 3, .barriers = 4, .operations = 5};
    recording.points[0].beside = Beside{.name = "cub::DeviceReduce", .time = spread_of({16, 17, 18})};
    EXPECT_DOUBLE_EQ(recording.points[0].over_library(), 0.5) << "8.5 of 17 us";
    const auto back = from_json(to_json(recording), "h200.json");
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_EQ(*back, recording);
}

TEST(Recording, OfADocumentHasNoSpreadAndTheBandwidthThatIsPrinted) {
    Recording recording = sample();
    recording.points[0].time = {.median = 268, .least = 268, .p10 = 268, .p90 = 268, .samples = 0};
    recording.points[0].overhead = 0;
    recording.points[0].printed = Printed{.bandwidth = 62.671, .step = 1.42, .cumulative = 30.04};
    const auto back = from_json(to_json(recording), "g80.json");
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_EQ(*back, recording);
    EXPECT_EQ(back->points[0].bandwidth(), 62.671);
}

TEST(Recording, ThatStatesALaunchsOverheadOnceStatesItForEachPoint) {
    Recording recording = sample();
    recording.points[0].overhead = 0;
    EXPECT_EQ(from_json(to_json(recording), "old.json")->points[0].overhead, 4);
}

TEST(Names, AreJoinedOnceEach) {
    std::string names;
    for (const char* name : {"", "CUB 3.0", "CUB 3.0", "CUB 3.1", "CUB 3.1"}) add_name(names, name);
    EXPECT_EQ(names, "CUB 3.0 and CUB 3.1");
}

TEST(Recording, IsRefusedWithWhatIsWrong) {
    EXPECT_THAT(from_json("[1]", "x.json").error().message(), HasSubstr("this is not a recording"));
    EXPECT_THAT(from_json("{\"format\": 99}", "x.json").error().message(), HasSubstr("newer"));
    EXPECT_THAT(from_json("{\"format\": 1}", "x.json").error().message(), HasSubstr("damaged"));
    std::string text = to_json(sample());
    text.replace(text.find("\"n\""), 3, "\"m\"");
    EXPECT_THAT(from_json(text, "x.json").error().message(), HasSubstr("damaged"));
}

TEST(Recordings, ThatShipAreOfHardwareAndEveryResultInThemIsTheEmulators) {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(LANESCOPE_SOURCE_DIR "/assets/recordings")) {
        if (entry.is_directory()) continue;  // counters and traces
        std::ifstream in(entry.path());
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const auto recording = from_json(text, entry.path().filename());
        ASSERT_TRUE(recording) << recording.error().message();
        if (recording->command.empty()) continue;  // a document's
        EXPECT_THAT(recording->device, HasSubstr("NVIDIA"));
        EXPECT_FALSE(recording->driver.empty() || recording->toolkit.empty() || recording->date.empty());
        EXPECT_THAT(recording->command, HasSubstr("lanescope time"));
        EXPECT_FALSE(recording->points.empty() && recording->resident_reads.empty());
        for (const Point& point : recording->points) EXPECT_TRUE(point.agrees) << point.kernel;
        ++files;
    }
    EXPECT_GE(files, 1U);
}

}  // namespace
}  // namespace lanescope::timing
