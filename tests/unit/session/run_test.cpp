#include "session/run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/narration/narration.h"
#include "run_support.h"
#include "session/whole_program.h"
#include "trace/file.h"

namespace lanescope::session {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

Request sequential() { return {.program = "reduce/sequential"}; }

// --- What runs -------------------------------------------------------------------------------------------------

TEST(Session, ARequestThatMissesEverythingTakesTheFirstProgramsDefaults) {
    const auto run = run_of({});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->program.name, catalog().front().name);
    EXPECT_EQ(run->verdict.ok, true);
    EXPECT_THAT(run->trace().findings, IsEmpty());
}

TEST(Session, ResultsThatLieApartAreFoundByTheirNames) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("diagonal.cu", R"(
__global__ void diagonal(const float* a, float* c, int n)
{
    int i = threadIdx.x;
    c[i * (n + 1)] = a[i] * 2;
}
// lanescope: arg a = input(n)
// lanescope: arg c = zeros(n * n)
// lanescope: arg n = n
// lanescope: n = 16
// lanescope: block = 16
)"),
                             .input = "iota"});
    ASSERT_NE(run, nullptr);
    const analysis::BlockPasses& passes = run->analysis->block_passes(0, BlockId(0));
    EXPECT_EQ(analysis::narrate(run->analysis->view(passes), passes.steps.size(), 32),
              "The block is done: c[0] = 0, c[17] = 2, c[34] = 4, c[51] = 6 and 12 more.");
}

TEST(Session, ABlockThatWaitsForeverIsNotDone) {
    const auto end_of = [](const Request& request) {
        const auto run = run_of(request);
        const analysis::BlockPasses& passes = run->analysis->block_passes(0, BlockId(0));
        return analysis::narrate(run->analysis->view(passes), passes.steps.size(), 32);
    };
    EXPECT_THAT(end_of({.program = "faulty/grid-barrier"}),
                StartsWith("The launch was stopped before the block ended: out[0] = "));
    EXPECT_THAT(end_of({.program = "faulty/grid-barrier", .n = 16}), StartsWith("The block is done: out[0] = "));
}

TEST(Session, ABranchWithinALineNamesTheLineOnce) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("choose.cu", R"(
__global__ void choose(const int* in, int* out, int n)
{
    int i = threadIdx.x;
    out[i] = in[i] > 7 ? in[i] * 3 : in[i] - 1;
}
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: arg n = n
// lanescope: n = 16
// lanescope: block = 16
)"),
                             .input = "iota"});
    ASSERT_NE(run, nullptr);
    const analysis::BlockPasses& passes = run->analysis->block_passes(0, BlockId(0));
    std::vector<std::string> sentences;
    for (std::size_t position = 0; position < passes.steps.size(); ++position)
        sentences.push_back(analysis::narrate(run->analysis->view(passes), position, 32));
    EXPECT_THAT(sentences, Contains(HasSubstr("fails for the other 8: two ways, both to line 5")));
}

/// Two variables of a block, and an array sized by the launch behind them.
const std::string fixed_and_sized = R"(
__global__ void pairs(const int* in, int* out)
{
    extern __shared__ int temp[];
    __shared__ int a, b;
    int tid = threadIdx.x;
    if (tid == 0) { a = 5; b = 7; }
    temp[tid] = in[tid];
    __syncthreads();
    int s = temp[tid] + (tid > 0 ? temp[tid - 1] : 0);
    __syncthreads();
    temp[tid] = s;
    __syncthreads();
    out[tid] = temp[tid];
}
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: block = 8
// lanescope: shared = block * sizeof(int)
// lanescope: n = 8
)";

TEST(Session, AnArraySizedByTheLaunchIsWholeBehindVariablesOfFixedSize) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("pairs.cu", fixed_and_sized)});
    ASSERT_NE(run, nullptr);
    const trace::Launch& launch = run->trace().launches.front();
    EXPECT_EQ(launch.dynamic_shared_bytes, 32U);
    for (const trace::SharedArray& array : run->trace().shared_arrays)
        EXPECT_LE(array.offset + array.bytes, launch.shared_bytes()) << array.name;
    EXPECT_EQ(run->analysis->work, 7U) << "one addition a thread but the first";
}

