// Integer operators, against values worked out by hand or by a straightforward reference.
#include "operators.h"

#include <bit>
#include <random>

namespace lanescope::execute {
namespace {

constexpr std::uint64_t least32 = 0x80000000U;
constexpr std::uint64_t most32 = 0x7FFFFFFFU;
constexpr std::uint64_t ones32 = 0xFFFFFFFFU;
constexpr std::uint64_t ones64 = ~0ULL;
constexpr std::uint64_t least64 = 1ULL << 63;

TEST(IntegerAddition, Wraps) {
    EXPECT_EQ(evaluate("add.s32 d, a, b", "b32 b32 b32", {most32, 1}), least32);
    EXPECT_EQ(evaluate("add.u64 d, a, b", "b64 b64 b64", {ones64, 2}), 1U);
    EXPECT_EQ(evaluate("add.u16 d, a, b", "b16 b16 b16", {0xFFFF, 2}), 1U);
    EXPECT_EQ(evaluate("sub.s32 d, a, b", "b32 b32 b32", {least32, 1}), most32);
}

TEST(IntegerAddition, SaturatesWhereAsked) {
    EXPECT_EQ(evaluate("add.sat.s32 d, a, b", "b32 b32 b32", {most32, 1}), most32);
    EXPECT_EQ(evaluate("add.sat.s32 d, a, b", "b32 b32 b32", {least32, s32(-1)}), least32);
    EXPECT_EQ(evaluate("sub.sat.s32 d, a, b", "b32 b32 b32", {least32, 1}), least32);
    EXPECT_EQ(evaluate("mad.hi.sat.s32 d, a, b, c", "b32 b32 b32 b32", {most32, most32, most32}), most32);
}

TEST(IntegerMultiplication, GivesLowHighAndWideHalves) {
    EXPECT_EQ(evaluate("mul.lo.s32 d, a, b", "b32 b32 b32", {s32(-3), 5}), s32(-15));
    EXPECT_EQ(evaluate("mul.hi.s32 d, a, b", "b32 b32 b32", {s32(-3), 5}), s32(-1));
    EXPECT_EQ(evaluate("mul.hi.u32 d, a, b", "b32 b32 b32", {ones32, ones32}), 0xFFFFFFFEU);
    EXPECT_EQ(evaluate("mul.wide.s32 d, a, b", "b64 b32 b32", {s32(-3), 5}), s64(-15));
    EXPECT_EQ(evaluate("mul.wide.u32 d, a, b", "b64 b32 b32", {ones32, ones32}), 0xFFFFFFFE00000001U);
    EXPECT_EQ(evaluate("mul.wide.s16 d, a, b", "b32 b16 b16", {s16(-300), s16(300)}), s32(-90000));
    EXPECT_EQ(evaluate("mul.hi.s64 d, a, b", "b64 b64 b64", {s64(-2), 3}), ones64);
    EXPECT_EQ(evaluate("mul.hi.u64 d, a, b", "b64 b64 b64", {ones64, ones64}), ones64 - 1);
    EXPECT_EQ(evaluate("mad.lo.u32 d, a, b, c", "b32 b32 b32 b32", {6, 7, 8}), 50U);
    EXPECT_EQ(evaluate("mad.wide.s32 d, a, b, c", "b64 b32 b32 b64", {s32(-2), 4, 3}), s64(-5));
    EXPECT_EQ(evaluate("mul24.lo.s32 d, a, b", "b32 b32 b32", {0xFFFFFF, 5}), s32(-5));
    EXPECT_EQ(evaluate("mul24.hi.u32 d, a, b", "b32 b32 b32", {0xFFFFFF, 0xFFFFFF}), 0xFFFFFE00U);
    EXPECT_EQ(evaluate("mad24.lo.u32 d, a, b, c", "b32 b32 b32 b32", {3, 4, 5}), 17U);
}

TEST(IntegerDivision, TruncatesTowardsZero) {
    EXPECT_EQ(evaluate("div.s32 d, a, b", "b32 b32 b32", {s32(-7), 2}), s32(-3));
    EXPECT_EQ(evaluate("rem.s32 d, a, b", "b32 b32 b32", {s32(-7), 2}), s32(-1));
    EXPECT_EQ(evaluate("div.u32 d, a, b", "b32 b32 b32", {ones32, 10}), ones32 / 10);
    EXPECT_EQ(evaluate("rem.u64 d, a, b", "b64 b64 b64", {ones64, 10}), ones64 % 10);
}

TEST(IntegerDivision, ByAPowerOfTwoGoesAsByAnyNumber) {
    for (const std::int32_t dividend : {0, 1, 7, 8, -1, -7, -8, -9, INT32_MAX, INT32_MIN}) {
        const auto a = static_cast<std::uint32_t>(dividend);
        for (unsigned power = 0; power < 32; ++power) {
            const std::uint32_t b = 1U << power;
            EXPECT_EQ(evaluate("div.u32 d, a, b", "b32 b32 b32", {a, b}), a / b) << dividend << " " << power;
            EXPECT_EQ(evaluate("rem.u32 d, a, b", "b32 b32 b32", {a, b}), a % b) << dividend << " " << power;
            const std::int64_t divisor = static_cast<std::int32_t>(b);  // the last one is negative
            EXPECT_EQ(evaluate("div.s32 d, a, b", "b32 b32 b32", {a, b}), s32(dividend / divisor))
                << dividend << " " << power;
            EXPECT_EQ(evaluate("rem.s32 d, a, b", "b32 b32 b32", {a, b}), s32(dividend % divisor))
                << dividend << " " << power;
        }
    }
}

TEST(IntegerDivision, ByZeroAndOfTheLeastByMinusOneIsDefined) {
    EXPECT_EQ(evaluate("div.u32 d, a, b", "b32 b32 b32", {7, 0}), ones32);
    EXPECT_EQ(evaluate("div.s32 d, a, b", "b32 b32 b32", {7, 0}), ones32);
    EXPECT_EQ(evaluate("rem.u32 d, a, b", "b32 b32 b32", {7, 0}), ones32);
    EXPECT_EQ(evaluate("div.s32 d, a, b", "b32 b32 b32", {least32, ones32}), least32);
    EXPECT_EQ(evaluate("rem.s32 d, a, b", "b32 b32 b32", {least32, ones32}), 0U);
    EXPECT_EQ(evaluate("div.s64 d, a, b", "b64 b64 b64", {least64, ones64}), least64);
    EXPECT_EQ(evaluate("rem.s64 d, a, b", "b64 b64 b64", {least64, ones64}), 0U);
}

TEST(IntegerExtremes, HeedTheSign) {
    EXPECT_EQ(evaluate("min.s32 d, a, b", "b32 b32 b32", {ones32, 1}), ones32);
    EXPECT_EQ(evaluate("min.u32 d, a, b", "b32 b32 b32", {ones32, 1}), 1U);
    EXPECT_EQ(evaluate("max.s64 d, a, b", "b64 b64 b64", {ones64, 1}), 1U);
    EXPECT_EQ(evaluate("max.u16 d, a, b", "b16 b16 b16", {0x8000, 1}), 0x8000U);
    EXPECT_EQ(evaluate("max.s16 d, a, b", "b16 b16 b16", {0x8000, 1}), 1U);
    EXPECT_EQ(evaluate("abs.s32 d, a", "b32 b32", {s32(-5)}), 5U);
    EXPECT_EQ(evaluate("abs.s32 d, a", "b32 b32", {least32}), least32);
    EXPECT_EQ(evaluate("neg.s16 d, a", "b16 b16", {5}), s16(-5));
    EXPECT_EQ(evaluate("sad.u32 d, a, b, c", "b32 b32 b32 b32", {3, 10, 100}), 107U);
    EXPECT_EQ(evaluate("sad.s32 d, a, b, c", "b32 b32 b32 b32", {s32(-3), 10, 0}), 13U);
}

TEST(DotProducts, AddFourBytesOrTwoHalfWords) {
    EXPECT_EQ(evaluate("dp4a.u32.u32 d, a, b, c", "b32 b32 b32 b32", {0x01020304, 0x01010101, 5}), 15U);
    EXPECT_EQ(evaluate("dp4a.s32.s32 d, a, b, c", "b32 b32 b32 b32", {ones32, 0x01010101, 0}), s32(-4));
    EXPECT_EQ(evaluate("dp2a.lo.s32.u32 d, a, b, c", "b32 b32 b32 b32", {0xFFFF0002, 0x04030201, 0}), s32(2 * 1 - 2));
    EXPECT_EQ(evaluate("dp2a.hi.s32.u32 d, a, b, c", "b32 b32 b32 b32", {0xFFFF0002, 0x04030201, 0}), s32(2 * 3 - 4));
}

TEST(Carries, PassFromWordToWord) {
    const std::string add = ".reg .b32 lo; add.cc.u32 lo, a, b; addc.u32 d, a, b";
    EXPECT_EQ(evaluate(add, "b32 b32 b32", {ones32, 1}), 1U) << "ones + 1 + the carry";
    EXPECT_EQ(evaluate(add, "b32 b32 b32", {5, 6}), 11U);
    const std::string sub = ".reg .b32 lo; sub.cc.u32 lo, a, b; subc.u32 d, a, b";
    EXPECT_EQ(evaluate(sub, "b32 b32 b32", {1, 2}), s32(-2)) << "1 - 2 - the borrow";
    EXPECT_EQ(evaluate(sub, "b32 b32 b32", {2, 1}), 1U);
    const std::string mad = ".reg .b32 lo; mad.lo.cc.u32 lo, a, b, c; madc.hi.u32 d, a, b, 0";
    EXPECT_EQ(evaluate(mad, "b32 b32 b32 b32", {ones32, ones32, ones32}), 0xFFFFFFFFU);
    const std::string chain = ".reg .b32 lo; add.cc.u32 lo, a, a; addc.cc.u32 lo, b, 0; addc.u32 d, c, 0";
    EXPECT_EQ(evaluate(chain, "b32 b32 b32 b32", {least32, ones32, 7}), 8U);
}

// As measured on an H200: the carry flag is the carry of a + ~b + 1.
TEST(Carries, OfASubtractionAreSetWhereNothingIsBorrowed) {
    const std::string then_add = ".reg .b32 lo; sub.cc.u32 lo, a, b; addc.u32 d, 0, 0";
    EXPECT_EQ(evaluate(then_add, "b32 b32 b32", {5, 3}), 1U);
    EXPECT_EQ(evaluate(then_add, "b32 b32 b32", {3, 5}), 0U);
    const std::string then_subtract = ".reg .b32 lo; add.cc.u32 lo, a, b; subc.u32 d, 0, 0";
    EXPECT_EQ(evaluate(then_subtract, "b32 b32 b32", {ones32, 1}), 0U);
    EXPECT_EQ(evaluate(then_subtract, "b32 b32 b32", {1, 1}), ones32);
    const std::string borrow_twice = ".reg .b32 lo; sub.cc.u32 lo, a, b; subc.cc.u32 lo, 0, 0; subc.u32 d, c, 0";
    EXPECT_EQ(evaluate(borrow_twice, "b32 b32 b32 b32", {1, 2, 7}), 6U);
}

TEST(BitCounts, AgreeWithTheStandardLibrary) {
    std::mt19937_64 random(1);
    std::vector<std::vector<std::uint64_t>> values{{0}, {1}, {ones64}, {least64}, {least32}, {0x100000000}};
    for (int i = 0; i < 20; ++i) values.push_back({random() >> (i * 3)});
    const auto popc = evaluate_all("popc.b64 d, a", "b32 b64", values);
    const auto clz = evaluate_all("clz.b64 d, a", "b32 b64", values);
    const auto clz32 = evaluate_all("clz.b32 d, a", "b32 b32", values);
    const auto find = evaluate_all("bfind.u64 d, a", "b32 b64", values);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t value = values[i][0];
        EXPECT_EQ(popc[i], static_cast<unsigned>(std::popcount(value)));
        EXPECT_EQ(clz[i], static_cast<unsigned>(std::countl_zero(value)));
        EXPECT_EQ(clz32[i], static_cast<unsigned>(std::countl_zero(static_cast<std::uint32_t>(value))));
        EXPECT_EQ(find[i], value == 0 ? ones32 : static_cast<unsigned>(63 - std::countl_zero(value)));
    }
    EXPECT_EQ(evaluate("bfind.s32 d, a", "b32 b32", {s32(-1)}), ones32);
    EXPECT_EQ(evaluate("bfind.s32 d, a", "b32 b32", {s32(-8)}), 2U);
    EXPECT_EQ(evaluate("bfind.shiftamt.u32 d, a", "b32 b32", {1}), 31U);
    EXPECT_EQ(evaluate("brev.b32 d, a", "b32 b32", {1}), least32);
    EXPECT_EQ(evaluate("brev.b64 d, a", "b64 b64", {3}), 3ULL << 62);
}

TEST(FindNthSet, CountsUpAndDownFromTheBase) {
    EXPECT_EQ(evaluate("fns.b32 d, a, b, c", "b32 b32 b32 b32", {0b10110, 0, 2}), 2U);
    EXPECT_EQ(evaluate("fns.b32 d, a, b, c", "b32 b32 b32 b32", {0b10110, 4, s32(-2)}), 2U);
    EXPECT_EQ(evaluate("fns.b32 d, a, b, c", "b32 b32 b32 b32", {0b10110, 1, 0}), 1U);
    EXPECT_EQ(evaluate("fns.b32 d, a, b, c", "b32 b32 b32 b32", {0b10110, 0, 0}), ones32);
    EXPECT_EQ(evaluate("fns.b32 d, a, b, c", "b32 b32 b32 b32", {0b10110, 0, 9}), ones32);
}

/// A position or length operand: for 32 bits its low byte; for 64 bits its value, at most 255.
unsigned field_operand(std::uint64_t value, unsigned width) {
    return static_cast<unsigned>(width == 32 ? value & 0xFF : std::min<std::uint64_t>(value, 0xFF));
}

/// PTX ISA 9.7.1.19, as the manual writes it.
std::uint64_t reference_bfe(std::uint64_t a, unsigned position, unsigned length, unsigned width, bool is_signed) {
    const unsigned msb = width - 1;
    position = field_operand(position, width);
    length = field_operand(length, width);
    const auto bit = [&](unsigned i) { return (a >> i) & 1U; };
    const std::uint64_t sign = !is_signed || length == 0 ? 0 : bit(std::min(position + length - 1, msb));
    std::uint64_t d = 0;
    for (unsigned i = 0; i <= msb; ++i) {
        const std::uint64_t value = i < length && position + i <= msb ? bit(position + i) : sign;
        d |= value << i;
    }
    return d;
}

std::uint64_t reference_bfi(std::uint64_t a, std::uint64_t b, unsigned position, unsigned length, unsigned width) {
    position = field_operand(position, width);
    length = field_operand(length, width);
    std::uint64_t f = b;
    for (unsigned i = 0; i < length && position + i < width; ++i) {
        f = (f & ~(1ULL << (position + i))) | (((a >> i) & 1U) << (position + i));
    }
    return f;
}

TEST(BitFields, AreWhatTheManualsLoopsGive) {
    std::mt19937_64 random(2);
    std::vector<std::vector<std::uint64_t>> fields;
    for (const unsigned position : {0U, 1U, 5U, 31U, 32U, 40U, 63U, 64U, 255U, 256U}) {
        for (const unsigned length : {0U, 1U, 8U, 31U, 32U, 33U, 63U, 64U, 200U, 257U}) {
            fields.push_back({random(), position, length});
        }
    }
    const auto u32 = evaluate_all("bfe.u32 d, a, b, c", "b32 b32 b32 b32", fields);
    const auto s32 = evaluate_all("bfe.s32 d, a, b, c", "b32 b32 b32 b32", fields);
    const auto u64 = evaluate_all("bfe.u64 d, a, b, c", "b64 b64 b32 b32", fields);
    const auto s64 = evaluate_all("bfe.s64 d, a, b, c", "b64 b64 b32 b32", fields);
    std::vector<std::vector<std::uint64_t>> inserts;
    for (const auto& field : fields) inserts.push_back({field[0], random(), field[1], field[2]});
    const auto i32 = evaluate_all("bfi.b32 d, a, b, c, e", "b32 b32 b32 b32 b32", inserts);
    const auto i64 = evaluate_all("bfi.b64 d, a, b, c, e", "b64 b64 b64 b32 b32", inserts);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const auto position = static_cast<unsigned>(fields[i][1]);
        const auto length = static_cast<unsigned>(fields[i][2]);
        const std::uint64_t low = fields[i][0] & ones32;
        EXPECT_EQ(u32[i], reference_bfe(low, position, length, 32, false)) << position << " " << length;
        EXPECT_EQ(s32[i], reference_bfe(low, position, length, 32, true)) << position << " " << length;
        EXPECT_EQ(u64[i], reference_bfe(fields[i][0], position, length, 64, false)) << position << " " << length;
        EXPECT_EQ(s64[i], reference_bfe(fields[i][0], position, length, 64, true)) << position << " " << length;
        EXPECT_EQ(i32[i], reference_bfi(low, inserts[i][1] & ones32, position, length, 32))
            << position << " " << length;
        EXPECT_EQ(i64[i], reference_bfi(fields[i][0], inserts[i][1], position, length, 64))
            << position << " " << length;
    }
}

