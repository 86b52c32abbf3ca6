// A program with its main is compiled and runs for real: its own sizes and data, all its launches, and what its host
// code does wrong is told.
#include "session/run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/panels/program_lines.h"
#include "analysis/source/source_line.h"
#include "run_support.h"
#include "session/verdict.h"
#include "session/whole_program.h"

namespace lanescope::session {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WholeProgram : public testing::Test {
  protected:
    void SetUp() override {
        if (const auto problem = cannot_run_programs()) GTEST_SKIP() << problem->message();
    }
};

TEST_F(WholeProgram, MainOfOneLaunchRunsAsItStands) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("total.cu", student_file)});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->kernel, "main");
    EXPECT_EQ(run->block, 64U);
    EXPECT_EQ(run->verdict.ok, std::nullopt) << "there is no CPU reference for it";
    EXPECT_THAT(run->notes, ElementsAre("main() runs, with all its launches.",
                                        testing::StartsWith("Host code: compiled by nvcc and run in a sandbox")));
    EXPECT_THAT(run->trace().origin.source_name, "total.cu") << "a trace knows no folders of this machine";
}

TEST_F(WholeProgram, AMainWithoutALaunchRunsAndIsNotReplacedByAKernelAlone) {
    const Folder folder;
    const std::string kernel = "__global__ void k(int* p) { *p = 1; }\n";
    Progress progress;
    const auto said = run({.program = folder.add("said.cu", "#include <cstdio>\n" + kernel +
                                                                "int main() { printf(\"hi\\n\"); return 3; }\n")},
                          progress);
    ASSERT_FALSE(said);
    EXPECT_THAT(said.error().problem.message(),
                HasSubstr("main ended without a launch (exit status 3); it printed \"hi\""));
    const auto wrong = run({.program = folder.add("wrong.cu", kernel + "int main() { int x = \"a\"; }\n")}, progress);
    ASSERT_FALSE(wrong);
    ASSERT_FALSE(wrong.error().diagnostics.empty());
    EXPECT_EQ(wrong.error().diagnostics.front().line, 2U);
}

TEST_F(WholeProgram, HasTheNameOfItsSource) {
    const Folder folder;
    Progress progress;
    const auto usage = run({.program = folder.add("saxpy.cu",
                                                  "#include <cstdio>\n"
                                                  "__global__ void k(int* p) { *p = 1; }\n"
                                                  "int main(int, char** argv) { printf(\"usage: %s N\", *argv); }\n")},
                           progress);
    ASSERT_FALSE(usage);
    ASSERT_TRUE(usage.error().no_launch);
    EXPECT_EQ(usage.error().no_launch->printed, "usage: ./saxpy N");
}

TEST_F(WholeProgram, ABufferIsNotTakenForTheStructureThatHoldsItsAddress) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("view.cu",
                                                   "struct View { unsigned* bins; };\n"
                                                   "__global__ void k(View view) { view.bins[threadIdx.x] = 1; }\n"
                                                   "int main() {\n"
                                                   "    View view;\n"
                                                   "    cudaMalloc(&view.bins, 40);\n"
                                                   "    k<<<1, 11>>>(view);\n"
                                                   "    cudaDeviceSynchronize();\n"
                                                   "    cudaFree(view.bins);\n"
                                                   "}\n")});
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().findings.size(), 1U);
    EXPECT_EQ(run->trace().findings[0].message,
              "block 0, thread 10 writes view.bins[10], 1 element past the end of view.bins (10 elements)");
}

TEST_F(WholeProgram, AHostPointerInAKernelIsToldAsOne) {
    const Folder folder;
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

TEST_F(WholeProgram, AnAccessFarFromAllMemoryEndsAsOnAGpu) {
    const Folder folder;
    const auto run_at = [&](const std::string& index) {
        return run_of({.program = folder.add("far.cu",
                                             "__global__ void put(int* a, long at) { a[at] = 1; }\n"
                                             "int main() {\n    int* d;\n    cudaMalloc(&d, 400);\n"
                                             "    put<<<1, 1>>>(d, " +
                                                 index +
                                                 ");\n    return cudaDeviceSynchronize() == "
                                                 "cudaErrorIllegalAddress;\n}\n")});
    };
    // Beside an allocation other memory is mapped: a GPU does not see it.
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

TEST_F(WholeProgram, AGridBarrierNeedsACooperativeLaunch) {
    const Folder folder;
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

TEST_F(WholeProgram, ACallThatReturnsTheFailureOfALaunchHasWaitedForIt) {
    const Folder folder;
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

TEST_F(WholeProgram, ARefusedLaunchNamesTheKernelAsTheSourceDoes) {
    const Folder folder;
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

TEST_F(WholeProgram, ACrashOfHostCodeIsAFindingAfterTheErrorThatWasNotChecked) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("crash.cu",
                                                   "__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
                                                   "int main() {\n"
                                                   "    int *d, *volatile h = nullptr;\n"
                                                   "    cudaMalloc(&d, 128);\n"
                                                   "    k<<<1, 32>>>(d);\n"
                                                   "    cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);\n"
                                                   "    return h[3];\n"
                                                   "}\n")});
    ASSERT_NE(run, nullptr);
    const auto& findings = run->trace().findings;
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_THAT(findings[0].message, HasSubstr("cudaErrorInvalidValue"));
    EXPECT_EQ(findings[0].source_line, 6U);
    EXPECT_EQ(findings[1].message, "host code dereferences a null pointer");
    EXPECT_EQ(findings[1].source_line, 7U);
    EXPECT_EQ(run->trace().host_end, "signal 11, Segmentation fault");
}

TEST_F(WholeProgram, AnOverrunOfALocalArrayIsAFinding) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("smashed.cu",
                                                   "__global__ void k(int* a) { a[threadIdx.x] = threadIdx.x; }\n"
                                                   "int main() {\n"
                                                   "    int *d, h[32];\n"
                                                   "    cudaMalloc(&d, 256);\n"
                                                   "    k<<<1, 64>>>(d);\n"
                                                   "    cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);\n"
                                                   "    cudaFree(d);\n"
                                                   "    return h[0];\n"
                                                   "}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace().host_end, "signal 6, Aborted");
    const auto& findings = run->trace().findings;
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].kind, trace::Finding::Kind::out_of_bounds);
    EXPECT_THAT(findings[0].message, HasSubstr("past the end of a local array"));
    EXPECT_EQ(findings[0].source_line, 9U);
}

