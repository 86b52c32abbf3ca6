#include "course/cuda.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace lanescope::course {
namespace {

TEST(Atomics, OfEveryIntegerOperation) {
    in_both_views("atomics", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            std::vector<int> sums{5, 5, 5, 5}, expected_sums = sums;
            std::vector<unsigned> bits{~0U, 0, 9, ~0U}, expected_bits = bits;
            std::vector<std::uint64_t> wide{1, 0, 0, 3}, expected_wide = wide;
            for (int i = 0; i < static_cast<int>(n); ++i) {
                const auto u = static_cast<unsigned>(i);
                expected_sums[0] += i;
                expected_sums[1] -= i;
                expected_sums[2] = std::min(expected_sums[2], i - 17);
                expected_sums[3] = std::max(expected_sums[3], 3 * i);
                expected_bits[0] &= ~(1U << (u % 20));
                expected_bits[1] |= 1U << (u % 24);
                expected_bits[2] ^= u * 2654435761U;
                expected_bits[3] = std::min(expected_bits[3], 4000000000U - u);
                expected_wide[0] += 10000000000U + u;
                expected_wide[1] = std::max(expected_wide[1], std::uint64_t{1} << (u % 60));
                expected_wide[2] |= std::uint64_t{1} << (u % 64);
                expected_wide[3] = 77;
            }
            cuda.launch("every_operation", threads(n, 64), static_cast<int>(n), sums, bits, wide);
            EXPECT_EQ(sums, expected_sums);
            EXPECT_EQ(bits, expected_bits);
            EXPECT_EQ(wide, expected_wide);
        }
    });
}

TEST(Atomics, OfFloatingPoint) {
    in_both_views("atomics", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            std::vector<float> f{1};
            std::vector<double> d{2};
            const std::size_t pairs = n * (n - 1) / 2;
            const auto sum = static_cast<double>(pairs);
            cuda.launch("floating_point", threads(n, 96), static_cast<int>(n), f, d);
            EXPECT_EQ(f[0], 1 + 0.5 * sum);
            EXPECT_EQ(d[0], 2 + 0.25 * sum);
        }
    });
}

TEST(Atomics, AddDoublesByCompareAndSwap) {
    in_both_views("atomics", [](Cuda& cuda) {
        cuda.order_shows_in_counts();
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<double>(n, 1, -1000, 1000);
            std::vector<double> sum{0};
            cuda.launch("double_sum", threads(n, 64), in, static_cast<int>(n), sum);
            EXPECT_EQ(sum[0], std::accumulate(in.begin(), in.end(), 0.0));
        }
    });
}

TEST(Atomics, FindTheLargestFloatByCompareAndSwap) {
    in_both_views("atomics", [](Cuda& cuda) {
        cuda.order_shows_in_counts();
        for (const std::size_t n : sizes) {
            const auto in = random_reals(n, 2, -3.0F, 3.0F);
            std::vector<float> largest{-1e30F};
            cuda.launch("float_maximum", threads(n, 64), in, static_cast<int>(n), largest);
            EXPECT_EQ(largest[0], std::ranges::max(in));
        }
    });
}

TEST(Atomics, GuardACriticalSection) {
    in_both_views("atomics", [](Cuda& cuda) {
        cuda.order_shows_in_counts();
        for (const std::uint32_t blocks : {1U, 7U, 20U}) {
            std::vector<int> seen(blocks), result(1);
            cuda.launch("critical_section", {.grid = {blocks}, .block = {64}}, seen, result);
            std::ranges::sort(seen);
            for (std::uint32_t i = 0; i < blocks; ++i) EXPECT_EQ(seen[i], static_cast<int>(3 * i));
            EXPECT_EQ(result[0], static_cast<int>(3 * blocks));
        }
    });
}

TEST(Atomics, GoRoundARing) {
    in_both_views("atomics", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const int slots = 10;
            std::vector<unsigned> head{4}, tail{7};
            std::vector<int> visits(slots), expected(slots);
            for (std::size_t i = 0; i < n; ++i) ++expected[(4 + i) % slots];
            cuda.launch("ring", threads(n, 64), head, tail, visits, slots, static_cast<int>(n));
            EXPECT_EQ(visits, expected);
            EXPECT_EQ(head[0], (4 + n) % slots);
            EXPECT_EQ(tail[0], (7 + slots * n - n) % slots);
        }
    });
}

TEST(Atomics, LetTheLastBlockSumUp) {
    in_both_views("atomics", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<int>(n, 3, -100, 100);
            const Shape shape = threads(n, 64);
            std::vector<int> partial(shape.grid.x), sum(1);
            cuda.launch("last_block_sums", shape, in, static_cast<int>(n), partial, sum);
            EXPECT_EQ(sum[0], std::accumulate(in.begin(), in.end(), 0));
        }
    });
}

TEST(Atomics, FillAHashTable) {
    in_both_views("atomics", [](Cuda& cuda) {
        cuda.order_shows_in_counts();
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<unsigned>(n, 4, 1, 60);
            const int capacity = 67;
            std::vector<unsigned> keys(capacity);
            std::vector<int> counts(capacity);
            cuda.launch("hash_table", threads(n, 64), in, static_cast<int>(n), keys, counts, capacity);
            std::map<unsigned, int> found, expected;
            for (int i = 0; i < capacity; ++i) {
                if (keys[i] != 0) found[keys[i]] += counts[i];
            }
            for (const unsigned key : in) ++expected[key];
            EXPECT_EQ(found, expected);
        }
    });
}

TEST(Atomics, AggregatedByWarp) {
    in_both_views("atomics", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<int>(n, 5, -50, 50);
            std::vector<int> out(n), count(1), expected;
            std::ranges::copy_if(in, std::back_inserter(expected), [](int x) { return x > 0; });
            cuda.launch("filter_positive", threads(n, 64), in, static_cast<int>(n), out, count);
            ASSERT_EQ(count[0], static_cast<int>(expected.size()));
            out.resize(expected.size());
            EXPECT_THAT(out, testing::UnorderedElementsAreArray(expected));
        }
    });
}

}  // namespace
}  // namespace lanescope::course
