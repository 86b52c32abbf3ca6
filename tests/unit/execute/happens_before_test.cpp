// The happens-before order of accesses: barriers, masks, and flags in memory.
#include "execute/emulator/happens_before.h"

#include <gtest/gtest.h>

#include <vector>

namespace lanescope::execute {
namespace {

constexpr std::uint64_t flag = 0x1000;
constexpr StrongAccess relaxed{};
constexpr StrongAccess acquire_release{.acquires = true, .releases = true};
constexpr StrongAccess update{.updates = true};
constexpr StrongAccess within_block{.reach = Reach::block, .acquires = true, .releases = true};

class TwoBlocks : public testing::Test {
  protected:
    TwoBlocks() {
        order.begin(a, BlockId(0), 2);
        order.begin(b, BlockId(1), 2);
    }
    /// Whether an access by thread `earlier` of one block at `time` happens before `now` of thread `later` of another.
    [[nodiscard]] bool knows(const BlockClock& now, unsigned later, const BlockClock& before, unsigned earlier,
                             Time time) const {
        return order.ordered(now, later, before.id, earlier, time);
    }
    void barrier(BlockClock& block, std::vector<WarpId> warps, bool complete) {
        Meeting meeting;
        for (const WarpId warp : warps) order.arrive(block, warp, LaneMask::all(), meeting);
        order.meet(block, warps, meeting, complete);
    }

