#include "course/cuda.h"

#include <array>
#include <numeric>

namespace lanescope::course {
namespace {

TEST(AsynchronousCopies, InAPipelineOfTwoStages) {
    in_both_views("copies", [](Cuda& cuda) {
        for (const int tiles : {1, 2, 7}) {
            const auto in = random_numbers<int>(tiles * 64, 1, -99, 99);
            std::vector<int> sums(64), expected(64);
            for (int k = 0; k < tiles * 64; ++k) expected[63 - k % 64] += in[k];
            cuda.launch("pipelined_sums", threads(1, 64), in, sums, tiles);
            EXPECT_EQ(sums, expected);
        }
    });
}

TEST(AsynchronousCopies, InInlinePtx) {
    using Four = std::array<float, 4>;
    in_both_views("copies", [](Cuda& cuda) {
        std::vector<Four> in, out(32);
        for (int i = 0; i < 32; ++i) in.push_back({i + 0.5F, i * 2.0F, -1.0F * i, 7});
        cuda.launch("inline_cp_async", threads(1, 32), in, out);
        EXPECT_EQ(out, std::vector<Four>(in.rbegin(), in.rend()));
    });
}

TEST(AsynchronousCopies, ByAGroup) {
    in_both_views("copies", [](Cuda& cuda) {
        const auto in = random_numbers<int>(64, 2, -99, 99);
        std::vector<int> out(64), expected;
        for (int i = 0; i < 64; ++i) expected.push_back(2 * in[63 - i]);
        cuda.launch("group_copy", threads(1, 64), in, out);
        EXPECT_EQ(out, expected);
    });
}

TEST(BarriersInMemory, ArriveAndWaitApart) {
    in_both_views("copies", [](Cuda& cuda) {
        cuda.order_shows_in_counts();
        auto values = random_numbers<int>(64, 3, -9, 9);
        std::vector<int> out(64);
        cuda.launch("split_arrive_and_wait", threads(1, 64), values, out, 3);
        for (int round = 0; round < 3; ++round) {
            const auto before = values;
            for (int i = 0; i < 64; ++i) values[i] = 3 * before[i] + before[(i + 1) % 64];
        }
        EXPECT_EQ(out, values);
    });
}

TEST(GridSync, LetsAllBlocksSeeWhatAllBlocksWrote) {
    in_both_views("copies", [](Cuda& cuda) {
        cuda.order_shows_in_counts();
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<int>(n, 4, -99, 99);
            const Shape shape = threads(n, 64);
            std::vector<int> partial(shape.grid.x), out(n);
            cuda.launch("grid_wide", shape, in, partial, out, static_cast<int>(n));
            EXPECT_EQ(out, std::vector<int>(n, std::accumulate(in.begin(), in.end(), 0)));
        }
    });
}

}  // namespace
}  // namespace lanescope::course
