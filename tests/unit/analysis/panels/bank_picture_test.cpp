// Banks and Warps of the built-in kernels have the conflicts and idle lanes that the lectures state.
#include "analysis/panels/bank_picture.h"
#include "analysis/panels/access_near.h"

#include "analysis/expressions/access_text.h"
#include "analysis/panels/bank_heat.h"
#include "analysis/panels/warp_picture.h"
#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

BankPicture load_in_pass(const Analysis& analysis, std::size_t pass) {
    const BlockPasses& passes = analysis.block_passes(0, BlockId(0));
    const auto index = access_near(analysis.view(passes), passes.passes[pass].first, WarpId(0), trace::Space::shared);
    EXPECT_TRUE(index.has_value());
    return *bank_picture(analysis.view(passes), *index);
}

TEST(BankPicture, OfAStridedIndexHasMoreWordsABankFromStepToStep) {
    const auto analysis = analysis_of(kernel_run("reduce/strided_index", trace::View::compiled, 256, iota(256)));
    const BankPicture picture = load_in_pass(*analysis, 4);  // s = 8: index = 16 * tid
    EXPECT_EQ(picture.wavefronts.size(), 8U);
    EXPECT_EQ(picture.degree[0] + picture.degree[8], 8U) << "sixteen lanes, sixteen words apart, meet in two banks";
    EXPECT_EQ(picture.words.size(), 16U);
    EXPECT_TRUE(picture.conflict());
    EXPECT_THAT(picture.arithmetic, HasSubstr("16·lane"));
    EXPECT_THAT(picture.arithmetic, HasSubstr("2 banks, 8 words in each"));
    EXPECT_EQ(picture.array, "sdata");
    for (const BankWord& word : picture.words) {
        EXPECT_EQ(word.bank, word.word % 32);
        EXPECT_TRUE((picture.wavefronts[word.wavefront].lanes & word.lanes).any());
    }
}

TEST(BankPicture, OfSequentialAddressingHasOneWordABank) {
    const auto analysis = analysis_of(kernel_run("reduce/sequential", trace::View::compiled, 256, iota(256)));
    const BankPicture picture = load_in_pass(*analysis, 1);
    EXPECT_EQ(picture.wavefronts.size(), 1U);
    EXPECT_FALSE(picture.conflict());
    EXPECT_THAT(picture.arithmetic, HasSubstr("32 words in 32 different banks"));
    EXPECT_THAT(picture.degree, testing::Each(1U));
}

TEST(BankPicture, CountsAllThatTheWholeKernelCounts) {
    const auto analysis = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::compiled, 256, iota(256)));
    std::uint64_t loads = 0, stores = 0;
    const BlockView block = analysis->view(0, BlockId(0));
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        const auto picture = bank_picture(block, index);
        if (!picture) continue;
        (picture->kind == trace::EffectKind::load ? loads : stores) += picture->wavefronts.size();
    }
    EXPECT_EQ(loads, analysis->totals.shared_load_wavefronts);
    EXPECT_EQ(stores, analysis->totals.shared_store_wavefronts);
}

TEST(BankPicture, OfTheLecturesBlockOf128On16BanksHasItsWays) {
    const auto analysis = analysis_of(kernel_run("reduce/strided_index", trace::View::compiled, 128, iota(128)));
    const auto banks = model::BankModel::compute_capability_1();
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    std::vector<unsigned> ways;
    for (std::size_t pass = 1; pass <= 7; ++pass) {
        const auto index =
            access_near(analysis->view(passes), passes.passes[pass].first, WarpId(0), trace::Space::shared);
        ASSERT_TRUE(index.has_value());
        const auto picture = bank_picture(analysis->view(passes), *index, banks);
        ways.push_back(*std::ranges::max_element(picture->degree));
    }
    EXPECT_THAT(ways, ElementsAre(2, 4, 8, 8, 4, 2, 1));
}

