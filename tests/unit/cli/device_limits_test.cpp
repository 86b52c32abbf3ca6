// One fact of the device changes: every reader of the table sees it.
#include "model/device_limits.h"
#include "analysis/launch_shape.h"
#include "cli/options.h"
#include "execute/emulator/launch_check.h"
#include "session/session.h"
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

class SmallDevice : public testing::Test {
  protected:
    static model::DeviceLimits limits() {
        model::DeviceLimits limits = model::limits_of(90);
        limits.threads_per_block = 128;
        limits.grid[1] = 3;
        limits.shared_bytes_per_block = 8 << 10;
        limits.shared_bytes = 9 << 10;
        return limits;
    }
    const model::EmulateDevice device_{limits()};
};

TEST_F(SmallDevice, IsWhatTheEmulatorChecksALaunchAgainst) {
    const auto module =
        ptx::parse(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n", "");
    ASSERT_TRUE(module);
    const auto message = [&](const execute::LaunchRequest& request) {
        const auto fits = check(*module, request);
        return fits ? std::string() : fits.error().message();
    };
    EXPECT_EQ(message({.kernel = "k", .grid = {1, 1, 1}, .block = {128, 1, 1}}), "");
    EXPECT_THAT(message({.kernel = "k", .grid = {1, 1, 1}, .block = {129, 1, 1}}), HasSubstr("at most 128 threads"));
    EXPECT_THAT(message({.kernel = "k", .grid = {1, 4, 1}, .block = {1, 1, 1}}), HasSubstr("3 in y"));
    EXPECT_THAT(message({.kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .dynamic_shared_bytes = 8193}),
                HasSubstr("A block has at most 8,192 bytes"));
}

TEST_F(SmallDevice, IsWhatARequestIsRefusedBy) {
    EXPECT_THAT(refusal_of({.program = "reduce/sequential", .block = 256}), HasSubstr("1 to 128 threads"));
    EXPECT_THAT(refusal_of({.program = "reduce/sequential", .grid_extent = trace::Dim3{1, 4, 1}}), HasSubstr("1 to 3"));
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
    EXPECT_EQ(timing::machine_of(recording).limits.resident_blocks(256), 4U);
    recording.arch = 90;
    EXPECT_EQ(timing::machine_of(recording).limits.resident_blocks(256), 8U);
}

TEST(CompiledCapabilities, AreRowsOfTheTable) {
    EXPECT_EQ(session::arches(), (std::vector<unsigned>{75, 80, 86, 87, 89, 90}));
    EXPECT_FALSE(session::is_arch(100));
    EXPECT_THAT(help_of("trace"), HasSubstr("75, 80, 86, 87, 89, 90"));
}

}  // namespace
}  // namespace lanescope