/// A program that does one of several things between two launches, each in a line of its own.
class HeapProgram {
  public:
    struct Case {
        std::string line, message;
        std::string ends = "exit status 0";
    };
    explicit HeapProgram(const std::vector<Case>& cases) {
        std::string source =
            "#include <malloc.h>\n#include <algorithm>\n#include <cstdio>\n#include <cstring>\n#include <map>\n"
            "#include <memory>\n#include <string>\n#include <thread>\n#include <vector>\n"
            "__global__ void k(int* a) { a[threadIdx.x] = threadIdx.x; }\n"
            "int main(int, char** argv) {\n"
            "    int *d, n = 10;\n"
            "    cudaMalloc(&d, 256); k<<<1, 64>>>(d);\n"
            "    switch (atoi(argv[1])) {\n";
        for (std::size_t i = 0; i < cases.size(); ++i)
            source += fmt::format("        case {}: {{ {} break; }}\n", first_line + i, cases[i].line);
        path_ = folder_.add("host.cu", source + "    }\n    k<<<1, 64>>>(d);\n    cudaFree(d);\n}\n");
    }
    [[nodiscard]] std::shared_ptr<const Run> run(std::size_t number) const {
        return run_of({.program = path_, .command_line = {std::to_string(first_line + number)}});
    }
    static constexpr unsigned first_line = 15;

  private:
    Folder folder_;
    std::string path_;
};

TEST_F(WholeProgram, AnOverrunOfTheHeapIsAFindingAtItsAllocation) {
    const std::vector<HeapProgram::Case> cases{
        {"int* h = (int*)malloc(n * sizeof(int)); for (int i = 0; i <= n; ++i) h[i] = i; free(h);",
         "past the end of a heap block of 40 bytes that this line allocates: 4 bytes after it are overwritten, noticed "
         "when it is freed. --sanitize finds the line that writes"},
        {"float* h = new float[n]; h[n] = 1;", "4 bytes after it are overwritten, noticed before the call in line 23"},
        {"static std::vector<double> v(n); for (int i = 0; i <= n; ++i) v[i] = i;",
         "heap block of 80 bytes that this line allocates: 8 bytes after"},
        {"char* s = strdup(\"hello\"); s[6] = 'x'; free(s);", "heap block of 6 bytes that this line allocates: 1 byte"},
        {"int* h = (int*)realloc(malloc(8), 1200); cudaMemcpy(h + 290, d, 44, cudaMemcpyDefault);",
         "heap block of 1,200 bytes that this line allocates: 4 bytes after it are overwritten, noticed before"},
        {"int* h = (int*)calloc(n, 4); for (int i = -1; i < n; ++i) h[i] = i; free(h);",
         "before the beginning of a heap block of 40 bytes that this line allocates: 4 bytes before it are"},
        {"int* h = (int*)malloc(64); int* g = (int*)malloc(64); for (int i = 0; i < 60; ++i) h[i] = i; free(g);",
         "past the end of a heap block of 64 bytes that this line allocates: at least 64 bytes after it",
         "signal 6, Aborted"},
    };
    const HeapProgram program(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto run = program.run(i);
        ASSERT_NE(run, nullptr);
        const auto& findings = run->trace().findings;
        EXPECT_EQ(run->trace().host_end, cases[i].ends) << cases[i].line;
        ASSERT_EQ(findings.size(), 1U) << cases[i].line;
        EXPECT_EQ(findings[0].kind, trace::Finding::Kind::out_of_bounds);
        EXPECT_EQ(findings[0].source_line, HeapProgram::first_line + i);
        EXPECT_THAT(findings[0].message, HasSubstr(cases[i].message));
    }
}

TEST_F(WholeProgram, AFreeThatCannotBeIsAFindingAtItsLine) {
    const std::vector<HeapProgram::Case> cases{
        {"int* h = new int[n]; delete[] h; delete[] h;", "host code frees a heap block of 40 bytes twice"},
        {"int* h = (int*)malloc(64); free(h + 1);", "it is within a heap block"},
        {"int h[4]; free(h);", "it is a local variable's"},
        {"static int h[4]; free(h);", "it is a variable's"},
    };
    const HeapProgram program(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto run = program.run(i);
        ASSERT_NE(run, nullptr);
        const auto& findings = run->trace().findings;
        EXPECT_EQ(run->trace().host_end, "signal 6, Aborted");
        ASSERT_EQ(findings.size(), 1U) << cases[i].line;
        EXPECT_EQ(findings[0].kind, i == 0 ? trace::Finding::Kind::double_free : trace::Finding::Kind::invalid_free);
        EXPECT_EQ(findings[0].source_line, HeapProgram::first_line + i);
        EXPECT_THAT(findings[0].message, HasSubstr(cases[i].message));
    }
}

