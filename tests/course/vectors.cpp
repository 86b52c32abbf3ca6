#include "course/cuda.h"

#include <array>
#include <cmath>
#include <numeric>

namespace lanescope::course {
namespace {

TEST(Vectors, Saxpy) {
    in_both_views("vectors", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto x = random_reals(n, 1, -2.0F, 2.0F);
            auto y = random_reals(n, 2, -2.0F, 2.0F);
            auto expected = y;
            for (std::size_t i = 0; i < n; ++i) expected[i] = cuda.multiply_add(2.7F, x[i], y[i]);
            cuda.launch("saxpy", threads(n, 128), static_cast<int>(n), 2.7F, x, y);
            EXPECT_EQ(y, expected);
        }
    });
}

TEST(Vectors, AxpbyInAGridStride) {
    in_both_views("vectors", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto x = random_numbers<double>(n, 3, -99, 99);
            const auto y = random_numbers<double>(n, 4, -99, 99);
            std::vector<double> z(n), expected(n);
            for (std::size_t i = 0; i < n; ++i) expected[i] = 0.5 * x[i] + 3.0 * y[i];
            cuda.launch("axpby", {.grid = {3}, .block = {40}}, static_cast<int>(n), 0.5, x, 3.0, y, z);
            EXPECT_EQ(z, expected);
        }
    });
}

TEST(Vectors, AddFourElementsAtOnce) {
    in_both_views("vectors", [](Cuda& cuda) {
        for (const std::size_t n : {4U, 128U, 516U}) {
            const auto a = random_reals(n, 5);
            const auto b = random_reals(n, 6);
            std::vector<float> c(n), expected(n);
            for (std::size_t i = 0; i < n; ++i) expected[i] = a[i] + b[i];
            cuda.launch("add_four_at_once", threads(n / 4, 32), static_cast<int>(n), a, b, c);
            EXPECT_EQ(c, expected);
        }
    });
}

TEST(Vectors, DotProduct) {
    in_both_views("vectors", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto a = random_numbers<float>(n, 7, -9, 9);
            const auto b = random_numbers<float>(n, 8, -9, 9);
            std::vector<float> result(1);
            cuda.launch("dot", {.grid = {2}, .block = {128}}, static_cast<int>(n), a, b, result);
            EXPECT_EQ(result[0], std::inner_product(a.begin(), a.end(), b.begin(), 0.0F));
        }
    });
}

TEST(Vectors, EuclideanNorm) {
    in_both_views("vectors", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto x = random_numbers<double>(n, 9, -99, 99);
            std::vector<double> norm(1);
            cuda.launch("euclidean_norm", {.grid = {1}, .block = {64}}, static_cast<int>(n), x, norm);
            EXPECT_EQ(norm[0], std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0)));
        }
    });
}

TEST(Vectors, LargestMagnitude) {
    in_both_views("vectors", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto x = random_reals(n, 10, -5.0F, 5.0F);
            std::vector<float> largest(1), expected(1);
            for (const float value : x) expected[0] = std::max(expected[0], std::abs(value));
            cuda.launch("largest_magnitude", threads(n, 96), static_cast<int>(n), x, largest);
            EXPECT_EQ(largest, expected);
        }
    });
}

using Vector3 = std::array<float, 3>;

std::vector<Vector3> random_vectors(std::size_t n, unsigned seed, std::int64_t low, std::int64_t high) {
    const auto numbers = random_numbers<float>(3 * n, seed, low, high);
    std::vector<Vector3> vectors(n);
    for (std::size_t i = 0; i < 3 * n; ++i) vectors[i / 3][i % 3] = numbers[i];
    return vectors;
}

TEST(Vectors, CrossProductOfStructures) {
    in_both_views("vectors", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto a = random_vectors(n, 11, -50, 50);
            const auto b = random_vectors(n, 12, -50, 50);
            std::vector<Vector3> c(n), expected(n);
            for (std::size_t i = 0; i < n; ++i) {
                for (unsigned k = 0; k < 3; ++k) {
                    const unsigned l = (k + 1) % 3, m = (k + 2) % 3;
                    expected[i][k] = a[i][l] * b[i][m] - a[i][m] * b[i][l];
                }
            }
            cuda.launch("cross_product", threads(n, 64), static_cast<int>(n), a, b, c);
            EXPECT_EQ(c, expected);
        }
    });
}

TEST(Vectors, NormalizeStructures) {
    in_both_views("vectors", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            auto v = random_vectors(n, 13, 1, 50);
            auto expected = v;
            for (Vector3& one : expected) {
                const float length = std::sqrt(one[0] * one[0] + one[1] * one[1] + one[2] * one[2]);
                for (float& x : one) x /= length;
            }
            cuda.launch("normalize", threads(n, 64), static_cast<int>(n), v);
            EXPECT_EQ(v, expected);
        }
    });
}

TEST(Vectors, ReverseInDynamicSharedMemory) {
    in_both_views("vectors", [](Cuda& cuda) {
        for (const std::uint32_t n : {1U, 33U, 1024U}) {
            auto x = random_numbers<int>(n, 14, -1000, 1000);
            const std::vector<int> expected(x.rbegin(), x.rend());
            cuda.launch("reverse", threads(n, n, n * sizeof(int)), static_cast<int>(n), x);
            EXPECT_EQ(x, expected);
        }
    });
}

}  // namespace
}  // namespace lanescope::course
