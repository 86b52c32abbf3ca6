// Use of results across blocks and launches: if it is not known, a lane that may be useful is not called wasted.
#include "session/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "run_support.h"

namespace lanescope::session {
namespace {

using UseAcrossLaunches = NeedsHostCode;

/// Compares the first block of a launch in both runs, step by step. Returns the lanes whose use is unknown.
std::uint64_t compare(const Run& whole, const Run& part, std::uint32_t launch) {
    const analysis::BlockPasses& all = whole.analysis->block_passes(launch, BlockId(0));
    const analysis::BlockPasses& some = part.analysis->block_passes(launch, BlockId(0));
    EXPECT_EQ(all.steps.size(), some.steps.size());
    std::uint64_t unknown_lanes = 0;
    for (std::size_t i = 0; i < std::min(all.steps.size(), some.steps.size()); ++i) {
        const LaneMask useful = whole.analysis->provenance->useful(all.steps[i]);
        const LaneMask may_be = part.analysis->provenance->useful(some.steps[i]);
        const LaneMask unknown = part.analysis->provenance->unknown_use(some.steps[i]);
        EXPECT_TRUE((useful & ~may_be).none()) << "step " << i << ": a useful lane is called wasted";
        EXPECT_TRUE(((may_be & ~unknown) & ~useful).none()) << "step " << i << ": a wasted lane is called useful";
        unknown_lanes += unknown.count();
    }
    return unknown_lanes;
}

TEST(UnknownUse, OfOutputsIsKnown) {
    Request request{.program = "reduce/sequential", .n = 128, .block = 16};
    const auto whole = run_of(request);
    request.record_blocks = 2;
    EXPECT_EQ(compare(*whole, *whole, 0), 0U) << "all blocks are recorded";
    EXPECT_EQ(compare(*whole, *run_of(request), 0), 0U) << "a block's sum is an output";
}

TEST(UnknownUse, OfALaunchIsThatOfTheLaunchesAfterIt) {
    NEEDS_HOST_CODE();
    Request request{.program = "scan/three-launches", .n = 64, .block = 8};
    const auto whole = run_of(request);
    request.record_blocks = 2;
    const auto part = run_of(request);
    for (const std::uint32_t launch : {0U, 1U, 2U}) compare(*whole, *part, launch);
    // Launch 1 has one block, which is recorded; launch 2 reads all its sums, and most of its blocks are not recorded.
    EXPECT_GT(compare(*whole, *part, 1), 0U);
    for (const analysis::GridPass& pass : part->analysis->passes) {
        if (pass.launch != 1) continue;
        EXPECT_FALSE(pass.useful_lanes) << pass.label;
        EXPECT_FALSE(pass.work) << pass.label;
    }
}

TEST_F(UseAcrossLaunches, ACopyOnTheDeviceBetweenLaunchesPassesOnWhatItCopies) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("repeated.cu", R"(
__global__ void add(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + in[31 - threadIdx.x]; }
int main() {
    int host[32], *in, *sums;
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&in, 128);
    cudaMalloc(&sums, 128);
    cudaMemcpy(in, host, 128, cudaMemcpyHostToDevice);
    add<<<1, 32>>>(in, sums);
    cudaMemcpy(in, sums, 64, cudaMemcpyDeviceToDevice);
    add<<<1, 32>>>(in, sums);
    cudaMemcpy(in, sums, 128, cudaMemcpyDeviceToDevice);
    cudaMemcpy(host, in, 128, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(sums);
}
)")});
    ASSERT_NE(run, nullptr);
    for (const analysis::GridPass& pass : run->analysis->passes) EXPECT_TRUE(pass.work) << pass.label;
    EXPECT_EQ(run->analysis->span, 2U) << "the second launch adds sums of the first one";
    const auto copies = std::ranges::count_if(run->trace().host_writes,
                                              [](const trace::HostWrite& write) { return write.source.has_value(); });
    EXPECT_EQ(copies, 2);
}

// A value that a copy on the device reads is as useful as the copy. If the trace does not contain the source, as for a
// copy to memory that no launch accesses, no value that it may have read is called wasted.
TEST_F(UseAcrossLaunches, WhatACopyOnTheDeviceMayReadIsNotCalledWaste) {
    struct Case {
        std::string copy;
        std::optional<std::uint64_t> work;
    };
    for (const auto& [copy, work] :
         {Case{"cudaMemcpy(kept, sums, 128, cudaMemcpyDeviceToDevice);", 32},
          Case{"cudaMemcpy2D(kept, 8, sums, 8, 4, 16, cudaMemcpyDeviceToDevice);", 16},
          Case{"int* late;\n    cudaMalloc(&late, 128);\n"
               "    cudaMemcpy(late, sums, 128, cudaMemcpyDeviceToDevice);\n"
               "    cudaMemcpy(kept, sums, 4, cudaMemcpyDeviceToDevice);\n    cudaFree(late);",
               1},
          Case{"int* late;\n    cudaMalloc(&late, 128);\n"
               "    cudaMemcpy2D(late, 8, sums, 8, 4, 16, cudaMemcpyDeviceToDevice);\n"
               "    cudaMemcpy(kept, sums, 4, cudaMemcpyDeviceToDevice);\n    cudaFree(late);",
               std::nullopt},
          Case{"", 0}}) {
        const ScratchFolder folder;
        const auto run = run_of({.program = folder.add("copied.cu", fmt::format(R"(#include <cstdio>
__global__ void twice(const int* in, int* out) {{ out[threadIdx.x] = in[threadIdx.x] + in[31 - threadIdx.x]; }}
int main() {{
    int host[32], *in, *sums, *kept;
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&in, 128);
    cudaMalloc(&sums, 128);
    cudaMalloc(&kept, 128);
    cudaMemcpy(in, host, 128, cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(in, sums);
    {}
    cudaMemset(sums, 0, 128);
    cudaMemcpy(host, kept, 128, cudaMemcpyDeviceToHost);
    printf("%d\n", host[3]);
    cudaFree(in);
    cudaFree(sums);
    cudaFree(kept);
}}
)",
                                                                                copy))});
        EXPECT_EQ(run->analysis->useful_lanes.has_value(), work.has_value()) << copy;
        EXPECT_EQ(run->analysis->work, work) << copy;
    }
}

