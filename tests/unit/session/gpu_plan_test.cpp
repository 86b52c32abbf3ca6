// The GPU launches planned for sizes too large to emulate, compared with the emulator at smaller sizes.
#include "session/gpu_plan.h"
#include "execute/emulator/emulation.h"
#include "run_support.h"
#include "session/input.h"
#include "session/periodic_oracle.h"
#include "session/small_run.h"

#include <gmock/gmock.h>

namespace lanescope::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const Run> small_run(const std::string& program, std::uint32_t block, const std::string& kernel = {}) {
    Request request;
    request.program = program;
    request.kernel = kernel;
    request.n = 16ULL * block;
    request.block = block;
    request.input = "random 7";
    request.view = trace::View::compiled;
    request.multiprocessors = 4;
    Progress progress;
    auto answer = run(request, progress);
    if (!answer) throw std::runtime_error(answer.error().problem.message());
    return *answer;
}

GpuSize size_of(std::uint64_t n) { return {.n = n, .multiprocessors = 4, .resident_threads = 4 * 2048ULL}; }

GpuPlan plan_of(const Run& run, const GpuSize& size) {
    auto plan = plan_for_gpu(run, size);
    if (!plan) throw std::runtime_error(plan.error().message());
    return *plan;
}

std::vector<std::uint64_t> grids_of(const GpuPlan& plan) {
    std::vector<std::uint64_t> grids;
    grids.reserve(plan.work.launches.size());
    for (const execute::GpuLaunch& launch : plan.work.launches) grids.push_back(launch.grid.count());
    return grids;
}

/// The output of the plan's launches on the emulator.
std::vector<std::byte> emulated(const GpuPlan& plan, const Run& run) {
    Progress progress;
    const auto trace = execute::emulate(run.module(), emulation_of(plan, run), {.record_blocks = 0}, progress);
    if (!trace) throw std::runtime_error(trace.error().message());
    EXPECT_TRUE((*trace)->findings.empty());
    const SparseBytes& left = (*trace)->buffers[*plan.output].final;
    return {left.begin(), left.end()};
}

// scan/one-round-trip is timed with four rows a thread up to 2^19 elements, and with eight beyond.
TEST(SmallRun, IsOfTheInstanceOfTheFinalSize) {
    Request request;
    request.program = "scan/one-round-trip";
    request.n = std::uint64_t{1} << 20;
    request.block = 256;
    request.view = trace::View::compiled;
    request.multiprocessors = 132;
    Progress progress;
    const auto run = session::small_run(request, progress);
    ASSERT_TRUE(run);
    EXPECT_LE((*run)->n, most_instance);
    GpuSize size = size_of(std::uint64_t{1} << 24);
    size.multiprocessors = 132;
    EXPECT_TRUE(plan_for_gpu(**run, size));
    size.n = 1 << 18;
    const auto other = plan_for_gpu(**run, size);
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().what, HasSubstr("another template instance"));
}

// The copies that restore a variable before each run are queued with the launches: a thousand of them outlast the
// delay.
TEST(GpuPlan, RestoresOnlyTheVariablesThatTheKernelNames) {
    const auto run = small_run("reduce/tiles", 256);
    EXPECT_GT(run->module().variables.size(), 1000U) << "of the headers of cooperative groups";
    EXPECT_LT(plan_of(*run, size_of(1U << 20)).work.variables.size(), 10U);
    const GpuPlan chained = plan_of(*small_run("scan/chained-blocks", 256), size_of(1U << 20));
    EXPECT_FALSE(chained.work.variables.empty()) << "the ticket, and the sum so far";
}

TEST(GpuPlan, LaunchesAReductionAgainUntilOneValueIsLeft) {
    const auto run = small_run("reduce/sequential", 256);
    const GpuPlan plan = plan_of(*run, size_of(std::uint64_t{1} << 30));
    EXPECT_THAT(grids_of(plan), ElementsAre(1U << 22, 1U << 14, 64, 1));
    EXPECT_TRUE(plan.until_one);
    EXPECT_EQ(plan.oracle, "sum");
    EXPECT_EQ(plan.bytes, std::uint64_t{4} << 30) << "the partial results need not be";
    EXPECT_LE(plan.work.buffers[0].period.size(), 4 * input_period) << "the host does not hold 4 GiB";
    EXPECT_EQ(plan.work.buffers[0].filled, std::uint64_t{4} << 30);
    EXPECT_EQ(plan.work.buffers[*plan.output].bytes, 4U);
    EXPECT_EQ(plan.work.buffers[*plan.output - 1].bytes, 256 * 4U) << "64 values, and zeros up to a whole block's";
}

TEST(GpuPlan, OfOneLaunchLeavesAValueABlock) {
    const auto run = small_run("reduce/sequential", 256);
    GpuSize size = size_of(1 << 20);
    size.until_one = false;
    const GpuPlan plan = plan_of(*run, size);
    EXPECT_THAT(grids_of(plan), ElementsAre(4096));
    EXPECT_EQ(plan.oracle, "block-sum");
}

