#include "cli/table.h"

#include <gtest/gtest.h>

namespace lanescope::cli {
namespace {

TEST(Table, AlignsWordsLeftAndNumbersRight) {
    Table table({{{"pass"}, false}, {{"lanes"}}});
    table.add({"load", "1,024"});
    table.add_rule();
    table.add({"a longer one", "8"});
    EXPECT_EQ(table.text(),
              "pass          lanes\n"
              "-------------------\n"
              "load          1,024\n"
              "-------------------\n"
              "a longer one      8\n");
}

TEST(Table, CountsLettersAndNotBytes) {
    Table table({{{"größe"}, false}, {{"n"}}});
    table.add({"abcde", "1"});
    EXPECT_EQ(table.text(), "größe  n\n--------\nabcde  1\n");
}

TEST(Table, GroupsDigitsByThree) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(1234567), "1,234,567");
}

}  // namespace
}  // namespace lanescope::cli
