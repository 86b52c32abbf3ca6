// The units that the interpreter is made of, one instruction at a time: memory, barriers, masks, lanes, calls.
#include "unit/execute/one_block.h"

#include "execute/emulator/barriers.h"
#include "execute/emulator/calls.h"
#include "execute/emulator/cross_lane.h"
#include "execute/emulator/memory_unit.h"
#include "execute/emulator/warp_sync.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace lanescope::execute {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using FindingKind = trace::Finding::Kind;

constexpr LaneMask low_half(0x0000'FFFF), high_half(0xFFFF'0000);

unsigned squared(unsigned lane) { return lane * lane; }

struct Lanes : OneBlock {
    explicit Lanes(const std::string& instruction, unsigned threads = 32)
        : OneBlock(".reg .b32 %r<8>;\n.reg .pred %p<4>;\nmov.u32 %r1, 0;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;\n" +
                       instruction + "\nret;",
                   threads) {}
    WarpSync sync{launch};
    CrossLane across{launch, recorder, sync};
};

// Across lanes ----------------------------------------------------------------------------------------------------

TEST(CrossLaneUnit, ShufflesDownAndKeepsTheOwnValuePastTheEnd) {
    Lanes lanes("shfl.sync.down.b32 %r2, %r1, 4, 31, -1;");
    const WarpStep step = lanes.at(0, Kind::shuffle);
    OneBlock::fill(step.warp, step.micro.operands[0], squared);
    lanes.across.shuffle(step);
    EXPECT_EQ(lanes.result(step, 3), squared(7));
    EXPECT_EQ(lanes.result(step, 27), squared(31));
    EXPECT_EQ(lanes.result(step, 28), squared(28));
    EXPECT_THAT(lanes.findings(), IsEmpty());
}

TEST(CrossLaneUnit, ReportsAShuffleFromALaneThatDoesNotTakePart) {
    Lanes lanes("shfl.sync.idx.b32 %r2, %r1, 20, 31, 0xffff;");
    const WarpStep step = lanes.at(0, Kind::shuffle, low_half);
    OneBlock::fill(step.warp, step.micro.operands[0], squared);
    lanes.across.shuffle(step);
    EXPECT_EQ(lanes.result(step, 5), squared(5));
    EXPECT_EQ(lanes.result(step, 20), 0U) << "a lane that does not execute gets nothing";
    ASSERT_THAT(lanes.findings(), SizeIs(1));
    EXPECT_EQ(lanes.findings().front().kind, FindingKind::shuffle_inactive);
}

