#include "course/cuda.h"

#include <numeric>
#include <string>

namespace lanescope::course {
namespace {

std::vector<int> prefix_sums(const std::vector<int>& in) {
    std::vector<int> out(in.size());
    std::partial_sum(in.begin(), in.end(), out.begin());
    return out;
}

TEST(PrefixSums, InThreeLaunches) {
    in_both_views("prefix_sums", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<int>(n, 1, -99, 99);
            const Shape shape = threads(n, 64);
            std::vector<int> out(n), sums(shape.grid.x);
            const int blocks = static_cast<int>(shape.grid.x), count = static_cast<int>(n);
            cuda.queue("scan_blocks", shape, in, out, sums, count);
            cuda.queue("scan_sums", threads(1, 64), sums, blocks);
            cuda.queue("add_sums", shape, out, sums, count);
            cuda.run();
            EXPECT_EQ(out, prefix_sums(in));
        }
    });
}

TEST(PrefixSums, WithDecoupledLookBack) {
    in_both_views("prefix_sums", [](Cuda& cuda) {
        cuda.order_shows_in_counts();
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<int>(n, 2, -99, 99);
            const Shape shape = threads(n, 64);
            std::vector<int> out(n), states(shape.grid.x), aggregates(shape.grid.x), prefixes(shape.grid.x);
            cuda.launch("look_back_scan", shape, in, out, states, aggregates, prefixes, static_cast<int>(n));
            EXPECT_EQ(out, prefix_sums(in));
        }
    });
}

TEST(PrefixSums, Chained) {
    in_both_views("prefix_sums", [](Cuda& cuda) {
        cuda.order_shows_in_counts();
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<int>(n, 3, -99, 99);
            const Shape shape = threads(n, 64);
            std::vector<int> out(n), flags(shape.grid.x), prefixes(shape.grid.x);
            cuda.launch("chained_scan", shape, in, out, flags, prefixes, static_cast<int>(n));
            EXPECT_EQ(out, prefix_sums(in));
        }
    });
}

TEST(PrefixSums, BySegments) {
    in_both_views("prefix_sums", [](Cuda& cuda) {
        for (const int n : {1, 31, 128}) {
            const auto in = random_numbers<int>(n, 4, -99, 99);
            auto flags = random_numbers<int>(n, 5, -5, 1);
            std::vector<int> out(n), expected;
            for (int& flag : flags) flag = std::max(flag, 0);
            for (int i = 0; i < n; ++i) expected.push_back(in[i] + (i == 0 || flags[i] != 0 ? 0 : expected.back()));
            cuda.launch("segmented_scan", threads(1, 128), in, flags, out, n);
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(PrefixSums, OfMaximumInsteadOfSum) {
    in_both_views("prefix_sums", [](Cuda& cuda) {
        for (const int n : {1, 31, 100, 128}) {
            const auto in = random_numbers<double>(n, 6, -999, 999);
            std::vector<double> out(n), expected;
            for (const double x : in) expected.push_back(expected.empty() ? x : std::max(x, expected.back()));
            cuda.launch("running_maximum", threads(1, 128), in, out, n);
            EXPECT_EQ(out, expected);
        }
    });
}

std::vector<int> positive(const std::vector<int>& in) {
    std::vector<int> kept;
    std::ranges::copy_if(in, std::back_inserter(kept), [](int x) { return x > 0; });
    return kept;
}

TEST(Compaction, InOrder) {
    in_both_views("prefix_sums", [](Cuda& cuda) {
        for (const int n : {1, 31, 100, 128}) {
            const auto in = random_numbers<int>(n, 7, -9, 9);
            std::vector<int> out(n), count(1);
            cuda.launch("compact", threads(1, 128), in, out, count, n);
            const auto expected = positive(in);
            ASSERT_EQ(count[0], static_cast<int>(expected.size()));
            out.resize(expected.size());
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Compaction, ByBallot) {
    in_both_views("prefix_sums", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<int>(n, 8, -9, 9);
            std::vector<int> out(n), count(1);
            cuda.launch("compact_by_ballot", threads(n, 64), in, out, count, static_cast<int>(n));
            const auto expected = positive(in);
            ASSERT_EQ(count[0], static_cast<int>(expected.size()));
            out.resize(expected.size());
            EXPECT_THAT(out, testing::UnorderedElementsAreArray(expected));
        }
    });
}

TEST(Compaction, RunLengthEncoding) {
    in_both_views("prefix_sums", [](Cuda& cuda) {
        for (const std::string text : {"a", "aaaaaaaa", "abc", "aaabbcaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaazz"}) {
            const std::vector<char> in(text.begin(), text.end());
            std::vector<char> letters(in.size());
            std::vector<int> lengths(in.size()), runs(1);
            cuda.launch("run_length_encode", threads(1, 256), in, letters, lengths, runs, static_cast<int>(in.size()));
            std::string decoded;
            for (int run = 0; run < runs[0]; ++run) {
                decoded += std::string(lengths[run], letters[run]);
                EXPECT_TRUE(run == 0 || letters[run] != letters[run - 1]);
            }
            EXPECT_EQ(decoded, text);
        }
    });
}

}  // namespace
}  // namespace lanescope::course
