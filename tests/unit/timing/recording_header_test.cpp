// A change in the header of a recording reaches timings, counters and their labels.
#include "timing/recording_header.h"
#include "timing/counters.h"
#include "timing/recording_library.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace lanescope::timing {
namespace {

using testing::HasSubstr;

RecordingHeader header() {
    return {.device = "NVIDIA X", .driver = "9.9", .toolkit = "NVRTC 14.2", .date = "2027-01-02", .command = "typed"};
}

TEST(RecordingHeader, IsTheSameOfTimingsAndOfCounters) {
    const auto timings = from_json(to_json(Recording{header()}), "x.json");
    ASSERT_TRUE(timings) << timings.error().message();
    EXPECT_EQ(static_cast<const RecordingHeader&>(*timings), header());
    const auto counters = counters_from_json(to_json(CounterRecording{header(), {}}));
    ASSERT_TRUE(counters) << counters.error().message();
    EXPECT_EQ(static_cast<const RecordingHeader&>(*counters), header());
    EXPECT_EQ(label(*timings), counters->text());
}

TEST(RecordingHeader, IsStatedAsFarAsItIsKnown) {
    EXPECT_EQ(header().text(), "NVIDIA X, driver 9.9, NVRTC 14.2, 2027-01-02");
    EXPECT_EQ(header().software(), "driver 9.9, NVRTC 14.2, 2027-01-02");
    EXPECT_EQ((RecordingHeader{.device = "G80", .date = "2011"}).text(), "G80, 2011");
    EXPECT_THAT(label(Recording{{.device = "G80"}}), HasSubstr("as printed in the lecture"));
}

TEST(RecordingHeader, IsReadWithoutACommandAndRefusedWithoutADevice) {
    json::Json json = json::of(header());
    json.erase("command");
    EXPECT_EQ(json::recording_header_of(json).command, "");
    json.erase("device");
    EXPECT_THROW((void)json::recording_header_of(json), nlohmann::json::exception);
    EXPECT_EQ(json::header_in(json), std::nullopt);
    EXPECT_EQ(json::header_in(json::of(header())), header());
    EXPECT_EQ(json::header_in(json::Json::array()), std::nullopt);
}

}  // namespace
}  // namespace lanescope::timing
