// The passes that wait at mbarriers which a class of a library keeps, as cuda::barrier does.
#include "unit/session/run_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanescope::session {
namespace {

TEST(MbarrierNames, AreThoseOfTheObjectsWithoutTheLibrarysMembers) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("gated.cu", R"(// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: block = 64
// lanescope: grid = 1
// lanescope: n = 64
struct Gate { unsigned long long __word; };
__global__ void gated(const int* in, int* out)
{
    __shared__ Gate full[2];
    __shared__ int slot[64];
    int t = threadIdx.x, lane = t % 32;
    unsigned gates = (unsigned)__cvta_generic_to_shared(full);
    if (t == 0)
        for (int s = 0; s < 2; ++s) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(gates + 8 * s) : "memory");
    __syncthreads();
    for (int s = 0; s < 2; ++s) {
        if (t < 32) {
            slot[32 * s + lane] = in[32 * s + lane];
            asm volatile("{ .reg .b64 a; mbarrier.arrive.shared.b64 a, [%0]; }" ::"r"(gates + 8 * s) : "memory");
        } else {
            unsigned done = 0;
            while (done == 0)
                asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                             : "=r"(done) : "r"(gates + 8 * s) : "memory");
            out[32 * s + lane] = slot[32 * s + lane] + slot[32 * s + 31 - lane];
        }
    }
}
)"),
                             .arch = 80});
    ASSERT_NE(run, nullptr);
    std::vector<std::string> labels;
    for (const analysis::Pass& pass : run->analysis->block_passes(0, BlockId(0)).passes) labels.push_back(pass.label);
    EXPECT_THAT(labels, testing::Contains("full[1] phase 0"));
}

TEST(NamedBarriers, AProducerAndAConsumerThatMeetAtThemHaveAPassForEachPhase) {
    const ScratchFolder folder;
    Progress progress;
    const auto run = session::run({.program = folder.add("ring.cu", R"(__global__ void ring(const int* in, int* out) {
    __shared__ int slot[32];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 2; ++i) {
        if (t < 32) {
            if (i > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
            slot[t] = in[i * 32 + t];
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            sum += slot[t - 32];
            if (i == 0) asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
    if (t >= 32) out[t - 32] = sum;
}
)"),
                                   .n = 64,
                                   .block = 64,
                                   .grid = 1},
                                  progress);
    ASSERT_TRUE(run) << run.error().problem.message();
    std::vector<std::string> labels;
    for (const analysis::GridPass& pass : (*run)->analysis->passes) labels.push_back(pass.label);
    EXPECT_THAT(labels, testing::Contains("barrier 2 phase 0"));
    EXPECT_GE(labels.size(), 3U);
    std::vector<analysis::BarrierPhase> phases;
    for (const analysis::Pass& pass : (*run)->analysis->block_passes(0, BlockId(0)).passes)
        phases.insert(phases.end(), pass.completes.begin(), pass.completes.end());
    EXPECT_THAT(phases, testing::Contains(analysis::BarrierPhase{
                            .kind = analysis::BarrierPhase::Barrier::named, .barrier = 2, .number = 0}));
}

TEST(Shuffles, AScanAfterAReductionIsAPassOfItsOwn) {
    const ScratchFolder folder;
    Progress progress;
    const auto run = session::run({.program = folder.add("both.cu", R"(__global__ void both(const int* in, int* out) {
    int v = in[threadIdx.x], sum = v, scan = v;
    for (int d = 2; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    for (int d = 1; d < 4; d *= 2) {
        int left = __shfl_up_sync(~0u, scan, d);
        if (threadIdx.x % 4 >= d) scan += left;
    }
    out[threadIdx.x] = scan + 100 * sum;
}
)"),
                                   .n = 32,
                                   .block = 32,
                                   .grid = 1},
                                  progress);
    ASSERT_TRUE(run) << run.error().problem.message();
    std::vector<std::string> labels;
    for (const analysis::GridPass& pass : (*run)->analysis->passes) labels.push_back(pass.label);
    EXPECT_THAT(labels, testing::ElementsAre("load", "xor 2", "xor 1", "up 1", "up 2"));
}

}  // namespace
}  // namespace lanescope::session
