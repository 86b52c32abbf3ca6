// A condition is read, checked against the module's names, and holds for a lane at a step.
#include "analysis/panels/step_condition.h"

#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace lanescope::analysis {
namespace {

using ::testing::HasSubstr;

TEST(StepCondition, ReadsComparisonsJoinedByAnd) {
    const auto condition = read_condition(" s == 0x10&&lane<4 && x >= -2.5f ");
    ASSERT_TRUE(condition.has_value());
    ASSERT_EQ(condition->all.size(), 3U);
    EXPECT_EQ(condition->all[0].name, "s");
    EXPECT_EQ(condition->all[0].number, 16);
    EXPECT_EQ(condition->all[1].op, StepCondition::Operator::less);
    EXPECT_EQ(condition->all[2].op, StepCondition::Operator::greater_equal);
    EXPECT_EQ(condition->all[2].number, -2.5L);
    EXPECT_TRUE(read_condition("")->all.empty());
    EXPECT_EQ(read_condition("x == -0x1F")->all[0].number, -31);
    EXPECT_TRUE(std::isinf(read_condition("m == -inf")->all[0].number));
    EXPECT_EQ(read_condition("i != 18446744073709551615")->all[0].number, 18446744073709551615.0L);
}

TEST(StepCondition, RefusesWhatIsNoComparison) {
    for (const char* const text :
         {"s", "s =", "s = 4", "== 4", "s == t", "s == 4 &&", "4 == s", "s == 4 || t == 1", "s == 4 + 1", "s + 1 == 4",
          "(s == 4) == 1", "s == 4 == 1", "s == 4, t == 1", "s == 4x"})
        EXPECT_FALSE(read_condition(text).has_value()) << text;
    const auto column = [](const char* text) { return read_condition(text).error().where.column; };
    EXPECT_EQ(column("s == 4 && t"), 11U);
    EXPECT_EQ(column("s == 4 && 4 == t"), 11U);
    EXPECT_EQ(column("s == t"), 6U);
    EXPECT_EQ(column("s == 4 || t == 1"), 8U);
    EXPECT_EQ(column("s == 4 &&"), 10U);
}

TEST(StepCondition, HoldsForTheLanesWhoseVariableHasTheValue) {
    const auto run = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 64, iota(64)));
    const BlockView block = run->view(0, BlockId(0));
    MemoryTable table(run, 0, BlockId(0));
    const StepCondition condition = *read_condition("tid == 37 && threadIdx.x == 37 && warp == 1 && lane == 5");
    ASSERT_TRUE(check_names(condition, *run->module).has_value());
    const std::size_t last = block.passes.passes.back().first;
    std::size_t checked = 0;
    for (std::size_t index = last; index < block.passes.steps.size(); ++index) {
        const trace::Step& step = block.step_at(index);
        for (const unsigned lane : step.active) {
            const bool expected = step.warp == WarpId{1} && lane == 5;
            const Holds found = holds(condition, table, index, lane);
            if (found == Holds::unknown) continue;
            ++checked;
            EXPECT_EQ(found == Holds::yes, expected) << index << " " << lane;
        }
    }
    EXPECT_GT(checked, 64U);
}

TEST(StepCondition, AVariableThatHasNoValueYetIsUnknown) {
    const auto run = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 32, iota(32)));
    MemoryTable table(run, 0, BlockId(0));
    EXPECT_EQ(holds(*read_condition("s == 1"), table, 0, 0), Holds::unknown);
    EXPECT_EQ(holds(*read_condition("s == 1 && lane == 3"), table, 0, 0), Holds::no) << "whatever s is";
    EXPECT_EQ(holds(*read_condition("lane == 0"), table, 0, 0), Holds::yes);
}

TEST(StepCondition, NamesThatTheSourceDoesNotHaveAreRefused) {
    const auto run = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 32, iota(32)));
    const auto unknown = check_names(*read_condition("stride == 1"), *run->module);
    ASSERT_FALSE(unknown.has_value());
    EXPECT_THAT(unknown.error().message(), HasSubstr("stride"));
    EXPECT_THAT(unknown.error().remedy, HasSubstr("tid"));
    EXPECT_FALSE(check_names(*read_condition("in == 1"), *run->module).has_value()) << "a pointer";
    const auto compiled = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::compiled, 32, iota(32)));
    EXPECT_FALSE(check_names(*read_condition("s == 1"), *compiled->module).has_value());
    EXPECT_TRUE(check_names(*read_condition("lane == 1"), *compiled->module).has_value());
}

}  // namespace
}  // namespace lanescope::analysis
