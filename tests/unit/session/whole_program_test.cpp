// A program with a main is compiled and executed: its own sources, sizes and data, and all its launches.
#include "session/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "analysis/narration/narration.h"
#include "analysis/panels/program_lines.h"
#include "analysis/source/display_names.h"
#include "analysis/source/source_line.h"
#include "base/grouped.h"
#include "run_support.h"
#include "session/compiled_kernel.h"
#include "session/live_steps.h"

namespace lanescope::session {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using WholeProgram = NeedsHostCode;

TEST_F(WholeProgram, MainOfOneLaunchRunsUnchanged) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("total.cu", student_file)});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->kernel, "main");
    EXPECT_EQ(run->block, 64U);
    EXPECT_EQ(run->verdict.ok, std::nullopt) << "there is no CPU reference for it";
    EXPECT_THAT(run->notes, ElementsAre("main() runs and launches its kernels.",
                                        testing::StartsWith("Host code: compiled by nvcc and run in a sandbox")));
    EXPECT_THAT(run->trace().origin.source_name, "total.cu") << "a trace knows no folders of this machine";
}

TEST_F(WholeProgram, AMainWithoutALaunchRunsAndIsNotReplacedByAKernelAlone) {
    const ScratchFolder folder;
    const std::string kernel = "__global__ void k(int* p) { *p = 1; }\n";
    Progress progress;
    const auto said = run({.program = folder.add("said.cu", "#include <cstdio>\n" + kernel +
                                                                "int main() { printf(\"hi\\n\"); return 3; }\n")},
                          progress);
    ASSERT_FALSE(said);
    EXPECT_THAT(said.error().problem.message(),
                HasSubstr("main ended without a launch (exit status 3); it printed \"hi\""));
    const auto expects =
        run({.program = folder.add("expects.cu", "#include <cstdio>\n" + kernel +
                                                     "int main() {\n    int* p;\n"
                                                     "    if (cudaMalloc(&p, size_t(1) << 50) != cudaSuccess) "
                                                     "printf(\"as expected\\n\");\n}\n")},
            progress);
    ASSERT_FALSE(expects);
    EXPECT_TRUE(expects.error().no_launch);
    EXPECT_THAT(expects.error().diagnostics, testing::IsEmpty()) << "the program looked at the error";
    const auto ignores =
        run({.program = folder.add("ignores.cu", kernel + "int main() {\n    int* p;\n"
                                                          "    cudaMalloc(&p, size_t(1) << 50);\n}\n")},
            progress);
    ASSERT_FALSE(ignores);
    EXPECT_THAT(ignores.error().diagnostics, testing::Not(testing::IsEmpty()));
    const auto wrong = run({.program = folder.add("wrong.cu", kernel + "int main() { int x = \"a\"; }\n")}, progress);
    ASSERT_FALSE(wrong);
    ASSERT_FALSE(wrong.error().diagnostics.empty());
    EXPECT_EQ(wrong.error().diagnostics.front().line, 2U);
}

TEST_F(WholeProgram, MainRunsThatTheTextSpellsOtherwiseAndAKernelWhereThePreprocessorDropsIt) {
    const ScratchFolder folder;
    const std::string kernel = "__global__ void k(int* p) { p[threadIdx.x] = threadIdx.x; }\n";
    const std::string body = "{\n    int* d;\n    cudaMalloc(&d, 128);\n    k<<<1, 32>>>(d);\n    cudaFree(d);\n}\n";
    for (const char* const main : {"#define MAIN int main()\nMAIN ", "auto main() -> int ",
                                   "#ifdef NEVER\n#else\nint main() ", "signed main() "}) {
        const bool branch = std::string_view(main).starts_with("#ifdef");
        const auto run = run_of({.program = folder.add("main.cu", kernel + main + body + (branch ? "#endif\n" : ""))});
        ASSERT_NE(run, nullptr) << main;
        EXPECT_EQ(run->kernel, "main") << main;
    }
    const auto alone =
        run_of({.program = folder.add("test.cu", kernel + "#ifdef TEST\nint main() " + body + "#endif\n")});
    ASSERT_NE(alone, nullptr);
    EXPECT_EQ(alone->kernel, "k");
    EXPECT_THAT(alone->notes, Contains("No main() is left after preprocessing, and k runs alone."));
}

