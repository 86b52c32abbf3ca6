// Launches of whole programs that are invalid or fail: the findings, the errors that host code gets, and that the rest
// of the program runs.
#include "session/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/panels/program_lines.h"
#include "run_support.h"

namespace lanescope::session {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

using FailedLaunches = NeedsHostCode;

TEST_F(FailedLaunches, AHostPointerInAKernelIsReportedAsOne) {
    const ScratchFolder folder;
    const auto run =
        run_of({.program = folder.add(
                    "host.cu",
                    "#include <cstdlib>\n"
                    "__global__ void half(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x] / 2; }\n"
                    "int main() {\n"
                    "    float *x = (float*)malloc(128), *y;\n"
                    "    cudaMalloc(&y, 128);\n"
                    "    half<<<1, 32>>>(x, y);\n"
                    "    int failed = cudaDeviceSynchronize() == cudaErrorIllegalAddress;\n"
                    "    free(x);\n"
                    "    return failed;\n"
                    "}\n")});
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().findings.size(), 1U);
    EXPECT_EQ(run->trace().findings[0].kind, trace::Finding::Kind::out_of_bounds);
    EXPECT_THAT(
        run->trace().findings[0].message,
        testing::MatchesRegex("block 0, thread 0 reads address 0x[0-9a-f]+ in host memory \\(the heap\\): x is a "
                              "host pointer"));
    EXPECT_EQ(run->trace().host_end, "exit status 1");
}

TEST_F(FailedLaunches, WhatIsWronglyFreedAfterOneIsAFindingToo) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("late.cu",
                                                   "__global__ void put(int* a, long at) { a[at] = 1; }\n"
                                                   "int main() {\n    int *a, *b;\n    cudaMalloc(&a, 64);\n"
                                                   "    cudaMalloc(&b, 64);\n    put<<<1, 1>>>(nullptr, 1 << 28);\n"
                                                   "    int failed = cudaDeviceSynchronize() != cudaSuccess;\n"
                                                   "    cudaFree(a);\n    cudaFree(a);\n    cudaFree(b + 1);\n"
                                                   "    cudaFree(b);\n    return failed;\n}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(findings_by_line(*run),
                testing::ElementsAre(testing::StartsWith("1: block 0, thread 0 writes"), "9: double free",
                                     testing::StartsWith("10: the pointer was not returned by")));
    EXPECT_EQ(run->trace().host_end, "exit status 1") << "every call returns the kernel's error";
}

TEST_F(FailedLaunches, AnAccessFarFromAllMemoryEndsAsOnAGpu) {
    const ScratchFolder folder;
    const auto run_at = [&](const std::string& index) {
        return run_of({.program = folder.add("far.cu",
                                             "__global__ void put(int* a, long at) { a[at] = 1; }\n"
                                             "int main() {\n    int* d;\n    cudaMalloc(&d, 400);\n"
                                             "    put<<<1, 1>>>(d, " +
                                                 index +
                                                 ");\n    return cudaDeviceSynchronize() == "
                                                 "cudaErrorIllegalAddress;\n}\n")});
    };
    // The memory beside an allocation is mapped on the host, but a GPU cannot access it.
    const auto near = run_at("100");
    ASSERT_NE(near, nullptr);
    EXPECT_EQ(near->trace().host_end, "exit status 0");
    EXPECT_THAT(near->trace().findings[0].message, HasSubstr("a[100]"));
    const auto farther = run_at("1000000");
    ASSERT_NE(farther, nullptr);
    EXPECT_EQ(farther->trace().host_end, "exit status 0");
    EXPECT_THAT(farther->trace().findings[0].message, HasSubstr("3,999,601 bytes past the end of a (400 bytes)"));
    const auto far = run_at("1000000000");
    ASSERT_NE(far, nullptr);
    EXPECT_EQ(far->trace().host_end, "exit status 1");
    EXPECT_THAT(far->trace().findings[0].message, HasSubstr("outside all allocations"));
}

