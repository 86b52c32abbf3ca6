#include "analysis/dataflow/branch_ways.h"

#include "unit/analysis/dataflow/hand_made_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr LaneMask lane0 = LaneMask::only(0);

/// %p0 is the outcome of the comparison of two values of the data, in %r0 and %r1.
struct Compared {
    explicit Compared(HandMadeFlow& flow) : first(flow.input("%r0", 3)), second(flow.input("%r1", 5)) {
        const FlowStep compares = flow.step("setp.lt");
        test = flow.result(compares, 1, 0);
        flow.decisions.predicate(compares, 0);
        flow.set("%p0", test);
    }
    ValueId first, second, test;
};

TEST(BranchWays, ALaneIsOnItsWayUntilTheWaysMeet) {
    HandMadeFlow flow(
        "setp.lt.s32 %p0, %r0, %r1;\n@%p0 bra ONE;\nmov.u32 %r2, 0;\nbra DONE;\nONE:\nmov.u32 %r2, 1;\nDONE:\n"
        "add.s32 %r3, %r2, 7;\nret;");
    const Compared compared(flow);
    const FlowStep inside = flow.step("mov.u32 %r2, 1"), meets = flow.step("add.s32");
    EXPECT_EQ(flow.ways.way_of(inside, 0).function, nullptr);
    EXPECT_FALSE(flow.ways.any());
    flow.ways.branch(flow.step("bra ONE"), lane0);
    EXPECT_TRUE(flow.ways.any());
    const Way way = flow.ways.way_of(inside, 0);
    EXPECT_NE(way.function, nullptr);
    EXPECT_EQ(way.test, compared.test);
    EXPECT_TRUE(flow.ways.once(inside, 0)) << "no loop";
    EXPECT_THAT(way.flags.registers, ElementsAre(inside.instruction().operands[0].reg)) << "0 there, and 1 here";
    EXPECT_EQ(flow.ways.way_of(inside, 1).function, nullptr) << "lane 1 did not branch";
    flow.ways.leave(meets);
    EXPECT_EQ(flow.ways.way_of(meets, 0).function, nullptr);
}

TEST(BranchWays, ABranchOnAnIndexIsNoWayOfACondition) {
    HandMadeFlow flow("setp.lt.s32 %p0, %r0, %r1;\n@%p0 bra DONE;\nmov.u32 %r2, 0;\nDONE:\nret;");
    flow.hold("%p0", {.bytes = 0, .bits = 1});
    flow.ways.branch(flow.step("bra DONE"), lane0);
    EXPECT_FALSE(flow.ways.any());
}

TEST(BranchWays, AnExchangeOfTheComparedValuesMakesTheirComparisonAnOperationOnEitherWay) {
    for (const LaneMask taken : {LaneMask(), lane0}) {
        HandMadeFlow flow(
            "mov.u32 %r0, 0;\nmov.u32 %r1, 0;\nsetp.lt.s32 %p0, %r0, %r1;\n@%p0 bra DONE;\nmov.u32 %r4, %r0;\n"
            "mov.u32 %r0, %r1;\nmov.u32 %r1, %r4;\nDONE:\nret;");
        const Compared compared(flow);
        flow.ways.branch(flow.step("bra DONE"), taken);
        EXPECT_EQ(flow.values[compared.test].operations, 1U);
    }
}

TEST(BranchWays, AComparisonThatMovesNeitherValueIsNoOperation) {
    HandMadeFlow flow("mov.u32 %r5, 0;\nsetp.lt.s32 %p0, %r0, %r1;\n@%p0 bra DONE;\nmov.u32 %r5, %r6;\nDONE:\nret;");
    const Compared compared(flow);
    flow.input("%r6", 9);
    flow.ways.branch(flow.step("bra DONE"), LaneMask());
    EXPECT_EQ(flow.values[compared.test].operations, 0U);
}

TEST(BranchWays, AStoreWithAGuardIsAWayAndLeavesTheCellByTheComparison) {
    HandMadeFlow flow("setp.lt.s32 %p0, %r0, %r1;\n@%p0 st.shared.u32 [%r5], %r0;\nret;");
    const Compared compared(flow);
    flow.hold("%r5", {.bits = 8});
    const FlowStep guarded = flow.step("@%p0", LaneMask());
    flow.memory.place_at(trace::Space::shared, 8, 4, guarded.thread(0)).memory->write(8, 4, compared.second);
    EXPECT_TRUE(flow.ways.once(guarded, 0));
    flow.ways.guard(guarded);
    EXPECT_EQ(flow.values[compared.test].operations, 1U);
    EXPECT_EQ(flow.lineages[compared.second].kept_by, compared.test);
}

/// The moves of the store of %r0 to shared memory. The address is in %r5, and byte 8 holds `there`.
WayMoves moves_of_store(HandMadeFlow& flow, const Compared& compared, ValueId there) {
    const FlowStep branches = flow.step("bra DONE"), stores = flow.step("st.shared");
    const MemoryPlace place = flow.memory.place_at(trace::Space::shared, 8, 4, branches.thread(0));
    place.memory->write(place.offset, 4, there);
    BranchRegions regions;
    const std::uint32_t way = stores.at();
    return moves_on_way({.values = flow.values,
                         .lineages = flow.lineages,
                         .addresses = flow.addresses,
                         .memory = flow.memory,
                         .regions = regions},
                        branches, 0, {compared.first, compared.second}, std::span(&way, 1));
}

const std::string storing = "setp.lt.s32 %p0, %r0, %r1;\n@%p0 bra DONE;\nst.shared.u32 [%r5+4], %r0;\nDONE:\nret;";

TEST(WayReader, FindsTheCellThatAStoreWouldReplace) {
    HandMadeFlow flow(storing);
    const Compared compared(flow);
    flow.hold("%r5", {.bits = 4});
    const WayMoves moves = moves_of_store(flow, compared, compared.second);
    EXPECT_TRUE(moves.first);
    EXPECT_FALSE(moves.second);
    EXPECT_TRUE(moves.replaces);
    EXPECT_THAT(moves.replaced, ElementsAre(compared.second));
}

TEST(WayReader, ReplacesNothingWhereTheAddressIsNotKnown) {
    HandMadeFlow flow(storing);
    const Compared compared(flow);
    const WayMoves moves = moves_of_store(flow, compared, compared.second);
    EXPECT_TRUE(moves.first);
    EXPECT_FALSE(moves.replaces);
    EXPECT_THAT(moves.replaced, IsEmpty());
}

}  // namespace
}  // namespace lanescope::analysis
