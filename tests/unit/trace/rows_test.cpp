#include "trace/rows.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace lanescope::trace {
namespace {

template <class T>
class Rows : public testing::Test {};
using Widths = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(Rows, Widths);

TYPED_TEST(Rows, ArePackedLowestLaneFirst) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 200; ++round) {
        std::array<TypeParam, warp_size> row;
        for (TypeParam& value : row) value = static_cast<TypeParam>(random());
        const LaneMask lanes(round == 0 ? ~0U : static_cast<std::uint32_t>(random() & random()));
        std::array<TypeParam, warp_size> packed;
        ASSERT_EQ(pack(row.data(), lanes, packed.data()), lanes.count());
        unsigned at = 0;
        for (const unsigned lane : lanes) EXPECT_EQ(packed[at++], row[lane]) << "lane " << lane;
    }
}

TYPED_TEST(Rows, ThatStepEvenlyAreTwoNumbers) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 400; ++round) {
        const auto base = static_cast<TypeParam>(random());
        const auto step = static_cast<TypeParam>(random() % 2 == 0 ? random() : random() % 9 - 4);
        std::array<TypeParam, warp_size> row;
        for (unsigned lane = 0; lane < warp_size; ++lane) row[lane] = static_cast<TypeParam>(base + lane * step);
        LaneMask lanes(round % 4 == 0 ? ~0U : static_cast<std::uint32_t>(random() & random()));
        if (lanes.count() < 3) lanes = LaneMask(0b1000'1010);
        // The values of other lanes do not matter.
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (!lanes.has(lane)) row[lane] = static_cast<TypeParam>(random());
        }
        std::array<TypeParam, warp_size> packed;
        const Packed even = pack_row(row.data(), lanes, packed.data());
        // A step that wraps around between the first two lanes is not found: the values are there all the same.
        if (even.even) {
            ASSERT_EQ(even.count, 2U);
            for (const unsigned lane : lanes) {
                EXPECT_EQ(static_cast<TypeParam>(packed[0] + lane * packed[1]), row[lane]) << "lane " << lane;
            }
        } else {
            EXPECT_EQ(even.count, lanes.count());
        }
        if (lanes.has(0) && lanes.has(1)) {
            EXPECT_TRUE(even.even);
        }

        // One lane that differs, and it is a row of values.
        const unsigned odd = 31U - static_cast<unsigned>(std::countl_zero(lanes.bits()));
        row[odd] = static_cast<TypeParam>(row[odd] + 1);
        const Packed uneven = pack_row(row.data(), lanes, packed.data());
        ASSERT_FALSE(uneven.even);
        ASSERT_EQ(uneven.count, lanes.count());
        EXPECT_EQ(packed[lanes.rank(odd)], row[odd]);
    }
}

TYPED_TEST(Rows, OfTwoLanesStayAsTheyAre) {
    std::array<TypeParam, warp_size> row{};
    std::array<TypeParam, warp_size> packed;
    EXPECT_FALSE(pack_row(row.data(), LaneMask(0b11), packed.data()).even);
    EXPECT_FALSE(pack_row(row.data(), LaneMask::only(7), packed.data()).even);
    EXPECT_EQ(pack_row(row.data(), LaneMask(), packed.data()).count, 0U);
}

TEST(Pool, KeepsWhatItHasWhileItGrows) {
    Pool<std::uint32_t> pool;
    for (std::uint32_t i = 0; i < 5000; ++i) pool.add(i);
    Pool<std::uint32_t> copy = pool;
    pool.cut(10);
    EXPECT_EQ(pool.size(), 10U);
    pool.trim();
    EXPECT_EQ(pool.capacity(), 10U);
    ASSERT_EQ(copy.size(), 5000U);
    for (std::uint32_t i = 0; i < 5000; ++i) ASSERT_EQ(copy[i], i);
}

}  // namespace
}  // namespace lanescope::trace
