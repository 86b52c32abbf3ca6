// Two runs to compare: the names that distinguish them, and their labeled times.
#include "session/compared_runs.h"

#include "unit/session/run_support.h"

#include <gmock/gmock.h>

#include <numeric>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

timing::ComparedTimes times_of(const Run& one, const Run& other) {
    Progress progress;
    return times_of(one, other, comparison_of(one, other), timing::shipped_recordings().all(), progress);
}

TEST(ComparedRuns, AreNamedByWhatDiffers) {
    const auto one = run_of({.program = "reduce/sequential", .block = 64});
    const auto blocks = names_of(*one, *run_of({.program = "reduce/sequential", .block = 128}));
    EXPECT_EQ(blocks.first, "reduce/sequential, block 64, n = 64");
    EXPECT_EQ(blocks.second, "reduce/sequential, block 128, n = 128");
    const auto banks = names_of(*one, *run_of({.program = "reduce/sequential", .block = 64, .banks = 16}));
    EXPECT_EQ(banks.second, "reduce/sequential, 16 banks");
    const auto kernels = names_of(*one, *run_of({.program = "reduce/strided-index", .block = 64}));
    EXPECT_EQ(kernels, std::pair(std::string("reduce/sequential"), std::string("reduce/strided-index")));
}

TEST(ComparedRuns, OfSeveralTheFirstIsNamedByWhatDiffersFromAnyOther) {
    const auto one = run_of({.program = "reduce/sequential", .block = 64});
    const std::vector<std::shared_ptr<const session::Run>> runs{
        one, run_of({.program = "reduce/strided-index", .block = 64}),
        run_of({.program = "reduce/sequential", .block = 128})};
    EXPECT_THAT(names_of(runs), testing::ElementsAre("reduce/sequential, block 64, n = 64", "reduce/strided-index",
                                                     "reduce/sequential, block 128, n = 128"));
    EXPECT_EQ(caveat_of(*one, *runs[2], 'C'), "A processes 64 elements, C 128 elements.");
}

TEST(ComparedRuns, SayWhereTheyAreNotTheSameTask) {
    const auto one = run_of({.program = "reduce/sequential", .block = 64});
    EXPECT_EQ(caveat_of(*one, *run_of({.program = "reduce/strided-index", .block = 64})), "");
    EXPECT_EQ(caveat_of(*one, *run_of({.program = "reduce/sequential", .block = 128})),
              "A processes 64 elements, B 128 elements.");
    EXPECT_THAT(caveat_of(*one, *run_of({.program = "faulty/missing-barrier", .n = 64, .block = 32})),
                HasSubstr("B has findings."));
}

TEST(ComparedRuns, SayWhichOfTheirSizesIsGuessed) {
    const ScratchFolder folder;
    // Nothing states a launch of either; the second one's size follows from its block of two dimensions.
    const std::string line = folder.add("line.cu",
                                        "__global__ void scale(float* x, int n) {\n"
                                        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                        "    if (i < n) x[i] *= 2.0f;\n}\n");
    const std::string square = folder.add("square.cu",
                                          "__global__ void turn(const float* in, float* out) {\n"
                                          "    int x = threadIdx.x, y = threadIdx.y;\n"
                                          "    out[x * 8 + y] = in[y * 8 + x];\n}\n");
    const auto one = run_of({.program = line}), other = run_of({.program = square});
    ASSERT_NE(one->n, other->n);
    EXPECT_EQ(caveat_of(*one, *other),
              fmt::format("n = {} (guessed) in A and {} (guessed) in B: state n to compare the same size.", one->n,
                          other->n));
    const auto stated = run_of({.program = line, .n = 128});
    EXPECT_EQ(caveat_of(*stated, *other),
              fmt::format("n = 128 in A and {} (guessed) in B: state n to compare the same size.", other->n));
    EXPECT_EQ(caveat_of(*stated, *run_of({.program = line, .n = 256})), "A processes 128 elements, B 256 elements.");
    EXPECT_THAT(names_of(*one, *stated).first, HasSubstr("(guessed)"));
}

TEST(ComparedRuns, AsWrittenAreEstimatedFromTheCodeAsCompiled) {
    const auto written = run_of({.program = "reduce/sequential", .block = 64});
    const auto compiled = run_of({.program = "reduce/sequential", .block = 64, .view = trace::View::compiled});
    const timing::ComparedTimes times = times_of(*written, *compiled);
    ASSERT_TRUE(times.one.estimated() && times.other.estimated());
    EXPECT_DOUBLE_EQ(*times.one.estimated(), *times.other.estimated()) << "the same code on hardware";
    EXPECT_FALSE(times.one.of_passes) << "its passes are those of other code";
    EXPECT_TRUE(times.other.of_passes);
    EXPECT_THAT(times.estimated_sentence(), HasSubstr("equally fast"));
}

