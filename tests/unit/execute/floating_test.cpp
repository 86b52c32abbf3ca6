// Floating-point operators and conversions.
#include "operators.h"

#include <cmath>
#include <limits>

namespace lanescope::execute {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint64_t canonical_nan = 0x7FFFFFFFU;
constexpr std::uint64_t tiny = 0x00000001U;  // the least subnormal

TEST(FloatArithmetic, RoundsToNearestOperationByOperation) {
    EXPECT_EQ(evaluate("add.f32 d, a, b", "f32 f32 f32", {bits(0.1F), bits(0.2F)}), bits(0.1F + 0.2F));
    EXPECT_EQ(evaluate("sub.f64 d, a, b", "f64 f64 f64", {bits(0.3), bits(0.1)}), bits(0.3 - 0.1));
    EXPECT_EQ(evaluate("mul.f32 d, a, b", "f32 f32 f32", {bits(1e-30F), bits(1e-15F)}), bits(1e-30F * 1e-15F));
    EXPECT_EQ(evaluate("div.rn.f32 d, a, b", "f32 f32 f32", {bits(1.0F), bits(3.0F)}), bits(1.0F / 3.0F));
    EXPECT_EQ(evaluate("sqrt.rn.f64 d, a", "f64 f64", {bits(2.0)}), bits(std::sqrt(2.0)));
    EXPECT_EQ(evaluate("rcp.rn.f32 d, a", "f32 f32", {bits(3.0F)}), bits(1.0F / 3.0F));
}

TEST(FloatArithmetic, FusesOnlyWhereAsked) {
    const float a = 1.0F + std::ldexp(1.0F, -12);
    const std::vector<std::uint64_t> values{bits(a), bits(a), bits(-(a * a))};
    EXPECT_EQ(evaluate("fma.rn.f32 d, a, b, c", "f32 f32 f32 f32", values), bits(std::fma(a, a, -(a * a))));
    EXPECT_NE(std::fma(a, a, -(a * a)), 0.0F);
    EXPECT_EQ(evaluate(".reg .f32 p; mul.rn.f32 p, a, b; add.rn.f32 d, p, c", "f32 f32 f32 f32", values), bits(0.0F));
}

TEST(FloatArithmetic, RoundsInFourDirections) {
    const std::vector<std::uint64_t> one_third{bits(1.0F), bits(3.0F)};
    const float nearest = 1.0F / 3.0F;  // above a third
    const float below = std::nextafter(nearest, 0.0F);
    EXPECT_EQ(evaluate("div.rz.f32 d, a, b", "f32 f32 f32", one_third), bits(below));
    EXPECT_EQ(evaluate("div.rm.f32 d, a, b", "f32 f32 f32", one_third), bits(below));
    EXPECT_EQ(evaluate("div.rp.f32 d, a, b", "f32 f32 f32", one_third), bits(nearest));
    EXPECT_EQ(evaluate("div.rm.f32 d, a, b", "f32 f32 f32", {bits(-1.0F), bits(3.0F)}), bits(-nearest));
    const double small = std::ldexp(1.0, -60);
    EXPECT_EQ(evaluate("add.rp.f64 d, a, b", "f64 f64 f64", {bits(1.0), bits(small)}), bits(std::nextafter(1.0, 2.0)));
    EXPECT_EQ(evaluate("add.rz.f64 d, a, b", "f64 f64 f64", {bits(1.0), bits(-small)}), bits(std::nextafter(1.0, 0.0)));
    EXPECT_EQ(evaluate("fma.rm.f32 d, a, b, c", "f32 f32 f32 f32", {bits(1.0F), bits(1e-20F), bits(1.0F)}), bits(1.0F));
    EXPECT_EQ(evaluate("add.rn.f32 d, a, b", "f32 f32 f32", {bits(1.0F), bits(1e-20F)}), bits(1.0F));
}

TEST(FloatArithmetic, FlushesSubnormalsWhereAsked) {
    EXPECT_EQ(evaluate("add.f32 d, a, b", "f32 f32 f32", {tiny, tiny}), 2U);
    EXPECT_EQ(evaluate("add.ftz.f32 d, a, b", "f32 f32 f32", {tiny, tiny}), 0U);
    EXPECT_EQ(evaluate("mul.ftz.f32 d, a, b", "f32 f32 f32", {bits(-1e-30F), bits(1e-10F)}), bits(-0.0F));
    EXPECT_EQ(evaluate("setp.gt.ftz.f32 d, a, b", "pred f32 f32", {tiny, 0}), 0U);
    EXPECT_EQ(evaluate("setp.gt.f32 d, a, b", "pred f32 f32", {tiny, 0}), 1U);
}

TEST(FloatArithmetic, SaturatesToZeroAndOneWhereAsked) {
    EXPECT_EQ(evaluate("add.sat.f32 d, a, b", "f32 f32 f32", {bits(0.75F), bits(0.75F)}), bits(1.0F));
    EXPECT_EQ(evaluate("add.sat.f32 d, a, b", "f32 f32 f32", {bits(-0.75F), bits(0.5F)}), bits(0.0F));
    EXPECT_EQ(evaluate("add.sat.f32 d, a, b", "f32 f32 f32", {bits(not_a_number), bits(0.5F)}), bits(0.0F));
}

TEST(FloatArithmetic, MakesCanonicalNaNs) {
    EXPECT_EQ(evaluate("sub.f32 d, a, b", "f32 f32 f32", {bits(infinity), bits(infinity)}), canonical_nan);
    EXPECT_EQ(evaluate("add.f32 d, a, b", "f32 f32 f32", {0xFFC12345U, 0}), canonical_nan);
    EXPECT_EQ(evaluate("div.rn.f32 d, a, b", "f32 f32 f32", {bits(1.0F), bits(0.0F)}), bits(infinity));
}

TEST(FloatExtremes, PassOverNaNsAndOrderZeros) {
    EXPECT_EQ(evaluate("min.f32 d, a, b", "f32 f32 f32", {bits(not_a_number), bits(3.0F)}), bits(3.0F));
    EXPECT_EQ(evaluate("max.f32 d, a, b", "f32 f32 f32", {bits(3.0F), bits(not_a_number)}), bits(3.0F));
    EXPECT_EQ(evaluate("min.f32 d, a, b", "f32 f32 f32", {bits(0.0F), bits(-0.0F)}), bits(-0.0F));
    EXPECT_EQ(evaluate("max.f64 d, a, b", "f64 f64 f64", {bits(-0.0), bits(0.0)}), bits(0.0));
    EXPECT_EQ(evaluate("min.NaN.f32 d, a, b", "f32 f32 f32", {bits(not_a_number), bits(3.0F)}), canonical_nan);
    EXPECT_EQ(evaluate("max.f32 d, a, b", "f32 f32 f32", {bits(not_a_number), bits(not_a_number)}), canonical_nan);
}

TEST(FloatSigns, AreBits) {
    EXPECT_EQ(evaluate("neg.f32 d, a", "f32 f32", {bits(1.5F)}), bits(-1.5F));
    EXPECT_EQ(evaluate("abs.f64 d, a", "f64 f64", {bits(-1.5)}), bits(1.5));
    EXPECT_EQ(evaluate("copysign.f32 d, a, b", "f32 f32 f32", {bits(-1.0F), bits(2.0F)}), bits(-2.0F));
    EXPECT_EQ(evaluate("testp.subnormal.f32 d, a", "pred f32", {tiny}), 1U);
    EXPECT_EQ(evaluate("testp.finite.f64 d, a", "pred f64", {bits(1.0)}), 1U);
    EXPECT_EQ(evaluate("testp.notanumber.f32 d, a", "pred f32", {canonical_nan}), 1U);
}

TEST(FloatApproximations, AreWithinTheBoundsOfPtx) {
    for (const float x : {0.001F, 0.3F, 1.0F, 2.5F, 20.0F, 1e10F}) {
        const auto near = [&](const std::string& text, double exact, double relative) {
            const double got = f32(evaluate(text, "f32 f32", {bits(x)}));
            EXPECT_NEAR(got, exact, std::abs(exact) * relative + 1e-30) << text << " of " << x;
        };
        near("rcp.approx.f32 d, a", 1.0 / static_cast<double>(x), std::ldexp(1.0, -23));
        near("sqrt.approx.f32 d, a", std::sqrt(static_cast<double>(x)), std::ldexp(1.0, -22));
        near("rsqrt.approx.f32 d, a", 1.0 / std::sqrt(static_cast<double>(x)), std::ldexp(1.0, -22));
        if (x < 100) near("ex2.approx.f32 d, a", std::exp2(static_cast<double>(x)), std::ldexp(1.0, -22));
        near("lg2.approx.f32 d, a", std::log2(static_cast<double>(x)), std::ldexp(1.0, -22));
        near("tanh.approx.f32 d, a", std::tanh(static_cast<double>(x)), std::ldexp(1.0, -11));
    }
    EXPECT_EQ(evaluate("rsqrt.approx.f32 d, a", "f32 f32", {bits(0.0F)}), bits(infinity));
    EXPECT_EQ(evaluate("lg2.approx.f32 d, a", "f32 f32", {bits(-1.0F)}), canonical_nan);
    EXPECT_EQ(evaluate("ex2.approx.ftz.f32 d, a", "f32 f32", {bits(-200.0F)}), 0U);
}

TEST(FloatComparisons, AreFalseForNaNsUnlessUnordered) {
    const std::vector<std::uint64_t> with_nan{bits(not_a_number), bits(1.0F)};
    for (const std::string ordered : {"eq", "ne", "lt", "le", "gt", "ge", "num"}) {
        EXPECT_EQ(evaluate("setp." + ordered + ".f32 d, a, b", "pred f32 f32", with_nan), 0U) << ordered;
    }
    for (const std::string unordered : {"equ", "neu", "ltu", "leu", "gtu", "geu", "nan"}) {
        EXPECT_EQ(evaluate("setp." + unordered + ".f32 d, a, b", "pred f32 f32", with_nan), 1U) << unordered;
    }
    const std::vector<std::uint64_t> numbers{bits(1.0), bits(2.0)};
    for (const std::string holds : {"ne", "lt", "le", "neu", "ltu", "leu", "num"}) {
        EXPECT_EQ(evaluate("setp." + holds + ".f64 d, a, b", "pred f64 f64", numbers), 1U) << holds;
    }
    for (const std::string fails : {"eq", "gt", "ge", "equ", "gtu", "geu", "nan"}) {
        EXPECT_EQ(evaluate("setp." + fails + ".f64 d, a, b", "pred f64 f64", numbers), 0U) << fails;
    }
}

TEST(IntegerConversions, ExtendAndTruncate) {
    EXPECT_EQ(evaluate("cvt.s64.s32 d, a", "b64 b32", {s32(-2)}), s64(-2));
    EXPECT_EQ(evaluate("cvt.u64.u32 d, a", "b64 b32", {s32(-2)}), 0xFFFFFFFEU);
    EXPECT_EQ(evaluate("cvt.u32.u64 d, a", "b32 b64", {0x700000005}), 5U);
    EXPECT_EQ(evaluate("cvt.s32.s8 d, a", "b32 b32", {0x180}), s32(-128)) << "the low byte of a wider register";
    EXPECT_EQ(evaluate("cvt.s8.s32 d, a", "b32 b32", {0x17F}), 0x7FU);
    EXPECT_EQ(evaluate("cvt.s8.s32 d, a", "b32 b32", {0x80}), s32(-128)) << "extended to the register by its sign";
    EXPECT_EQ(evaluate("cvt.u8.u32 d, a", "b32 b32", {0x1FF}), 0xFFU);
    EXPECT_EQ(evaluate("cvt.u16.u32 d, a", "b16 b32", {0x1FFFF}), 0xFFFFU);
    EXPECT_EQ(evaluate("cvt.s64.s16 d, a", "b64 b16", {0x8000}), s64(-32768));
    EXPECT_EQ(evaluate("cvt.sat.u8.s32 d, a", "b32 b32", {s32(-5)}), 0U);
    EXPECT_EQ(evaluate("cvt.sat.s8.s32 d, a", "b32 b32", {1000}), 127U);
    EXPECT_EQ(evaluate("cvt.sat.s32.u32 d, a", "b32 b32", {0xFFFFFFFFU}), 0x7FFFFFFFU);
}

TEST(FloatToInteger, RoundsAsAskedAndSaturates) {
    const auto to = [](const std::string& text, const std::string& type, float value) {
        return evaluate("cvt." + text + ".f32 d, a", type + " f32", {bits(value)});
    };
    EXPECT_EQ(to("rzi.s32", "b32", -2.7F), s32(-2));
    EXPECT_EQ(to("rni.s32", "b32", 2.5F), 2U);
    EXPECT_EQ(to("rni.s32", "b32", 3.5F), 4U);
    EXPECT_EQ(to("rmi.s32", "b32", -2.1F), s32(-3));
    EXPECT_EQ(to("rpi.s32", "b32", 2.1F), 3U);
    EXPECT_EQ(to("rzi.s32", "b32", 1e20F), 0x7FFFFFFFU);
    EXPECT_EQ(to("rzi.u32", "b32", -1.0F), 0U);
    EXPECT_EQ(to("rzi.s32", "b32", not_a_number), 0U);
    EXPECT_EQ(to("rzi.s64", "b64", not_a_number), 1ULL << 63);
    EXPECT_EQ(to("rzi.u64", "b64", 1e30F), ~0ULL);
    EXPECT_EQ(to("rzi.s64", "b64", -1e30F), 1ULL << 63);
    EXPECT_EQ(evaluate("cvt.rzi.u32.f64 d, a", "b32 f64", {bits(4294967295.5)}), 0xFFFFFFFFU);
}

TEST(IntegerToFloat, RoundsOnce) {
    EXPECT_EQ(evaluate("cvt.rn.f32.s32 d, a", "f32 b32", {s32(-16777217)}), bits(-16777216.0F));
    EXPECT_EQ(evaluate("cvt.rp.f32.u32 d, a", "f32 b32", {16777217}), bits(16777218.0F));
    EXPECT_EQ(evaluate("cvt.rz.f32.u64 d, a", "f32 b64", {~0ULL}), bits(std::nextafter(std::ldexp(1.0F, 64), 0.0F)));
    EXPECT_EQ(evaluate("cvt.rn.f64.u64 d, a", "f64 b64", {~0ULL}), bits(std::ldexp(1.0, 64)));
    EXPECT_EQ(evaluate("cvt.rn.f32.s8 d, a", "f32 b32", {0x80}), bits(-128.0F));
    // Exactly halfway after rounding to f64: rounding twice would round up.
    EXPECT_EQ(evaluate("cvt.rn.f32.s64 d, a", "f32 b64", {0x0080000000000001ULL << 4}), bits(std::ldexp(1.0F, 59)));
}

TEST(FloatToFloat, WidensNarrowsAndRoundsToIntegers) {
    EXPECT_EQ(evaluate("cvt.f64.f32 d, a", "f64 f32", {bits(0.1F)}), bits(static_cast<double>(0.1F)));
    EXPECT_EQ(evaluate("cvt.rn.f32.f64 d, a", "f32 f64", {bits(0.1)}), bits(0.1F));
    EXPECT_EQ(evaluate("cvt.rz.f32.f64 d, a", "f32 f64", {bits(0.1)}), bits(std::nextafter(0.1F, 0.0F)));
    EXPECT_EQ(evaluate("cvt.rni.f32.f32 d, a", "f32 f32", {bits(2.5F)}), bits(2.0F));
    EXPECT_EQ(evaluate("cvt.rmi.f64.f64 d, a", "f64 f64", {bits(-0.5)}), bits(-1.0));
    EXPECT_EQ(evaluate("cvt.rpi.f32.f32 d, a", "f32 f32", {bits(-0.5F)}), bits(-0.0F));
    EXPECT_EQ(evaluate("cvt.sat.f32.f32 d, a", "f32 f32", {bits(7.0F)}), bits(1.0F));
}

TEST(Halves, ConvertBothWays) {
    EXPECT_EQ(evaluate("cvt.rn.f16.f32 d, a", "b16 f32", {bits(1.0F)}), 0x3C00U);
    EXPECT_EQ(evaluate("cvt.rn.f16.f32 d, a", "b16 f32", {bits(65520.0F)}), 0x7C00U) << "rounds to infinity";
    EXPECT_EQ(evaluate("cvt.rz.f16.f32 d, a", "b16 f32", {bits(65535.0F)}), 0x7BFFU);
    EXPECT_EQ(evaluate("cvt.rn.f16.f32 d, a", "b16 f32", {bits(std::ldexp(1.0F, -24))}), 1U) << "subnormal";
    EXPECT_EQ(evaluate("cvt.rn.f16.f32 d, a", "b16 f32", {bits(std::ldexp(1.0F, -25))}), 0U) << "ties to even";
    EXPECT_EQ(evaluate("cvt.f32.f16 d, a", "f32 b16", {0xC000}), bits(-2.0F));
    EXPECT_EQ(evaluate("cvt.f32.f16 d, a", "f32 b16", {1}), bits(std::ldexp(1.0F, -24)));
    EXPECT_EQ(evaluate("cvt.rn.bf16.f32 d, a", "b16 f32", {0x3F808000U}), 0x3F80U) << "ties to even";
    EXPECT_EQ(evaluate("cvt.rn.bf16.f32 d, a", "b16 f32", {0x3F818000U}), 0x3F82U);
    EXPECT_EQ(evaluate("cvt.rn.f16x2.f32 d, a, b", "b32 f32 f32", {bits(1.0F), bits(2.0F)}), 0x3C004000U);
}

TEST(Halves, RoundAfterEachOperation) {
    EXPECT_EQ(evaluate("add.f16 d, a, b", "b16 b16 b16", {0x3C00, 0x1000}), 0x3C00U) << "1 + 2^-11 ties to even";
    EXPECT_EQ(evaluate("fma.rn.f16 d, a, b, c", "b16 b16 b16 b16", {0x3C01, 0x3C01, 0xBC02}), 0x0010U)
        << "(1 + 2^-10)^2 - (1 + 2^-9) = 2^-20, exactly";
    EXPECT_EQ(evaluate("mul.f16x2 d, a, b", "b32 b32 b32", {0x40003C00, 0x40004000}), 0x44004000U);
    EXPECT_EQ(evaluate("max.f16 d, a, b", "b16 b16 b16", {0x7E00, 0x3C00}), 0x3C00U);
    EXPECT_EQ(evaluate("neg.f16x2 d, a", "b32 b32", {0x3C003C00}), 0xBC00BC00U);
    EXPECT_EQ(evaluate("setp.lt.f16 d, a, b", "pred b16 b16", {0xC000, 0x3C00}), 1U);
    EXPECT_EQ(evaluate("fma.rn.relu.bf16 d, a, b, c", "b16 b16 b16 b16", {0xBF80, 0x3F80, 0}), 0U);
}

}  // namespace
}  // namespace lanescope::execute
