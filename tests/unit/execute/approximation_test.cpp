// Results of approximate instructions differ only beyond the error that the PTX ISA states for each.
#include "execute/simt/approximation.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>

namespace lanescope::execute {
namespace {

std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

ptx::Instruction instruction(ptx::Opcode opcode, ptx::Type type = ptx::Type::f32) {
    ptx::Instruction made;
    made.opcode = opcode;
    made.modifiers.type = type;
    made.modifiers.approx = true;
    return made;
}

Accuracy accuracy(const ptx::Instruction& made, std::uint64_t exact, std::uint64_t found, float a = 1, float b = 1) {
    return deviation({.instruction = &made, .sources = {bits(a), bits(b)}, .exact = exact}, found).accuracy;
}

TEST(Approximations, MayDifferByTheUlpsThatAreStated) {
    const std::uint64_t one_and_a_half = bits(1.5F);
    const auto after = [&](ptx::Opcode opcode, std::uint64_t ulps) {
        return accuracy(instruction(opcode), one_and_a_half, one_and_a_half + ulps);
    };
    EXPECT_EQ(after(ptx::Opcode::ex2, 0), Accuracy::equal);
    EXPECT_EQ(after(ptx::Opcode::ex2, 2), Accuracy::within);
    EXPECT_EQ(after(ptx::Opcode::ex2, 3), Accuracy::beyond);
    EXPECT_EQ(after(ptx::Opcode::rcp, 1), Accuracy::within);
    EXPECT_EQ(after(ptx::Opcode::rcp, 2), Accuracy::beyond);
    EXPECT_EQ(after(ptx::Opcode::div, 2), Accuracy::within);
    EXPECT_EQ(after(ptx::Opcode::div, 3), Accuracy::beyond);
}

TEST(Approximations, OfSineDependOnTheAngle) {
    const ptx::Instruction sine = instruction(ptx::Opcode::sin);
    const auto off_by = [&](double error, float angle) {
        const auto exact = static_cast<float>(std::sin(static_cast<double>(angle)));
        return accuracy(sine, bits(exact), bits(static_cast<float>(exact + error)), angle);
    };
    EXPECT_EQ(off_by(std::exp2(-21), 1), Accuracy::within);
    EXPECT_EQ(off_by(std::exp2(-20), 1), Accuracy::beyond);
    EXPECT_EQ(off_by(std::exp2(-15), 100), Accuracy::within);
    EXPECT_EQ(off_by(std::exp2(-14), 100), Accuracy::beyond);
    EXPECT_EQ(off_by(std::exp2(-21), 101 * std::numbers::pi_v<float>), Accuracy::unstated);
}

TEST(Approximations, OfLogarithmAreAbsoluteNearOne) {
    const ptx::Instruction logarithm = instruction(ptx::Opcode::lg2);
    EXPECT_EQ(accuracy(logarithm, bits(1e-5F), bits(1e-5F + 2e-7F), 1.00001F), Accuracy::within);
    EXPECT_EQ(accuracy(logarithm, bits(1e-5F), bits(1e-5F + 3e-7F), 1.00001F), Accuracy::beyond);
    EXPECT_EQ(accuracy(logarithm, bits(8.0F), bits(8.0F + 1e-6F), 256), Accuracy::within);
}

TEST(Approximations, MayNotDifferInNaNInfinityAndTheSignOfZero) {
    const ptx::Instruction power = instruction(ptx::Opcode::ex2);
    const std::uint64_t infinity = bits(INFINITY), largest = infinity - 1, canonical_nan = 0x7FFFFFFF;
    EXPECT_EQ(accuracy(power, infinity, largest), Accuracy::beyond);
    EXPECT_EQ(accuracy(power, canonical_nan, bits(1.0F)), Accuracy::beyond);
    EXPECT_EQ(accuracy(instruction(ptx::Opcode::sin), bits(0.0F), bits(-0.0F), 0), Accuracy::beyond);
}

TEST(Approximations, OfDivisionByALargeNumberAreZero) {
    const ptx::Instruction divide = instruction(ptx::Opcode::div);
    EXPECT_EQ(accuracy(divide, bits(2.0F), bits(0.0F), 2e38F, 1e38F), Accuracy::within);
    EXPECT_EQ(accuracy(divide, bits(2.0F), bits(0.0F), 2, 1), Accuracy::beyond);
}

TEST(Approximations, OfDoublesAreNotStated) {
    const std::uint64_t half = std::bit_cast<std::uint64_t>(0.5);
    EXPECT_EQ(accuracy(instruction(ptx::Opcode::rsqrt, ptx::Type::f64), half, half + 1), Accuracy::unstated);
}

TEST(Approximations, OfPairsHaveTheWorseOfBoth) {
    const ptx::Instruction power = instruction(ptx::Opcode::ex2, ptx::Type::f16x2);
    const std::uint64_t ones = 0x3C003C00;
    EXPECT_EQ(accuracy(power, ones, ones + 1), Accuracy::within);
    EXPECT_EQ(accuracy(power, ones, ones + 0x00080001), Accuracy::beyond);
}

TEST(Approximations, AreTheInstructionsWithApproxOrFull) {
    ptx::Instruction made;
    EXPECT_FALSE(is_approximate(made));
    made.modifiers.full = true;
    EXPECT_TRUE(is_approximate(made));
    EXPECT_TRUE(is_approximate(instruction(ptx::Opcode::ex2)));
}

}  // namespace
}  // namespace lanescope::execute