/// Two variants are often launched one after the other on the same buffers.
TEST_F(UseAcrossLaunches, ALaunchWhoseResultsTheNextOverwritesIsAsUsefulAsTheNext) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("twice.cu",
                                                   "__global__ void k(const int* p, int* q) {\n"
                                                   "    q[threadIdx.x] = p[threadIdx.x] + 1;\n}\nint main() {\n"
                                                   "    int *p, *q, h[32] = {};\n    cudaMalloc(&p, 128);\n"
                                                   "    cudaMalloc(&q, 128);\n"
                                                   "    cudaMemcpy(p, h, 128, cudaMemcpyHostToDevice);\n"
                                                   "    k<<<1, 32>>>(p, q);\n    k<<<1, 32>>>(p, q);\n"
                                                   "    cudaMemcpy(h, q, 128, cudaMemcpyDeviceToHost);\n"
                                                   "    cudaFree(p);\n    cudaFree(q);\n}\n")});
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().launches.size(), 2U);
    ASSERT_EQ(run->analysis->passes.size(), 2U);
    EXPECT_GT(run->analysis->passes[0].useful_lanes.value_or(0), 0U);
    EXPECT_EQ(run->analysis->passes[0].useful_lanes, run->analysis->passes[1].useful_lanes);
}

TEST(AddressWork, IsThatOfFlagsAndOffsets) {
    const auto run = run_of({.program = "apply/partition"});
    EXPECT_EQ(run->analysis->work, 0U) << "no value is made of two elements";
    EXPECT_GT(run->analysis->address_work.value_or(0), 0U) << "a scan of flags decides where each goes";
    EXPECT_EQ(run_of({.program = "reduce/sequential"})->analysis->address_work, 0U);
}

}  // namespace
}  // namespace lanescope::session
