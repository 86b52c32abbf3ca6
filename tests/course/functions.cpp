#include "course/cuda.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lanescope::course {
namespace {

TEST(Functions, Called) {
    in_both_views("functions", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<int>(n, 1, -200, 200);
            std::vector<int> out(n), expected;
            for (const int x : in) expected.push_back(std::clamp(x, -5, 5) + std::clamp(x, 0, 100));
            cuda.launch("calls", threads(n, 64), in, out, static_cast<int>(n));
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Functions, GiveResultsByPointer) {
    in_both_views("functions", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto a = random_numbers<int>(n, 2, -1000, 1000);
            const auto b = random_numbers<int>(n, 3, 1, 30);
            std::vector<int> quotients(n), rests(n), expected_quotients, expected_rests;
            for (std::size_t i = 0; i < n; ++i) {
                expected_quotients.push_back(a[i] / b[i]);
                expected_rests.push_back(a[i] % b[i]);
            }
            cuda.launch("results_by_pointer", threads(n, 64), a, b, quotients, rests, static_cast<int>(n));
            EXPECT_EQ(quotients, expected_quotients);
            EXPECT_EQ(rests, expected_rests);
        }
    });
}

TEST(Functions, CallThemselves) {
    in_both_views("functions", [](Cuda& cuda) {
        for (const int n : {1, 45, 150}) {
            std::vector<unsigned> factorials(n), expected(n, 1);
            std::vector<int> numbers(n), expected_numbers(n);
            for (int i = 0; i < n; ++i) {
                for (int k = 2; k <= i % 13; ++k) expected[i] *= static_cast<unsigned>(k);
                int next = 1;
                for (int k = 0; k < i % 11; ++k) expected_numbers[i] = std::exchange(next, next + expected_numbers[i]);
            }
            cuda.launch("recursion", threads(n, 64), factorials, numbers, n);
            EXPECT_EQ(factorials, expected);
            EXPECT_EQ(numbers, expected_numbers);
        }
    });
}

TEST(Functions, SortRecursively) {
    in_both_views("functions", [](Cuda& cuda) {
        for (const int n : {1, 16, 250}) {
            const int length = 12;
            auto x = random_numbers<int>(n, 4, -50, 50);
            auto expected = x;
            for (int first = 0; first < n; first += length) {
                std::sort(expected.begin() + first, expected.begin() + std::min(first + length, n));
            }
            cuda.launch("quick_sort_pieces", threads((n + length - 1) / length, 32), x, length, n);
            EXPECT_EQ(x, expected);
        }
    });
}

TEST(Functions, CalledThroughATableOfPointers) {
    in_both_views("functions", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto a = random_reals(n, 5);
            const auto b = random_reals(n, 6);
            const auto which = random_numbers<int>(n, 7, 0, 2);
            std::vector<float> out(n), expected;
            for (std::size_t i = 0; i < n; ++i) {
                expected.push_back(which[i] == 0 ? a[i] + b[i] : which[i] == 1 ? a[i] - b[i] : a[i] * b[i]);
            }
            cuda.launch("function_pointers", threads(n, 64), a, b, which, out, static_cast<int>(n));
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Functions, AreLambdas) {
    in_both_views("functions", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<int>(n, 8, -50, 50);
            std::vector<int> out(n), expected;
            for (const int x : in) expected.push_back((x * 2 + 3) * 2 + 3);
            cuda.launch("lambdas", threads(n, 64), in, out, static_cast<int>(n), 3);
            EXPECT_EQ(out, expected);
        }
    });
}

template <class T>
void check_sums_of_four(Cuda& cuda, const char* kernel) {
    for (const std::size_t n : sizes) {
        const auto in = random_numbers<T>(4 * n, 9, 0, 30);
        std::vector<T> out(n), expected;
        for (std::size_t i = 0; i < n; ++i) {
            expected.push_back(static_cast<T>(std::accumulate(&in[4 * i], &in[4 * i] + 4, T{})));
        }
        cuda.launch(kernel, threads(n, 64), in, out, static_cast<int>(n));
        EXPECT_EQ(out, expected) << kernel;
    }
}

