// The Grid picture of small hand-made traces: blocks that pass values on, and blocks that were not recorded.
#include "analysis/panels/grid_picture.h"

#include "trace/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace lanescope::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using trace::BlockRun;
using trace::EffectKind;
using trace::Space;

constexpr std::uint64_t flag = 0x1000, data = 0x2000;

/// Blocks of one thread whose steps are given one by one.
class Blocks {
  public:
    Blocks() : writer_({}) {
        for (const auto& [name, address] : {std::pair("flag", flag), std::pair("data", data)}) {
            trace::Buffer buffer;
            buffer.name = name;
            buffer.address = address;
            buffer.bytes = 64;
            writer_.trace().buffers.push_back(buffer);
        }
    }
    Blocks& launch(std::uint32_t blocks, std::uint32_t recorded, std::uint64_t resident,
                   std::vector<BlockRun> runs = {}, std::uint32_t threads = 32) {
        trace::Launch launch;
        launch.kernel = "k";
        launch.grid = {blocks, 1, 1};
        launch.block = {threads, 1, 1};
        for (std::uint32_t block = 0; block < recorded; ++block) launch.recorded.emplace_back(block);
        launch.resident = resident;
        launch.blocks = std::move(runs);
        writer_.begin_launch(std::move(launch));
        writer_.trace().counts.emplace_back();
        return *this;
    }
    /// Sets the residency of the launch that was begun last.
    Blocks& residency(trace::Residency residency) {
        writer_.trace().launches.back().residency = std::move(residency);
        return *this;
    }
    /// The block resumes after a stall.
    Blocks& resume(std::uint32_t block) {
        const auto next = static_cast<std::uint32_t>(writer_.trace().step_count());
        writer_.trace().launches.back().residency.stalls.push_back({.block = BlockId(block), .resumed = StepId(next)});
        return *this;
    }
    Blocks& deadlock() {
        trace::Finding finding;
        finding.kind = trace::Finding::Kind::deadlock;
        writer_.trace().findings.push_back(finding);
        return *this;
    }
    Blocks& end_launch() {
        writer_.end_launch();
        return *this;
    }
    /// `count` instructions that access nothing.
    Blocks& compute(std::uint32_t block, unsigned count = 1, std::uint32_t warp = 0, std::uint32_t epoch = 0) {
        for (unsigned i = 0; i < count; ++i) step(block, 1, warp, epoch);
        return *this;
    }
    /// A lane of the warp other than the polling one computes, stores or arrives at a barrier.
    Blocks& other_lane_computes(std::uint32_t block, unsigned count) {
        for (unsigned i = 0; i < count; ++i) step(block, 6, 0, 0, other);
        return *this;
    }
    Blocks& other_lane_stores(std::uint32_t block, std::uint64_t address, std::uint64_t value) {
        step(block, 7, 0, 0, other);
        Row addresses{}, values{};
        addresses[1] = address;
        values[1] = value;
        writer_.store(Space::global, 4, 1, other, addresses, Row{}, values);
        return *this;
    }
    Blocks& other_lane_arrives(std::uint32_t block) {
        step(block, 5, 0, 0, other);
        writer_.control(EffectKind::barrier, other);
        return *this;
    }
    Blocks& load(std::uint32_t block, std::uint64_t address, std::uint64_t value, std::uint32_t line = 2) {
        step(block, line);
        writer_.load(Space::global, 4, 1, one, row(address), row(value));
        return *this;
    }
    Blocks& store(std::uint32_t block, std::uint64_t address, std::uint64_t value) {
        step(block, 3);
        writer_.store(Space::global, 4, 1, one, row(address), row(0), row(value));
        return *this;
    }
    Blocks& add(std::uint32_t block, std::uint64_t address, std::uint64_t before, std::uint64_t by) {
        step(block, 4);
        writer_.atomic(Space::global, 4, 0, one, row(address), row(before), row(before + by));
        return *this;
    }
    Blocks& arrive(std::uint32_t block, std::uint32_t warp) {
        step(block, 5, warp);
        writer_.control(EffectKind::barrier, one);
        return *this;
    }
    Blocks& host_writes(std::uint32_t buffer) {
        const auto next = static_cast<std::uint32_t>(writer_.trace().launches.size());
        writer_.trace().host_writes.push_back({.launch = next,
                                               .buffer = buffer,
                                               .offset = 0,
                                               .source_line = 9,
                                               .before = std::vector<std::byte>(4),
                                               .after = std::vector<std::byte>(4)});
        return *this;
    }
    Blocks& host_steps(std::vector<trace::HostStep> steps) {
        writer_.trace().host_steps = std::move(steps);
        return *this;
    }
    GridPicture picture() {
        trace_ = writer_.finish();
        return grid_picture(*trace_);
    }
    /// After picture().
    [[nodiscard]] const trace::Trace& trace() const { return *trace_; }

