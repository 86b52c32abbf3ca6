#include "base/whole_number.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

namespace lanescope {
namespace {

TEST(WholeNumber, IsAllOfTheText) {
    EXPECT_EQ(whole_number<int>("-12"), -12);
    EXPECT_EQ(whole_number<unsigned>("ff", 16), 255U);
    for (const char* text : {"", "-", "12 ", " 12", "+12", "12a", "1.5", "99999999999"})
        EXPECT_EQ(whole_number<int>(text), std::nullopt) << text;
    EXPECT_EQ(whole_number<unsigned>("-1"), std::nullopt);
}

TEST(WholeNumber, LeavesItsTargetWhereTheTextIsNone) {
    int number = 7;
    EXPECT_FALSE(read_whole_number("x", number));
    EXPECT_EQ(number, 7);
    EXPECT_TRUE(read_whole_number("8", number));
    EXPECT_EQ(number, 8);
}

TEST(TakeNumber, ReadsTheDigitsAtTheFrontAndLeavesTheRest) {
    std::string_view text = "12:34";
    EXPECT_EQ(take_number<unsigned>(text), 12U);
    EXPECT_EQ(text, ":34");
    EXPECT_EQ(take_number<unsigned>(text), std::nullopt);
    EXPECT_EQ(text, ":34");
}

TEST(TakeNumber, TakesNothingOfANumberThatTheTypeDoesNotHold) {
    std::string_view text = "300,1";
    EXPECT_EQ(take_number<std::uint8_t>(text), std::nullopt);
    EXPECT_EQ(text, "300,1");
}

}  // namespace
}  // namespace lanescope