TEST(ComparedRuns, ThePartsOfThePassesLeaveOutLaunchesAndBlocksAlone) {
    const auto one = run_of({.program = "reduce/sequential", .n = 1024, .block = 256, .view = trace::View::compiled});
    const timing::ComparedTimes times = times_of(*one, *one);
    ASSERT_FALSE(times.passes.empty());
    double sum = 0;
    for (const timing::PassTimes& pass : times.passes) sum += pass.one.value_or(0);
    const timing::CostParts& parts = *times.one.parts;
    EXPECT_NEAR(sum + parts[0] + parts[1] + parts[5], *times.one.estimated(), 1e-9);
}

TEST(ComparedRuns, MeasuredTimesAreOfTheSameLaunchInOneRecording) {
    const auto one =
        run_of({.program = "reduce/interleaved-modulo", .n = 1024, .block = 256, .view = trace::View::compiled});
    const auto other = run_of({.program = "reduce/sequential", .n = 1024, .block = 256, .view = trace::View::compiled});
    const timing::ComparedTimes times = times_of(*one, *other);
    ASSERT_TRUE(times.one.measured && times.other.measured);
    EXPECT_EQ(times.one.measured->kernel, "reduce/interleaved-modulo");
    EXPECT_EQ(times.other.measured->n, 1024U);
    EXPECT_THAT(times.measured_sentence(), HasSubstr("Measured on NVIDIA H200"));
    const auto unmeasured_size = run_of({.program = "reduce/sequential", .n = 768, .block = 256});
    EXPECT_EQ(times_of(*one, *unmeasured_size).measured_sentence(), "");
}

TEST(ComparedRuns, HaveNoEstimateWhereTheModelDoesNotHold) {
    const auto one = run_of({.program = "reduce/strided-index", .block = 64, .banks = 16});
    const auto other = run_of({.program = "reduce/strided-index", .block = 64});
    const timing::ComparedTimes times = times_of(*one, *other);
    EXPECT_FALSE(times.one.estimated().has_value());
    EXPECT_TRUE(times.other.estimated().has_value());
    EXPECT_THAT(times.estimated_sentence(), HasSubstr("No estimate of A: the cost model is fitted to 32 banks"));
}

TEST(PassPercents, AreTheEstimatesOfThePassesThatTheBlockHas) {
    const auto run = run_of({.program = "reduce/sequential", .n = 512, .block = 64, .view = trace::View::compiled});
    const analysis::Analysis& analysis = *run->analysis;
    const analysis::BlockPasses& block = analysis.block_passes(0, BlockId(1));
    ASSERT_EQ(block.passes.size(), analysis.passes.size());
    TimeOfPasses time{.total = 8};
    EXPECT_TRUE(pass_percents(time, analysis, block).empty()) << "no estimate of passes";
    for (std::size_t pass = 0; pass < analysis.passes.size(); ++pass)
        time.passes.push_back(pass == 1 ? std::nullopt : std::optional(0.5 * static_cast<double>(pass)));
    const auto percents = pass_percents(time, analysis, block);
    ASSERT_EQ(percents.size(), block.passes.size());
    EXPECT_EQ(percents[0], 0);
    EXPECT_EQ(percents[1], std::nullopt);
    EXPECT_EQ(percents[2], 12.5);
    time.total.reset();
    EXPECT_TRUE(pass_percents(time, analysis, block).empty());
}

TEST(TimeChange, IsNoticedBeyondTheError) {
    const timing::TimeChange slower = timing::change_between(1, 1.5, 0.2);
    EXPECT_TRUE(slower.noticed);
    EXPECT_EQ(slower.text(), "+0.50");
    const timing::TimeChange within = timing::change_between(1, 0.9, 0.2);
    EXPECT_FALSE(within.noticed);
    EXPECT_EQ(within.text(), "−0.10");
    const timing::TimeChange none = timing::change_between(1, 1.004, 0);
    EXPECT_FALSE(none.noticed) << "it would be written as 0";
    EXPECT_EQ(none.text(), "0");
}

}  // namespace
}  // namespace lanescope::session