  private:
    static constexpr LaneMask one = LaneMask::only(0), other = LaneMask::only(1);
    using Row = std::array<std::uint64_t, 32>;
    static Row row(std::uint64_t value) {
        Row row{};
        row[0] = value;
        return row;
    }
    void step(std::uint32_t block, std::uint32_t line, std::uint32_t warp = 0, std::uint32_t epoch = 0,
              LaneMask lanes = one) {
        writer_.begin_step(BlockId(block), WarpId(warp), PtxLine(line), epoch, lanes, lanes);
    }
    trace::Writer writer_;
    std::shared_ptr<const trace::Trace> trace_;
};

TEST(GridPicture, BlocksThatDoNotWaitAreResidentTogether) {
    const GridPicture picture = Blocks().launch(2, 2, 1).compute(0, 5).compute(1, 3).end_launch().picture();
    ASSERT_THAT(picture.launches[0].blocks, SizeIs(2));
    EXPECT_EQ(picture.launches[0].residency, GridLaunch::Residency::device);
    EXPECT_EQ(picture.launches[0].blocks[0].time, (GridSpan{0, 5}));
    EXPECT_EQ(picture.launches[0].blocks[1].time, (GridSpan{0, 3}));
    EXPECT_EQ(picture.launches[0].slots, 2U);
    EXPECT_THAT(picture.arcs, IsEmpty());
}

TEST(GridPicture, ABlockTellsWhatItLeftWhereItWroteMost) {
    Blocks blocks;
    blocks.launch(4, 4, 1);
    blocks.store(0, flag, 1).store(0, data, 7).store(0, data + 4, 8).store(0, data, 9);  // of two stores, the last
    blocks.add(1, flag, 3, 2).store(1, data + 8, 6);                                     // a store before an atomic
    blocks.store(2, data, 1).store(2, data + 8, 2);                                      // apart
    blocks.compute(3);
    const std::vector<GridBlock> all = blocks.end_launch().picture().launches[0].blocks;
    EXPECT_EQ(all[0].left, "data[0..1] = 9 8");
    EXPECT_EQ(all[1].left, "data[2] = 6");
    EXPECT_EQ(all[2].left, "");
    EXPECT_EQ(all[3].left, "");
}

TEST(GridPicture, ALaunchBeginsWhenTheOneBeforeHasEnded) {
    const GridPicture picture = Blocks()
                                    .launch(1, 1, 1)
                                    .compute(0, 4)
                                    .store(0, data, 7)
                                    .end_launch()
                                    .launch(1, 1, 1)
                                    .load(0, data, 7)
                                    .end_launch()
                                    .picture();
    EXPECT_EQ(picture.launches[1].time, (GridSpan{5, 6}));
    ASSERT_THAT(picture.arcs, SizeIs(1));
    EXPECT_EQ(picture.arcs[0].from_launch, 0U);
    EXPECT_EQ(picture.arcs[0].to_launch, 1U);
    EXPECT_EQ(picture.arcs[0].buffer, 1U);
    EXPECT_EQ(picture.arcs[0].written_at, 4U);
    EXPECT_EQ(picture.arcs[0].read_at, 5U);
    EXPECT_FALSE(picture.arcs[0].atomic);
}

