#include "base/grouped.h"
#include "base/files.h"

#include <gtest/gtest.h>

#include <fstream>

namespace lanescope {
namespace {

TEST(Grouped, SeparatesEveryThreeDigits) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(1073741824), "1,073,741,824");
}

TEST(Counted, HasTheNounInTheSingularOrThePlural) {
    EXPECT_EQ(counted(1, "lane"), "1 lane");
    EXPECT_EQ(counted(0, "lane"), "0 lanes");
    EXPECT_EQ(counted(1234567, "lane"), "1,234,567 lanes");
    EXPECT_EQ(counted(1, "access"), "1 access");
    EXPECT_EQ(counted(2, "access"), "2 accesses");
    EXPECT_EQ(counted(2, "divergent branch"), "2 divergent branches");
}

TEST(Noun, IsTheWordOfACountWithoutItsNumber) {
    EXPECT_EQ(noun(1, "lane"), "lane");
    EXPECT_EQ(noun(3, "lane"), "lanes");
    EXPECT_EQ(noun(0, "access"), "accesses");
}

TEST(NumbersOf, BeginAtZero) {
    EXPECT_EQ(numbers_of("This run", "pass", 4), "This run has passes 0 to 4.");
    EXPECT_EQ(numbers_of("This program", "launch", 0), "This program has launch 0 only.");
    EXPECT_EQ(numbers_of("Block 2", "step", 1234), "Block 2 has steps 0 to 1,234.");
}

TEST(Verb, AgreesWithTheCount) {
    EXPECT_EQ(verb(1, "execute"), "executes");
    EXPECT_EQ(verb(0, "execute"), "execute");
    EXPECT_EQ(verb(1, "go"), "goes");
    EXPECT_EQ(verb(1, "reach"), "reaches");
    EXPECT_EQ(verb(2, "are", "is"), "are");
    EXPECT_EQ(verb(1, "are", "is"), "is");
}

TEST(AddressText, IsHexadecimalInLowerCase) {
    EXPECT_EQ(address_text(0), "0x0");
    EXPECT_EQ(address_text(0x7F0000000010), "0x7f0000000010");
}

TEST(LimitText, IsAPowerOfTwoOnlyWhereItIsLarge) {
    EXPECT_EQ(limit_text(1024), "1,024");
    EXPECT_EQ(limit_text(65535), "65,535");
    EXPECT_EQ(limit_text(std::uint64_t{1} << 24), "2²⁴");
    EXPECT_EQ(limit_text(232448), "232,448");
}

TEST(SizeText, IsAPowerOfTwoFromOneThousandOn) {
    EXPECT_EQ(size_text(512), "512");
    EXPECT_EQ(size_text(1024), "2¹⁰");
    EXPECT_EQ(size_text(1000), "1,000");
}

TEST(WithGroupedNumbers, GroupsTheNumbersOfARule) {
    EXPECT_EQ(with_grouped_numbers("power of two, 2 to 1024"), "power of two, 2 to 1,024");
    EXPECT_EQ(with_grouped_numbers(""), "");
}

TEST(Rounded, IsAWholeNumberInGroups) {
    EXPECT_EQ(rounded(2114.4), "2,114");
    EXPECT_EQ(rounded(0.2), "0");
}

TEST(ReadFile, GivesAllBytesOrSaysWhyNot) {
    const std::string path = testing::TempDir() + "read_file_test.bin";
    const std::string bytes("a\0b\r\n\xff", 6);
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    EXPECT_EQ(read_file(path).value_or(""), bytes);
    const auto missing = read_file(path + ".missing");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().where.file, path + ".missing");
    EXPECT_NE(missing.error().what.find("No such file"), std::string::npos);
    EXPECT_FALSE(read_file(testing::TempDir())) << "a folder";
}

}  // namespace
}  // namespace lanescope
