// Errors of the host code of whole programs are findings with their lines: memory errors and unchecked CUDA errors.
#include "session/run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/panels/program_lines.h"
#include "run_support.h"

namespace lanescope::session {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using HostFindings = NeedsHostCode;

TEST_F(HostFindings, ACrashOfHostCodeIsAFindingAfterTheErrorThatWasNotChecked) {
    const ScratchFolder folder;
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

TEST_F(HostFindings, AKernelThatAccessesMemoryFreedBeforeAnyLaunchNamesIt) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("freed.cu",
                                                   "__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
                                                   "int main() {\n"
                                                   "    int *first, *other;\n"
                                                   "    cudaMalloc(&first, 128);\n"
                                                   "    cudaFree(first);\n"
                                                   "    cudaMalloc(&other, 128);\n"
                                                   "    k<<<1, 32>>>(first);\n"
                                                   "    cudaFree(other);\n"
                                                   "}\n")});
    ASSERT_NE(run, nullptr);
    const auto& findings = run->trace().findings;
    const auto freed = std::ranges::find(findings, trace::Finding::Kind::use_after_free, &trace::Finding::kind);
    ASSERT_NE(freed, findings.end());
    EXPECT_THAT(freed->message, HasSubstr("in first, which the host freed before the launch"));
    EXPECT_EQ(freed->source_line, 1U);
}

