#include "cli/validators.h"

#include <gmock/gmock.h>

namespace lanescope::cli {
namespace {

using testing::HasSubstr;

/// The text as rewritten by the validator, or the error if it is refused.
std::string read(const CLI::Validator& validator, std::string text) {
    const std::string error = validator(text);
    return error.empty() ? text : "error: " + error;
}

TEST(WholeNumber, IsDecimalOrAPower) {
    const CLI::Validator any = whole_number({0, ~0ULL});
    EXPECT_EQ(read(any, "1024"), "1024");
    EXPECT_EQ(read(any, "2^20"), "1048576");
    for (const char* text : {"", " 1", "1 ", "0x10", "1e3", "-1", "+1", "2^", "^2", "2^64", "10^20", "1.5"}) {
        EXPECT_THAT(read(any, text), HasSubstr("error: cannot be")) << text;
    }
}

TEST(WholeNumber, StaysInItsRange) {
    const CLI::Validator small = whole_number({1, 8});
    EXPECT_EQ(read(small, "8"), "8");
    EXPECT_EQ(read(small, "9"), "error: cannot be \"9\"\nExpected a whole number from 1 to 8, such as 1024 or 2^10.");
    EXPECT_THAT(read(small, "0"), HasSubstr("error"));
}

TEST(NumberPair, HasItsDelimiterAndBothInRange) {
    const CLI::Validator size = number_pair('x', {1, 9});
    EXPECT_EQ(read(size, "2x3"), "2 3");
    for (const char* text : {"", "x", "2", "2x", "x3", "2,3", "2x30"})
        EXPECT_THAT(read(size, text), HasSubstr("error")) << text;
}

TEST(RealNumber, IsFiniteAndInItsRange) {
    const CLI::Validator scale = real_number({0.5, 8});
    EXPECT_EQ(read(scale, "1.25"), "1.25");
    for (const char* text : {"", "nan", "inf", "0.4", "8.1", "1x"}) EXPECT_THAT(read(scale, text), HasSubstr("error"));
}

TEST(RealRange, IsWrittenAsItsRefusalSays) {
    EXPECT_EQ(text_of(RealRange{200, 8000}), "200 to 8,000");
    EXPECT_EQ(text_of(RealRange{0.04, 60}), "0.04 to 60");
    EXPECT_THAT(read(real_number({200, 8000}), "9"), HasSubstr("Expected a number from 200 to 8,000."));
}

TEST(OneOf, RewritesAWordAsItsValue) {
    const CLI::Validator theme = one_of({{"dark", "0"}, {"light", "1"}}, "Expected `dark` or `light`.");
    EXPECT_EQ(read(theme, "light"), "1");
    EXPECT_EQ(read(theme, "0"), "error: cannot be \"0\"\nExpected `dark` or `light`.");
}

TEST(LaunchValue, IsCheckedByTheRulesOfTheWindowsFields) {
    using session::LaunchField;
    EXPECT_EQ(read(launch_value(LaunchField::block), "2^4x16"), "2^4x16");
    EXPECT_THAT(read(launch_value(LaunchField::block), ""), HasSubstr("16x16"));
    EXPECT_THAT(read(launch_value(LaunchField::arch), "sm_101"), HasSubstr("75, 80"));
}

}  // namespace
}  // namespace lanescope::cli