TEST_F(WholeProgram, HostCodeWithinItsHeapIsNotAccused) {
    const std::vector<HeapProgram::Case> cases{{R"(
    struct alignas(128) Wide { char bytes[200]; };
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([t] {
            for (int i = 0; i < 3000; ++i) {
                char* p = (char*)malloc(i % 99);
                p = (char*)realloc(p, i + 1);
                memset(p, t, i + 1);
                p = (char*)reallocarray(p, 2, i + 1);
                memset(p, t, 2 * (i + 1));
                free(p);
                void* q = nullptr;
                if (posix_memalign(&q, 64, 100) != 0 || (size_t)q % 64 != 0) abort();
                memset(q, t, 100);
                free(realloc(q, 300));
                if ((size_t)std::make_unique<Wide>().get() % 128 != 0) abort();
                char* z = (char*)calloc(1 + i % 50, 10);
                if (std::any_of(z, z + 10 * (1 + i % 50), [](char c) { return c != 0; })) abort();
                memset(z, 1, malloc_usable_size(z));
                free(z);
            }
        });
    for (std::thread& thread : threads) thread.join();
    std::map<int, std::string> texts;
    for (int i = 0; i < 20000; ++i) texts[i] = "a text that a string keeps on the heap " + std::to_string(i);
    try {
        delete[] new char[~0ull >> 2];
        abort();
    } catch (const std::bad_alloc&) {
    }
    void* volatile none = malloc(~0ull - 10);
    if (none != nullptr) abort();
    free(malloc(0)), free(nullptr), delete[] new int[0];
    char* line = nullptr;
    size_t length = 0;
    FILE* own = fopen("host.cu", "r");
    while (own != nullptr && getline(&line, &length, own) > 0) n += line[0];
    if (own != nullptr) fclose(own);
    free(line);)",
                                                {}}};
    const HeapProgram program(cases);
    const auto run = program.run(0);
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace().host_end, "exit status 0");
    EXPECT_THAT(run->trace().findings, IsEmpty());
}

TEST_F(WholeProgram, PrintedTextThatNothingWaitsForIsToldOf) {
    const Folder folder;
    const auto run_with = [&](const std::string& after) {
        return run_of({.program = folder.add("hello.cu",
                                             "#include <cstdio>\n"
                                             "__global__ void hello(int* a) { printf(\"hello\\n\"); }\n"
                                             "int main() {\n    int* a;\n    cudaMalloc(&a, 4);\n"
                                             "    hello<<<1, 1>>>(a);\n    " +
                                                 after + "\n    return 0;\n}\n")});
    };
    const auto kinds = [](const session::Run& run) {
        std::vector<trace::Finding::Kind> found;
        for (const trace::Finding& finding : run.trace().findings) found.push_back(finding.kind);
        return found;
    };
    using Kind = trace::Finding::Kind;
    EXPECT_THAT(kinds(*run_with("")), ElementsAre(Kind::leak, Kind::missing_synchronization));
    EXPECT_THAT(kinds(*run_with("cudaFree(a);")), IsEmpty());
    EXPECT_THAT(kinds(*run_with("cudaDeviceSynchronize(); cudaFree(a);")), IsEmpty());
}

TEST_F(WholeProgram, APitchedFillLeavesItsGapsUninitialized) {
    const Folder folder;
    const auto run =
        run_of({.program = folder.add("pitch.cu",
                                      "__global__ void sum(const int* a, size_t pitch, int* out) {\n"
                                      "    const int* row = (const int*)((const char*)a + threadIdx.x * pitch);\n"
                                      "    out[threadIdx.x] = row[0] + row[9] + row[10];\n"
                                      "}\n"
                                      "int main() {\n    int *a, *out;\n    size_t pitch;\n"
                                      "    cudaMallocPitch(&a, &pitch, 40, 4);\n    cudaMalloc(&out, 16);\n"
                                      "    cudaMemset2D(a, pitch, 0, 40, 4);\n    sum<<<1, 4>>>(a, pitch, out);\n"
                                      "    cudaDeviceSynchronize();\n    cudaFree(a);\n    cudaFree(out);\n}\n")});
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().findings.size(), 1U);
    EXPECT_EQ(run->trace().findings[0].kind, trace::Finding::Kind::uninitialized_read);
    EXPECT_EQ(run->trace().findings[0].count, 4U) << "the column past the end of each of the four rows";
    const auto filled = std::ranges::find(run->trace().host_steps, "fill", &trace::HostStep::text);
    ASSERT_NE(filled, run->trace().host_steps.end());
    EXPECT_EQ(filled->bytes, 160U);
}

TEST_F(WholeProgram, ACopyOfWhatNothingHasWrittenIsAFinding) {
    const Folder folder;
    const auto run = run_of(
        {.program = folder.add("lost.cu",
                               "#include <cuda_runtime.h>\n"
                               "__global__ void put(int* a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 1; }\n"
                               "int main() {\n"
                               "    int *a, *b, *part, h[32];\n"
                               "    cudaMalloc(&a, 128), cudaMalloc(&b, 128), cudaMalloc(&part, 128);\n"
                               "    put<<<1, 32>>>(a, 32);\n"
                               "    put<<<1, 32>>>(part, 16);\n"
                               "    cudaMemcpy(h, a, 128, cudaMemcpyDeviceToHost);\n"
                               "    cudaMemcpy(h, part, 128, cudaMemcpyDeviceToHost);\n"
                               "    cudaMemcpy(h, b, 128, cudaMemcpyDeviceToHost);\n"
                               "    cudaMemcpy(h, part + 16, 64, cudaMemcpyDeviceToHost);\n"
                               "    cudaFree(a), cudaFree(b), cudaFree(part);\n"
                               "}\n")});
    ASSERT_NE(run, nullptr);
    for (const trace::Finding& finding : run->trace().findings)
        EXPECT_EQ(finding.kind, trace::Finding::Kind::uninitialized_read);
    EXPECT_THAT(findings_by_line(*run),
                ElementsAre("10: the copy from b reads 128 bytes, none of which has been written",
                            "11: the copy from part reads 64 bytes, none of which has been written"));
}

