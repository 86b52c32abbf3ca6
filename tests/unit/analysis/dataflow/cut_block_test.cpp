// A block that is recorded in part: what its later steps may use is not known, and is not called wasted.
#include "analysis/dataflow/provenance.h"

#include "base/progress.h"
#include "trace/sections.h"
#include "unit/analysis/kernels.h"

#include <gtest/gtest.h>

#include <memory>

namespace lanescope::analysis {
namespace {

using trace::View;

/// The same run, of which only the first `steps` steps are recorded.
std::shared_ptr<const trace::Trace> first_steps(const trace::Trace& whole, std::size_t steps) {
    auto cut = std::make_shared<trace::Trace>(whole);
    trace::FileAccess::steps(*cut).cut(steps);
    cut->launches.front().cut = BlockId(0);
    cut->launches.front().past_last_step = StepId(static_cast<std::uint32_t>(steps));
    return cut;
}

class CutBlock : public testing::TestWithParam<View> {};
INSTANTIATE_TEST_SUITE_P(Kernels, CutBlock, testing::Values(View::written, View::compiled), [](const auto& chosen) {
    return chosen.param == View::written ? "as_written" : "as_compiled";
});

TEST_P(CutBlock, CallsNoUsefulLaneWasted) {
    const auto whole = analysis_of(kernel_run("reduce/sequential", GetParam(), 16, classic));
    const std::size_t all = whole->trace->step_count();
    ASSERT_GT(all, 10U);
    std::uint64_t unknown_lanes = 0;
    for (const std::size_t steps : {all / 4, all / 2, all - 2}) {
        const auto trace = first_steps(*whole->trace, steps);
        const Provenance part(trace, *whole->module);
        for (std::uint32_t i = 0; i < steps; ++i) {
            const LaneMask useful = whole->provenance->useful(StepId(i)), may_be = part.useful(StepId(i));
            const LaneMask unknown = part.unknown_use(StepId(i));
            EXPECT_TRUE((useful & ~may_be).none()) << steps << " steps, step " << i;
            EXPECT_TRUE((may_be & ~unknown & ~useful).none()) << steps << " steps, step " << i;
            unknown_lanes += unknown.count();
        }
    }
    EXPECT_GT(unknown_lanes, 0U);
}

TEST_P(CutBlock, HasNoTotals) {
    const auto whole = analysis_of(kernel_run("reduce/sequential", GetParam(), 16, classic));
    ASSERT_TRUE(whole->work && whole->useful_lanes);
    Progress progress;
    const auto part = analyze(first_steps(*whole->trace, whole->trace->step_count() / 2), whole->module, progress);
    EXPECT_FALSE(part->work || part->span || part->useful_lanes);
    EXPECT_EQ(part->totals.warp_instructions, whole->totals.warp_instructions) << "all steps are counted";
}

}  // namespace
}  // namespace lanescope::analysis
