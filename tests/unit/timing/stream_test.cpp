// Recordings as a stream of lines: lines read back as written, and add up to the recording's file.
#include "timing/stream.h"

#include <gmock/gmock.h>

namespace lanescope::timing {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

Point point(std::uint64_t n, double microseconds) {
    return {.kernel = "reduce/sequential",
            .element = "s32",
            .n = n,
            .block = 256,
            .grid = n / 256,
            .launches = 3,
            .bytes = 4 * n,
            .time = spread_of({microseconds}),
            .agrees = true,
            .check = "oracle",
            .until_one = true};
}

std::vector<Event> every_event() {
    Recording header{{.device = "NVIDIA H200", .driver = "580.1"}};
    header.l2_bytes = 50;
    header.arch = 90;
    header.processors = 132;
    return {Started{header},
            Overhead{spread_of({3, 4, 5})},
            Recording::Copy{.bytes = 4096, .time = spread_of({2})},
            Recording::Sweep{.bytes = 4096, .shape = "132 blocks", .time = spread_of({1})},
            Recording::ResidentRead{
                .warps = 8, .in_flight = 4, .load_bytes = 16, .bytes = 4096, .time = spread_of({1, 2, 3})},
            Library{"CUB 3.0.1, nvcc 13.0.88"},
            point(1024, 5),
            Omission{.kernel = "scan/padded", .element = "s32", .n = 8, .block = 3, .what = "why", .remedy = "how"},
            Advance{.done = 3, .of = 8, .what = "reduce/sequential", .seconds_left = 12},
            Problem{.what = "no GPU", .where = {"a.cu", 3, 4}, .remedy = "buy one"},
            Ended{}};
}

TEST(StreamLine, ComesBackAsItWas) {
    for (const Event& event : every_event()) {
        const std::string line = to_line(event);
        EXPECT_EQ(line.find('\n'), std::string::npos);
        const auto back = from_line(line);
        ASSERT_TRUE(back) << line << ": " << back.error().message();
        EXPECT_EQ(*back, event) << line;
    }
}

TEST(StreamLine, ThatIsNoneIsRefusedWithWhatIsWrong) {
    for (const char* line : {"", "{", "[]", "{}", "3", "{\"end\": true, \"point\": {}}"})
        EXPECT_THAT(from_line(line).error().message(), HasSubstr("not a line of a recording")) << line;
    EXPECT_THAT(from_line("{\"point\": {\"kernel\": 3}}").error().message(), HasSubstr("damaged"));
    EXPECT_THAT(from_line("{\"problem\": {\"where\": []}}").error().message(), HasSubstr("damaged"));
    EXPECT_THAT(from_line("{\"news\": 1}").error().message(), HasSubstr("unknown in a recording"));
}

TEST(StreamLine, TakesBytesThatAreNoText) {
    EXPECT_TRUE(from_line(to_line(Problem{.what = "caf\xe9", .where = {}, .remedy = {}})));
}

TEST(Stream, AddsUpToTheRecording) {
    Recording recording;
    for (const Event& event : every_event()) add(recording, event);
    EXPECT_EQ(recording.device, "NVIDIA H200");
    EXPECT_EQ(recording.overhead.median, 4);
    EXPECT_THAT(recording.copies, SizeIs(1U));
    EXPECT_THAT(recording.sweeps, SizeIs(1U));
    EXPECT_THAT(recording.resident_reads, SizeIs(1U));
    EXPECT_THAT(recording.points, SizeIs(1U));
    EXPECT_THAT(recording.omissions, SizeIs(1U));
    EXPECT_EQ(recording.library, "CUB 3.0.1, nvcc 13.0.88");
    EXPECT_EQ(recording.points[0].overhead, 4) << "of the same run";
    const auto back = from_json(to_json(recording), "x.json");
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_EQ(*back, recording);
}

TEST(Stream, LeavesAPointTheOverheadOfItsOwnRun) {
    Recording recording;
    add(recording, Overhead{spread_of({4})});
    add(recording, point(1024, 5));
    add(recording, Overhead{spread_of({6})});  // gone on with on another day
    add(recording, point(2048, 9));
    EXPECT_EQ(recording.points[0].overhead, 4);
    EXPECT_EQ(recording.points[1].overhead, 6);
}

TEST(Stream, HasTheNewerOfTwoMeasurementsOfTheSame) {
    Recording recording;
    add(recording, point(1024, 5));
    add(recording, point(2048, 9));
    add(recording, point(1024, 6));
    ASSERT_THAT(recording.points, SizeIs(2U));
    EXPECT_EQ(recording.points[0].time.median, 6);
}

}  // namespace
}  // namespace lanescope::timing