TEST_F(WholeProgram, FilesThatItWritesAndASecondFreeAreToldOf) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("files.cu",
                                                   "#include <cstdio>\n"
                                                   "__global__ void put(int* a) { *a = 1; }\n"
                                                   "int main() {\n"
                                                   "    int* a;\n"
                                                   "    cudaMalloc(&a, 4);\n"
                                                   "    put<<<1, 1>>>(a);\n"
                                                   "    FILE* file = fopen(\"out.txt\", \"w\");\n"
                                                   "    fputs(\"four\", file);\n"
                                                   "    fclose(file);\n"
                                                   "    cudaFree(a);\n"
                                                   "    cudaFree(a);\n"
                                                   "}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(run->notes,
                Contains("The program wrote out.txt (4 bytes) into a copy of its folder, which is deleted."));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "out.txt"));
    ASSERT_EQ(run->trace().findings.size(), 1U);
    EXPECT_EQ(run->trace().findings[0].message, "double free: a was freed in line 10");
}

TEST_F(WholeProgram, WhatIsLeftOnTheHeapOfTheDeviceIsALeak) {
    const Folder folder;
    const auto run = run_of(
        {.program = folder.add("heap.cu",
                               "__global__ void make(int** p) { p[threadIdx.x] = new int[2]; }\n"
                               "__global__ void drop(int** p) {\n    if (threadIdx.x % 4) delete[] p[threadIdx.x];\n}\n"
                               "int main() {\n    int** p;\n    cudaMalloc(&p, 256);\n    make<<<1, 32>>>(p);\n"
                               "    drop<<<1, 32>>>(p);\n    cudaDeviceSynchronize();\n    cudaFree(p);\n}\n")});
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().findings.size(), 1U);
    EXPECT_EQ(run->trace().findings[0].kind, trace::Finding::Kind::leak);
    EXPECT_EQ(run->trace().findings[0].source_line, 1U);
    EXPECT_EQ(
        run->trace().findings[0].message,
        "8 pieces of 64 bytes in all on the device's heap are never freed; block 0, thread 0 allocated one of them");
}

TEST_F(WholeProgram, WhatMainComputesIsNotGuessed) {
    const Folder folder;
    const std::string source =
        "#include <cstdlib>\n__global__ void every(const int* in, int* out, int count, int step) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < count) out[i] = in[i * step];\n"
        "}\n"
        "int main(int argc, char** argv) {\n"
        "    int n = argc > 1 ? atoi(argv[1]) : 40, step = 4;\n"
        "    int count = n / step, *in, *out;\n"
        "    int* h = (int*)malloc(n * sizeof(int));\n"
        "    for (int i = 0; i < n; ++i) h[i] = i;\n"
        "    cudaMalloc(&in, n * sizeof(int)); cudaMalloc(&out, count * sizeof(int));\n"
        "    cudaMemcpy(in, h, n * sizeof(int), cudaMemcpyHostToDevice);\n"
        "    every<<<(count + 31) / 32, 32>>>(in, out, count, step);\n"
        "    cudaFree(in); cudaFree(out); free(h);\n"
        "}\n";
    const auto run = run_of({.program = folder.add("every.cu", source)});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(run->trace().findings, IsEmpty());
    const trace::Buffer& out = run->trace().buffers.back();
    ASSERT_EQ(out.bytes, 40U);
    EXPECT_EQ(trace::bits_at(out.element, out.final, 9), 36U);
}

TEST_F(WholeProgram, WhoseOnlyLaunchCannotBeMadeIsRefusedWithTheReason) {
    const Folder folder;
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
    EXPECT_EQ(checked.no_launch->printed, "invalid configuration argument\n");
    const auto error = std::ranges::find(checked.diagnostics, Severity::error, &compile::Diagnostic::severity);
    ASSERT_NE(error, checked.diagnostics.end());
    EXPECT_THAT(error->text, testing::StartsWith("invalid-launch: k: "));
    EXPECT_EQ(error->line, 4U);
}

TEST_F(WholeProgram, SizesThatNoMemoryHasAreRefusedBeforeTheyWrapAround) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("sizes.cu", R"(#include <cstdio>
__constant__ int table[4];
__global__ void k(char* p) { p[threadIdx.x] = char(table[0]); }
int main() {
    const size_t huge = size_t(1) << 53;
    char *d, *next, *p;
    size_t pitch;
    cudaMalloc(&d, 4096);
    cudaMalloc(&next, 1 << 20);
    k<<<1, 4>>>(d);
    auto told = [](cudaError_t error) { printf("%s\n", cudaGetErrorName(error)); };
    told(cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 32), 0, make_cudaExtent(64, 32, 2)));
    told(cudaMemset2D(d, 2048, 0, 16, huge));
    told(cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 32), 0, make_cudaExtent(16, 2, huge)));
    told(cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 64), 0, make_cudaExtent(64, 64, 2)));
    cudaMemcpy3DParms slices = {};
    slices.dstPtr = make_cudaPitchedPtr(d, 64, 64, 512);
    slices.srcPtr = make_cudaPitchedPtr(next, 64, 64, 64);
    slices.extent = make_cudaExtent(64, 8, 3);
    slices.kind = cudaMemcpyDeviceToDevice;
    told(cudaMemcpy3D(&slices));
    slices.extent.depth = huge;
    told(cudaMemcpy3D(&slices));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = d;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = 4;
    resource.res.pitch2D.height = 65;
    resource.res.pitch2D.pitchInBytes = size_t(1) << 58;
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    told(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    told(cudaMallocPitch(&p, &pitch, huge, huge));
    cudaPitchedPtr all;
    told(cudaMalloc3D(&all, make_cudaExtent(huge, huge, 4)));
    told(cudaMemcpyToSymbol(table, d, 8, ~size_t(0) - 3, cudaMemcpyDeviceToDevice));
    cudaArray_t array;
    const cudaChannelFormatDesc words = cudaCreateChannelDesc<int>();
    told(cudaMallocArray(&array, &words, 131073, 1));
    told(cudaMallocArray(&array, &words, 16, 4));
    told(cudaMemcpy2DToArray(array, 0, 0, d, 64, 64, 4, cudaMemcpyDeviceToDevice));
    told(cudaMemcpy2DToArray(array, 4, 0, d, 64, 64, 4, cudaMemcpyDeviceToDevice));
    told(cudaMemcpy2DToArray(array, 0, 1, d, 64, 64, huge, cudaMemcpyDeviceToDevice));
}
)")});
    ASSERT_NE(run, nullptr);
    const std::string wrong = "cudaErrorInvalidValue\n", none = "cudaErrorMemoryAllocation\n", good = "cudaSuccess\n";
    EXPECT_EQ(analysis::printed_by(run->trace()), good + wrong + wrong + wrong + wrong + wrong + wrong + none + none +
                                                      wrong + wrong + good + good + wrong + wrong);
    EXPECT_EQ(run->trace().host_end, trace::successful_exit);
}

