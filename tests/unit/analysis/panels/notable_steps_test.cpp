// The nearest bank conflict, divergent branch and finding: each is where the pictures and counts say that it is.
#include "analysis/panels/notable_steps.h"

#include "analysis/panels/bank_picture.h"
#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::analysis {
namespace {

/// All that are found one after the other from the start.
std::vector<std::size_t> all_of(const BlockView& block, Notable what) {
    std::vector<std::size_t> found;
    if (nearest(block, what, 1, false) == 0U) found.push_back(0);
    for (auto at = nearest(block, what, 0, true); at; at = nearest(block, what, *at, true)) found.push_back(*at);
    return found;
}

TEST(NotableSteps, ConflictsAreTheAccessesWithMoreWavefronts) {
    const auto strided = analysis_of(kernel_run("reduce/strided_index", trace::View::written, 64, iota(64)));
    const BlockView block = strided->view(0, BlockId(0));
    const std::vector<std::size_t> found = all_of(block, Notable::conflict);
    ASSERT_FALSE(found.empty());
    for (const std::size_t index : found) EXPECT_TRUE(bank_picture(block, index)->conflict());
    // Backwards, the same ones.
    std::vector<std::size_t> backwards;
    for (auto at = nearest(block, Notable::conflict, block.passes.steps.size(), false); at;
         at = nearest(block, Notable::conflict, *at, false))
        backwards.push_back(*at);
    std::ranges::reverse(backwards);
    EXPECT_EQ(backwards, found);
    const auto sequential = analysis_of(kernel_run("reduce/sequential", trace::View::written, 64, iota(64)));
    EXPECT_EQ(nearest(sequential->view(0, BlockId(0)), Notable::conflict, 0, true), std::nullopt);
}

TEST(NotableSteps, DivergentBranchesAreAsManyAsAreCounted) {
    const auto modulo = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 64, iota(64)));
    const BlockView block = modulo->view(0, BlockId(0));
    EXPECT_EQ(all_of(block, Notable::divergent_branch).size(), modulo->totals.divergent_branches);
    EXPECT_GT(modulo->totals.divergent_branches, 0U);
}

TEST(NotableSteps, AKernelWithoutFindingsHasNone) {
    const auto modulo = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 64, iota(64)));
    const BlockView block = modulo->view(0, BlockId(0));
    EXPECT_EQ(nearest_finding(block, 0, true), std::nullopt);
    EXPECT_EQ(nearest_finding(block, block.passes.steps.size(), false), std::nullopt);
}

}  // namespace
}  // namespace lanescope::analysis