TEST(GridPicture, AReadIsNotBeforeTheWriteWhateverTurnsTheBlocksHad) {
    // Block 0 executed its whole turn first, although block 1 reaches its load earlier on the clock.
    const GridPicture picture = Blocks()
                                    .launch(2, 2, 2)
                                    .compute(0, 10)
                                    .store(0, data, 7)
                                    .compute(1, 2)
                                    .load(1, data, 7)
                                    .compute(1, 4)
                                    .end_launch()
                                    .picture();
    const GridBlock& reader = picture.launches[0].blocks[1];
    EXPECT_EQ(picture.launches[0].residency, GridLaunch::Residency::emulated);
    EXPECT_THAT(reader.waits, ElementsAre(GridSpan{2, 11}));
    EXPECT_EQ(reader.time, (GridSpan{0, 16}));
    EXPECT_EQ(reader.waited, 9U);
}

TEST(GridPicture, ABlockThatPollsWaitsUntilTheFlagIsWritten) {
    Blocks blocks;
    blocks.launch(2, 2, 2).compute(0, 2).compute(1, 1);
    for (int turn = 0; turn < 20; ++turn) blocks.load(1, flag, 0).compute(1, 2);
    blocks.compute(0, 3).store(0, flag, 1).load(1, flag, 1).compute(1, 1);
    const GridPicture picture = blocks.end_launch().picture();
    const GridBlock& reader = picture.launches[0].blocks[1];
    // It first reads at tick 1; block 0 writes at tick 5.
    EXPECT_THAT(reader.waits, ElementsAre(GridSpan{1, 6}));
    EXPECT_EQ(reader.time, (GridSpan{0, 8}));
}

TEST(GridPicture, ABlockWaitsFromItsFirstFailedPollWhileOtherLanesArriveAtABarrier) {
    Blocks blocks;
    blocks.launch(2, 2, 2).compute(1, 1);
    for (int turn = 0; turn < 5; ++turn) blocks.load(1, flag, 0).compute(1, 1);
    blocks.other_lane_stores(1, data, 1).other_lane_arrives(1);
    for (int turn = 0; turn < 20; ++turn) blocks.load(1, flag, 0).compute(1, 1);
    blocks.compute(0, 30).store(0, flag, 1).load(1, flag, 1).compute(1, 1);
    const GridPicture picture = blocks.end_launch().picture();
    // The first poll is at tick 1; another lane stores at tick 11; block 0 writes the flag at tick 30.
    EXPECT_THAT(picture.launches[0].blocks[1].waits, ElementsAre(GridSpan{1, 11}, GridSpan{12, 31}));
}

TEST(GridPicture, ABlockDoesNotWaitWhileOtherLanesOfTheWarpThatPollsCompute) {
    Blocks blocks;
    blocks.launch(2, 2, 2);
    for (int turn = 0; turn < 5; ++turn) blocks.load(1, flag, 0).other_lane_computes(1, 4);
    blocks.compute(0, 30).store(0, flag, 1).load(1, flag, 1);
    const GridPicture picture = blocks.end_launch().picture();
    EXPECT_EQ(picture.launches[0].blocks[1].waited, 31U - 20U);
}

TEST(GridPicture, BlocksShareTheMultiprocessorsThatWereAskedFor) {
    const GridPicture picture = Blocks()
                                    .launch(4, 4, 1)
                                    .residency({.multiprocessors = 2, .blocks_each = 1, .order = {}})
                                    .compute(0, 5)
                                    .compute(1, 3)
                                    .compute(2, 4)
                                    .compute(3, 1)
                                    .end_launch()
                                    .picture();
    const GridLaunch& launch = picture.launches[0];
    EXPECT_EQ(launch.residency, GridLaunch::Residency::asked);
    EXPECT_EQ(launch.multiprocessors, 2U);
    EXPECT_EQ(launch.resident, 2U);
    EXPECT_EQ(launch.blocks[2].slot, 1U);
    EXPECT_EQ(launch.blocks[2].time, (GridSpan{3, 7})) << "multiprocessor 1 is free first";
    EXPECT_EQ(launch.blocks[3].slot, 0U);
    EXPECT_EQ(launch.blocks[3].time, (GridSpan{5, 6}));
    EXPECT_THAT(launch.never_started, IsEmpty());
}