TEST(BitFields, MaskAndExtend) {
    EXPECT_EQ(evaluate("bmsk.clamp.b32 d, a, b", "b32 b32 b32", {4, 8}), 0xFF0U);
    EXPECT_EQ(evaluate("bmsk.clamp.b32 d, a, b", "b32 b32 b32", {40, 8}), 0U);
    EXPECT_EQ(evaluate("bmsk.wrap.b32 d, a, b", "b32 b32 b32", {36, 8}), 0xFF0U);
    EXPECT_EQ(evaluate("szext.wrap.s32 d, a, b", "b32 b32 b32", {0x80, 8}), s32(-128));
    EXPECT_EQ(evaluate("szext.clamp.u32 d, a, b", "b32 b32 b32", {0x180, 8}), 0x80U);
    EXPECT_EQ(evaluate("szext.clamp.u32 d, a, b", "b32 b32 b32", {0x180, 99}), 0x180U);
}

TEST(Logic, WorksBitByBit) {
    EXPECT_EQ(evaluate("and.b32 d, a, b", "b32 b32 b32", {0b1100, 0b1010}), 0b1000U);
    EXPECT_EQ(evaluate("or.b64 d, a, b", "b64 b64 b64", {0b1100, 0b1010}), 0b1110U);
    EXPECT_EQ(evaluate("xor.b16 d, a, b", "b16 b16 b16", {0b1100, 0b1010}), 0b0110U);
    EXPECT_EQ(evaluate("not.b16 d, a", "b16 b16", {0}), 0xFFFFU);
    EXPECT_EQ(evaluate("cnot.b32 d, a", "b32 b32", {0}), 1U);
    EXPECT_EQ(evaluate("cnot.b32 d, a", "b32 b32", {5}), 0U);
    EXPECT_EQ(evaluate("xor.pred d, a, b", "pred pred pred", {1, 1}), 0U);
    EXPECT_EQ(evaluate("or.pred d, a, b", "pred pred pred", {0, 1}), 1U);
    EXPECT_EQ(evaluate("not.pred d, a", "pred pred", {1}), 0U);
}

