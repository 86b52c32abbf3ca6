// `lanescope counters` with a fake Nsight Compute (tests/fake/profiler/ncu) and a fake GPU
// (tests/fake/cuda_driver.cpp): the counters that it reads, and its message for each failure.
#include "cli/counters_report.h"
#include "places.h"
#include "timing/counters.h"
#include "unit/cli/command_answer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>

namespace lanescope::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

struct ProfiledAnswer {
    int code = 0;
    std::string err;
    nlohmann::json json;
};

/// A file for --out, so that no shipped recording replaces counters that failed.
std::string saved() { return testing::TempDir() + "/profiled.json"; }

class ProfiledCounters : public testing::Test {
  protected:
    static ProfiledAnswer counters(const char* profiler, const char* gpu, std::vector<std::string> arguments,
                                   const std::string& table = {}) {
        setenv("PATH", LANESCOPE_SOURCE_DIR "/tests/fake/profiler:/usr/bin:/bin", 1);
        setenv("LANESCOPE_DRIVER", LANESCOPE_FAKE_DRIVER, 1);
        setenv("FAKE_NCU", profiler, 1);
        setenv("FAKE_CUDA", gpu, 1);
        setenv("FAKE_NCU_TABLE", table.c_str(), 1);
        arguments.insert(arguments.begin(), "counters");
        arguments.insert(arguments.end(), {"--view", "compiled", "--jit", "O3", "--json", "--out", saved()});
        const CommandAnswer answer = answer_of(arguments);
        return {.code = answer.code, .err = answer.err, .json = nlohmann::json::parse(answer.out, nullptr, false)};
    }

    /// A table in the format of Nsight Compute, for `launches` launches of a kernel with one block. All counters are 0,
    /// except wavefronts of shared loads: `wavefronts` in the middle launch, and 7 more in the others.
    static std::string table_of(unsigned launches, unsigned wavefronts) {
        const std::string file = testing::TempDir() + fmt::format("/profiled-{}.csv", launches);
        std::ofstream table(file);
        table << "==PROF== Connected to process 4242 (lanescope)\n==PROF== Disconnected from process 4242\n"
              << "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n";
        for (unsigned id = 0; id < launches; ++id) {
            for (const timing::Metric& metric : timing::metrics()) {
                const bool loads = metric.field == "shared_load_wavefronts";
                const unsigned value = !loads ? 0 : id == launches / 2 ? wavefronts : wavefronts + 7;
                table << fmt::format("\"{}\",\"reduce(const int *, int *)\",\"{}\",\"{}\"\n", id, metric.name, value);
            }
        }
        return file;
    }

    /// Runs two kernels; each must fail with the reason.
    static void expect_failures(const char* gpu, const std::string& why, const std::string& limit = "60") {
        const ProfiledAnswer answer =
            counters("", gpu, {"reduce/sequential", "scan/in-place", "--n", "256", "--block", "256", "--limit", limit});
        EXPECT_EQ(answer.code, kernel_wrong) << answer.err;
        ASSERT_TRUE(answer.json.is_object()) << answer.err;
        ASSERT_THAT(answer.json["kernels"], SizeIs(2U));
        for (const nlohmann::json& kernel : answer.json["kernels"])
            EXPECT_THAT(kernel["failed"].get<std::string>(),
                        AllOf(HasSubstr(why), Not(HasSubstr("Nsight Compute failed"))));
    }
};

TEST_F(ProfiledCounters, AreTheLeastOfTheRunsBesideTheEmulators) {
    const ProfiledAnswer answer =
        counters("", "", {"reduce/strided-index", "--n", "256", "--block", "256"}, table_of(counted_runs, 95));
    EXPECT_EQ(answer.code, fine) << answer.err;
    ASSERT_TRUE(answer.json.is_object()) << answer.err;
    EXPECT_EQ(answer.json["device"], "NVIDIA Fake");
    ASSERT_THAT(answer.json["kernels"], SizeIs(1U));
    EXPECT_EQ(answer.json["kernels"][0]["gpu"]["shared_load_wavefronts"], 95);
    EXPECT_EQ(answer.json["kernels"][0]["emulator"]["shared_load_wavefronts"], 95);
    EXPECT_EQ(answer.json["kernels"][0]["equal"], false) << "its stores are 0 in the table";
}

TEST_F(ProfiledCounters, SayThatSomeLaunchesAreMissing) {
    const ProfiledAnswer answer =
        counters("", "", {"reduce/strided-index", "--n", "256", "--block", "256"}, table_of(counted_runs - 1, 95));
    EXPECT_EQ(answer.code, request_wrong);
    EXPECT_THAT(answer.err, HasSubstr(fmt::format("counted only {} of the launches", counted_runs - 1)));
}

TEST_F(ProfiledCounters, SayWhoMayReadThemWhereTheDriverRestrictsThem) {
    const ProfiledAnswer answer = counters("denied", "", {"reduce/sequential", "--n", "256", "--block", "256"});
    EXPECT_EQ(answer.code, request_wrong);
    EXPECT_THAT(answer.err,
                AllOf(HasSubstr("ERR_NVGPUCTRPERM - The user does not have permission"), HasSubstr("run it as root")));
}

TEST_F(ProfiledCounters, SayThatTheProfilerEndedBeforeAnythingRan) {
    const ProfiledAnswer answer = counters("broken", "", {"reduce/sequential", "--n", "256", "--block", "256"});
    EXPECT_EQ(answer.code, request_wrong);
    EXPECT_THAT(answer.err, HasSubstr("Failed to prepare the profiler"));
}

TEST_F(ProfiledCounters, SayThatTheLogHasNoTable) {
    const ProfiledAnswer answer = counters("empty", "", {"reduce/sequential", "--n", "256", "--block", "256"});
    EXPECT_EQ(answer.code, request_wrong);
    EXPECT_THAT(answer.err, HasSubstr("not a table from Nsight Compute"));
}

TEST_F(ProfiledCounters, SayThatThereIsNoGpu) {
    const ProfiledAnswer answer = counters("", "none", {"reduce/sequential"});
    EXPECT_EQ(answer.code, request_wrong);
    EXPECT_THAT(answer.err, HasSubstr("finds no GPU"));
}

TEST_F(ProfiledCounters, OutliveAKernelThatFaults) {
    expect_failures("fault", "illegal address (CUDA_ERROR_ILLEGAL_ADDRESS)");
}

TEST_F(ProfiledCounters, OutliveAKernelThatEndsItsProcess) {
    ::setenv("ASAN_OPTIONS", "handle_segv=0", 1);  // the signal itself, also under a sanitizer
    expect_failures("crash", "signal 11");
}

TEST_F(ProfiledCounters, OutliveAKernelThatNeverEnds) {
    expect_failures("hang", "Nsight Compute did not finish it within 5 s", "5");
}

}  // namespace
}  // namespace lanescope::cli
