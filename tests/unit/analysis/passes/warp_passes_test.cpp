// Passes and pictures of code that no block barrier divides: warps that synchronize by themselves, lanes that exchange
// values, kernels that work in global memory.
#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using trace::View;

std::vector<std::string> labels(const Analysis& analysis) {
    std::vector<std::string> result;
    result.reserve(analysis.passes.size());
    for (const GridPass& pass : analysis.passes) result.push_back(pass.label);
    return result;
}

std::vector<std::uint64_t> work(const Analysis& analysis) {
    std::vector<std::uint64_t> result;
    result.reserve(analysis.passes.size());
    for (const GridPass& pass : analysis.passes) result.push_back(pass.work.value());
    return result;
}

std::vector<std::uint32_t> columns(const Node& node) {
    std::vector<std::uint32_t> result;
    result.reserve(node.sources.size());
    for (const Source& source : node.sources) result.push_back(source.column);
    std::ranges::sort(result);
    return result;
}

class WarpsOfBothViews : public testing::TestWithParam<View> {};
INSTANTIATE_TEST_SUITE_P(Passes, WarpsOfBothViews, testing::Values(View::written, View::compiled),
                         [](const auto& chosen) {
                             return chosen.param == View::written ? "as_written" : "as_compiled";
                         });

TEST_P(WarpsOfBothViews, TheLastWarpOfAReductionTakesAPassForEachLevel) {
    KernelRun run = kernel_run("reduce/unrolled_last_warp", GetParam(), 64, iota(128));
    const auto analysis = analysis_of(run);
    EXPECT_THAT(work(*analysis), ElementsAre(64, 32, 16, 8, 4, 2, 1, 0)) << "load, six levels, store";
    EXPECT_EQ(analysis->work, 127U);
}

TEST_P(WarpsOfBothViews, AButterflyCombinesEachLaneWithItsPartner) {
    KernelRun run = kernel_run("reduce/butterfly", GetParam(), 32, iota(32));
    run.outputs = 32;
    const auto analysis = analysis_of(run);
    EXPECT_THAT(labels(*analysis), ElementsAre("load", "xor 1", "xor 2", "xor 4", "xor 8", "xor 16"));
    const Picture& picture = analysis->picture(0, BlockId(0));
    ASSERT_EQ(picture.rows.size(), 6U);
    ASSERT_TRUE(picture.groups[0].lanes);
    for (std::uint32_t row = 1; row < 6; ++row) {
        ASSERT_EQ(picture.rows[row].nodes.size(), 32U);
        for (const Node& node : picture.rows[row].nodes) {
            const std::uint32_t partner = node.column ^ (1U << (row - 1));
            EXPECT_THAT(columns(node), ElementsAre(std::min(node.column, partner), std::max(node.column, partner)));
            EXPECT_TRUE(node.combines && node.useful);
        }
    }
    for (const Cell& cell : picture.rows[5].cells) EXPECT_EQ(cell.bits, 528U);
}

TEST_P(WarpsOfBothViews, AReductionOverTheWarpIsOnePassIntoOneLane) {
    const auto analysis = analysis_of(kernel_run("reduce/warp_instruction", GetParam(), 32, iota(32)));
    EXPECT_EQ(analysis->work, 31U);
    const Picture& picture = analysis->picture(0, BlockId(0));
    const auto& row = picture.rows.at(1);
    EXPECT_EQ(row.sublabel, "redux");
    ASSERT_THAT(row.nodes.front().sources, SizeIs(32));
    EXPECT_TRUE(row.nodes.front().combines);
    EXPECT_EQ(row.cells[0].bits, 528U);
}

TEST_P(WarpsOfBothViews, AShuffleReductionHalvesTheUsefulLanes) {
    const auto analysis = analysis_of(kernel_run("reduce/warp_shuffle", GetParam(), 32, iota(32)));
    EXPECT_EQ(analysis->work, 31U);
    EXPECT_EQ(analysis->span, 5U);
    const Picture& picture = analysis->picture(0, BlockId(0));
    ASSERT_TRUE(picture.groups[0].lanes);
    for (std::uint32_t row = 1; row <= 5; ++row) {
        const auto& nodes = picture.rows.at(row).nodes;
        const auto useful = std::ranges::count_if(nodes, [](const Node& node) { return node.useful && node.combines; });
        EXPECT_EQ(useful, 32 >> row) << "row " << row;
    }
}

