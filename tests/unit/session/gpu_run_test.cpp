// A program of host code whose launches run on another machine than the emulator: its results and the plan of its
// launches are the same. An emulator of single launches takes the place of a GPU.
#include "session/gpu_plan.h"
#include "session/run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <stdexcept>

#include "run_support.h"

namespace lanescope::session {
namespace {

using testing::HasSubstr;

class Elsewhere : public execute::BlockRunner {
  public:
    Result<void> run(const ptx::Module& module, const trace::Trace& trace, const Memory& memory) override {
        ++launches;
        if (launches == fails) return fail("the GPU rejects the launch");
        execute::Program program;
        std::vector<std::uint32_t> numbers(trace.buffers.size());  // of those that are not freed
        for (std::size_t i = 0; i < trace.buffers.size(); ++i) {
            if (memory.buffers[i].empty()) continue;
            numbers[i] = static_cast<std::uint32_t>(program.buffers.size());
            trace::Buffer& buffer = program.buffers.emplace_back(trace.buffers[i]);
            buffer.initial = SparseBytes(std::span<const std::byte>(memory.buffers[i]));
        }
        const trace::Launch& last = trace.launches.back();
        execute::LaunchRequest request{.kernel = last.kernel,
                                       .grid = last.grid,
                                       .block = last.block,
                                       .dynamic_shared_bytes = last.dynamic_shared_bytes,
                                       .arguments = last.arguments,
                                       .writes = {},
                                       .out_of_reach = {}};
        for (trace::Argument& argument : request.arguments)
            if (argument.buffer) argument.buffer = numbers[*argument.buffer];
        program.launches.push_back(std::move(request));
        Progress progress;
        const auto done = execute::emulate(module, program, {.record_blocks = 0}, progress);
        if (!done) return std::unexpected(done.error());
        for (std::size_t i = 0; i < trace.buffers.size(); ++i)
            if (!memory.buffers[i].empty())
                std::ranges::copy((*done)->buffers[numbers[i]].final, memory.buffers[i].begin());
        return {};
    }

    unsigned launches = 0;
    unsigned fails = 0;  ///< the number of a launch, from 1; 0: none
};

Request request_of(const char* program, std::uint64_t n) {
    Request request;
    request.program = program;
    request.n = n;
    request.block = 256;
    request.input = "random 1";
    return request;
}

const trace::Buffer& output_of(const Run& run) {
    const auto found = std::ranges::find(run.trace().buffers, run.program.recipe.expected.output, &trace::Buffer::name);
    if (found == run.trace().buffers.end()) throw std::runtime_error("no output");
    return *found;
}

class GpuRun : public testing::TestWithParam<const char*> {
    void SetUp() override { NEEDS_HOST_CODE(); }
};

TEST_P(GpuRun, LeavesWhatTheEmulatorLeaves) {
    const Request request = request_of(GetParam(), 300'001);  // large: what no kernel accesses would not be kept
    Progress progress;
    Elsewhere elsewhere;
    const auto emulated = run(request, progress);
    const auto ran = run_on_gpu(request, elsewhere, progress);
    ASSERT_TRUE(emulated) << emulated.error().problem.message();
    ASSERT_TRUE(ran) << ran.error().problem.message();
    EXPECT_EQ(elsewhere.launches, (*emulated)->trace().launches.size());
    EXPECT_EQ((*ran)->verdict.ok, true);
    EXPECT_EQ(output_of(**ran).final, output_of(**emulated).final);
    EXPECT_EQ((*ran)->trace().step_count(), 0U) << "nothing is recorded";

    const GpuSize size{.n = 300'001, .grid = {}, .per_thread = {}, .multiprocessors = 132, .resident_threads = 270'336};
    const auto plan = plan_for_gpu(**ran, size), same = plan_for_gpu(**emulated, size);
    ASSERT_TRUE(plan && same);
    EXPECT_EQ(plan->bytes, same->bytes);
    EXPECT_EQ(plan->grid, same->grid);
    EXPECT_EQ(plan->work.host_between(), same->work.host_between());
    ASSERT_EQ(plan->work.launches.size(), same->work.launches.size());
    for (std::size_t i = 0; i < plan->work.launches.size(); ++i) {
        EXPECT_EQ(plan->work.launches[i].kernel, same->work.launches[i].kernel);
        EXPECT_EQ(plan->work.launches[i].grid, same->work.launches[i].grid);
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, GpuRun,
                         testing::Values("reduce/until-one-is-left", "reduce/sums-on-the-host", "scan/sums-on-the-host",
                                         "scan/recursive"));

TEST(GpuRunOnce, TakesMoreElementsThanTheEmulator) {
    Request request = request_of("scan/recursive", most_elements + 1);
    EXPECT_FALSE(plan(request));
    request.most_n = most_gpu_elements;
    EXPECT_TRUE(plan(request));
}

TEST(GpuRunOnce, SaysWhichLaunchFailed) {
    NEEDS_HOST_CODE();
    Progress progress;
    Elsewhere elsewhere;
    elsewhere.fails = 2;
    const auto ran = run_on_gpu(request_of("scan/recursive", 5000), elsewhere, progress);
    ASSERT_TRUE(ran) << ran.error().problem.message();
    EXPECT_NE((*ran)->verdict.ok, true);
    EXPECT_THAT((*ran)->notes, testing::Contains(HasSubstr("A launch failed: the GPU rejects the launch")));
}

}  // namespace
}  // namespace lanescope::session