TEST_F(FailedLaunches, AGridBarrierNeedsACooperativeLaunch) {
    const ScratchFolder folder;
    const auto run_by = [&](const std::string& launch) {
        return run_of({.program = folder.add(
                           "grid.cu",
                           "#include <cooperative_groups.h>\n"
                           "__global__ void k(int* a) { cooperative_groups::this_grid().sync(); a[blockIdx.x] = 1; }\n"
                           "int main() {\n    int* d;\n    cudaMalloc(&d, 400);\n    void* arguments[] = {&d};\n"
                           "    (void)arguments;\n    " +
                               launch + ";\n    return cudaDeviceSynchronize() != cudaSuccess;\n}\n")});
    };
    const auto ordinary = run_by("k<<<2, 32>>>(d)");
    ASSERT_NE(ordinary, nullptr);
    EXPECT_EQ(ordinary->trace().host_end, "exit status 1");
    EXPECT_EQ(ordinary->trace().findings[0].kind, trace::Finding::Kind::trap);
    EXPECT_THAT(ordinary->trace().findings[0].message, HasSubstr("needs a cooperative launch"));
    const auto cooperative = run_by("cudaLaunchCooperativeKernel((const void*)k, 2, 32, arguments, 0, 0)");
    ASSERT_NE(cooperative, nullptr);
    EXPECT_EQ(cooperative->trace().host_end, "exit status 0");
}

TEST_F(FailedLaunches, ACallThatReturnsTheFailureOfALaunchHasWaitedForIt) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("spin.cu",
                                                   "__global__ void spin(int* a, volatile int* b) {\n"
                                                   "    { while (b[0] == 0); a[0] = 1; }\n}\n"
                                                   "int main() {\n    int *a, *b;\n    cudaMallocManaged(&a, 4);\n"
                                                   "    cudaMalloc(&b, 4);\n    cudaMemset(b, 0, 4);\n"
                                                   "    spin<<<1, 1>>>(a, b);\n"
                                                   "    if (cudaDeviceSynchronize() == cudaSuccess) return 1;\n"
                                                   "    return a[0];\n}\n")});
    ASSERT_NE(run, nullptr);
    ASSERT_FALSE(run->trace().findings.empty());
    EXPECT_THAT(run->trace().findings[0].message, HasSubstr("its condition in line 2, \"while (b[0] == 0)\", waits"));
    for (const trace::Finding& finding : run->trace().findings)
        EXPECT_NE(finding.kind, trace::Finding::Kind::missing_synchronization) << finding.message;
    EXPECT_EQ(run->trace().host_end, "exit status 0");
}

TEST_F(FailedLaunches, ARefusedLaunchNamesTheKernelAsTheSourceDoes) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("large.cu",
                                                   "template <class T> __global__ void fill(T* a) { *a = 1; }\n"
                                                   "int main() {\n    float* d;\n    cudaMalloc(&d, 4);\n"
                                                   "    fill<<<1, 1>>>(d);\n    fill<<<1, 2048>>>(d);\n}\n")});
    ASSERT_NE(run, nullptr);
    const auto& findings = run->trace().findings;
    const auto refused = std::ranges::find(findings, trace::Finding::Kind::invalid_launch, &trace::Finding::kind);
    ASSERT_NE(refused, findings.end());
    EXPECT_THAT(refused->message, HasSubstr("fill<float>: a block of 2,048 threads cannot be launched"));
}

