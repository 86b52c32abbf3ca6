#include "session/oracle.h"

#include "session/input.h"

#include <gmock/gmock.h>

#include <cmath>

namespace lanescope::session {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using trace::Element;

std::vector<std::byte> buffer(Element element, const std::vector<double>& values) {
    std::vector<std::byte> bytes;
    for (const double value : values)
        append_element(bytes, element,
                       is_float(element) ? encode_float(element, value) : encode_whole(element, std::int64_t(value)));
    return bytes;
}

std::vector<double> run(std::string_view name, const std::vector<double>& input, OracleInputs inputs) {
    const std::vector<std::byte> bytes = buffer(inputs.element, input);
    const Result<const Oracle*> oracle = find_oracle(name);
    EXPECT_TRUE(oracle);
    while (inputs.inputs.size() < (*oracle)->inputs) inputs.inputs.emplace_back(bytes);
    const Result<Expected> expected = expect(**oracle, inputs);
    EXPECT_TRUE(expected);
    std::vector<double> result;
    for (std::size_t i = 0; i < expected->bytes.size() / trace::bytes_of(inputs.element); ++i)
        result.push_back(decode(inputs.element, trace::bits_at(inputs.element, expected->bytes, i)));
    return result;
}

TEST(Oracle, OfBlocksTakesSlices) {
    const OracleInputs two{.element = Element::s32, .n = 7, .block = 4, .grid = 2, .slice = 4};
    EXPECT_THAT(run("block-sum", {1, 2, 3, 4, 5, 6, 7, 0}, two), ElementsAre(10, 18));
    EXPECT_THAT(run("block-min", {1, 2, 3, 4, 5, 6, 7, 0}, two), ElementsAre(1, 5));
    EXPECT_THAT(run("block-max", {-1, -2, -3, -4, -5, -6, -7, 0}, two), ElementsAre(-1, -5));
    EXPECT_THAT(run("inclusive-scan-by-block", {1, 2, 3, 4, 5, 6, 7, 0}, two), ElementsAre(1, 3, 6, 10, 5, 11, 18));
    EXPECT_THAT(run("exclusive-scan-by-block", {1, 2, 3, 4, 5, 6, 7, 0}, two), ElementsAre(0, 1, 3, 6, 0, 5, 11));
}

/// Each block combines only its first n elements; padding is left out.
TEST(Oracle, CombinesABlockWithOtherOperators) {
    const OracleInputs two{.element = Element::s32, .n = 7, .block = 4, .grid = 2, .slice = 4};
    EXPECT_THAT(run("block-product", {1, 2, 3, 4, 5, 6, 7, 0}, two), ElementsAre(24, 210));
    EXPECT_THAT(run("block-difference", {1, 2, 3, 4, 5, 6, 7, 9}, two), ElementsAre(-8, -8));
    EXPECT_THAT(run("block-quotient", {100, -5, 2, 3, 7, 0, 1, 0}, two), ElementsAre(-3, 0));
    EXPECT_THAT(run("block-and", {15, 7, 13, 29, 6, 3, 2, 0}, two), ElementsAre(5, 2));
    EXPECT_THAT(run("block-or", {1, 2, 4, 1, 8, 8, 1, 6}, two), ElementsAre(7, 9));
    EXPECT_THAT(run("block-xor", {1, 2, 4, 1, 8, 8, 1, 6}, two), ElementsAre(6, 1));
    EXPECT_THAT(run("first-of-each", {1, 2, 3, 4, 5, 6, 7, 0}, two), ElementsAre(1, 5));
    const OracleInputs floats{.element = Element::f32, .n = 4, .block = 4, .grid = 1, .slice = 4};
    EXPECT_THAT(run("block-quotient", {24, 2, 3, 8}, floats), ElementsAre(0.5));
    EXPECT_THAT(run("mean", {1, 2, 3, 4}, floats), ElementsAre(2.5));
    EXPECT_THAT(run("mean", {-1, -2, -3, -5}, {.element = Element::s32, .n = 4, .block = 4, .grid = 1, .slice = 4}),
                ElementsAre(-2));
}

/// v -> 2 v + 2, then v -> 3 v + 3: v -> 6 v + 9. In the other order it would be 6 v + 8.
TEST(Oracle, AppliesTheMapsOfABlockInTheirOrder) {
    const OracleInputs two{.element = Element::s32, .n = 3, .block = 2, .grid = 2, .slice = 2};
    EXPECT_THAT(run("block-composition", {2, 3, 5, 0}, two), ElementsAre(6, 9, 5, 5));
}

/// A result of fewer elements than the input is followed by zeros: the output's cells that the kernel must not write.
TEST(Oracle, KeepsCountsAndSortsElements) {
    const OracleInputs six{.element = Element::s32, .n = 6, .block = 3, .grid = 2, .slice = 4};
    EXPECT_THAT(run("positive", {3, -1, 0, 5, -2, 7}, six), ElementsAre(3, 5, 7, 0, 0, 0));
    EXPECT_THAT(run("histogram", {0, 1, 5, -1, 4, 1}, six), ElementsAre(2, 3, 0, 1));
    EXPECT_THAT(run("by-last-digit", {7, 4, 1, 6, 8, 5}, six), ElementsAre(4, 8, 1, 5, 6, 7));
    EXPECT_THAT(run("run-lengths", {5, 5, 2, 2, 2, 5}, six), ElementsAre(5, 2, 2, 3, 5, 1, 0, 0, 0, 0, 0, 0));
}

/// The same numbers are values and flags here: a 0 continues the sum before it.
TEST(Oracle, BeginsASegmentAtEachFlag) {
    const OracleInputs five{.element = Element::s32, .n = 5, .block = 5, .grid = 1, .slice = 5};
    EXPECT_THAT(run("segmented-scan", {0, 4, 0, 0, 3}, five), ElementsAre(0, 4, 4, 4, 3));
}

TEST(Oracle, OfPairsHasTwoNumbersABlock) {
    const OracleInputs two{.element = Element::s32, .n = 5, .block = 3, .grid = 2, .slice = 3};
    EXPECT_THAT(run("block-arg-max", {-5, -1, -1, 2, 8, 9}, two), ElementsAre(-1, 1, 8, 4));
    const OracleInputs floats{.element = Element::f32, .n = 5, .block = 4, .grid = 2, .slice = 4};
    EXPECT_THAT(run("block-mean-and-variance", {1, 3, 5, 7, 2, 9}, floats), ElementsAre(4, 5, 2, 0));
    EXPECT_THAT(run("block-softmax", {2, 2, 2, 2, 9, 9}, floats), ElementsAre(0.25, 0.25, 0.25, 0.25, 1));
}

TEST(Oracle, OfTheWholeIgnoresBlocks) {
    const OracleInputs all{.element = Element::s32, .n = 5, .block = 2, .grid = 3, .slice = 2};
    EXPECT_THAT(run("sum", {1, 2, 3, 4, 5, 0}, all), ElementsAre(15));
    EXPECT_THAT(run("min", {1, 2, 3, 4, 5, 0}, all), ElementsAre(1));
    EXPECT_THAT(run("max", {1, 2, 9, 4, 5, 0}, all), ElementsAre(9));
    EXPECT_THAT(run("inclusive-scan", {1, 2, 3, 4, 5, 0}, all), ElementsAre(1, 3, 6, 10, 15));
    EXPECT_THAT(run("copy", {1, 2, 3, 4, 5, 0}, all), ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(run("reverse", {1, 2, 3, 4, 5, 0}, all), ElementsAre(5, 4, 3, 2, 1));
    EXPECT_THAT(run("add", {1, 2, 3, 4, 5, 0}, all), ElementsAre(2, 4, 6, 8, 10));
}

/// Several inputs, each with its own elements.
std::vector<double> run_each(std::string_view name, const std::vector<std::vector<double>>& buffers,
                             OracleInputs inputs) {
    std::vector<std::vector<std::byte>> bytes;
    bytes.reserve(buffers.size());
    for (const std::vector<double>& each : buffers) bytes.push_back(buffer(inputs.element, each));
    for (const std::vector<std::byte>& each : bytes) inputs.inputs.emplace_back(each);
    return run(name, {}, inputs);
}

TEST(Oracle, OfApplicationsGivesWhatTheyCompute) {
    const OracleInputs three{.element = Element::s32, .n = 3, .block = 4, .grid = 1, .slice = 4};
    EXPECT_THAT(run("sorted", {3, -1, 2, 0}, three), ElementsAre(-1, 2, 3));
    EXPECT_THAT(run_each("sparse-product", {{6, 4, 16, 0}, {0, 1, 0, 0}, {1, 0, 1, 0}, {2, 3}}, three),
                ElementsAre(24, 32));
    EXPECT_THAT(run_each("resampled", {{7, 8, 9, 0}, {0, 5, 1, 0}}, three), ElementsAre(8, 8, 9));
    const OracleInputs two{.element = Element::f64, .n = 2, .block = 2, .grid = 1, .slice = 2};
    EXPECT_THAT(run_each("distance", {{3, 0}, {0, 4}}, two), ElementsAre(5));
    EXPECT_THAT(run("pi-estimate", {1, 3}, two), ElementsAre(DoubleNear(1.2, 1e-15)));
}

/// 3 x 3 x 3 points, 6 in the middle and 0 around it: the middle becomes 0.
TEST(Oracle, OfALaplaceIterationTakesTheInnerPoints) {
    std::vector<double> points(27, 0);
    points[13] = 6;
    const OracleInputs cube{.element = Element::f64, .n = 3, .block = 4, .grid = 1, .slice = 9};
    EXPECT_THAT(run("laplace-change", points, cube), ElementsAre(DoubleNear(6 / std::sqrt(27.0), 1e-15)));
    OracleInputs none = cube;
    none.slice = ~std::uint64_t{0};
    EXPECT_TRUE(run("laplace-change", points, none).empty());
}

TEST(Oracle, OfARecurrenceAllowsForRoundingOfFractionsAlone) {
    const auto tolerance = [](const std::vector<double>& lambda) {
        const std::vector<std::byte> x = buffer(Element::f32, lambda), y = buffer(Element::f32, {4, 4});
        return expect(**find_oracle("recurrence"),
                      {.element = Element::f32, .inputs = {x, y}, .n = 2, .block = 2, .grid = 1, .slice = 2})
            ->tolerance;
    };
    EXPECT_THAT(tolerance({2, 1}), ElementsAre(0, 0));
    EXPECT_THAT(tolerance({0.25, 0.5}), ElementsAre(Gt(0), Gt(0)));
}

/// Lecture 6 of Li and Su: the exclusive scan of 4 2 1 3 2 6 5 1.
TEST(Oracle, GivesTheLecturesNumbers) {
    const OracleInputs eight{.element = Element::f32, .n = 8, .block = 8, .grid = 1, .slice = 8};
    EXPECT_THAT(run("exclusive-scan", {4, 2, 1, 3, 2, 6, 5, 1}, eight), ElementsAre(0, 4, 6, 7, 10, 12, 18, 23));
    EXPECT_THAT(run("inclusive-scan", {6, 4, 16, 10, 16, 14, 2, 8}, eight), ElementsAre(6, 10, 26, 36, 52, 66, 68, 76));
}

TEST(Oracle, WholeNumbersWrapAround) {
    const OracleInputs bytes{.element = Element::s8, .n = 2, .block = 2, .grid = 1, .slice = 2};
    EXPECT_THAT(run("sum", {127, 1}, bytes), ElementsAre(-128));
    const OracleInputs words{.element = Element::u32, .n = 2, .block = 2, .grid = 1, .slice = 2};
    EXPECT_THAT(run("sum", {4294967295.0, 2}, words), ElementsAre(1));
    EXPECT_THAT(run("max", {4294967295.0, 2}, words), ElementsAre(4294967295.0));
}

TEST(Oracle, SurvivesSizesThatMakeNoSense) {
    EXPECT_THAT(
        run("block-sum", {1, 2}, {.element = Element::s32, .n = 2, .block = 4, .grid = 3, .slice = ~std::uint64_t{0}}),
        ElementsAre(3, 0, 0));
    EXPECT_TRUE(
        run("inclusive-scan", {}, {.element = Element::s32, .n = 9, .block = 1, .grid = 1, .slice = 1}).empty());
}

TEST(Oracle, ThatCannotServeSaysWhy) {
    const Result<const Oracle*> none = find_oracle("blocksum");
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().remedy, HasSubstr("block-sum"));
    EXPECT_THAT(expect(**find_oracle("add"), {.n = 1, .block = 1, .grid = 1, .slice = 1}).error().what,
                HasSubstr("reads 2 inputs"));
    const std::vector<std::byte> bytes(4);
    EXPECT_FALSE(expect(**find_oracle("sum"), {.inputs = {bytes}, .n = 1, .block = 1, .grid = 1, .slice = 0}));
}

Expected sums(const std::vector<double>& values, const std::vector<std::byte>& bytes) {
    return *expect(**find_oracle("sum"),
                   {.element = Element::f32, .inputs = {bytes}, .n = values.size(), .block = 1, .grid = 1, .slice = 1});
}

TEST(ResultComparison, OfFloatsAllowsWhatAnotherOrderCanRound) {
    const std::vector<double> fractions{0.1, 0.2, 0.3, 1e6};
    const std::vector<std::byte> bytes = buffer(Element::f32, fractions);
    const Expected expected = sums(fractions, bytes);
    const double sum = decode(Element::f32, trace::bits_at(Element::f32, expected.bytes, 0));
    EXPECT_GT(expected.tolerance.at(0), 0);
    EXPECT_TRUE(compare(Element::f32, expected, buffer(Element::f32, {sum + expected.tolerance[0] / 2})).ok);
    EXPECT_FALSE(compare(Element::f32, expected, buffer(Element::f32, {sum + expected.tolerance[0] * 2})).ok);
}

TEST(ResultComparison, OfWholeNumbersInFloatsAllowsNothing) {
    const std::vector<double> whole{1, 2, 3};
    const std::vector<std::byte> bytes = buffer(Element::f32, whole);
    const Expected expected = sums(whole, bytes);
    EXPECT_EQ(expected.tolerance.at(0), 0);
    EXPECT_TRUE(compare(Element::f32, expected, buffer(Element::f32, {6})).ok);
    EXPECT_FALSE(compare(Element::f32, expected, buffer(Element::f32, {6.0000005})).ok);
}

TEST(ResultComparison, NamesTheFirstDifference) {
    const Expected expected{.bytes = buffer(Element::s32, {1, 2, 3}), .tolerance = {}};
    EXPECT_TRUE(compare(Element::s32, expected, buffer(Element::s32, {1, 2, 3, 99})).ok);
    const ResultComparison different = compare(Element::s32, expected, buffer(Element::s32, {1, 5, 4}));
    EXPECT_FALSE(different.ok);
    EXPECT_EQ(different.first_difference, 1U);
    const ResultComparison shorter = compare(Element::s32, expected, buffer(Element::s32, {1, 2}));
    EXPECT_FALSE(shorter.ok);
    EXPECT_EQ(shorter.first_difference, 2U);
}

}  // namespace
}  // namespace lanescope::session
