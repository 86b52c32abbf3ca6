#include "analysis/dataflow/provenance.h"

#include "analysis/source/display_names.h"

#include "unit/analysis/hand_made.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::analysis {
namespace {

using trace::EffectKind;
using trace::Space;

constexpr LaneMask lane0 = LaneMask::only(0);

/// The parents of the value that the lane wrote in a step.
std::vector<ValueId> parents_of(const Provenance& provenance, StepId step, unsigned lane) {
    const auto parents = provenance.parents(provenance.written_by(step, lane));
    return {parents.begin(), parents.end()};
}

TEST(Provenance, ASumOfTwoInputsIsAnApplicationAndItsAddressIsNoSummand) {
    HandMade made(
        "mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd0, %r0, 4;\nld.global.u32 %r1, [%rd0];\nld.global.u32 %r2, [%rd0+4];\n"
        "add.s32 %r3, %r1, %r2;\nst.global.u32 [%rd1], %r3;\nret;",
        1);
    made.step("mov.u32", lane0).write("%r0", {0});
    made.step("mul.wide", lane0).write("%rd0", {0});
    const StepId address = made.last();
    made.step("[%rd0]", lane0).load(Space::global, 4, {0x1000}, {100}).write("%r1", {100});
    const StepId first = made.last();
    made.step("[%rd0+4]", lane0).load(Space::global, 4, {0x1004}, {101}).write("%r2", {101});
    const StepId second = made.last();
    made.step("add.s32", lane0).write("%r3", {201});
    const StepId sum = made.last();
    made.step("st.global", lane0).store(Space::global, 4, {0x2000}, {201});
    const StepId store = made.last();
    const Provenance provenance(made.finish(), made.module());

    EXPECT_EQ(provenance[provenance.written_by(address, 0)].kind, TracedValue::Kind::constant);
    const TracedValue& input = provenance[parents_of(provenance, first, 0).at(0)];
    EXPECT_EQ(input.kind, TracedValue::Kind::input);
    EXPECT_EQ(input.address, 0x1000U);
    EXPECT_EQ(input.bits, 100U);
    EXPECT_THAT(parents_of(provenance, sum, 0),
                testing::ElementsAre(provenance.written_by(first, 0), provenance.written_by(second, 0)));
    const TracedValue& result = provenance[provenance.written_by(sum, 0)];
    EXPECT_TRUE(result.application);
    EXPECT_TRUE(result.reaches_output);
    EXPECT_EQ(result.depth, 1U);
    EXPECT_FALSE(provenance[provenance.written_by(address, 0)].reaches_output);
    EXPECT_EQ(provenance.useful(address), lane0) << "the address found the data";
    EXPECT_THAT(parents_of(provenance, store, 0), testing::ElementsAre(provenance.written_by(sum, 0)));
    EXPECT_EQ(provenance.work(), 1U);
    EXPECT_EQ(provenance.span(), 1U);

    const std::vector<bool> slice = provenance.backward_slice(provenance.written_by(sum, 0));
    ASSERT_EQ(slice.size(), provenance.size());
    for (const StepId step : {first, second}) EXPECT_TRUE(slice[provenance.written_by(step, 0).index()]);
    EXPECT_TRUE(slice[parents_of(provenance, first, 0).at(0).index()]) << "back to the input";
    for (const StepId step : {address, store}) EXPECT_FALSE(slice[provenance.written_by(step, 0).index()]);
    EXPECT_EQ(std::ranges::count(slice, true), 5) << "two inputs, two registers, their sum";
}

TEST(Provenance, AddingAnIndexOrAnImmediateToAnInputIsNoApplication) {
    HandMade made(
        "mov.u32 %r0, %tid.x;\nld.global.u32 %r1, [%rd0];\nadd.s32 %r2, %r1, %r0;\nadd.s32 %r3, %r2, 7;\nret;", 1);
    made.step("mov.u32", lane0).write("%r0", {5});
    made.step("ld.global", lane0).load(Space::global, 4, {0x1000}, {100}).write("%r1", {100});
    made.step("%r1, %r0", lane0).write("%r2", {105});
    const StepId index = made.last();
    made.step("%r2, 7", lane0).write("%r3", {112});
    const StepId immediate = made.last();
    const Provenance provenance(made.finish(), made.module());
    EXPECT_FALSE(provenance[provenance.written_by(index, 0)].application);
    EXPECT_TRUE(provenance[provenance.written_by(index, 0)].input_dependent);
    EXPECT_FALSE(provenance[provenance.written_by(immediate, 0)].application);
    EXPECT_EQ(parents_of(provenance, index, 0).size(), 2U);
    EXPECT_EQ(parents_of(provenance, immediate, 0).size(), 1U);
}

TEST(Provenance, AValueGoesThroughSharedMemoryToAnotherLane) {
    HandMade made(
        "ld.global.u32 %r1, [%rd0];\nst.shared.u32 [%rd1], %r1;\nbar.sync 0;\nld.shared.u32 %r2, [%rd2];\nret;");
    made.step("ld.global").load(Space::global, 4, {0x1000, 0x1004, 0x1008, 0x100c}, {100, 101, 102, 103});
    made.write("%r1", {100, 101, 102, 103});
    made.step("st.shared").store(Space::shared, 4, {0, 4, 8, 12}, {100, 101, 102, 103});
    const StepId store = made.last();
    made.barrier();
    made.step("ld.shared")
        .load(Space::shared, 4, {12, 8, 4, 0}, {103, 102, 101, 100})
        .write("%r2", {103, 102, 101, 100});
    const StepId load = made.last();
    const Provenance provenance(made.finish(), made.module());
    for (unsigned lane = 0; lane < 4; ++lane) {
        EXPECT_THAT(parents_of(provenance, load, lane), testing::ElementsAre(provenance.written_by(store, 3 - lane)));
    }
    EXPECT_EQ(provenance.memory_at(Space::shared, 0, BlockId(0), 8, load.index()), provenance.written_by(store, 2));
    EXPECT_FALSE(provenance.memory_at(Space::shared, 0, BlockId(0), 8, store.index()).valid()) << "before the store";
    EXPECT_FALSE(provenance.memory_at(Space::shared, 0, BlockId(1), 8, load.index()).valid()) << "not recorded";
}

TEST(Provenance, AShuffleTakesWhatTheSourceLaneHeldBeforeEvenIntoTheSameRegister) {
    HandMade made("ld.global.u32 %r1, [%rd0];\nshfl.sync.down.b32 %r1, %r1, 1, 31, -1;\nret;");
    made.step("ld.global").load(Space::global, 4, {0x1000, 0x1004, 0x1008, 0x100c}, {100, 101, 102, 103});
    made.write("%r1", {100, 101, 102, 103});
    const StepId load = made.last();
    made.step("shfl").shuffle({1, 2, 3, 3}).write("%r1", {101, 102, 103, 103});
    const StepId shuffle = made.last();
    const Provenance provenance(made.finish(), made.module());
    for (unsigned lane = 0; lane < 4; ++lane) {
        const unsigned source = std::min(lane + 1, 3U);
        EXPECT_THAT(parents_of(provenance, shuffle, lane), testing::ElementsAre(provenance.written_by(load, source)));
        EXPECT_FALSE(provenance[provenance.written_by(shuffle, lane)].application);
    }
}

TEST(Provenance, ASelectIsMadeOfTheOperandItChose) {
    HandMade made(
        "ld.global.u32 %r1, [%rd0];\nld.global.u32 %r2, [%rd1];\nsetp.gt.s32 %p1, %r1, %r2;\n"
        "selp.b32 %r3, %r1, %r2, %p1;\nmax.s32 %r4, %r1, %r2;\nret;",
        2);
    made.step("[%rd0]").load(Space::global, 4, {0x1000, 0x1008}, {100, 102}).write("%r1", {100, 102});
    const StepId one = made.last();
    made.step("[%rd1]").load(Space::global, 4, {0x1004, 0x1004}, {101, 101}).write("%r2", {101, 101});
    const StepId other = made.last();
    made.step("setp").write("%p1", {0, 1});
    made.step("selp").write("%r3", {101, 102});
    const StepId select = made.last();
    made.step("max").write("%r4", {101, 102});
    const StepId larger = made.last();
    const Provenance provenance(made.finish(), made.module());
    EXPECT_THAT(parents_of(provenance, select, 0), testing::ElementsAre(provenance.written_by(other, 0)));
    EXPECT_THAT(parents_of(provenance, select, 1), testing::ElementsAre(provenance.written_by(one, 1)));
    EXPECT_FALSE(provenance[provenance.written_by(select, 0)].application);
    EXPECT_EQ(parents_of(provenance, larger, 0).size(), 2U) << "max combines both";
    EXPECT_TRUE(provenance[provenance.written_by(larger, 0)].application);
}

TEST(Provenance, BytesOfAWordKeepTheirOwnPast) {
    HandMade made(
        "ld.global.u32 %r1, [%rd0];\nst.shared.u32 [%rd1], %r1;\nst.shared.u8 [%rd2+1], %r1;\n"
        "ld.shared.u32 %r2, [%rd1];\nld.shared.u8 %r3, [%rd3];\nld.shared.u16 %r4, [%rd3+2];\nret;",
        1);
    made.step("ld.global", lane0).load(Space::global, 4, {0x1000}, {100}).write("%r1", {100});
    made.step("st.shared.u32", lane0).store(Space::shared, 4, {0}, {100});
    const StepId word = made.last();
    made.step("st.shared.u8", lane0).store(Space::shared, 1, {1}, {100});
    const StepId byte = made.last();
    made.step("ld.shared.u32", lane0).load(Space::shared, 4, {0}, {25700}).write("%r2", {25700});
    const StepId all = made.last();
    made.step("ld.shared.u8", lane0).load(Space::shared, 1, {1}, {100}).write("%r3", {100});
    const StepId one = made.last();
    made.step("ld.shared.u16", lane0).load(Space::shared, 2, {2}, {0}).write("%r4", {0});
    const StepId rest = made.last();
    const Provenance provenance(made.finish(), made.module());
    EXPECT_THAT(parents_of(provenance, all, 0),
                testing::ElementsAre(provenance.written_by(word, 0), provenance.written_by(byte, 0)));
    EXPECT_THAT(parents_of(provenance, one, 0), testing::ElementsAre(provenance.written_by(byte, 0)));
    EXPECT_THAT(parents_of(provenance, rest, 0), testing::ElementsAre(provenance.written_by(word, 0)));
    EXPECT_EQ(provenance.memory_at(Space::shared, 0, BlockId(0), 1, byte.index()), provenance.written_by(word, 0));
    EXPECT_EQ(provenance.memory_at(Space::shared, 0, BlockId(0), 1, all.index()), provenance.written_by(byte, 0));
}

TEST(Provenance, AVectorLoadGivesEachRegisterItsOwnElement) {
    HandMade made("ld.global.v2.u32 {%r1, %r2}, [%rd0];\nst.shared.v2.u32 [%rd1], {%r2, %r1};\nret;", 1);
    made.step("ld.global", lane0)
        .load(Space::global, 4, {0x1008}, {102, 103}, 2)
        .write("%r1", {102})
        .write("%r2", {103});
    const StepId load = made.last();
    made.step("st.shared", lane0).store(Space::shared, 4, {8}, {103, 102}, 2);
    const StepId store = made.last();
    const Provenance provenance(made.finish(), made.module());
    const auto first = provenance.values_of(load).first;
    EXPECT_EQ(provenance[provenance.parents(ValueId(first))[0]].address, 0x1008U);
    EXPECT_EQ(provenance[provenance.parents(ValueId(first + 1))[0]].address, 0x100cU);
    const auto stored = provenance.values_of(store).first;
    EXPECT_EQ(provenance.parents(ValueId(stored))[0], ValueId(first + 1));
    EXPECT_EQ(provenance.parents(ValueId(stored + 1))[0], ValueId(first));
    EXPECT_EQ(provenance[ValueId(stored + 1)].address, 12U);
}

TEST(Provenance, LanesOfAnAtomicActOneAfterTheOther) {
    HandMade made("ld.global.u32 %r1, [%rd0];\natom.shared.add.u32 %r2, [s], %r1;\nret;", 3);
    made.step("ld.global")
        .load(Space::global, 4, {0x1000, 0x1004, 0x1008}, {100, 101, 102})
        .write("%r1", {100, 101, 102});
    const StepId load = made.last();
    made.step("atom").atomic(Space::shared, ptx::Atomic::add, {0, 0, 0}, {0, 100, 201}, {100, 201, 303});
    made.write("%r2", {0, 100, 201});
    const StepId atomic = made.last();
    const Provenance provenance(made.finish(), made.module());
    const auto sum = [&](unsigned lane) { return ValueId(provenance.values_of(atomic).first + lane); };
    EXPECT_EQ(provenance.parents(sum(0)).size(), 2U) << "what was there before anyone wrote it, and the operand";
    EXPECT_EQ(provenance[provenance.parents(sum(0))[0]].kind, TracedValue::Kind::uninitialized);
    EXPECT_FALSE(provenance[sum(0)].application);
    EXPECT_THAT(provenance.parents(sum(2)), testing::ElementsAre(sum(1), provenance.written_by(load, 2)));
    EXPECT_TRUE(provenance[sum(2)].application);
    EXPECT_EQ(provenance[sum(2)].depth, 2U);
    const ValueId old = provenance.written_to(RegisterId(2 + 10), atomic, 2);
    ASSERT_TRUE(old.valid());
    EXPECT_THAT(provenance.parents(old), testing::ElementsAre(sum(1))) << "the register takes the old value";
}

TEST(Provenance, CompareAndSwapStoresTheNewValueOrLeavesTheOld) {
    HandMade made("ld.global.u32 %r1, [%rd0];\nst.shared.u32 [s], %r1;\natom.shared.cas.b32 %r2, [s], %r3, %r1;\nret;",
                  2);
    made.step("ld.global").load(Space::global, 4, {0x1000, 0x1004}, {100, 101}).write("%r1", {100, 101});
    const StepId load = made.last();
    made.step("st.shared", lane0).store(Space::shared, 4, {0}, {100});
    made.step("atom").atomic(Space::shared, ptx::Atomic::cas, {0, 0}, {100, 100}, {100, 101});
    const StepId atomic = made.last();
    const Provenance provenance(made.finish(), made.module());
    const ValueId failed = provenance.written_by(atomic, 0);
    EXPECT_EQ(provenance[failed].kind, TracedValue::Kind::unchanged) << "its thread has written nothing";
    EXPECT_EQ(provenance[provenance.parents(failed)[0]].kind, TracedValue::Kind::memory);
    EXPECT_THAT(parents_of(provenance, atomic, 1), testing::ElementsAre(provenance.written_by(load, 1)));
    EXPECT_FALSE(provenance[provenance.written_by(atomic, 1)].application);
}

TEST(Provenance, LocalMemoryIsEachThreadsOwn) {
    HandMade made("ld.global.u32 %r1, [%rd0];\nst.local.u32 [l], %r1;\nld.local.u32 %r2, [l];\nret;", 2);
    made.step("ld.global").load(Space::global, 4, {0x1000, 0x1004}, {100, 101}).write("%r1", {100, 101});
    made.step("st.local").store(Space::local, 4, {0, 0}, {100, 101});
    const StepId store = made.last();
    made.step("ld.local").load(Space::local, 4, {0, 0}, {100, 101}).write("%r2", {100, 101});
    const StepId load = made.last();
    const Provenance provenance(made.finish(), made.module());
    for (unsigned lane = 0; lane < 2; ++lane) {
        EXPECT_THAT(parents_of(provenance, load, lane), testing::ElementsAre(provenance.written_by(store, lane)));
    }
}

TEST(Provenance, WhatIsOverwrittenBeforeTheEndReachesNoOutput) {
    HandMade made(
        "ld.global.u32 %r1, [%rd0];\nld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd2], %r1;\n"
        "st.global.u32 [%rd2], %r2;\nret;",
        1);
    made.step("[%rd0]", lane0).load(Space::global, 4, {0x1000}, {100}).write("%r1", {100});
    const StepId lost = made.last();
    made.step("[%rd1]", lane0).load(Space::global, 4, {0x1004}, {101}).write("%r2", {101});
    const StepId kept = made.last();
    made.step("%r1;", lane0).store(Space::global, 4, {0x2000}, {100});
    const StepId early = made.last();
    made.step("%r2;", lane0).store(Space::global, 4, {0x2000}, {101});
    const Provenance provenance(made.finish(), made.module());
    EXPECT_FALSE(provenance[provenance.written_by(lost, 0)].reaches_output);
    EXPECT_TRUE(provenance[provenance.written_by(kept, 0)].reaches_output);
    EXPECT_EQ(provenance.useful(early), LaneMask{});
    EXPECT_EQ(provenance.useful(kept), lane0);
}

TEST(Provenance, WhatTheHostReadsBeforeItIsOverwrittenReachesAnOutput) {
    HandMade made("ld.global.u32 %r1, [%rd0];\nst.global.u32 [%rd1], %r1;\nret;", 1);
    const auto launch_ends_with = [&](std::uint64_t value) {
        made.step("[%rd0]", lane0).load(Space::global, 4, {0x1000}, {value}).write("%r1", {value});
        made.step("%r1;", lane0).store(Space::global, 4, {0x2000}, {value});
        return made.last();
    };
    const StepId lost = launch_ends_with(100);
    made.launch_again(0, 0, 101, 41);
    const StepId read = launch_ends_with(101);
    made.read_by_host(1);
    made.launch_again(0, 0, 102, 43);
    const StepId last = launch_ends_with(102);
    const auto trace = std::make_shared<trace::Trace>(*made.finish());
    EXPECT_EQ(Provenance(trace, made.module()).useful(lost), lane0) << "nothing says what the result is";
    trace->origin.oracle = "sum";
    const Provenance provenance(trace, made.module());
    EXPECT_EQ(provenance.useful(lost), LaneMask{});
    EXPECT_EQ(provenance.useful(read), lane0);
    EXPECT_EQ(provenance.useful(last), lane0);
}

TEST(Provenance, WhatTheHostWroteBetweenLaunchesIsNewerThanWhatAKernelLeft) {
    HandMade made("st.global.u32 [%rd1], %r3;\nld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [%rd0];\nret;", 1);
    made.step("st.global", lane0).store(Space::global, 4, {0x2000}, {7});
    const StepId store = made.last();
    made.step("ld.global.u32 %r1", lane0).load(Space::global, 4, {0x2000}, {7}).write("%r1", {7});
    const StepId read = made.last();
    made.launch_again(1, 0, 30, 41);
    made.step("ld.global.u32 %r1", lane0).load(Space::global, 4, {0x2000}, {30}).write("%r1", {30});
    const StepId again = made.last();
    made.launch_again(0, 2, 31, 42);
    made.step("ld.global.u32 %r2", lane0).load(Space::global, 4, {0x1008}, {31}).write("%r2", {31});
    const StepId untouched = made.last();
    const Provenance provenance(made.finish(), made.module());

    EXPECT_THAT(parents_of(provenance, read, 0), testing::ElementsAre(provenance.written_by(store, 0)));
    const ValueId host = parents_of(provenance, again, 0).at(0);
    EXPECT_EQ(provenance[host].kind, TracedValue::Kind::host);
    EXPECT_EQ(provenance[host].bits, 30U);
    ASSERT_NE(provenance.host_write(host), nullptr);
    EXPECT_EQ(provenance.host_write(host)->source_line, 41U);
    EXPECT_EQ(host_words(provenance, host), "before launch 1 (line 41)");
    const ValueId other = parents_of(provenance, untouched, 0).at(0);
    EXPECT_EQ(host_words(provenance, other), "before launch 2 (line 42)");
    EXPECT_EQ(host_words(provenance, provenance.written_by(store, 0)), "");

    const auto at = [&](std::size_t position) {
        return provenance.memory_at(Space::global, 0, BlockId(0), 0x2000, position);
    };
    EXPECT_EQ(at(1), provenance.written_by(store, 0));
    EXPECT_EQ(at(again.index()), host) << "there when the launch begins";
}

TEST(Provenance, ABranchIsUsefulToTheLanesThatDoSomethingUsefulLater) {
    HandMade made(
        "mov.u32 %r0, %tid.x;\nsetp.ne.s32 %p1, %r0, 0;\n@%p1 bra END;\nld.global.u32 %r1, [%rd0];\n"
        "st.global.u32 [%rd1], %r1;\nEND: ret;");
    made.step("mov.u32").write("%r0", {0, 1, 2, 3});
    const StepId index = made.last();
    made.step("setp").write("%p1", {0, 1, 1, 1});
    made.step("bra").control(EffectKind::branch, LaneMask(0b1110));
    const StepId branch = made.last();
    made.step("ld.global", lane0).load(Space::global, 4, {0x1000}, {100}).write("%r1", {100});
    made.step("st.global", lane0).store(Space::global, 4, {0x2000}, {100});
    made.step("ret").control(EffectKind::exit, LaneMask::first(4));
    const StepId end = made.last();
    const Provenance provenance(made.finish(), made.module());
    EXPECT_EQ(provenance.useful(branch), lane0);
    EXPECT_EQ(provenance.useful(index), lane0) << "the index decided the branch";
    EXPECT_EQ(provenance.useful(end), LaneMask::first(4));
}

}  // namespace
}  // namespace lanescope::analysis
