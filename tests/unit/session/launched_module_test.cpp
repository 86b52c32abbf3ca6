// Only the kernels of a file that are launched count; an instruction refused in one of these is reported with its line
// of CUDA.
#include "session/launched_module.h"

#include "run_support.h"

#include <gmock/gmock.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

const std::string two_kernels =
    "__device__ int twice(int i) { return 2 * i; }\n"
    "__global__ void good(const int* in, int* out) { out[threadIdx.x] = twice(in[threadIdx.x]); }\n"
    "__device__ float fetched(cudaTextureObject_t t, int i) {\n"
    "    return tex2Dgather<float4>(t, i, 0).x;\n"
    "}\n"
    "__global__ void bad(const unsigned long long* t, float* out) {\n"
    "    out[threadIdx.x] = 1;\n"
    "    out[threadIdx.x] = fetched(t[0], threadIdx.x);\n"
    "}\n";

TEST(LaunchedModule, LeavesOutWhatOnlyAnotherKernelOfTheFileHas) {
    const ScratchFolder folder;
    const std::string file = folder.add("two.cu", two_kernels);
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        Progress progress;
        const auto run = session::run({.program = file, .kernel = "good", .view = view}, progress);
        ASSERT_TRUE(run) << run.error().problem.message();
        EXPECT_TRUE((*run)->trace().findings.empty());
        EXPECT_EQ((*run)->module().entries().size(), 1U);
    }
}

TEST(LaunchedModule, OfWhatIsRefusedNamesTheLineOfTheSourceBesideThatOfThePtx) {
    const ScratchFolder folder;
    const std::string file = folder.add("two.cu", two_kernels);
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        Progress progress;
        const auto run = session::run({.program = file, .kernel = "bad", .view = view}, progress);
        ASSERT_FALSE(run);
        EXPECT_EQ(run.error().problem.where.line, 4U) << run.error().problem.message();
        EXPECT_EQ(run.error().problem.where.file, file);
        EXPECT_THAT(run.error().problem.what, HasSubstr("is not supported: texture gather (two.ptx:"));
    }
}

TEST(LaunchedModule, RefusesATextureOrSurfaceThatNoHostCodeCreates) {
    const ScratchFolder folder;
    const std::string file = folder.add("alone.cu",
                                        "__global__ void fetches(unsigned long long t, float* out) {\n"
                                        "    out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);\n"
                                        "}\n"
                                        "__global__ void writes(unsigned long long s) {\n"
                                        "    surf2Dwrite(1.0f, s, 4 * threadIdx.x, 0);\n"
                                        "}\n"
                                        "__global__ void named(cudaSurfaceObject_t s) {\n"
                                        "    surf2Dwrite(1.0f, s, 4 * threadIdx.x, 0);\n"
                                        "}\n");
    const auto refusal_in = [&](const std::string& kernel, trace::View view) {
        Progress progress;
        const auto run = session::run({.program = file, .kernel = kernel, .view = view}, progress);
        return run ? Refusal{} : run.error();
    };
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        const Refusal fetches = refusal_in("fetches", view);
        EXPECT_EQ(fetches.field, "kernel");
        EXPECT_THAT(fetches.problem.what,
                    HasSubstr("fetches fetches from a texture (\"tex.1d.v4.f32.s32\"), and no host code creates its "
                              "texture object"));
        EXPECT_THAT(refusal_in("writes", view).problem.what, HasSubstr("no host code creates its surface object"));
        EXPECT_THAT(refusal_in("named", view).problem.what,
                    HasSubstr("the parameter s is a cudaSurfaceObject_t, and no host code creates the object"));
    }
}

TEST(LaunchedModule, RefusesAPointerToPointersWithTheReason) {
    const ScratchFolder folder;
    const std::string file = folder.add("rows.cu",
                                        "__global__ void rows(float** row, const int* const* column, int n) {\n"
                                        "    if (threadIdx.x < n) row[threadIdx.x][0] = column[threadIdx.x][0];\n"
                                        "}\n");
    Progress progress;
    const auto run = session::run({.program = file}, progress);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().field, "argument");
    EXPECT_THAT(run.error().problem.what, HasSubstr("the parameter row is a pointer to pointers (float**)"));
    EXPECT_THAT(run.error().problem.remedy, HasSubstr("main()"));
}

