// The nearest bank conflict, divergent branch and finding are where pictures and counts have them.
#include "analysis/panels/notable_steps.h"

#include "analysis/panels/bank_picture.h"
#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::analysis {
namespace {

/// All notable steps of the kind, searched one after the other from the start.
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

TEST(NotableSteps, EventsAreWhatAccessesBranchesExchangesOrSynchronizes) {
    const auto modulo = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 64, iota(64)));
    const BlockView block = modulo->view(0, BlockId(0));
    std::size_t accesses = 0, conditions = 0, barriers = 0, events = 0;
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        const trace::Step& step = block.step_at(index);
        events += is_event(block.module, block.instruction_at(index), step) ? 1 : 0;
        std::size_t branches = 0;
        for (const trace::Effect& effect : block.trace.effects(step)) {
            using trace::EffectKind;
            const bool memory = effect.kind == EffectKind::load || effect.kind == EffectKind::store;
            accesses += memory && effect.space != trace::Space::param ? 1 : 0;
            barriers += effect.kind == EffectKind::barrier ? 1 : 0;
            branches += effect.kind == EffectKind::branch ? 1 : 0;
        }
        conditions += branches > 0 && block.instruction_at(index)->instruction->guard ? 1 : 0;
    }
    EXPECT_GT(accesses, 0U);
    EXPECT_GT(conditions, 0U);
    EXPECT_GT(barriers, 0U);
    EXPECT_EQ(events, accesses + conditions + barriers);
}

TEST(NotableSteps, AnInstructionThatNoLaneExecutesIsNoEventUnlessItBranches) {
    const auto shuffle = analysis_of(kernel_run("reduce/warp_shuffle", trace::View::compiled, 64, iota(64)));
    const BlockView block = shuffle->view(0, BlockId(0));
    std::size_t shuffles = 0;
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        const InstructionInfo* const line = block.instruction_at(index);
        trace::Step step = block.step_at(index);
        if (line->instruction->action() == ptx::Action::shuffle) {
            ++shuffles;
            EXPECT_TRUE(is_event(block.module, line, step));
        }
        step.executed = LaneMask();
        const bool branches = line->instruction->action() == ptx::Action::jump && line->instruction->guard;
        EXPECT_EQ(is_event(block.module, line, step), branches);
    }
    EXPECT_GT(shuffles, 0U);
}

TEST(NotableSteps, AKernelWithoutFindingsHasNone) {
    const auto modulo = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 64, iota(64)));
    const BlockView block = modulo->view(0, BlockId(0));
    EXPECT_EQ(nearest_finding(block, 0, true), std::nullopt);
    EXPECT_EQ(nearest_finding(block, block.passes.steps.size(), false), std::nullopt);
}

TEST(NotableSteps, TheFirstFindingOfEachLineIsKept) {
    trace::Trace trace;
    trace.findings = {{.source_line = 4},
                      {.source_line = 0},
                      {.source_line = 9, .source_file = "a.cuh"},
                      {.source_line = 7},
                      {.source_line = 4}};
    EXPECT_THAT(first_findings(trace, ""), testing::ElementsAre(std::pair(4U, 0U), std::pair(7U, 3U)));
    EXPECT_THAT(first_findings(trace, "a.cuh"), testing::ElementsAre(std::pair(9U, 2U)));
}

}  // namespace
}  // namespace lanescope::analysis
