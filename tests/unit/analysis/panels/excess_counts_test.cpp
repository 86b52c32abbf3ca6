// The excess of a block's accesses is what Banks shows beyond the least, summed over any range of its steps.
#include "analysis/panels/excess_counts.h"

#include "analysis/panels/bank_picture.h"
#include "unit/analysis/kernels.h"

#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

TEST(ExcessCounts, AreTheConflictsOfTheSteps) {
    const auto strided = analysis_of(kernel_run("reduce/strided_index", trace::View::written, 64, iota(64)));
    const BlockView block = strided->view(0, BlockId(0));
    const ExcessCounts excess(block);
    const std::size_t steps = block.passes.steps.size();
    Excess sum;
    for (std::size_t index = 0; index < steps; ++index) {
        const auto picture = bank_picture(block, index);
        const Excess own = excess.of(index, index + 1);
        EXPECT_EQ(own.wavefronts, picture ? picture->wavefronts.size() - picture->least : 0U) << index;
        sum.wavefronts += own.wavefronts;
        sum.sectors += own.sectors;
    }
    EXPECT_GT(sum.wavefronts, 0U);
    EXPECT_EQ(excess.of(0, steps), sum);
    EXPECT_EQ(excess.of(0, steps + 100), sum) << "past the end there is nothing";
    EXPECT_EQ(excess.of(7, 7), Excess{});
}

TEST(ExcessCounts, AreNoneOfAdjacentAccesses) {
    const auto sequential = analysis_of(kernel_run("reduce/sequential", trace::View::written, 64, iota(64)));
    const BlockView block = sequential->view(0, BlockId(0));
    EXPECT_EQ(ExcessCounts(block).of(0, block.passes.steps.size()), Excess{});
}

}  // namespace
}  // namespace lanescope::analysis
