// Kernels that call functions and exchange values between lanes, as NVRTC compiles them.
#include "places.h"
#include "unit/analysis/kernels.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <sstream>
#include <tuple>

namespace lanescope::analysis {
namespace {

using trace::View;

std::shared_ptr<const Analysis> analysis_of_file(const std::string& name, View view, std::uint32_t threads,
                                                 std::vector<int> input) {
    const std::string path = LANESCOPE_SOURCE_DIR "/tests/unit/analysis/data/" + name +
                             (view == View::written ? ".written.ptx" : ".compiled.ptx");
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    KernelRun run;
    run.name = name;
    run.view = view;
    run.threads = threads;
    run.input = std::move(input);
    run.shared_elements = threads;
    return analysis_of(run, text.str());
}

class Calls : public testing::TestWithParam<View> {};
INSTANTIATE_TEST_SUITE_P(Kernels, Calls, testing::Values(View::written, View::compiled), [](const auto& chosen) {
    return chosen.param == View::written ? "as_written" : "as_compiled";
});

TEST_P(Calls, WhatAFunctionIsPassedAndReturnsIsFollowed) {
    const auto analysis = analysis_of_file("maximum", GetParam(), 16, classic);
    EXPECT_EQ(analysis->work, 15U) << "max() is a call as written";
    EXPECT_EQ(analysis->span, 4U);
    EXPECT_EQ(analysis->totals.operations, 15U);
    const Picture& picture = analysis->picture(0, BlockId(0));
    ASSERT_EQ(picture.rows.size(), 5U);
    EXPECT_EQ(static_cast<int>(picture.rows[4].cells[0].bits), 11);
    for (std::size_t r = 1; r < 5; ++r) {
        for (const Node& node : picture.rows[r].nodes) {
            EXPECT_TRUE(node.combines);
            ASSERT_EQ(node.sources.size(), 2U);
            EXPECT_TRUE(node.sources[0].own);
            EXPECT_EQ(node.sources[1].column, node.column + (16U >> r));
        }
    }
}

TEST(LibraryCalls, NarrationNamesTheLibraryFunctionAndTheLineThatCallsIt) {
    const auto analysis = analysis_of_file("maximum", View::written, 16, classic);
    const std::string narration = narration_of(*analysis);
    EXPECT_THAT(narration, testing::HasSubstr("In max, called at line 9: lane 1 "));
    EXPECT_THAT(narration, testing::Not(testing::HasSubstr("of the PTX"))) << "no instruction is without words";
    EXPECT_THAT(narration, testing::Not(testing::HasSubstr("%")));
    std::uint64_t instructions = 0;
    for (const LineCost& line : analysis->lines) instructions += line.counts.warp_instructions;
    EXPECT_EQ(instructions, analysis->totals.warp_instructions) << "what max() runs counts for the line that calls it";
}

TEST_P(Calls, AReductionByShufflesDoesNMinus1UsefulAdditionsAndWastesTheRest) {
    for (const unsigned threads : {64U, 256U}) {
        const auto analysis = analysis_of_file("shuffle", GetParam(), threads, iota(threads));
        EXPECT_EQ(analysis->work, threads - 1) << threads;
        EXPECT_EQ(analysis->span, std::bit_width(threads) - 1U) << threads;
        EXPECT_GT(analysis->totals.operations, threads - 1U) << "all lanes add, few results count";
        trace::Counts sum;
        for (const Pass& pass : analysis->block_passes(0, BlockId(0)).passes) sum += pass.counts;
        EXPECT_EQ(sum, analysis->totals);
        trace::Counts grid;
        std::uint64_t work = 0;
        for (const GridPass& pass : analysis->passes) {
            grid += pass.counts;
            work += pass.work.value();
            EXPECT_GT(pass.counts.warp_instructions, 0U) << pass.label;
        }
        EXPECT_EQ(grid, analysis->totals);
        EXPECT_EQ(work, threads - 1);
    }
}

TEST_P(Calls, ValuesThatTravelInRegistersAreDrawnByThread) {
    const auto analysis = analysis_of_file("shuffle", GetParam(), 32, iota(32));
    const Picture& picture = analysis->picture(0, BlockId(0));
    ASSERT_EQ(picture.groups.size(), 2U);
    EXPECT_TRUE(picture.groups[0].lanes);
    EXPECT_EQ(picture.groups[0].count, 32U);
    ASSERT_EQ(picture.rows.size(), 12U);
    std::vector<std::string> labels;
    for (std::size_t r = 0; r < 6; ++r) labels.push_back(picture.rows[r].label + " " + picture.rows[r].sublabel);
    EXPECT_THAT(labels, testing::ElementsAre("load ", "pass 1 down 16", "pass 2 down 8", "pass 3 down 4",
                                             "pass 4 down 2", "pass 5 down 1"));
    EXPECT_EQ(picture.rows[1].cells[0].bits, 18U) << "1 + 17";
    EXPECT_FALSE(picture.rows[1].cells[16].useful) << "computed in vain";
    const Node& first = picture.rows[1].nodes[0];
    EXPECT_TRUE(first.combines);
    EXPECT_EQ(first.sources.size(), 2U);
    for (std::size_t r = 5; r < 12; ++r) {
        EXPECT_EQ(picture.rows[r].cells[0].bits, 528U) << "row " << r << ": adding zeros changes nothing";
        for (const Node& node : picture.rows[r].nodes) {
            for (const Source& source : node.sources) EXPECT_LE(source.row, r);
        }
    }
    EXPECT_EQ(picture.rows[5].cells[32].bits, 528U) << "partial[0]";
    EXPECT_TRUE(picture.rows[5].cells[32].copied);
}

TEST(Scopes, RegistersOfOneNameAreTheirOwnInEachBlock) {
    // An unrolled loop around inline assembly with its own registers looks like this.
    std::string body;
    for (const auto& [from, to, distance] : {std::tuple("%r1", "%r2", 1), std::tuple("%r2", "%r3", 2)}) {
        body += fmt::format("{{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, {}, {}, 0, -1;\n", from, distance);
        body += fmt::format("@p add.s32 r0, r0, {}; mov.s32 {}, r0; }}\n", from, to);
    }
    const std::string ptx = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
.reg .b32 %r<5>; .reg .b64 %rd<6>;
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
mov.u32 %r4, %tid.x; mul.wide.u32 %rd3, %r4, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
ld.global.u32 %r1, [%rd4];
)" + body + R"(
st.global.u32 [%rd5], %r3;
ret;
}
)";
    KernelRun run;
    run.name = "scopes";
    run.threads = 32;
    run.input = iota(32);
    run.outputs = 32;
    const auto analysis = analysis_of(run, ptx);
    EXPECT_EQ(analysis->totals.operations, 31U + 30U);
    EXPECT_EQ(analysis->work, 31U + 30U);
    EXPECT_EQ(analysis->span, 2U);
}