TEST_F(HostFindings, AnOverrunOfALocalArrayIsAFinding) {
    const ScratchFolder folder;
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

/// A program that executes one of several lines between two launches.
class HeapProgram {
  public:
    struct Case {
        std::string line, message;
        std::string ends = "exit status 0";  ///< empty: it follows from how the heap lies
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
    ScratchFolder folder_;
    std::string path_;
};

TEST_F(HostFindings, AnOverrunOfTheHeapIsAFindingAtItsAllocation) {
    const std::vector<HeapProgram::Case> cases{
        {"int* h = (int*)malloc(n * sizeof(int)); for (int i = 0; i <= n; ++i) h[i] = i; free(h);",
         "past the end of a heap block of 40 bytes that this line allocates: 4 bytes after it are overwritten, noticed "
         "when it is freed. --sanitize finds the line that writes"},
        {"float* h = new float[n]; h[n] = 1;", "4 bytes after it are overwritten, noticed before the call in line 24"},
        {"static std::vector<double> v(n); for (int i = 0; i <= n; ++i) v[i] = i;",
         "heap block of 80 bytes that this line allocates: 8 bytes after"},
        {"char* s = strdup(\"hello\"); s[6] = 'x'; free(s);", "heap block of 6 bytes that this line allocates: 1 byte"},
        {"int* h = (int*)realloc(malloc(8), 1200); cudaMemcpy(h + 290, d, 44, cudaMemcpyDefault);",
         "the copy writes 44 bytes, from byte 1,160 on, to a block of the host's heap, which has 1,200 bytes: 4 bytes "
         "past its end"},
        {"std::vector<int> h(n); cudaMemcpy(d, h.data(), n * sizeof(double), cudaMemcpyHostToDevice);",
         "the copy reads 80 bytes from a block of the host's heap, which has 40 bytes: 40 bytes past its end"},
        {"int* h = (int*)calloc(n, 4); for (int i = -1; i < n; ++i) h[i] = i; free(h);",
         "before the beginning of a heap block of 40 bytes that this line allocates: 4 bytes before it are"},
        {"int* h = (int*)malloc(64); int* g = (int*)malloc(64); for (int i = 0; i < 60; ++i) h[i] = i; free(g);",
         "past the end of a heap block of 64 bytes that this line allocates: at least 64 bytes after it", ""},
    };
    const HeapProgram program(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto run = program.run(i);
        ASSERT_NE(run, nullptr);
        const auto& findings = run->trace().findings;
        if (!cases[i].ends.empty()) {
            EXPECT_EQ(run->trace().host_end, cases[i].ends) << cases[i].line;
        }
        ASSERT_EQ(findings.size(), 1U) << cases[i].line;
        EXPECT_EQ(findings[0].kind, trace::Finding::Kind::out_of_bounds);
        EXPECT_EQ(findings[0].source_line, HeapProgram::first_line + i);
        EXPECT_THAT(findings[0].message, HasSubstr(cases[i].message));
    }
}

TEST_F(HostFindings, AFreeThatCannotBeIsAFindingAtItsLine) {
    const std::vector<HeapProgram::Case> cases{
        {"int* h = new int[n]; delete[] h; delete[] h;", "host code frees a heap block of 40 bytes twice"},
        {"int* h = (int*)malloc(64); free(h + 1);", "it is within a heap block"},
        {"int h[4]; free(h);", "it is the address of a local variable"},
        {"static int h[4]; free(h);", "it is the address of a variable"},
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

TEST_F(HostFindings, HostCodeWithinItsHeapIsNotAccused) {
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

TEST_F(HostFindings, PrintedTextThatNothingWaitsForIsReported) {
    const ScratchFolder folder;
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

TEST_F(HostFindings, APitchedFillLeavesItsGapsUninitialized) {
    const ScratchFolder folder;
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

TEST_F(HostFindings, ACopyOfWhatNothingHasWrittenIsAFinding) {
    const ScratchFolder folder;
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

TEST_F(HostFindings, FilesThatItWritesAndASecondFreeAreReported) {
    const ScratchFolder folder;
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

TEST_F(HostFindings, WhatIsLeftOnTheHeapOfTheDeviceIsALeak) {
    const ScratchFolder folder;
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

TEST_F(HostFindings, SizesThatNoMemoryHasAreRefusedBeforeTheyWrapAround) {
    const ScratchFolder folder;
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
    auto say = [](cudaError_t error) { printf("%s\n", cudaGetErrorName(error)); };
    say(cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 32), 0, make_cudaExtent(64, 32, 2)));
    say(cudaMemset2D(d, 2048, 0, 16, huge));
    say(cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 32), 0, make_cudaExtent(16, 2, huge)));
    say(cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 64), 0, make_cudaExtent(64, 64, 2)));
    cudaMemcpy3DParms slices = {};
    slices.dstPtr = make_cudaPitchedPtr(d, 64, 64, 512);
    slices.srcPtr = make_cudaPitchedPtr(next, 64, 64, 64);
    slices.extent = make_cudaExtent(64, 8, 3);
    slices.kind = cudaMemcpyDeviceToDevice;
    say(cudaMemcpy3D(&slices));
    slices.extent.depth = huge;
    say(cudaMemcpy3D(&slices));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = d;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = 4;
    resource.res.pitch2D.height = 65;
    resource.res.pitch2D.pitchInBytes = size_t(1) << 58;
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    say(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    say(cudaMallocPitch(&p, &pitch, huge, huge));
    cudaPitchedPtr all;
    say(cudaMalloc3D(&all, make_cudaExtent(huge, huge, 4)));
    say(cudaMemcpyToSymbol(table, d, 8, ~size_t(0) - 3, cudaMemcpyDeviceToDevice));
    cudaArray_t array;
    const cudaChannelFormatDesc words = cudaCreateChannelDesc<int>();
    say(cudaMallocArray(&array, &words, 131073, 1));
    say(cudaMallocArray(&array, &words, 16, 4));
    say(cudaMemcpy2DToArray(array, 0, 0, d, 64, 64, 4, cudaMemcpyDeviceToDevice));
    say(cudaMemcpy2DToArray(array, 4, 0, d, 64, 64, 4, cudaMemcpyDeviceToDevice));
    say(cudaMemcpy2DToArray(array, 0, 1, d, 64, 64, huge, cudaMemcpyDeviceToDevice));
}
)")});
    ASSERT_NE(run, nullptr);
    const std::string wrong = "cudaErrorInvalidValue\n", none = "cudaErrorMemoryAllocation\n", good = "cudaSuccess\n";
    EXPECT_EQ(analysis::printed_by(run->trace()), good + wrong + wrong + wrong + wrong + wrong + wrong + none + none +
                                                      wrong + wrong + good + good + wrong + wrong);
    EXPECT_EQ(run->trace().host_end, trace::successful_exit);
}

TEST_F(HostFindings, AddressSanitizerFindsAnOverrunOfHostMemory) {
    const ScratchFolder folder;
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

TEST_F(HostFindings, ACooperativeLaunchThatIsTooLargeIsAnUncheckedError) {
    const ScratchFolder folder;
    const auto run =
        run_of({.program = folder.add("large.cu",
                                      "__global__ void k(int* p) { *p = 1; }\nint main() {\n"
                                      "    int* d;\n    cudaMalloc(&d, 4);\n    k<<<1, 1>>>(d);\n"
                                      "    void* arguments[] = {&d};\n"
                                      "    cudaLaunchCooperativeKernel((void*)k, 6000000, 64, arguments, 0, 0);\n"
                                      "    cudaFree(d);\n}\n")});
    ASSERT_NE(run, nullptr);
    const auto found =
        std::ranges::find(run->trace().findings, trace::Finding::Kind::unchecked_error, &trace::Finding::kind);
    ASSERT_NE(found, run->trace().findings.end());
    EXPECT_EQ(found->source_line, 7U);
    EXPECT_THAT(found->message, testing::HasSubstr("cudaErrorCooperativeLaunchTooLarge"));
}

TEST_F(HostFindings, EveryUncheckedErrorIsReportedOnceALine) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("careless.cu",
                                                   "__global__ void k(int* p) { *p = 1; }\nint main() {\n    int* d;\n"
                                                   "    cudaMalloc(&d, 4);\n    k<<<1, 1>>>(d);\n"
                                                   "    for (int i = 0; i < 5; ++i)\n        cudaSetDevice(5);\n"
                                                   "    cudaSetDevice(7);\n    cudaFree(d);\n}\n")});
    ASSERT_NE(run, nullptr);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> unchecked;
    for (const trace::Finding& finding : run->trace().findings)
        if (finding.kind == trace::Finding::Kind::unchecked_error)
            unchecked.emplace_back(finding.source_line, finding.count);
    EXPECT_THAT(unchecked, testing::UnorderedElementsAre(testing::Pair(7U, 5U), testing::Pair(8U, 1U)));
}

/// compute-sanitizer's memcheck: --leak-check is off unless it is asked for, so a leak changes no exit status.
TEST_F(HostFindings, ALeakIsAFindingAndChangesNoExitStatus) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("leak.cu",
                                                   "__global__ void k(int* p) { *p = 1; }\nint main() {\n    int* d;\n"
                                                   "    cudaMalloc(&d, 4);\n    k<<<1, 1>>>(d);\n}\n")});
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().findings.size(), 1U);
    EXPECT_EQ(run->trace().findings.front().kind, trace::Finding::Kind::leak);
    EXPECT_EQ(run->trace().findings.front().source_line, 4U);
    EXPECT_EQ(first_fault(run->trace()), nullptr);
}

}  // namespace
}  // namespace lanescope::session
