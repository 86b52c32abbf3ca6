// Blocks on a given number of multiprocessors: the order in which they start, which ones wait for room, which stall.
#include "harness.h"

#include <algorithm>
#include <numeric>

namespace lanescope::execute {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Lt;
using testing::SizeIs;

Limits on(std::uint32_t count, std::uint32_t each, std::string_view order = "ascending") {
    Limits limits;
    limits.multiprocessors = Multiprocessors{.count = count, .blocks_each = each, .order = {}};
    limits.multiprocessors->order = trace::read_block_order(order).value();
    return limits;
}

std::string global_kernel(const std::string& body) {
    return R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry test(.param .u64 test_counter, .param .u64 test_out)
{
.reg .pred %p<4>;
.reg .b32 %r<8>;
.reg .b64 %d<8>;
ld.param.u64 %d0, [test_counter];
ld.param.u64 %d1, [test_out];
mov.u32 %r0, %ctaid.x;
mul.wide.u32 %d2, %r0, 4;
add.s64 %d1, %d1, %d2;
)" + body + "ret;\n}\n";
}

/// Each block takes a ticket and stores it.
const std::string tickets = global_kernel(R"(
atom.global.add.u32 %r1, [%d0], 1;
st.global.u32 [%d1], %r1;
)");

/// Each block waits until all have come.
const std::string grid_barrier = global_kernel(R"(
mov.u32 %r2, %nctaid.x;
red.global.add.u32 [%d0], 1;
wait:
ld.volatile.global.u32 %r1, [%d0];
setp.lt.u32 %p0, %r1, %r2;
@%p0 bra wait;
st.global.u32 [%d1], %r1;
)");

/// A block takes a ticket before a barrier and another one after it, which it stores.
const std::string two_tickets = global_kernel(R"(
atom.global.add.u32 %r1, [%d0], 1;
bar.sync 0;
atom.global.add.u32 %r1, [%d0], 1;
st.global.u32 [%d1], %r1;
)");

Kernel kernel(const std::string& text, unsigned blocks, const Limits& limits) {
    Kernel kernel(text);
    kernel.grid(blocks).block(1).limits(limits);
    kernel.buffer("counter", std::vector<std::uint32_t>{0});
    kernel.buffer("out", std::vector<std::uint32_t>(blocks, 99));
    return kernel;
}

