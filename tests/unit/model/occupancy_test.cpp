// Resident blocks of a multiprocessor and their limits, with numbers from NVIDIA's occupancy tables.
#include "model/occupancy.h"

#include <gmock/gmock.h>

namespace lanescope::model {
namespace {

using Limit = Occupancy::Limit;
using testing::ElementsAre;
using testing::IsEmpty;

const DeviceLimits& h200() { return limits_of(90); }
const DeviceLimits& g80() { return limits_of(10); }

TEST(Occupancy, OfSmallBlocksIsBoundByTheNumberOfBlocks) {
    const Occupancy found = occupancy(h200(), {32, 1, 1}, 0);
    EXPECT_EQ(found.blocks, 32U);
    EXPECT_EQ(found.warps, 32U);
    EXPECT_DOUBLE_EQ(found.share(), 0.5);
    EXPECT_THAT(found.limits, ElementsAre(Limit::blocks));
}

TEST(Occupancy, OfLargeBlocksIsBoundByTheWarps) {
    const Occupancy found = occupancy(h200(), {32, 32, 1}, 4096);
    EXPECT_EQ(found.blocks, 2U);
    EXPECT_DOUBLE_EQ(found.share(), 1);
    EXPECT_THAT(found.limits, ElementsAre(Limit::warps));
}

TEST(Occupancy, NamesEveryLimitThatIsMetAtOnce) {
    // 64 threads: 32 blocks and 64 warps.
    EXPECT_THAT(occupancy(h200(), {64, 1, 1}, 0).limits, ElementsAre(Limit::blocks, Limit::warps));
}

TEST(Occupancy, CountsTheSharedMemoryThatTheSystemTakes) {
    // 228 KB hold 9 blocks of 24 KB and 1 KB each.
    const Occupancy found = occupancy(h200(), {128, 1, 1}, 24 << 10);
    EXPECT_EQ(found.blocks, 9U);
    EXPECT_THAT(found.limits, ElementsAre(Limit::shared_memory));
}

TEST(Occupancy, CountsRegistersWhereTheyAreKnown) {
    // 64 registers x 256 threads are 16,384 of 65,536.
    const Occupancy found = occupancy(h200(), {256, 1, 1}, 0, 64);
    EXPECT_EQ(found.blocks, 4U);
    EXPECT_THAT(found.limits, ElementsAre(Limit::registers));
    EXPECT_EQ(occupancy(h200(), {256, 1, 1}, 0).blocks, 8U);
}

TEST(Occupancy, DividesTheRegistersAmongTheSchedulers) {
    // 80 registers are 2,560 of a warp: 25 warps fit into 65,536, but only 6 into each quarter. Blocks have 5.
    EXPECT_EQ(occupancy(h200(), {160, 1, 1}, 0, 80).blocks, 4U);
}

TEST(Occupancy, OfABlockThatTakesMoreRegistersThanThereAreIsNone) {
    EXPECT_EQ(occupancy(h200(), {1024, 1, 1}, 0, 64).blocks, 1U);
    EXPECT_EQ(occupancy(h200(), {1024, 1, 1}, 0, 72).blocks, 0U);
    // Five warps are checked as eight: 8 x 255 x 32 rounded up to 65,536.
    EXPECT_EQ(occupancy(h200(), {160, 1, 1}, 0, 255).blocks, 1U);
}

TEST(Occupancy, OfTheLecturesG80) {
    // 24 warps and 8 blocks: 128 threads are 6 blocks.
    EXPECT_EQ(occupancy(g80(), {128, 1, 1}, 512).blocks, 6U);
    EXPECT_THAT(occupancy(g80(), {64, 1, 1}, 256).limits, ElementsAre(Limit::blocks));
}

TEST(Occupancy, OfABlockThatCannotBeLaunchedSaysWhy) {
    const Occupancy found = occupancy(g80(), {1024, 1, 1}, 0);
    EXPECT_EQ(found.blocks, 0U);
    EXPECT_EQ(found.excess, "A block has 1 to 512 threads.");
    EXPECT_THAT(found.limits, IsEmpty());
    EXPECT_THAT(occupancy(g80(), {32, 1, 1}, 20 << 10).excess, testing::StartsWith("A block has at most 16,384 bytes"));
}

}  // namespace
}  // namespace lanescope::model
