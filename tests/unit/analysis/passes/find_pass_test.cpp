// Steps and passes of a block are found by their numbers and names, and the sum over the grid has the same passes.
#include "analysis/passes/passes.h"

#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>

namespace lanescope::analysis {
namespace {

using testing::Optional;

TEST(FindPass, FindsEachStepOfTheBlockAndNoOther) {
    const auto analysis =
        analysis_of({.name = "reduce/sequential", .threads = 16, .input = iota(32), .outputs = 2, .blocks = 2});
    const BlockPasses &one = analysis->block_passes(0, BlockId(0)), &other = analysis->block_passes(0, BlockId(1));
    for (std::size_t index = 0; index < one.steps.size(); ++index) {
        EXPECT_THAT(one.find(one.steps[index]), Optional(index));
        EXPECT_EQ(one.position_of(one.steps[index]), index);
    }
    EXPECT_EQ(one.find(other.steps.front()), std::nullopt);
    EXPECT_EQ(one.find(StepId{}), std::nullopt);
    const std::size_t after = one.position_of(other.steps.front());
    if (after < one.steps.size()) {
        EXPECT_GT(one.steps[after], other.steps.front());
    }
    if (after > 0) {
        EXPECT_LT(one.steps[after - 1], other.steps.front());
    }
}

TEST(FindPass, OfSeveralOfANameIsTheNearest) {
    BlockPasses passes;
    for (const char* label : {"load", "s = 1", "s = 2", "s = 1", "store"}) passes.passes.push_back({.label = label});
    EXPECT_THAT(passes.named("s = 1", 0), Optional(1U));
    EXPECT_THAT(passes.named("s = 1", 2), Optional(1U)) << "the first of two";
    EXPECT_THAT(passes.named("s = 1", 4), Optional(3U));
    EXPECT_EQ(passes.named("s = 4", 2), std::nullopt);
}

TEST(FindPass, OfEachPassOfABlockIsThatOfTheGrid) {
    const auto analysis =
        analysis_of({.name = "reduce/sequential", .threads = 16, .input = iota(32), .outputs = 2, .blocks = 2});
    const BlockPasses& passes = analysis->block_passes(0, BlockId(1));
    ASSERT_EQ(passes.passes.size(), analysis->passes.size());
    for (std::size_t index = 0; index < passes.passes.size(); ++index) {
        EXPECT_THAT(find_pass(analysis->passes, passes, passes.passes[index]), Optional(index));
        BlockPasses later = passes;
        later.launch = 1;
        EXPECT_EQ(find_pass(analysis->passes, later, passes.passes[index]), std::nullopt) << "there is one launch";
        for (std::size_t other = 0; other < passes.passes.size(); ++other)
            EXPECT_EQ(are_same(analysis->passes[index], passes.passes[other]), index == other);
    }
    Pass renamed = passes.passes[1];
    renamed.label = "another";
    EXPECT_EQ(find_pass(analysis->passes, passes, renamed), std::nullopt);
}

}  // namespace
}  // namespace lanescope::analysis
