#include "course/cuda.h"

#include <array>
#include <numeric>

namespace lanescope::course {
namespace {

TEST(Numbers, Collatz) {
    in_both_views("numbers", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            std::vector<int> steps(n), expected(n);
            for (std::size_t i = 0; i < n; ++i) {
                for (std::uint64_t x = i + 1; x != 1; x = x % 2 == 0 ? x / 2 : 3 * x + 1) ++expected[i];
            }
            cuda.launch("collatz", threads(n, 64), steps, static_cast<int>(n));
            EXPECT_EQ(steps, expected);
        }
    });
}

TEST(Numbers, Fibonacci) {
    in_both_views("numbers", [](Cuda& cuda) {
        std::vector<std::uint64_t> out(200), expected{0, 1};
        while (expected.size() < 94) expected.push_back(expected.back() + expected[expected.size() - 2]);
        for (std::size_t i = 94; i < 200; ++i) expected.push_back(expected[i - 94]);
        cuda.launch("fibonacci_numbers", threads(200, 64), out, 200);
        EXPECT_EQ(out, expected);
    });
}

TEST(Numbers, PrimesBySieve) {
    in_both_views("numbers", [](Cuda& cuda) {
        for (const int n : {4, 100, 1000}) {
            std::vector<std::uint8_t> composite(n + 1), expected(n + 1);
            for (int x = 2; x <= n; ++x) {
                for (int divisor = 2; divisor * divisor <= x; ++divisor) expected[x] |= x % divisor == 0;
            }
            cuda.launch("sieve", threads(1, 64), composite, n);
            EXPECT_EQ(composite, expected);
        }
    });
}

TEST(Numbers, GreatestCommonDivisors) {
    in_both_views("numbers", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto a = random_numbers<unsigned>(n, 1, 1, 4'000'000'000),
                       b = random_numbers<unsigned>(n, 2, 0, 5000);
            std::vector<unsigned> out(n), expected;
            for (std::size_t i = 0; i < n; ++i) expected.push_back(std::gcd(a[i], b[i]));
            cuda.launch("greatest_common_divisors", threads(n, 64), a, b, out, static_cast<int>(n));
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Numbers, PowersModuloAPrime) {
    in_both_views("numbers", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto base = random_numbers<unsigned>(n, 3, 0, 4'000'000'000),
                       exponent = random_numbers<unsigned>(n, 4, 0, 60);
            const unsigned modulus = 1'000'000'007;
            std::vector<unsigned> out(n), expected;
            for (std::size_t i = 0; i < n; ++i) {
                std::uint64_t power = 1;
                for (unsigned k = 0; k < exponent[i]; ++k) power = power * (base[i] % modulus) % modulus;
                expected.push_back(static_cast<unsigned>(power));
            }
            cuda.launch("powers_modulo", threads(n, 64), base, exponent, out, modulus, static_cast<int>(n));
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Numbers, PolynomialsByHorner) {
    in_both_views("numbers", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const std::array<double, 6> c{1.0, -0.5, 3.0, 0.25, -2.0, 7.0};
            const auto reals = random_reals(n, 5, -3.0F, 3.0F);
            const std::vector<double> x(reals.begin(), reals.end());
            std::vector<double> y(n), expected;
            for (const double v : x) {
                double sum = c[5];
                for (int k = 4; k >= 0; --k) sum = std::fma(sum, v, c[k]);
                expected.push_back(sum);
            }
            cuda.launch("horner", threads(n, 64), x, y, static_cast<int>(n));
            EXPECT_EQ(y, expected);
        }
    });
}

TEST(Numbers, MonteCarlo) {
    in_both_views("numbers", [](Cuda& cuda) {
        std::vector<std::uint64_t> inside(1), expected(1);
        for (unsigned thread = 0; thread < 192; ++thread) {
            unsigned state = 2463534242U + 7919U * thread;
            const auto next = [&] {
                state ^= state << 13U;
                state ^= state >> 17U;
                state ^= state << 5U;
                return std::uint64_t{state >> 16U};
            };
            for (int k = 0; k < 20; ++k) {
                const std::uint64_t x = next(), y = next();
                expected[0] += x * x + y * y < 0xFFFE0001U;
            }
        }
        cuda.launch("monte_carlo", threads(192, 96), inside, 20);
        EXPECT_EQ(inside, expected);
        EXPECT_NEAR(4.0 * static_cast<double>(inside[0]) / (192 * 20), 3.14159, 0.1);
    });
}

/// At most `bound` away, relative to the size of what is expected.
void expect_near(const std::vector<float>& actual, const std::vector<double>& expected, double bound) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        EXPECT_NEAR(actual[i], expected[i], bound * std::max(1.0, std::abs(expected[i]))) << i;
    }
}

