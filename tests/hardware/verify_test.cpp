// Compares every kernel on this machine's GPU with the emulator, thread by thread. Without a GPU, skipped with the
// driver's message.
#include "execute/gpu/device.h"
#include "execute/gpu/record.h"
#include "session/gpu_plan.h"
#include "session/verification.h"

#include <gmock/gmock.h>

namespace lanescope::session {
namespace {

using Verdict = Verification::Verdict;

class OnTheGpu : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        const auto driver = execute::Driver::load();
        auto device = driver ? execute::Device::open(*driver) : std::unexpected(driver.error());
        if (device)
            device_ = std::move(*device);
        else
            missing_ = device.error().message();
    }
    static void TearDownTestSuite() { device_.reset(); }
    void SetUp() override {
        if (device_ == nullptr) GTEST_SKIP() << missing_;
    }

    static Result<Verification> verified(const Request& request) {
        const Verifier verifier{.on = {.device = device_->facts().name,
                                       .driver = "1.2",
                                       .toolkit = "NVRTC 13.0",
                                       .date = "2026-11-22",
                                       .command = "for a test"},
                                .open = [](const auto& trace, const auto& module, const auto& rewritten) {
                                    return execute::recording_device(*device_, trace, module, rewritten);
                                }};
        Progress progress;
        return verify(request, verifier, progress);
    }

    /// The kernel's own type, and the other one where it has one: instances by name.
    static std::vector<std::string> kernels_of(const Program& program) {
        std::vector<std::string> kernels{""};
        for (const char* type : {"int", "float"})
            if (const auto kernel = kernel_of_type(program, type); kernel && !kernel->empty())
                kernels.push_back(*kernel);
        return kernels;
    }

    static void verify_all(trace::View view) {
        for (const Program& program : catalog()) {
            if (!program.recipe.expected.fault.empty()) continue;  // the effect of a fault is undefined
            for (const std::string& kernel : kernels_of(program))
                for (const std::uint32_t block : {64U, 256U, 1024U}) verify_one(program, kernel, block, view);
        }
    }

    static void verify_one(const Program& program, const std::string& kernel, std::uint32_t block, trace::View view) {
        if (!check_block(program, block)) return;
        const std::uint64_t most = largest_n(program, {.block = block}).value_or(1);
        SCOPED_TRACE(program.name + " " + kernel + " at block " + std::to_string(block));
        Request request{.program = program.name,
                        .kernel = kernel,
                        .n = std::min(5 * std::uint64_t{block} - 7, most),
                        .block = block,
                        .input = "random 11",
                        .view = view};
        // An instance of another type is the one that is timed, with its own grid.
        if (!kernel.empty()) request.multiprocessors = device_->facts().processors;
        const auto found = verified(request);
        ASSERT_TRUE(found) << found.error().message();
        const bool waits = program.source.text.find("mbarrier.test_wait") != std::string::npos;
        if (waits && found->verdict == Verdict::skipped) return;  // how often it tests is a question of time
        EXPECT_EQ(found->verdict, Verdict::agree) << found->why;
        if (found->difference) {
            ADD_FAILURE() << found->difference->instruction << ": the GPU " << found->difference->found
                          << ", the emulator " << found->difference->expected;
        }
    }

  private:
    static inline std::unique_ptr<execute::Device> device_;
    static inline std::string missing_;
};

TEST_F(OnTheGpu, EveryKernelAsWrittenDoesWhatItDoesOnTheEmulator) { verify_all(trace::View::written); }

TEST_F(OnTheGpu, EveryKernelAsCompiledDoesWhatItDoesOnTheEmulator) { verify_all(trace::View::compiled); }

}  // namespace
}  // namespace lanescope::session