TEST(Functions, AreTemplatesOfAnyType) {
    in_both_views("functions",
                  [](Cuda& cuda) {
                      check_sums_of_four<signed char>(cuda, "sums_of_several<signed char, 4>");
                      check_sums_of_four<unsigned short>(cuda, "sums_of_several<unsigned short, 4>");
                      check_sums_of_four<long long>(cuda, "sums_of_several<long long, 4>");
                      check_sums_of_four<double>(cuda, "sums_of_several<double, 4>");
                  },
                  {"sums_of_several<signed char, 4>", "sums_of_several<unsigned short, 4>",
                   "sums_of_several<long long, 4>", "sums_of_several<double, 4>"});
}

TEST(Functions, TakeAndReturnStructures) {
    using Complex = std::array<float, 2>;
    in_both_views("functions", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto re = random_numbers<float>(n, 10, -50, 50);
            const auto im = random_numbers<float>(n, 11, -50, 50);
            const Complex c{3, -4};
            std::vector<Complex> z, out(n), expected;
            for (std::size_t i = 0; i < n; ++i) {
                z.push_back({re[i], im[i]});
                expected.push_back({re[i] * re[i] - im[i] * im[i] + c[0], 2 * re[i] * im[i] + c[1]});
            }
            cuda.launch("structures_by_value", threads(n, 64), z, out, c, static_cast<int>(n));
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Functions, TakeAStructureAsTheKernelsParameter) {
    struct Polynomial {
        int degree;
        double coefficients[5];
        short shift;
    };
    in_both_views("functions", [](Cuda& cuda) {
        const Polynomial p{.degree = 4, .coefficients = {0.5, 1.5, -2, 8, 3.25}, .shift = -7};
        for (const std::size_t n : sizes) {
            const auto which = random_numbers<int>(n, 12, 0, 100);
            std::vector<double> out(n), expected;
            for (const int i : which) expected.push_back(p.coefficients[i % 5] + p.shift);
            cuda.launch("structure_parameter", threads(n, 64), p, which, out, static_cast<int>(n));
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Functions, HaveLocalArrays) {
    in_both_views("functions", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<unsigned>(n, 13, 0, 4'000'000'000);
            std::vector<int> most_frequent(n), expected;
            for (const unsigned number : in) {
                std::array<int, 10> counts{};
                for (unsigned x = number; x != 0; x /= 10) ++counts[x % 10];
                expected.push_back(static_cast<int>(std::ranges::max_element(counts) - counts.begin()));
            }
            cuda.launch("local_array", threads(n, 64), in, most_frequent, static_cast<int>(n));
            EXPECT_EQ(most_frequent, expected);
        }
    });
}

TEST(Functions, AreVirtual) {
    in_both_views("functions", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto weights = random_numbers<int>(n, 14, 1, 100);
            std::vector<int> food(n), expected;
            for (std::size_t i = 0; i < n; ++i) expected.push_back(weights[i] * (i % 3 == 0 ? 3 : 1));
            cuda.launch("virtual_functions", threads(n, 64), weights, food, static_cast<int>(n));
            EXPECT_EQ(food, expected);
        }
    });
}

TEST(Functions, Switch) {
    in_both_views("functions", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<int>(n, 15, -2, 8);
            const std::array<int, 7> results{100, 7, -2, -3, 128, 5 ^ 0x55, 2};
            std::vector<int> out(n), expected;
            for (const int x : in) expected.push_back(x >= 0 && x < 7 ? results[x] : -1);
            cuda.launch("switches", threads(n, 64), in, out, static_cast<int>(n));
            EXPECT_EQ(out, expected);
        }
    });
}

}  // namespace
}  // namespace lanescope::course