TEST(SweepOfKernels, IsRightInBothViews) {
    for (const Program& program : catalog()) {
        if (!program.recipe.expected.fault.empty() || !runs_at_any_launch(program)) continue;
        const std::uint32_t block = check_block(program, 32) ? 32 : check_block(program, 64) ? 64 : 128;
        const std::uint64_t n = std::min(*largest_n(program, {.n = 0, .block = block, .grid = 1}), std::uint64_t{95});
        for (const trace::View view : {trace::View::written, trace::View::compiled}) {
            const auto run =
                run_of({.program = program.name, .n = n, .block = block, .input = "random 5", .view = view});
            ASSERT_NE(run, nullptr) << program.name;
            EXPECT_EQ(run->verdict.ok, true) << program.name;
            EXPECT_THAT(run->trace().findings, IsEmpty()) << program.name;
            EXPECT_EQ(run->trace().origin.view, view);
        }
    }
}

TEST(SweepOfKernels, HasTheLecturesClosedFormsOfWorkAndSpan) {
    for (const Program& program : catalog()) {
        for (const std::uint32_t block : {4U, 64U, 256U}) {
            if (!check_block(program, block) || program.lesson.work.empty()) continue;
            if (program.recipe.host && cannot_run_programs()) continue;  // only its kept launch is there
            for (const trace::View view : {trace::View::written, trace::View::compiled}) {
                const auto run = run_of({.program = program.name, .n = 8 * block, .block = block, .view = view});
                ASSERT_NE(run, nullptr) << program.name;
                const Variables sizes{.n = run->n, .block = run->block, .grid = run->grid};
                EXPECT_EQ(run->analysis->work, evaluate(program.lesson.work, sizes).value())
                    << program.name << ' ' << block;
                // As compiled, sums of whole numbers may be grouped otherwise: the same work, another depth.
                if (program.lesson.span.empty() || view == trace::View::compiled) continue;
                EXPECT_EQ(run->analysis->span, evaluate(program.lesson.span, sizes).value())
                    << program.name << ' ' << block;
            }
        }
    }
}

TEST(Session, WhatTheKernelsRuleRefusesCanBeRunAnyway) {
    Progress progress;
    const Request refused{.program = "reduce/sequential", .n = 100, .block = 100};
    const auto answer = run(refused, progress);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().field, "block");
    EXPECT_TRUE(answer.error().by_rule);
    EXPECT_THAT(answer.error().problem.remedy, HasSubstr("power of two"));
    Request anyway = refused;
    anyway.anyway = true;
    const auto shown = run_of(anyway);
    ASSERT_NE(shown, nullptr);
    EXPECT_EQ(shown->verdict.ok, false);
    EXPECT_THAT(shown->notes, Contains(HasSubstr("Run anyway")));
}

TEST(Session, AStudentsConstantMemoryHoldsWhatMainPutsThere) {
    const ScratchFolder folder;
    const std::string head =
        "__constant__ int c[2];\n__global__ void k(int* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = c[1]; "
        "}\n";
    const std::string copied = head +
                               "int main() { int h[2] = {3, 4}; cudaMemcpyToSymbol(c, h, sizeof(h)); int* d; "
                               "cudaMalloc(&d, 8); k<<<1, 2>>>(d, 2); }\n";
    const std::string said = head + "// lanescope: constant c = 3 4\n";
    const auto value_of = [](const Request& request) -> std::uint64_t {
        const auto run = run_of(request);
        if (run == nullptr) return 0;
        const auto out =
            std::ranges::find_if(run->trace().buffers, [](const trace::Buffer& buffer) { return buffer.name != "c"; });
        return trace::bits_at(out->element, out->final, 0);
    };
    const std::string file = folder.add("copied.cu", copied);
    if (!cannot_run_programs()) {
        EXPECT_EQ(value_of({.program = file}), 4U);
    }
    EXPECT_EQ(value_of({.program = folder.add("said.cu", said), .n = 2}), 4U);
    // If the kernel runs alone, the data that main copies is unknown.
    const auto alone = run_of({.program = file, .n = 2});
    ASSERT_NE(alone, nullptr);
    EXPECT_THAT(alone->notes, Contains(StartsWith("The __constant__ and __device__ variables that host code")));
}

TEST(Session, AStartOrderThatNamesABlockThatTheLaunchDoesNotHaveIsRefused) {
    Request request;
    request.program = "scan/chained-blocks";
    request.block = 8;
    request.n = 24;
    request.placement.order = "descending, stall 2";
    Progress progress;
    EXPECT_TRUE(run(request, progress));
    for (const char* const order : {"stall 3", "late 1 3"}) {
        request.placement.order = order;
        const auto answer = run(request, progress);
        ASSERT_FALSE(answer) << order;
        EXPECT_EQ(answer.error().field, "order");
        EXPECT_THAT(answer.error().problem.what, HasSubstr("has no block 3"));
        EXPECT_THAT(answer.error().problem.remedy, HasSubstr("0 to 2"));
    }
}