TEST(Lop3, IsAnyFunctionOfThreeBits) {
    for (const unsigned table : {0x00U, 0x80U, 0xFEU, 0x96U, 0xCAU, 0x3CU, 0xFFU}) {
        std::uint64_t expected = 0;
        const std::uint64_t a = 0b11110000, b = 0b11001100, c = 0b10101010;
        for (unsigned bit = 0; bit < 8; ++bit) {
            const unsigned index =
                static_cast<unsigned>(((a >> bit) & 1U) << 2 | ((b >> bit) & 1U) << 1 | ((c >> bit) & 1U));
            expected |= static_cast<std::uint64_t>((table >> index) & 1U) << bit;
        }
        const std::string text = "lop3.b32 d, a, b, c, " + std::to_string(table);
        EXPECT_EQ(evaluate(text, "b32 b32 b32 b32", {a, b, c}) & 0xFFU, expected) << table;
    }
}

TEST(Shifts, ClampTheirAmount) {
    EXPECT_EQ(evaluate("shl.b32 d, a, b", "b32 b32 b32", {1, 31}), least32);
    EXPECT_EQ(evaluate("shl.b32 d, a, b", "b32 b32 b32", {1, 32}), 0U);
    EXPECT_EQ(evaluate("shl.b64 d, a, b", "b64 b64 b32", {1, ones32}), 0U);
    EXPECT_EQ(evaluate("shr.u32 d, a, b", "b32 b32 b32", {least32, 40}), 0U);
    EXPECT_EQ(evaluate("shr.s32 d, a, b", "b32 b32 b32", {least32, 40}), ones32);
    EXPECT_EQ(evaluate("shr.s16 d, a, b", "b16 b16 b32", {0x8000, 3}), 0xF000U);
    EXPECT_EQ(evaluate("shl.b16 d, a, b", "b16 b16 b32", {0x8001, 1}), 2U);
    EXPECT_EQ(evaluate("shf.l.wrap.b32 d, a, b, c", "b32 b32 b32 b32", {least32, 1, 33}), 3U);
    EXPECT_EQ(evaluate("shf.l.clamp.b32 d, a, b, c", "b32 b32 b32 b32", {least32, 1, 33}), least32);
    EXPECT_EQ(evaluate("shf.r.clamp.b32 d, a, b, c", "b32 b32 b32 b32", {least32, 1, 99}), 1U);
    EXPECT_EQ(evaluate("shf.r.wrap.b32 d, a, b, c", "b32 b32 b32 b32", {2, 1, 1}), 0x80000001U);
}

