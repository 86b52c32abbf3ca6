// Parsing the output of Nsight Compute, and saving counters.
#include "timing/counters.h"

#include <gmock/gmock.h>

namespace lanescope::timing {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// A table of two launches, in which every counter of the first is 1,000 and of the second 7.
std::string table(std::string_view but = {}) {
    std::string text =
        "==PROF== Connected to process 517\n"
        "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";
    for (const auto& [id, value] : {std::pair("0", "1,000"), std::pair("1", "7")}) {
        for (const Metric& metric : metrics()) {
            if (metric.name == but) continue;
            text += std::string("\"") + id + "\",\"517\",\"sum\",\"(256, 1, 1)\",\"" + std::string(metric.name) +
                    "\",\"inst\",\"" + value + "\"\n";
        }
    }
    return text;
}

TEST(NcuTable, IsReadLaunchByLaunch) {
    const auto launches = read_ncu_csv(table());
    ASSERT_TRUE(launches) << launches.error().message();
    ASSERT_THAT(*launches, SizeIs(2));
    EXPECT_EQ((*launches)[0].kernel, "sum");
    EXPECT_EQ((*launches)[0].counters.shared_load_wavefronts, 1000U);
    EXPECT_EQ((*launches)[0].counters.global_atomic_sectors, 2000U) << "atom's and red's";
    EXPECT_EQ((*launches)[1].counters.warp_instructions, 7U);
}

TEST(NcuTable, MayHaveBankConflicts) {
    const auto without = read_ncu_csv(table());
    ASSERT_TRUE(without) << without.error().message();
    EXPECT_FALSE((*without)[0].counters.shared_load_conflicts) << "not known, which is not 0";
    const auto with = read_ncu_csv(table() +
                                   "\"0\",\"517\",\"sum\",\"(256, 1, "
                                   "1)\",\"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum\",\"\",\"1,120\"\n"
                                   "\"0\",\"517\",\"sum\",\"(256, 1, "
                                   "1)\",\"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum\",\"\",\"0\"\n");
    ASSERT_TRUE(with) << with.error().message();
    EXPECT_EQ((*with)[0].counters.shared_load_conflicts, 1120U);
    EXPECT_EQ((*with)[0].counters.shared_store_conflicts, 0U);
    EXPECT_FALSE((*with)[0].counters.shared_atomic_conflicts);
    EXPECT_FALSE((*with)[1].counters.shared_load_conflicts);
}

TEST(NcuTable, WithACounterMissingIsRefused) {
    const auto launches = read_ncu_csv(table("smsp__inst_executed.sum"));
    ASSERT_FALSE(launches);
    EXPECT_THAT(launches.error().message(), HasSubstr("lacks 1 of 10 counters"));
}

TEST(NcuTable, ThatIsNoneIsRefused) {
    for (const char* text :
         {"", "\n\n", "==ERROR== no permission\n", "\"ID\",\"Kernel Name\"\n\"0\",\"sum\"\n", "\"\"\",\n"}) {
        const auto launches = read_ncu_csv(text);
        ASSERT_FALSE(launches) << text;
        EXPECT_THAT(launches.error().message(), HasSubstr("not a table from Nsight Compute"));
    }
}

TEST(NcuTable, ThatIsMissingOrIncompleteIsRefusedWithTheErrorsOfNsightCompute) {
    const std::string denied =
        "==PROF== Connected to process 517\n"
        "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters.\n"
        "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters.\n";
    EXPECT_EQ(errors_of_ncu(denied),
              "ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters");
    EXPECT_EQ(errors_of_ncu(table()), "");
    const auto none = read_ncu_csv(denied);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message(), HasSubstr("reported: ERR_NVGPUCTRPERM - The user does not have permission"));
    EXPECT_THAT(none.error().remedy, HasSubstr("run ncu as root"));
    const auto incomplete = read_ncu_csv(table("smsp__inst_executed.sum") + "==ERROR== The application crashed.\n");
    ASSERT_FALSE(incomplete);
    EXPECT_THAT(incomplete.error().message(), HasSubstr("lacks 1 of 10 counters; Nsight Compute reported: The app"));
    EXPECT_TRUE(read_ncu_csv("==ERROR== The application returned an error code (1).\n" + table()))
        << "what was counted is read";
}

TEST(NcuTable, WithACounterThatIsNoNumberIsRefused) {
    std::string text = table();
    text.replace(text.find("1,000"), 5, "n/a");
    const auto launches = read_ncu_csv(text);
    ASSERT_FALSE(launches);
    EXPECT_THAT(launches.error().message(), HasSubstr("is \"n/a\""));
}

TEST(Counters, KnowConflictsOfTwoLaunchesWhereTheyKnowThemOfBoth) {
    const Counters known{.shared_load_wavefronts = 5, .shared_load_conflicts = 3, .shared_store_conflicts = 1};
    const Counters half{.shared_load_wavefronts = 4, .shared_load_conflicts = 2};
    Counters sum = known;
    sum += half;
    EXPECT_EQ(sum.shared_load_conflicts, 5U);
    EXPECT_FALSE(sum.shared_store_conflicts);
    Counters least = known;
    least.keep_least(half);
    EXPECT_EQ(least.shared_load_wavefronts, 4U);
    EXPECT_EQ(least.shared_load_conflicts, 2U);
    EXPECT_FALSE(least.shared_store_conflicts);
}

TEST(Counters, AreKeptAsTheyAre) {
    CounterRecording recording{{.device = "NVIDIA H200",
                                .driver = "580",
                                .toolkit = "NVRTC 13.0",
                                .date = "2026-11-21",
                                .command = "lanescope counters"},
                               {}};
    recording.kernels.push_back({.kernel = "reduce/sequential",
                                 .view = "compiled",
                                 .optimized = false,
                                 .n = 1023,
                                 .block = 256,
                                 .input = "random 7",
                                 .launches = {{.shared_load_wavefronts = 25, .active_thread_instructions = 9},
                                              {.shared_load_conflicts = 7, .shared_store_conflicts = 0}}});
    const auto again = counters_from_json(to_json(recording));
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(*again, recording);
    EXPECT_FALSE(counters_from_json("{\"device\": 3}"));
    EXPECT_FALSE(counters_from_json("nonsense"));
}

}  // namespace
}  // namespace lanescope::timing
