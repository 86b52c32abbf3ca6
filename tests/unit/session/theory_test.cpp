// Theory of the built-in programs, and its parts that only the program knows.
#include "session/theory.h"

#include "session/saved_trace.h"

#include "analysis/theory/greedy_schedule.h"
#include "analysis/theory/operation_graph.h"
#include "places.h"
#include "run_support.h"
#include "trace/file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

namespace lanescope::session {
namespace {

TEST(SweepOfKernels, ObeysBrentsTheoremAndAgreesWithTheAnalysis) {
    std::size_t with_work = 0;
    for (const Program& program : catalog()) {
        SCOPED_TRACE(program.name);
        if (!runs_at_any_launch(program)) continue;
        Progress progress;
        const auto ran = run({.program = program.name, .anyway = true}, progress);
        if (!ran) continue;  // its faulty launch is refused
        const analysis::TheoryPicture picture = theory_of(**ran, 0);
        const analysis::Analysis& analysis = *(*ran)->analysis;
        // With results of unknown use, too: as Provenance counts them.
        EXPECT_EQ(picture.work, picture.of_addresses ? analysis.address_work.value_or(0) : analysis.provenance->work());
        if (!picture.of_addresses) {
            EXPECT_EQ(picture.span, analysis.provenance->span());
        }
        EXPECT_EQ(picture.exact, analysis.work.has_value() && !(*ran)->trace().is_cut_short());
        if (picture.work == 0) continue;
        ++with_work;
        std::uint64_t steps = 0;
        for (const analysis::LaunchTheory& launch : picture.launches) steps += launch.steps;
        EXPECT_GE(steps, picture.span);
        EXPECT_LE(steps, picture.work);
        for (const analysis::ScheduledSteps& at : picture.schedule) {
            EXPECT_GE(at.steps, (picture.work + at.processors - 1) / at.processors) << at.processors;
            EXPECT_GE(at.steps, picture.span) << at.processors;
            EXPECT_LE(at.processors * at.steps, at.processors * picture.span + picture.work - picture.span)
                << at.processors;
        }
        EXPECT_EQ(picture.schedule.front().steps, picture.work);
    }
    EXPECT_GT(with_work, 40U);
}

TEST(Theory, OfAReductionOf1024WithNProcessorsCostsTenTimesItsWork) {
    const auto run = run_of({.program = "reduce/sequential", .n = 1024, .block = 1024});
    const analysis::TheoryPicture picture = theory_of(*run, 0);
    EXPECT_EQ(picture.work, 1023U);
    EXPECT_EQ(picture.span, 10U);
    ASSERT_EQ(picture.launches.size(), 1U);
    EXPECT_EQ(picture.launches[0].threads, 1024U);
    EXPECT_EQ(picture.launches[0].steps, 10U);
    EXPECT_EQ(picture.cost(), 10'240U);
    ASSERT_EQ(picture.processors.size(), 4U);
    EXPECT_EQ(picture.processors[0].processors, 1024U);
    EXPECT_EQ(picture.processors[0].cost(), 10'240U);
    EXPECT_EQ(picture.processors[1].processors, 102U);  // N / log2 N = 102.4
    // About 2 x log N steps, as the lecture says; the cost is at most twice the work.
    EXPECT_LE(picture.processors[1].steps, 20U);
    EXPECT_LE(picture.processors[1].cost(), 2 * picture.work);
    EXPECT_EQ(picture.processors[3].processors, 1U);
    EXPECT_EQ(picture.processors[3].steps, 1023U);
    ASSERT_EQ(picture.forms.size(), 2U);
    EXPECT_EQ(picture.forms[0].measured, picture.forms[0].value);
    EXPECT_TRUE(picture.exact);
    EXPECT_THAT(picture.scope, testing::IsEmpty());
}

TEST(Theory, OfOneThreadGainsNothingFromProcessors) {
    const auto run = run_of({.program = "reduce/one-thread", .n = 64});
    const analysis::TheoryPicture picture = theory_of(*run, 0);
    EXPECT_EQ(picture.work, picture.span);
    for (const analysis::ScheduledSteps& at : picture.schedule) EXPECT_EQ(at.steps, picture.work);
    // One of the block's threads works; all of them are paid for.
    EXPECT_EQ(picture.launches[0].steps, picture.work);
    EXPECT_EQ(picture.cost(), picture.launches[0].threads * picture.work);
}

TEST(Theory, DistinguishesAddressWorkFromWork) {
    const auto run = run_of({.program = "apply/partition"});
    const analysis::TheoryPicture picture = theory_of(*run, 0);
    EXPECT_GT(picture.address_work, 0U);
    EXPECT_EQ(picture.address_work, run->analysis->address_work);
}

TEST(Theory, SaysOfWhichBlocksItIs) {
    const auto run = run_of({.program = "reduce/sequential", .n = 1024, .block = 16, .record_blocks = 4});
    const analysis::TheoryPicture picture = theory_of(*run, 0);
    EXPECT_FALSE(picture.exact);
    ASSERT_THAT(picture.scope, testing::Not(testing::IsEmpty()));
    EXPECT_THAT(picture.scope.front(), testing::StartsWith("4 of 64 blocks recorded"));
    EXPECT_EQ(picture.work, 4U * 15U);
    EXPECT_EQ(picture.launches[0].threads, 1024U);
    EXPECT_THAT(picture.processors, testing::IsEmpty());
    // The closed form is of all blocks: it is not compared with a part.
    for (const analysis::ClosedForm& form : picture.forms) EXPECT_EQ(form.measured, std::nullopt);
}

TEST(Theory, CountsTheElementsOfALaunchOnce) {
    const auto run = run_of({.program = "reduce/sequential", .n = 64, .block = 16});
    const analysis::TheoryPicture picture = theory_of(*run, 0);
    ASSERT_EQ(picture.launches[0].elements.size(), 2U);
    const analysis::GlobalElements& in = picture.launches[0].elements[0];
    const analysis::GlobalElements& out = picture.launches[0].elements[1];
    EXPECT_EQ(in.read, 64U);
    EXPECT_EQ(in.written, 0U);
    EXPECT_EQ(in.bytes(), 256U);
    EXPECT_EQ(out.read, 0U);
    EXPECT_EQ(out.written, 4U);
    // Blocks of 16 ints: two sectors each, and one for the result.
    EXPECT_EQ(picture.launches[0].sectors_read, 8U);
    EXPECT_EQ(picture.launches[0].sectors_written, 4U);
}

TEST(SweepOfBlocks, HasTheLecturesTimeAndItsArithmetic) {
    const auto run = run_of(
        {.program = "reduce/interleaved-modulo", .n = std::uint64_t{1} << 22U, .block = 128, .record_blocks = 1});
    const analysis::TheoryPicture picture = theory_of(*run, 0);
    const auto printed = std::ranges::find_if(
        picture.times, [](const analysis::TimedBytes& time) { return std::abs(time.microseconds - 8054) < 0.5; });
    ASSERT_NE(printed, picture.times.end());
    EXPECT_EQ(printed->elements, std::uint64_t{1} << 22U);
    EXPECT_EQ(printed->bytes, std::uint64_t{1} << 24U);
    EXPECT_NEAR(printed->gigabytes_per_second(), 2.083, 0.0005);
}

TEST(Theory, HasNoTimeOfAnotherSize) {
    const auto run = run_of({.program = "reduce/interleaved-modulo", .n = 16, .block = 16});
    EXPECT_THAT(theory_of(*run, 0).times, testing::IsEmpty());
}

std::vector<analysis::WorkAtSize> measured(const WorkBySize& sizes) {
    std::vector<analysis::WorkAtSize> all;
    Progress progress;
    measure_work(sizes, progress, [&](const analysis::WorkAtSize& size) { all.push_back(size); });
    return all;
}

TEST(WorkBySize, OfADoubleBufferedScanInOneBlockIsNLogNLessNMinus1) {
    const auto run = run_of({.program = "scan/double-buffered", .n = 16, .block = 16});
    const auto all = measured(work_by_size(*run));
    ASSERT_EQ(all.size(), 10U);
    for (const analysis::WorkAtSize& at : all) {
        const auto log = static_cast<std::uint64_t>(std::log2(at.n));
        EXPECT_EQ(at.block, at.n);
        EXPECT_EQ(at.grid, 1U);
        EXPECT_EQ(at.work, at.n * log - (at.n - 1)) << at.n;
        EXPECT_EQ(at.form, at.work) << at.n;
    }
}

TEST(SweepOfSizes, OfSeveralBlocksKeepsTheirSize) {
    const auto run = run_of({.program = "reduce/sequential", .n = 64, .block = 16});
    const WorkBySize sizes = work_by_size(*run);
    EXPECT_THAT(sizes.note, testing::StartsWith("In blocks of 16 threads."));
    ASSERT_THAT(sizes.sizes, testing::Not(testing::IsEmpty()));
    EXPECT_EQ(sizes.sizes.front(), (WorkBySize::Size{.n = 16, .block = 16}));
    const auto all = measured(sizes);
    ASSERT_THAT(all, testing::Not(testing::IsEmpty()));
    for (const analysis::WorkAtSize& at : all) EXPECT_EQ(at.work, at.n - at.n / 16);
}

TEST(WorkBySize, EndsWhereItIsCancelled) {
    const auto run = run_of({.program = "scan/double-buffered", .n = 16, .block = 16});
    Progress progress;
    std::size_t found = 0;
    measure_work(work_by_size(*run), progress, [&](const analysis::WorkAtSize&) {
        ++found;
        progress.cancel();
    });
    EXPECT_EQ(found, 1U);
}

TEST(WorkBySize, SaysWhyThereIsNone) {
    const auto run = run_of({.program = "scan/double-buffered", .n = 16, .block = 16});
    session::Run host = *run;
    host.program.recipe.host = true;
    host.n = 0;  // as of a main
    EXPECT_THAT(work_by_size(host).sizes, testing::IsEmpty());
    EXPECT_THAT(work_by_size(host).note, testing::HasSubstr("host code"));
    const ScratchFolder folder;
    const std::filesystem::path file = folder.path() / "run.lanescope";
    ASSERT_TRUE(trace::save(run->trace(), file));
    const auto saved = open_trace(file);
    ASSERT_TRUE(saved);
    EXPECT_THAT(work_by_size(**saved).sizes, testing::IsEmpty());
    EXPECT_EQ(work_by_size(**saved).note, "A saved trace has one size.");
    EXPECT_EQ(theory_of(**saved, 0).work, theory_of(*run, 0).work);
}

TEST(WorkBySize, IsNotMeasuredOfAMainThatSaysHowLargeEverythingIs) {
    NEEDS_HOST_CODE();
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("main.cu", R"(__global__ void copy(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
int main() {
    int *x, *y;
    cudaMalloc(&x, 40 * sizeof(int));
    cudaMalloc(&y, 40 * sizeof(int));
    cudaMemset(x, 0, 40 * sizeof(int));
    copy<<<5, 8>>>(x, y, 40);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
})")});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(work_by_size(*run).sizes, testing::IsEmpty());
    EXPECT_THAT(work_by_size(*run).note, testing::HasSubstr("host code chooses the sizes"));
}

TEST(WorkBySize, HasOneIdentityForRunsWithTheSameAnswers) {
    const auto run = run_of({.program = "scan/double-buffered", .n = 16, .block = 16});
    const auto larger = run_of({.program = "scan/double-buffered", .n = 64, .block = 64});
    const auto other = run_of({.program = "scan/double-buffered", .n = 64, .block = 16});
    EXPECT_EQ(work_by_size(*run).identity(), work_by_size(*larger).identity());
    EXPECT_NE(work_by_size(*run).identity(), work_by_size(*other).identity());
}

TEST(WorkBySize, HasAnotherIdentityWhereTheAnswersAreOthers) {
    const Request request{.program = "reduce/sequential", .n = 16, .block = 16};
    const std::string identity = work_by_size(*run_of(request)).identity();
    Request view = request;
    view.view = trace::View::compiled;
    EXPECT_NE(work_by_size(*run_of(view)).identity(), identity);
    Request input = request;
    input.input = "iota";
    EXPECT_NE(work_by_size(*run_of(input)).identity(), identity);
    ScratchFolder folder;
    Request file = request;
    file.program = folder.add("sum.cu", student_file);
    const std::string before = work_by_size(*run_of(file)).identity();
    std::string edited = student_file;
    edited.replace(edited.find("s[t] += s[t + d]"), 16, "s[t] = s[t + d]");
    folder.add("sum.cu", edited);
    EXPECT_NE(work_by_size(*run_of(file)).identity(), before);
}

TEST(Theory, WhatAStructureIsInitializedWithIsAConstantInBothViews) {
    // As written, NVRTC keeps {1, 0} in memory; compiled, in registers.
    const ScratchFolder folder;
    const std::string file = folder.add("maps.cu", R"(struct Map { int slope, offset; };
__device__ Map compose(Map f, Map g) { return {g.slope * f.slope, g.slope * f.offset + g.offset}; }
__global__ void shift(const int* in, int* out)
{
    int i = threadIdx.x;
    Map f = i > 0 ? Map{in[i - 1], 0} : Map{1, 0};
    out[i] = compose(Map{3, 4}, f).offset;
}
)");
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        Progress progress;
        const auto run = session::run({.program = file, .n = 32, .block = 32, .view = view}, progress);
        ASSERT_TRUE(run) << run.error().problem.message();
        EXPECT_EQ((*run)->trace().launches.front().blocks.size(), 1U);
        EXPECT_EQ((*run)->analysis->totals.operations, 0U) << "a constant and a value of the input make no operation";
        EXPECT_EQ((*run)->analysis->work, 0U);
        EXPECT_TRUE((*run)->trace().findings.empty()) << (*run)->trace().findings.front().message;
    }
}

struct KernelOfDecisions {
    const char* name;
    std::string text;
    std::uint64_t work, span;
};

/// One block of 16 threads. What is compared does not change how often it is: each input makes the same work.
void expect_theory(const std::vector<KernelOfDecisions>& kernels, const std::vector<const char*>& inputs) {
    const ScratchFolder folder;
    for (const KernelOfDecisions& kernel : kernels) {
        const std::string file = folder.add(kernel.name, kernel.text);
        for (const trace::View view : {trace::View::written, trace::View::compiled}) {
            for (const char* const input : inputs) {
                SCOPED_TRACE(fmt::format("{}, {}, {}", kernel.name,
                                         view == trace::View::written ? "written" : "compiled", input));
                Progress progress;
                const auto run =
                    session::run({.program = file, .n = 16, .block = 16, .input = input, .view = view}, progress);
                ASSERT_TRUE(run) << run.error().problem.message();
                const analysis::TheoryPicture theory = theory_of(**run, 0);
                EXPECT_EQ(theory.work, kernel.work);
                EXPECT_EQ(theory.span, kernel.span);
                EXPECT_GE((*run)->analysis->totals.operations, kernel.work);
            }
        }
    }
}

TEST(Theory, AComparisonThatSelectsOneOfTwoValuesIsOneOperation) {
    const std::string load =
        "    __shared__ int s[16], at[16];\n    int t = threadIdx.x;\n    s[t] = x[t];\n    at[t] = t;\n";
    const auto tree = [&](const std::string& step, const std::string& result) {
        return "struct Less { __device__ bool operator()(int a, int b) const { return a < b; } };\n"
               "__global__ void k(const int* x, int* out) {\n" +
               load + "    for (int d = 8; d > 0; d /= 2) {\n        __syncthreads();\n        if (t < d) {\n" + step +
               "        }\n    }\n    if (t == 0) *out = " + result + ";\n}\n";
    };
    expect_theory(
        {
            {"selected.cu", tree("s[t] = s[t] > s[t + d] ? s[t] : s[t + d];", "s[0]"), 15, 4},
            {"replaced.cu", tree("if (s[t + d] > s[t]) s[t] = s[t + d];", "s[0]"), 15, 4},
            {"functor.cu", tree("if (Less()(s[t], s[t + d])) s[t] = s[t + d];", "s[0]"), 15, 4},
            {"pair.cu",
             tree("int v = s[t + d];\nif (v > s[t] || (v == s[t] && at[t + d] < at[t])) { s[t] = v; at[t] = at[t + d]; "
                  "}",
                  "100 * s[0] + at[0]"),
             15, 4},
            {"index.cu", tree("if (s[t + d] > s[t]) { s[t] = s[t + d]; at[t] = at[t + d]; }", "at[0]"), 15, 4},
            // log2 16 stages of 1, 2, 3 and 4 steps, each of 8 exchanges.
            {"sort.cu",
             "__global__ void k(const int* x, int* out) {\n" + load +
                 "    for (int k = 2; k <= 16; k *= 2)\n        for (int j = k / 2; j > 0; j /= 2) {\n"
                 "            __syncthreads();\n            int p = t ^ j;\n"
                 "            if (p > t && (s[t] > s[p]) == ((t & k) == 0)) { int h = s[t]; s[t] = s[p]; s[p] = h; }\n"
                 "        }\n    __syncthreads();\n    out[t] = s[t];\n}\n",
             80, 10},
        },
        {"random 1", "ones", "iota"});
}

TEST(Theory, ASumOfFlagsIsWork) {
    const std::string load = "    __shared__ int s[16];\n    int t = threadIdx.x;\n    s[t] = x[t] > 3 ? 1 : 0;\n";
    const std::string begin = "__global__ void k(const int* x, int* out) {\n";
    expect_theory(
        {{"tree.cu",
          begin + load +
              "    for (int d = 8; d > 0; d /= 2) {\n        __syncthreads();\n        if (t < d) s[t] += s[t + d];\n"
              "    }\n    if (t == 0) *out = s[0];\n}\n",
          15, 4},
         {"scan.cu",
          begin + load +
              "    for (int d = 1; d < 16; d *= 2) {\n        __syncthreads();\n        int v = t >= d ? s[t - d] : "
              "0;\n"
              "        __syncthreads();\n        s[t] += v;\n    }\n    out[t] = s[t];\n}\n",
          49, 4},
         {"atomic.cu", begin + "    int flag = x[threadIdx.x] > 3;\n    atomicAdd(out, flag);\n}\n", 15, 15},
         {"ballot.cu",
          begin + "    int n = __popc(__ballot_sync(0xffff, x[threadIdx.x] > 3));\n    if (threadIdx.x == 0) *out = "
                  "n;\n}\n",
          15, 4},
         {"barrier.cu",
          begin + "    int n = __syncthreads_count(x[threadIdx.x] > 3);\n    if (threadIdx.x == 0) *out = n;\n}\n", 15,
          4}},
        {"random 1", "ones", "iota"});
}

TEST(Theory, WhatGuardsALoopABoundOrAFilterIsNoWork) {
    const std::string begin = "__global__ void k(const int* x, int* out) {\n    int t = threadIdx.x;\n";
    expect_theory(
        {{"bound.cu", begin + "    if (t < 15) out[t] = x[t + 1];\n}\n", 0, 0},
         {"filter.cu", begin + "    if (x[t] > 0) out[t] = x[t];\n}\n", 0, 0},
         {"loop.cu", begin + "    int n = 0;\n    for (int i = x[t]; i < x[15]; ++i) n = t;\n    out[t] = n;\n}\n", 0,
          0},
         {"clamped.cu", begin + "    out[t] = x[t] > 7 ? 7 : x[t];\n}\n", 0, 0}},
        {"random 1", "iota"});
}

TEST(Theory, WhereTheSumsOnlyDecideAddressesTheAddressWorkIsScheduled) {
    Progress progress;
    const auto run = session::run({.program = "apply/partition"}, progress);
    ASSERT_TRUE(run) << run.error().problem.message();
    EXPECT_EQ((*run)->analysis->work, 0U);
    const analysis::TheoryPicture theory = theory_of(**run, 0);
    EXPECT_TRUE(theory.of_addresses);
    EXPECT_EQ(theory.work, (*run)->analysis->address_work);
    EXPECT_EQ(theory.span, 5U) << "four steps of the scan, and the place of what is not less";
    EXPECT_EQ(theory.schedule.front().steps, theory.work);
}

TEST(Theory, EveryLaunchOfAKernelClassifiesItsAdditionsAlike) {
    NEEDS_HOST_CODE();
    // The first generation is input; the later ones are what conditions have made of it.
    Progress progress;
    const auto run = session::run(
        {.program = LANESCOPE_SOURCE_DIR "/tests/programs/game_of_life/main.cu", .anyway = true}, progress);
    ASSERT_TRUE(run) << run.error().problem.message();
    const std::vector<analysis::GridPass>& passes = (*run)->analysis->passes;
    ASSERT_GT(passes.size(), 2U);
    for (const analysis::GridPass& pass : passes) {
        EXPECT_EQ(pass.work, 0U) << "launch " << pass.launch;
        EXPECT_EQ(pass.address_work, 7U * 32 * 16) << "eight neighbors of each cell, launch " << pass.launch;
    }
}

}  // namespace
}  // namespace lanescope::session