TEST(GridPicture, BlocksThatAreNotRecordedTakeTheirTurnInTheOrder) {
    const std::vector<BlockRun> runs{{2, 2, 0}, {3, 3, 0}, {5, 5, 0}};
    const GridPicture picture =
        Blocks()
            .launch(3, 1, 1, runs)
            .residency({.multiprocessors = 1,
                        .blocks_each = 1,
                        .order = {.kind = trace::BlockOrder::Kind::descending, .late = {}, .stalled = {}}})
            .compute(0, 2)
            .end_launch()
            .picture();
    const GridLaunch& launch = picture.launches[0];
    ASSERT_THAT(launch.blocks, SizeIs(3));
    EXPECT_EQ(launch.blocks[2].time, (GridSpan{0, 5}));
    EXPECT_EQ(launch.blocks[1].time, (GridSpan{5, 8}));
    EXPECT_EQ(launch.blocks[0].time, (GridSpan{8, 10}));
}

TEST(GridPicture, AStalledBlockGoesOnWhenTheOthersWaitOrHaveEnded) {
    Blocks blocks;
    blocks.launch(3, 3, 3)
        .residency({.multiprocessors = 1, .blocks_each = 3, .order = {.late = {}, .stalled = {0}}})
        .compute(0, 2)
        .compute(1, 9)
        .compute(2, 1);
    for (int turn = 0; turn < 30; ++turn) blocks.load(2, flag, 0).compute(2, 1);
    const GridPicture picture = blocks.resume(0).store(0, flag, 1).load(2, flag, 1).end_launch().picture();
    const std::vector<GridBlock>& found = picture.launches[0].blocks;
    EXPECT_EQ(found[0].stall, (GridSpan{2, 9})) << "until block 1 has ended; block 2 waits from tick 1 on";
    EXPECT_THAT(found[0].waits, IsEmpty()) << "it waits for no block";
    EXPECT_EQ(found[0].time, (GridSpan{0, 10}));
    EXPECT_THAT(found[2].waits, ElementsAre(GridSpan{1, 10}));
}

TEST(GridPicture, ADeadlockedBlockWaitsToTheEnd) {
    Blocks blocks;
    blocks.launch(3, 3, 2, {{2, 2, 0}, {9, 9, 0}, {0, 0, 0}})
        .residency({.multiprocessors = 2, .blocks_each = 1, .order = {}})
        .compute(0, 1)
        .compute(1, 2);
    for (int turn = 0; turn < 3; ++turn) blocks.load(0, flag, 0);
    for (int turn = 0; turn < 5; ++turn) blocks.load(1, flag, 0);
    const GridPicture picture = blocks.deadlock().end_launch().picture();
    const GridLaunch& launch = picture.launches[0];
    EXPECT_THAT(launch.blocks[0].waits, ElementsAre(GridSpan{1, 7}));
    EXPECT_THAT(launch.blocks[1].waits, ElementsAre(GridSpan{2, 7}));
    EXPECT_FALSE(launch.blocks[0].ended);
    EXPECT_THAT(launch.never_started, ElementsAre(BlockId(2)));
}

TEST(GridPicture, ALoopThatReadsOneValueAgainIsWork) {
    Blocks blocks;
    blocks.launch(1, 1, 1);
    for (int turn = 0; turn < 4; ++turn) blocks.load(0, data, 7).compute(0, 2);
    const GridPicture picture = blocks.end_launch().picture();
    EXPECT_EQ(picture.launches[0].blocks[0].time, (GridSpan{0, 12}));
    EXPECT_THAT(picture.launches[0].blocks[0].waits, IsEmpty());
}

TEST(GridPicture, AWarpIsPastABarrierWhenTheLastOneHasArrived) {
    const GridPicture picture = Blocks()
                                    .launch(1, 1, 1, {}, 64)
                                    .arrive(0, 0)
                                    .compute(0, 6, 1)
                                    .arrive(0, 1)
                                    .compute(0, 1, 0, 1)
                                    .compute(0, 1, 1, 1)
                                    .end_launch()
                                    .picture();
    EXPECT_EQ(picture.ticks.back(), 7U);
    EXPECT_EQ(picture.ticks[picture.ticks.size() - 2], 7U) << "of warp 0, which arrived at tick 0";
    EXPECT_THAT(picture.launches[0].blocks[0].waits, IsEmpty()) << "one of its warps executes all the time";
}

