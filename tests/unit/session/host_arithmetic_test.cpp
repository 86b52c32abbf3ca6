// Numbers of host code against those of the compiler that builds this test: each expression is read twice.
#include "session/host_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace lanescope::session {
namespace {

using testing::Contains;
using testing::HasSubstr;

Result<HostRun> passed(const std::string& body) {
    const DeviceContents none = [](const HostRun&) -> Result<std::vector<std::vector<std::byte>>> {
        return fail("no result is looked at");
    };
    return run_host_code("__global__ void k(double x) {}\nint main() {\n" + body + "\nk<<<1, 1>>>(r);\n}\n", "t.cu",
                         {.function = "main", .arguments = {}, .most_work = 200'000}, none);
}

double number_of(const Result<HostRun>& run, const std::string& body) {
    if (!run) {
        ADD_FAILURE() << body << ": " << run.error().message();
        return 0;
    }
    const HostArgument& argument = run->launches.at(0).arguments.at(0);
    return argument.floating ? argument.real : double(argument.whole);
}

// What is tested overflows on purpose, or compares signed with unsigned, or narrows.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wuseless-cast"
// NOLINTBEGIN
#define SAME(...)                                                            \
    {                                                                        \
        __VA_ARGS__ const std::string body = #__VA_ARGS__;                   \
        EXPECT_EQ(number_of(passed(body), body), double(r)) << #__VA_ARGS__; \
    }

TEST(HostArithmetic, divides_and_wraps_as_the_types_say) {
    SAME(int a = 7, b = 2; double r = a / b;)
    SAME(int a = -7, b = 2; double r = a / b + a % b;)
    SAME(float r = 7 / 2 * 2.0f;)
    SAME(unsigned a = 3, b = 5; double r = a - b;)
    SAME(unsigned a = 3; int b = 5; double r = (a - b) / 2;)
    SAME(unsigned long a = 3; int b = 5; double r = (a - b) / 2;)
    SAME(unsigned x = 12345u; x = x * 1103515245u + 12345u; double r = x;)
    SAME(unsigned x = 2463534242u; x ^= x << 13; x ^= x >> 17; x ^= x << 5; double r = x;)
    SAME(unsigned long long x = 88172645463325252ull; x ^= x << 13; x ^= x >> 7; double r = x % 1000003;)
    SAME(unsigned char c = 250; c += 10; double r = c;)
    SAME(char c = 'a'; c++; double r = c + 'b' - '\n' + '\x41' + '\0';)
    SAME(short s = 32767; s++; double r = s;)
    SAME(int i = 70000; short s = i; double r = s;)
    SAME(unsigned char a = 200, b = 100; double r = a + b;)
    SAME(long long n = 1 << 20; double r = n * n;)
    SAME(int n = 1 << 16; double r = n * sizeof(float) * 65536;)
    SAME(unsigned u = ~0; double r = u;)
    SAME(unsigned u = 1; double r = -u;)
    SAME(double r = 0xffffffff + 1;)
    SAME(double r = 4294967295 + 1;)
    SAME(double r = 0777 + 0b101;)
}

TEST(HostArithmetic, compares_and_shifts_as_the_types_say) {
    SAME(int a = -1; unsigned b = 1; double r = a < b;)
    SAME(int a = -1; long b = 1; double r = a < b;)
    SAME(unsigned a = 4000000000u; long b = -1; double r = a > b;)
    SAME(int a = -16; double r = a >> 2;)
    SAME(unsigned a = -16; double r = a >> 2;)
    SAME(unsigned char a = 255; double r = a << 8;)
    SAME(float x = 16777216; double r = x == 16777217;)
    SAME(float x = 0.1f; double r = x == 0.1;)
    SAME(bool b = 6; double r = b + 1;)
    SAME(bool b = 0.5; b = b && 4; double r = b;)
    SAME(int n = 5; double r = n > 3 ? 1 : 0.5;)
    SAME(int n = 5; double r = (n > 3 ? n : 2u) - 6;)
}

TEST(HostArithmetic, rounds_floats_as_floats) {
    SAME(float x = 0.1f, y = 0.2f; double r = x + y;)
    SAME(float x = 1.0f / 3; double r = x * 3.0f;)
    SAME(float x = 1.0f / 3; double r = x * 3.0;)
    SAME(float s = 0; for (int i = 0; i < 1000; i++) s += 0.1f; double r = s;)
    SAME(double s = 0; for (int i = 0; i < 1000; i++) s += 0.1f; double r = s;)
    SAME(float x = 16777217; double r = x;)
    SAME(int x = 2.9f; double r = x;)
    SAME(int x = -2.9; double r = x;)
    SAME(float x = 2.0f; double r = sqrtf(x) + sqrt(2.0);)
    SAME(float x = (float)1 / 3; auto y = x * 2; y = 1.0 / 3; double r = y;)
    SAME(auto n = 7; n = 2.9; double r = n;)
    SAME(double r = 1e-3f * 1000;)
}

TEST(HostArithmetic, assigns_in_every_compound_form) {
    SAME(int a = 77; a >>= 1; a <<= 3; a |= 5; a &= 251; a %= 100; a ^= 9; a += 4; a -= 1; a *= 3; a /= 2;
         double r = a;)
    SAME(int a[2] = {5, 9}; a[1] ^= a[0]; a[0] >>= 1; int i = 0; a[i++] += 3; double r = a[0] * 100 + a[1] * 10 + i;)
    SAME(int n = 100, steps = 0; while (n >>= 1) steps++; double r = steps;)
    SAME(int a = 3; a *= 2.5; double r = a;)
    SAME(unsigned char c = 1; int b = (c += 255); double r = b;)
    SAME(int a, b; a = b = 3.7; double r = a + b;)
    SAME(unsigned char c = 255; int b = ++c; double r = b + c++;)
    SAME(int a = 3; (a += 2) *= 2; double r = a;)
}

TEST(HostArithmetic, has_the_random_numbers_of_the_gnu_library) {
    SAME(srand(42); double r = 0; for (int i = 0; i < 50; i++) r += rand() % 100 * (i + 1);)
    SAME(srand(1); double r = rand() / (double)RAND_MAX;)
}
// NOLINTEND
#pragma GCC diagnostic pop

TEST(HostArithmetic, tells_of_an_int_that_overflows) {
    const auto run = passed("int n = 1 << 20;\nint r = n * n;");
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_THAT(run->notes, Contains("line 4: an int overflows here and is taken to become 0"));
    EXPECT_TRUE(passed("unsigned n = 1 << 20; unsigned r = n * n;")->notes.empty());
    const auto divided = passed("int n = 0; int r = 1 / n;");
    ASSERT_FALSE(divided);
    EXPECT_THAT(divided.error().what, HasSubstr("division by zero"));
}

}  // namespace
}  // namespace lanescope::session
