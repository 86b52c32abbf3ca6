#include "course/cuda.h"

#include <algorithm>
#include <numeric>

namespace lanescope::course {
namespace {

const std::vector<std::string> instances{
    "cub_block_reduce<64, cub::BLOCK_REDUCE_WARP_REDUCTIONS>", "cub_block_reduce<96, cub::BLOCK_REDUCE_RAKING>",
    "cub_block_reduce<128, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>", "cub_block_scan<64, 3>"};

/// The sum of each `length` elements.
std::vector<int> sums_of(const std::vector<int>& in, std::size_t length, std::size_t count) {
    std::vector<int> sums(count);
    for (std::size_t i = 0; i < in.size(); ++i) sums[i / length] += in[i];
    return sums;
}

void check_sums(const char* kernel, std::uint32_t block, std::size_t length) {
    in_both_views(
        "cooperative",
        [&](Cuda& cuda) {
            for (const std::size_t n : sizes) {
                const auto in = random_numbers<int>(n, 1, -100, 100);
                const Shape shape = threads(n, block);
                const std::size_t count = std::size_t{shape.grid.x} * block / length;
                std::vector<int> sums(count);
                cuda.launch(kernel, shape, in, sums, static_cast<int>(n));
                EXPECT_EQ(sums, sums_of(in, length, count));
            }
        },
        instances);
}

TEST(CooperativeGroups, SumInAThreadBlock) { check_sums("thread_block_sum", 64, 64); }
TEST(CooperativeGroups, SumInATile) { check_sums("tile_sums", 64, 16); }
TEST(Cub, BlockReduceByWarps) { check_sums("cub_block_reduce<64, cub::BLOCK_REDUCE_WARP_REDUCTIONS>", 64, 64); }
TEST(Cub, BlockReduceByRaking) { check_sums("cub_block_reduce<96, cub::BLOCK_REDUCE_RAKING>", 96, 96); }
TEST(Cub, BlockReduceByRakingOfCommutativeOperators) {
    check_sums("cub_block_reduce<128, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>", 128, 128);
}

TEST(CooperativeGroups, Reduce) {
    in_both_views(
        "cooperative",
        [](Cuda& cuda) {
            for (const std::size_t n : sizes) {
                auto in = random_numbers<int>(n, 2, -100, 100);
                const Shape shape = threads(n, 64);
                const std::size_t count = shape.grid.x * 2U;
                std::vector<int> sums(count), largest(count), expected;
                cuda.launch("tile_reduce", shape, in, sums, largest, static_cast<int>(n));
                EXPECT_EQ(sums, sums_of(in, 32, count));
                in.resize(count * 32);
                for (std::size_t i = 0; i < count; ++i)
                    expected.push_back(*std::max_element(&in[32 * i], &in[32 * i] + 32));
                EXPECT_EQ(largest, expected);
            }
        },
        instances);
}

TEST(CooperativeGroups, Scan) {
    in_both_views(
        "cooperative",
        [](Cuda& cuda) {
            for (const std::size_t n : sizes) {
                const auto in = random_numbers<int>(n, 3, -100, 100);
                std::vector<int> out(n), expected;
                for (std::size_t i = 0; i < n; ++i) expected.push_back(in[i] + (i % 8 == 0 ? 0 : expected.back()));
                cuda.launch("tile_scan", threads(n, 64), in, out, static_cast<int>(n));
                EXPECT_EQ(out, expected);
            }
        },
        instances);
}

TEST(CooperativeGroups, OfTheLanesThatTookABranch) {
    in_both_views(
        "cooperative",
        [](Cuda& cuda) {
            for (const std::size_t n : sizes) {
                const auto in = random_numbers<int>(n, 4, -2, 2);
                std::vector<int> counts(2), expected(2);
                for (std::size_t first = 0; first < n; first += 32) {
                    const auto end = in.begin() + static_cast<std::ptrdiff_t>(std::min(first + 32, n));
                    const auto positive = std::count_if(in.begin() + static_cast<std::ptrdiff_t>(first), end,
                                                        [](int x) { return x > 0; });
                    expected[0] += static_cast<int>(positive);
                    expected[1] += positive > 0;
                }
                cuda.launch("coalesced_count", threads(n, 64), in, counts, static_cast<int>(n));
                EXPECT_EQ(counts, expected);
            }
        },
        instances);
}

TEST(Cub, BlockScan) {
    in_both_views(
        "cooperative",
        [](Cuda& cuda) {
            for (const std::size_t n : sizes) {
                const auto in = random_numbers<int>(n, 5, -100, 100);
                std::vector<int> out(n), expected;
                for (std::size_t i = 0; i < n; ++i) {
                    expected.push_back(i % (64 * 3) == 0 ? 0 : expected.back() + in[i - 1]);
                }
                cuda.launch("cub_block_scan<64, 3>", threads((n + 2) / 3, 64), in, out, static_cast<int>(n));
                EXPECT_EQ(out, expected);
            }
        },
        instances);
}

}  // namespace
}  // namespace lanescope::course