TEST(Session, ASizeThatOneBlockCannotTakeIsRefused) {
    Progress progress;
    const auto answer = run({.program = "apply/partition", .n = 100, .block = 64}, progress);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().field, "n");
    EXPECT_TRUE(answer.error().by_rule);
    EXPECT_THAT(answer.error().problem.remedy, HasSubstr("largest n is 64"));
}

TEST(Session, WavefrontsAreWhatAnH200Counts) {
    struct Row {
        const char* program;
        std::uint64_t loads, stores;
    };
    for (const Row& row : {Row{"reduce/interleaved-modulo", 95, 55}, Row{"reduce/strided-index", 95, 55},
                           Row{"reduce/sequential", 25, 20}}) {
        const auto run = run_of({.program = row.program, .n = 256, .block = 256, .view = trace::View::compiled});
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(run->analysis->totals.shared_load_wavefronts, row.loads) << row.program;
        EXPECT_EQ(run->analysis->totals.shared_store_wavefronts, row.stores) << row.program;
    }
}

TEST(Session, ADoubleBufferedScanOf1024AppliesItsOperator9217Times) {
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        const auto run = run_of({.program = "scan/double-buffered", .n = 1024, .block = 1024, .view = view});
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(run->analysis->totals.operations, 9217U);
        EXPECT_EQ(run->analysis->work, 9217U);
        EXPECT_EQ(run->analysis->span, 10U);
    }
}

TEST(Session, SaysHowManyBlocksWereCheckedForRaces) {
    Request request{.program = "faulty/across-blocks", .n = 1024, .block = 128, .record_blocks = 1};
    const std::string note = "1 of 8 blocks were checked for races and uninitialized reads; --check checks all blocks.";
    EXPECT_THAT(run_of(request)->notes, Contains(note));
    request.check_all_blocks = true;
    EXPECT_THAT(run_of(request)->notes, Not(Contains(note)));
    EXPECT_THAT(run_of({.program = "reduce/sequential"})->notes, Not(Contains(HasSubstr("were checked for"))));
}

TEST(Session, AMainThatDoesNotCompileIsRefusedInTheCompilersWordsAtTheirLine) {
    NEEDS_HOST_CODE();
    const ScratchFolder folder;
    const std::string file = folder.add("odd.cu",
                                        "struct Base { int a; };\nstruct Odd : Base { int b; };\n"
                                        "__global__ void k(Odd* o) { o->b = 1; }\n"
                                        "int main() {\n    Odd* o = made_elsewhere();\n    k<<<1, 32>>>(o);\n}\n");
    const Refusal refusal = refusal_of({.program = file});
    EXPECT_EQ(refusal.field, "source");
    EXPECT_THAT(refusal.problem.what, HasSubstr("made_elsewhere"));
    EXPECT_EQ(refusal.problem.where.line, 5U);
}

TEST(Session, NFollowsTheBlockAsANumberAndAsAnExtentAlike) {
    EXPECT_EQ(run_of({.program = "reduce/two-elements"})->n, 16U);
    EXPECT_EQ(run_of({.program = "reduce/two-elements", .block = 64})->n, 128U);
    EXPECT_EQ(run_of({.program = "reduce/two-elements", .block_extent = trace::Dim3{64, 1, 1}})->n, 128U);
    EXPECT_EQ(run_of({.program = "reduce/sequential", .block_extent = trace::Dim3{16, 16, 1}})->n, 256U);
    const ScratchFolder folder;
    folder.add("copy.md", find_program("reduce/two-elements")->source.lesson);
    const std::string copy = folder.add("copy.cu", find_program("reduce/two-elements")->source.text);
    EXPECT_EQ(run_of({.program = copy, .block_extent = trace::Dim3{64, 1, 1}})->n, 128U) << "it says n and block, too";
    const std::string launched = folder.add("launched.cu",
                                            "__global__ void k(int* p, int n) {\n"
                                            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                            "    if (i < n) p[i] = i;\n}\n"
                                            "int main(int argc, char** argv) {\n"
                                            "    int* d; cudaMalloc(&d, 400); k<<<4, 32>>>(d, 100);\n}\n");
    EXPECT_EQ(run_of({.program = launched, .kernel = "k", .block = 128})->n, 64U) << "a guess, whatever the block";
}

TEST(Session, TypedValuesSetTheSize) {
    Request request = sequential();
    request.input = "6 4 16 10 16 14 2 8";
    request.block = 8;
    const auto run = run_of(request);
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->n, 8U);
    EXPECT_THAT(run->verdict.actual, ElementsAre("76"));
    EXPECT_THAT(run->notes, Contains(HasSubstr("n is 8")));
}