TEST(AccessText, IsTheIndexExpressionOfTheSource) {
    for (const auto& [view, load] : {std::pair(trace::View::written, "sdata[index + s]"),
                                     std::pair(trace::View::compiled, "sdata[2 * threadIdx.x]")}) {
        const auto analysis = analysis_of(kernel_run("reduce/strided_index", view, 16, iota(16)));
        const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
        const auto index = access_near(analysis->view(passes), passes.passes[1].first, WarpId(0), trace::Space::shared);
        ASSERT_TRUE(index.has_value());
        EXPECT_EQ(access_text(analysis->view(passes), *index, "sdata"), load);
    }
}

TEST(AccessText, IsOfEveryAccessOfTheTextbooksAsWritten) {
    for (const char* kernel : {"reduce/sequential", "scan/up_sweep_down_sweep", "scan/double_buffered"}) {
        const auto analysis = analysis_of(kernel_run(kernel, trace::View::written, 16, iota(32)));
        const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
        std::size_t accesses = 0, named = 0;
        for (std::size_t index = 0; index < passes.steps.size(); ++index) {
            if (!bank_picture(analysis->view(passes), index)) continue;
            ++accesses;
            const std::string text = access_text(analysis->view(passes), index, kernel);
            named += text.ends_with("]") ? 1 : 0;
        }
        EXPECT_GT(2 * named, accesses) << kernel;
    }
}

TEST(BankPicture, OfHalfWarpsWithoutAConflictHasOneWordABank) {
    const auto analysis = analysis_of(kernel_run("reduce/sequential", trace::View::compiled, 256, iota(256)));
    const auto banks = model::BankModel::compute_capability_1();
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    const auto index = access_near(analysis->view(passes), passes.passes[1].first, WarpId(0), trace::Space::shared);
    ASSERT_TRUE(index.has_value());
    const auto picture = bank_picture(analysis->view(passes), *index, banks);
    EXPECT_EQ(picture->wavefronts.size(), 2U);
    EXPECT_EQ(picture->groups, 2U);
    EXPECT_FALSE(picture->conflict());
    EXPECT_THAT(picture->degree, testing::Each(1U));
    EXPECT_THAT(picture->arithmetic, HasSubstr("served in 2 groups of lanes"));
}

TEST(BankHeat, OfAPassHasARowForEveryAccessAndAllItsWavefronts) {
    const auto analysis = analysis_of(kernel_run("reduce/strided_index", trace::View::written, 256, iota(256)));
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    for (const Pass& pass : passes.passes) {
        const BankHeat heat = bank_heat(analysis->view(passes), pass.id, std::nullopt);
        std::uint64_t wavefronts = 0;
        for (const BankHeatRow& row : heat.rows) {
            wavefronts += row.wavefronts;
            EXPECT_EQ(row.degree.size(), 32U);
            EXPECT_GE(row.step, pass.first);
            EXPECT_LT(row.step, pass.past_last);
        }
        EXPECT_EQ(wavefronts, pass.counts.shared_load_wavefronts + pass.counts.shared_store_wavefronts);
    }
}

TEST(BankPicture, IsOfTheAccessThatComesNextInThePassOrWasLast) {
    const auto analysis = analysis_of(kernel_run("reduce/sequential", trace::View::compiled, 64, iota(64)));
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    for (std::size_t position = 0; position <= passes.steps.size(); ++position) {
        const auto index = access_near(analysis->view(passes), position, WarpId(1), trace::Space::shared);
        if (!index) continue;
        EXPECT_TRUE(bank_picture(analysis->view(passes), *index).has_value());
        const Pass& pass = passes.passes[passes.pass_of(std::min(position, passes.steps.size() - 1)).index()];
        EXPECT_LT(*index, pass.past_last) << "never of a pass to come";
    }
}

TEST(WarpPicture, OfTheModuloHasAFewUsefulLanesInEveryWarp) {
    const auto analysis = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 256, iota(256)));
    const WarpPicture picture = warp_picture(analysis->view(0, BlockId(0)), PassId(3));  // s = 4
    ASSERT_EQ(picture.rows.size(), 8U);
    for (const WarpRow& row : picture.rows) {
        EXPECT_EQ(row.useful, LaneMask(0x01010101U));
        EXPECT_EQ(row.ran | row.useful, row.threads) << "all lanes test";
        EXPECT_LT(row.efficiency_percent(), 12.5);
        EXPECT_GT(row.efficiency_percent(), 0);
    }
}