TEST_F(FailedLaunches, WhoseOnlyLaunchCannotBeMadeIsRefusedWithTheReason) {
    const ScratchFolder folder;
    const Refusal refusal = refusal_of(
        {.program = folder.add("wide.cu",
                               "__global__ void k(int* p) { p[threadIdx.x] = 1; }\nint main() {\n    int* d;\n"
                               "    cudaMalloc(&d, 8192);\n    k<<<1, dim3(64, 32)>>>(d);\n}\n")});
    EXPECT_THAT(refusal.problem.what,
                HasSubstr("a block of 64 x 32 threads cannot be launched; a block has 1 to 1,024 threads"));
    EXPECT_EQ(refusal.problem.where.line, 5U);
    ASSERT_TRUE(refusal.no_launch) << "it ran, so there is a report";
    using Severity = compile::Diagnostic::Severity;
    const auto said = [&](Severity severity, unsigned line, const std::string& text) {
        return std::ranges::any_of(refusal.diagnostics, [&](const compile::Diagnostic& each) {
            return each.severity == severity && each.line == line && each.text.find(text) != std::string::npos;
        });
    };
    EXPECT_TRUE(said(Severity::error, 5, "invalid-launch: "));
    EXPECT_TRUE(said(Severity::note, 4, "allocate"));

    const Refusal checked = refusal_of(
        {.program = folder.add("checked.cu",
                               "#include <cstdio>\n__global__ void k() {}\nint main() {\n    k<<<0, 32>>>();\n"
                               "    puts(cudaGetErrorString(cudaGetLastError()));\n}\n")});
    ASSERT_TRUE(checked.no_launch) << "also where the program looks at the error";
    EXPECT_EQ(analysis::printed_by(*checked.no_launch->trace), "invalid configuration argument\n");
    const auto error = std::ranges::find(checked.diagnostics, Severity::error, &compile::Diagnostic::severity);
    ASSERT_NE(error, checked.diagnostics.end());
    EXPECT_THAT(error->text, testing::StartsWith("invalid-launch: k: "));
    EXPECT_EQ(error->line, 4U);
}

