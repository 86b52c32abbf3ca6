#include "host/exit_status.h"
#include "unit/host/host_program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

namespace lanescope::host {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = ProgramStep::Kind;

std::vector<Kind> kinds_of(const ProgramRun& run) {
    std::vector<Kind> kinds;
    kinds.reserve(run.steps.size());
    for (const ProgramStep& step : run.steps) kinds.push_back(step.kind);
    return kinds;
}

const ProgramStep* first_of(const ProgramRun& run, Kind kind) {
    const auto found = std::ranges::find(run.steps, kind, &ProgramStep::kind);
    return found == run.steps.end() ? nullptr : &*found;
}

TEST(HostProgram, ReportsItsStepsInOrderWithTheLineOfEach) {
    NEEDS_PROGRAMS();
    const ProgramRun run = run_mode({"plain"});
    EXPECT_EQ(run.end.how, ProgramEnd::How::exited);
    EXPECT_EQ(run.end.code, 0);
    EXPECT_EQ(run.printed, "before\nhost[99] = 42\n");
    EXPECT_EQ(kinds_of(run), (std::vector<Kind>{Kind::allocate, Kind::print, Kind::write, Kind::launch,
                                                Kind::synchronize, Kind::read, Kind::print, Kind::release}));
    const ProgramStep* launch = first_of(run, Kind::launch);
    ASSERT_NE(launch, nullptr);
    EXPECT_EQ(launch->where.line, marked_line("launch"));
    EXPECT_THAT(launch->function, HasSubstr("run"));
    EXPECT_THAT(launch->launch.function, HasSubstr("add_one"));
    EXPECT_EQ(launch->launch.grid[0], 2U);
    EXPECT_EQ(launch->launch.block[0], 64U);
    const ProgramStep* write = first_of(run, Kind::write);
    ASSERT_NE(write, nullptr);
    EXPECT_EQ(write->where.line, marked_line("copy"));
    EXPECT_EQ(write->content.size(), 400U);
    EXPECT_EQ(write->content[0], std::byte{41});
}

TEST(HostProgram, BringsItsPtxAsText) {
    NEEDS_PROGRAMS();
    AddingMachine machine;
    Progress progress;
    const auto run = run_program(
        {.program = modes_program(), .arguments = {"exit"}, .input = {}, .folder = {}, .sources = {}, .limits = {}},
        machine, progress);
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_EQ(run->end.code, 3);
    EXPECT_THAT(machine.ptx, HasSubstr(".entry _Z7add_onePii"));
    EXPECT_THAT(machine.ptx, HasSubstr(".target sm_75, debug"));
}

TEST(HostProgram, TakesArgumentsAndStandardInput) {
    NEEDS_PROGRAMS();
    EXPECT_EQ(run_mode({"echo", "a b", "c"}, "one\ntwo\n").printed, "[a b][c]<one><two>\n");
}

TEST(HostProgram, HasTheNameThatItIsGiven) {
    NEEDS_PROGRAMS();
    for (const Confinement how : confinements()) {
        AddingMachine machine;
        Progress progress;
        const auto run = run_program({.program = modes_program(),
                                      .arguments = {"name"},
                                      .input = {},
                                      .folder = {},
                                      .sources = {},
                                      .name = "./saxpy",
                                      .limits = {},
                                      .confinement = how},
                                     machine, progress);
        ASSERT_TRUE(run) << run.error().message();
        EXPECT_EQ(run->printed, "./saxpy saxpy\n");
    }
}

TEST(HostProgram, ReadsManagedMemoryAfterTheKernel) {
    NEEDS_PROGRAMS();
    const ProgramRun run = run_mode({"managed"});
    EXPECT_EQ(run.printed, "64\n");
    EXPECT_TRUE(faults_of(run).empty());
}

TEST(HostProgram, ReplaysACapturedGraph) {
    NEEDS_PROGRAMS();
    const ProgramRun run = run_mode({"graph"});
    EXPECT_EQ(run.printed, "6\n");
    EXPECT_EQ(std::ranges::count(run.steps, Kind::launch, &ProgramStep::kind), 6);
}

TEST(HostProgram, CopiesToAndFromSymbols) {
    NEEDS_PROGRAMS();
    const ProgramRun run = run_mode({"symbols"});
    EXPECT_EQ(run.printed, "3 4\n");
    EXPECT_EQ(run.end.code, 0);
}

TEST(HostProgram, CopiesPitchedRows) {
    NEEDS_PROGRAMS();
    EXPECT_EQ(run_mode({"pitched"}).printed, "same\n");
}

TEST(HostProgram, CopiesArrays) {
    NEEDS_PROGRAMS();
    EXPECT_EQ(run_mode({"arrays"}).printed, "same 8 5, cudaErrorInvalidValue\ncudaErrorInvalidValue\n");
}

TEST(HostProgram, TimesEventsByTheEmulatedDevice) {
    NEEDS_PROGRAMS();
    const ProgramRun run = run_mode({"events"});
    EXPECT_EQ(run.printed, "0.0025\n");
    const ProgramStep* remark = first_of(run, Kind::remark);
    ASSERT_NE(remark, nullptr);
    EXPECT_THAT(remark->what, HasSubstr("estimates"));
}

TEST(HostProgram, GetsTheErrorsThatCudaReturns) {
    NEEDS_PROGRAMS();
    EXPECT_EQ(run_mode({"errors"}).printed,
              "threads cudaErrorInvalidConfiguration\ncleared cudaSuccess\nbounds cudaErrorLaunchOutOfResources\n"
              "shared cudaErrorInvalidValue\nopted in cudaSuccess\ndevice cudaErrorInvalidDevice\n");
}

TEST(HostProgram, RunsWithinTheLimitsOfTheDevicesRowInTheTable) {
    NEEDS_PROGRAMS();
    model::DeviceLimits limits = model::limits_of(90);
    limits.heap_bytes = 4 << 20;
    EXPECT_EQ(run_mode({"device"}, {}, {}, limits).printed,
              "9.0: 1024 threads a block\nblock 1024x1024x64 and 1024x1024x64\n"
              "grid 2147483647x65535x65535 and 2147483647x65535x65535\nstack 4096, heap 4194304, printf 1048576\n"
              "kernel 1024\n"
              "1024 threads cudaSuccess\n65536 rows cudaErrorInvalidConfiguration\n2 layers cudaSuccess\n");
    EXPECT_EQ(run_mode({"device"}, {}, {}, model::limits_of(10)).printed,
              "1.0: 512 threads a block\nblock 512x512x64 and 512x512x64\ngrid 65535x65535x1 and 65535x65535x1\n"
              "stack 4096, heap 8388608, printf 1048576\n"
              "kernel 512\n1024 threads cudaErrorInvalidConfiguration\n65536 rows cudaErrorInvalidConfiguration\n"
              "2 layers cudaErrorInvalidConfiguration\n");
}

TEST(HostProgram, EndsAsTheProgramEnds) {
    NEEDS_PROGRAMS();
    EXPECT_EQ(run_mode({"exit"}).end.code, 3);
    const ProgramEnd aborted = run_mode({"abort"}).end;
    EXPECT_EQ(aborted.how, ProgramEnd::How::signal)
        << "bubblewrap hands a signal on as an exit status, as a shell does";
    EXPECT_EQ(aborted.code, SIGABRT);
}

TEST(HostProgram, IsCancelledAtOnce) {
    NEEDS_PROGRAMS();
    AddingMachine machine;
    Progress progress;
    const std::filesystem::path program = modes_program();
    std::jthread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        progress.cancel();
    });
    const auto run = run_program(
        {.program = program, .arguments = {"forever"}, .input = {}, .folder = {}, .sources = {}, .limits = {}}, machine,
        progress);
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_EQ(run->end.how, ProgramEnd::How::cancelled);
}

