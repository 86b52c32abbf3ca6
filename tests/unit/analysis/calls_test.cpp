// Kernels that call functions and exchange values between lanes, as NVRTC compiles them.
#include "kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <sstream>

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

TEST_P(Calls, what_a_function_is_passed_and_returns_is_followed) {
    const auto analysis = analysis_of_file("maximum", GetParam(), 16, classic);
    EXPECT_EQ(analysis->work, 15U) << "max() is a call as written";
    EXPECT_EQ(analysis->span, 4U);
    EXPECT_EQ(analysis->totals.operator_applications, 15U);
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

TEST_P(Calls, a_reduction_by_shuffles_does_n_minus_1_useful_additions_and_wastes_the_rest) {
    for (const unsigned threads : {64U, 256U}) {
        const auto analysis = analysis_of_file("shuffle", GetParam(), threads, iota(threads));
        EXPECT_EQ(analysis->work, threads - 1) << threads;
        EXPECT_EQ(analysis->span, std::bit_width(threads) - 1U) << threads;
        EXPECT_GT(analysis->totals.operator_applications, threads - 1U) << "all lanes add, few results count";
        trace::Counts sum;
        for (const Pass& pass : analysis->block_passes(0, BlockId(0)).passes) sum += pass.counts;
        EXPECT_EQ(sum, analysis->totals);
    }
}

}  // namespace
}  // namespace lanescope::analysis
