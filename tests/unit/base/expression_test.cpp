// The tree that a text has by the grammar, written out with all brackets, and the columns of errors.
#include "base/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using testing::HasSubstr;

std::string written_out(const Expression& expression) {
    using Kind = Expression::Kind;
    const auto& parts = expression.parts;
    switch (expression.kind) {
        case Kind::number:
        case Kind::name: return expression.text;
        case Kind::size_of: return "sizeof<" + expression.text + ">";
        case Kind::negation: return "(-" + written_out(parts[0]) + ")";
        case Kind::operation: return "(" + written_out(parts[0]) + expression.text + written_out(parts[1]) + ")";
        case Kind::call: break;
    }
    std::string arguments;
    for (const Expression& part : parts) arguments += (arguments.empty() ? "" : ",") + written_out(part);
    return expression.text + "(" + arguments + ")";
}

std::string tree(std::string_view text) {
    const auto parsed = parse_expression(text);
    return parsed ? written_out(*parsed) : parsed.error().what;
}

TEST(Expression, BindsAsInCpp) {
    EXPECT_EQ(tree("1 - 2 - 3*n"), "((1-2)-(3*n))");
    EXPECT_EQ(tree("-a*(b + +2)%c"), "(((-a)*(b+2))%c)");
    EXPECT_EQ(tree("a+1<=b && c == 2"), "(((a+1)<=b)&&(c==2))");
    EXPECT_EQ(tree("min(n, ceil(n / 2))"), "min(n,ceil((n/2)))");
    EXPECT_EQ(tree("sizeof(unsigned int)*n"), "(sizeof<unsigned int>*n)");
    EXPECT_EQ(tree("sizeof( const float * )"), "sizeof<const float *>");
}

TEST(Expression, HasNumbersAsTheyAreSpelledAndNamesWithDots) {
    EXPECT_EQ(tree("0x1F-1"), "(0x1F-1)");
    EXPECT_EQ(tree("0x1e-5"), "(0x1e-5)") << "a difference";
    EXPECT_EQ(tree("1.5e-3f+.5"), "(1.5e-3f+.5)");
    EXPECT_EQ(parse_expression("1.5e-3")->kind, Expression::Kind::number);
    EXPECT_EQ(tree("2^20*4k"), "(2^20*4k)");
    EXPECT_EQ(tree("threadIdx.x==3"), "(threadIdx.x==3)");
}

TEST(Expression, KnowsWhereItStands) {
    const std::string_view text = " n * (a + 1) , f( 2 ) ";
    const auto list = parse_expressions(text);
    ASSERT_TRUE(list);
    ASSERT_EQ(list->size(), 2U);
    EXPECT_EQ(list->front().of(text), "n * (a + 1)");
    EXPECT_EQ(list->front().column, 4U);
    EXPECT_EQ(list->front().parts[1].of(text), "(a + 1)");
    EXPECT_EQ(list->back().of(text), "f( 2 )");
}

TEST(Expression, ThatIsNoneIsRefusedWithItsColumn) {
    const auto refused = [](std::string_view text, unsigned column, const char* what) {
        const auto parsed = parse_expression(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().where.column, column) << text;
        EXPECT_THAT(parsed.error().what, HasSubstr(what)) << text;
    };
    refused("", 1, "expected an expression");
    refused("n +", 4, "is incomplete");
    refused("(n", 3, "is incomplete");
    refused("n n", 3, "unexpected \"n\"");
    refused("n, 2", 2, "unexpected \",\"");
    refused("a < b < c", 7, "unexpected \"<\"");
    refused("a = 1", 3, "unexpected \"=\"");
    refused("a || b", 3, "unexpected \"||\"");
    refused("f()", 3, "unexpected \")\"");
    refused("sizeof()", 8, "unexpected \")\"");
    refused("\xff", 1, "unexpected");
    EXPECT_FALSE(parse_expression(std::string(100000, '(')));
    EXPECT_FALSE(parse_expression(std::string(100000, '-') + "1"));
    std::string sum = "1";
    for (int i = 0; i < 100000; ++i) sum += "+1";
    EXPECT_THAT(parse_expression(sum).error().what, HasSubstr("at most"));
}

}  // namespace
}  // namespace lanescope