TEST_F(WholeProgram, MainAsksBeforeALaunchHasMoreThan48KilobytesOfSharedMemory) {
    const Folder folder;
    const auto run = run_of(
        {.program = folder.add("asked.cu",
                               "template <int N> __global__ void k(int* p) { extern __shared__ int s[]; s[0] = N; "
                               "p[0] = s[0]; }\nint main() { int* d; cudaMalloc(&d, 4);\n"
                               "cudaFuncSetAttribute(k<3>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);\n"
                               "k<3><<<1, 1, 60000>>>(d); cudaFree(d); }\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(run->trace().findings, IsEmpty());
}

TEST_F(WholeProgram, ALaunchThatCannotBeIsAFaultOfTheHostAndTheOthersRun) {
    struct Wrong {
        std::string launch, message;
    };
    const Folder folder;
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
        const auto run = run_of({.program = folder.add("one.cu", begin + launch + end)});
        ASSERT_NE(run, nullptr) << launch;
        EXPECT_EQ(run->trace().launches.size(), 2U) << launch;
        const std::vector<trace::Finding>& findings = run->trace().findings;
        ASSERT_EQ(findings.size(), 2U) << launch;
        EXPECT_EQ(findings[0].kind, trace::Finding::Kind::double_free) << "all else is found";
        // That nothing looked at it is known when the program ends.
        EXPECT_EQ(findings[1].kind, trace::Finding::Kind::invalid_launch);
        EXPECT_THAT(findings[1].message, HasSubstr(message)) << launch;
        EXPECT_EQ(findings[1].source_line, 5U);
        EXPECT_EQ(trace::bits_at(trace::Element::s32, run->trace().buffers[0].final, 0), 6U)
            << "what the host wrote before " << launch;
    }
}

TEST_F(WholeProgram, WhatTheHostReadsAfterALaunchThatCannotBeIsAsItWasBefore) {
    const Folder folder;
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

TEST_F(WholeProgram, AKernelThatCannotBeExecutedIsNotCalledAnInvalidConfiguration) {
    const Folder folder;
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

// A copy on the device does not say what it reads, so nothing that it may have read is called waste.
TEST_F(WholeProgram, WhatACopyOnTheDeviceMayReadIsNotCalledWaste) {
    for (const char* copy : {"cudaMemcpy(kept, sums, 128, cudaMemcpyDeviceToDevice);", ""}) {
        const Folder folder;
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
        const bool copied = *copy != '\0';
        EXPECT_EQ(run->analysis->useful_lanes.has_value(), !copied);
        EXPECT_EQ(run->analysis->work.value_or(32), copied ? 32 : 0);
    }
}

TEST_F(WholeProgram, AFolderOpensAsTheProgramOfItsMainWithAllItsSources) {
    const Folder folder;
    folder.add("kernels.cuh",
               "#pragma once\n__global__ void fill(int* p, int x) {\n    p[threadIdx.x] = x;\n}\nvoid launch(int* p, "
               "int x);\n");
    folder.add("launch.cu", "#include \"kernels.cuh\"\nvoid launch(int* p, int x) { fill<<<1, 32>>>(p, x); }\n");
    folder.add("main.cpp",
               "#include <cuda_runtime.h>\nvoid launch(int* p, int x);\n"
               "int main() {\n    int* d;\n    cudaMalloc(&d, 128);\n    launch(d, 7);\n"
               "    cudaFree(d);\n    return 3;\n}\n");
    const auto run = run_of({.program = folder.path().string()});
    ASSERT_NE(run, nullptr);
    const trace::Origin& origin = run->trace().origin;
    EXPECT_EQ(origin.source_name, "kernels.cuh") << "the file that the kernel's lines are of";
    EXPECT_THAT(origin.source, HasSubstr("p[threadIdx.x] = x"));
    std::vector<std::string> others;
    others.reserve(origin.other_sources.size());
    for (const trace::SourceText& source : origin.other_sources) others.push_back(source.name);
    EXPECT_THAT(others, testing::UnorderedElementsAre("main.cpp", "launch.cu"));
    const auto allocation =
        std::ranges::find(run->trace().host_steps, trace::HostStep::Kind::allocate, &trace::HostStep::kind);
    ASSERT_NE(allocation, run->trace().host_steps.end());
    EXPECT_EQ(allocation->source_file, "main.cpp");
    EXPECT_EQ(allocation->source_line, 5U);
    EXPECT_EQ(run->trace().host_end, "exit status 3");
}

TEST_F(WholeProgram, AFolderThatIsOpenedIsWhereItsProgramRunsAndHasAllItsKernels) {
    const Folder folder;
    std::filesystem::create_directories(folder.path() / "app");
    std::filesystem::create_directories(folder.path() / "gpu");
    folder.add("numbers.txt", "41\n");
    folder.add("gpu/fill.cu",
               "__global__ void fill(int* p, int x) {\n    p[threadIdx.x] = x;\n}\n"
               "void launch(int* p, int x) {\n    fill<<<1, 32>>>(p, x);\n}\n");
    folder.add("app/main.cu",
               "#include <cstdio>\nvoid launch(int* p, int x);\n__global__ void add(int* p) { p[threadIdx.x] += 1; }\n"
               "int main() {\n    int *d, x = 0;\n    FILE* file = fopen(\"numbers.txt\", \"r\");\n"
               "    if (file != nullptr) fscanf(file, \"%d\", &x), fclose(file);\n"
               "    cudaMalloc(&d, 128);\n    launch(d, x);\n    add<<<1, 32>>>(d);\n"
               "    cudaMemcpy(&x, d, 4, cudaMemcpyDeviceToHost);\n    cudaFree(d);\n    return x;\n}\n");
    const auto run = run_of({.program = folder.path().string()});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace().host_end, "exit status 42");
    EXPECT_THAT(run->notes, Contains(HasSubstr("in a copy of the folder " + folder.path().string())));
    const auto launch =
        std::ranges::find(run->trace().host_steps, trace::HostStep::Kind::launch, &trace::HostStep::kind);
    ASSERT_NE(launch, run->trace().host_steps.end());
    EXPECT_EQ(launch->source_line, 5U);
    const ptx::Function* const fill = run->module().find(run->trace().launches.front().kernel);
    ASSERT_NE(fill, nullptr);
    EXPECT_EQ(analysis::file_of(run->module(), *fill), "../gpu/fill.cu");
    EXPECT_THAT(run->trace().origin.other_sources,
                Contains(testing::Field(&trace::SourceText::name, "../gpu/fill.cu")));
    ASSERT_EQ(run->other_kernels.size(), 1U);
    EXPECT_EQ(run->other_kernels[0].name, "fill");

    const auto alone = run_of({.program = folder.path().string(), .kernel = "fill"});
    ASSERT_NE(alone, nullptr);
    EXPECT_EQ(alone->kernel, "fill");
    EXPECT_EQ(alone->trace().origin.source_name, "fill.cu");
    EXPECT_THAT(alone->other_kernels, Contains(testing::Field(&OtherKernel::name, "add")));

    EXPECT_EQ(refusal_of({.program = folder.path().string(), .working_folder = "/nowhere"}).field, "working-folder");
}

TEST_F(WholeProgram, AFolderWithoutAMainOrWithSeveralIsRefused) {
    const Folder folder;
    folder.add("one.cu", "__global__ void k() {}\n");
    const std::string path = folder.path().string();
    EXPECT_THAT(refusal_of({.program = path}).problem.what, HasSubstr("no source"));
    folder.add("a.cu", "int main() {}\n");
    folder.add("b.cu", "int main() {}\n");
    EXPECT_THAT(refusal_of({.program = path}).problem.what, HasSubstr("several sources"));
}

TEST_F(WholeProgram, AMainWhoseKernelsStandInAHeaderRuns) {
    const Folder folder;
    folder.add("work.cuh",
               "__global__ void twice(int* p) { *p *= 2; }\ninline void run(int* p) { twice<<<1, 1>>>(p); }\n");
    const std::string main = folder.add("main.cu",
                                        "#include \"work.cuh\"\nint main() {\n    int* d;\n"
                                        "    cudaMalloc(&d, 4);\n    cudaMemset(d, 1, 4);\n    run(d);\n"
                                        "    cudaFree(d);\n}\n");
    const auto run = run_of({.program = main});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace().launches.size(), 1U);
    EXPECT_EQ(run->trace().origin.source_name, "work.cuh");
    EXPECT_EQ(refusal_of({.program = main, .kernel = "main", .n = 4}).field, "n") << "no kernel could run alone";
}

TEST_F(WholeProgram, AsCompiledItsParametersHaveTheNamesOfTheSource) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("named.cu",
                                                   "__global__ void fill(float* values, int count) {\n"
                                                   "    if (threadIdx.x < count) values[threadIdx.x] = 2.5f;\n}\n"
                                                   "int main() { float* d; cudaMalloc(&d, 64); fill<<<1, 16>>>(d, 16); "
                                                   "cudaFree(d); }\n"),
                             .view = trace::View::compiled});
    ASSERT_NE(run, nullptr);
    const std::vector<trace::Argument>& arguments = run->trace().launches.front().arguments;
    ASSERT_EQ(arguments.size(), 2U);
    EXPECT_EQ(arguments[0].name, "values");
    EXPECT_EQ(arguments[1].name, "count");
    EXPECT_EQ(arguments[1].type, "int");
}

