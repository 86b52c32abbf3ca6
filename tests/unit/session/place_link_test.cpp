// A link to a place is written and read back; other text is refused.
#include "session/place_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

TEST(PlaceLink, IsReadAsItWasWritten) {
    PlaceLink link;
    link.launch[LaunchField::program] = "/home/me/my kernels/50% #1?.cu";
    link.launch[LaunchField::block] = "16x16";
    link.launch[LaunchField::input] = "random 7";
    link.launch[LaunchField::command_line] = "--size \"a & b\" =";
    link.launch.arguments["in"] = "input(n) as ones";
    link.launch.anyway = true;
    link.place = {.launch = 2, .block = BlockId{3}, .position = 41, .selected = std::pair(2U, 5U)};
    link.ptx = 0x9f3ac01b;
    link.has_place = true;
    const std::string text = text_of(link);
    EXPECT_TRUE(is_link(text));
    EXPECT_EQ(text.find(' '), std::string::npos);
    const auto read = read_link(text);
    ASSERT_TRUE(read.has_value()) << read.error().message();
    EXPECT_EQ(read->launch, link.launch);
    EXPECT_EQ(read->place.launch, 2U);
    EXPECT_EQ(read->place.block, BlockId{3});
    EXPECT_EQ(read->place.position, 41U);
    EXPECT_EQ(read->place.selected, link.place.selected);
    EXPECT_EQ(read->ptx, link.ptx);
}

TEST(PlaceLink, ReadsWhatAPersonTypes) {
    const auto read = read_link("lanescope:reduce/sequential?block=128#launch/0/block/3/step/41");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->launch[LaunchField::program], "reduce/sequential");
    EXPECT_EQ(read->place.position, 41U);
    EXPECT_FALSE(read->ptx.has_value());
    const auto whole = read_link("lanescope:reduce/sequential");
    ASSERT_TRUE(whole.has_value());
    EXPECT_FALSE(whole->has_place);
}

TEST(PlaceLink, RefusesWhatItDoesNotKnow) {
    for (const char* const text :
         {"reduce/sequential", "lanescope:", "lanescope:?block=1", "lanescope:a?blok=1", "lanescope:a?program=b",
          "lanescope:a#pass/3", "lanescope:a#step/x", "lanescope:a#step/-1", "lanescope:a#cell/1",
          "lanescope:a#ptx/xyz", "lanescope:a#step", "lanescope:a?n=12x", "lanescope:a?view=compild"})
        EXPECT_FALSE(read_link(text).has_value()) << text;
}

}  // namespace
}  // namespace lanescope::session
