// Values that asynchronous copies bring to shared memory.
#include "analysis/dataflow/provenance.h"

#include "unit/analysis/hand_made.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using trace::Space;

std::vector<ValueId> parents_of(const Provenance& provenance, ValueId value) {
    const auto parents = provenance.parents(value);
    return {parents.begin(), parents.end()};
}

/// A thread copies four words, of which it reads the first three, adds two of them and stores the sum.
struct Copy {
    HandMade made{
        "cp.async.cg.shared.global [%r0], [%rd0], 16, %r1;\ncp.async.wait_all;\n"
        "ld.shared.v2.u32 {%r2, %r3}, [s];\nadd.s32 %r4, %r2, %r3;\nst.global.u32 [%rd1], %r4;\nret;",
        1};
    StepId copy, read, store;

    Copy() {
        made.step("cp.async.cg")
            .load(Space::global, 4, {0x1000}, {100, 101}, 2)
            .load(Space::global, 4, {0x1008}, {102})
            .store(Space::shared, 4, {0}, {100, 101, 102, 0}, 4);
        copy = made.last();
        made.step("cp.async.wait_all");
        made.step("ld.shared").load(Space::shared, 4, {0}, {100, 101}, 2).write("%r2", {100}).write("%r3", {101});
        read = made.last();
        made.step("add.s32").write("%r4", {201});
        made.step("st.global").store(Space::global, 4, {0x2000}, {201});
        store = made.last();
    }
};

TEST(AsynchronousCopies, EachWordInSharedMemoryComesFromTheWordThatTheCopyRead) {
    Copy made;
    const Provenance provenance(made.made.finish(), made.made.module());
    const ValueRange written = provenance.values_of(made.copy);
    ASSERT_EQ(written.past_last - written.first, 4U);
    for (std::uint32_t word = 0; word < 3; ++word) {
        const ValueId cell(written.first + word);
        EXPECT_TRUE(provenance[cell].is_cell());
        EXPECT_EQ(provenance[cell].address, 4U * word);
        ASSERT_THAT(parents_of(provenance, cell), SizeIs(1));
        const TracedValue& source = provenance[parents_of(provenance, cell).front()];
        EXPECT_EQ(source.kind, TracedValue::Kind::input);
        EXPECT_EQ(source.address, 0x1000U + 4U * word);
    }
    const ValueId filled(written.first + 3);
    EXPECT_THAT(parents_of(provenance, filled), IsEmpty()) << "zero, not read";
    EXPECT_FALSE(provenance[filled].input_dependent);
    const ValueId second(provenance.values_of(made.read).first + 1);
    EXPECT_THAT(parents_of(provenance, second), ElementsAre(ValueId(written.first + 1)));
}

TEST(AsynchronousCopies, AreUsefulWhereAnOutputDependsOnThem) {
    Copy made;
    const Provenance provenance(made.made.finish(), made.made.module());
    EXPECT_EQ(provenance.useful(made.copy), LaneMask::only(0));
    EXPECT_EQ(provenance.work(), 1U);
    EXPECT_EQ(provenance.span(), 1U);
    const ValueRange written = provenance.values_of(made.copy);
    EXPECT_TRUE(provenance[ValueId(written.first + 1)].reaches_output);
    EXPECT_FALSE(provenance[ValueId(written.first + 2)].reaches_output) << "no thread has read it";
}

}  // namespace
}  // namespace lanescope::analysis
