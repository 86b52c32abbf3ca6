// `lanescope counters` where nothing can be counted: what an H200 counted stands beside the emulator's, with its label.
#include "cli/cli.h"
#include "places.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace lanescope::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Answer {
    int code = 0;
    std::string out, err;
};

Answer counters(std::vector<std::string> arguments) {
    setenv("PATH", "/nowhere", 1);  // no Nsight Compute
    std::ostringstream out, err;
    Progress progress;
    Environment environment{
        .out = out, .err = err, .progress = progress, .version = "0.0.0", .program = LANESCOPE_BINARY};
    arguments.insert(arguments.begin(), "counters");
    const int code = cli::run(arguments, environment);
    return {.code = code, .out = out.str(), .err = err.str()};
}

TEST(CountersCommand, shows_what_ships_where_there_is_no_profiler) {
    const Answer answer = counters({"reduce/sequential"});
    EXPECT_EQ(answer.code, fine) << answer.err;
    EXPECT_THAT(answer.err, AllOf(HasSubstr("is not installed"), HasSubstr("recorded on 2026")));
    EXPECT_THAT(answer.out, AllOf(HasSubstr("NVIDIA H200, driver 5"), HasSubstr("NVRTC 13"),
                                  HasSubstr("counted by `lanescope counters"), HasSubstr("3 of 3 have equal")));
}

TEST(CountersCommand, explains_what_differs) {
    const Answer answer = counters({"scan/double-buffered", "--view", "compiled"});
    EXPECT_THAT(answer.out, AllOf(HasSubstr("differs"), HasSubstr("at -O0 all are equal"))) << answer.err;
}

TEST(CountersCommand, says_which_launch_was_counted_where_another_is_asked_for) {
    const Answer answer = counters({"reduce/sequential", "--n", "77"});
    EXPECT_EQ(answer.code, request_wrong);
    EXPECT_THAT(answer.err, HasSubstr("was counted with n = "));
}

TEST(CountersCommand, imports_a_recording_of_counters) {
    const std::string file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/recordings/counters/h200.json";
    const Answer answer =
        counters({"--import", file, "reduce/atomic", "scan/padded", "--view", "compiled", "--jit", "O0"});
    EXPECT_EQ(answer.code, fine) << answer.err;
    EXPECT_THAT(answer.out, AllOf(HasSubstr("NVIDIA H200"), HasSubstr("2 of 2 have equal")));
    EXPECT_EQ(counters({"--import", file, "faulty/missing-barrier"}).code, request_wrong) << "it has no such kernel";
}

TEST(CountersCommand, wants_to_know_whose_a_table_is) {
    const std::string file = testing::TempDir() + "/table.csv";
    std::ofstream(file) << "\"ID\",\"Kernel Name\"\n";
    const Answer answer = counters({"--import", file});
    EXPECT_EQ(answer.code, request_wrong);
    EXPECT_THAT(answer.err, HasSubstr("needs the kernel that was counted"));
}

}  // namespace
}  // namespace lanescope::cli
