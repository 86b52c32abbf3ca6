// Function templates, lambdas, macros and <random> in host code.
#include "session/host_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace lanescope::session {
namespace {

using testing::ElementsAre;

/// What the one launch of main is passed behind its first argument.
std::vector<double> passed(const std::string& body, const std::string& before) {
    const DeviceContents none = [](const HostRun&) -> Result<std::vector<std::vector<std::byte>>> {
        return fail("no result is looked at");
    };
    const auto run = run_host_code(before + "\nint main() {\nint* d; cudaMalloc(&d, 64);\n" + body + "\n}\n", "t.cu",
                                   {.function = "main", .arguments = {}, .most_work = 200'000}, none);
    if (!run) {
        ADD_FAILURE() << run.error().message();
        return {};
    }
    std::vector<double> values;
    for (const HostLaunch& launch : run->launches)
        for (std::size_t i = 1; i < launch.arguments.size(); ++i)
            values.push_back(launch.arguments[i].floating ? launch.arguments[i].real
                                                          : double(launch.arguments[i].whole));
    return values;
}

const std::string kernel = "__global__ void k(int* p, double x) {}\n";

TEST(HostFunctions, know_what_their_template_parameters_stand_for) {
    EXPECT_THAT(passed("k<<<1, 1>>>(d, half(7)); k<<<1, 1>>>(d, half(7.0f)); k<<<1, 1>>>(d, half<double>(7));",
                       kernel + "template <typename T> T half(T x) { T two = 2; return x / two; }"),
                ElementsAre(3, 3.5, 3.5));
    EXPECT_THAT(
        passed("std::vector<float> v(5); fill(v, 3);  k<<<1, 1>>>(d, v[4] / 2); int b = bytes<4>(); k<<<1, "
               "1>>>(d, b);",
               kernel + "template <typename T> void fill(std::vector<T>& v, T x) { for (T& own : v) own = x; }\n"
                        "template <int N> int bytes() { return N * sizeof(short); }"),
        ElementsAre(1.5, 8));
}

TEST(HostFunctions, that_are_templates_launch_instances_of_their_types) {
    const DeviceContents none = [](const HostRun&) -> Result<std::vector<std::vector<std::byte>>> {
        return fail("no result is looked at");
    };
    const auto run = run_host_code(
        "template <typename T, int B> __global__ void k(T* p) {}\n"
        "template <typename T> void go(const std::vector<T>& v) { T* d; cudaMalloc(&d, v.size() * sizeof(T));\n"
        "  k<T, 64><<<1, 64>>>(d); }\n"
        "int main() { std::vector<double> v(3); go(v); go<float>(std::vector<float>(2)); }\n",
        "t.cu", {.function = "main", .arguments = {}, .most_work = 200'000}, none);
    ASSERT_TRUE(run) << run.error().message();
    ASSERT_EQ(run->launches.size(), 2U);
    EXPECT_THAT(run->launches[0].template_arguments, ElementsAre("double", "64"));
    EXPECT_EQ(run->buffers[0].initial.size(), 24U);
    EXPECT_THAT(run->launches[1].template_arguments, ElementsAre("float", "64"));
}

TEST(HostFunctions, may_be_lambdas) {
    EXPECT_THAT(
        passed(
            "int n = 10; auto blocks = [&](int threads) { return (n + threads - 1) / threads; };\n"
            "k<<<1, 1>>>(d, blocks(4)); n = 20; k<<<1, 1>>>(d, blocks(4));\n"
            "auto add = [](auto a, auto b) -> double { return a + b; }; k<<<1, 1>>>(d, add(1, 0.5));\n"
            "std::vector<int> v(4); int next = 0; std::generate(v.begin(), std::end(v), [&] { return next += 2; });\n"
            "k<<<1, 1>>>(d, v[3]);",
            kernel),
        ElementsAre(3, 5, 1.5, 8));
}

TEST(HostFunctions, see_macros_written_out) {
    EXPECT_THAT(passed("int a = 1, b = 2; SWAP(int, a, b); k<<<1, 1>>>(d, a * 10 + b); k<<<1, 1>>>(d, TWICE * 2);\n"
                       "int h[6] = {0}; AT(h, 1, 2) = 7; k<<<1, 1>>>(d, h[5]); EACH(i, 3) a += i; k<<<1, 1>>>(d, a);\n"
                       "k<<<1, 1>>>(d, SIZE * 1024 * 1024 / 1024);",
                       kernel + "#define SWAP(T, x, y) do { T t = x; x = y; y = t; } while (0)\n#define TWICE 3 + 3\n"
                                "#define AT(m, r, c) m[(r) * 3 + (c)]\n#define EACH(i, n) for (int i = 0; i < n; i++)\n"
                                "#define SIZE (N * sizeof(float))\n#define N (1 << 20)\n"),
                ElementsAre(21, 9, 7, 5, 4294967296.0));
}

TEST(HostFunctions, draw_the_numbers_that_the_library_draws) {
    std::mt19937 engine(42);
    std::uniform_int_distribution<int> whole(0, 999);
    std::uniform_real_distribution<float> real(-1.0F, 1.0F);
    std::normal_distribution<double> normal(5, 2);
    std::vector<double> expected;
    for (int i = 0; i < 3; ++i) expected.push_back(whole(engine));
    expected.push_back(double(real(engine)));
    expected.push_back(normal(engine));
    expected.push_back(double(engine()));
    EXPECT_EQ(
        passed(
            "std::mt19937 gen(42); std::uniform_int_distribution<> whole(0, 999);\n"
            "std::uniform_real_distribution<float> real{-1.0f, 1.0f}; std::normal_distribution<double> normal(5, 2);\n"
            "for (int i = 0; i < 3; i++) k<<<1, 1>>>(d, whole(gen)); k<<<1, 1>>>(d, real(gen));\n"
            "k<<<1, 1>>>(d, draw(normal, gen)); k<<<1, 1>>>(d, gen());",
            kernel + "template <typename D> double draw(D& d, std::mt19937& g) { return d(g); }"),
        expected);
    EXPECT_FALSE(
        passed("std::random_device rd; std::default_random_engine e(rd()); std::uniform_real_distribution<> u;\n"
               "std::mt19937 other{std::random_device{}()}; k<<<1, 1>>>(d, u(e) + u(other));",
               kernel)
            .empty());
}

}  // namespace
}  // namespace lanescope::session