TEST_P(WarpsOfBothViews, AShuffleScanCombinesAllButTheLowestLanes) {
    KernelRun run = kernel_run("scan/warp_shuffle", GetParam(), 32, iota(32));
    run.outputs = 32;
    const auto analysis = analysis_of(run);
    const Picture& picture = analysis->picture(0, BlockId(0));
    for (std::uint32_t row = 1; row <= 5; ++row) {
        std::size_t combined = 0;
        for (const Node& node : picture.rows.at(row).nodes) {
            if (!picture.group_of(node.column).lanes || !node.combines) continue;
            ++combined;
            EXPECT_THAT(columns(node), ElementsAre(node.column - (1U << (row - 1)), node.column));
        }
        EXPECT_EQ(combined, 32U - (1U << (row - 1))) << "row " << row;
    }
    EXPECT_EQ(picture.rows.at(5).cells[31].bits, 528U);
}

TEST_P(WarpsOfBothViews, ReadingAndWritingHalvesAreOnePass) {
    KernelRun run = kernel_run("scan/in_place", GetParam(), 8, iota(8));
    run.floats = true;
    run.outputs = 8;
    run.input_last = true;
    const auto analysis = analysis_of(run);
    std::vector<std::uint64_t> applied, counted;
    for (const GridPass& pass : analysis->passes) {
        if (pass.work.value() == 0) continue;
        applied.push_back(*pass.work);
        counted.push_back(pass.counts.operations);
    }
    EXPECT_THAT(applied, ElementsAre(7, 6, 4)) << "a pass for each distance, though two barriers stand in each";
    EXPECT_EQ(counted, applied) << "an element with none to its left adds a constant zero";
}

TEST_P(WarpsOfBothViews, UsefulLanesAreSomeOfThoseThatAct) {
    for (const char* name : {"reduce/butterfly", "reduce/warp_shuffle", "reduce/warp_instruction"}) {
        const auto analysis = analysis_of(kernel_run(name, GetParam(), 64, iota(64)));
        std::uint64_t useful = 0;
        for (const GridPass& pass : analysis->passes) {
            EXPECT_LE(pass.useful_lanes.value(), pass.counts.thread_instructions) << name << ", " << pass.label;
            useful += *pass.useful_lanes;
        }
        EXPECT_EQ(useful, analysis->useful_lanes) << name;
        trace::Counts counts;
        for (const GridPass& pass : analysis->passes) counts += pass.counts;
        EXPECT_EQ(counts, analysis->totals) << name;
    }
}

/// Lanes add by shuffles, those of block 1 a third time.
constexpr const char* last_block_goes_on = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b)
{
    .reg .pred %p<2>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    cvta.to.global.u64 %rd3, %rd1;
    cvta.to.global.u64 %rd4, %rd2;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.s32 %r4, %r2, %r3, %r1;
    mul.wide.u32 %rd5, %r4, 4;
    add.s64 %rd6, %rd3, %rd5;
    ld.global.s32 %r5, [%rd6];
    shfl.sync.bfly.b32 %r6, %r5, 2, 31, -1;
    add.s32 %r5, %r5, %r6;
    shfl.sync.bfly.b32 %r6, %r5, 1, 31, -1;
    add.s32 %r5, %r5, %r6;
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra STORE;
    shfl.sync.bfly.b32 %r6, %r5, 4, 31, -1;
    add.s32 %r5, %r5, %r6;
STORE:
    add.s64 %rd7, %rd4, %rd5;
    st.global.s32 [%rd7], %r5;
    ret;
}
)";

TEST(GridPasses, AreThoseOfTheBlockThatGoesOn) {
    KernelRun run;
    run.threads = 32;
    run.input = iota(64);
    run.outputs = 64;
    run.blocks = 2;
    const auto analysis = analysis_of(run, last_block_goes_on);
    EXPECT_THAT(labels(*analysis), ElementsAre("load", "xor 2", "xor 1", "xor 4"));
    EXPECT_THAT(work(*analysis), ElementsAre(0, 64, 64, 32)) << "both blocks, then one";
    for (const std::uint32_t block : {0U, 1U}) {
        const BlockPasses& passes = analysis->block_passes(0, BlockId(block));
        ASSERT_THAT(passes.passes, SizeIs(block == 0 ? 3 : 4));
        for (const Pass& pass : passes.passes)
            EXPECT_EQ(find_pass(analysis->passes, passes, pass), std::optional<std::size_t>(pass.id.index()))
                << pass.label;
    }
    trace::Counts counts;
    for (const GridPass& pass : analysis->passes) counts += pass.counts;
    EXPECT_EQ(counts, analysis->totals);
}

