// Kernels that guarantee the same bits in every run, on this machine's GPU: 20 runs on floats whose sum depends on the
// order of additions must have equal results. Without a GPU, skipped with the driver's message.
#include "execute/gpu/device.h"
#include "execute/gpu/timer.h"
#include "session/gpu_plan.h"
#include "session/run.h"
#include "session/small_run.h"

#include <gmock/gmock.h>

#include <cstring>
#include <random>

namespace lanescope::session {
namespace {

constexpr int runs = 20;
constexpr std::uint64_t many = (std::uint64_t{1} << 22) + 3;

class Determinism : public testing::Test {
  protected:
    void SetUp() override {
        const auto driver = execute::Driver::load();
        auto device = driver ? execute::Device::open(*driver) : std::unexpected(driver.error());
        if (!device) GTEST_SKIP() << device.error().message();
        device_ = std::move(*device);
    }

    /// One period of an input: floats of all magnitudes between 0 and 1.
    static std::vector<std::byte> fractions() {
        std::mt19937 random(1);
        std::uniform_real_distribution<float> between(0, 1);
        std::vector<float> values(input_period);
        for (float& value : values) value = between(random);
        std::vector<std::byte> bytes(values.size() * sizeof(float));
        std::memcpy(bytes.data(), values.data(), bytes.size());
        return bytes;
    }

    /// The instance for floats, with the grid that it has on this GPU, or with `grid` blocks.
    Result<GpuPlan> planned(const std::string& name, std::uint32_t block, std::optional<std::uint64_t> grid) {
        Request request{.program = name, .n = many, .block = block, .input = "random 7", .view = trace::View::compiled};
        request.multiprocessors = device_->facts().processors;
        const auto program = find_requested(request);
        if (!program) return std::unexpected(program.error().problem);
        request.kernel = kernel_of_type(*program, "float").value_or("");
        Progress progress;
        const auto small = small_run(request, progress);
        if (!small) return std::unexpected(small.error().problem);
        auto plan = plan_for_gpu(**small, {.n = many,
                                           .grid = grid,
                                           .multiprocessors = device_->facts().processors,
                                           .resident_threads = std::uint64_t{device_->facts().processors} *
                                                               device_->facts().threads_per_processor});
        if (!plan) return plan;
        for (const std::uint32_t input : plan->inputs) plan->work.buffers[input].period = fractions();
        return plan;
    }

    /// Compares the bytes of all buffers that a launch may write, after each of 20 runs.
    void runs_are_equal(const std::string& name, std::uint32_t block, std::optional<std::uint64_t> grid = {}) {
        SCOPED_TRACE(name + " at block " + std::to_string(block) + ", grid " + std::to_string(grid.value_or(0)));
        auto plan = planned(name, block, grid);
        ASSERT_TRUE(plan) << plan.error().message();
        for (execute::GpuBuffer& buffer : plan->work.buffers) buffer.result = buffer.written;
        execute::Results first;
        for (int run = 0; run < runs; ++run) {
            Progress progress;
            auto timed = execute::time_program(*device_, plan->work, {.warm_ups = 1, .samples = 1}, progress);
            ASSERT_TRUE(timed) << timed.error().message();
            if (run == 0) first = timed->results;
            EXPECT_TRUE(timed->results == first) << "run " << run << " has other bits";
        }
        // The flags of one launch have to be cleared before the next launch.
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (plan->work.buffers[i].name != "words") continue;
            const bool cleared = std::ranges::all_of(first[i], [](std::byte byte) { return byte == std::byte{0}; });
            EXPECT_TRUE(cleared) << "words are left";
        }
    }

    std::unique_ptr<execute::Device> device_;
};

TEST_F(Determinism, OneLaunchReductionsAddInOneOrder) {
    for (const std::uint32_t block : {64U, 256U, 1024U}) {
        runs_are_equal("reduce/one-launch", block);
        runs_are_equal("reduce/flagged-sums", block);
    }
}

TEST_F(Determinism, ScansThatWaitForEverySumAddInOneOrder) {
    for (const char* name : {"scan/one-round-trip", "scan/ring"})
        for (const std::uint32_t block : {256U, 512U}) runs_are_equal(name, block);
    for (const std::uint32_t block : {256U, 512U, 1024U}) runs_are_equal("scan/specialized-warps", block);
}

TEST_F(Determinism, HoldsOnAnyNumberOfMultiprocessors) {
    for (const std::uint64_t grid : {1, 7, 66})
        for (const char* name : {"scan/one-round-trip", "scan/ring", "scan/specialized-warps"})
            runs_are_equal(name, 512, grid);
}

}  // namespace
}  // namespace lanescope::session
