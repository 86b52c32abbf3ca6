// The order in which blocks start, as text and as a list.
#include "trace/residency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::trace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

BlockOrder order_of(std::string_view text) {
    const Result<BlockOrder> order = read_block_order(text);
    EXPECT_TRUE(order) << text;
    return order.value_or(BlockOrder());
}

TEST(Residency, AnOrderIsAListOfAllBlocks) {
    EXPECT_THAT(blocks_in_order(order_of("ascending"), 4), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(blocks_in_order(order_of("descending"), 4), ElementsAre(3, 2, 1, 0));
    EXPECT_THAT(blocks_in_order(order_of("late 1"), 4), ElementsAre(0, 2, 3, 1));
    EXPECT_THAT(blocks_in_order(order_of("descending, late 3 0"), 4), ElementsAre(2, 1, 3, 0));
    EXPECT_THAT(blocks_in_order(order_of("late 9"), 2), ElementsAre(0, 1)) << "the grid has no block 9";
    EXPECT_THAT(blocks_in_order(order_of("shuffled 7"), 5), UnorderedElementsAre(0, 1, 2, 3, 4));
}

TEST(Residency, AShuffledOrderIsThatOfItsSeed) {
    EXPECT_EQ(blocks_in_order(order_of("shuffled 7"), 64), blocks_in_order(order_of("shuffled 7"), 64));
    EXPECT_NE(blocks_in_order(order_of("shuffled 7"), 64), blocks_in_order(order_of("shuffled 8"), 64));
    EXPECT_FALSE(std::ranges::is_sorted(blocks_in_order(order_of("shuffled 7"), 64)));
}

TEST(Residency, AnOrderIsReadBackFromItsText) {
    for (const std::string_view text :
         {"ascending", "descending", "shuffled 18446744073709551615", "late 3 1", "descending, late 4, stall 0 2"})
        EXPECT_EQ(text_of(order_of(text)), text);
    EXPECT_TRUE(order_of("ascending").usual());
    EXPECT_FALSE(order_of("stall 1").usual());
    EXPECT_TRUE(order_of("stall 1").starts_ascending());
}

TEST(Residency, WhatIsNoOrderIsRefused) {
    for (const std::string_view text : {"", "sorted", "shuffled", "shuffled x", "late", "late x", "late 1 1",
                                        "stall -1", "ascending 3", "ascending, descending"}) {
        const Result<BlockOrder> order = read_block_order(text);
        ASSERT_FALSE(order) << text;
        EXPECT_THAT(order.error().message(), HasSubstr("Expected ascending, descending or shuffled SEED"));
    }
}

}  // namespace
}  // namespace lanescope::trace