TEST(Session, TheSameRequestGivesTheSameTrace) {
    EXPECT_EQ(trace::to_bytes(run_of(sequential())->trace()), trace::to_bytes(run_of(sequential())->trace()));
}

TEST(Session, AnArgumentFromTheRequestBeatsTheGuess) {
    const ScratchFolder folder;
    const auto run =
        run_of({.program = folder.add("total.cu", student_file), .arguments = {{"len", "3"}, {"x", "ones"}}});
    ASSERT_NE(run, nullptr);
    const trace::Buffer& y = run->trace().buffers[1];
    EXPECT_EQ(trace::text_of(y.element, trace::bits_at(y.element, y.final, 0)), "3");
}

TEST(Session, APtxFileRunsWithoutASource) {
    const auto compiled = run_of({.program = "reduce/sequential", .view = trace::View::compiled});
    ASSERT_NE(compiled, nullptr);
    const ScratchFolder folder;
    const std::string file = folder.add("sequential.ptx", compiled->trace().origin.ptx);
    const auto run = run_of({.program = file, .n = 16, .block = 16, .shared_bytes = 64, .input = "iota"});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->kernel, "reduce");
    EXPECT_EQ(run->trace().origin.view, trace::View::compiled);
    const trace::Buffer& out = run->trace().buffers[1];
    EXPECT_EQ(trace::text_of(trace::Element::s32, trace::bits_at(trace::Element::s32, out.final, 0)), "120")
        << "the sum of 0 to 15";
}

TEST(Session, AWrongKernelIsShownWithItsFirstDifference) {
    const ScratchFolder folder;
    const SourceFile& sequential_file = find_program("reduce/sequential")->source;
    std::string source = sequential_file.text;
    const std::string right = "sdata[tid] += sdata[tid + s]";
    ASSERT_NE(source.find(right), std::string::npos);
    source.replace(source.find(right), right.size(), "sdata[tid] -= sdata[tid + s]");
    folder.add("wrong.md", sequential_file.lesson);
    const auto run = run_of({.program = folder.add("wrong.cu", source)});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->verdict.ok, false);
    EXPECT_EQ(run->verdict.first_difference, 0U);
    EXPECT_EQ(run->verdict.expected_there, "41");
    EXPECT_NE(run->verdict.actual_there, "41");
}

TEST(Session, AFaultyKernelHasFindingsAndIsNoRefusal) {
    Request request = sequential();
    request.shared_bytes = 8;
    const auto run = run_of(request);
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(run->trace().findings,
                Contains(testing::Field(&trace::Finding::kind, trace::Finding::Kind::out_of_bounds)));
}

// --- What is refused, and at which field -----------------------------------------------------------------------

struct Refused {
    const char* what;
    Request request;
    const char* field;
    const char* says;
};

class RefusedField : public testing::TestWithParam<Refused> {};