TEST(Moves, PackAndUnpackParts) {
    EXPECT_EQ(evaluate("mov.b64 d, {a, b}", "b64 b32 b32", {1, 2}), 0x200000001U);
    EXPECT_EQ(evaluate("mov.b32 d, {a, b}", "b32 b16 b16", {1, 2}), 0x20001U);
    EXPECT_EQ(evaluate(".reg .b32 x; mov.b64 {x, d}, a", "b32 b64", {0x700000001}), 7U);
    EXPECT_EQ(evaluate(".reg .b16 x, y, z; mov.b64 {x, y, z, d}, a", "b16 b64", {0x0004000300020001}), 4U);
    EXPECT_EQ(evaluate("mov.b32 {_, d}, a", "b16 b32", {0x50001}), 5U);
}

TEST(Permutations, ChooseBytes) {
    const std::uint64_t a = 0x33221100, b = 0x77665544;
    EXPECT_EQ(evaluate("prmt.b32 d, a, b, c", "b32 b32 b32 b32", {a, b, 0x7531}), 0x77553311U);
    EXPECT_EQ(evaluate("prmt.b32 d, a, b, c", "b32 b32 b32 b32", {0x80, 0, 0x9998}), 0x000000FFU);
    EXPECT_EQ(evaluate("prmt.b32.f4e d, a, b, c", "b32 b32 b32 b32", {a, b, 1}), 0x44332211U);
    EXPECT_EQ(evaluate("prmt.b32.b4e d, a, b, c", "b32 b32 b32 b32", {a, b, 1}), 0x66770011U);
    EXPECT_EQ(evaluate("prmt.b32.rc8 d, a, b, c", "b32 b32 b32 b32", {a, b, 2}), 0x22222222U);
    EXPECT_EQ(evaluate("prmt.b32.ecl d, a, b, c", "b32 b32 b32 b32", {a, b, 1}), 0x33221111U);
    EXPECT_EQ(evaluate("prmt.b32.ecr d, a, b, c", "b32 b32 b32 b32", {a, b, 1}), 0x11111100U);
    EXPECT_EQ(evaluate("prmt.b32.rc16 d, a, b, c", "b32 b32 b32 b32", {a, b, 1}), 0x33223322U);
}

