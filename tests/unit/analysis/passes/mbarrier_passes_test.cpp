// Passes of warps that wait for each other at mbarriers: one fetches, the other adds.
#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

using testing::Contains;
using testing::Field;
using testing::Not;

/// Warp 0 copies 32 elements to each of two slots; warp 1 adds each element to its neighbour, slot after slot.
constexpr std::string_view two_slots = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 k_in, .param .u64 k_out)
{
.reg .pred %p<10>;
.reg .b32 %r<20>;
.reg .b64 %d<20>;
.shared .align 8 .b64 full[2];
.shared .align 4 .b32 ring[64];
ld.param.u64 %d1, [k_in];
ld.param.u64 %d2, [k_out];
mov.u32 %r1, %tid.x;
setp.eq.u32 %p1, %r1, 0;
@%p1 mbarrier.init.shared.b64 [full], 32;
@%p1 mbarrier.init.shared.b64 [full+8], 32;
bar.sync 0;
and.b32 %r2, %r1, 31;
mul.wide.u32 %d3, %r2, 4;
cvt.u32.u64 %r3, %d3;
mov.u32 %r4, ring;
add.u32 %r4, %r4, %r3;
add.u64 %d1, %d1, %d3;
add.u64 %d2, %d2, %d3;
setp.ge.u32 %p2, %r1, 32;
@%p2 bra ADD;
cp.async.ca.shared.global [%r4], [%d1], 4;
cp.async.mbarrier.arrive.noinc.shared.b64 [full];
cp.async.ca.shared.global [%r4+128], [%d1+128], 4;
cp.async.mbarrier.arrive.noinc.shared.b64 [full+8];
ret;
ADD:
xor.b32 %r5, %r3, 4;
mov.u32 %r6, ring;
add.u32 %r5, %r5, %r6;
FIRST:
mbarrier.test_wait.parity.shared.b64 %p3, [full], 0;
@!%p3 bra FIRST;
ld.shared.u32 %r7, [%r4];
ld.shared.u32 %r8, [%r5];
add.s32 %r9, %r7, %r8;
st.global.u32 [%d2], %r9;
SECOND:
mbarrier.test_wait.parity.shared.b64 %p4, [full+8], 0;
@!%p4 bra SECOND;
ld.shared.u32 %r10, [%r4+128];
ld.shared.u32 %r11, [%r5+128];
add.s32 %r12, %r10, %r11;
st.global.u32 [%d2+128], %r12;
ret;
}
)";

std::shared_ptr<const Analysis> analysis_of_two_slots() {
    KernelRun run;
    run.threads = 64;
    run.input = iota(64);
    run.outputs = 64;
    return analysis_of(run, std::string(two_slots));
}

TEST(MbarrierPasses, EndWhereAPhaseIsComplete) {
    const auto analysis = analysis_of_two_slots();
    const BlockPasses& block = analysis->block_passes(0, BlockId(0));
    ASSERT_GE(block.passes.size(), 3U);
    std::vector<std::uint64_t> completed;
    for (const Pass& pass : block.passes) {
        EXPECT_LE(pass.completes.size(), 1U) << pass.label << ": no pass is of two phases";
        for (const MbarrierPhase& phase : pass.completes) {
            completed.push_back(phase.address);
            EXPECT_EQ(phase.number, 0U);
            // The step that completes it is the last of the pass.
            const trace::Step& last = analysis->trace->step(block.steps[pass.past_last - 1]);
            EXPECT_EQ(last.warp, WarpId(0));
        }
    }
    EXPECT_THAT(completed, testing::ElementsAre(0, 8)) << "full[0], then full[1]";
}

TEST(MbarrierPasses, AreNamedAfterTheirPhase) {
    const auto analysis = analysis_of_two_slots();
    std::vector<std::string> labels;
    for (const Pass& pass : analysis->block_passes(0, BlockId(0)).passes) labels.push_back(pass.label);
    EXPECT_EQ(labels.front(), "load");
    EXPECT_THAT(labels, Contains("full[1] phase 0"));
}

TEST(MbarrierPasses, CountTheWorkOfWhatTheCopiesBrought) {
    const auto analysis = analysis_of_two_slots();
    EXPECT_EQ(analysis->work, 64U);
    EXPECT_EQ(analysis->span, 1U);
}

TEST(MbarrierPasses, ShowNoMbarrierAmongTheCells) {
    const auto analysis = analysis_of_two_slots();
    const Picture& picture = analysis->picture(0, BlockId(0));
    EXPECT_THAT(picture.groups, Contains(Field(&ColumnGroup::name, "ring")));
    EXPECT_THAT(picture.groups, Not(Contains(Field(&ColumnGroup::name, "full"))));
}

}  // namespace
}  // namespace lanescope::analysis
