#include "cli/values.h"

#include <gtest/gtest.h>

namespace lanescope::cli {
namespace {

constexpr NumberRange any{0, ~0ULL};

TEST(Values, NumbersAreDecimalOrPowers) {
    EXPECT_EQ(read_number("--n", "1024", any).value_or(0), 1024U);
    EXPECT_EQ(read_number("--n", "2^20", any).value_or(0), 1048576U);
    for (const char* text : {"", " 1", "1 ", "0x10", "1e3", "-1", "+1", "2^", "^2", "2^64", "10^20", "1.5"}) {
        EXPECT_FALSE(read_number("--n", text, any)) << text;
    }
}

TEST(Values, NumbersStayInTheirRange) {
    EXPECT_TRUE(read_number("--n", "8", {1, 8}));
    EXPECT_FALSE(read_number("--n", "9", {1, 8}));
    EXPECT_FALSE(read_number("--n", "0", {1, 8}));
}

TEST(Values, ExtentsHaveOneToThreeSizes) {
    EXPECT_EQ(read_extent("--block", "256").value_or(trace::Dim3{}), (trace::Dim3{256, 1, 1}));
    EXPECT_EQ(read_extent("--block", "2^4x16").value_or(trace::Dim3{}), (trace::Dim3{16, 16, 1}));
    EXPECT_EQ(read_extent("--block", "2x3x4").value_or(trace::Dim3{}), (trace::Dim3{2, 3, 4}));
    for (const char* text : {"", "x", "4x", "x4", "1x2x3x4", "0", "4x0", "4294967296", "16,16"}) {
        EXPECT_FALSE(read_extent("--block", text)) << text;
    }
}

TEST(Values, ComputeCapabilitiesMayBeWrittenAsTheToolsDo) {
    EXPECT_EQ(read_arch("75").value_or(0), 75U);
    EXPECT_EQ(read_arch("sm_80").value_or(0), 80U);
    EXPECT_EQ(read_arch("compute_90").value_or(0), 90U);
    EXPECT_FALSE(read_arch("sm_100"));
    EXPECT_FALSE(read_arch("native"));
}

TEST(Values, AnArgumentIsANameAndAPlan) {
    const auto argument = read_argument("in=input(n) as random 3");
    ASSERT_TRUE(argument);
    EXPECT_EQ(argument->first, "in");
    EXPECT_EQ(argument->second, "input(n) as random 3");
    EXPECT_FALSE(read_argument("=3"));
    EXPECT_FALSE(read_argument("in="));
}

}  // namespace
}  // namespace lanescope::cli