/// out[0] = sum(in, 4), where sum(p, n) = p[n - 1] + sum(p, n - 1): p[n - 1] is read before the inner call and added
/// after it.
TEST(Recursion, ValuesSurviveAnInnerCallInTheirRegisters) {
    const std::string ptx = R"(.version 8.0
.target sm_75
.address_size 64
.func (.param .b32 sum_result) sum(.param .b64 sum_p, .param .b32 sum_n)
{
.reg .pred %p<2>;
.reg .b32 %r<8>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [sum_p];
ld.param.u32 %r1, [sum_n];
mov.u32 %r5, 0;
setp.eq.u32 %p1, %r1, 0;
@%p1 bra done;
sub.u32 %r2, %r1, 1;
mul.wide.u32 %rd2, %r2, 4;
add.u64 %rd3, %rd1, %rd2;
ld.global.u32 %r3, [%rd3];
{
.param .b64 p;
.param .b32 n;
.param .b32 result;
st.param.b64 [p], %rd1;
st.param.b32 [n], %r2;
call.uni (result), sum, (p, n);
ld.param.b32 %r4, [result];
}
add.u32 %r5, %r3, %r4;
done:
st.param.b32 [sum_result], %r5;
ret;
}
.visible .entry k(.param .u64 k_in, .param .u64 k_out)
{
.reg .b32 %r<3>;
.reg .b64 %rd<3>;
ld.param.u64 %rd1, [k_in];
ld.param.u64 %rd2, [k_out];
{
.param .b64 p;
.param .b32 n;
.param .b32 result;
st.param.b64 [p], %rd1;
mov.u32 %r1, 4;
st.param.b32 [n], %r1;
call.uni (result), sum, (p, n);
ld.param.b32 %r2, [result];
}
st.global.u32 [%rd2], %r2;
ret;
}
)";
    KernelRun run;
    run.name = "recursion";
    run.threads = 1;
    run.input = {5, 6, 7, 8};
    run.shared_elements = 0;
    const auto analysis = analysis_of(run, ptx);
    EXPECT_EQ(trace::bits_at(trace::Element::s32, analysis->trace->buffers[1].final, 0), 26U);
    EXPECT_EQ(analysis->work, 3U) << "8 + (7 + (6 + (5 + 0)))";
    EXPECT_EQ(analysis->span, 3U);
    EXPECT_EQ(analysis->totals.operations, 3U);
}

}  // namespace
}  // namespace lanescope::analysis
