#include "analysis/dataflow/decisions.h"

#include "unit/analysis/dataflow/hand_made_flow.h"

#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

const std::string comparing_body =
    "setp.lt.s32 %p0, %r0, %r1;\nsetp.gt.s32 %p1, %r0, %r1;\nselp.b32 %r2, %r0, %r1, %p0;\n"
    "selp.b32 %r3, %r4, %r5, %p0;\nmin.s32 %r6, %r0, %r1;\nret;";

/// A flow in which lane 0 holds two values of the data in %r0 and %r1.
class DataFlowDecisions : public testing::Test {
  protected:
    DataFlowDecisions() : flow(comparing_body), first(flow.input("%r0", 3)), second(flow.input("%r1", 5)) {}

    ValueId compare(std::string_view text, std::string_view into) {
        const FlowStep step = flow.step(text);
        const ValueId predicate = flow.result(step, 1, 0);
        flow.decisions.predicate(step, 0);
        flow.set(into, predicate);
        return predicate;
    }

    HandMadeFlow flow;
    ValueId first, second;
};

TEST_F(DataFlowDecisions, TheSameTwoValuesComparedAgainAreOneComparisonUntilThreadsAreOrdered) {
    const ValueId test = compare("setp.lt", "%p0");
    EXPECT_EQ(flow.lineages[test].test, test);
    EXPECT_EQ(flow.lineages[compare("setp.gt", "%p1")].test, test);
    flow.decisions.forget(flow.step("ret"));
    const ValueId later = compare("setp.gt", "%p1");
    EXPECT_EQ(flow.lineages[later].test, later);
}

TEST_F(DataFlowDecisions, SelectingOneOfTheComparedValuesMakesTheComparisonAnOperation) {
    const ValueId test = compare("setp.lt", "%p0");
    EXPECT_EQ(flow.values[test].operations, 0U) << "not yet: it may only guard a bound";
    const FlowStep selects = flow.step("%r2, %r0");
    flow.result(selects, 3);
    flow.decisions.selection(selects, 0);
    EXPECT_EQ(flow.values[test].operations, 1U);
}

TEST_F(DataFlowDecisions, SelectingOtherValuesMakesNoOperation) {
    const ValueId test = compare("setp.lt", "%p0");
    flow.input("%r4", 7);
    flow.input("%r5", 9);
    const FlowStep selects = flow.step("%r3, %r4");
    const ValueId selected = flow.result(selects, 7);
    flow.decisions.selection(selects, 0);
    EXPECT_EQ(flow.values[test].operations, 0U);
    EXPECT_EQ(flow.lineages[selected].chosen_by, test);
}

TEST_F(DataFlowDecisions, SelectingBetweenTheNumbersZeroAndOneMakesAFlag) {
    const ValueId test = compare("setp.lt", "%p0");
    flow.literal("%r4", 1);
    flow.literal("%r5", 0);
    const FlowStep selects = flow.step("%r3, %r4");
    const ValueId selected = flow.result(selects, 1);
    flow.decisions.selection(selects, 0);
    EXPECT_TRUE(flow.lineages[selected].flag);
    EXPECT_EQ(flow.lineages[selected].test, test);
}

TEST_F(DataFlowDecisions, TheMinimumOfTwoComparedValuesIsTheOperationOfTheirComparison) {
    const ValueId test = compare("setp.lt", "%p0");
    const FlowStep takes = flow.step("min.s32");
    const ValueId minimum = flow.result(takes, 3);
    EXPECT_EQ(flow.values[minimum].operations, 1U);
    flow.decisions.extreme(takes, 0);
    EXPECT_EQ(flow.values[minimum].operations, 0U);
    EXPECT_EQ(flow.values[test].operations, 1U);
}

}  // namespace
}  // namespace lanescope::analysis