TEST_F(WholeProgram, OfAFileRunsWithTheElementTypeThatIsAskedFor) {
    const Program* const program = find_program("scan/three-launches");
    ASSERT_NE(program, nullptr);
    const Folder folder;
    folder.add("three.md", program->source.lesson);
    const auto run = run_of({.program = folder.add("three.cu", program->source.text),
                             .kernel = "scan<float>",
                             .n = 8,
                             .block = 4,
                             .input = "0.5 0.25 1.5 2 0.5 0.5 0.125 1"});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->verdict.element, trace::Element::f32);
    EXPECT_EQ(run->verdict.ok, true);
    EXPECT_THAT(run->verdict.actual, testing::Contains("2.25"));
}

TEST_F(WholeProgram, AddressSanitizerFindsAnOverrunOfHostMemory) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("over.cu",
                                                   "__global__ void k(int* p) { *p = 1; }\nint main() {\n"
                                                   "    int* d;\n    cudaMalloc(&d, 4);\n    k<<<1, 1>>>(d);\n"
                                                   "    int* h = new int[4];\n    h[4] = 1;\n    delete[] h;\n"
                                                   "    cudaFree(d);\n}\n"),
                             .sanitize = true});
    ASSERT_NE(run, nullptr);
    const auto found =
        std::ranges::find(run->trace().findings, trace::Finding::Kind::out_of_bounds, &trace::Finding::kind);
    ASSERT_NE(found, run->trace().findings.end());
    EXPECT_EQ(found->source_line, 7U);
}