TEST(WarpPicture, OfTheStridedIndexPacksTheUsefulLanesIntoTheFirstWarps) {
    const auto analysis = analysis_of(kernel_run("reduce/strided_index", trace::View::written, 256, iota(256)));
    const WarpPicture picture = warp_picture(analysis->view(0, BlockId(0)), PassId(3));  // s = 4: 32 threads
    EXPECT_EQ(picture.rows[0].useful, LaneMask(0xFFFF'FFFFU));
    for (std::size_t warp = 1; warp < 8; ++warp) EXPECT_TRUE(picture.rows[warp].useful.none());
}

TEST(WarpPicture, OfAllPassesInOneWalkAreThoseOfEach) {
    for (const char* name : {"reduce/two_elements", "reduce/unrolled_last_warp", "scan/in_place"}) {
        const auto analysis = analysis_of(kernel_run(name, trace::View::written, 64, iota(128)));
        const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
        const std::vector<WarpPicture> all = warp_pictures(analysis->view(passes));
        ASSERT_EQ(all.size(), passes.passes.size());
        for (const Pass& pass : passes.passes) {
            const WarpPicture one = warp_picture(analysis->view(passes), pass.id);
            for (std::size_t warp = 0; warp < one.rows.size(); ++warp) {
                const WarpRow &left = all[pass.id.index()].rows[warp], &right = one.rows[warp];
                EXPECT_EQ(left.useful, right.useful) << name << ", " << pass.label;
                EXPECT_EQ(left.ran, right.ran) << name << ", " << pass.label;
                EXPECT_EQ(left.exited, right.exited) << name << ", " << pass.label;
                EXPECT_EQ(left.masked, right.masked) << name << ", " << pass.label;
                EXPECT_EQ(left.warp_instructions, right.warp_instructions) << name << ", " << pass.label;
            }
        }
    }
}

TEST(WarpPicture, CountsEveryThreadOnce) {
    const auto analysis = analysis_of(kernel_run("reduce/two_elements", trace::View::written, 40, iota(80)));
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    for (const Pass& pass : passes.passes) {
        for (const WarpRow& row : warp_picture(analysis->view(passes), pass.id).rows) {
            EXPECT_EQ(row.useful.count() + row.ran.count() + row.masked.count() + row.exited.count(),
                      row.threads.count());
            EXPECT_EQ(row.useful | row.ran | row.masked | row.exited, row.threads);
        }
    }
}

TEST(BankPicture, SaysWhichLanesWaitAndWhichRowsAreTouched) {
    const auto analysis = analysis_of(kernel_run("reduce/strided_index", trace::View::compiled, 256, iota(256)));
    const BankPicture picture = load_in_pass(*analysis, 4);
    LaneMask rest = picture.lanes;
    for (std::size_t turn = 0; turn < picture.turns(); ++turn) {
        rest &= ~picture.lanes_of_turn(turn);
        EXPECT_EQ(picture.waiting_in(turn), rest) << turn;
    }
    EXPECT_FALSE(picture.waiting_in(picture.turns() - 1).any());
    const std::vector<std::uint64_t> rows = picture.touched_rows();
    EXPECT_EQ(rows.size(), 8U) << "two words in each";
    for (const BankWord& word : picture.words) EXPECT_THAT(rows, testing::Contains(word.row));
}

TEST(BankHeat, FindsTheRowOfAStepAndItsWorstBank) {
    const auto analysis = analysis_of(kernel_run("reduce/strided_index", trace::View::compiled, 256, iota(256)));
    const BlockView block = analysis->view(0, BlockId(0));
    const BankHeat heat = bank_heat(block, block.passes.passes[4].id, std::nullopt);
    ASSERT_FALSE(heat.rows.empty());
    for (std::size_t row = 0; row < heat.rows.size(); ++row) EXPECT_EQ(heat.row_of(heat.rows[row].step), row);
    EXPECT_EQ(heat.row_of(block.passes.steps.size()), std::nullopt);
    EXPECT_EQ(heat.most_degree(), 8U);
    EXPECT_EQ(BankHeat{}.most_degree(), 0U);
}

}  // namespace
}  // namespace lanescope::analysis
