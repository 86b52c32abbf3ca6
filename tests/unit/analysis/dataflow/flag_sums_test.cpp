#include "analysis/dataflow/flag_sums.h"

#include "unit/analysis/dataflow/hand_made_flow.h"

#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

const std::string summing_body =
    "add.s32 %r2, %r0, %r1;\nadd.s32 %r3, %r0, 1;\nvote.sync.ballot.b32 %r4, %p0, -1;\nand.b32 %r5, %r4, 3;\n"
    "popc.b32 %r6, %r5;\nret;";

/// The sum of the line's operands.
TracedValue added(HandMadeFlow& flow, std::string_view text, bool on_condition = false) {
    const FlowStep step = flow.step(text);
    const ValueId id = flow.builder.begin(step, TracedValue::Kind::reg, 0, 4, 0);
    for (const RegisterId reg : step.data) flow.builder.take(step.held(reg, 0));
    flow.flags.addition(step, 0, on_condition);
    flow.builder.end(0);
    return flow.values[id];
}

TEST(FlagSums, TwoFlagsMakeAnOperationAndAFlagWithAnIndexDoesNot) {
    HandMadeFlow flow(summing_body);
    flow.flag("%r0", 1);
    flow.flag("%r1", 0);
    EXPECT_EQ(added(flow, "%r2, %r0").operations, 1U);
    EXPECT_TRUE(flow.lineages[flow.values.newest()].flag) << "a sum of flags counts on";
    flow.hold("%r1", {.bits = 5});
    EXPECT_EQ(added(flow, "%r2, %r0").operations, 0U);
    flow.input("%r1", 5);
    EXPECT_EQ(added(flow, "%r2, %r0").operations, 0U);
    EXPECT_FALSE(flow.lineages[flow.values.newest()].flag);
}

TEST(FlagSums, OneMoreOnAWayOfAConditionIsAFlag) {
    HandMadeFlow flow(summing_body);
    flow.flag("%r0", 1);
    EXPECT_EQ(added(flow, "%r3, %r0").operations, 0U);
    EXPECT_EQ(added(flow, "%r3, %r0", true).operations, 1U);
}

TEST(FlagSums, CountingTheBallotOfSomeLanesTakesOneOperationLessThanTheyAre) {
    HandMadeFlow flow(summing_body);
    for (unsigned lane = 0; lane < 4; ++lane) flow.lineages.mark_conditional(flow.hold("%p0", {.bytes = 0}, lane), {});
    const FlowStep votes = flow.step("vote.sync", LaneMask::first(4));
    const ValueId ballot = flow.result(votes, 0b1010);
    flow.set("%r4", ballot);
    flow.flags.vote(votes, 0);
    const FlowStep all = flow.step("and.b32"), counts = flow.step("popc");
    flow.set("%r5", flow.result(all, 0b10));
    flow.flags.count_votes(all, 0);
    const ValueId two = flow.result(counts, 1);
    flow.flags.count_votes(counts, 0);
    EXPECT_EQ(flow.values[two].operations, 1U) << "& 3 leaves the votes of two lanes";
    EXPECT_TRUE(flow.lineages[two].flag);
    const ValueId copy = flow.hold("%r5", {.bits = 0b1010});
    flow.flags.copy(copy, ballot);
    const ValueId four = flow.result(counts, 2);
    flow.flags.count_votes(counts, 0);
    EXPECT_EQ(flow.values[four].operations, 3U);
}

}  // namespace
}  // namespace lanescope::analysis