TEST(IntegerComparisons, HeedTheSign) {
    EXPECT_EQ(evaluate("setp.lt.s32 d, a, b", "pred b32 b32", {ones32, 0}), 1U);
    EXPECT_EQ(evaluate("setp.lt.u32 d, a, b", "pred b32 b32", {ones32, 0}), 0U);
    EXPECT_EQ(evaluate("setp.ge.s64 d, a, b", "pred b64 b64", {ones64, 0}), 0U);
    EXPECT_EQ(evaluate("setp.hi.u16 d, a, b", "pred b16 b16", {0x8000, 1}), 1U);
    EXPECT_EQ(evaluate("setp.eq.b32 d, a, b", "pred b32 b32", {4, 4}), 1U);
    EXPECT_EQ(evaluate("setp.ne.and.u32 d, a, b, c", "pred b32 b32 pred", {4, 5, 0}), 0U);
    EXPECT_EQ(evaluate("setp.ne.and.u32 d, a, b, !c", "pred b32 b32 pred", {4, 5, 0}), 1U);
    EXPECT_EQ(evaluate("setp.ne.xor.u32 d, a, b, c", "pred b32 b32 pred", {4, 5, 1}), 0U);
    EXPECT_EQ(evaluate(".reg .pred x; setp.lt.or.u32 x|d, a, b, c", "pred b32 b32 pred", {4, 5, 0}), 0U);
    EXPECT_EQ(evaluate("set.lt.u32.s32 d, a, b", "b32 b32 b32", {ones32, 0}), ones32);
    EXPECT_EQ(evaluate("set.lt.f32.s32 d, a, b", "f32 b32 b32", {ones32, 0}), bits(1.0F));
    EXPECT_EQ(evaluate("selp.b32 d, a, b, c", "b32 b32 b32 pred", {4, 5, 0}), 5U);
    EXPECT_EQ(evaluate("selp.b64 d, a, b, c", "b64 b64 b64 pred", {4, 5, 1}), 4U);
    EXPECT_EQ(evaluate("slct.u32.s32 d, a, b, c", "b32 b32 b32 b32", {4, 5, ones32}), 5U);
    EXPECT_EQ(evaluate("slct.u64.f32 d, a, b, c", "b64 b64 b64 f32", {4, 5, bits(-0.0F)}), 4U);
}