TEST(CrossLaneUnit, BallotsAmongTheLanesOfEachMask) {
    for (const std::string vote : {"vote.sync.ballot.b32", "vote.ballot.sync.b32"}) {  // the second is CUB's
        SCOPED_TRACE(vote);
        Lanes lanes("setp.eq.u32 %p1, %r3, 1;\n" + vote + " %r2, %p1, %r4;");
        const WarpStep step = lanes.at(0, Kind::vote);
        step.warp.word(step.micro.operands[0].slot) = 0x0F00'00FF;
        OneBlock::fill(step.warp, step.micro.operands[step.micro.mask_operand],
                       [](unsigned lane) { return lane < 16 ? low_half.bits() : high_half.bits(); });
        lanes.across.vote(step);
        EXPECT_EQ(lanes.result(step, 2), 0x0000'00FFU);
        EXPECT_EQ(lanes.result(step, 31), 0x0F00'0000U);
    }
}

TEST(CrossLaneUnit, MatchesLanesOfOneValue) {
    Lanes lanes("match.any.sync.b32 %r2, %r1, -1;");
    const WarpStep step = lanes.at(0, Kind::match);
    OneBlock::fill(step.warp, step.micro.operands[0], [](unsigned lane) { return lane % 2; });
    lanes.across.match(step);
    EXPECT_EQ(lanes.result(step, 4), 0x5555'5555U);
    EXPECT_EQ(lanes.result(step, 5), 0xAAAA'AAAAU);
}

TEST(CrossLaneUnit, ReducesAndCountsAnOperationForEachPairFromInput) {
    Lanes lanes("redux.sync.add.s32 %r2, %r1, -1;");
    const WarpStep step = lanes.at(0, Kind::reduce);
    OneBlock::fill(step.warp, step.micro.operands[0], [](unsigned lane) { return lane + 1; });
    step.warp.word(step.micro.operands[0].input_dependent) = 0xFF;  // of 8 lanes
    lanes.across.reduce(step);
    EXPECT_EQ(lanes.result(step, 0), 32U * 33 / 2);
    EXPECT_EQ(lanes.result(step, 31), 32U * 33 / 2);
    EXPECT_EQ(step.warp.counts->operations, 7U);
}

// Masks -----------------------------------------------------------------------------------------------------------

TEST(WarpSyncUnit, ExecutesAtOnceWhereAllOfTheMaskAreThere) {
    Lanes lanes("bar.warp.sync -1;");
    EXPECT_TRUE(lanes.sync.executes(lanes.at(0, Kind::warp_barrier)));
    EXPECT_TRUE(lanes.block.warps[0].control.runnable());
}

TEST(WarpSyncUnit, WaitsForTheRestOfTheMask) {
    Lanes lanes("@%p1 bra past;\nbar.warp.sync -1;\npast:");
    Warp& warp = lanes.block.warps[0];
    const Pc barrier = lanes.pc_of(Kind::warp_barrier);
    warp.control.branch(low_half, barrier, barrier, no_pc);  // two paths, which reach it one after the other
    const WarpStep first = lanes.at(0, Kind::warp_barrier);
    EXPECT_NE(first.executed, LaneMask::all());
    EXPECT_FALSE(lanes.sync.executes(first));
    const WarpStep second = lanes.at(0, Kind::warp_barrier);
    EXPECT_EQ(second.executed, ~first.executed);
    (void)lanes.sync.executes(second);
    EXPECT_TRUE(warp.control.waiting_for(waits_for_warp).none()) << "all go on";
    EXPECT_THAT(lanes.findings(), IsEmpty());
}

TEST(WarpSyncUnit, GoesOnWithoutLanesThatNeverComeAndSaysSo) {
    Lanes lanes("bar.warp.sync -1;", 64);
    Warp& warp = lanes.block.warps[0];
    const Pc barrier = lanes.pc_of(Kind::warp_barrier);
    warp.control.branch(low_half, barrier + 1, barrier, no_pc);
    while (warp.control.pc() != barrier) {  // the other path waits elsewhere, for the block
        warp.control.wait(0);
    }
    EXPECT_FALSE(lanes.sync.executes(lanes.at(0, Kind::warp_barrier)));
    EXPECT_TRUE(lanes.sync.release_incomplete(lanes.block));
    ASSERT_THAT(lanes.findings(), SizeIs(1));
    EXPECT_EQ(lanes.findings().front().kind, FindingKind::wrong_mask);
    EXPECT_TRUE(warp.control.runnable());
}

// Barriers --------------------------------------------------------------------------------------------------------

struct TwoWarps : Lanes {
    TwoWarps() : Lanes("bar.sync 0;", 64) {}
    Barriers barriers{launch, recorder, sync};
};

TEST(BarriersUnit, HoldAWarpUntilTheLastOneComes) {
    TwoWarps two;
    two.barriers.execute(two.at(0, Kind::barrier));
    EXPECT_FALSE(two.block.warps[0].control.runnable());
    EXPECT_EQ(two.block.barriers[0].arrived, 32U);
    two.barriers.execute(two.at(1, Kind::barrier));
    for (const Warp& warp : two.block.warps) {
        EXPECT_TRUE(warp.control.runnable());
        EXPECT_EQ(warp.epoch, 1U);
        EXPECT_EQ(warp.control.pc(), two.pc_of(Kind::barrier) + 1);
    }
    EXPECT_FALSE(two.block.barriers[0].used());
    EXPECT_EQ(two.launch.epochs.front().barriers, 1U);
}

TEST(BarriersUnit, DoNotWaitForThreadsThatHaveExited) {
    TwoWarps two;
    two.barriers.execute(two.at(0, Kind::barrier));
    Warp& other = two.block.warps[1];
    other.control.exit(LaneMask::all(), no_pc);
    two.block.live -= 32;
    two.barriers.release_after_exit(two.block, other, LaneMask::all());
    EXPECT_TRUE(two.block.warps[0].control.runnable());
    EXPECT_THAT(two.findings(), IsEmpty()) << "an early return is no fault";
}

TEST(BarriersUnit, CannotReleaseABlockInWhichNoThreadWaitsInBranches) {
    TwoWarps two;
    two.barriers.execute(two.at(0, Kind::barrier));
    EXPECT_FALSE(two.barriers.release_stuck(two.block));
}

// Memory ----------------------------------------------------------------------------------------------------------

struct Shared : OneBlock {
    explicit Shared(const std::string& instruction)
        : OneBlock(".shared .align 4 .b32 array[64];\n.reg .b32 %r<8>;\nmov.u32 %r1, array;\nmov.u32 %r2, 0;\n" +
                       instruction + "\nret;",
                   32) {}
    Recorder<FixedLevel<RecordLevel::counts>> counting{writer, code};
    MemoryUnit<FixedLevel<RecordLevel::counts>> memory{launch, counting};
    const MemoryAccess& access(const WarpStep& step) const { return code.accesses[step.micro.access]; }
    [[nodiscard]] std::uint32_t word(unsigned index) const {
        std::uint32_t value = 0;
        std::memcpy(&value, block.shared.data() + 4 * std::size_t{index}, sizeof value);
        return value;
    }
};

TEST(MemoryUnitAlone, StoresWordsAndCountsTheConflict) {
    Shared shared("st.shared.u32 [%r1], %r2;");
    const WarpStep step = shared.at(0, Kind::store, low_half);
    OneBlock::fill(step.warp, *shared.access(step).base, [](unsigned lane) { return 8 * lane; });  // every other bank
    OneBlock::fill(step.warp, shared.access(step).values[0], squared);
    shared.memory.access(step);
    EXPECT_EQ(shared.word(30), squared(15));
    EXPECT_EQ(shared.word(32), 0U) << "lane 16 does not execute";
    EXPECT_EQ(step.warp.counts->shared_store_wavefronts, 1U);
    const WarpStep whole = shared.at(0, Kind::store);
    shared.memory.access(whole);
    EXPECT_EQ(step.warp.counts->shared_store_wavefronts, 3U) << "lanes 0 and 16 want one bank";
}

TEST(MemoryUnitAlone, LoadsOnlyForTheLanesThatExecute) {
    Shared shared("ld.shared.u32 %r2, [%r1];");
    for (std::uint32_t i = 0; i < 64; ++i) std::memcpy(shared.block.shared.data() + 4 * std::size_t{i}, &i, sizeof i);
    const WarpStep step = shared.at(0, Kind::load, high_half);
    OneBlock::fill(step.warp, *shared.access(step).base, [](unsigned lane) { return 4 * (63 - lane); });
    shared.memory.access(step);
    EXPECT_EQ(shared.result(step, 16), 47U);
    EXPECT_EQ(shared.result(step, 31), 32U);
    EXPECT_EQ(shared.result(step, 0), 0U);
}

TEST(MemoryUnitAlone, NamesTheLaneThatLeavesTheArray) {
    Shared shared("st.shared.u32 [%r1], %r2;");
    const WarpStep step = shared.at(0, Kind::store);
    OneBlock::fill(step.warp, *shared.access(step).base, [](unsigned lane) { return lane == 9 ? 256 : 4 * lane; });
    OneBlock::fill(step.warp, shared.access(step).values[0], squared);
    shared.memory.access(step);
    ASSERT_THAT(shared.findings(), SizeIs(1));
    EXPECT_EQ(shared.findings().front().kind, FindingKind::out_of_bounds);
    EXPECT_THAT(shared.findings().front().message, HasSubstr("9"));
    EXPECT_EQ(shared.word(10), squared(10)) << "the others store";
}

TEST(MemoryUnitAlone, NamesAMisalignedAddress) {
    Shared shared("ld.shared.u32 %r2, [%r1];");
    const WarpStep step = shared.at(0, Kind::load);
    OneBlock::fill(step.warp, *shared.access(step).base, [](unsigned lane) { return 4 * lane + (lane == 3 ? 2 : 0); });
    shared.memory.access(step);
    ASSERT_THAT(shared.findings(), SizeIs(1));
    EXPECT_EQ(shared.findings().front().kind, FindingKind::misaligned);
}

// Calls -----------------------------------------------------------------------------------------------------------

struct Calling : OneBlock {
    Calling()
        : OneBlock(R"(.reg .b32 %r<4>;
mov.u32 %r1, 7;
{
.param .b32 given;
st.param.b32 [given], %r1;
.param .b32 got;
call.uni (got), twice, (given);
ld.param.b32 %r2, [got];
}
ret;)",
                   32, R"(.func (.param .b32 result) twice(.param .b32 argument)
{
.reg .b32 %n<4>;
ld.param.b32 %n1, [argument];
add.u32 %n2, %n1, %n1;
st.param.b32 [result], %n2;
ret;
}
)") {}
    [[nodiscard]] std::uint32_t local(unsigned lane, const FramePlace& place) const {
        std::uint32_t value = 0;
        std::memcpy(&value, block.local.data() + lane * code.local_bytes + place.offset, sizeof value);
        return value;
    }
    void set_local(unsigned lane, const FramePlace& place, std::uint32_t value) {
        std::memcpy(block.local.data() + lane * code.local_bytes + place.offset, &value, sizeof value);
    }
    Calls calls{launch, recorder};
};

TEST(CallsUnit, PassesArgumentsThereAndResultsBack) {
    Calling calling;
    const WarpStep step = calling.at(0, Kind::call);
    const Call& site = calling.code.calls[step.micro.access];
    const Callee& callee = calling.code.callees[site.callee.value()];
    for (unsigned lane = 0; lane < warp_size; ++lane) calling.set_local(lane, site.arguments.front(), 100 + lane);
    calling.calls.call(step);
    WarpControl& control = calling.block.warps[0].control;
    EXPECT_EQ(control.pc(), callee.begin);
    EXPECT_EQ(control.caller(), calling.pc_of(Kind::call));
    EXPECT_EQ(calling.local(5, callee.parameters.front()), 105U);

    for (unsigned lane = 0; lane < warp_size; ++lane) calling.set_local(lane, callee.results.front(), 2 * lane);
    calling.calls.return_from_call(calling.at(0, Kind::return_from_call));
    EXPECT_EQ(control.pc(), calling.pc_of(Kind::call) + 1);
    EXPECT_EQ(control.lanes(), LaneMask::all());
    EXPECT_EQ(calling.local(31, site.results.front()), 62U);
}

TEST(CallsUnit, LetsLanesThatDoNotCallWaitAfterTheCall) {
    Calling calling;
    calling.calls.call(calling.at(0, Kind::call, low_half));
    WarpControl& control = calling.block.warps[0].control;
    EXPECT_EQ(control.lanes(), low_half);
    calling.calls.return_from_call(calling.at(0, Kind::return_from_call, low_half));
    EXPECT_EQ(control.pc(), calling.pc_of(Kind::call) + 1);
    EXPECT_EQ(control.lanes(), LaneMask::all()) << "they go on together";
}

}  // namespace
}  // namespace lanescope::execute
