// A change of one device limit reaches every reader of the table.
#include "model/device_limits.h"
#include "analysis/launch_shape.h"
#include "cli/options.h"
#include "execute/emulator/launch_check.h"
#include "host/device_facts.h"
#include "model/model.h"
#include "model/occupancy.h"
#include "session/run.h"
#include "timing/cost_model.h"

#include <gmock/gmock.h>

namespace lanescope {
namespace {

using testing::HasSubstr;

std::string refusal_of(const session::Request& request) {
    Progress progress;
    const auto answer = session::run(request, progress);
    return answer ? std::string() : answer.error().problem.message();
}

std::string help_of(const std::string& command) {
    const auto options = cli::parse({command, "--help"});
    return options ? std::get<cli::TextOptions>(*options).text : std::string();
}

Result<void> check(const ptx::Module& module, const execute::LaunchRequest& request) {
    return execute::check_size(*module.entries().front(), request);
}

Result<ptx::Module> kernel_with(const std::string& body) {
    return ptx::parse(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n" + body + "ret;\n}\n",
                      "");
}

class SmallDevice : public testing::Test {
  protected:
    static model::DeviceLimits limits() {
        model::DeviceLimits limits = model::limits_of(90);
        limits.threads_per_block = 128;
        limits.block[2] = 16;
        limits.grid[1] = 3;
        limits.grid[2] = 5;
        limits.static_shared_bytes = 2 << 10;
        limits.shared_bytes_per_block = 8 << 10;
        limits.shared_bytes = 9 << 10;
        limits.blocks = 7;
        limits.registers = 4 << 10;
        limits.banks = 8;
        limits.bank_lanes = 4;
        return limits;
    }
    const model::EmulateDevice device_{limits()};
};

TEST_F(SmallDevice, IsWhatTheEmulatorChecksALaunchAgainst) {
    const auto module = kernel_with("");
    ASSERT_TRUE(module);
    const auto message = [&](const execute::LaunchRequest& request) {
        const auto fits = check(*module, request);
        return fits ? std::string() : fits.error().message();
    };
    EXPECT_EQ(message({.kernel = "k", .grid = {1, 1, 1}, .block = {128, 1, 1}}), "");
    EXPECT_THAT(message({.kernel = "k", .grid = {1, 1, 1}, .block = {129, 1, 1}}), HasSubstr("1 to 128 threads"));
    EXPECT_THAT(message({.kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 17}}),
                HasSubstr("The third dimension of a block is 1 to 16"));
    EXPECT_THAT(message({.kernel = "k", .grid = {1, 4, 1}, .block = {1, 1, 1}}),
                HasSubstr("The second dimension of a grid is 1 to 3"));
    EXPECT_THAT(message({.kernel = "k", .grid = {1, 1, 6}, .block = {1, 1, 1}}),
                HasSubstr("The third dimension of a grid is 1 to 5"));
    EXPECT_THAT(message({.kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .dynamic_shared_bytes = 8193}),
                HasSubstr("A block has at most 8,192 bytes"));
}

TEST_F(SmallDevice, BoundsTheArraysThatAKernelDeclares) {
    const auto refusal = [](const std::string& bytes) {
        const auto module = kernel_with(".shared .align 4 .b8 cells[" + bytes + "];\nst.shared.u32 [cells], 0;\n");
        const auto kernel =
            execute::check_launch(*module, {.kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .arguments = {}}, {});
        return kernel ? std::string() : kernel.error().message();
    };
    EXPECT_EQ(refusal("2048"), "");
    EXPECT_THAT(refusal("2052"), HasSubstr("the limit is 2,048"));
}

TEST_F(SmallDevice, HoldsAsManyBlocksAsItsTableSays) {
    const model::DeviceLimits& device = model::emulated_device();
    EXPECT_EQ(device.resident_blocks(32), 7U);
    EXPECT_EQ(device.resident_blocks(32, 2 << 10), 3U) << "9 KB, of which each block takes 1 KB more";
    // 4,096 registers, a fourth for each scheduler, hold four warps of 32 registers per thread.
    EXPECT_EQ(model::occupancy(device, {64, 1, 1}, 0, 32).blocks, 2U);
    EXPECT_EQ(host::facts_of(device).registers_per_multiprocessor, 4 << 10);
    EXPECT_EQ(host::facts_of(device).blocks_per_multiprocessor, 7);
}

TEST_F(SmallDevice, HasTheBanksOfItsTable) {
    const model::BankModel banks = model::BankModel::of(32);
    EXPECT_EQ(banks.banks, 8U);
    EXPECT_EQ(banks.group, 4U);
}

TEST_F(SmallDevice, IsWhatARequestIsRefusedBy) {
    EXPECT_THAT(refusal_of({.program = "reduce/sequential", .block = 256}), HasSubstr("1 to 128 threads"));
    EXPECT_THAT(refusal_of({.program = "reduce/sequential", .grid_extent = trace::Dim3{1, 4, 1}}), HasSubstr("1 to 3"));
    EXPECT_THAT(refusal_of({.program = "reduce/sequential", .grid_extent = trace::Dim3{1, 1, 6}}), HasSubstr("1 to 5"));
    EXPECT_THAT(refusal_of({.program = "reduce/sequential", .shared_bytes = 9000}), HasSubstr("8,192 bytes (8 KB)"));
}

TEST_F(SmallDevice, IsWhatTheCommandLineNames) {
    EXPECT_THAT(help_of("trace"), HasSubstr("1 to 128"));
    const auto timed = cli::parse({"time", "reduce/sequential", "--block", "256"});
    ASSERT_FALSE(timed);
    EXPECT_THAT(timed.error().problem.message(), HasSubstr("from 1 to 128"));
}

TEST_F(SmallDevice, IsWhatTheAnalysisBoundsATraceBy) {
    EXPECT_EQ(analysis::threads_of(trace::Launch{.grid = {1, 1, 1}, .block = {1024, 1, 1}}), 128U);
    EXPECT_EQ(analysis::most_shared_bytes(), 9U << 10U);
}

TEST(DeviceLimits, OfARecordingsCapabilityAreTheCostModels) {
    timing::Recording recording;
    recording.arch = 75;
    EXPECT_EQ(timing::modeled_gpu_of(recording).limits.resident_blocks(256), 4U);
    recording.arch = 90;
    EXPECT_EQ(timing::modeled_gpu_of(recording).limits.resident_blocks(256), 8U);
}

TEST(CompiledCapabilities, AreRowsOfTheTable) {
    EXPECT_EQ(session::arches(), (std::vector<unsigned>{75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121}));
    EXPECT_FALSE(session::is_arch(101));
    EXPECT_THAT(help_of("trace"), HasSubstr("75, 80, 86, 87, 88, 89,"));
    EXPECT_THAT(help_of("trace"), HasSubstr("90, 100, 103, 110, 120, 121"));
}

}  // namespace
}  // namespace lanescope
