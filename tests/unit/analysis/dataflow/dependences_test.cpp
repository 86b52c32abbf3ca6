// Why a value is what it is, asked step by step of a kernel that ran.
#include "unit/analysis/kernels.h"

#include "analysis/dataflow/dependences.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/source/source_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using trace::View;

class WhyOfBothViews : public testing::TestWithParam<View> {
  protected:
    std::shared_ptr<const Analysis> analysis =
        analysis_of(kernel_run("reduce/interleaved_modulo", GetParam(), 16, classic));
    /// What lies in the cell after the pass.
    [[nodiscard]] ValueId cell(std::size_t row, std::size_t column) const {
        return analysis->picture(0, BlockId(0)).rows[row].cells[column].value;
    }
    [[nodiscard]] Dependences why(ValueId value) const {
        return dependences_of(*analysis->trace, *analysis->module, *analysis->provenance, value);
    }
    [[nodiscard]] const TracedValue& value(ValueId id) const { return (*analysis->provenance)[id]; }
    [[nodiscard]] ptx::Opcode opcode(StepId step) const {
        return analysis->provenance->instructions().at(analysis->trace->step(step).line)->instruction->opcode;
    }
};
INSTANTIATE_TEST_SUITE_P(Dependences, WhyOfBothViews, testing::Values(View::written, View::compiled),
                         [](const auto& chosen) {
                             return chosen.param == View::written ? "as_written" : "as_compiled";
                         });

TEST_P(WhyOfBothViews, ACellWasMadeOfTheSumThatWasStored) {
    const Dependences reasons = why(cell(1, 2));
    ASSERT_THAT(reasons.data, SizeIs(1));
    EXPECT_EQ(value(reasons.data[0]).bits, value(cell(1, 2)).bits) << "the register";
    ASSERT_THAT(reasons.address, SizeIs(1));
    EXPECT_FALSE(value(reasons.address[0]).input_dependent) << "where it lies has nothing to do with the data";
    EXPECT_EQ(value(reasons.address[0]).bits % 64, value(cell(1, 2)).address % 64);
}

TEST_P(WhyOfBothViews, ACellWasPermittedByTheConditionOnItsThread) {
    const Dependences reasons = why(cell(1, 2));
    ASSERT_THAT(reasons.control, Not(IsEmpty()));
    const ControlDependence& permission = reasons.control.back();
    ASSERT_TRUE(permission.predicate.valid());
    EXPECT_EQ(value(permission.predicate).bytes, 0) << "a predicate";
    EXPECT_LT(value(permission.predicate).step, permission.step);
    EXPECT_LE(permission.step, value(cell(1, 2)).step);
    const Dependences condition = why(permission.predicate);
    EXPECT_THAT(condition.data, Not(IsEmpty())) << "what was compared";
}

TEST_P(WhyOfBothViews, TheLoadOfABlockDependsOnNoBranch) { EXPECT_THAT(why(cell(0, 3)).control, IsEmpty()); }

TEST_P(WhyOfBothViews, ReadersFollowTheValueToTheOutput) {
    ValueId at = cell(4, 0);
    for (int i = 0; i < 10; ++i) {
        const Dependences reasons = why(at);
        if (reasons.readers.empty()) break;
        ASSERT_GT(reasons.readers.back(), at);
        at = reasons.readers.back();
    }
    EXPECT_EQ(value(at).kind, TracedValue::Kind::memory);
    EXPECT_EQ(value(at).space, trace::Space::global);
    EXPECT_EQ(value(at).bits, 41U);
}

TEST_P(WhyOfBothViews, AnInputWasThereFromTheStart) {
    const Provenance& provenance = *analysis->provenance;
    for (std::uint32_t v = 0; v < provenance.size(); ++v) {
        if (value(ValueId(v)).kind != TracedValue::Kind::input) continue;
        const Dependences reasons = why(ValueId(v));
        EXPECT_THAT(reasons.data, IsEmpty());
        EXPECT_THAT(reasons.control, IsEmpty());
        EXPECT_THAT(reasons.readers, Not(IsEmpty()));
    }
}

}  // namespace
}  // namespace lanescope::analysis