TEST_F(WholeProgram, EachLaunchHasTheSharedArraysOfItsKernel) {
    const ScratchFolder folder;
    const auto run = run_of(
        {.program = folder.add("two.cu",
                               "__global__ void first(double* x) {\n"
                               "    __shared__ double acc[8];\n    acc[threadIdx.x] = x[threadIdx.x];\n"
                               "    __syncthreads();\n    x[threadIdx.x] = acc[7 - threadIdx.x];\n}\n"
                               "__global__ void second(int* y) {\n"
                               "    __shared__ int slope[8], offset[8];\n"
                               "    slope[threadIdx.x] = offset[threadIdx.x] = threadIdx.x;\n"
                               "    __syncthreads();\n    y[threadIdx.x] = slope[7 - threadIdx.x] + offset[0];\n}\n"
                               "int main() {\n    double* x;\n    int* y;\n    cudaMalloc(&x, 64);\n"
                               "    cudaMalloc(&y, 32);\n    cudaMemset(x, 0, 64);\n    first<<<1, 8>>>(x);\n"
                               "    second<<<1, 8>>>(y);\n    cudaFree(x);\n    cudaFree(y);\n}\n")});
    ASSERT_NE(run, nullptr);
    const auto named = [&](std::uint32_t launch, std::uint64_t address) {
        return analysis::shared_name(run->trace(), run->module(), launch, address, 4);
    };
    EXPECT_EQ(named(0, 8), "acc[1]");
    const auto& columns = run->analysis->picture(1, BlockId(0)).groups;
    EXPECT_TRUE(std::ranges::none_of(columns, [](const auto& group) { return group.name == "acc"; }));
    const std::string second = named(1, 4) + " " + named(1, 36);
    EXPECT_THAT(second, testing::AnyOf("slope[1] offset[1]", "offset[1] slope[1]"));
}

TEST_F(WholeProgram, ABufferHasTheElementsThatTheKernelAccesses) {
    const ScratchFolder folder;
    const auto run = run_of(
        {.program = folder.add("pool.cu",
                               "__global__ void scale(float* x) { x[threadIdx.x] *= 2; }\n"
                               "__global__ void count(const int* x, double* y) { y[threadIdx.x] = x[threadIdx.x]; }\n"
                               "int main() {\n    char* pool;\n    void* raw;\n    cudaMalloc(&pool, 256);\n"
                               "    cudaMalloc(&raw, 256);\n    cudaMemset(pool, 0, 256);\n"
                               "    scale<<<1, 64>>>((float*)pool);\n    count<<<1, 32>>>((int*)pool, (double*)raw);\n"
                               "    cudaFree(pool);\n    cudaFree(raw);\n}\n")});
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->trace().buffers.size(), 2U);
    EXPECT_EQ(run->trace().buffers[0].element, trace::Element::f32);
    EXPECT_EQ(run->trace().buffers[1].element, trace::Element::f64);
    EXPECT_THAT(run->notes, Contains("pool is accessed as const int*, too; its elements are shown as float."));
}

TEST_F(WholeProgram, CountsStructuresAsElementsAndShowsTheirMembers) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("gray.cu",
                                                   "struct Pixel { unsigned char r, g, b; };\n"
                                                   "__global__ void gray(const Pixel* in, unsigned char* out) {\n"
                                                   "    int i = threadIdx.x;\n"
                                                   "    out[i] = (in[i].r + in[i].g + in[i].b) / 3;\n"
                                                   "}\n"
                                                   "int main() {\n"
                                                   "    Pixel host[32] = {}, *in;\n"
                                                   "    unsigned char* out;\n"
                                                   "    cudaMalloc(&in, sizeof host);\n"
                                                   "    cudaMalloc(&out, 32);\n"
                                                   "    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);\n"
                                                   "    gray<<<1, 32>>>(in, out);\n"
                                                   "    cudaFree(in);\n"
                                                   "    cudaFree(out);\n"
                                                   "}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace().origin.n, 32U);
    EXPECT_EQ(run->trace().buffers[0].element, trace::Element::u8);
    EXPECT_EQ(run->trace().buffers[1].element, trace::Element::u8);
}