TEST(GridPicture, AnAtomicThatAddsNothingIsARead) {
    const GridPicture picture =
        Blocks().launch(3, 3, 3).add(0, flag, 0, 1).add(1, flag, 1, 0).add(2, flag, 1, 1).end_launch().picture();
    ASSERT_THAT(picture.arcs, SizeIs(2));
    EXPECT_EQ(picture.arcs[0].to, BlockId(1));
    EXPECT_FALSE(picture.arcs[0].atomic);
    EXPECT_EQ(picture.arcs[1].to, BlockId(2));
    EXPECT_EQ(picture.arcs[1].from, BlockId(0)) << "block 1 wrote nothing";
    EXPECT_TRUE(picture.arcs[1].atomic);
}

TEST(GridPicture, AMomentIsAStepOfTheBlockOnScreenWhereItIsResident) {
    Blocks blocks;
    blocks.launch(2, 2, 1).compute(0, 4).store(0, data, 7).compute(1, 3).end_launch();
    const GridPicture picture = blocks.picture();
    const auto at = [&](std::uint64_t tick, std::uint32_t preferred) {
        const auto moment = moment_at(blocks.trace(), picture, 0, tick, BlockId(preferred));
        return moment ? std::pair(moment->block.value, moment->step.value) : std::pair(~0U, ~0U);
    };
    const GridBlock& second = picture.launches[0].blocks[1];
    EXPECT_EQ(at(2, 0), std::pair(0U, 2U));
    EXPECT_EQ(at(2, 1), std::pair(1U, 7U));
    EXPECT_EQ(at(second.time.past_last + 1, 1), std::pair(0U, 4U)) << "block 1 has ended";
}

TEST(GridPicture, AnArcTellsTheElementAndTheValueThatItsFirstReadFound) {
    const GridPicture picture =
        Blocks().launch(2, 2, 2).store(0, data + 8, 7).load(1, data + 8, 7).end_launch().picture();
    ASSERT_THAT(picture.arcs, SizeIs(1));
    EXPECT_EQ(picture.arcs[0].address, data + 8);
    EXPECT_EQ(picture.arcs[0].bits, 7U);
    EXPECT_EQ(picture.arcs[0].bytes, 4U);
}

TEST(GridPicture, ABlockTellsWhatItLeftInOtherArrays) {
    Blocks blocks;
    blocks.launch(1, 1, 1).store(0, data, 7).store(0, data + 4, 8).store(0, flag, 1).end_launch();
    const GridPicture picture = blocks.picture();
    const GridBlock& block = picture.launches[0].blocks[0];
    EXPECT_THAT(block.left, testing::StartsWith("data[0..1] ="));
    EXPECT_THAT(block.also_left, ElementsAre(testing::StartsWith("flag[0] =")));
}

TEST(GridPicture, WhatTheHostWritesComesFromNoBlock) {
    const GridPicture picture = Blocks()
                                    .launch(1, 1, 1)
                                    .store(0, data, 7)
                                    .end_launch()
                                    .host_writes(1)
                                    .launch(1, 1, 1)
                                    .load(0, data, 0)
                                    .end_launch()
                                    .picture();
    EXPECT_THAT(picture.arcs, IsEmpty());
    ASSERT_THAT(picture.launches[1].host_steps, SizeIs(1));
    EXPECT_EQ(picture.launches[1].host_steps[0].text, "write data, 4 bytes");
    EXPECT_EQ(picture.launches[1].host_steps[0].source_line, 9U);
}

