// Each guarantee of the sandbox, tested by a program that tries to violate it, with each confinement of this machine.
#include "unit/host/host_program.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace lanescope::host {
namespace {

using ::testing::HasSubstr;

class Sandbox : public ::testing::TestWithParam<Confinement> {
  protected:
    void SetUp() override {
        NEEDS_PROGRAMS();
        const auto working = confinements();
        if (std::ranges::find(working, GetParam()) == working.end())
            GTEST_SKIP() << name_of(GetParam()) << " does not work on this machine";
    }

    /// Starts the program with the given confinement: confinement() returns the same one throughout a process.
    static ProgramRun run(const std::vector<std::string>& arguments, const SandboxLimits& limits = {}) {
        AddingMachine machine;
        Progress progress;
        ProgramStart start{.program = modes_program(),
                           .arguments = arguments,
                           .input = {},
                           .folder = folder(),
                           .sources = {},
                           .limits = limits,
                           .confinement = GetParam()};
        auto run = run_program(start, machine, progress);
        EXPECT_TRUE(run) << run.error().message();
        return run ? std::move(*run) : ProgramRun{};
    }

    static std::filesystem::path folder() {
        auto path = std::filesystem::temp_directory_path() / ("lanescope-sandbox-test-" + std::to_string(getpid()));
        std::filesystem::create_directories(path);
        std::ofstream(path / "beside.txt") << "found";
        std::ofstream(path / "precious.txt") << "unharmed";
        return path;
    }
};

TEST_P(Sandbox, WritesItsScratchFolderAloneAndReadsTheFilesBesideIt) {
    const ProgramRun done = run({"files", (folder() / "precious.txt").string()});
    EXPECT_EQ(done.confinement, GetParam());
    EXPECT_THAT(done.printed, HasSubstr("inside written"));
    EXPECT_THAT(done.printed, HasSubstr("nameless written")) << "by tmpfile(), which glibc makes in /tmp";
    EXPECT_THAT(done.printed, HasSubstr("outside refused"));
    EXPECT_THAT(done.printed, HasSubstr("home refused"));
    EXPECT_THAT(done.printed, HasSubstr("removed no"));
    EXPECT_THAT(done.printed, HasSubstr("beside found"));
    std::ifstream in(folder() / "precious.txt");
    std::string word;
    in >> word;
    EXPECT_EQ(word, "unharmed");
    std::filesystem::remove_all(folder());
}

TEST_P(Sandbox, ReachesNoNetwork) { EXPECT_THAT(run({"network"}).printed, HasSubstr("connection refused")); }

TEST_P(Sandbox, HarmsNoOtherProcess) {
    run({"kill"});  // were it able to, this test would not come back
    run({"kill-number", std::to_string(getpid())});
    SUCCEED();
}

TEST_P(Sandbox, HasNoWayOutBySocketsTracingSignalsLimitsModesOfFilesMountsOrDevices) {
    const std::string printed = run({"escape", std::to_string(getpid()), (folder() / "precious.txt").string()}).printed;
    EXPECT_THAT(printed, HasSubstr("other numbers refused"));
    EXPECT_THAT(printed, HasSubstr("own limit read"));
    EXPECT_THAT(printed, ::testing::Not(HasSubstr("done"))) << printed;
    std::filesystem::remove_all(folder());
}

/// Processes that were started with this argument.
std::size_t running_with(const std::string& argument) {
    std::size_t found = 0;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", none)) {
        std::ifstream file(entry.path() / "cmdline");
        const std::string command((std::istreambuf_iterator(file)), std::istreambuf_iterator<char>());
        found += command.find(argument) != std::string::npos ? 1 : 0;
    }
    return found;
}

TEST_P(Sandbox, NothingOfItOutlivesTheRun) {
    // Tests that run beside this one start the same program.
    const std::string mark = "survivor-of-" + std::to_string(getpid());
    EXPECT_THAT(run({"survive", mark}).printed, HasSubstr("parent"));
    std::size_t left = running_with(mark);
    for (int i = 0; i < 50 && left > 0; ++i, left = running_with(mark)) usleep(100'000);
    EXPECT_EQ(left, 0U);
}

TEST_P(Sandbox, HasALimitOfMemory) {
    SandboxLimits limits;
    limits.memory_bytes = std::uint64_t{512} << 20U;
    EXPECT_THAT(run({"memory"}, limits).printed, HasSubstr("refused after"));
}

TEST_P(Sandbox, HasALimitOfTime) {
    SandboxLimits limits;
    limits.cpu = std::chrono::seconds(1);
    const ProgramEnd end = run({"forever"}, limits).end;
    EXPECT_EQ(end.how, ProgramEnd::How::too_long) << end.code;
}

TEST_P(Sandbox, LimitsOfAllProcessesTogether) {
    SandboxLimits limits;
    limits.memory_bytes = std::uint64_t{512} << 20U;
    EXPECT_EQ(run({"shared-memory"}, limits).end.how, ProgramEnd::How::too_large);
    limits = {};
    limits.cpu = std::chrono::seconds(1);
    EXPECT_EQ(run({"many-children"}, limits).end.how, ProgramEnd::How::too_long);
    limits = {};
    limits.processes = 100;
    EXPECT_EQ(run({"crowd"}, limits).end.how, ProgramEnd::How::too_many);
}

INSTANTIATE_TEST_SUITE_P(Each, Sandbox, ::testing::Values(Confinement::bubblewrap, Confinement::landlock),
                         [](const auto& means) {
                             return means.param == Confinement::bubblewrap ? "Bubblewrap" : "LandlockAndSeccomp";
                         });

}  // namespace
}  // namespace lanescope::host