TEST(HostProgram, SaysHowLongHostCodeRunsWithoutACall) {
    NEEDS_PROGRAMS();
    AddingMachine machine;
    Progress progress;
    const std::filesystem::path program = modes_program();
    std::string said;
    std::jthread watcher([&] {
        constexpr unsigned most = 1000;
        for (unsigned i = 0; i < most && said.empty(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            said = progress.doing();
        }
        progress.cancel();
    });
    const auto run = run_program(
        {.program = program, .arguments = {"forever"}, .input = {}, .folder = {}, .sources = {}, .limits = {}}, machine,
        progress);
    watcher.join();
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_EQ(said,
              "host code has run for 2 s without a CUDA call; it is terminated after 600 s of CPU time (--time-limit), "
              "or when you cancel the run");
}

TEST(HostProgram, ReportsWhereItReachesItsLimitOfTime) {
    NEEDS_PROGRAMS();
    SandboxLimits limits;
    limits.cpu = std::chrono::seconds(1);
    const ProgramRun run = run_mode({"forever"}, {}, limits);
    EXPECT_EQ(run.end.how, ProgramEnd::How::too_long);
    ASSERT_FALSE(run.steps.empty());
    EXPECT_EQ(run.steps.back().kind, Kind::remark);
    EXPECT_EQ(run.steps.back().what,
              "host code reaches its limit of CPU time (1 s) here: a loop may not end, or the problem size is too "
              "large. --time-limit raises it");
    EXPECT_EQ(run.steps.back().where.line, marked_line("forever"));
}

TEST(HostProgram, EndsWhicheverWayItLeavesItsOutputAndItsChildren) {
    NEEDS_PROGRAMS();
    for (const Confinement how : confinements()) {
        const auto run = [&](const std::string& mode) {
            AddingMachine machine;
            Progress progress;
            auto done = run_program({.program = modes_program(),
                                     .arguments = {mode},
                                     .input = {},
                                     .folder = {},
                                     .sources = {},
                                     .limits = {},
                                     .confinement = how},
                                    machine, progress);
            EXPECT_TRUE(done) << done.error().message();
            return done ? *std::move(done) : ProgramRun{};
        };
        const ProgramRun flooded = run("flood");
        EXPECT_EQ(flooded.end.code, 0);
        EXPECT_EQ(flooded.printed.size(), std::size_t{16} << 20U) << "what is kept of 40 MB";
        const ProgramRun closed = run("close");
        EXPECT_EQ(closed.end.code, 0);
        EXPECT_EQ(closed.steps.back().kind, Kind::release) << "it goes on without its output";
        const ProgramRun forked = run("fork");
        EXPECT_EQ(forked.end.code, 0);
        EXPECT_THAT(forked.printed, HasSubstr("parent"));
        const ProgramRun child = run("child");
        EXPECT_EQ(child.printed, "child cudaErrorInitializationError\nparent\n");
        EXPECT_THAT(faults_of(child), IsEmpty()) << "what the parent frees is no leak of its child";
        const ProgramRun disconnected = run("close-all");
        EXPECT_EQ(disconnected.end.code, exit_without_lanescope);
        EXPECT_THAT(disconnected.steps.back().what, HasSubstr("closes file descriptors"));
        const ProgramRun nonsense = run("write-all");
        EXPECT_EQ(nonsense.end.code, exit_without_lanescope);
        EXPECT_THAT(nonsense.steps.back().what, HasSubstr("its connection to Lanescope carried an invalid message"));
    }
}

TEST(HostProgram, PrintsAreReportedAsTheyComeAndCancelledThere) {
    NEEDS_PROGRAMS();
    AddingMachine machine;
    Progress progress;
    std::vector<std::string> printed;
    const auto run = run_program({.program = modes_program(),
                                  .arguments = {"print-forever"},
                                  .input = {},
                                  .folder = {},
                                  .sources = {},
                                  .limits = {}},
                                 machine, progress, [&](const ProgramStep& step) {
                                     if (step.kind == Kind::print) printed.push_back(step.what);
                                     progress.cancel();
                                 });
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_EQ(printed, std::vector<std::string>{"first\n"});
    EXPECT_EQ(run->end.how, ProgramEnd::How::cancelled);
}

TEST(HostProgram, EndsAtALaunchThatHasNotRunToItsEnd) {
    NEEDS_PROGRAMS();
    for (const ProgramEnd::How how : {ProgramEnd::How::cancelled, ProgramEnd::How::step_limit}) {
        struct : AddingMachine {
            Outcome launch(const KernelLaunch&, const DeviceMemory&) override {
                ++launches;
                return {.ends = ends};
            }
            std::optional<ProgramEnd::How> ends;
            int launches = 0;
        } machine;
        machine.ends = how;
        Progress progress;
        const auto run = run_program({.program = modes_program(),
                                      .arguments = {"graph"},
                                      .input = {},
                                      .folder = {},
                                      .sources = {},
                                      .limits = {}},
                                     machine, progress);
        ASSERT_TRUE(run) << run.error().message();
        EXPECT_EQ(run->end.how, how);
        EXPECT_EQ(machine.launches, 1);
        EXPECT_EQ(run->steps.back().kind, Kind::launch);
    }
}

// --- Faults of the host ------------------------------------------------------------------------------------------

struct Fault {
    const char* mode;
    FaultKind kind;
    const char* line;  ///< nullptr: none in particular
};

class HostFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(HostFaults, AreReportedWithTheirLine) {
    NEEDS_PROGRAMS();
    const ProgramRun run = run_mode({GetParam().mode});
    const std::vector<ProgramStep> faults = faults_of(run);
    const auto found = std::ranges::find(faults, GetParam().kind, &ProgramStep::fault);
    ASSERT_NE(found, faults.end());
    EXPECT_FALSE(found->what.empty());
    if (GetParam().line != nullptr) {
        EXPECT_EQ(found->where.line, marked_line(GetParam().line));
    }
}

INSTANTIATE_TEST_SUITE_P(Each, HostFaults,
                         ::testing::Values(Fault{"past-end", FaultKind::copy_past_end, "past-end"},
                                           Fault{"read-past-end", FaultKind::copy_past_end, "read-past-end"},
                                           Fault{"no-allocation", FaultKind::copy_past_end, "no-allocation"},
                                           Fault{"fill-past-end", FaultKind::copy_past_end, "fill-past-end"},
                                           Fault{"symbol-past-end", FaultKind::copy_past_end, "symbol-past-end"},
                                           Fault{"direction", FaultKind::wrong_direction, "direction"},
                                           Fault{"fill-host", FaultKind::wrong_direction, "fill-host"},
                                           Fault{"host-access", FaultKind::host_access, "host-access"},
                                           Fault{"host-write", FaultKind::host_access, "host-write"},
                                           Fault{"double-free", FaultKind::double_free, "free"},
                                           Fault{"invalid-free", FaultKind::invalid_free, "invalid-free"},
                                           Fault{"free-of-host", FaultKind::invalid_free, "free-of-host"},
                                           Fault{"leak", FaultKind::leak, "allocation"},
                                           Fault{"after-free", FaultKind::use_after_free, "after-free"},
                                           Fault{"freed-host-access", FaultKind::host_access, "freed-host-access"},
                                           Fault{"managed-after-free", FaultKind::use_after_free, "managed-after-free"},
                                           Fault{"past-end", FaultKind::unchecked_error, "past-end"},
                                           Fault{"launch-error", FaultKind::unchecked_error, "launch-error"},
                                           Fault{"unsynchronized", FaultKind::unsynchronized, "unsynchronized"},
                                           Fault{"deep", FaultKind::host_stack_overflow, "deep"},
                                           Fault{"large-frame", FaultKind::host_stack_overflow, "large-frame"},
                                           Fault{"smash", FaultKind::host_overrun, "smash"},
                                           Fault{"copy-over-frame", FaultKind::host_overrun, "copy-over-frame"}),
                         [](const auto& fault) {
                             std::string name(fault.param.mode);
                             std::erase(name, '-');
                             return name + std::to_string(static_cast<unsigned>(fault.param.kind));
                         });

TEST(HostProgram, IsNotAccusedOfErrorsThatItLooksAt) {
    NEEDS_PROGRAMS();
    const ProgramRun run = run_mode({"checked-errors"});
    EXPECT_EQ(run.end.code, 0);
    EXPECT_EQ(std::ranges::count(faults_of(run), FaultKind::unchecked_error, &ProgramStep::fault), 0);
    EXPECT_GT(std::ranges::count(run.steps, Kind::error, &ProgramStep::kind), 5);
}

TEST(HostProgram, ReportsToTheMachineWhatIsFreed) {
    NEEDS_PROGRAMS();
    struct Counting : AddingMachine {
        void release(std::uint64_t address) override { released.push_back(address); }
        std::vector<std::uint64_t> released;
    } machine;
    Progress progress;
    const auto run = run_program(
        {.program = modes_program(), .arguments = {"plain"}, .input = {}, .folder = {}, .sources = {}, .limits = {}},
        machine, progress);
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_EQ(machine.released, std::vector<std::uint64_t>{device_base});
}

TEST(HostProgram, BuiltWithAddressSanitizerReportsHostOverruns) {
    NEEDS_PROGRAMS();
    Progress progress;
    for (const bool sanitized : {false, true}) {
        AddingMachine machine;
        const auto run = run_program({.program = modes_program(sanitized),
                                      .arguments = {"host-overrun"},
                                      .input = {},
                                      .folder = {},
                                      .sources = {data_folder()},
                                      .limits = {},
                                      .sanitized = sanitized},
                                     machine, progress);
        ASSERT_TRUE(run) << run.error().message();
        const std::vector<ProgramStep> faults = faults_of(*run);
        const auto found = std::ranges::find(faults, FaultKind::host_overrun, &ProgramStep::fault);
        ASSERT_EQ(found != faults.end(), sanitized) << run->printed;
        if (!sanitized) continue;
        EXPECT_EQ(found->where.line, marked_line("host-overrun"));
        EXPECT_EQ(found->what, "invalid host read of 256 bytes: heap-buffer-overflow");
        EXPECT_EQ(run->end.code, 1);
    }
}

TEST(HostProgram, HasNoFaultWhereItIsSound) {
    NEEDS_PROGRAMS();
    for (const char* mode : {"plain", "managed", "graph", "pitched", "events"})
        EXPECT_TRUE(faults_of(run_mode({mode})).empty()) << mode;
}

}  // namespace
}  // namespace lanescope::host