TEST(Physics, BodiesThatAttractEachOther) {
    in_both_views("numbers", [](Cuda& cuda) {
        for (const int n : {1, 32, 75}) {
            const auto bodies = random_reals(4 * n, 6, 0.1F, 1.0F);
            std::vector<float> accelerations(4 * n);
            std::vector<double> expected(4 * n);
            for (int i = 0; i < n; ++i) {
                for (int k = 0; k < n; ++k) {
                    std::array<double, 3> d{};
                    double squares = 0.01F;
                    for (int axis = 0; axis < 3; ++axis) {
                        d[axis] = double{bodies[4 * k + axis]} - bodies[4 * i + axis];
                        squares += d[axis] * d[axis];
                    }
                    const double pull = bodies[4 * k + 3] / (squares * std::sqrt(squares));
                    for (int axis = 0; axis < 3; ++axis) expected[4 * i + axis] += pull * d[axis];
                }
            }
            cuda.launch("n_body", threads(n, 32), bodies, accelerations, n);
            expect_near(accelerations, expected, 1e-4);  // sums of 75 floats, rsqrt.approx within 2^-22.9
        }
    });
}

TEST(Numbers, SpecialFunctions) {
    in_both_views("numbers", [](Cuda& cuda) {
        const int n = 100;
        const auto x = random_reals(n, 7, 0.0F, 4.0F);
        std::vector<float> out(8 * n);
        std::vector<double> expected;
        for (const double v : x) {
            for (const double y : {std::exp(v), std::log(v + 1), std::sin(v), std::tanh(v), std::pow(v + 0.5, 1.5),
                                   std::exp(v), std::cbrt(v), std::erf(v)}) {
                expected.push_back(y);
            }
        }
        cuda.launch("special_functions", threads(n, 64), x, out, n);
        expect_near(out, expected, 2e-6);  // CUDA's bounds are a few units in the last place of 24 bits
    });
}

TEST(Networks, Softmax) {
    in_both_views("numbers", [](Cuda& cuda) {
        for (const int columns : {1, 64, 100}) {
            const std::uint32_t rows = 3;
            const auto in = random_reals(rows * columns, 8, -4.0F, 4.0F);
            std::vector<float> out(in.size());
            std::vector<double> expected;
            for (std::uint32_t row = 0; row < rows; ++row) {
                double sum = 0;
                for (int c = 0; c < columns; ++c) sum += std::exp(double{in[row * columns + c]});
                for (int c = 0; c < columns; ++c) expected.push_back(std::exp(double{in[row * columns + c]}) / sum);
            }
            cuda.launch("softmax", {.grid = {rows}, .block = {64}}, in, out, columns);
            expect_near(out, expected, 1e-6);
        }
    });
}

TEST(Networks, LayerNorm) {
    in_both_views("numbers", [](Cuda& cuda) {
        for (const int columns : {8, 32, 77}) {
            const std::uint32_t rows = 3;
            const auto in = random_reals(rows * columns, 9, -4.0F, 4.0F);
            std::vector<float> out(in.size());
            std::vector<double> expected;
            for (std::uint32_t row = 0; row < rows; ++row) {
                const auto first = in.begin() + row * columns;
                const double mean = std::accumulate(first, first + columns, 0.0) / columns;
                double squares = 0;
                for (int c = 0; c < columns; ++c) squares += (first[c] - mean) * (first[c] - mean);
                for (int c = 0; c < columns; ++c) {
                    expected.push_back((first[c] - mean) / std::sqrt(squares / columns + 1e-5));
                }
            }
            cuda.launch("layer_norm", {.grid = {rows}, .block = {32}}, in, out, columns);
            expect_near(out, expected, 1e-5);
        }
    });
}

TEST(Reductions, TheLargestAndItsPlace) {
    in_both_views("numbers", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<int>(n, 10, -500, 500);
            std::vector<std::uint64_t> best(1);
            cuda.launch("arg_max", {.grid = {3}, .block = {64}}, in, static_cast<int>(n), best);
            const auto largest = std::ranges::max_element(in);
            EXPECT_EQ(static_cast<int>(static_cast<unsigned>(best[0] >> 32U) ^ 0x80000000U), *largest);
            EXPECT_EQ(0xFFFFFFFFU - static_cast<unsigned>(best[0]), largest - in.begin());
        }
    });
}

}  // namespace
}  // namespace lanescope::course
