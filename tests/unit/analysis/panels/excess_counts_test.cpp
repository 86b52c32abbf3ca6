// The excess of a block's accesses is the number of wavefronts that Banks shows beyond the ideal, summed over any range
// of steps.
#include "analysis/panels/excess_counts.h"

#include "analysis/panels/bank_picture.h"
#include "analysis/panels/counts_picture.h"
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

TEST(ExcessCounts, OfAllPassesAreThoseOfTheBlockWhateverHasExecuted) {
    const auto strided = analysis_of(kernel_run("reduce/strided_index", trace::View::written, 64, iota(64)));
    const BlockView block = strided->view(0, BlockId(0));
    const ExcessCounts excess(block);
    PassUnderWay under_way(block);
    const std::size_t steps = block.passes.steps.size();
    for (const std::size_t position : {std::size_t{0}, steps / 2, steps})
        EXPECT_EQ(counts_picture(block, under_way, excess, position).whole_excess(), excess.of(0, steps)) << position;
}

TEST(RelativeCosts, AreOfTheWorstLine) {
    const std::vector<LineCost> lines{{.source_line = 1, .excess_wavefronts = 10, .idle_lanes = 0},
                                      {.source_line = 2, .excess_wavefronts = 5, .idle_lanes = 30},
                                      {.source_line = 3, .excess_wavefronts = 0, .idle_lanes = 40},
                                      {.source_line = 4}};
    EXPECT_EQ(relative_costs(lines), (std::vector<float>{1, 0.75F, 1, 0}));
    EXPECT_EQ(relative_costs({{.source_line = 1}}), std::vector<float>{0}) << "nothing is lost";
}

}  // namespace
}  // namespace lanescope::analysis
