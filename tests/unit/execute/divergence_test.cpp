#include "execute/simt/divergence.h"

#include <gmock/gmock.h>

namespace lanescope::execute {
namespace {

constexpr LaneMask low(0x0000FFFF);
constexpr LaneMask high(0xFFFF0000);

Divergence at(Pc pc, LaneMask lanes = LaneMask::all()) {
    Divergence divergence;
    divergence.start(lanes, pc);
    return divergence;
}

TEST(Divergence, StayTogetherWhereAllLanesBranchAlike) {
    Divergence divergence = at(0);
    divergence.branch(LaneMask::all(), 10, 1, 20);
    EXPECT_EQ(divergence.pc(), 10U);
    divergence.branch(LaneMask(), 30, 11, 20);
    EXPECT_EQ(divergence.pc(), 11U);
    EXPECT_EQ(divergence.lanes(), LaneMask::all());
}

TEST(Divergence, WalkBothSidesOfABranchAndMeetAfterIt) {
    Divergence divergence = at(0);
    divergence.branch(low, 10, 1, 20);
    EXPECT_EQ(divergence.pc(), 1U) << "those that did not branch go first";
    EXPECT_EQ(divergence.lanes(), high);
    divergence.advance(20);
    EXPECT_EQ(divergence.pc(), 10U);
    EXPECT_EQ(divergence.lanes(), low);
    divergence.advance(20);
    EXPECT_EQ(divergence.pc(), 20U);
    EXPECT_EQ(divergence.lanes(), LaneMask::all());
}

TEST(Divergence, SkipASideThatIsEmpty) {
    Divergence divergence = at(0);
    divergence.branch(low, 20, 1, 20);
    EXPECT_EQ(divergence.lanes(), high);
    divergence.advance(20);
    EXPECT_EQ(divergence.lanes(), LaneMask::all());
    EXPECT_EQ(divergence.pc(), 20U);
}

TEST(Divergence, MeetInnerBranchesBeforeOuterOnes) {
    Divergence divergence = at(0);
    divergence.branch(low, 50, 1, 90);
    divergence.branch(LaneMask(0x00FF0000), 5, 2, 9);
    EXPECT_EQ(divergence.lanes(), LaneMask(0xFF000000));
    divergence.advance(9);
    EXPECT_EQ(divergence.lanes(), LaneMask(0x00FF0000));
    divergence.advance(9);
    EXPECT_EQ(divergence.pc(), 9U);
    EXPECT_EQ(divergence.lanes(), high);
    divergence.advance(90);
    EXPECT_EQ(divergence.lanes(), low);
    divergence.advance(90);
    EXPECT_EQ(divergence.lanes(), LaneMask::all());
}

TEST(Divergence, MeetAtOnceWhereTwoBranchesEndTogether) {
    Divergence divergence = at(0);
    divergence.branch(low, 9, 1, 9);
    divergence.branch(LaneMask(0x00FF0000), 9, 2, 9);
    divergence.advance(9);
    EXPECT_EQ(divergence.lanes(), LaneMask::all());
    EXPECT_EQ(divergence.pc(), 9U);
}

TEST(Divergence, LeaveALoopOneByOneAndGoOnTogether) {
    Divergence divergence = at(0);
    for (unsigned lane = 0; lane < 31; ++lane) {
        ASSERT_EQ(divergence.lanes(), ~LaneMask::first(lane));
        divergence.branch(LaneMask::only(lane), 9, 1, 9);
        divergence.advance(0);
    }
    divergence.branch(LaneMask::only(31), 9, 1, 9);
    EXPECT_EQ(divergence.pc(), 9U);
    EXPECT_EQ(divergence.lanes(), LaneMask::all());
}

TEST(Divergence, GoOnWithoutThoseThatExited) {
    Divergence divergence = at(0);
    divergence.branch(low, 10, 1, 20);
    divergence.exit(high, 2);
    EXPECT_EQ(divergence.pc(), 10U);
    EXPECT_EQ(divergence.live(), low);
    divergence.advance(20);
    EXPECT_EQ(divergence.lanes(), low);
    divergence.exit(low, 21);
    EXPECT_TRUE(divergence.finished());
    EXPECT_FALSE(divergence.runnable());
}

TEST(Divergence, ExitSomeLanesOfAPath) {
    Divergence divergence = at(0);
    divergence.exit(low, 1);
    EXPECT_EQ(divergence.pc(), 1U);
    EXPECT_EQ(divergence.lanes(), high);
}

TEST(Divergence, LetSiblingsRunWhileOneWaits) {
    Divergence divergence = at(0);
    divergence.branch(low, 10, 1, 20);
    divergence.wait(7);
    EXPECT_TRUE(divergence.runnable());
    EXPECT_EQ(divergence.lanes(), low);
    divergence.wait(7);
    EXPECT_FALSE(divergence.runnable());
    EXPECT_FALSE(divergence.finished());
    EXPECT_EQ(divergence.waiting_for(7), LaneMask::all());
    divergence.release(7);
    EXPECT_EQ(divergence.pc(), 11U);
    divergence.advance(20);
    EXPECT_EQ(divergence.pc(), 2U);
    divergence.advance(20);
    EXPECT_EQ(divergence.lanes(), LaneMask::all());
}

TEST(Divergence, BecomeOneWhenReleasedAtTheSameInstruction) {
    Divergence divergence = at(0);
    divergence.branch(low, 5, 5 - 1, no_pc);
    divergence.advance(5);
    divergence.wait(0);
    divergence.wait(0);
    divergence.release(0);
    EXPECT_EQ(divergence.pc(), 6U);
    EXPECT_EQ(divergence.lanes(), LaneMask::all());
}

TEST(Divergence, MeetWhereReleasedAtTheirJoin) {
    Divergence divergence = at(0);
    divergence.branch(low, 10, 19, 20);
    divergence.wait(3);
    divergence.advance(20);
    divergence.release(3);
    EXPECT_EQ(divergence.pc(), 20U);
    EXPECT_EQ(divergence.lanes(), LaneMask::all());
}

TEST(Divergence, YieldToASibling) {
    Divergence divergence = at(0);
    divergence.branch(low, 10, 1, 20);
    EXPECT_TRUE(divergence.yield());
    EXPECT_EQ(divergence.lanes(), low);
    EXPECT_TRUE(divergence.yield());
    EXPECT_EQ(divergence.lanes(), high);
}

TEST(Divergence, YieldToLanesThatWaitAtAJoinAsASpinLockNeeds) {
    Divergence divergence = at(0);
    divergence.branch(LaneMask::only(0), 9, 0, 9);  // lane 0 has the lock and would wait for the spinning lanes
    EXPECT_EQ(divergence.lanes(), ~LaneMask::only(0));
    EXPECT_TRUE(divergence.yield());
    EXPECT_EQ(divergence.pc(), 9U);
    EXPECT_EQ(divergence.lanes(), LaneMask::only(0));
    divergence.exit(LaneMask::only(0), 10);
    EXPECT_EQ(divergence.lanes(), ~LaneMask::only(0));
    divergence.advance(9);
    EXPECT_EQ(divergence.pc(), 9U);
    EXPECT_EQ(divergence.lanes(), ~LaneMask::only(0));
    EXPECT_FALSE(divergence.yield()) << "alone";
}

TEST(Divergence, MeetAgainWhereAFunctionReturns) {
    Divergence divergence = at(0);
    divergence.call(100);
    divergence.branch(low, 110, 101, no_pc);  // both sides return by themselves
    EXPECT_EQ(divergence.caller(), 0U);
    divergence.return_from_call(divergence.lanes(), 102);
    EXPECT_EQ(divergence.pc(), 110U);
    divergence.return_from_call(divergence.lanes(), 111);
    EXPECT_EQ(divergence.pc(), 1U);
    EXPECT_EQ(divergence.lanes(), LaneMask::all());
}

TEST(Divergence, PassTheInstructionAfterACallAtEveryDepthOfRecursion) {
    // 0: call 10.   10: some return at 20; the others call 10 again from 11, and go on at 12.
    Divergence divergence = at(0);
    divergence.call(10);
    divergence.branch(low, 20, 11, 20);
    EXPECT_EQ(divergence.lanes(), high);
    divergence.call(10);
    divergence.advance(12);  // after the call, without having called: not back yet
    EXPECT_EQ(divergence.lanes(), high);
    EXPECT_EQ(divergence.caller(), 11U);
    divergence.return_from_call(high, 13);
    EXPECT_EQ(divergence.pc(), 12U);
    divergence.advance(20);
    EXPECT_EQ(divergence.lanes(), LaneMask::all());
    EXPECT_EQ(divergence.caller(), 0U);
    divergence.return_from_call(LaneMask::all(), 21);
    EXPECT_EQ(divergence.pc(), 1U);
}

}  // namespace
}  // namespace lanescope::execute