TEST_F(FailedLaunches, MainAsksBeforeALaunchHasMoreThan48KilobytesOfSharedMemory) {
    const ScratchFolder folder;
    const auto run = run_of(
        {.program = folder.add("asked.cu",
                               "template <int N> __global__ void k(int* p) { extern __shared__ int s[]; s[0] = N; "
                               "p[0] = s[0]; }\nint main() { int* d; cudaMalloc(&d, 4);\n"
                               "cudaFuncSetAttribute(k<3>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);\n"
                               "k<3><<<1, 1, 60000>>>(d); cudaFree(d); }\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(run->trace().findings, IsEmpty());
}

TEST_F(FailedLaunches, ALaunchThatCannotBeIsAFaultOfTheHostAndTheOthersRun) {
    struct Wrong {
        std::string launch, message;
    };
    const ScratchFolder folder;
    const std::string begin =
        "__global__ void k(int* p) { extern __shared__ int s[]; if (threadIdx.x < 4) p[threadIdx.x] += 1; }\n"
        "__global__ void __launch_bounds__(64) few(int* p) { *p = 7; }\n"
        "int main() { int h[4] = {5, 5, 5, 5}, *d; cudaMalloc(&d, 16); cudaMemset(d, 0, 16); k<<<1, 4>>>(d);\n"
        "cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice);\n";
    const std::string end = ";\nk<<<1, 4>>>(d); cudaFree(d);\ncudaFree(d); }\n";
    for (const auto& [launch, message] :
         {Wrong{"k<<<1, 2048>>>(d)", "k: a block of 2,048 threads cannot be launched; a block has 1 to 1,024 threads"},
          Wrong{"k<<<0, 4>>>(d)", "a grid of 0 blocks"}, Wrong{"k<<<1, 0>>>(d)", "a block of 0 threads"},
          Wrong{"k<<<1, 4, 1 << 20>>>(d)", "a block needs 1,048,576 bytes of shared memory"},
          Wrong{"k<<<1, 4, 60000>>>(d)",
                "60,000 bytes of shared memory; a block has at most 49,152 bytes (48 KB), static arrays included"},
          Wrong{"k<<<dim3(1, 70000), 4>>>(d)", "a grid of 1 x 70,000 blocks"},
          Wrong{"few<<<1, 128>>>(d)", "at most 64 threads"}}) {
        const auto run = run_of({.program = folder.add("one.cu", fmt::format("{}{}{}", begin, launch, end))});
        ASSERT_NE(run, nullptr) << launch;
        EXPECT_EQ(run->trace().launches.size(), 2U) << launch;
        const std::vector<trace::Finding>& findings = run->trace().findings;
        ASSERT_EQ(findings.size(), 2U) << launch;
        EXPECT_EQ(findings[0].kind, trace::Finding::Kind::double_free) << "all else is found";
        // Only at the program's end is it known that the error was never checked.
        EXPECT_EQ(findings[1].kind, trace::Finding::Kind::invalid_launch);
        EXPECT_THAT(findings[1].message, HasSubstr(message)) << launch;
        EXPECT_EQ(findings[1].source_line, 5U);
        EXPECT_EQ(trace::bits_at(trace::Element::s32, run->trace().buffers[0].final, 0), 6U)
            << "what the host wrote before " << launch;
    }
}

TEST_F(FailedLaunches, WhatTheHostReadsAfterALaunchThatCannotBeIsAsItWasBefore) {
    const ScratchFolder folder;
    const auto run = run_of(
        {.program = folder.add("reads.cu",
                               "__global__ void k(int* p) { *p += 1; }\nint main() {\n"
                               "    int h = 3, *d; cudaMalloc(&d, 4); cudaMemset(d, 0, 4);\n    k<<<1, 2048>>>(d);\n"
                               "    cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice);\n    k<<<1, 2048>>>(d);\n"
                               "    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n    k<<<h, 1>>>(d);\n}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->grid, 3U);
    const auto refused = [](const trace::Finding& finding) {
        return finding.kind == trace::Finding::Kind::invalid_launch;
    };
    EXPECT_EQ(std::ranges::count_if(run->trace().findings, refused), 2)
        << "each at its line; and the race of three blocks, and the leak";
}

TEST_F(FailedLaunches, AKernelThatCannotBeExecutedIsNotCalledAnInvalidConfiguration) {
    const ScratchFolder folder;
    const std::string file = folder.add("tensor.cu",
                                        "#include <mma.h>\n"
                                        "using namespace nvcuda;\n"
                                        "__global__ void tensor(const half* a, float* c) {\n"
                                        "    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;\n"
                                        "    wmma::load_matrix_sync(left, a, 16);\n"
                                        "    c[threadIdx.x] = __half2float(left.x[0]);\n"
                                        "}\n"
                                        "__global__ void plain(float* c) { c[threadIdx.x] = 1; }\n"
                                        "int main() {\n"
                                        "    half* a; float* c;\n"
                                        "    cudaMalloc(&a, 512); cudaMemset(a, 0, 512); cudaMalloc(&c, 128);\n"
                                        "    plain<<<1, 32>>>(c);\n"
                                        "    tensor<<<1, 32>>>(a, c);\n"
                                        "    cudaFree(a); cudaFree(c);\n"
                                        "}\n");
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        Progress progress;
        const auto run = session::run({.program = file, .view = view}, progress);
        ASSERT_TRUE(run) << run.error().problem.message();
        const auto& findings = (*run)->trace().findings;
        ASSERT_EQ(findings.size(), 1U);
        EXPECT_EQ(findings[0].source_line, 13U);
        EXPECT_THAT(findings[0].message, testing::HasSubstr("Lanescope cannot execute the kernel: "));
        EXPECT_THAT(findings[0].message, testing::HasSubstr("is not supported: tensor cores"));
    }
}

/// After it cudaFree fails, too, as every call does.
TEST_F(FailedLaunches, WhatIsNotFreedAfterALaunchThatFailedIsNoLeak) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("trap.cu",
                                                   "__global__ void k(int* p) { *p = 1; __trap(); }\nint main() {\n"
                                                   "    int* d;\n    cudaMalloc(&d, 4);\n    k<<<1, 1>>>(d);\n"
                                                   "    cudaDeviceSynchronize();\n    cudaFree(d);\n}\n")});
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().findings.size(), 1U);
    EXPECT_EQ(run->trace().findings.front().kind, trace::Finding::Kind::trap);
}

TEST_F(FailedLaunches, AStaticArrayThatIsTooLargeShouldBeDynamic) {
    const ScratchFolder folder;
    Progress progress;
    const auto answer = session::run(
        {.program = folder.add("large.cu",
                               "#include <cstdio>\n__global__ void k(int* p) {\n    __shared__ int s[20000];\n"
                               "    s[threadIdx.x] = 1;\n    *p = s[0];\n}\nint main() {\n    int* d;\n"
                               "    cudaMalloc(&d, 4);\n    k<<<1, 32>>>(d);\n    std::puts(\"done\");\n}\n")},
        progress);
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().problem.what,
                testing::AllOf(testing::HasSubstr(": k: a block needs 80,000 bytes of shared memory"),
                               testing::EndsWith("; a larger array is dynamic: extern __shared__; it printed "
                                                 "\"done\"")));
    EXPECT_EQ(answer.error().problem.where.line, 10U);
}