const std::string header = ".version 8.0\n.target sm_75\n.address_size 64\n";
const std::string bad_function = ".func bad()\n{\n\tvadd.s32.s32.s32 %r1, %r1, %r1;\n\tret;\n}\n";

/// nvcc -G declares a function before the kernel that calls it, and defines it after that.
TEST(LaunchedModule, OfAKernelThatCallsWhatIsRefusedStatesTheReasonOfTheCallee) {
    const std::string ptx =
        ".version 8.0\n.target sm_75\n.address_size 64\n"
        ".func tensor();\n"
        ".func between();\n"
        ".visible .entry outer() { call.uni between, (); ret; }\n"
        ".visible .entry alone() { ret; }\n"
        ".func between() { call.uni tensor, (); ret; }\n"
        ".func tensor() { .reg .b32 %r<9>; wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%r2], %r3; ret; }\n";
    const auto found = runnable_module(ptx, "called.ptx", "called.cu");
    ASSERT_TRUE(found) << found.error().message();
    EXPECT_EQ(found->module.find("outer"), nullptr);
    EXPECT_NE(found->module.find("alone"), nullptr);
    for (const char* name : {"outer", "between", "tensor"}) {
        ASSERT_TRUE(found->refused.contains(name)) << name;
        EXPECT_THAT(found->refused.at(name).message(), HasSubstr("tensor cores"));
    }
}

TEST(LaunchedModule, KeepsTheNumbersOfLines) {
    const std::string ptx = header + bad_function + ".visible .entry k()\n{\n\tret;\n}\n";
    const auto module = launched_module(ptx, "k.ptx", {"k"}, "k.cu");
    ASSERT_TRUE(module) << module.error().message();
    ASSERT_EQ(module->entries().size(), 1U);
    EXPECT_EQ(module->entries()[0]->line.value, 9U);
}

TEST(LaunchedModule, RefusesWhatTheKernelCallsAndWhatATableOfFunctionsHolds) {
    const auto called = launched_module(header + bad_function + ".visible .entry k()\n{\n\tcall bad;\n\tret;\n}\n",
                                        "k.ptx", {"k"}, "k.cu");
    ASSERT_FALSE(called);
    EXPECT_EQ(called.error().where, (Place{"k.ptx", 6, 2})) << "without a .loc the line of the PTX alone is known";
    const auto table = launched_module(header + ".func bad();\n.global .u64 table[1] = {bad};\n" + bad_function +
                                           ".visible .entry k()\n{\n\tret;\n}\n",
                                       "k.ptx", {"k"}, "k.cu");
    EXPECT_FALSE(table);
}

TEST(LaunchedModule, RefusesADirectiveBeforeABodyAtTheLineWhereTheBodyBegins) {
    const auto module = launched_module(
        header + ".visible .entry k()\n.explicitcluster\n{\n\t.loc 1 7 3\n\tret;\n}\n.file 1 \"k.cu\"\n", "k.ptx",
        {"k"}, "folder/k.cu");
    ASSERT_FALSE(module);
    EXPECT_EQ(module.error().where, (Place{"folder/k.cu", 7, 0}));
    EXPECT_THAT(module.error().what, HasSubstr("(k.ptx:5:1)"));
}

TEST(LaunchedModule, SurvivesTextsThatAreCutOff) {
    const std::string ptx = header + bad_function + ".visible .entry k()\n{\n\t.loc 1 2 3\n\tcall bad;\n}\n/* \"";
    for (std::size_t length = 0; length <= ptx.size(); ++length)
        (void)launched_module(ptx.substr(0, length), "k.ptx", {"k"}, "k.cu");
}

}  // namespace
}  // namespace lanescope::session