TEST_P(RefusedField, IsNamedWithWhatIsAllowed) {
    const Refusal refusal = refusal_of(GetParam().request);
    EXPECT_EQ(refusal.field, GetParam().field);
    EXPECT_THAT(refusal.problem.message(), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Session, RefusedField,
    testing::Values(
        Refused{"NoSuchKernel", {.program = "sequentail"}, "program", "Did you mean \"reduce/sequential\"?"},
        Refused{"NoSuchFile", {.program = "nowhere/none.cu"}, "program", "none.cu"},
        Refused{"NoSuchKernelInIt",
                {.program = "reduce/sequential", .kernel = "reduec"},
                "kernel",
                "Did you mean \"reduce\"?"},
        Refused{"NoThreads", {.program = "reduce/sequential", .block = 0}, "block", "1 to 1,024 threads"},
        Refused{"TooManyThreads", {.program = "reduce/sequential", .block = 2048}, "block", "1 to 1,024 threads"},
        Refused{"AgainstTheKernelsRule", {.program = "reduce/sequential", .block = 100}, "block", "power of two"},
        Refused{"OverflowingBlock",
                {.program = "scan/double-buffered", .block_extent = trace::Dim3{65536, 65536, 65536}},
                "block",
                "1 to 1,024 threads"},
        Refused{"DeepBlock",
                {.program = "scan/double-buffered", .block_extent = trace::Dim3{1, 1, 128}},
                "block",
                "1 to 64"},
        Refused{"NoElements", {.program = "reduce/sequential", .n = 0}, "n", "1 to 2²⁴"},
        Refused{"TooManyElements", {.program = "reduce/sequential", .n = (1U << 24) + 1}, "n", "1 to 2²⁴"},
        Refused{"NoBlocks", {.program = "reduce/sequential", .grid = 0}, "grid", "1 to 2²⁴"},
        Refused{"TooManyBlocks", {.program = "reduce/sequential", .grid = ~0ULL}, "grid", "1 to 2²⁴"},
        Refused{
            "TallGrid", {.program = "reduce/sequential", .grid_extent = trace::Dim3{1, 70000, 1}}, "grid", "65,535"},
        Refused{"TooMuchShared", {.program = "reduce/sequential", .shared_bytes = 227 * 1024 + 1}, "shared", "227 KB"},
        Refused{"UnreadableInput", {.program = "reduce/sequential", .input = "1 2 x"}, "input", "at character 5"},
        Refused{
            "InputThatDoesNotFit", {.program = "reduce/sequential", .input = "99999999999"}, "input", "99999999999"},
        Refused{"OldArchitecture", {.program = "reduce/sequential", .arch = 60}, "arch", "one of 75, 80"},
        Refused{"NoSuchParameter",
                {.program = "reduce/sequential", .arguments = {{"ni", "3"}}},
                "argument",
                "Did you mean \"in\"?"},
        Refused{"HugeBuffer",
                {.program = "reduce/sequential", .arguments = {{"out", "zeros(n * 1000000000)"}}},
                "argument",
                "All buffers together have at most"},
        Refused{"UnreadablePlan",
                {.program = "reduce/sequential", .arguments = {{"out", "zeros(grdi)"}}},
                "argument",
                "grdi"}),
    [](const auto& row) { return row.param.what; });

TEST(Session, ASourceThatDoesNotCompileComesWithDiagnosticsAtTheirLines) {
    const ScratchFolder folder;
    const Refusal refusal =
        refusal_of({.program = folder.add("bad.cu", "__global__ void k(int* x)\n{\n    x[0] = y;\n}\n")});
    EXPECT_EQ(refusal.field, "source");
    ASSERT_THAT(refusal.diagnostics, testing::Not(IsEmpty()));
    EXPECT_EQ(refusal.diagnostics.front().line, 3U);
    EXPECT_THAT(refusal.diagnostics.front().text, HasSubstr("y"));
}

TEST(Session, ACancelledRunGivesNoPicture) {
    Progress progress;
    progress.cancel();
    const auto run = session::run(sequential(), progress);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().field, "cancelled");
}

std::shared_ptr<const Run> run_of_5000(const std::string& program, const std::string& kernel_name) {
    Progress progress;
    auto run = session::run({.program = program, .kernel = kernel_name, .n = 5000, .block = 128}, progress);
    EXPECT_TRUE(run) << run.error().problem.message();
    return *std::move(run);
}

TEST(Run, OfAnyArgumentThatTheReferenceNamesIsJudgedAndHasItsGrid) {
    for (const unsigned values : {1U, 4U, 7U, 8U, 9U, 11U}) {
        for (const auto& [program, format] : {std::pair("reduce/values-per-thread", "reduce<128, {}>"),
                                              std::pair("reduce/two-register-stages", "reduce<128, {}, 32>")}) {
            const auto run = run_of_5000(program, fmt::format(fmt::runtime(format), values));
            EXPECT_EQ(run->verdict.ok, true) << program << values;
            EXPECT_EQ(run->grid, (5000 + 128 * values - 1) / (128 * values)) << program << values;
            EXPECT_EQ(run->verdict.compared, run->grid) << "one sum a block, " << program << values;
        }
    }
}

TEST(Run, OfAnotherInstanceThanTheDescribedOneIsNotJudgedByItsReference) {
    EXPECT_EQ(run_of_5000("reduce/values-per-thread", "")->verdict.ok, true);
    const auto half = run_of_5000("reduce/values-per-thread", "reduce<64, 4>");
    EXPECT_EQ(half->verdict.ok, std::nullopt) << "half of the block's threads are outside of its shared array";
    EXPECT_THAT(half->notes, testing::Contains(testing::HasSubstr("its CPU reference is of reduce<block, vt>")));
}

TEST(Run, WithoutAnArgumentForATemplateParameterSaysWhich) {
    Progress progress;
    const auto run = session::run({.program = "reduce/values-per-thread", .kernel = "reduce<128>"}, progress);
    ASSERT_FALSE(run);
    EXPECT_THAT(run.error().problem.message(),
                testing::HasSubstr("reduce<128> has no argument for the template parameter \"int vt\""));
}

}  // namespace
}  // namespace lanescope::session
