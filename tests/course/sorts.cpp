#include "course/cuda.h"

namespace lanescope::course {
namespace {

template <class T>
std::vector<T> sorted(std::vector<T> x) {
    std::ranges::sort(x);
    return x;
}

TEST(Sorts, Bitonic) {
    in_both_views("sorts", [](Cuda& cuda) {
        for (const std::uint32_t n : {2U, 32U, 256U}) {
            auto x = random_numbers<int>(n, 1, -500, 500);
            const auto expected = sorted(x);
            cuda.launch("bitonic_sort", threads(n, n, n * sizeof(int)), x, static_cast<int>(n));
            EXPECT_EQ(x, expected);
        }
    });
}

TEST(Sorts, OddEven) {
    in_both_views("sorts", [](Cuda& cuda) {
        for (const int n : {1, 33, 150}) {
            auto x = random_numbers<int>(n, 2, -500, 500);
            const auto expected = sorted(x);
            cuda.launch("odd_even_sort", threads(1, 64, n * sizeof(int)), x, n);
            EXPECT_EQ(x, expected);
        }
    });
}

TEST(Sorts, ByRank) {
    in_both_views("sorts", [](Cuda& cuda) {
        for (const int n : {1, 64, 257}) {
            const auto in = random_numbers<int>(n, 3, -50, 50);
            std::vector<int> out(n);
            cuda.launch("rank_sort", threads(n, 64), in, out, n);
            EXPECT_EQ(out, sorted(in));
        }
    });
}

TEST(Sorts, ByCounting) {
    in_both_views("sorts", [](Cuda& cuda) {
        cuda.order_shows_in_counts();
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<std::uint8_t>(n, 4, 0, 15);
            std::vector<std::uint8_t> out(n);
            cuda.launch("counting_sort", threads(1, 96), in, out, static_cast<int>(n));
            EXPECT_EQ(out, sorted(in));
        }
    });
}

TEST(Sorts, ByMergingRuns) {
    in_both_views("sorts", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            auto x = random_numbers<int>(n, 5, -500, 500);
            const auto expected = sorted(x);
            std::vector<int> other(n);
            for (int length = 1; length < static_cast<int>(n); length *= 2) {
                cuda.launch("merge_round", threads(n, 64), x, other, length, static_cast<int>(n));
                std::swap(x, other);
            }
            EXPECT_EQ(x, expected);
        }
    });
}

TEST(Sorts, ByRadix) {
    in_both_views("sorts", [](Cuda& cuda) {
        for (const std::uint32_t n : {1U, 33U, 200U}) {
            auto x = random_numbers<unsigned>(n, 6, 0, 4'294'967'295);
            const auto expected = sorted(x);
            cuda.launch("radix_sort", threads(1, (n + 31) / 32 * 32, n * sizeof(int)), x, static_cast<int>(n));
            EXPECT_EQ(x, expected);
        }
    });
}

TEST(Sorts, ByRadixOfSeveralBitsOverTheGrid) {
    in_both_views("sorts", [](Cuda& cuda) {
        constexpr std::uint32_t block = 128;
        constexpr int digit_bits = 4, digits = 1 << digit_bits;
        for (const std::size_t n : sizes) {
            auto keys = random_numbers<unsigned>(n, 7, 0, 0xFFFF);
            const auto expected = sorted(keys);
            std::vector<unsigned> other(n);
            const auto count = static_cast<int>(n);
            const Shape shape = threads(n, block, block * sizeof(unsigned));
            std::vector<int> counts(digits * shape.grid.x);
            for (int shift = 0; shift < 16; shift += digit_bits) {
                cuda.queue("count_digits", shape, keys, counts, shift, count);
                cuda.queue("scan_counts", threads(32, 32), counts, static_cast<int>(counts.size()));
                cuda.queue("scatter_by_digit", shape, keys, other, counts, shift, count);
                cuda.run();
                std::swap(keys, other);
            }
            EXPECT_EQ(keys, expected);
        }
    });
}

}  // namespace
}  // namespace lanescope::course