TEST_F(FailedLaunches, AWaitForWhatTheHostMayWriteWhileTheKernelRunsIsNoFinding) {
    const ScratchFolder folder;
    const auto run =
        run_of({.program = folder.add(
                    "polls.cu",
                    "__global__ void k(volatile int* flag) { while (*flag == 0) {} }\nint main() {\n"
                    "    int* flag; cudaMallocHost(&flag, 4); *flag = 0;\n    k<<<1, 1>>>(flag);\n"
                    "    *flag = 1; return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 5 : 0;\n}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace().host_end, analysis::unknown_end) << "what host code gets is not known";
    EXPECT_TRUE(std::ranges::none_of(run->trace().findings, [](const trace::Finding& finding) {
        return finding.kind == trace::Finding::Kind::deadlock;
    }));
    EXPECT_THAT(run->trace().notes, testing::Contains(HasSubstr("The host may write there while a kernel runs")));
}

TEST_F(FailedLaunches, ARecursionHasTheStackThatTheProgramSets) {
    const auto source = [](const std::string& limit) {
        return "#include <cstdio>\n"
               "__device__ __noinline__ int total(int n) {\n"
               "    volatile int kept[16];\n"
               "    kept[n % 16] = n;\n"
               "    return n == 0 ? 0 : total(n - 1) + kept[n % 16];\n"
               "}\n"
               "__global__ void deep(int* out) { *out = total(200); }\n"
               "int main() {\n"
               "    int *out, found = 0;\n"
               "    cudaMalloc(&out, 4);\n" +
               limit +
               "    deep<<<1, 1>>>(out);\n"
               "    puts(cudaGetErrorName(cudaMemcpy(&found, out, 4, cudaMemcpyDeviceToHost)));\n"
               "    printf(\"%d\\n\", found);\n"
               "    cudaFree(out);\n"
               "}\n";
    };
    const ScratchFolder folder;
    const auto small = run_of({.program = folder.add("small.cu", source(""))});
    ASSERT_NE(small, nullptr);
    EXPECT_EQ(analysis::printed_by(small->trace()), "cudaErrorIllegalAddress\n0\n") << "as on an H100";
    ASSERT_FALSE(small->trace().findings.empty());
    const trace::Finding& overflow = small->trace().findings.front();
    EXPECT_EQ(overflow.kind, trace::Finding::Kind::stack_overflow);
    EXPECT_THAT(overflow.message,
                testing::AllOf(HasSubstr("a call of total needs a frame of "), HasSubstr("earlier calls"),
                               HasSubstr("cudaDeviceSetLimit(cudaLimitStackSize, bytes)")));

    const auto large =
        run_of({.program = folder.add("large.cu", source("    cudaDeviceSetLimit(cudaLimitStackSize, 48 << 10);\n"))});
    ASSERT_NE(large, nullptr);
    EXPECT_EQ(analysis::printed_by(large->trace()), "cudaSuccess\n20100\n");
    EXPECT_THAT(large->trace().findings, IsEmpty());
    EXPECT_EQ(large->trace().launches.front().stack_bytes, 48U << 10);
}

}  // namespace
}  // namespace lanescope::session
