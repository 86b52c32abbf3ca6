// Passes of warps that wait for each other at mbarriers: one fetches, the other adds.
#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

using testing::Contains;
using testing::Field;
using testing::Not;

TEST(MbarrierPasses, EndWhereAPhaseIsComplete) {
    const auto analysis = analysis_of_two_slots();
    const BlockPasses& block = analysis->block_passes(0, BlockId(0));
    ASSERT_GE(block.passes.size(), 3U);
    std::vector<std::uint64_t> completed;
    for (const Pass& pass : block.passes) {
        EXPECT_LE(pass.completes.size(), 1U) << pass.label << ": no pass is of two phases";
        for (const BarrierPhase& phase : pass.completes) {
            EXPECT_EQ(phase.kind, BarrierPhase::Barrier::mbarrier);
            completed.push_back(phase.barrier);
            EXPECT_EQ(phase.number, 0U);
            // The step that completes it is the last of the pass.
            const trace::Step& last = analysis->trace->step(block.steps[pass.past_last - 1]);
            EXPECT_EQ(last.warp, WarpId(0));
        }
    }
    EXPECT_THAT(completed, testing::ElementsAre(0, 8)) << "full[0], then full[1]";
}

TEST(MbarrierPasses, AreNamedAfterTheirPhase) {
    const auto analysis = analysis_of_two_slots();
    std::vector<std::string> labels;
    for (const Pass& pass : analysis->block_passes(0, BlockId(0)).passes) labels.push_back(pass.label);
    EXPECT_EQ(labels.front(), "load");
    EXPECT_THAT(labels, Contains("full[1] phase 0"));
}

TEST(MbarrierPasses, CountTheWorkOfWhatTheCopiesBrought) {
    const auto analysis = analysis_of_two_slots();
    EXPECT_EQ(analysis->work, 64U);
    EXPECT_EQ(analysis->span, 1U);
}

TEST(MbarrierPasses, ShowNoMbarrierAmongTheCells) {
    const auto analysis = analysis_of_two_slots();
    const Picture& picture = analysis->picture(0, BlockId(0));
    EXPECT_THAT(picture.groups, Contains(Field(&ColumnGroup::name, "ring")));
    EXPECT_THAT(picture.groups, Not(Contains(Field(&ColumnGroup::name, "full"))));
}

}  // namespace
}  // namespace lanescope::analysis