TEST(Residency, BlocksStartInTheOrderThatWasAskedFor) {
    const auto out = [&](std::string_view order) {
        return final_of<std::uint32_t>(*kernel(tickets, 4, on(1, 1, order)).run(), "out");
    };
    EXPECT_THAT(out("ascending"), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(out("descending"), ElementsAre(3, 2, 1, 0));
    EXPECT_THAT(out("late 1"), ElementsAre(0, 3, 1, 2));
    std::vector<std::uint32_t> inverse(4);
    const auto shuffled = trace::blocks_in_order(trace::read_block_order("shuffled 3").value(), 4);
    for (std::uint32_t i = 0; i < 4; ++i) inverse[shuffled[i]] = i;
    EXPECT_EQ(out("shuffled 3"), inverse);
}

TEST(Residency, RecordedBlocksAreTheFirstOnesWhateverTheOrder) {
    Limits limits = on(2, 1, "descending");
    limits.record_blocks = 2;
    const auto trace = kernel(tickets, 6, limits).run();
    EXPECT_THAT(trace->launches[0].recorded, ElementsAre(BlockId(0), BlockId(1)));
    EXPECT_EQ(trace->steps().front().block, BlockId(1)) << "it starts before block 0";
}

TEST(Residency, NoMoreBlocksAreResidentThanPlaces) {
    EXPECT_EQ(kernel(tickets, 12, on(2, 2)).run()->launches[0].resident, 4U);
    EXPECT_EQ(kernel(tickets, 12, on(1, 1)).run()->launches[0].resident, 1U);
}

TEST(Residency, ALaunchStatesItsPlaces) {
    const auto trace = kernel(tickets, 12, on(2, 64, "late 3")).run();
    EXPECT_EQ(trace->launches[0].residency.multiprocessors, 2U);
    EXPECT_EQ(trace->launches[0].residency.blocks_each, 32U) << "more do not fit";
    EXPECT_THAT(trace->launches[0].residency.order.late, ElementsAre(3));
    EXPECT_FALSE(kernel(tickets, 12, {}).run()->launches[0].residency.given());
}

TEST(Residency, AGridBarrierWithRoomForAllBlocksEnds) {
    const auto trace = kernel(grid_barrier, 4, on(2, 2)).run();
    EXPECT_THAT(trace->findings, IsEmpty());
    EXPECT_THAT(final_of<std::uint32_t>(*trace, "out"), Each(4));
}

TEST(Residency, AGridBarrierWithMoreBlocksIsADeadlockThatNamesThem) {
    const auto trace = kernel(grid_barrier, 7, on(2, 2)).run();
    ASSERT_THAT(trace->findings, SizeIs(1));
    EXPECT_EQ(trace->findings[0].kind, trace::Finding::Kind::deadlock);
    EXPECT_THAT(trace->findings[0].message,
                HasSubstr("; blocks 4 to 6 never start: blocks 0 to 3 fill 2 multiprocessors and cannot end; launch at "
                          "most 4 blocks"));
    EXPECT_THAT(trace->step_count(), Lt(100'000U)) << "it is found early";
    const auto late = kernel(grid_barrier, 3, on(2, 1, "late 1")).run();
    ASSERT_THAT(late->findings, SizeIs(1));
    EXPECT_THAT(late->findings[0].message, HasSubstr("block 1 never starts: blocks 0 and 2 fill"));
}

TEST(Residency, AStalledBlockStopsAtItsBarrierWhileOthersExecute) {
    // Without a stall, block 0 has its second ticket first.
    const auto usual = final_of<std::uint32_t>(*kernel(two_tickets, 3, on(1, 3)).run(), "out");
    const auto trace = kernel(two_tickets, 3, on(1, 3, "stall 0")).run();
    const auto stalled = final_of<std::uint32_t>(*trace, "out");
    EXPECT_LT(usual[0], usual[2]);
    EXPECT_EQ(stalled[0], 5U) << "the last of six tickets";
    ASSERT_THAT(trace->launches[0].residency.stalls, SizeIs(1));
    const trace::Stall& stall = trace->launches[0].residency.stalls[0];
    EXPECT_EQ(stall.block, BlockId(0));
    for (std::uint32_t i = stall.resumed.value; i < trace->step_count(); ++i)
        EXPECT_EQ(trace->step(StepId(i)).block, BlockId(0)) << "the others have ended";
}

TEST(Residency, AnOrderThatNamesABlockTheGridLacksSaysSo) {
    const auto trace = kernel(two_tickets, 3, on(1, 3, "late 3, stall 2")).run();
    EXPECT_THAT(trace->notes, testing::Contains("Launch 0 has no block 3, which the start order names."));
    EXPECT_THAT(trace->notes, SizeIs(1));
}

TEST(Residency, AStalledBlockKeepsItsPlace) {
    const auto trace = kernel(two_tickets, 4, on(2, 1, "stall 0")).run();
    EXPECT_THAT(trace->findings, IsEmpty());
    EXPECT_EQ(final_of<std::uint32_t>(*trace, "out")[0], 7U) << "the last of eight tickets";
    EXPECT_EQ(trace->launches[0].resident, 2U);
}

TEST(Residency, ABlockThatAllOthersWaitForGoesOn) {
    const auto trace = kernel(grid_barrier, 4, on(2, 2, "stall 2")).run();
    EXPECT_THAT(trace->findings, IsEmpty());
    EXPECT_THAT(final_of<std::uint32_t>(*trace, "out"), Each(4));
}

TEST(Residency, ALaunchThatTheGpuCannotHoldIsRefused) {
    Limits limits;
    limits.multiprocessors = Multiprocessors{.device = &model::limits_of(10), .count = 16, .order = {}};
    Kernel large = kernel(tickets, 2, limits);
    large.block(1024);
    const auto trace = large.try_run();
    ASSERT_FALSE(trace);
    EXPECT_THAT(trace.error().message(), HasSubstr("512"));
}

}  // namespace
}  // namespace lanescope::execute
