#include "trace/writer.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lanescope::trace {
namespace {

using Wide = std::array<std::uint64_t, 32>;
using Narrow = std::array<std::uint32_t, 32>;

Launch launch_of_one_block() {
    Launch launch;
    launch.kernel = "k";
    launch.recorded = {BlockId(0)};
    return launch;
}

class WriterTest : public testing::Test {
  protected:
    WriterTest() {
        writer.begin_launch(launch_of_one_block());
        writer.begin_step(BlockId(0), WarpId(0), PtxLine(7), 2, LaneMask::all(), LaneMask(0b1010));
    }
    const Effect& only_effect(const Trace& trace) {
        EXPECT_EQ(trace.step_count(), 1U);
        EXPECT_EQ(trace.effects(trace.steps()[0]).size(), 1U);
        return trace.effects(trace.steps()[0])[0];
    }
    Writer writer{Origin{}};
    LaneMask lanes{0b1010};
};

TEST_F(WriterTest, AStepKeepsItsEffectsInTheirOrder) {
    writer.end_launch();
    const auto trace = writer.finish();
    const Step& step = trace->step(StepId(0));
    EXPECT_EQ(step.warp, WarpId(0));
    EXPECT_EQ(step.line, PtxLine(7));
    EXPECT_EQ(step.epoch, 2U);
    EXPECT_EQ(step.executed, lanes);
    EXPECT_EQ(trace->launches[0].first_step, StepId(0));
    EXPECT_EQ(trace->launches[0].past_last_step, StepId(1));
    EXPECT_TRUE(trace->recorded(0, BlockId(0)));
    EXPECT_FALSE(trace->recorded(0, BlockId(1)));
    EXPECT_FALSE(trace->recorded(1, BlockId(0)));
    EXPECT_EQ(trace->all_recorded(), trace->launches[0].all_recorded());
    EXPECT_EQ(trace->blocks(), trace->launches[0].grid.count());
}

TEST(TraceBlocks, AreThoseOfAllLaunches) {
    Trace trace;
    EXPECT_EQ(trace.blocks(), 0U);
    trace.launches.resize(2);
    trace.launches[0].grid = {2, 3, 1};
    trace.launches[1].grid = {1, 1, 1};
    for (const std::uint32_t block : {0U, 1U, 2U, 3U, 4U, 5U}) trace.launches[0].recorded.emplace_back(block);
    EXPECT_EQ(trace.blocks(), 7U);
    EXPECT_FALSE(trace.all_recorded());
    trace.launches[1].recorded.emplace_back(0);
    EXPECT_TRUE(trace.all_recorded());
}

TEST_F(WriterTest, ARegisterWriteKeepsTheValuesOfItsLanes) {
    Narrow values{};
    std::iota(values.begin(), values.end(), 200);
    writer.register_write(RegisterId(5), 4, lanes, values);
    const auto trace = writer.finish();
    const Effect& effect = only_effect(*trace);
    EXPECT_EQ(effect.id, 5U);
    EXPECT_EQ(trace->after(effect, 1), 201U);
    EXPECT_EQ(trace->after(effect, 3), 203U);
}

TEST_F(WriterTest, ValuesThatStepEvenlyTakeTwoNumbers) {
    constexpr LaneMask all = LaneMask::all();
    constexpr LaneMask every_other(0x5555'5555U);
    Narrow falling{};
    Wide rising{}, uneven{};
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        falling[lane] = 10U - 3U * lane;  // below zero, too
        rising[lane] = every_other.has(lane) ? 0x7F00'0000'0000U + std::uint64_t{8} * lane : 99U;
        uneven[lane] = std::uint64_t{lane} * lane;
    }
    const std::uint64_t begin = writer.bytes();
    writer.register_write(RegisterId(1), 4, all, falling);
    EXPECT_EQ(writer.bytes() - begin, sizeof(Effect) + 2 * sizeof(std::uint32_t));
    writer.register_write(RegisterId(2), 8, every_other, rising);
    EXPECT_EQ(writer.bytes() - begin, 2 * sizeof(Effect) + 2 * sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t));
    writer.register_write(RegisterId(3), 8, all, uneven);
    const auto trace = writer.finish();
    const auto effects = trace->effects(trace->step(StepId(0)));
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        EXPECT_EQ(trace->after(effects[0], lane), falling[lane]);
        EXPECT_EQ(trace->after(effects[2], lane), uneven[lane]);
    }
    for (const unsigned lane : every_other) EXPECT_EQ(trace->after(effects[1], lane), rising[lane]);
}

TEST_F(WriterTest, AWideRegisterKeepsAll64Bits) {
    Wide values{};
    values[3] = 0x123456789ABCDEF0U;
    writer.register_write(RegisterId(1), 8, lanes, values);
    const auto trace = writer.finish();
    EXPECT_EQ(trace->after(only_effect(*trace), 3), 0x123456789ABCDEF0U);
}

TEST_F(WriterTest, APredicateIsOneBitALane) {
    writer.predicate_write(RegisterId(2), lanes, LaneMask(0b1000));
    const auto trace = writer.finish();
    const Effect& effect = only_effect(*trace);
    EXPECT_EQ(effect.bytes, 0U);
    EXPECT_EQ(trace->after(effect, 1), 0U);
    EXPECT_EQ(trace->after(effect, 3), 1U);
}