    HappensBefore order;
    BlockClock a, b;
};

TEST_F(TwoBlocks, AThreadKnowsWhatItDidItself) {
    EXPECT_TRUE(knows(a, 5, a, 5, order.now()));
    EXPECT_FALSE(knows(a, 5, a, 6, order.now()));
    EXPECT_FALSE(knows(b, 5, a, 5, order.now()));
}

TEST_F(TwoBlocks, ABarrierOrdersWhatCameBeforeIt) {
    const Time before = order.now();
    barrier(a, {WarpId(0), WarpId(1)}, true);
    EXPECT_TRUE(knows(a, 0, a, 40, before));
    EXPECT_FALSE(knows(a, 0, a, 40, order.now())) << "what came after is not ordered";
    EXPECT_FALSE(knows(b, 0, a, 40, before)) << "nor is another block";
}

TEST_F(TwoBlocks, ABarrierOfOneWarpOrdersThatWarp) {
    const Time before = order.now();
    barrier(a, {WarpId(1)}, false);
    EXPECT_TRUE(knows(a, 33, a, 40, before));
    EXPECT_FALSE(knows(a, 0, a, 40, before));
    EXPECT_FALSE(knows(a, 40, a, 0, before));
}

TEST_F(TwoBlocks, AMaskOrdersItsLanesAndWhatTheyKnow) {
    const Time before = order.now();
    order.meet_in_warp(a, WarpId(0), LaneMask(0x3), false);
    EXPECT_TRUE(knows(a, 0, a, 1, before));
    EXPECT_FALSE(knows(a, 0, a, 2, before));
    order.meet_in_warp(a, WarpId(0), LaneMask(0x6), false);
    EXPECT_TRUE(knows(a, 2, a, 0, before)) << "lane 1 brings what it knows of lane 0";
    EXPECT_FALSE(knows(a, 0, a, 2, before));
}

TEST_F(TwoBlocks, OneThreadReleasesWhatAllFencedBeforeABarrier) {
    constexpr Fence sequential{.sequential = true};
    const Time before = order.now();
    for (const WarpId warp : {WarpId(0), WarpId(1)}) order.fence(a, warp, LaneMask::all(), sequential);
    const Time fenced = order.now();
    barrier(a, {WarpId(0), WarpId(1)}, true);
    order.strong_write(a, 0, flag, relaxed);
    order.strong_read(b, 0, flag, relaxed);
    order.fence(b, WarpId(0), LaneMask(1), {});
    EXPECT_FALSE(knows(b, 0, a, 40, before)) << "the reader's fence is in no order with the writers'";
    order.fence(b, WarpId(0), LaneMask(1), sequential);
    EXPECT_TRUE(knows(b, 0, a, 40, before));
    EXPECT_FALSE(knows(b, 0, a, 40, fenced)) << "written after the fence";
}

TEST_F(TwoBlocks, AFlagNeedsAFenceOnBothSides) {
    const Time before = order.now();
    order.strong_write(a, 3, flag, relaxed);
    order.strong_read(b, 0, flag, relaxed);
    order.fence(b, WarpId(0), LaneMask(1), {Reach::grid});
    EXPECT_FALSE(knows(b, 0, a, 3, before)) << "written without a fence before it";

    order.fence(a, WarpId(0), LaneMask(8), {Reach::grid});
    order.strong_write(a, 3, flag, relaxed);
    order.strong_read(b, 0, flag, relaxed);
    EXPECT_FALSE(knows(b, 0, a, 3, before)) << "read without a fence after it";
    order.fence(b, WarpId(0), LaneMask(1), {Reach::grid});
    EXPECT_TRUE(knows(b, 0, a, 3, before));
    EXPECT_FALSE(knows(b, 1, a, 3, before)) << "its neighbor has not read the flag";
    EXPECT_FALSE(knows(b, 0, a, 3, order.now())) << "what came after the fence is not released";
}

TEST_F(TwoBlocks, ReleaseAndAcquireNeedNoFence) {
    const Time before = order.now();
    order.strong_write(a, 3, flag, acquire_release);
    order.strong_read(b, 0, flag, acquire_release);
    EXPECT_TRUE(knows(b, 0, a, 3, before));
}

TEST(HappensBefore, KeepsThreadsOfABlockOfAnySizeApart) {
    // A device that allows 8192 threads per block: thread numbers must not collide with those of warps or other blocks.
    constexpr std::size_t warps = 256;
    HappensBefore order;
    BlockClock a, b;
    order.begin(a, BlockId(0), warps);
    order.begin(b, BlockId(1), warps);
    const Time before = order.now();
    for (const unsigned thread : {1024U, 2048U, 4096U}) {
        order.strong_write(a, thread, flag + thread, acquire_release);
        order.strong_read(b, thread, flag + thread, acquire_release);
    }
    for (const unsigned thread : {1024U, 2048U, 4096U}) {
        EXPECT_TRUE(order.ordered(b, thread, BlockId(0), thread, before));
        EXPECT_FALSE(order.ordered(b, thread, BlockId(0), 0, before)) << "not all of warp 0";
        EXPECT_FALSE(order.ordered(b, thread, BlockId(0), 5000, before)) << "nor all of the block";
        EXPECT_FALSE(order.ordered(b, thread, BlockId(1), thread - 1, before)) << "nor of the next block";
    }
}

// Each block is ordered after all blocks before it: a list of them in each block would take 40 GB.
TEST(HappensBefore, KeepsWhatTheBlocksOfALongChainKnowInCommonOnce) {
    constexpr std::uint32_t count = 70'001, stride = 7'919;
    const auto block = [](std::uint64_t link) { return BlockId(static_cast<std::uint32_t>(link * stride % count)); };
    HappensBefore order;
    std::vector<Time> times;
    BlockClock clock;
    for (std::uint32_t link = 0; link < count; ++link) {
        order.begin(clock, block(link), 1);
        if (link > 0) order.strong_read(clock, 0, flag + link - 1, acquire_release);
        times.push_back(order.now());
        order.strong_write(clock, 0, flag + link, acquire_release);
    }
    std::uint32_t known = 0, others = 0;
    for (std::uint32_t link = 0; link < count; ++link) {
        known += order.ordered(clock, 0, block(link), 0, times[link]) ? 1 : 0;
        others += order.ordered(clock, 0, block(link), 1, times[link]) ? 1 : 0;
    }
    EXPECT_EQ(known, count);
    EXPECT_EQ(others, 0U);
}

TEST_F(TwoBlocks, ABarrierPassesOnWhatOneThreadAcquired) {
    const Time before = order.now();
    barrier(a, {WarpId(0), WarpId(1)}, true);
    order.strong_write(a, 0, flag, acquire_release);
    order.strong_read(b, 0, flag, acquire_release);
    EXPECT_FALSE(knows(b, 50, a, 60, before));
    barrier(b, {WarpId(0), WarpId(1)}, true);
    EXPECT_TRUE(knows(b, 50, a, 60, before)) << "through two barriers and a flag";
}

TEST_F(TwoBlocks, AnAtomicUpdateKeepsWhatOthersReleased) {
    const Time before = order.now();
    order.strong_write(a, 3, flag, {.releases = true, .updates = true});
    order.strong_write(b, 7, flag, update);
    order.strong_read(b, 0, flag, acquire_release);
    EXPECT_TRUE(knows(b, 0, a, 3, before));
    order.strong_write(b, 7, flag, relaxed);
    order.strong_read(b, 1, flag, acquire_release);
    EXPECT_FALSE(knows(b, 1, a, 3, before)) << "a plain volatile write in between does not";
}

TEST_F(TwoBlocks, AFenceOfTheBlockOrdersForTheBlockOnly) {
    const Time before = order.now();
    order.fence(a, WarpId(0), LaneMask(8), {Reach::block});
    order.strong_write(a, 3, flag, relaxed);
    order.strong_read(a, 40, flag, acquire_release);
    order.strong_read(b, 0, flag, acquire_release);
    EXPECT_TRUE(knows(a, 40, a, 3, before));
    EXPECT_FALSE(knows(b, 0, a, 3, before));

    order.fence(a, WarpId(0), LaneMask(8), {Reach::grid});
    order.strong_write(a, 3, flag, relaxed);
    order.strong_read(b, 0, flag, relaxed);
    order.fence(b, WarpId(0), LaneMask(1), {Reach::block});
    EXPECT_FALSE(knows(b, 0, a, 3, before)) << "the reader's fence, too, must reach the writer";
    order.fence(b, WarpId(0), LaneMask(1), {Reach::grid});
    EXPECT_TRUE(knows(b, 0, a, 3, before));
}

TEST_F(TwoBlocks, ReleaseAndAcquireReachAsFarAsTheirScopes) {
    const Time before = order.now();
    order.strong_write(a, 3, flag, within_block);
    order.strong_read(a, 40, flag, acquire_release);
    order.strong_read(b, 0, flag, acquire_release);
    EXPECT_TRUE(knows(a, 40, a, 3, before));
    EXPECT_FALSE(knows(b, 0, a, 3, before)) << "released for its block only";

    order.strong_write(a, 3, flag, acquire_release);
    order.strong_read(b, 0, flag, within_block);
    EXPECT_FALSE(knows(b, 0, a, 3, before)) << "acquired from its own block only";
    order.strong_read(b, 0, flag, acquire_release);
    EXPECT_TRUE(knows(b, 0, a, 3, before));
}

TEST_F(TwoBlocks, AReleaseForAllOutlivesUpdatesByOthers) {
    const Time before = order.now();
    order.strong_write(a, 3, flag, {.reach = Reach::block, .releases = true, .updates = true});
    order.strong_write(b, 7, flag, update);
    order.strong_read(a, 40, flag, acquire_release);
    order.strong_read(b, 0, flag, acquire_release);
    EXPECT_TRUE(knows(a, 40, a, 3, before));
    EXPECT_FALSE(knows(b, 0, a, 3, before));
}

TEST_F(TwoBlocks, AWaitForAPhaseAcquiresTheArrivalsUntilItWasComplete) {
    constexpr StrongAccess arrival{.reach = Reach::block, .releases = true, .updates = true};
    StrongAccess last = arrival;
    last.completes_phase = true;
    const Time before = order.now();
    order.strong_write(a, 0, flag, arrival);
    order.phase_complete(a, WarpId(1), LaneMask::only(0), flag);
    EXPECT_FALSE(knows(a, 32, a, 0, before)) << "no phase is complete";
    order.strong_write(a, 1, flag, last);
    const Time between = order.now();
    order.strong_write(a, 2, flag, arrival);
    order.phase_complete(a, WarpId(1), LaneMask::only(0), flag);
    EXPECT_TRUE(knows(a, 32, a, 0, before));
    EXPECT_TRUE(knows(a, 32, a, 1, before));
    EXPECT_FALSE(knows(a, 32, a, 2, between)) << "an arrival of the next phase";
    EXPECT_FALSE(knows(a, 33, a, 0, before)) << "another lane did not wait";
}

}  // namespace
}  // namespace lanescope::execute
