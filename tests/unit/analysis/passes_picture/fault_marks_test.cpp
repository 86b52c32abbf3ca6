// The Passes picture marks a fault at the cell that it touched, in the row of its pass.
#include "analysis/passes_picture/picture.h"

#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>

namespace lanescope::analysis {
namespace {

class MarksOfAFault : public testing::Test {
  protected:
    /// The reduction of 16 numbers, with a finding in the step that stores element 4 for s = 4.
    void SetUp() override {
        const auto whole = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 16, iota(16)));
        trace_ = *whole->trace;
        finding_.block = BlockId(0);
        const BlockPasses& passes = whole->block_passes(0, BlockId(0));
        for (std::size_t index = passes.passes[2].first; index < passes.passes[2].past_last; ++index) {
            for (const trace::Effect& effect : trace_.effects(trace_.step(passes.steps[index]))) {
                if (effect.kind != trace::EffectKind::store || effect.space != trace::Space::shared) continue;
                finding_.step = passes.steps[index];
                finding_.address = trace_.address(effect, 4);
            }
        }
        ASSERT_TRUE(finding_.step.has_value());
        whole_ = whole;
    }
    std::vector<FaultMark> marks() {
        trace_.findings = {finding_};
        return fault_marks({trace_, *whole_->module, *whole_->provenance, whole_->block_passes(0, BlockId(0))},
                           whole_->picture(0, BlockId(0)));
    }
    trace::Trace trace_;
    trace::Finding finding_{.kind = trace::Finding::Kind::race};
    std::shared_ptr<const Analysis> whole_;
};

TEST_F(MarksOfAFault, StandAtTheCellTouched) {
    const auto found = marks();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].row, 2U);
    EXPECT_EQ(found[0].column, 4U);
}

TEST_F(MarksOfAFault, StandInTheRowAloneWhereNoCellWasTouched) {
    finding_.address = 1U << 20U;
    const auto found = marks();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].row, 2U);
    EXPECT_FALSE(found[0].column.has_value());
}

TEST_F(MarksOfAFault, StandAtEveryCellWhereItHappenedAgain) {
    const std::uint64_t first = finding_.address.value_or(0);
    const StepId step = finding_.step.value_or(StepId());
    finding_.again = {{.step = step, .address = first + 16}, {.step = step, .address = 1U << 20U}};
    const auto found = marks();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_FALSE(found[0].again);
    EXPECT_TRUE(found[1].again);
    EXPECT_EQ(found[1].row, 2U);
    EXPECT_EQ(found[1].column, 8U);
}

TEST_F(MarksOfAFault, AreOfTheBlockShownAndOfRecordedStepsOnly) {
    const std::optional<StepId> step = finding_.step;
    finding_.step.reset();
    EXPECT_TRUE(marks().empty());
    finding_.step = step;
    finding_.block = BlockId(1);
    EXPECT_TRUE(marks().empty());
    finding_.block = BlockId(0);
    finding_.launch = 1;
    EXPECT_TRUE(marks().empty());
}

}  // namespace
}  // namespace lanescope::analysis
