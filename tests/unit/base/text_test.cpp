#include "base/text.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(TextEncoding, LeavesUtf8AsItIs) {
    for (const char* text : {"", "int a; // plain", "// für \u4E2D\u6587 \U0001F600"}) EXPECT_EQ(to_utf8(text), text);
}

TEST(TextEncoding, ReadsChineseCommentsOfOlderEditors) {
    EXPECT_EQ(to_utf8("int a; // \xD6\xD0\xCE\xC4"), "int a; // \u4E2D\u6587");
}

TEST(TextEncoding, TakesSingleAccentsForLatin1) {
    EXPECT_EQ(to_utf8("// f\xFCr alle"), "// f\u00FCr alle");
    EXPECT_EQ(to_utf8("// \x80"), "// \uFFFD");
}

TEST(TextEncoding, KnowsWhatIsNotUtf8) {
    for (const char* bytes : {"\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE4\xB8", "\xFF"})
        EXPECT_FALSE(is_utf8(bytes));
}

TEST(LinesOf, AreWithoutTheirEnds) {
    EXPECT_EQ(lines_of("a\n\nb c\r\nd"), (std::vector<std::string_view>{"a", "", "b c", "d"}));
    EXPECT_EQ(lines_of("a\n"), std::vector<std::string_view>{"a"}) << "no line follows the last end";
    EXPECT_TRUE(lines_of("").empty());
}

TEST(FindWord, PassesOverLongerNames) {
    EXPECT_EQ(find_word("ab = a + b;", "a"), 5U);
    EXPECT_EQ(find_word("ab = a + b;", "a", 6), std::string_view::npos);
    EXPECT_EQ(find_word("x_y[x]", "x"), 4U);
    EXPECT_EQ(find_word("NVIDIA GH200 480GB", "H200"), std::string_view::npos);
    EXPECT_EQ(find_word("any", ""), std::string_view::npos);
}

TEST(Listed, HasAnAndBeforeTheLast) {
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed({"a"}), "a");
    EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
}

}  // namespace
}  // namespace lanescope
