// The analysis of the built-in kernels: closed forms, the lectures' numbers, and whole pictures as text.
#include "unit/analysis/kernels.h"

#include "analysis/expressions/formula.h"
#include "analysis/panels/warp_picture.h"
#include "analysis/source/display_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

namespace lanescope::analysis {
namespace {

using trace::View;

class OfBothViews : public testing::TestWithParam<View> {};
INSTANTIATE_TEST_SUITE_P(Kernels, OfBothViews, testing::Values(View::written, View::compiled), [](const auto& chosen) {
    return chosen.param == View::written ? "as_written" : "as_compiled";
});

TEST_P(OfBothViews, AReductionOfNDoesNMinus1AdditionsInAChainOfLogN) {
    for (const char* name : {"reduce/interleaved_modulo", "reduce/strided_index", "reduce/sequential"}) {
        for (const unsigned n : {2U, 16U, 64U, 256U}) {
            const auto analysis = analysis_of(kernel_run(name, GetParam(), n, iota(n)));
            EXPECT_EQ(analysis->work, n - 1) << name << " of " << n;
            EXPECT_EQ(analysis->span, std::bit_width(n) - 1U) << name << " of " << n;
            EXPECT_EQ(analysis->totals.operations, n - 1) << name << " of " << n;
        }
    }
}

TEST_P(OfBothViews, TwoElementsAThreadTakeTwiceTheInput) {
    const auto analysis = analysis_of(kernel_run("reduce/two_elements", GetParam(), 8, classic));
    EXPECT_EQ(analysis->work, 15U);
    EXPECT_EQ(analysis->span, 4U);
    EXPECT_THAT(narration_of(*analysis), testing::HasSubstr("The block is done: out[0] = 41."));
}

TEST_P(OfBothViews, TheDoubleBufferedScanOf1024Does9217AdditionsInAChainOf10) {
    const auto analysis = analysis_of(kernel_run("scan/double_buffered", GetParam(), 1024, iota(1024)));
    EXPECT_EQ(analysis->work, 9217U);
    EXPECT_EQ(analysis->span, 10U);
}

TEST_P(OfBothViews, TheDoubleBufferedScanOf8Does17AdditionsInAChainOf3) {
    const auto analysis = analysis_of(kernel_run("scan/double_buffered", GetParam(), 8, {6, 4, 16, 10, 16, 14, 2, 8}));
    EXPECT_EQ(analysis->work, 17U);
    EXPECT_EQ(analysis->span, 3U);
}

TEST_P(OfBothViews, TheClassicInputComesDownTo41InFourPasses) {
    const auto analysis = analysis_of(kernel_run("reduce/interleaved_modulo", GetParam(), 16, classic));
    const Picture& picture = analysis->picture(0, BlockId(0));
    ASSERT_EQ(picture.rows.size(), 5U);
    const auto value = [&](std::size_t row, std::size_t column) {
        return trace::text_of(picture.groups[0].element, picture.rows[row].cells[column].bits);
    };
    EXPECT_EQ(value(3, 0), "24");
    EXPECT_EQ(value(3, 8), "17");
    EXPECT_EQ(value(4, 0), "41");
    EXPECT_EQ(picture.rows[3].lanes, 2U);
    EXPECT_EQ(picture.rows[3].threads, 16U);
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    std::vector<unsigned> lanes;
    std::vector<std::uint64_t> work;
    for (const Pass& pass : passes.passes) {
        lanes.push_back(pass.lanes);
        work.push_back(pass.work);
    }
    EXPECT_THAT(lanes, testing::ElementsAre(16, 8, 4, 2, 1, 1)) << "load, four passes, store";
    EXPECT_THAT(work, testing::ElementsAre(0, 8, 4, 2, 1, 0));
}

TEST(PassLabels, NameTheVariableThatTheLoopTests) {
    const auto labels = [](const char* name, View view, unsigned threads) {
        std::vector<std::string> result;
        const auto analysis = analysis_of(kernel_run(name, view, threads, classic));
        for (const GridPass& pass : analysis->passes) result.push_back(pass.label);
        return result;
    };
    using testing::ElementsAre;
    EXPECT_THAT(labels("reduce/interleaved_modulo", View::written, 16),
                ElementsAre("load", "s = 1", "s = 2", "s = 4", "s = 8", "store"));
    EXPECT_THAT(labels("reduce/strided_index", View::written, 8),
                ElementsAre("load", "s = 1", "s = 2", "s = 4", "store"));
    EXPECT_THAT(labels("reduce/sequential", View::written, 8), ElementsAre("load", "s = 4", "s = 2", "s = 1", "store"));
    EXPECT_THAT(labels("reduce/two_elements", View::written, 8),
                ElementsAre("load", "stride = 1", "stride = 2", "stride = 4", "stride = 8"));
    EXPECT_THAT(labels("scan/double_buffered", View::written, 16),
                ElementsAre("load", "s = 1", "s = 2", "s = 4", "s = 8"));
    EXPECT_THAT(labels("reduce/sequential", View::written, 2), ElementsAre("load", "s = 1", "store"))
        << "one pass is enough";
    EXPECT_THAT(labels("reduce/sequential", View::compiled, 8),
                ElementsAre("load", "pass 1", "pass 2", "pass 3", "store"));
}

TEST_P(OfBothViews, CountsOfThePassesAddUpToTheGrids) {
    for (const char* name : {"reduce/interleaved_modulo", "reduce/strided_index", "reduce/sequential",
                             "reduce/two_elements", "scan/double_buffered"}) {
        const auto analysis = analysis_of(kernel_run(name, GetParam(), 256, iota(512)));
        trace::Counts by_block, by_grid;
        for (const Pass& pass : analysis->block_passes(0, BlockId(0)).passes) by_block += pass.counts;
        for (const GridPass& pass : analysis->passes) by_grid += pass.counts;
        EXPECT_EQ(by_grid, analysis->totals) << name;
        EXPECT_EQ(by_block.warp_instructions, analysis->totals.warp_instructions) << name;
        EXPECT_EQ(by_block.thread_instructions, analysis->totals.thread_instructions) << name;
        EXPECT_EQ(by_block.shared_load_wavefronts, analysis->totals.shared_load_wavefronts) << name;
        EXPECT_EQ(by_block.shared_store_wavefronts, analysis->totals.shared_store_wavefronts) << name;
        EXPECT_EQ(by_block.global_load_sectors, analysis->totals.global_load_sectors) << name;
        EXPECT_EQ(by_block.operations, analysis->totals.operations) << name;
        EXPECT_TRUE(by_block == analysis->totals) << name << ": one block is the whole grid";
    }
}

TEST(Grid, PassesOfSeveralBlocksAddUp) {
    KernelRun run = kernel_run("reduce/sequential", View::compiled, 8, iota(32));
    run.blocks = run.outputs = 4;
    const auto analysis = analysis_of(run);
    EXPECT_EQ(analysis->work, 28U);
    EXPECT_EQ(analysis->span, 3U);
    std::vector<std::uint64_t> work;
    for (const GridPass& pass : analysis->passes) work.push_back(pass.work.value());
    EXPECT_THAT(work, testing::ElementsAre(0, 16, 8, 4, 0));
    EXPECT_EQ(analysis->passes[1].counts.barriers, 4U);
}

struct Golden {
    const char* kernel;
    View view;
    unsigned threads;
};
class OfGoldens : public testing::TestWithParam<Golden> {};
std::string name_of(const Golden& golden) {
    std::string name = golden.kernel + std::string(golden.view == View::written ? ".written" : ".compiled");
    for (char& c : name) c = c == '/' || c == '.' ? '_' : c;
    return name;
}
INSTANTIATE_TEST_SUITE_P(
    Kernels, OfGoldens,
    testing::Values(Golden{"reduce/two_elements", View::written, 8}, Golden{"reduce/two_elements", View::compiled, 8},
                    Golden{"reduce/interleaved_modulo", View::written, 16},
                    Golden{"reduce/interleaved_modulo", View::compiled, 16},
                    Golden{"reduce/strided_index", View::written, 16},
                    Golden{"reduce/strided_index", View::compiled, 16}, Golden{"reduce/sequential", View::written, 16},
                    Golden{"reduce/sequential", View::compiled, 16}, Golden{"scan/double_buffered", View::written, 8},
                    Golden{"scan/double_buffered", View::compiled, 8}),
    [](const auto& chosen) { return name_of(chosen.param); });

TEST_P(OfGoldens, ThePictureIsAsKept) {
    std::vector<int> input = classic;
    if (std::string_view(GetParam().kernel) == "scan/double_buffered") input = {6, 4, 16, 10, 16, 14, 2, 8};
    const auto analysis = analysis_of(kernel_run(GetParam().kernel, GetParam().view, GetParam().threads, input));
    EXPECT_EQ(difference_to_golden(name_of(GetParam()) + ".picture.txt", text_of(analysis->picture(0, BlockId(0)))),
              "");
}

TEST(Narration, OfAWholeRunOfTheInterleavedReductionIsAsKept) {
    const auto analysis = analysis_of(kernel_run("reduce/interleaved_modulo", View::written, 8, classic));
    EXPECT_EQ(difference_to_golden("interleaved_modulo.written.narration.txt", narration_of(*analysis)), "");
}

TEST(Narration, AsCompiledIsAsKept) {
    const auto analysis = analysis_of(kernel_run("reduce/interleaved_modulo", View::compiled, 8, classic));
    EXPECT_EQ(difference_to_golden("interleaved_modulo.compiled.narration.txt", narration_of(*analysis)), "");
}

TEST(Narration, OfABlockOfSeveralWarpsIsAsKept) {
    const auto analysis = analysis_of(kernel_run("scan/double_buffered", View::written, 64, iota(64)));
    EXPECT_EQ(difference_to_golden("double_buffered.written.narration.txt", narration_of(*analysis)), "");
}

TEST(Narration, StaysLegible) {
    for (const View view : {View::written, View::compiled}) {
        for (const char* name : {"reduce/interleaved_modulo", "reduce/two_elements", "scan/double_buffered"}) {
            const auto analysis = analysis_of(kernel_run(name, view, 64, iota(128)));
            const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
            for (std::size_t i = 0; i <= passes.steps.size(); ++i) {
                const std::string sentence = narrate(analysis->view(passes), i);
                EXPECT_LE(sentence.size(), 180U) << sentence;
                EXPECT_THAT(sentence, testing::MatchesRegex(".*[.;{]"));
            }
        }
    }
}

TEST(Expression, SpellsASumOutInInputs) {
    const auto analysis = analysis_of(kernel_run("reduce/interleaved_modulo", View::written, 8, classic));
    const Picture& picture = analysis->picture(0, BlockId(0));
    const auto expression = [&](std::size_t row, std::size_t column, std::size_t length) {
        return expression_of(*analysis->trace, *analysis->provenance, picture.rows[row].cells[column].value,
                             picture.groups[0].element, length);
    };
    EXPECT_EQ(expression(0, 3, 120), "-1");
    EXPECT_EQ(expression(1, 2, 120), "8 - 1");
    EXPECT_EQ(expression(2, 0, 120), "(10 + 1) + (8 - 1)");
    EXPECT_EQ(expression(3, 0, 120), "((10 + 1) + (8 - 1)) + ((0 - 2) + (3 + 5))");
    EXPECT_EQ(expression(3, 0, 30), "((10 + 1) + (8 - 1)) + ...");
    for (std::size_t length = 4; length < 60; ++length) EXPECT_LE(expression(3, 0, length).size(), length) << length;
}

TEST(Expression, OfAnUnchangedCopyIsTheNameOfTheInput) {
    KernelRun run = kernel_run("reduce/interleaved_modulo", View::written, 8, classic);
    const auto analysis = analysis_of(run);
    const Picture& picture = analysis->picture(0, BlockId(0));
    const auto input = [&](std::size_t row, std::size_t column) {
        return copied_input(*analysis->trace, *analysis->module, *analysis->provenance, 0,
                            picture.rows[row].cells[column].value);
    };
    EXPECT_EQ(input(0, 3), "in[3]");
    EXPECT_EQ(input(3, 3), "in[3]") << "no later pass has changed it";
    EXPECT_FALSE(input(1, 2).has_value()) << "a sum";
}

TEST_P(OfBothViews, WhatSteersAnOutputIsAsUsefulAsWhatItIsMadeOf) {
    // The scan of a partition determines the address of each element, so all threads are useful in every pass.
    KernelRun run = kernel_run("apply/partition", GetParam(), 16, classic);
    run.outputs = 16;
    const auto analysis = analysis_of(run);
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    ASSERT_GE(passes.passes.size(), 5U);
    for (const Pass& pass : passes.passes) {
        EXPECT_EQ(pass.lanes, 16U) << pass.label;
        const WarpPicture warps = warp_picture(analysis->view(passes), pass.id);
        EXPECT_EQ(warps.rows.front().useful.count(), pass.lanes) << pass.label << ": Warps says what Counts does";
        EXPECT_EQ(warps.rows.front().useful_lanes, pass.useful_lanes) << pass.label;
    }
}

TEST(LineCosts, NameTheLinesThatConflictAndIdle) {
    const auto analysis = analysis_of(kernel_run("reduce/strided_index", View::compiled, 256, iota(256)));
    std::uint64_t excess = 0, excess_lines = 0;
    trace::Counts all;
    for (const LineCost& cost : analysis->lines) {
        excess += cost.excess_wavefronts;
        excess_lines += cost.excess_wavefronts > 0 ? 1 : 0;
        all += cost.counts;
    }
    EXPECT_EQ(excess_lines, 1U) << "the line that adds";
    EXPECT_EQ(excess, analysis->totals.shared_load_wavefronts - analysis->totals.shared_load_instructions +
                          analysis->totals.shared_store_wavefronts - analysis->totals.shared_store_instructions);
    EXPECT_EQ(analysis->totals.shared_load_wavefronts, 95U);
    EXPECT_EQ(analysis->totals.shared_store_wavefronts, 55U);
}

TEST(LineActivity, OfAllPassesAddsUpToTheCostOfTheLine) {
    for (const View view : {View::written, View::compiled}) {
        const auto analysis = analysis_of(kernel_run("reduce/strided_index", view, 256, iota(256)));
        const BlockView block = analysis->view(0, BlockId(0));
        for (const LineCost& cost : analysis->lines) {
            trace::Counts sum;
            for (const Pass& pass : block.passes.passes) sum += line_activity(block, pass.id, cost.source_line).counts;
            EXPECT_TRUE(sum == cost.counts) << "line " << cost.source_line;
        }
    }
}

TEST(LineActivity, CountsTheThreadsThatExecuteALineOfAPass) {
    const auto analysis = analysis_of(kernel_run("reduce/strided_index", View::compiled, 256, iota(256)));
    const BlockView block = analysis->view(0, BlockId(0));
    constexpr std::uint32_t adds = 15;  // sdata[index] += sdata[index + s];
    const LineActivity activity = line_activity(block, PassId(3), adds);
    EXPECT_EQ(activity.executed, 32U) << "s = 4: 256 / 8";
    EXPECT_EQ(activity.useful, 32U);
    EXPECT_EQ(activity.counts.operations, 32U);
    EXPECT_EQ(line_activity(block, PassId(0), adds).executed, 0U) << "the load adds nothing";
}

}  // namespace
}  // namespace lanescope::analysis