TEST(IntegerComparisons, HoldForEveryPairOfEdges) {
    constexpr std::uint32_t edges[] = {0, 1, 2, most32 - 1, most32, least32, least32 + 1, ones32 - 1, ones32};
    for (const std::uint32_t a : edges) {
        for (const std::uint32_t b : edges) {
            const auto signed_a = static_cast<std::int32_t>(a);
            const auto signed_b = static_cast<std::int32_t>(b);
            const std::pair<const char*, bool> expected[] = {{"eq.s32", a == b},
                                                             {"ne.s32", a != b},
                                                             {"lt.s32", signed_a < signed_b},
                                                             {"le.s32", signed_a <= signed_b},
                                                             {"gt.s32", signed_a > signed_b},
                                                             {"ge.s32", signed_a >= signed_b},
                                                             {"eq.u32", a == b},
                                                             {"ne.u32", a != b},
                                                             {"lt.u32", a < b},
                                                             {"le.u32", a <= b},
                                                             {"gt.u32", a > b},
                                                             {"ge.u32", a >= b},
                                                             {"lo.u32", a < b},
                                                             {"ls.u32", a <= b},
                                                             {"hi.u32", a > b},
                                                             {"hs.u32", a >= b},
                                                             {"eq.b32", a == b},
                                                             {"ne.b32", a != b}};
            for (const auto& [compare, holds] : expected) {
                EXPECT_EQ(evaluate(std::string("setp.") + compare + " d, a, b", "pred b32 b32", {a, b}),
                          holds ? 1U : 0U)
                    << compare << ' ' << a << ' ' << b;
            }
        }
    }
}

}  // namespace
}  // namespace lanescope::execute
