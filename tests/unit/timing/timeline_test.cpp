// Timelines: the facts computed from them, and saving.
#include "timing/timeline.h"

#include <gtest/gtest.h>

namespace lanescope::timing {
namespace {

/// Five blocks of two multiprocessors: two at once on the first, one after the other on the second.
Timeline example() {
    Timeline timeline{.kernel = "scan/some",
                      .view = "compiled",
                      .n = 1280,
                      .block = 256,
                      .input = "random 7",
                      .multiprocessors = 4,
                      .step = 32,
                      .runs = 7,
                      .plain = {.median = 1.5, .least = 1.25, .p10 = 1.25, .p90 = 2, .samples = 31},
                      .stamped = {.median = 1.75, .least = 1.5, .p10 = 1.5, .p90 = 2, .samples = 31},
                      .polling_loops = 1,
                      .polls_not_timed = {},
                      .launches = {}};
    TimelineLaunch launch{.kernel = "scan", .grid = {5, 1, 1}, .block = {256, 1, 1}, .blocks = {}};
    launch.blocks = {{.begin = 0, .end = 320, .cycles = 600, .multiprocessor = 3},
                     {.begin = 32, .end = 320, .cycles = 500, .multiprocessor = 3},
                     {.begin = 0, .end = 160, .cycles = 300, .multiprocessor = 1},
                     {.begin = 160,
                      .end = 640,
                      .cycles = 800,
                      .multiprocessor = 1,
                      .polled_cycles = 480,
                      .first_poll = 192,
                      .last_poll = 608},
                     {.begin = 320, .end = 480, .cycles = 200, .multiprocessor = 3}};
    timeline.launches.push_back(std::move(launch));
    return timeline;
}

/// The same with the waits of two warps of its first block, of which the second waited more often than was kept.
Timeline with_waits() {
    Timeline timeline = example();
    timeline.waits = 2;
    timeline.launches[0].blocks[0].warps = {
        {.begin = 0, .end = 500, .waits_in_all = 1, .waits = {{.arrived = 100, .went_on = 300}}},
        {.begin = 40,
         .end = 600,
         .waits_in_all = 5,
         .waits = {{.arrived = 300, .went_on = 300}, {.arrived = 360, .went_on = 400, .mbarrier = true}}}};
    return timeline;
}

TEST(TimelineFacts, CountBlocksOfEachMultiprocessorAndWaves) {
    const TimelineFacts facts = facts_of(example().launches.front());
    EXPECT_EQ(facts.begin, 0U);
    EXPECT_EQ(facts.end, 640U);
    EXPECT_EQ(facts.multiprocessors, 2U);
    EXPECT_EQ(facts.least, 2U);
    EXPECT_EQ(facts.most, 3U);
    EXPECT_EQ(facts.resident, 2U) << "a block that begins when another ends takes its place";
    EXPECT_EQ(facts.resident_in_all, 3U);
    EXPECT_DOUBLE_EQ(facts.waves, 5.0 / 3);
    EXPECT_DOUBLE_EQ(facts.block_time, 288);
    EXPECT_EQ(facts.polled_blocks, 1U);
    EXPECT_DOUBLE_EQ(facts.polled_share, 480.0 / 2400);
}

TEST(TimelineFacts, StateTheShareOfWaitsWhereTheyWereRecorded) {
    EXPECT_FALSE(facts_of(example().launches.front()).waited_share);
    EXPECT_DOUBLE_EQ(facts_of(with_waits().launches.front()).waited_share.value_or(0), 240.0 / 1060);
    EXPECT_EQ(warps_cut_short(example()), 0U);
    EXPECT_EQ(warps_cut_short(with_waits()), 1U);
}

TEST(TimelineMoments, AreBetweenTheWaitsOfAWarpOnTheDevicesClock) {
    const Timeline timeline = with_waits();
    const TimelineBlock& block = timeline.launches[0].blocks[0];  // 600 cycles in 320 ns
    const auto between = [](double from, double to) {
        return std::optional(std::pair(from * 320 / 600, to * 320 / 600));
    };
    EXPECT_EQ(moment_of(block, 0, 0, false), between(0, 100));
    EXPECT_EQ(moment_of(block, 0, 0, true), between(100, 300));
    EXPECT_EQ(moment_of(block, 0, 1, false), between(300, 500));
    EXPECT_EQ(moment_of(block, 0, 1, true), std::nullopt) << "it waited once";
    EXPECT_EQ(moment_of(block, 1, 1, true), between(360, 400));
    EXPECT_EQ(moment_of(block, 1, 2, false), std::nullopt) << "when it waited next was not kept";
    EXPECT_EQ(moment_of(block, 1, 3, false), std::nullopt);
}

TEST(TimelineRecordings, AreReadAsTheyWereWritten) {
    TimelineRecording recording;
    recording.device = "NVIDIA H200";
    recording.driver = "580.1";
    recording.toolkit = "NVRTC 13.0";
    recording.date = "2026-11-25";
    recording.command = "lanescope timeline scan/some";
    recording.timelines = {example(), example(), with_waits()};
    recording.timelines[1].launches[0].blocks[2].end = 163;  // no multiple of the timer's step
    const auto read = timelines_from_json(to_json(recording));
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(*read, recording);
    EXPECT_FALSE(timelines_from_json("{}"));
    const auto line = timeline_from_line(to_line(recording.timelines[1]));
    ASSERT_TRUE(line);
    EXPECT_EQ(*line, recording.timelines[1]);
    recording.timelines[2].launches[0].blocks[2].end = 163;
    EXPECT_EQ(*timeline_from_line(to_line(recording.timelines[2])), recording.timelines[2]);
    EXPECT_EQ(to_line(recording.timelines[1]).find('\n'), std::string::npos);
}

TEST(ShippedTimelines, AreWholeAndOfOneRunEach) {
    ASSERT_FALSE(shipped_timelines().empty());
    for (const auto& shared : shipped_timelines()) {
        const TimelineRecording& recording = *shared;
        EXPECT_FALSE(recording.device.empty());
        EXPECT_TRUE(recording.command.starts_with("lanescope timeline ")) << recording.command;
        for (const Timeline& timeline : recording.timelines) {
            EXPECT_EQ(timeline.incomplete, 0U) << timeline.kernel;
            EXPECT_GT(timeline.step, 0U);
            for (const TimelineLaunch& launch : timeline.launches) {
                const auto& [x, y, z] = launch.grid;
                EXPECT_EQ(launch.blocks.size(), std::uint64_t{x} * y * z) << timeline.kernel;
                for (const TimelineBlock& block : launch.blocks) {
                    EXPECT_LE(block.begin, block.end) << timeline.kernel;
                    EXPECT_LT(block.multiprocessor, timeline.multiprocessors) << timeline.kernel;
                    EXPECT_LE(block.polled_cycles, block.cycles) << timeline.kernel;
                }
            }
        }
    }
}

TEST(TimelinePlaces, AreTheFirstThatIsFreeWhenABlockBegins) {
    const TimelinePlaces places = places_of(example());
    EXPECT_EQ(places.multiprocessors, (std::vector<std::uint32_t>{1, 3}));
    using Place = TimelinePlaces::Place;
    ASSERT_EQ(places.blocks.size(), 1U);
    EXPECT_EQ(places.blocks[0], (std::vector<Place>{{1, 0}, {1, 1}, {0, 0}, {0, 0}, {1, 0}}));
    EXPECT_EQ(places.most, 2U);
    EXPECT_TRUE(places_of(Timeline{}).multiprocessors.empty());
}

}  // namespace
}  // namespace lanescope::timing