TEST(GpuPlan, PadsPartialResultsAsTheInputIsPadded) {
    // 1000 elements in blocks of 64: 16 partial sums, of which the second launch reads a whole block of 64.
    const auto run = small_run("reduce/sequential", 64);
    const GpuPlan plan = plan_of(*run, size_of(1000));
    EXPECT_THAT(grids_of(plan), ElementsAre(16, 1));
    EXPECT_EQ(plan.work.buffers[1].bytes, 64 * 4U);
    EXPECT_TRUE(judge_periodic(plan, emulated(plan, *run))->exact);
}

TEST(GpuPlan, FillsTheDeviceWhereTheKernelLeavesTheGridToTheLaunch) {
    const auto run = small_run("reduce/one-launch", 256);
    EXPECT_EQ(plan_of(*run, size_of(1 << 24)).grid, 4 * 8U);
    GpuSize size = size_of(1 << 24);
    size.per_thread = 64;
    EXPECT_EQ(plan_of(*run, size).grid, (1U << 24) / (64 * 256));
    EXPECT_TRUE(grid_is_free(run->program));
    EXPECT_FALSE(grid_is_free(small_run("reduce/sequential", 64)->program));
}

TEST(GpuPlan, OfAKernelThatTakesNoMoreElementsSaysWhy) {
    NEEDS_HOST_CODE();
    const auto plan = plan_for_gpu(*small_run("scan/three-launches", 64), size_of(1 << 20));
    EXPECT_TRUE(plan) << "host code is planned as it was run";
    const auto refused = plan_for_gpu(*small_run("apply/root-mean-square", 64), size_of(1 << 20));
    EXPECT_TRUE(refused) << refused.error().message();
}

TEST(GpuPlan, OfAProgramWhoseHostWritesWereDroppedIsRefused) {
    session::Run run = *small_run("reduce/sequential", 64);
    run.program.recipe.host = true;
    EXPECT_TRUE(plan_for_gpu(run, size_of(1 << 20)));
    run.notes.emplace_back(execute::host_writes_dropped);
    const auto refused = plan_for_gpu(run, size_of(1 << 20));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().what, HasSubstr("writes too much between the launches"));
}

TEST(GpuPlan, NamesTheInstanceOfATemplateForAnotherType) {
    const Program* program = find_program("reduce/one-launch");
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(kernel_of_type(*program, "int"), "");
    EXPECT_THAT(*kernel_of_type(*program, "float"), HasSubstr("reduce<float, block"));
    EXPECT_EQ(kernel_of_type(*find_program("reduce/sequential"), "float"), "reduce<float>");
    EXPECT_EQ(kernel_of_type(*find_program("reduce/sequential"), "int"), "");
    EXPECT_EQ(kernel_of_type(*find_program("reduce/warp-instruction"), "float"), std::nullopt);
}

// --- The oracle
// -------------------------------------------------------------------------------------------------------

class PeriodicOracle : public testing::TestWithParam<const char*> {};

TEST_P(PeriodicOracle, FindsRightWhatTheEmulatorComputesAndWrongWhatIsChanged) {
    const auto run = small_run(GetParam(), 64);
    const GpuPlan plan = plan_of(*run, size_of(5000));
    std::vector<std::byte> output = emulated(plan, *run);
    const auto right = judge_periodic(plan, output);
    ASSERT_TRUE(right);
    EXPECT_TRUE(right->ok) << right->first_difference << ": " << right->expected << ", not " << right->actual;
    ASSERT_GT(right->compared, 0U);

    // A large change: float sums may differ a little.
    const std::size_t last = right->compared - 1;
    const std::uint64_t bits = trace::bits_at(plan.element, output, last) ^ 0x4000'0000U;
    for (unsigned i = 0; i < 4; ++i) output[last * 4 + i] = std::byte(bits >> (8 * i));
    const auto wrong = judge_periodic(plan, output);
    EXPECT_FALSE(wrong->ok);
    EXPECT_EQ(wrong->first_difference, last);
    output.resize(output.size() / 2);
    EXPECT_FALSE(judge_periodic(plan, output)->ok) << "half is missing";
}

std::string name_of(const testing::TestParamInfo<const char*>& info) {
    std::string name = info.param;
    for (char& c : name) c = c == '/' || c == '-' ? '_' : c;
    return name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, PeriodicOracle,
                         testing::Values("reduce/sequential", "reduce/maximum", "reduce/grid-stride", "reduce/atomic",
                                         "reduce/two-elements", "reduce/butterfly", "reduce/one-launch",
                                         "scan/double-buffered", "scan/padded", "scan/look-back", "scan/chained-blocks",
                                         "apply/dot-product", "apply/root-mean-square"),
                         name_of);

TEST(PeriodicOracle, KnowsTheSumsOf230Elements) {
    const auto run = small_run("reduce/sequential", 256);
    const GpuPlan plan = plan_of(*run, size_of(std::uint64_t{1} << 30));
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < input_period; ++i)
        sum += static_cast<std::uint32_t>(trace::bits_at(plan.element, plan.work.buffers[0].period, i));
    std::vector<std::byte> output;
    append_element(output, plan.element, std::uint32_t(sum * 1024));
    const auto verdict = judge_periodic(plan, output);
    ASSERT_TRUE(verdict);
    EXPECT_TRUE(verdict->exact);
}

}  // namespace
}  // namespace lanescope::session
