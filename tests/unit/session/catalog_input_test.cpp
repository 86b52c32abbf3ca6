#include "session/input.h"

#include <gmock/gmock.h>

namespace lanescope::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using trace::Element;

std::vector<double> values(std::string_view input, std::uint64_t count, Element element = Element::s32) {
    const Result<Input> made = make_input(input, element, count);
    EXPECT_TRUE(made) << made.error().message();
    std::vector<double> result;
    for (std::uint64_t i = 0; made && i < count; ++i)
        result.push_back(decode(element, trace::bits_at(element, made->bytes, i)));
    return result;
}

TEST(Input, ByRule) {
    EXPECT_THAT(values("iota", 4), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(values("ones", 3, Element::f16), ElementsAre(1, 1, 1));
    EXPECT_THAT(values("iota", 0), IsEmpty());
}

TEST(Input, RandomIsTheSameEverywhereAndSmall) {
    EXPECT_THAT(values("random 1", 6), ElementsAre(-2, 3, 1, -1, 9, -8));
    EXPECT_EQ(values("random", 50), values("random 0", 50));
    EXPECT_NE(values("random 1", 50), values("random 2", 50));
    EXPECT_EQ(values("random 7", 50, Element::f64), values("random 7", 50, Element::s32));
    for (const double value : values("random 3", 1000)) EXPECT_TRUE(value >= -9 && value <= 9);
}

TEST(Input, ExamplesOfTheLecturesBeginAgain) {
    EXPECT_THAT(values("blelloch", 10), ElementsAre(4, 2, 1, 3, 2, 6, 5, 1, 4, 2));
    EXPECT_THAT(values("lecture-scan", 8), ElementsAre(6, 4, 16, 10, 16, 14, 2, 8));
    EXPECT_THAT(values("classic", 16), ElementsAre(10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2));
    EXPECT_THAT(make_input("blelloch", Element::s32, 10)->notes, ElementsAre(HasSubstr("repeated")));
    EXPECT_THAT(make_input("blelloch", Element::s32, 8)->notes, IsEmpty());
}

TEST(Input, TypedValuesAreFollowedByZeros) {
    EXPECT_THAT(values(" 1, 2;3 4\t5 ", 7), ElementsAre(1, 2, 3, 4, 5, 0, 0));
    EXPECT_THAT(values("1.5 -2e3 0.25f", 3, Element::f32), ElementsAre(1.5, -2000, 0.25));
    EXPECT_THAT(make_input("1 2", Element::s32, 4)->notes, ElementsAre(HasSubstr("zeros follow the 2 typed values")));
    EXPECT_THAT(values("1 2 3", 2), ElementsAre(1, 2));
    EXPECT_THAT(make_input("1 2 3", Element::s32, 2)->notes, ElementsAre(HasSubstr("the first 2")));
}

TEST(Input, TypedValuesStartOverWhereThatIsAsked) {
    EXPECT_THAT(values("repeat 1 0 0", 7), ElementsAre(1, 0, 0, 1, 0, 0, 1));
    EXPECT_THAT(values("repeat 0.5", 3, Element::f64), ElementsAre(0.5, 0.5, 0.5));
    EXPECT_THAT(values("repeat 1 2 3", 2), ElementsAre(1, 2));
    EXPECT_THAT(make_input("repeat 1 2", Element::s32, 5)->notes,
                ElementsAre("the 2 typed values are repeated, up to 5 elements"));
    EXPECT_THAT(make_input("repeat 1 2", Element::s32, 2)->notes, IsEmpty());
}

TEST(Input, ThatCannotBeIsRefusedWithItsColumn) {
    const auto column = [](std::string_view input, Element element) {
        const auto made = make_input(input, element, 4);
        EXPECT_FALSE(made) << input;
        return made ? 0 : made.error().where.column;
    };
    EXPECT_EQ(column("1 2 x", Element::s32), 5U);
    EXPECT_EQ(column("1 2.5", Element::s32), 3U);
    EXPECT_EQ(column("1 300", Element::u8), 3U);
    EXPECT_EQ(column("-1", Element::u32), 1U);
    EXPECT_EQ(column("iota 3", Element::s32), 6U);
    EXPECT_EQ(column("random -1", Element::s32), 8U);
    EXPECT_EQ(column("random 1 2", Element::s32), 10U);
    EXPECT_EQ(column("1e39", Element::f32), 1U);
    EXPECT_EQ(column("70000", Element::f16), 1U);
    EXPECT_EQ(column("repeat 1 x", Element::s32), 10U);
    EXPECT_FALSE(make_input("repeat", Element::s32, 4));
    EXPECT_FALSE(make_input("", Element::s32, 4));
    EXPECT_FALSE(make_input("classics", Element::s32, 4));
}

TEST(Input, HasANaturalSizeWhereValuesAreGiven) {
    EXPECT_THAT(natural_size("6 4 16"), Optional(3U));
    EXPECT_THAT(natural_size("classic"), Optional(16U));
    EXPECT_THAT(natural_size("repeat 6 4 16"), Optional(3U));
    EXPECT_EQ(natural_size("iota"), std::nullopt);
    EXPECT_EQ(natural_size("random 3"), std::nullopt);
    EXPECT_EQ(natural_size("6 x"), std::nullopt);
    EXPECT_EQ(natural_size(""), std::nullopt);
}

TEST(Encode, KeepsTheBoundsOfEveryType) {
    EXPECT_THAT(encode(Element::s8, "-128"), Optional(0x80U));
    EXPECT_EQ(encode(Element::s8, "-129"), std::nullopt);
    EXPECT_EQ(encode(Element::s8, "128"), std::nullopt);
    EXPECT_THAT(encode(Element::u64, "18446744073709551615"), Optional(0xffffffffffffffffU));
    EXPECT_THAT(encode(Element::s64, "-9223372036854775808"), Optional(0x8000000000000000U));
    EXPECT_EQ(encode(Element::s64, "9223372036854775808"), std::nullopt);
    EXPECT_THAT(encode(Element::u32, "0x10"), Optional(16U));
    for (const char* bad : {"", "-", "+", "0x", "1 ", " 1", "f", "nan", "inf", "--1", "1f2", "1_0"}) {
        EXPECT_EQ(encode(Element::s32, bad), std::nullopt) << bad;
        EXPECT_EQ(encode(Element::f64, bad), std::nullopt) << bad;
    }
}

/// IEEE 754: half has 5 and 10 bits, bfloat16 8 and 7; round to nearest even, subnormals kept.
TEST(Encode, RoundsNarrowFloatsAsIeeeSays) {
    EXPECT_EQ(encode_float(Element::f16, 1.0), 0x3c00U);
    EXPECT_EQ(encode_float(Element::f16, -2.0), 0xc000U);
    EXPECT_EQ(encode_float(Element::f16, 65504), 0x7bffU);
    EXPECT_EQ(encode_float(Element::f16, 65520), 0x7c00U);
    EXPECT_EQ(encode_float(Element::f16, 2049), 0x6800U);  // a tie: to even
    EXPECT_EQ(encode_float(Element::f16, 2051), 0x6802U);
    EXPECT_EQ(encode_float(Element::f16, 0x1p-24), 0x0001U);
    EXPECT_EQ(encode_float(Element::f16, 0x1p-25), 0x0000U);
    EXPECT_EQ(encode_float(Element::f16, 0x1.ffcp-15), 0x0400U);
    EXPECT_EQ(encode_float(Element::bf16, 1.0), 0x3f80U);
    EXPECT_EQ(encode_float(Element::bf16, 3.140625), 0x4049U);
    for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
        for (const Element element : {Element::f16, Element::bf16}) {
            const double value = decode(element, bits);
            if (value == value) {
                ASSERT_EQ(encode_float(element, value), bits);
            }
        }
    }
}

}  // namespace
}  // namespace lanescope::session
