// Atomics of every kind in the totals of a kernel: the executor's count for the grid, the sum of the analysis over all
// steps, and the model's cost of each access are equal.
#include "unit/analysis/kernels.h"

#include "model/model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

/// A kernel of one warp. All lanes execute `instruction` on shared memory at %rd3: lane pairs are 4 or 8 bytes apart.
std::string kernel_with(const std::string& instruction, unsigned bytes) {
    return fmt::format(R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry atomics(.param .u64 a, .param .u64 b)
{{
    .reg .b32 %r<8>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<8>;
    .shared .align 8 .b8 cells[512];
    mov.u32 %r1, %tid.x;
    shr.u32 %r2, %r1, 1;
    mul.wide.u32 %rd1, %r2, {};
    mov.u64 %rd2, cells;
    add.s64 %rd3, %rd2, %rd1;
    mov.u64 %rd4, 0;
    st.shared.u64 [%rd3], %rd4;
    bar.sync 0;
    cvt.rn.f32.u32 %f1, %r1;
    cvt.u64.u32 %rd5, %r1;
    {}
    ret;
}}
)",
                       bytes, instruction);
}

struct AtomicCase {
    const char* instruction;
    model::Access access;
    unsigned bytes;
};

TEST(AtomicCounts, AreTheModelsInTheTotalsOfAKernel) {
    using model::Access;
    const AtomicCase cases[] = {
        {"red.shared.add.u32 [%rd3], 1;", Access::atomic_add_one, 4},
        {"red.shared.add.u32 [%rd3], %r1;", Access::atomic, 4},
        {"atom.shared.add.u32 %r3, [%rd3], %r1;", Access::atomic, 4},
        {"atom.shared.min.u32 %r3, [%rd3], %r1;", Access::atomic, 4},
        {"atom.shared.max.s32 %r3, [%rd3], %r1;", Access::atomic, 4},
        {"atom.shared.inc.u32 %r3, [%rd3], %r1;", Access::atomic, 4},
        {"atom.shared.dec.u32 %r3, [%rd3], %r1;", Access::atomic, 4},
        {"atom.shared.and.b32 %r3, [%rd3], %r1;", Access::atomic, 4},
        {"atom.shared.or.b32 %r3, [%rd3], %r1;", Access::atomic, 4},
        {"atom.shared.xor.b32 %r3, [%rd3], %r1;", Access::atomic, 4},
        {"atom.shared.exch.b32 %r3, [%rd3], %r1;", Access::atomic, 4},
        {"atom.shared.cas.b32 %r3, [%rd3], %r1, %r2;", Access::compare_and_swap, 4},
        {"atom.shared.add.f32 %f2, [%rd3], %f1;", Access::atomic_loop, 4},
        {"atom.shared.add.u64 %rd6, [%rd3], %rd5;", Access::atomic_loop, 8},
        {"atom.shared.exch.b64 %rd6, [%rd3], %rd5;", Access::atomic, 8},
        {"atom.shared.cas.b64 %rd6, [%rd3], %rd4, %rd5;", Access::compare_and_swap, 8},
    };
    for (const AtomicCase& each : cases) {
        KernelRun run;
        run.threads = 32;
        const auto analysis = analysis_of(run, kernel_with(each.instruction, each.bytes));
        model::Addresses addresses{};
        for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = std::uint64_t{lane / 2} * each.bytes;
        const model::Wavefronts charged = model::wavefronts(each.access, each.bytes, addresses, LaneMask::all());
        const trace::Counts& totals = analysis->totals;
        EXPECT_EQ(totals.shared_atomic_instructions, 1U) << each.instruction;
        EXPECT_EQ(totals.shared_atomic_wavefronts, charged.atomic) << each.instruction;
        EXPECT_EQ(totals.shared_load_wavefronts, charged.load) << each.instruction;
        trace::Counts by_pass;
        for (const Pass& pass : analysis->block_passes(0, BlockId(0)).passes) by_pass += pass.counts;
        EXPECT_EQ(by_pass.shared_atomic_wavefronts, totals.shared_atomic_wavefronts) << each.instruction;
        EXPECT_EQ(by_pass.shared_load_wavefronts, totals.shared_load_wavefronts) << each.instruction;
        EXPECT_EQ(by_pass.shared_store_wavefronts, totals.shared_store_wavefronts) << each.instruction;
    }
}

}  // namespace
}  // namespace lanescope::analysis
