// Warp synchronization by masks, and spinning, without an interpreter.
#include "execute/simt/warp_control.h"

#include <gmock/gmock.h>

#include <array>
#include <set>

namespace lanescope::execute {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr LaneMask low(0x0000FFFF);
constexpr LaneMask high(0xFFFF0000);

/// A kernel whose instructions the test defines.
struct Sites final : SyncSites {
    std::set<Pc> barriers;
    std::set<Pc> exits;
    bool leads = true;

    [[nodiscard]] bool is_barrier(Pc pc) const override { return barriers.contains(pc); }
    [[nodiscard]] bool meet(const Divergence& /*divergence*/, const Divergence::Waiting& path,
                            const Divergence::Waiting& other) const override {
        return path.pc == other.pc || (is_barrier(path.pc) && is_barrier(other.pc));
    }
    [[nodiscard]] bool leads_to(Pc /*from*/, Pc /*pc*/) const override { return leads; }
    [[nodiscard]] bool only_exits(Pc pc) const override { return exits.contains(pc); }
};

using Masks = std::array<std::uint32_t, warp_size>;

Masks masks_of(LaneMask mask) {
    Masks masks{};
    masks.fill(mask.bits());
    return masks;
}

/// The upper lanes execute first, at instruction 1; the lower ones are at 10; they reconverge at 20.
WarpControl diverged() {
    WarpControl warp;
    warp.start(LaneMask::all(), 0);
    warp.branch(low, 10, 1, 20);
    return warp;
}

TEST(WarpControl, ExecutesAtOnceWhereTheMaskNamesTheLanesThatAreHere) {
    WarpControl warp;
    warp.start(LaneMask::all(), 0);
    EXPECT_TRUE(warp.all_are_here(LaneMask::all(), masks_of(LaneMask::all()).data()));
    EXPECT_FALSE(warp.all_are_here(LaneMask::all(), masks_of(low).data()));
    WarpControl half;
    half.start(low, 0);
    EXPECT_TRUE(half.all_are_here(low, masks_of(LaneMask::all()).data()))
        << "lanes that do not exist are not waited for";
}

TEST(WarpControl, WaitsForTheLanesOfTheMaskAndExecutesTogether) {
    Sites sites;
    WarpControl warp = diverged();
    warp.advance(5);
    const Masks all = masks_of(LaneMask::all());
    EXPECT_FALSE(warp.all_are_here(high, all.data()));
    EXPECT_FALSE(warp.arrive_at_sync(high, all.data()).executes);
    EXPECT_THAT(warp.release_complete(sites, LaneMask()).absences, IsEmpty());
    EXPECT_EQ(warp.lanes(), low) << "the others go on meanwhile";
    warp.advance(5);
    EXPECT_FALSE(warp.arrive_at_sync(low, all.data()).executes);
    EXPECT_THAT(warp.release_complete(sites, LaneMask()).absences, IsEmpty());
    EXPECT_EQ(warp.lanes(), LaneMask::all());
    EXPECT_EQ(warp.pc(), 5U);
    EXPECT_TRUE(warp.arrive_at_sync(LaneMask::all(), all.data()).executes);
}

TEST(WarpControl, MeetsAtTwoBarriersOfTwoBranches) {
    Sites sites;
    sites.barriers = {1, 10};
    WarpControl warp = diverged();
    const Masks all = masks_of(LaneMask::all());
    EXPECT_FALSE(warp.arrive_at_sync(high, all.data()).executes);
    EXPECT_THAT(warp.release_complete(sites, LaneMask()).meetings, IsEmpty());
    EXPECT_FALSE(warp.arrive_at_sync(low, all.data()).executes);
    EXPECT_THAT(warp.release_complete(sites, LaneMask()).meetings, testing::ElementsAre(LaneMask::all()));
    EXPECT_TRUE(warp.arrive_at_sync(low, all.data()).executes);
    warp.advance(20);
    EXPECT_TRUE(warp.arrive_at_sync(high, all.data()).executes);
}

TEST(WarpControl, DoesNotMeetAtShufflesOfTwoBranches) {
    Sites sites;
    WarpControl warp = diverged();
    const Masks all = masks_of(LaneMask::all());
    EXPECT_FALSE(warp.arrive_at_sync(high, all.data()).executes);
    EXPECT_FALSE(warp.arrive_at_sync(low, all.data()).executes);
    EXPECT_THAT(warp.release_complete(sites, LaneMask()).absences, IsEmpty());
    EXPECT_FALSE(warp.runnable());
    const auto absences = warp.release_incomplete(sites);
    ASSERT_THAT(absences, SizeIs(2));
    EXPECT_EQ(absences[0].absent, low) << "of the path that arrived first";
    EXPECT_EQ(absences[0].mask, LaneMask::all());
    EXPECT_EQ(absences[1].absent, high);
    EXPECT_TRUE(warp.runnable()) << "each continues alone";
    EXPECT_TRUE(warp.arrive_at_sync(warp.lanes(), all.data()).executes);
}

TEST(WarpControl, LetsTilesExecuteWithTheirOwnMasks) {
    WarpControl warp;
    warp.start(LaneMask::all(), 0);
    Masks tiles{};
    for (unsigned lane = 0; lane < warp_size; ++lane) tiles[lane] = lane < 16 ? low.bits() : high.bits();
    EXPECT_FALSE(warp.all_are_here(LaneMask::all(), tiles.data()));
    const WarpControl::Arrival arrival = warp.arrive_at_sync(LaneMask::all(), tiles.data());
    EXPECT_TRUE(arrival.executes);
    EXPECT_TRUE(arrival.foreign.none());
}

TEST(WarpControl, NamesLanesWhoseMaskDoesNotNameThem) {
    WarpControl warp;
    warp.start(LaneMask::all(), 0);
    const WarpControl::Arrival arrival = warp.arrive_at_sync(LaneMask::all(), masks_of(low).data());
    EXPECT_TRUE(arrival.executes);
    EXPECT_EQ(arrival.foreign, high);
}

TEST(WarpControl, ReportsLanesThatWaitWithAnotherMask) {
    Sites sites;
    sites.barriers = {1, 10};
    WarpControl warp = diverged();
    EXPECT_FALSE(warp.arrive_at_sync(high, masks_of(LaneMask::all()).data()).executes);
    EXPECT_FALSE(warp.arrive_at_sync(low, masks_of(LaneMask(0x8000FFFF)).data()).executes);
    EXPECT_THAT(warp.release_complete(sites, LaneMask()).absences, IsEmpty());
    const auto absences = warp.release_incomplete(sites);
    ASSERT_THAT(absences, SizeIs(2));
    EXPECT_EQ(absences[0].absent, low);
    EXPECT_EQ(absences[0].there, LaneMask::all()) << "all are at a barrier, with two masks";
}

TEST(WarpControl, GoesOnWhenTheLanesItWaitsForExit) {
    Sites sites;
    WarpControl warp = diverged();
    EXPECT_FALSE(warp.arrive_at_sync(high, masks_of(LaneMask::all()).data()).executes);
    warp.exit(low, 11);
    EXPECT_THAT(warp.release_complete(sites, low).absences, IsEmpty()) << "an early return is no fault";
    EXPECT_EQ(warp.lanes(), high);
    EXPECT_TRUE(warp.arrive_at_sync(high, masks_of(LaneMask::all()).data()).executes);
}

/// Lanes 0 to 7 wait in a branch for the whole warp; lanes 8 to 15 wait where that branch reconverges.
WarpControl waiting_inside_a_branch() {
    WarpControl warp;
    warp.start(low, 0);
    warp.branch(LaneMask(0xFF00), 9, 1, 9);
    EXPECT_FALSE(warp.arrive_at_sync(LaneMask(0xFF), masks_of(low).data()).executes);
    EXPECT_FALSE(warp.runnable());
    return warp;
}

TEST(WarpControl, ReleasesLanesAtAReconvergencePointEarlyWhereTheyMayBeWaitedFor) {
    Sites sites;
    WarpControl warp = waiting_inside_a_branch();
    ASSERT_TRUE(warp.release_early(sites));
    EXPECT_EQ(warp.lanes(), LaneMask(0xFF00));
    EXPECT_EQ(warp.pc(), 9U);
}

TEST(WarpControl, KeepsLanesAtAReconvergencePointThatCannotCome) {
    Sites sites;
    sites.leads = false;
    WarpControl warp = waiting_inside_a_branch();
    EXPECT_FALSE(warp.release_early(sites));
    EXPECT_FALSE(warp.runnable());
}

TEST(WarpControl, ReportsLanesReleasedEarlyThatExitInstead) {
    Sites sites;
    WarpControl warp = waiting_inside_a_branch();
    ASSERT_TRUE(warp.release_early(sites));
    warp.exit(warp.lanes(), 10);
    const WarpControl::Release released = warp.release_complete(sites, LaneMask(0xFF00));
    ASSERT_THAT(released.absences, SizeIs(1));
    EXPECT_EQ(released.absences[0].absent, LaneMask(0xFF00));
    EXPECT_EQ(warp.lanes(), LaneMask(0xFF));
}

TEST(WarpControl, TakesLanesThatCanOnlyExitForAnEarlyReturn) {
    Sites sites;
    sites.exits = {9};
    WarpControl warp = waiting_inside_a_branch();
    ASSERT_TRUE(warp.release_early(sites));
    warp.exit(warp.lanes(), 10);
    EXPECT_THAT(warp.release_complete(sites, LaneMask(0xFF00)).absences, IsEmpty());
}

TEST(WarpControl, YieldsWhenALoopOnlyPolls) {
    WarpControl warp = diverged();
    for (int iteration = 0; iteration < 7; ++iteration) {
        warp.poll();
        warp.turn_back(3);
    }
    EXPECT_EQ(warp.lanes(), high);
    EXPECT_FALSE(warp.spins());
    warp.poll();
    warp.turn_back(3);
    EXPECT_TRUE(warp.spins());
    EXPECT_EQ(warp.lanes(), low) << "the other path has its turn";
    EXPECT_EQ(warp.loop(), 3U);
    warp.poll();
    warp.progress();
    warp.turn_back(12);
    EXPECT_FALSE(warp.spins()) << "an iteration that changes memory is no idle one";
}

TEST(WarpControl, StartsAgainWithNothingLeftOver) {
    Sites sites;
    WarpControl warp = waiting_inside_a_branch();
    ASSERT_TRUE(warp.release_early(sites));
    warp.turn_back(2);
    warp.start(LaneMask::all(), 0);
    EXPECT_EQ(warp.loop(), no_pc);
    EXPECT_FALSE(warp.spins());
    EXPECT_TRUE(warp.all_are_here(LaneMask::all(), masks_of(LaneMask::all()).data()));
    EXPECT_THAT(warp.release_incomplete(sites), IsEmpty());
}

}  // namespace
}  // namespace lanescope::execute