TEST_F(WholeProgram, TellsWhatABlockLeftThoughTheHostReadsNothing) {
    const ScratchFolder folder;
    const auto run =
        run_of({.program = folder.add("unread.cu",
                                      "__global__ void twice(int* out) { out[threadIdx.x] = 2 * threadIdx.x; }\n"
                                      "int main() {\n"
                                      "    int* out;\n"
                                      "    cudaMalloc(&out, 12);\n"
                                      "    twice<<<1, 3>>>(out);\n"
                                      "    cudaFree(out);\n"
                                      "}\n")});
    ASSERT_NE(run, nullptr);
    const analysis::BlockPasses& passes = run->analysis->block_passes(0, BlockId(0));
    EXPECT_EQ(analysis::narrate(run->analysis->view(passes), passes.steps.size(), 0),
              "The block is done: out[0] to out[2] = 0, 2, 4.");
}

TEST_F(WholeProgram, HasTheNameOfItsSource) {
    const ScratchFolder folder;
    Progress progress;
    const auto usage = run({.program = folder.add("saxpy.cu",
                                                  "#include <cstdio>\n"
                                                  "__global__ void k(int* p) { *p = 1; }\n"
                                                  "int main(int, char** argv) { printf(\"usage: %s N\", *argv); }\n")},
                           progress);
    ASSERT_FALSE(usage);
    ASSERT_TRUE(usage.error().no_launch);
    EXPECT_EQ(analysis::printed_by(*usage.error().no_launch->trace), "usage: ./saxpy N");
}

