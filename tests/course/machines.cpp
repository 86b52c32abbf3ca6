#include "course/cuda.h"

#include <array>
#include <numeric>

namespace lanescope::course {
namespace {

TEST(Launches, OfThreeDimensions) {
    in_both_views("machines", [](Cuda& cuda) {
        const trace::Dim3 grid{3, 2, 2}, block{5, 3, 4};
        std::vector<int> out(grid.count() * block.count()), expected;
        for (int b = 0; b < 12; ++b) {
            for (int t = 0; t < 60; ++t) expected.push_back(10000 * b + 1000 * (t / 15) + 100 * (t / 5 % 3) + t % 5);
        }
        cuda.launch("every_dimension", {.grid = grid, .block = block}, out);
        EXPECT_EQ(out, expected);
    });
}

TEST(Launches, FindVariablesAsTheLastOneLeftThem) {
    in_both_views("machines", [](Cuda& cuda) {
        std::vector<float> first(33), second(33);
        cuda.queue("module_variables", threads(32, 32), first);
        cuda.queue("module_variables", threads(32, 32), second);
        cuda.run();
        const std::array<float, 4> weights{0.5F, 0.25F, 2.0F, -1.0F};
        for (int i = 0; i < 32; ++i) {
            EXPECT_EQ(first[i], weights[i % 4] + static_cast<float>(7 + i % 3));
            EXPECT_EQ(second[i], 2 * weights[i % 4] + static_cast<float>(7 + i % 3));
        }
        EXPECT_EQ(first[32], 100);
        EXPECT_EQ(second[32], 101);
    });
}

TEST(Volatile, ReductionInTheLastWarp) {
    in_both_views("machines", [](Cuda& cuda) {
        const auto in = random_numbers<int>(192, 1, -99, 99);
        std::vector<int> sums(3), expected;
        for (int block = 0; block < 3; ++block)
            expected.push_back(std::accumulate(&in[64 * block], &in[64 * block] + 64, 0));
        cuda.launch("volatile_reduction", threads(192, 64), in, sums);
        EXPECT_EQ(sums, expected);
    });
}

TEST(Assertions, ThatHoldAreSilent) {
    in_both_views("machines", [](Cuda& cuda) {
        const auto in = random_numbers<int>(100, 2, 0, 99);
        std::vector<int> out(100), expected;
        for (const int x : in) expected.push_back(x + 1);
        cuda.launch("assertions_that_hold", threads(100, 64), in, out, 100);
        EXPECT_EQ(out, expected);
    });
}

TEST(InlinePtx, InterleavesBits) {
    in_both_views("machines", [](Cuda& cuda) {
        std::vector<unsigned> out(16 * 16), expected;
        for (unsigned y = 0; y < 16; ++y) {
            for (unsigned x = 0; x < 16; ++x) {
                unsigned place = 0;
                for (unsigned bit = 0; bit < 4; ++bit) {
                    place |= ((x >> bit) & 1U) << (2 * bit) | ((y >> bit) & 1U) << (2 * bit + 1);
                }
                expected.push_back(place);
            }
        }
        cuda.launch("z_order", {.grid = {1}, .block = {16, 16}}, out, 16);
        EXPECT_EQ(out, expected);
    });
}

TEST(InlinePtx, HandsOverWithAcquireAndRelease) {
    in_both_views("machines", [](Cuda& cuda) {
        cuda.order_shows_in_counts();
        std::vector<int> data(1), flag(1), out(1);
        cuda.launch("hand_over", threads(64, 64), data, flag, out);
        EXPECT_EQ(out[0], 42);
    });
}

TEST(Banks, ColumnsGiveTheSameSumsPaddedOrNot) {
    in_both_views("machines",
                  [](Cuda& cuda) {
                      std::vector<int> plain(32), padded(32), expected;
                      for (int row = 0; row < 32; ++row) expected.push_back(32 * 32 * row + 31 * 16);
                      cuda.launch("columns<0>", threads(32, 32), plain);
                      cuda.launch("columns<1>", threads(32, 32), padded);
                      EXPECT_EQ(plain, expected);
                      EXPECT_EQ(padded, expected);
                  },
                  {"columns<0>", "columns<1>"});
}

}  // namespace
}  // namespace lanescope::course