TEST_F(WholeProgram, EveryErrorThatNothingLooksAtIsToldOnceALine) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("careless.cu",
                                                   "__global__ void k(int* p) { *p = 1; }\nint main() {\n    int* d;\n"
                                                   "    cudaMalloc(&d, 4);\n    k<<<1, 1>>>(d);\n"
                                                   "    for (int i = 0; i < 5; ++i)\n        cudaSetDevice(5);\n"
                                                   "    cudaSetDevice(7);\n    cudaFree(d);\n}\n")});
    ASSERT_NE(run, nullptr);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> told;
    for (const trace::Finding& finding : run->trace().findings)
        if (finding.kind == trace::Finding::Kind::unchecked_error)
            told.emplace_back(finding.source_line, finding.count);
    EXPECT_THAT(told, testing::UnorderedElementsAre(testing::Pair(7U, 5U), testing::Pair(8U, 1U)));
}

/// compute-sanitizer's memcheck: --leak-check is off unless it is asked for, so a leak changes no exit status.
TEST_F(WholeProgram, ALeakIsAFindingAndChangesNoExitStatus) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("leak.cu",
                                                   "__global__ void k(int* p) { *p = 1; }\nint main() {\n    int* d;\n"
                                                   "    cudaMalloc(&d, 4);\n    k<<<1, 1>>>(d);\n}\n")});
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().findings.size(), 1U);
    EXPECT_EQ(run->trace().findings.front().kind, trace::Finding::Kind::leak);
    EXPECT_EQ(run->trace().findings.front().source_line, 4U);
    EXPECT_EQ(first_fault(run->trace()), nullptr);
}

/// After it cudaFree fails, too, as every call does.
TEST_F(WholeProgram, WhatIsNotFreedAfterALaunchThatFailedIsNoLeak) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("trap.cu",
                                                   "__global__ void k(int* p) { *p = 1; __trap(); }\nint main() {\n"
                                                   "    int* d;\n    cudaMalloc(&d, 4);\n    k<<<1, 1>>>(d);\n"
                                                   "    cudaDeviceSynchronize();\n    cudaFree(d);\n}\n")});
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().findings.size(), 1U);
    EXPECT_EQ(run->trace().findings.front().kind, trace::Finding::Kind::trap);
}