TEST(GridPasses, CorrespondWhereBlocksDifferInTheMiddle) {
    // Block 0 leaves out the second addition, block 1 executes all three.
    std::string text = last_block_goes_on;
    const auto move = [&](const std::string& what, const std::string& before) {
        const std::size_t at = text.find(what);
        text.erase(at, what.size());
        text.insert(text.find(before), what);
    };
    move("STORE:\n", "    shfl.sync.bfly.b32 %r6, %r5, 4,");
    move("    setp.eq.u32 %p1, %r2, 0;\n    @%p1 bra STORE;\n", "    shfl.sync.bfly.b32 %r6, %r5, 1,");
    KernelRun run;
    run.threads = 32;
    run.input = iota(64);
    run.outputs = 64;
    run.blocks = 2;
    const auto analysis = analysis_of(run, text);
    EXPECT_THAT(labels(*analysis), ElementsAre("load", "xor 2", "xor 1", "xor 4"));
    EXPECT_THAT(work(*analysis), ElementsAre(0, 64, 32, 64)) << "both blocks, one, both";
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    ASSERT_THAT(passes.passes, SizeIs(3));
    EXPECT_EQ(find_pass(analysis->passes, passes, passes.passes[2]), std::optional<std::size_t>(3));
    EXPECT_THAT(merging_sentences(analysis->passes, false), testing::IsEmpty());
    trace::Counts counts;
    for (const GridPass& pass : analysis->passes) counts += pass.counts;
    EXPECT_EQ(counts, analysis->totals);
}

/// Each block adds by a shuffle that the other one does not have.
TEST(GridPasses, SayWhatIsCountedWithAnotherPass) {
    std::string text = last_block_goes_on;
    const std::size_t end = text.find("STORE:\n");
    text.insert(end,
                "    bra STORE;\nOTHER:\n    shfl.sync.bfly.b32 %r7, %r5, 8, 31, -1;\n    mul.lo.s32 %r5, %r5, %r7;\n"
                "    xor.b32 %r5, %r5, %r7;\n    sub.s32 %r5, %r5, %r7;\n");
    text.replace(text.find("bra STORE"), 9, "bra OTHER");
    KernelRun run;
    run.threads = 32;
    run.input = iota(64);
    run.outputs = 64;
    run.blocks = 2;
    const auto analysis = analysis_of(run, text);
    EXPECT_THAT(labels(*analysis), SizeIs(4));
    EXPECT_THAT(
        merging_sentences(analysis->passes, false),
        ElementsAre("Rows are the passes of block 0, which has the most. 1 pass of other blocks that it does not "
                    "have is counted with the pass before."));
    std::vector<GridPass> of_five;
    for (std::uint32_t launch = 0; launch < 5; ++launch)
        for (GridPass pass : analysis->passes) {
            pass.launch = launch;
            of_five.push_back(std::move(pass));
        }
    EXPECT_THAT(merging_sentences(of_five, true),
                ElementsAre(testing::StartsWith("Launches 0, 1, 2 and 2 more: Rows are the passes of block 0,")));
    trace::Counts counts;
    for (const GridPass& pass : analysis->passes) counts += pass.counts;
    EXPECT_EQ(counts, analysis->totals);
}

/// out[i] = in[i] + in[i + 1], in global memory alone.
constexpr const char* neighbors = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b)
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    cvta.to.global.u64 %rd3, %rd1;
    cvta.to.global.u64 %rd4, %rd2;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd5, %r1, 4;
    add.s64 %rd6, %rd3, %rd5;
    ld.global.s32 %r2, [%rd6];
    ld.global.s32 %r3, [%rd6+4];
    add.s32 %r4, %r2, %r3;
    add.s64 %rd7, %rd4, %rd5;
    st.global.s32 [%rd7], %r4;
    ret;
}
)";

TEST(GlobalPictures, ShowWhatWasThereAndWhatBecameOfIt) {
    KernelRun run;
    run.threads = 7;
    run.input = {1, 2, 4, 8, 16, 32, 64, 128};
    run.outputs = 8;
    const auto analysis = analysis_of(run, neighbors);
    const Picture& picture = analysis->picture(0, BlockId(0));
    ASSERT_THAT(picture.groups, SizeIs(1)) << "one is only read, one only written: they share columns";
    EXPECT_EQ(picture.groups[0].name, "in / out");
    EXPECT_TRUE(picture.groups[0].folded);
    EXPECT_EQ(picture.groups[0].space, trace::Space::global);
    ASSERT_THAT(picture.rows, SizeIs(2));
    EXPECT_TRUE(picture.rows[0].initial);
    EXPECT_EQ(picture.rows[0].cells[7].bits, 128U);
    ASSERT_THAT(picture.rows[1].nodes, SizeIs(7));
    for (const Node& node : picture.rows[1].nodes) {
        EXPECT_THAT(columns(node), ElementsAre(node.column, node.column + 1));
        EXPECT_TRUE(node.combines);
        EXPECT_EQ(picture.rows[1].cells[node.column].bits, 3U << node.column);
    }
}

}  // namespace
}  // namespace lanescope::analysis