TEST_F(WholeProgram, ABufferIsNotTakenForTheStructureThatHoldsItsAddress) {
    const ScratchFolder folder;
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

TEST_F(WholeProgram, WhatMainComputesIsNotGuessed) {
    const ScratchFolder folder;
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

/// Squares 2 x 4 floats in rows that are `pitch` bytes apart, `copies` them to `b`, and adds the 8 of b.
std::string sum_of_copied_rows(const std::string& copies) {
    return "__global__ void squares(float* a, size_t pitch) {\n"
           "    float* x = (float*)((char*)a + threadIdx.y * pitch) + threadIdx.x;\n"
           "    *x = *x * *x;\n"
           "}\n"
           "__global__ void sum(const float* b, float* out) {\n"
           "    float s = b[0];\n"
           "    for (int i = 1; i < 8; ++i) s += b[i];\n"
           "    *out = s;\n"
           "}\n"
           "int main() {\n"
           "    float h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *a, *b, *out;\n"
           "    size_t pitch;\n"
           "    cudaMallocPitch(&a, &pitch, 16, 2), cudaMalloc(&b, 32), cudaMalloc(&out, 4);\n"
           "    cudaMemcpy2D(a, pitch, h, 16, 16, 2, cudaMemcpyHostToDevice);\n"
           "    squares<<<1, dim3(4, 2)>>>(a, pitch);\n" +
           copies +
           "    sum<<<1, 1>>>(b, out);\n"
           "    cudaMemcpy(h, out, 4, cudaMemcpyDeviceToHost);\n"
           "    cudaFree(a), cudaFree(b), cudaFree(out);\n"
           "}\n";
}

TEST_F(WholeProgram, ValuesAreFollowedThroughCopiesOfRowsThatAreApart) {
    const ScratchFolder folder;
    const std::string packed = "    cudaMemcpy2D(b, 16, a, pitch, 16, 2, cudaMemcpyDeviceToDevice);\n";
    const std::string columns =
        "    for (int x = 0; x < 4; ++x)\n"
        "        cudaMemcpy2D(b + x, 16, a + x, pitch, 4, 2, cudaMemcpyDeviceToDevice);\n";
    const std::string slices =
        "    cudaMemcpy3DParms p = {};\n"
        "    p.srcPtr = make_cudaPitchedPtr(a, pitch, 16, 1);\n"
        "    p.dstPtr = make_cudaPitchedPtr(b, 16, 16, 1);\n"
        "    p.extent = make_cudaExtent(16, 1, 2);\n"
        "    p.kind = cudaMemcpyDeviceToDevice;\n"
        "    cudaMemcpy3D(&p);\n";
    for (const std::string& copies : {packed, columns, slices}) {
        const auto run = run_of({.program = folder.add("rows.cu", sum_of_copied_rows(copies))});
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(run->analysis->work, 15U) << "8 squares and 7 additions:\n" << copies;
        EXPECT_EQ(run->analysis->span, 8U) << copies;
        EXPECT_THAT(run->trace().findings, IsEmpty()) << copies;
        for (const trace::HostWrite& write : run->trace().host_writes) EXPECT_GT(write.source_line, 0U) << copies;
    }
}

TEST_F(WholeProgram, ValuesAreFollowedThroughACopyIntoMemoryThatNoLaunchHasFound) {
    const ScratchFolder folder;
    const auto run =
        run_of({.program = folder.add("late.cu",
                                      "__global__ void square(int* a, int* b) { b[threadIdx.x] = a[threadIdx.x] * "
                                      "a[threadIdx.x]; }\n"
                                      "__global__ void sum(int* b, int* s) {\n    int t = 0;\n"
                                      "    for (int i = 0; i < 8; ++i) t += b[i];\n    *s = t;\n}\n"
                                      "int main() {\n    int *a, *b, *c, *s, h[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n"
                                      "    cudaMalloc(&a, 32);\n    cudaMalloc(&b, 32);\n"
                                      "    cudaMemcpy(a, h, 32, cudaMemcpyHostToDevice);\n    square<<<1, 8>>>(a, b);\n"
                                      "    cudaMalloc(&c, 32);\n    cudaMalloc(&s, 4);\n"
                                      "    cudaMemcpy(c, b, 32, cudaMemcpyDeviceToDevice);\n    sum<<<1, 1>>>(c, s);\n"
                                      "    cudaMemcpy(h, s, 4, cudaMemcpyDeviceToHost);\n"
                                      "    cudaFree(a);\n    cudaFree(b);\n    cudaFree(c);\n    cudaFree(s);\n}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->analysis->work, 15U) << "8 squares and 7 additions";
    EXPECT_EQ(run->analysis->span, 8U);
    EXPECT_THAT(run->trace().findings, IsEmpty());
    const auto c = std::ranges::find(run->trace().buffers, "c", &trace::Buffer::name);
    ASSERT_NE(c, run->trace().buffers.end());
    EXPECT_TRUE(c->initial == std::vector<std::byte>(32)) << "before the copy";
}

TEST_F(WholeProgram, OfMoreLaunchesThanTheRecordHasRoomForOneIsRecordedOnRequest) {
    const ScratchFolder folder;
    const std::string program = folder.add("many.cu",
                                           "__global__ void k(int* p) {\n"
                                           "    for (int i = 0; i < 2000; ++i) p[threadIdx.x] += i;\n}\n"
                                           "int main() {\n    int* p;\n    cudaMalloc(&p, 4096);\n"
                                           "    cudaMemset(p, 0, 4096);\n"
                                           "    for (int i = 0; i < 40; ++i) k<<<1, 1024>>>(p);\n"
                                           "    cudaDeviceSynchronize();\n    cudaFree(p);\n}\n");
    const auto usual = run_of({.program = program});
    ASSERT_NE(usual, nullptr);
    ASSERT_EQ(usual->trace().launches.size(), 40U);
    EXPECT_TRUE(usual->trace().launches[39].cut) << "of its block a part is recorded";
    EXPECT_THAT(usual->trace().notes, Contains(HasSubstr("or name it with --record-launch")));
    const auto chosen = run_of({.program = program, .record_launch = 39});
    ASSERT_NE(chosen, nullptr);
    EXPECT_THAT(chosen->trace().launches[39].recorded, ElementsAre(BlockId(0)));
    EXPECT_FALSE(chosen->trace().launches[39].cut);
    EXPECT_FALSE(chosen->trace().launches[0].recorded.empty()) << "the first picture";
    EXPECT_TRUE(chosen->trace().launches[38].recorded.empty()) << "makes room";
}

/// NVRTC compiles it as nvcc compiles the rest, and its text is among the program's sources.
TEST_F(WholeProgram, WhatItCompilesByNvrtcHasNamesTypesAndItsSource) {
    const ScratchFolder folder;
    const std::string program = folder.add("jit.cu", R"(#include <cuda.h>
#include <nvrtc.h>
#include <string>
static const char* text = R"x(
extern "C" __global__ void twice(float* values, int count) {
    __shared__ float tile[32];
    tile[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < count) values[threadIdx.x] = 2 * tile[threadIdx.x];
}
)x";
int main() {
    nvrtcProgram program;
    nvrtcCreateProgram(&program, text, "twice.cu", 0, nullptr, nullptr);
    const char* options[] = {"--gpu-architecture=compute_75"};
    if (nvrtcCompileProgram(program, 1, options) != NVRTC_SUCCESS) return 1;
    size_t size;
    nvrtcGetPTXSize(program, &size);
    std::string ptx(size, ' ');
    nvrtcGetPTX(program, &ptx[0]);
    nvrtcDestroyProgram(&program);
    cuInit(0);
    CUcontext context;
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    CUmodule module;
    cuModuleLoadData(&module, ptx.c_str());
    CUfunction function;
    cuModuleGetFunction(&function, module, "twice");
    float host[32];
    for (int i = 0; i < 32; ++i) host[i] = i + 0.5f;
    int count = 32;
    CUdeviceptr values;
    cuMemAlloc(&values, sizeof host);
    cuMemcpyHtoD(values, host, sizeof host);
    void* arguments[] = {&values, &count};
    cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
    cuMemcpyDtoH(host, values, sizeof host);
    cuMemFree(values);
}
)");
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        const auto run = run_of({.program = program, .view = view});
        ASSERT_NE(run, nullptr);
        const trace::Trace& trace = run->trace();
        ASSERT_EQ(trace.launches.size(), 1U);
        EXPECT_EQ(trace.launches[0].arguments.at(1).name, "count");
        const auto values = std::ranges::find(trace.buffers, "values", &trace::Buffer::name);
        ASSERT_NE(values, trace.buffers.end());
        EXPECT_EQ(values->element, trace::Element::f32);
        ASSERT_FALSE(trace.shared_arrays.empty());
        EXPECT_EQ(trace.shared_arrays[0].name, "tile");
        EXPECT_EQ(trace.origin.source_name, "twice.cu") << "of the first kernel";
        EXPECT_THAT(trace.origin.source, HasSubstr("void twice"));
        EXPECT_THAT(run->trace().notes, testing::Not(Contains(HasSubstr("Not known: the element type"))));
    }
}

TEST_F(WholeProgram, SaysWhereNothingTellsTheTypeOfElements) {
    const ScratchFolder folder;
    const auto program_of = [&](const std::string& type) {
        return run_of(
            {.program = folder.add("untyped.cu",
                                   "struct View { void* data; };\n"
                                   "__global__ void fill(View view) { static_cast<" +
                                       type +
                                       "*>(view.data)[threadIdx.x] *= 3; }\n"
                                       "int main() {\n    View view;\n"
                                       "    cudaMalloc(&view.data, 128);\n    cudaMemset(view.data, 0, 128);\n"
                                       "    fill<<<1, 16>>>(view);\n    char host[128];\n"
                                       "    cudaMemcpy(host, view.data, 128, "
                                       "cudaMemcpyDeviceToHost);\n"
                                       "    cudaFree(view.data);\n}\n")});
    };
    const auto bytes = program_of("char");
    ASSERT_NE(bytes, nullptr);
    EXPECT_THAT(bytes->trace().notes, Contains(HasSubstr("Not known: the element type of view.data")));
    const auto floats = program_of("float");
    ASSERT_NE(floats, nullptr);
    EXPECT_THAT(floats->trace().notes, testing::Not(Contains(HasSubstr("Not known"))));
    EXPECT_EQ(floats->trace().buffers.at(0).element, trace::Element::f32) << "by st.f32";
}

TEST_F(WholeProgram, WhatLiesBetweenTheRowsOfACopyStaysTheKernels) {
    const ScratchFolder folder;
    const auto run =
        run_of({.program = folder.add("gaps.cu",
                                      "__global__ void square(int* p) { p[threadIdx.x] *= p[threadIdx.x]; }\n"
                                      "__global__ void sum(const int* p, int* out) { *out = p[1] + p[3]; }\n"
                                      "int main() {\n"
                                      "    int h[4] = {1, 2, 3, 4}, *p, *out;\n"
                                      "    cudaMalloc(&p, 16), cudaMalloc(&out, 4);\n"
                                      "    cudaMemcpy(p, h, 16, cudaMemcpyHostToDevice);\n"
                                      "    square<<<1, 4>>>(p);\n"
                                      "    cudaMemcpy2D(p, 8, h, 8, 4, 2, cudaMemcpyHostToDevice);\n"
                                      "    sum<<<1, 1>>>(p, out);\n"
                                      "    cudaMemcpy(h, out, 4, cudaMemcpyDeviceToHost);\n"
                                      "    cudaFree(p), cudaFree(out);\n"
                                      "}\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->analysis->span, 2U) << "a square, then the addition";
    ASSERT_EQ(run->trace().host_writes.size(), 2U);
    EXPECT_EQ(run->trace().host_writes[1].offset, 8U);
    EXPECT_EQ(run->trace().host_writes[1].after.size(), 4U);
}

TEST_F(WholeProgram, AFolderOpensAsTheProgramOfItsMainWithAllItsSources) {
    const ScratchFolder folder;
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
    const ScratchFolder folder;
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

TEST(CompilingText, NamesTheFileAndTheLibrariesThatTakeLong) {
    const ScratchFolder folder;
    folder.add("helper.h", "#include <cub/cub.cuh>\n");
    EXPECT_EQ(compiling_text(folder / "add.cu", "__global__ void add() {}\n"), "compiling add.cu");
    EXPECT_EQ(compiling_text(folder / "sort.cu", "#include <thrust/sort.h>\n#include \"helper.h\"\n"),
              "compiling sort.cu with Thrust and CUB, whose headers take seconds the first time");
}

TEST_F(WholeProgram, AFolderWithoutAMainOrWithSeveralIsRefused) {
    const ScratchFolder folder;
    folder.add("one.cu", "__global__ void k() {}\n");
    const std::string path = folder.path().string();
    EXPECT_THAT(refusal_of({.program = path}).problem.what, HasSubstr("no source"));
    folder.add("a.cu", "int main() {}\n");
    folder.add("b.cu", "int main() {}\n");
    EXPECT_THAT(refusal_of({.program = path}).problem.what, HasSubstr("several sources"));
}

TEST_F(WholeProgram, AMainWhoseKernelsStandInAHeaderRuns) {
    const ScratchFolder folder;
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
    const ScratchFolder folder;
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
    const ScratchFolder folder;
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

TEST_F(WholeProgram, TheFirstLaunchIsShownWhileTheRestRunsAndWhatWasStoppedIsKept) {
    const ScratchFolder folder;
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

/// Runs the program until it has printed this text, and cancels it two seconds later.
std::shared_ptr<const Run> cancelled_after(const std::string& file, std::string_view text, std::string& printed) {
    Progress progress;
    std::jthread person([&](const std::stop_token& ended) {
        while (!ended.stop_requested() && !progress.printed().contains(text))
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        printed = progress.printed();
        for (int i = 0; i < 400 && !ended.stop_requested(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        progress.cancel();
    });
    const auto answer = session::run({.program = file, .trusted = true}, progress, {});
    EXPECT_TRUE(answer) << answer.error().problem.message();
    return answer ? *answer : nullptr;
}

TEST_F(WholeProgram, FillsAndCopiesAVolumeInOneStepEach) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("volume.cu", R"(#include <cstdio>
__global__ void add(cudaPitchedPtr p, int height) {
    ((int*)((char*)p.ptr + (threadIdx.z * height + threadIdx.y) * p.pitch))[threadIdx.x] += 1;
}
int main() {
    int h[4][3][5], part[4][2][5];
    for (int i = 0; i < 60; ++i) h[0][0][i] = i;
    const cudaExtent extent = make_cudaExtent(sizeof h[0][0], 3, 4);
    cudaPitchedPtr d;
    cudaMalloc3D(&d, extent);
    cudaMemset3D(d, 0, extent);
    cudaMemcpy3DParms to = {};
    to.srcPtr = make_cudaPitchedPtr(h, sizeof h[0][0], 5, 3);
    to.dstPtr = d;
    to.extent = extent;
    to.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&to);
    add<<<1, dim3(5, 3, 4)>>>(d, 3);
    cudaMemcpy3DParms from = {};
    from.srcPtr = d;
    from.srcPos = make_cudaPos(0, 1, 0);
    from.dstPtr = make_cudaPitchedPtr(part, sizeof part[0][0], 5, 2);
    from.extent = make_cudaExtent(sizeof h[0][0], 2, 4);
    from.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&from);
    printf("%d %d %d\n", part[0][0][0], part[1][0][0], part[3][1][4]);
    cudaFree(d.ptr);
}
)")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(analysis::printed_by(run->trace()), "6 21 60\n");
    EXPECT_THAT(run->trace().findings, IsEmpty());
    const auto& steps = run->trace().host_steps;
    EXPECT_EQ(std::ranges::count(steps, trace::HostStep::Kind::write, &trace::HostStep::kind), 2);
    EXPECT_EQ(std::ranges::count(steps, trace::HostStep::Kind::read, &trace::HostStep::kind), 4)
        << "of a part, a step a slice";
}

TEST_F(WholeProgram, ShowsItsStepsWhileItRuns) {
    const ScratchFolder folder;
    const std::string file = folder.add(
        "steps.cu",
        "#include <cstdio>\n__global__ void spin(int* a) { while (a[0] >= 0) a[1] += 1; }\nint main() {\n"
        "    int *a, h[64] = {};\n    cudaMalloc(&a, 256);\n    cudaMemcpy(a, h, 256, cudaMemcpyHostToDevice);\n"
        "    printf(\"one\\ntwo\");\n    fflush(stdout);\n    spin<<<4, 64>>>(a);\n"
        "    cudaDeviceSynchronize();\n}\n");
    Progress progress;
    LiveSteps steps;
    std::vector<std::string> said;
    std::jthread person([&](const std::stop_token& ended) {
        while (!ended.stop_requested() && said.size() < 5) {
            said.clear();
            for (const analysis::ProgramLine& line : steps.lines())
                said.push_back(fmt::format("{}: {}{}", line.source_line, line.text, line.launch ? ", launch 0" : ""));
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        progress.cancel();
    });
    static_cast<void>(session::run({.program = file, .trusted = true}, progress, {}, &steps));
    person.request_stop();
    person.join();
    EXPECT_THAT(said, ElementsAre("5: allocate a, 256 bytes", "6: copy to a, 256 bytes", "0: one", "0: two",
                                  "9: spin<<<4, 64>>>, running, launch 0"));
}

TEST(LiveSteps, OfManyAreTheLastAndSayHowManyCameBefore) {
    LiveSteps steps;
    EXPECT_EQ(steps.changes(), 0U);
    const std::size_t count = LiveSteps::most_lines + 10;
    for (std::size_t i = 0; i < count; ++i) steps.add({.launch = {}, .text = fmt::format("step {}", i)});
    steps.begin_launch({.kind = analysis::ProgramLine::Kind::launch, .launch = {}, .text = "k<<<1, 1>>>"});
    const auto lines = steps.lines();
    ASSERT_LE(lines.size(), LiveSteps::most_lines);
    EXPECT_EQ(lines[0].text, fmt::format("{} steps before these", grouped(count + 2 - lines.size())));
    EXPECT_EQ(lines[1].text, fmt::format("step {}", count + 2 - lines.size()));
    EXPECT_EQ(lines.back().text, "k<<<1, 1>>>, running");
    steps.end_launch({.kind = analysis::ProgramLine::Kind::launch, .launch = {}, .text = "not launched"});
    EXPECT_EQ(steps.lines().back().text, "k<<<1, 1>>>");
}

TEST_F(WholeProgram, ThatIsCancelledIsPartialAndEndsAtTheLaunchThatWas) {
    const ScratchFolder folder;
    std::string printed;
    const auto run = cancelled_after(
        folder.add("spin.cu",
                   "#include <cstdio>\n__global__ void add(int* a) { a[threadIdx.x] += 1; }\n"
                   "__global__ void spin(volatile int* a) { while (a[0] != 7) a[1] += 1; }\nint main() {\n"
                   "    int* a;\n    cudaMalloc(&a, 256);\n    cudaMemset(a, 0, 256);\n    add<<<1, 64>>>(a);\n"
                   "    cudaDeviceSynchronize();\n    printf(\"first\\n\");\n    fflush(stdout);\n"
                   "    spin<<<4, 64>>>(a);\n    cudaDeviceSynchronize();\n    add<<<1, 64>>>(a);\n"
                   "    printf(\"last\\n\");\n    fflush(stdout);\n    cudaFree(a);\n}\n"),
        "first\n", printed);
    EXPECT_EQ(printed, "first\n") << "while it runs";
    ASSERT_NE(run, nullptr);
    EXPECT_TRUE(run->trace().cancelled);
    EXPECT_EQ(run->trace().launches.size(), 2U);
    EXPECT_EQ(run->trace().host_end, "cancelled");
    EXPECT_EQ(analysis::printed_by(run->trace()), "first\n");
    EXPECT_EQ(analysis::partial_run_text(run->trace()), "Partial: the run was cancelled in launch 1, spin.");
}

TEST_F(WholeProgram, ThatIsCancelledBetweenItsLaunchesIsPartialAfterTheLast) {
    const ScratchFolder folder;
    std::string printed;
    const auto run = cancelled_after(
        folder.add("wait.cu",
                   "#include <cstdio>\n#include <unistd.h>\n__global__ void add(int* a) { a[threadIdx.x] += 1; }\n"
                   "int main() {\n    int* a;\n    cudaMalloc(&a, 256);\n    cudaMemset(a, 0, 256);\n"
                   "    add<<<1, 64>>>(a);\n    cudaDeviceSynchronize();\n    printf(\"first\\n\");\n"
                   "    fflush(stdout);\n    sleep(60);\n    cudaFree(a);\n}\n"),
        "first\n", printed);
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(analysis::partial_run_text(run->trace()), "Partial: the run was cancelled after launch 0, add.");
}

TEST_F(WholeProgram, EndsAtTheLaunchThatSpendsTheStepLimitWhichIsNoError) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("random.cu",
                                                   "__global__ void add(int* a) { a[threadIdx.x] += 1; }\n"
                                                   "__global__ void random(unsigned* a) {\n    unsigned s = 1;\n"
                                                   "    while (s) s = s * 1664525u + 1013904223u | 1u;\n"
                                                   "    *a = s;\n}\nint main() {\n    int* a;\n"
                                                   "    cudaMalloc(&a, 256);\n    cudaMemset(a, 0, 256);\n"
                                                   "    add<<<1, 64>>>(a);\n    random<<<1, 32>>>((unsigned*)a);\n"
                                                   "    add<<<1, 64>>>(a);\n    cudaFree(a);\n}\n"),
                             .max_instructions = 1'000'000});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(run->trace().findings, testing::IsEmpty());
    EXPECT_EQ(run->trace().launches.size(), 2U);
    EXPECT_EQ(run->trace().host_end, trace::step_limit_end);
    EXPECT_EQ(
        analysis::partial_run_text(run->trace()),
        "Partial: launch 1, random, was stopped at the step limit. This is not an error; a larger instruction limit "
        "(--max-instructions) lets it run on.");
}

TEST_F(WholeProgram, TemplateArgumentsThatALaunchLeavesOutAreDeducedFromWhatItPasses) {
    const ScratchFolder folder;
    const auto run = run_of(
        {.program = folder.add("partly.cu",
                               "template <int N, typename T, int M = 2> __global__ void fill(T* p) { *p = N * M; }\n"
                               "int main() { float* d; cudaMalloc(&d, 4); fill<5><<<1, 1>>>(d); }\n")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(trace::bits_at(trace::Element::f32, run->trace().buffers[0].final, 0), 0x41200000U) << "10";
}

TEST_F(WholeProgram, AKernelIsLaunchedFromItsOwnNamespace) {
    const ScratchFolder folder;
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
    const ScratchFolder folder;
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
    const ScratchFolder folder;
    for (const char* const line : {"// lanescope: title = My sum\n", "// lanescope: arch = 80\n"}) {
        const auto run = run_of({.program = folder.add("total.cu", line + student_file)});
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(run->kernel, "main") << line;
        EXPECT_THAT(run->notes, Contains("main() runs and launches its kernels.")) << line;
        EXPECT_EQ(run_of({.program = folder.add("total.cu", line + student_file), .n = 30})->kernel, "total") << line;
    }
    for (const std::string line : {"block = 32", "grid = 2", "arg len = 3", "n = 30", "kernel = total"}) {
        const auto run =
            run_of({.program = folder.add("said.cu", fmt::format("\n// lanescope: {}\n{}", line, student_file))});
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(run->kernel, "total") << line;
        EXPECT_THAT(run->notes,
                    Contains(testing::MatchesRegex("main\\(\\) does not run, because the comment in line 2 "
                                                   "\\(lanescope: [a-z]+\\) describes the launch of total.")))
            << line;
    }
}

TEST_F(WholeProgram, ALoopOfMainEndsWhenAKernelLeavesItsFlagAlone) {
    const ScratchFolder folder;
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
