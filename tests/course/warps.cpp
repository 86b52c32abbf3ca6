#include "course/cuda.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace lanescope::course {
namespace {

std::vector<int> in_warp(const std::vector<int>& in, std::size_t i) {
    const std::size_t first = i / 32 * 32;
    return {in.begin() + static_cast<std::ptrdiff_t>(first), in.begin() + static_cast<std::ptrdiff_t>(first + 32)};
}

TEST(Warps, Vote) {
    in_both_views("warps", [](Cuda& cuda) {
        const auto in = random_numbers<int>(256, 1, -4, 9);
        std::vector<int> out(256), expected;
        for (std::size_t i = 0; i < in.size(); ++i) {
            const auto warp = in_warp(in, i);
            const bool all = std::ranges::all_of(warp, [](int x) { return x > -3; });
            const bool any = std::ranges::any_of(warp, [](int x) { return x > 8; });
            const auto even = std::ranges::count_if(warp, [](int x) { return x % 2 == 0; });
            expected.push_back(all * 1000 + any * 100 + static_cast<int>(even));
        }
        cuda.launch("votes", threads(256, 128), in, 256, out);
        EXPECT_EQ(out, expected);
    });
}

TEST(Warps, MatchEqualValues) {
    in_both_views("warps", [](Cuda& cuda) {
        auto in = random_numbers<int>(128, 2, 0, 12);
        in[70] = 500;
        std::vector<int> same(128), whole(128), expected_same, expected_whole;
        for (std::size_t i = 0; i < in.size(); ++i) {
            const auto warp = in_warp(in, i);
            expected_same.push_back(static_cast<int>(std::ranges::count(warp, in[i])));
            expected_whole.push_back(i / 32 != 2);
        }
        cuda.launch("matches", threads(128, 64), in, same, whole);
        EXPECT_EQ(same, expected_same);
        EXPECT_EQ(whole, expected_whole);
    });
}

TEST(Warps, ShuffleAndOperatorInOnePieceOfPtx) {
    in_both_views("warps", [](Cuda& cuda) {
        const auto in = random_numbers<int>(128, 5, -1000, 1000);
        std::vector<int> scanned(128), sums(128), largest(128), expected[3] = {in, in, in};
        std::vector<float> halves(128), expected_halves;
        for (std::size_t offset = 1; offset < 32; offset *= 2) {
            const std::vector<int> before[3] = {expected[0], expected[1], expected[2]};
            for (std::size_t i = 0; i < in.size(); ++i) {
                if (i % 32 >= offset) expected[0][i] += before[0][i - offset];
                if (i % 32 + offset >= 32) continue;
                expected[1][i] += before[1][i + offset];
                expected[2][i] = std::max(before[2][i], before[2][i + offset]);
            }
        }
        for (const int sum : expected[1]) expected_halves.push_back(static_cast<float>(sum) * 0.5F);
        cuda.launch("fused", threads(128, 64), in, scanned, sums, halves, largest);
        EXPECT_EQ(scanned, expected[0]);
        EXPECT_EQ(sums, expected[1]);
        EXPECT_EQ(halves, expected_halves);
        EXPECT_EQ(largest, expected[2]);
    });
}

TEST(Warps, Shuffle) {
    in_both_views("warps", [](Cuda& cuda) {
        const auto in = random_numbers<int>(64, 3, -1000, 1000);
        std::vector<int> rotated(64), swapped(64), broadcast(64), expected[3];
        std::vector<double> wide(64), expected_wide;
        for (std::size_t i = 0; i < 64; ++i) {
            const auto warp = in_warp(in, i);
            const std::size_t lane = i % 32;
            expected[0].push_back(warp[(lane + 1) % 32]);
            expected[1].push_back(warp[lane ^ 5]);
            expected[2].push_back(warp[lane / 8 * 8 + 3]);
            expected_wide.push_back(warp[lane < 2 ? lane : lane - 2] * 0.5);
        }
        cuda.launch("shuffles", threads(64, 64), in, rotated, swapped, broadcast, wide);
        EXPECT_EQ(rotated, expected[0]);
        EXPECT_EQ(swapped, expected[1]);
        EXPECT_EQ(broadcast, expected[2]);
        EXPECT_EQ(wide, expected_wide);
    });
}

TEST(Warps, SortWithoutMemory) {
    in_both_views("warps", [](Cuda& cuda) {
        auto x = random_numbers<int>(32, 4, -100, 100);
        auto expected = x;
        std::ranges::sort(expected);
        cuda.launch("sort_in_a_warp", threads(32, 32), x);
        EXPECT_EQ(x, expected);
    });
}

TEST(Warps, SumOverGroupsOfEight) {
    in_both_views("warps", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<float>(n, 5, -9, 9);
            std::vector<float> out((n + 7) / 8), expected((n + 7) / 8);
            for (std::size_t i = 0; i < n; ++i) expected[i / 8] += in[i];
            cuda.launch("sum_over_groups", threads(n, 64), in, out, static_cast<int>(n));
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Warps, WorkInHalves) {
    in_both_views("warps", [](Cuda& cuda) {
        const auto in = random_numbers<int>(32, 6, -10, 10);
        std::vector<int> out(32), expected;
        for (std::size_t i = 0; i < 32; ++i) {
            expected.push_back(i < 16 ? in[i] + in[i ^ 8] : in[i] * in[i % 16 == 15 ? i : i + 1]);
        }
        cuda.launch("halves", threads(32, 32), in, out);
        EXPECT_EQ(out, expected);
    });
}

TEST(Warps, VoteInTheWholeBlock) {
    in_both_views("warps", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const std::uint32_t block = 48;
            const Shape shape = threads(n, block);
            auto in = random_numbers<int>(n, 7, -100, 100);
            std::vector<int> counts(shape.grid.x), flags(shape.grid.x), expected_counts, expected_flags;
            cuda.launch("block_votes", shape, in, static_cast<int>(n), counts, flags);
            in.resize(shape.grid.x * block);
            for (std::size_t first = 0; first < in.size(); first += block) {
                const std::vector<int> part(in.begin() + static_cast<std::ptrdiff_t>(first),
                                            in.begin() + static_cast<std::ptrdiff_t>(first + block));
                expected_counts.push_back(static_cast<int>(std::ranges::count_if(part, [](int x) { return x > 0; })));
                expected_flags.push_back(2 * std::ranges::any_of(part, [](int x) { return x > 90; }) +
                                         std::ranges::all_of(part, [](int x) { return x > -95; }));
            }
            EXPECT_EQ(counts, expected_counts);
            EXPECT_EQ(flags, expected_flags);
        }
    });
}

TEST(Warps, KnowTheirLanes) {
    in_both_views("warps", [](Cuda& cuda) {
        std::vector<unsigned> out(80), expected;
        for (unsigned i = 0; i < 80; ++i) expected.push_back(i % 32 * 100000 + i / 32 * 1000 + i % 32);
        cuda.launch("registers", threads(80, 80), out);
        EXPECT_EQ(out, expected);
    });
}

}  // namespace
}  // namespace lanescope::course
