#include "analysis/dataflow/outputs.h"

#include "unit/analysis/dataflow/hand_made_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

using testing::ElementsAre;
using trace::Space;

constexpr FlowThread first_thread{.block = 0, .thread = 0}, second_thread{.block = 0, .thread = 1};

TEST(TracedMemory, FindsTheMemoryThatAnAddressLiesIn) {
    HandMadeFlow flow("ret;");
    const MemoryPlace in = flow.memory.place_at(Space::global, 0x1004, 4, first_thread);
    ASSERT_NE(in.buffer, nullptr);
    EXPECT_EQ(in.buffer->name, "in");
    EXPECT_EQ(in.offset, 4U);
    EXPECT_EQ(flow.memory.place_at(Space::global, 0x1000 + 62, 4, first_thread).memory, nullptr) << "past its end";
    EXPECT_EQ(flow.memory.place_at(Space::shared, 64, 4, first_thread).memory, nullptr);
    EXPECT_EQ(flow.memory.place_at(Space::shared, 0, 4, first_thread).memory,
              flow.memory.place_at(Space::shared, 0, 4, second_thread).memory);
    EXPECT_NE(flow.memory.place_at(Space::local, 0, 4, first_thread).memory,
              flow.memory.place_at(Space::local, 0, 4, second_thread).memory);
}

TEST(TracedMemory, MakesAValueOfWhatNothingHasWrittenWhenItIsFirstRead) {
    HandMadeFlow flow("ret;");
    std::vector<ValueId> read;
    const MemoryPlace in = flow.memory.place_at(Space::global, 0x1006, 2, first_thread);
    flow.memory.collect(in, Space::global, 2, read);
    flow.memory.collect(in, Space::global, 2, read);
    ASSERT_THAT(read, testing::SizeIs(2));
    EXPECT_EQ(read[0], read[1]);
    const TracedValue& element = flow.values[read[0]];
    EXPECT_EQ(element.kind, TracedValue::Kind::input);
    EXPECT_EQ(element.address, 0x1004U) << "the whole element";
    EXPECT_EQ(element.bits, 101U);

    read.clear();
    flow.memory.collect(flow.memory.place_at(Space::shared, 8, 4, first_thread), Space::shared, 4, read);
    EXPECT_EQ(flow.values[read.at(0)].kind, TracedValue::Kind::uninitialized);
}

TEST(LearnedAddresses, AreThoseOfInstructionsThatWereExecuted) {
    HandMadeFlow flow("mov.u64 %rd0, s;\ncvta.shared.u64 %rd1, %rd0;\nret;");
    const FlowStep names = flow.step("mov.u64"), converts = flow.step("cvta.shared");
    const ptx::Operand& variable = names.instruction().operands[1];
    EXPECT_EQ(flow.addresses.of(names.function(), variable), std::nullopt);
    flow.addresses.learn(names, flow.values, flow.hold("%rd0", {.bytes = 8, .bits = 16}), 0);
    EXPECT_EQ(flow.addresses.of(names.function(), variable), 16U);
    EXPECT_EQ(flow.addresses.in_space(0x5000010).first, Space::global) << "no window is known";
    flow.addresses.learn(converts, flow.values, flow.hold("%rd1", {.bytes = 8, .bits = 0x5000010}), 0);
    EXPECT_EQ(flow.addresses.in_space(0x5000010), std::pair(Space::shared, std::uint64_t{16}));
    EXPECT_EQ(flow.addresses.in_space(0x10).first, Space::global);
}

TEST(ValueBuilder, AResultOfTwoInputsIsAnOperationAndOneOfAnIndexIsNone) {
    HandMadeFlow flow("add.s32 %r2, %r0, %r1;\nmov.u32 %r3, %r4;\nret;");
    const ValueId first = flow.input("%r0", 1), second = flow.input("%r1", 2);
    const ValueId sum = flow.result(flow.step("add.s32"), 3);
    EXPECT_THAT(flow.values.parents(sum), ElementsAre(first, second));
    EXPECT_TRUE(flow.values[sum].application);
    EXPECT_EQ(flow.values[sum].depth, 1U);
    EXPECT_EQ(flow.values[sum].kind, TracedValue::Kind::reg);
    flow.hold("%r1", {.bits = 7});
    EXPECT_FALSE(flow.values[flow.result(flow.step("add.s32"), 8)].application);
    const ValueId index = flow.result(flow.step("mov.u32"), 0);
    EXPECT_EQ(flow.values[index].kind, TracedValue::Kind::constant) << "made of nothing";
}

TEST(Outputs, ReachFromTheLastContentsOfAnOutputToAllThatTheyWereMadeOf) {
    HandMadeFlow flow("ret;");
    const ValueId overwritten = flow.values.add({.kind = TracedValue::Kind::memory});
    const ValueId source = flow.values.add({.kind = TracedValue::Kind::reg});
    const ValueId stored = flow.values.add({.kind = TracedValue::Kind::memory});
    flow.values.add_parent(source);
    const MemoryPlace out = flow.memory.place_at(Space::global, 0x2008, 4, first_thread);
    out.memory->write(out.offset, 4, overwritten);
    out.memory->write(out.offset, 4, stored);
    mark_outputs(flow.trace(), flow.histories, flow.lineages, flow.values);
    for (const ValueId reaches : {source, stored}) {
        EXPECT_TRUE(flow.values[reaches].reaches_output);
        EXPECT_TRUE(flow.values[reaches].use_known);
    }
    EXPECT_FALSE(flow.values[overwritten].reaches_output);
}

TEST(Outputs, OfWhatOthersMayReadTheUseIsNotKnown) {
    HandMadeFlow flow("ret;");
    const ValueId stored = flow.values.add({.kind = TracedValue::Kind::memory});
    const MemoryPlace in = flow.memory.place_at(Space::global, 0x1000, 4, first_thread);
    in.memory->write(in.offset, 4, stored);
    mark_read_by_others(flow.histories, flow.values);
    EXPECT_TRUE(flow.values[stored].reaches_output);
    EXPECT_FALSE(flow.values[stored].use_known);
}

}  // namespace
}  // namespace lanescope::analysis
