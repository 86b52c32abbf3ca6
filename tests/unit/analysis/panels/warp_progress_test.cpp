// Where the warps of a block are, and the instructions that one of them executes, row by row.
#include "analysis/panels/warp_progress.h"

#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>

namespace lanescope::analysis {
namespace {

using testing::ElementsAre;
using testing::Optional;

class WarpProgressOfAReduction : public testing::Test {
  protected:
    std::shared_ptr<const Analysis> analysis =
        analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 96, iota(96)));
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    WarpProgress courses{analysis->view(passes)};
    std::size_t end = passes.steps.size();
};

TEST_F(WarpProgressOfAReduction, EveryStepIsTheNextOfItsOwnWarpAndThenItsLast) {
    ASSERT_EQ(courses.warps(), 3U);
    for (std::size_t position = 0; position < end; ++position) {
        const WarpId warp = analysis->trace->step(passes.steps[position]).warp;
        EXPECT_THAT(courses.next(warp, position), Optional(position));
        EXPECT_THAT(courses.last(warp, position + 1), Optional(position));
    }
}

TEST_F(WarpProgressOfAReduction, NothingWasExecutedAtTheStartAndNothingIsAtTheEnd) {
    for (const WarpId warp : {WarpId(0), WarpId(1), WarpId(2)}) {
        EXPECT_FALSE(courses.last(warp, 0).has_value());
        EXPECT_FALSE(courses.next(warp, end).has_value());
        EXPECT_FALSE(courses.waits_for(warp, 0).has_value());
        EXPECT_FALSE(courses.waits_for(warp, end).has_value());
    }
}

TEST_F(WarpProgressOfAReduction, AWarpAtABarrierWaitsForThoseThatHaveNotCome) {
    std::size_t first_to_come = 0;
    for (; first_to_come < end; ++first_to_come) {
        const auto effects = analysis->trace->effects(analysis->trace->step(passes.steps[first_to_come]));
        if (std::ranges::any_of(effects,
                                [](const trace::Effect& effect) { return effect.kind == trace::EffectKind::barrier; }))
            break;
    }
    ASSERT_LT(first_to_come, end);
    const WarpId first = analysis->trace->step(passes.steps[first_to_come]).warp;
    EXPECT_FALSE(courses.waits_for(first, first_to_come).has_value()) << "it is not there yet";
    EXPECT_THAT(courses.waits_for(first, first_to_come + 1), Optional(ElementsAre(WarpId(1), WarpId(2))));
    EXPECT_THAT(courses.waits_for(first, first_to_come + 2), Optional(ElementsAre(WarpId(2))));
    EXPECT_FALSE(courses.waits_for(first, first_to_come + 3).has_value()) << "all have come";
}

TEST_F(WarpProgressOfAReduction, TheExecutionsOfAnInstructionAreNumbered) {
    const BlockView block = analysis->view(passes);
    std::vector<std::size_t> barriers;
    for (std::size_t index = 0; index < end; ++index) {
        const InstructionInfo* const line = block.instruction_at(index);
        if (block.step_at(index).warp == WarpId(1) && line->instruction->opcode == ptx::Opcode::bar)
            barriers.push_back(index);
    }
    ASSERT_GT(barriers.size(), 2U);
    const PtxLine in_loop = block.step_at(barriers[1]).line;
    EXPECT_THAT(execution_of(block, WarpId(1), 5, in_loop, 0), Optional(barriers[1]));
    EXPECT_THAT(execution_of(block, WarpId(1), 5, in_loop, 1), Optional(barriers[2]));
    EXPECT_THAT(execution_of(block, WarpId(1), 5, in_loop, 1000), Optional(barriers.back())) << "its last one";
    EXPECT_FALSE(execution_of(block, WarpId(1), 5, PtxLine{1}, 0).has_value());
}

TEST_F(WarpProgressOfAReduction, TheRowsOfAWarpHoldAllItsInstructionsOnceAndInOrder) {
    for (const Pass& pass : passes.passes) {
        for (const bool by_line : {false, true}) {
            const auto rows = instruction_rows(analysis->view(passes), pass.id, WarpId(1), by_line);
            unsigned instructions = 0;
            std::size_t last = pass.first;
            for (const InstructionRow& row : rows) {
                instructions += row.instructions;
                EXPECT_GE(row.first, last);
                EXPECT_LE(row.first, row.last);
                last = row.last;
            }
            const auto of_warp =
                std::count_if(passes.steps.begin() + static_cast<std::ptrdiff_t>(pass.first),
                              passes.steps.begin() + static_cast<std::ptrdiff_t>(pass.past_last),
                              [&](StepId step) { return analysis->trace->step(step).warp.value == 1; });
            EXPECT_EQ(instructions, of_warp);
        }
    }
}

TEST_F(WarpProgressOfAReduction, ABranchLeavesTheLanesThatDoNotTakeItInactive) {
    const auto rows = instruction_rows(analysis->view(passes), PassId(1), WarpId(0), true);
    const auto adds = std::ranges::find_if(rows, [](const InstructionRow& row) {
        return row.executed == LaneMask(0x5555'5555U);  // tid % 2 == 0
    });
    ASSERT_NE(adds, rows.end());
    EXPECT_EQ(adds->inactive | adds->predicated_off, LaneMask(0xAAAA'AAAAU));
    EXPECT_EQ(adds->useful, adds->executed);
}

TEST_F(WarpProgressOfAReduction, WarpsAreGroupedByTheLineThatTheyAreAt) {
    const BlockView block = analysis->view(passes);
    for (std::size_t position = 0; position <= end; ++position) {
        std::size_t grouped_warps = 0;
        for (const WarpsAtLine& at : warps_by_line(block, courses, position, WarpId(1))) {
            EXPECT_EQ(block.step_at(at.step).line, at.line);
            for (const WarpId warp : at.warps) {
                ++grouped_warps;
                EXPECT_NE(warp, WarpId(1));
                EXPECT_EQ(courses.waits_for(warp, position).has_value(), at.waiting);
                const auto step = at.waiting ? courses.last(warp, position) : courses.next(warp, position);
                ASSERT_TRUE(step.has_value());
                EXPECT_EQ(block.step_at(*step).line, at.line) << position;
            }
        }
        const bool over = !courses.next(WarpId(0), position) && !courses.next(WarpId(2), position);
        EXPECT_LE(grouped_warps, 2U);
        EXPECT_EQ(grouped_warps == 0, over) << position;
    }
    const auto at_start = warps_by_line(block, courses, 0, WarpId(1));
    ASSERT_EQ(at_start.size(), 1U) << "all begin with the first instruction";
    EXPECT_THAT(at_start.front().warps, ElementsAre(WarpId(0), WarpId(2)));
}

}  // namespace
}  // namespace lanescope::analysis
