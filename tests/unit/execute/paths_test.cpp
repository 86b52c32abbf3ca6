#include "execute/simt/paths.h"

#include <gmock/gmock.h>

namespace lanescope::execute {
namespace {

constexpr LaneMask low(0x0000FFFF);
constexpr LaneMask high(0xFFFF0000);

Paths at(Pc pc, LaneMask lanes = LaneMask::all()) {
    Paths paths;
    paths.start(lanes, pc);
    return paths;
}

TEST(Paths, StayTogetherWhereAllLanesBranchAlike) {
    Paths paths = at(0);
    paths.branch(LaneMask::all(), 10, 1, 20);
    EXPECT_EQ(paths.pc(), 10U);
    paths.branch(LaneMask(), 30, 11, 20);
    EXPECT_EQ(paths.pc(), 11U);
    EXPECT_EQ(paths.lanes(), LaneMask::all());
}

TEST(Paths, WalkBothSidesOfABranchAndMeetAfterIt) {
    Paths paths = at(0);
    paths.branch(low, 10, 1, 20);
    EXPECT_EQ(paths.pc(), 1U) << "those that did not branch go first";
    EXPECT_EQ(paths.lanes(), high);
    paths.advance(20);
    EXPECT_EQ(paths.pc(), 10U);
    EXPECT_EQ(paths.lanes(), low);
    paths.advance(20);
    EXPECT_EQ(paths.pc(), 20U);
    EXPECT_EQ(paths.lanes(), LaneMask::all());
}

TEST(Paths, SkipASideThatIsEmpty) {
    Paths paths = at(0);
    paths.branch(low, 20, 1, 20);
    EXPECT_EQ(paths.lanes(), high);
    paths.advance(20);
    EXPECT_EQ(paths.lanes(), LaneMask::all());
    EXPECT_EQ(paths.pc(), 20U);
}

TEST(Paths, MeetInnerBranchesBeforeOuterOnes) {
    Paths paths = at(0);
    paths.branch(low, 50, 1, 90);
    paths.branch(LaneMask(0x00FF0000), 5, 2, 9);
    EXPECT_EQ(paths.lanes(), LaneMask(0xFF000000));
    paths.advance(9);
    EXPECT_EQ(paths.lanes(), LaneMask(0x00FF0000));
    paths.advance(9);
    EXPECT_EQ(paths.pc(), 9U);
    EXPECT_EQ(paths.lanes(), high);
    paths.advance(90);
    EXPECT_EQ(paths.lanes(), low);
    paths.advance(90);
    EXPECT_EQ(paths.lanes(), LaneMask::all());
}

TEST(Paths, MeetAtOnceWhereTwoBranchesEndTogether) {
    Paths paths = at(0);
    paths.branch(low, 9, 1, 9);
    paths.branch(LaneMask(0x00FF0000), 9, 2, 9);
    paths.advance(9);
    EXPECT_EQ(paths.lanes(), LaneMask::all());
    EXPECT_EQ(paths.pc(), 9U);
}

TEST(Paths, LeaveALoopOneByOneAndGoOnTogether) {
    Paths paths = at(0);
    for (unsigned lane = 0; lane < 31; ++lane) {
        ASSERT_EQ(paths.lanes(), ~LaneMask::first(lane));
        paths.branch(LaneMask::only(lane), 9, 1, 9);
        paths.advance(0);
    }
    paths.branch(LaneMask::only(31), 9, 1, 9);
    EXPECT_EQ(paths.pc(), 9U);
    EXPECT_EQ(paths.lanes(), LaneMask::all());
}

TEST(Paths, GoOnWithoutThoseThatExited) {
    Paths paths = at(0);
    paths.branch(low, 10, 1, 20);
    paths.exit(high, 2);
    EXPECT_EQ(paths.pc(), 10U);
    EXPECT_EQ(paths.live(), low);
    paths.advance(20);
    EXPECT_EQ(paths.lanes(), low);
    paths.exit(low, 21);
    EXPECT_TRUE(paths.finished());
    EXPECT_FALSE(paths.runnable());
}

TEST(Paths, ExitSomeLanesOfAPath) {
    Paths paths = at(0);
    paths.exit(low, 1);
    EXPECT_EQ(paths.pc(), 1U);
    EXPECT_EQ(paths.lanes(), high);
}

TEST(Paths, LetSiblingsRunWhileOneWaits) {
    Paths paths = at(0);
    paths.branch(low, 10, 1, 20);
    paths.wait(7);
    EXPECT_TRUE(paths.runnable());
    EXPECT_EQ(paths.lanes(), low);
    paths.wait(7);
    EXPECT_FALSE(paths.runnable());
    EXPECT_FALSE(paths.finished());
    EXPECT_EQ(paths.waiting_for(7), LaneMask::all());
    paths.release(7);
    EXPECT_EQ(paths.pc(), 11U);
    paths.advance(20);
    EXPECT_EQ(paths.pc(), 2U);
    paths.advance(20);
    EXPECT_EQ(paths.lanes(), LaneMask::all());
}

TEST(Paths, BecomeOneWhenReleasedAtTheSameInstruction) {
    Paths paths = at(0);
    paths.branch(low, 5, 5 - 1, no_pc);
    paths.advance(5);
    paths.wait(0);
    paths.wait(0);
    paths.release(0);
    EXPECT_EQ(paths.pc(), 6U);
    EXPECT_EQ(paths.lanes(), LaneMask::all());
}

TEST(Paths, MeetWhereReleasedAtTheirJoin) {
    Paths paths = at(0);
    paths.branch(low, 10, 19, 20);
    paths.wait(3);
    paths.advance(20);
    paths.release(3);
    EXPECT_EQ(paths.pc(), 20U);
    EXPECT_EQ(paths.lanes(), LaneMask::all());
}

TEST(Paths, YieldToASibling) {
    Paths paths = at(0);
    paths.branch(low, 10, 1, 20);
    EXPECT_TRUE(paths.yield());
    EXPECT_EQ(paths.lanes(), low);
    EXPECT_TRUE(paths.yield());
    EXPECT_EQ(paths.lanes(), high);
}

TEST(Paths, YieldToLanesThatWaitAtAJoinAsASpinLockNeeds) {
    Paths paths = at(0);
    paths.branch(LaneMask::only(0), 9, 0, 9);  // lane 0 has the lock and would wait for the spinning lanes
    EXPECT_EQ(paths.lanes(), ~LaneMask::only(0));
    EXPECT_TRUE(paths.yield());
    EXPECT_EQ(paths.pc(), 9U);
    EXPECT_EQ(paths.lanes(), LaneMask::only(0));
    paths.exit(LaneMask::only(0), 10);
    EXPECT_EQ(paths.lanes(), ~LaneMask::only(0));
    paths.advance(9);
    EXPECT_EQ(paths.pc(), 9U);
    EXPECT_EQ(paths.lanes(), ~LaneMask::only(0));
    EXPECT_FALSE(paths.yield()) << "alone";
}

TEST(Paths, MeetAgainWhereAFunctionReturns) {
    Paths paths = at(0);
    paths.call(100);
    paths.branch(low, 110, 101, no_pc);  // both sides return by themselves
    EXPECT_EQ(paths.caller(), 0U);
    paths.give_back(paths.lanes(), 102);
    EXPECT_EQ(paths.pc(), 110U);
    paths.give_back(paths.lanes(), 111);
    EXPECT_EQ(paths.pc(), 1U);
    EXPECT_EQ(paths.lanes(), LaneMask::all());
}

TEST(Paths, PassTheInstructionBehindACallAtEveryDepthOfRecursion) {
    // 0: call 10.   10: some return at 20; the others call 10 again from 11, and go on at 12.
    Paths paths = at(0);
    paths.call(10);
    paths.branch(low, 20, 11, 20);
    EXPECT_EQ(paths.lanes(), high);
    paths.call(10);
    paths.advance(12);  // behind the call, without having called: not back yet
    EXPECT_EQ(paths.lanes(), high);
    EXPECT_EQ(paths.caller(), 11U);
    paths.give_back(high, 13);
    EXPECT_EQ(paths.pc(), 12U);
    paths.advance(20);
    EXPECT_EQ(paths.lanes(), LaneMask::all());
    EXPECT_EQ(paths.caller(), 0U);
    paths.give_back(LaneMask::all(), 21);
    EXPECT_EQ(paths.pc(), 1U);
}

}  // namespace
}  // namespace lanescope::execute