TEST_F(WriterTest, AVectorStoreKeepsEachElementOfEachLane) {
    Wide addresses{};
    addresses[1] = 16;
    addresses[3] = 48;
    std::vector<std::uint64_t> before(64), after(64);
    after[1] = 11;
    after[32 + 1] = 12;
    after[3] = 31;
    after[32 + 3] = 32;
    before[32 + 3] = 9;
    writer.store(Space::shared, 4, 2, lanes, addresses, before, after);
    const auto trace = writer.finish();
    const Effect& effect = only_effect(*trace);
    EXPECT_EQ(trace->address(effect, 3), 48U);
    EXPECT_EQ(trace->after(effect, 1, 0), 11U);
    EXPECT_EQ(trace->after(effect, 1, 1), 12U);
    EXPECT_EQ(trace->after(effect, 3, 1), 32U);
    EXPECT_EQ(trace->before(effect, 3, 1), 9U);
}

TEST_F(WriterTest, ALoadIsTheSameBeforeAndAfter) {
    Wide addresses{}, values{};
    values[3] = 77;
    writer.load(Space::global, 8, 1, lanes, addresses, values);
    const auto trace = writer.finish();
    EXPECT_EQ(trace->before(only_effect(*trace), 3), 77U);
    EXPECT_EQ(trace->after(only_effect(*trace), 3), 77U);
}

TEST_F(WriterTest, AnAtomicKeepsItsOperationAndBothValues) {
    Wide addresses{}, before{}, after{};
    before[1] = 4;
    after[1] = 5;
    writer.atomic(Space::global, 4, 3, lanes, addresses, before, after);
    const auto trace = writer.finish();
    const Effect& effect = only_effect(*trace);
    EXPECT_EQ(effect.id, 3U);
    EXPECT_EQ(trace->before(effect, 1), 4U);
    EXPECT_EQ(trace->after(effect, 1), 5U);
}

TEST_F(WriterTest, AShuffleKeepsTheLaneThatEachLaneReads) {
    Narrow sources{};
    sources[1] = 17;
    writer.shuffle(lanes, sources);
    const auto trace = writer.finish();
    EXPECT_EQ(trace->after(only_effect(*trace), 1), 17U);
}

TEST_F(WriterTest, AFindingKnowsTheStepItHappenedIn) {
    writer.begin_step(BlockId(0), WarpId(1), PtxLine(9), 0, LaneMask::all(), LaneMask::all());
    Finding here;
    here.block = BlockId(0);
    here.warp = WarpId(0);
    here.line = PtxLine(7);
    writer.finding(here);
    Finding elsewhere = here;
    elsewhere.line = PtxLine(8);  // not the warp's last instruction: not a step
    writer.finding(elsewhere);
    Finding unrecorded = here;
    unrecorded.block = BlockId(1);
    writer.finding(unrecorded);
    const auto trace = writer.finish();
    EXPECT_EQ(trace->findings[0].step, StepId(0));
    EXPECT_EQ(trace->findings[1].step, std::nullopt);
    EXPECT_EQ(trace->findings[2].step, std::nullopt);
}

TEST_F(WriterTest, BytesGrowWithWhatIsRecorded) {
    const std::uint64_t before = writer.bytes();
    Wide values{};
    values[7] = 1;
    writer.register_write(RegisterId(0), 8, LaneMask::all(), values);
    EXPECT_GE(writer.bytes() - before, 32U * 8);
}

TEST(Trace, ValuesReadAsTheirTypeSays) {
    EXPECT_EQ(text_of(Element::s8, 0xFF), "-1");
    EXPECT_EQ(text_of(Element::u8, 0xFF), "255");
    EXPECT_EQ(text_of(Element::s32, 0xFFFFFFFD), "-3");
    EXPECT_EQ(text_of(Element::u32, 0xFFFFFFFD), "4294967293");
    EXPECT_EQ(text_of(Element::s64, ~std::uint64_t{0}), "-1");
    EXPECT_EQ(text_of(Element::f32, 0x40200000), "2.5");
    EXPECT_EQ(text_of(Element::f32, 0x40400000), "3");
    EXPECT_EQ(text_of(Element::f64, 0xBFF0000000000000U), "-1");
    EXPECT_EQ(text_of(Element::f16, 0x3E00), "1.5");
    EXPECT_EQ(text_of(Element::f16, 0x0001), "5.9604645e-08");
    EXPECT_EQ(text_of(Element::f16, 0xFC00), "-inf");
    EXPECT_EQ(text_of(Element::bf16, 0xC020), "-2.5");
}

TEST(Trace, TotalsSumEveryLaunchAndEpoch) {
    Trace trace;
    Counts one;
    one.warp_instructions = 1;
    one.barriers = 2;
    one.operations = 3;
    trace.counts = {{one, one}, {one}};
    EXPECT_EQ(trace.totals().warp_instructions, 3U);
    EXPECT_EQ(trace.totals().barriers, 6U);
    EXPECT_EQ(trace.totals().operations, 9U);
}

TEST(Trace, AnAddressBelongsToTheBufferAroundIt) {
    Trace trace;
    trace.buffers.resize(2);
    trace.buffers[0].address = 256;
    trace.buffers[0].bytes = 16;
    trace.buffers[1].address = 512;
    trace.buffers[1].bytes = 8;
    EXPECT_EQ(trace.buffer_at(255), nullptr);
    EXPECT_EQ(trace.buffer_at(271), &trace.buffers[0]);
    EXPECT_EQ(trace.buffer_at(272), nullptr);
    EXPECT_EQ(trace.buffer_at(519), &trace.buffers[1]);
}

}  // namespace
}  // namespace lanescope::trace
