// `lanescope counters` on a machine that cannot count: compares counters recorded on an H200, labeled as such, with the
// emulator's.
#include "timing/counters.h"
#include "unit/cli/command_answer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

namespace lanescope::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(CountersCommand, ShowsWhatShipsWhereThereIsNoProfiler) {
    const CommandAnswer answer = counters_without_profiler({"reduce/sequential"});
    EXPECT_EQ(answer.code, fine) << answer.err;
    EXPECT_THAT(answer.err, AllOf(HasSubstr("is not installed"), HasSubstr("recorded on 2026")));
    EXPECT_THAT(answer.out, AllOf(HasSubstr("NVIDIA H200, driver 5"), HasSubstr("NVRTC 13"),
                                  HasSubstr("counted by `lanescope counters"), HasSubstr("3 of 3 have equal")));
}

/// A file with what Nsight Compute counted on an NVIDIA H200 of reduce/strided-index, 256 elements in one block; the
/// rest is 0.
std::string table_of_strided_index(const std::string& file_name, bool with_conflicts) {
    std::string table = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n";
    const auto add = [&](std::string_view name, std::string_view value) {
        table += fmt::format("\"0\",\"reduce(const int *, int *)\",\"{}\",\"{}\"\n", name, value);
    };
    for (const timing::Metric& metric : timing::metrics()) {
        add(metric.name, metric.field == "shared_load_wavefronts"    ? "95"
                         : metric.field == "shared_store_wavefronts" ? "55"
                                                                     : "0");
    }
    if (with_conflicts) {
        add("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "70");
        add("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "36");
    }
    std::string file = testing::TempDir() + "/" + file_name;
    std::ofstream(file) << table;
    return file;
}

TEST(CountersCommand, HasADashForConflictsThatATableLacks) {
    const std::string file = table_of_strided_index("no-conflicts.csv", false);
    const CommandAnswer answer = counters_without_profiler({"reduce/strided-index", "--n", "256", "--import", file});
    EXPECT_THAT(answer.out, AllOf(HasSubstr("conflicts"), HasSubstr("- / 70"), HasSubstr("- / 35"),
                                  HasSubstr("this recording has none of the GPU's"),
                                  HasSubstr("have equal wavefronts and sectors")))
        << answer.err;
    const CommandAnswer json =
        counters_without_profiler({"reduce/strided-index", "--n", "256", "--import", file, "--json"});
    EXPECT_THAT(json.out,
                AllOf(HasSubstr("\"shared_load_conflicts\": null"), HasSubstr("\"shared_load_conflicts\": 70")));
}

TEST(CountersCommand, ImportsConflictsWithATable) {
    const std::string file = table_of_strided_index("conflicts.csv", true);
    const CommandAnswer answer = counters_without_profiler({"reduce/strided-index", "--n", "256", "--import", file});
    EXPECT_THAT(answer.out, AllOf(HasSubstr("  70  "), HasSubstr("36 / 35"),
                                  HasSubstr("36 conflicts of shared stores, the emulator 35"),
                                  HasSubstr("equal wavefronts, conflicts and sectors")))
        << answer.err;
}

TEST(CountersCommand, ExplainsWhatDiffers) {
    const CommandAnswer answer = counters_without_profiler({"scan/double-buffered", "--view", "compiled"});
    EXPECT_THAT(answer.out, AllOf(HasSubstr("differs"), HasSubstr("at -O0 all are equal"))) << answer.err;
}

TEST(CountersCommand, SaysWhichLaunchWasCountedWhereAnotherIsAskedFor) {
    const CommandAnswer answer = counters_without_profiler({"reduce/sequential", "--n", "77"});
    EXPECT_EQ(answer.code, request_wrong);
    EXPECT_THAT(answer.err, HasSubstr("was counted with n = "));
}

TEST(CountersCommand, ImportsARecordingOfCounters) {
    const std::string file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/recordings/counters/h200.json";
    const CommandAnswer answer = counters_without_profiler(
        {"--import", file, "reduce/atomic", "scan/padded", "--view", "compiled", "--jit", "O0"});
    EXPECT_EQ(answer.code, fine) << answer.err;
    EXPECT_THAT(answer.out, AllOf(HasSubstr("NVIDIA H200"), HasSubstr("2 of 2 have equal")));
    EXPECT_EQ(counters_without_profiler({"--import", file, "faulty/missing-barrier"}).code, request_wrong)
        << "it has no such kernel";
}

TEST(CountersCommand, WantsToKnowWhoseATableIs) {
    const std::string file = testing::TempDir() + "/table.csv";
    std::ofstream(file) << "\"ID\",\"Kernel Name\"\n";
    const CommandAnswer answer = counters_without_profiler({"--import", file});
    EXPECT_EQ(answer.code, request_wrong);
    EXPECT_THAT(answer.err, HasSubstr("needs the name of the one kernel that was counted"));
}

}  // namespace
}  // namespace lanescope::cli
