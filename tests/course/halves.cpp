#include "course/cuda.h"

#include <bit>

// The references know half numbers by the processor's own conversions.
namespace lanescope::course {
namespace {

using Half = _Float16;
struct BrainFloat {
    std::uint16_t bits = 0;
    BrainFloat() = default;
    explicit BrainFloat(float value) {  // to nearest, ties to even; no NaN here
        const auto word = std::bit_cast<std::uint32_t>(value);
        bits = static_cast<std::uint16_t>((word + 0x7FFFU + ((word >> 16U) & 1U)) >> 16U);
    }
    [[nodiscard]] float value() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U); }
};

std::vector<Half> random_halves(std::size_t n, unsigned seed, float low, float high) {
    std::vector<Half> halves;
    for (const float value : random_reals(n, seed, low, high)) halves.push_back(static_cast<Half>(value));
    return halves;
}

template <class T>
std::vector<std::uint16_t> bits_of(const std::vector<T>& values) {
    std::vector<std::uint16_t> bits(values.size());
    std::memcpy(bits.data(), values.data(), values.size() * 2);
    return bits;
}

TEST(Halves, MultiplyAndAddWithOneRounding) {
    in_both_views("halves", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto x = random_halves(n, 1, -4.0F, 4.0F);
            auto y = random_halves(n, 2, -4.0F, 4.0F);
            const auto a = static_cast<Half>(1.37F);
            std::vector<Half> expected;
            for (std::size_t i = 0; i < n; ++i) {
                // The exact product and sum of numbers of 11 bits fit a double.
                expected.push_back(
                    static_cast<Half>(static_cast<double>(a) * static_cast<double>(x[i]) + static_cast<double>(y[i])));
            }
            cuda.launch("half_axpy", threads(n, 64), x, y, a, static_cast<int>(n));
            EXPECT_EQ(bits_of(y), bits_of(expected));
        }
    });
}

TEST(Halves, WorkInPairs) {
    in_both_views("halves", [](Cuda& cuda) {
        for (const std::size_t n : {2U, 64U, 222U}) {
            const auto a = random_halves(n, 3, -40.0F, 40.0F);
            const auto b = random_halves(n, 4, -4.0F, 4.0F);
            std::vector<Half> sum(n), largest(n), expected_sum, expected_largest;
            for (std::size_t i = 0; i < n; ++i) {
                expected_sum.push_back(static_cast<Half>(static_cast<float>(a[i]) + static_cast<float>(b[i])));
                expected_largest.push_back(std::max(a[i], b[i]));
            }
            cuda.launch("half_pairs", threads(n / 2, 32), a, b, sum, largest, static_cast<int>(n));
            EXPECT_EQ(bits_of(sum), bits_of(expected_sum));
            EXPECT_EQ(bits_of(largest), bits_of(expected_largest));
        }
    });
}

TEST(Halves, SumAsFloats) {
    in_both_views("halves", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            std::vector<Half> x;
            for (const int value : random_numbers<int>(n, 5, -99, 99)) x.push_back(static_cast<Half>(value));
            const Shape shape = threads(n, 64);
            std::vector<float> sums(shape.grid.x), expected(shape.grid.x);
            for (std::size_t i = 0; i < n; ++i) expected[i / 64] += static_cast<float>(x[i]);
            cuda.launch("half_sum", shape, x, sums, static_cast<int>(n));
            EXPECT_EQ(sums, expected);
        }
    });
}

TEST(Halves, AreBrainFloatsToo) {
    in_both_views("halves", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            std::vector<BrainFloat> a, b, c(n), expected;
            for (const float value : random_reals(n, 6, -9.0F, 9.0F)) a.emplace_back(value);
            for (const float value : random_reals(n, 7, -9.0F, 9.0F)) b.emplace_back(value);
            for (std::size_t i = 0; i < n; ++i) {
                expected.emplace_back(cuda.multiply_add(a[i].value(), b[i].value(), 1.0F));
            }
            cuda.launch("brain_float_product", threads(n, 64), a, b, c, static_cast<int>(n));
            EXPECT_EQ(bits_of(c), bits_of(expected));
        }
    });
}

TEST(Halves, Compare) {
    in_both_views("halves", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            std::vector<Half> a, b;
            for (const int value : random_numbers<int>(n, 8, -2, 2)) a.push_back(static_cast<Half>(value));
            for (const int value : random_numbers<int>(n, 9, -2, 2)) b.push_back(static_cast<Half>(value));
            std::vector<int> order(n), expected;
            for (std::size_t i = 0; i < n; ++i) expected.push_back(a[i] < b[i] ? -1 : a[i] > b[i] ? 1 : 0);
            cuda.launch("half_compare", threads(n, 64), a, b, order, static_cast<int>(n));
            EXPECT_EQ(order, expected);
        }
    });
}

TEST(Halves, Convert) {
    in_both_views("halves", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_reals(n, 10, -3000.0F, 3000.0F);
            std::vector<std::uint16_t> bits(n);
            std::vector<int> whole(n), expected;
            std::vector<Half> halves;
            for (const float value : in) {
                halves.push_back(static_cast<Half>(value));
                expected.push_back(static_cast<int>(std::nearbyint(static_cast<float>(halves.back()))));
            }
            cuda.launch("half_conversions", threads(n, 64), in, bits, whole, static_cast<int>(n));
            EXPECT_EQ(bits, bits_of(halves));
            EXPECT_EQ(whole, expected);
        }
    });
}

TEST(Halves, AddAtomically) {
    in_both_views("halves", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            std::vector<Half> x, sum(1), pair(2);
            float expected = 0;
            for (const int value : random_numbers<int>(n, 11, 0, 1)) {
                x.push_back(static_cast<Half>(value));
                expected += static_cast<float>(value);
            }
            cuda.launch("half_atomics", threads(n, 64), x, sum, pair, static_cast<int>(n));
            EXPECT_EQ(static_cast<float>(sum[0]), expected);
            EXPECT_EQ(static_cast<float>(pair[0]), expected);
            EXPECT_EQ(static_cast<float>(pair[1]), static_cast<float>(n));
        }
    });
}

}  // namespace
}  // namespace lanescope::course