/// Two variants are often launched one after the other on the same buffers.
TEST_F(WholeProgram, ALaunchWhoseResultsTheNextOverwritesIsAsUsefulAsTheNext) {
    const Folder folder;
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

TEST_F(WholeProgram, AStaticArrayThatIsTooLargeShouldBeDynamic) {
    const Folder folder;
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

TEST_F(WholeProgram, TheFirstLaunchIsShownWhileTheRestRunsAndWhatWasStoppedIsKept) {
    const Folder folder;
    Progress progress;
    std::shared_ptr<const session::Run> early;
    const std::string file = folder.add("slow.cu",
                                        "__global__ void k(int* p) { p[threadIdx.x] += 1; }\nint main() {\n"
                                        "    int* d;\n    cudaMalloc(&d, 128);\n"
                                        "    while (true) k<<<8, 32>>>(d);\n}\n");
    const auto answer =
        session::run({.program = file}, progress, [&](const std::shared_ptr<const session::Run>& first) {
            early = first;
            progress.cancel();
        });
    ASSERT_NE(early, nullptr);
    EXPECT_TRUE(early->trace().running);
    ASSERT_EQ(early->trace().launches.size(), 1U);
    EXPECT_FALSE(early->trace().launches.front().recorded.empty());
    EXPECT_EQ(early->verdict.ok, std::nullopt);
    ASSERT_TRUE(answer) << answer.error().problem.message();
    EXPECT_TRUE((*answer)->trace().cancelled);
    EXPECT_FALSE((*answer)->trace().running);
    EXPECT_GT((*answer)->trace().launches.size(), 1U);
    for (std::size_t i = 0; i + 1 < (*answer)->trace().launches.size(); ++i)
        EXPECT_FALSE((*answer)->trace().launches[i].recorded.empty()) << "launch " << i;
}

TEST_F(WholeProgram, AWaitForWhatTheHostMayWriteWhileTheKernelRunsIsNoFinding) {
    const Folder folder;
    const auto run =
        run_of({.program = folder.add(
                    "polls.cu",
                    "__global__ void k(volatile int* flag) { while (*flag == 0) {} }\nint main() {\n"
                    "    int* flag; cudaMallocHost(&flag, 4); *flag = 0;\n    k<<<1, 1>>>(flag);\n"
                    "    *flag = 1; return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 5 : 0;\n}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace().host_end, "exit status 5");
    EXPECT_TRUE(std::ranges::none_of(run->trace().findings, [](const trace::Finding& finding) {
        return finding.kind == trace::Finding::Kind::deadlock;
    }));
    EXPECT_THAT(run->trace().notes, testing::Contains(HasSubstr("The host may write there while a kernel runs")));
}

TEST_F(WholeProgram, TemplateArgumentsThatALaunchLeavesOutAreToldByWhatItPasses) {
    const Folder folder;
    const auto run = run_of(
        {.program = folder.add("partly.cu",
                               "template <int N, typename T, int M = 2> __global__ void fill(T* p) { *p = N * M; }\n"
                               "int main() { float* d; cudaMalloc(&d, 4); fill<5><<<1, 1>>>(d); }\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(trace::bits_at(trace::Element::f32, run->trace().buffers[0].final, 0), 0x41200000U) << "10";
}

TEST_F(WholeProgram, AKernelIsLaunchedFromItsOwnNamespace) {
    const Folder folder;
    const auto run =
        run_of({.program = folder.add(
                    "layer.cu",
                    "namespace nets {\n__global__ void fill(int* p, int x) { p[threadIdx.x] = x; }\n"
                    "struct Layer { int* d; Layer() { cudaMalloc(&d, 16); } void go() { fill<<<1, 4>>>(d, 7); } };\n"
                    "}\nint main() { nets::Layer layer; layer.go(); }\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(trace::bits_at(trace::Element::s32, run->trace().buffers[0].final, 3), 7U);
}

TEST_F(WholeProgram, AnotherLaunchThanMainsShowsTheKernelAloneAndSaysWhatWasGuessed) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("total.cu", student_file), .n = 30, .block = 32});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->kernel, "total");
    EXPECT_EQ(run->block, 32U);
    EXPECT_EQ(run->n, 30U);
    EXPECT_THAT(run->notes, Contains(testing::StartsWith("Guessed from the parameters: x = input(n), y = zeros(")));
    EXPECT_THAT(run->notes,
                Contains("main() does not run, because the block and n are specified: total runs alone, with "
                         "guessed arguments."));
}

TEST_F(WholeProgram, LinesThatSayNothingOfTheLaunchLeaveMainToRun) {
    const Folder folder;
    for (const char* const line : {"// lanescope: title = My sum\n", "// lanescope: arch = 80\n"}) {
        const auto run = run_of({.program = folder.add("total.cu", line + student_file)});
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(run->kernel, "main") << line;
        EXPECT_THAT(run->notes, Contains("main() runs, with all its launches.")) << line;
        EXPECT_EQ(run_of({.program = folder.add("total.cu", line + student_file), .n = 30})->kernel, "total") << line;
    }
    for (const std::string line : {"block = 32", "grid = 2", "arg len = 3", "n = 30", "kernel = total"}) {
        const auto run = run_of({.program = folder.add("said.cu", "\n// lanescope: " + line + "\n" + student_file)});
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(run->kernel, "total") << line;
        EXPECT_THAT(run->notes,
                    Contains(testing::MatchesRegex("main\\(\\) does not run, because the comment in line 2 "
                                                   "\\(lanescope: [a-z]+\\) describes the launch of total.")))
            << line;
    }
}

TEST_F(WholeProgram, ARecursionHasTheStackThatTheProgramSets) {
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
    const auto printed_by = [](const session::Run& run) {
        std::string printed;
        for (const trace::HostStep& step : run.trace().host_steps)
            if (step.kind == trace::HostStep::Kind::print) printed += step.text;
        return printed;
    };
    const Folder folder;
    const auto small = run_of({.program = folder.add("small.cu", source(""))});
    ASSERT_NE(small, nullptr);
    EXPECT_EQ(printed_by(*small), "cudaErrorIllegalAddress\n0\n") << "as on an H100";
    ASSERT_FALSE(small->trace().findings.empty());
    const trace::Finding& overflow = small->trace().findings.front();
    EXPECT_EQ(overflow.kind, trace::Finding::Kind::stack_overflow);
    EXPECT_THAT(overflow.message,
                testing::AllOf(HasSubstr("a call of total needs a frame of "), HasSubstr("earlier calls"),
                               HasSubstr("cudaDeviceSetLimit(cudaLimitStackSize, bytes)")));

    const auto large =
        run_of({.program = folder.add("large.cu", source("    cudaDeviceSetLimit(cudaLimitStackSize, 48 << 10);\n"))});
    ASSERT_NE(large, nullptr);
    EXPECT_EQ(printed_by(*large), "cudaSuccess\n20100\n");
    EXPECT_THAT(large->trace().findings, IsEmpty());
    EXPECT_EQ(large->trace().launches.front().stack_bytes, 48U << 10);
}

TEST_F(WholeProgram, ALoopOfMainEndsWhenAKernelLeavesItsFlagAlone) {
    const Folder folder;
    const std::string kernel =
        "__global__ void step(int* p, int* done) { int i = threadIdx.x; if (p[i] < 5) { p[i] += i + 1; *done = 0; } }\n"
        "int main() {\n    int *d, *flag, done, rounds = 0;\n    cudaMalloc(&d, 16); cudaMalloc(&flag, 4); "
        "cudaMemset(d, 0, 16);\n";
    const std::string loop =
        "    do {\n        done = 1; cudaMemcpy(flag, &done, 4, cudaMemcpyHostToDevice);\n"
        "        step<<<1, 4>>>(d, flag); ++rounds;\n"
        "        cudaMemcpy(&done, flag, 4, cudaMemcpyDeviceToHost);\n    } while (!done);\n}\n";
    const auto run = run_of({.program = folder.add("until.cu", kernel + loop)});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->kernel, "main");
    EXPECT_EQ(run->trace().launches.size(), 6U) << "thread 0 adds one five times, and then there is nothing to do";
    EXPECT_EQ(trace::bits_at(trace::Element::s32, run->trace().buffers[0].final, 0), 5U);
}

}  // namespace
}  // namespace lanescope::session