TEST(GridPicture, PrintedLinesAreStepsOfTheHostAndManyAreOne) {
    using trace::HostStep;
    const auto prints = [](std::uint32_t launches, std::string text) {
        return HostStep{.kind = HostStep::Kind::print, .launch = launches, .buffer = {}, .text = std::move(text)};
    };
    const HostStep launches{.kind = HostStep::Kind::launch, .launch = 0, .buffer = {}, .text = "kernel"};
    const GridPicture picture =
        Blocks()
            .launch(1, 1, 1)
            .store(0, data, 7)
            .end_launch()
            .host_steps({prints(0, "n = 4\n\nready\n"), launches, prints(1, "a\nb\nc\nd\n"), prints(1, "e\n")})
            .picture();
    const auto& before = picture.launches[0].host_steps;
    ASSERT_THAT(before, SizeIs(2)) << "an empty line is none";
    EXPECT_EQ(before[0].text, "print \"n = 4\"");
    EXPECT_EQ(before[1].text, "print \"ready\"");
    ASSERT_THAT(picture.host_steps, SizeIs(1));
    EXPECT_EQ(picture.host_steps[0].text, "print \"a\" and 4 more lines");
    EXPECT_THAT(picture.host_steps[0].printed, ElementsAre("a", "b", "c", "d", "e"));
}

TEST(GridPicture, SaysWhereResultsMayComeBackThroughTheHost) {
    using trace::HostStep;
    const auto through_host = [](std::vector<HostStep> steps) {
        return Blocks()
            .launch(1, 1, 1)
            .store(0, data, 7)
            .end_launch()
            .host_steps(std::move(steps))
            .picture()
            .through_host;
    };
    const auto step = [](HostStep::Kind kind, std::uint32_t line, std::string text) {
        return HostStep{
            .kind = kind, .launch = 1, .source_line = line, .buffer = 0, .bytes = 4, .text = std::move(text)};
    };
    const HostStep read = step(HostStep::Kind::read, 8, ""), write = step(HostStep::Kind::write, 9, "copy");
    EXPECT_TRUE(through_host({read, write}));
    EXPECT_FALSE(through_host({write, read})) << "what is written first is made of nothing that was read";
    EXPECT_FALSE(through_host({read, step(HostStep::Kind::write, 9, "copy on the device")}));
    EXPECT_FALSE(through_host({step(HostStep::Kind::read, 0, ""), write})) << "a copy after the described function";
}

TEST(GridPicture, BlocksThatAreNotRecordedHaveTheLengthThatTheyExecuted) {
    const GridPicture picture = Blocks()
                                    .launch(3, 1, 2,
                                            {{.warp_instructions = 4, .longest_warp = 4},
                                             {.warp_instructions = 9, .longest_warp = 9, .waited = 3},
                                             {.warp_instructions = 5, .longest_warp = 5}})
                                    .compute(0, 4)
                                    .end_launch()
                                    .picture();
    const GridLaunch& launch = picture.launches[0];
    ASSERT_THAT(launch.blocks, SizeIs(3));
    EXPECT_TRUE(launch.blocks[0].recorded);
    EXPECT_FALSE(launch.blocks[1].recorded);
    EXPECT_EQ(launch.blocks[1].time, (GridSpan{0, 9}));
    EXPECT_EQ(launch.blocks[1].waited, 3U);
    EXPECT_EQ(launch.blocks[2].time, (GridSpan{4, 9})) << "two are resident: it takes the slot of block 0";
    EXPECT_EQ(launch.blocks[2].slot, launch.blocks[0].slot);
    EXPECT_EQ(picture.block(0, BlockId(2)), &launch.blocks[2]);
}

TEST(GridPicture, BlocksThatNeverBeganAreNotShown) {
    const GridPicture picture = Blocks()
                                    .launch(3, 1, 1, {{.warp_instructions = 2, .longest_warp = 2}, {}, {}})
                                    .compute(0, 2)
                                    .end_launch()
                                    .picture();
    EXPECT_THAT(picture.launches[0].blocks, SizeIs(1));
    EXPECT_EQ(picture.launches[0].unknown, 0U);
}

TEST(GridPicture, WithoutCountsOfBlocksTheOthersAreUnknown) {
    const GridPicture picture = Blocks().launch(5, 2, 0).compute(0, 2).compute(1, 2).end_launch().picture();
    EXPECT_THAT(picture.launches[0].blocks, SizeIs(2));
    EXPECT_EQ(picture.launches[0].unknown, 3U);
}

}  // namespace
}  // namespace lanescope::analysis
