#include "course/cuda.h"

#include <bit>
#include <limits>

namespace lanescope::course {
namespace {

/// The result of a block's tree of halves for its numbers; `block` is a power of two.
template <class T, class Combine>
T tree(std::vector<T> x, Combine combine) {
    for (std::size_t s = x.size() / 2; s > 0; s /= 2) {
        for (std::size_t i = 0; i < s; ++i) x[i] = combine(x[i], x[i + s]);
    }
    return x[0];
}

/// Block `number` of `block` numbers, filled up with `rest`.
template <class T>
std::vector<T> part(const std::vector<T>& x, std::size_t number, std::size_t block, T rest) {
    std::vector<T> result(block, rest);
    for (std::size_t i = 0; i < block && number * block + i < x.size(); ++i) result[i] = x[number * block + i];
    return result;
}

std::vector<double> random_doubles(std::size_t n, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<double> numbers(n);
    for (double& number : numbers) number = std::ldexp(static_cast<double>(random() >> 11U), -53) * 2000.0 - 1000.0;
    return numbers;
}

TEST(Reductions, OfDoubles) {
    in_both_views("reductions", [](Cuda& cuda) {
        constexpr std::uint32_t block = 128;
        for (const std::size_t n : sizes) {
            const auto x = random_doubles(n, 1);
            const std::size_t blocks = blocks_for(n, block);
            std::vector<double> sums(blocks), low(blocks), high(blocks), shuffled(blocks * block / 32);
            cuda.launch("double_reductions", threads(n, block), x, sums, low, high, static_cast<int>(n));
            cuda.launch("double_sum_by_shuffles", threads(n, block), x, shuffled, static_cast<int>(n));
            for (std::size_t b = 0; b < blocks; ++b) {
                EXPECT_EQ(sums[b], tree(part(x, b, block, 0.0), std::plus<>()));
                EXPECT_EQ(low[b], std::ranges::min(part(x, b, block, 1e308)));
                EXPECT_EQ(high[b], std::ranges::max(part(x, b, block, -1e308)));
            }
            for (std::size_t w = 0; w < shuffled.size(); ++w) {
                EXPECT_EQ(shuffled[w], tree(part(x, w, 32, 0.0), std::plus<>()));
            }
        }
    });
}

/// bfloat16: the upper half of a float, to nearest, ties to even; no NaN here.
std::uint16_t brain(float value) {
    const auto word = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((word + 0x7FFFU + ((word >> 16U) & 1U)) >> 16U);
}
float value_of(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U); }
std::uint16_t brain_sum(std::uint16_t a, std::uint16_t b) { return brain(value_of(a) + value_of(b)); }
std::uint16_t brain_most(std::uint16_t a, std::uint16_t b) { return value_of(a) < value_of(b) ? b : a; }

std::vector<std::uint16_t> random_brains(std::size_t n, unsigned seed) {
    std::vector<std::uint16_t> numbers;
    for (const float value : random_reals(n, seed, -8.0F, 8.0F)) numbers.push_back(brain(value));
    return numbers;
}

TEST(Reductions, OfBrainFloats) {
    in_both_views("reductions", [](Cuda& cuda) {
        constexpr std::uint32_t block = 128;
        for (const std::size_t n : sizes) {
            const auto x = random_brains(n, 2);
            const std::size_t blocks = blocks_for(n, block);
            std::vector<std::uint16_t> sums(blocks);
            cuda.launch("brain_float_sum", threads(n, block), x, sums, static_cast<int>(n));
            for (std::size_t b = 0; b < blocks; ++b) {
                EXPECT_EQ(sums[b], tree(part<std::uint16_t>(x, b, block, 0), brain_sum));
            }
        }
    });
}

TEST(Reductions, OfBrainFloatsInPairs) {
    in_both_views("reductions", [](Cuda& cuda) {
        constexpr std::size_t lanes = 32;
        for (const std::size_t pairs : {32U, 100U, 256U}) {
            const auto x = random_brains(2 * pairs, 3);
            std::vector<std::uint16_t> sum(2 * lanes), most(2 * lanes);
            cuda.launch("brain_float_pairs", threads(lanes, lanes), x, sum, most, static_cast<int>(pairs));
            for (std::size_t half = 0; half < 2 * lanes; ++half) {
                std::uint16_t expected_sum = x[half], expected_most = x[half];
                for (std::size_t i = half + 2 * lanes; i < x.size(); i += 2 * lanes) {
                    expected_sum = brain_sum(expected_sum, x[i]);
                    expected_most = brain_most(expected_most, x[i]);
                }
                EXPECT_EQ(sum[half], expected_sum);
                EXPECT_EQ(most[half], expected_most);
            }
        }
    });
}

TEST(Reductions, ByOneInstructionOfAllKinds) {
    in_both_views("reductions", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto x = random_numbers<int>(n, 4, -2'000'000'000, 2'000'000'000);
            const std::size_t warps = (n + 31) / 32;
            std::vector<std::uint32_t> results(warps * 8);
            cuda.launch("by_instruction", threads(n, 64), x, results, static_cast<int>(n));
            for (std::size_t w = 0; w < warps; ++w) {
                const std::vector<int> own(x.begin() + static_cast<std::ptrdiff_t>(32 * w),
                                           x.begin() + static_cast<std::ptrdiff_t>(std::min(n, 32 * w + 32)));
                const std::vector<std::uint32_t> bits(own.begin(), own.end());
                std::vector<std::uint32_t> expected{0,
                                                    std::ranges::min(bits),
                                                    std::ranges::max(bits),
                                                    static_cast<std::uint32_t>(std::ranges::min(own)),
                                                    static_cast<std::uint32_t>(std::ranges::max(own)),
                                                    ~0U,
                                                    0,
                                                    0};
                for (const std::uint32_t u : bits) {
                    expected[0] += u;
                    expected[5] &= u;
                    expected[6] |= u;
                    expected[7] ^= u;
                }
                EXPECT_THAT(std::span(results).subspan(8 * w, 8), testing::ElementsAreArray(expected)) << "warp " << w;
            }
        }
    });
}

TEST(Reductions, ByOneInstructionInGroups) {
    in_both_views("reductions", [](Cuda& cuda) {
        const auto x = random_numbers<int>(64, 5, -500, 500);
        std::vector<int> sums(64);
        cuda.launch("by_instruction_in_groups", threads(64, 64), x, sums);
        for (std::size_t i = 0; i < 64; ++i) {
            const bool third = i % 32 % 3 == 0;
            int expected = 0;
            for (std::size_t j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
                if ((j % 32 % 3 == 0) == third) expected += third ? x[j] : -x[j];
            }
            EXPECT_EQ(sums[i], expected);
        }
    });
}

}  // namespace
}  // namespace lanescope::course
