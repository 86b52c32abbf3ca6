// Every kernel at every kind of size: blocks that are no power of two where it takes them, N from 1.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_support.h"
#include "session/gpu_plan.h"

namespace lanescope::session {
namespace {

TEST(LongKernels, AreRightInBlocksOfEverySizeTheyTakeAndForNFromOne) {
    for (const Program& program : catalog()) {
        if (!program.recipe.expected.fault.empty() || !runs_at_any_launch(program)) continue;
        for (const std::uint32_t block : {1U, 2U, 7U, 32U, 33U, 64U, 96U, 100U, 128U, 256U, 333U, 512U, 992U, 1024U}) {
            if (!check_block(program, block)) continue;
            const std::uint64_t most = largest_n(program, {.n = 0, .block = block, .grid = 1}).value();
            for (const std::uint64_t n :
                 {std::uint64_t{1}, std::uint64_t{block}, std::uint64_t{block} + 1, 5 * std::uint64_t{block} - 1}) {
                if (n > most) continue;
                for (const trace::View view : {trace::View::written, trace::View::compiled}) {
                    const auto run =
                        run_of({.program = program.name, .n = n, .block = block, .input = "random 11", .view = view});
                    ASSERT_NE(run, nullptr) << program.name;
                    EXPECT_EQ(run->verdict.ok, true) << program.name << " block " << block << " n " << n;
                    EXPECT_TRUE(run->trace().findings.empty()) << program.name << " block " << block << " n " << n;
                }
            }
        }
    }
}

/// The largest block up to 256 threads that the kernel takes.
std::uint32_t large_block(const Program& program) {
    for (std::uint32_t block = 256; block > 1; block /= 2)
        if (check_block(program, block)) return block;
    return 1;
}

TEST(LongKernels, AreRightAsEveryTypeAndInstanceThatTheyClaimUpTo2To20Elements) {
    for (const Program& program : catalog()) {
        if (!program.recipe.expected.fault.empty() || !runs_at_any_launch(program)) continue;
        const std::uint32_t block = large_block(program);
        const std::uint64_t most = largest_n(program, {.n = 0, .block = block, .grid = 1}).value();
        std::vector<std::string> kernels = claimed_kernels(program);
        kernels.emplace_back();  // its own
        for (const std::string& kernel : kernels) {
            for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{4'099}, (std::uint64_t{1} << 20) - 1}) {
                const auto run = run_of({.program = program.name,
                                         .kernel = kernel,
                                         .n = std::min(n, most),
                                         .block = block,
                                         .input = "random 11",
                                         .record_blocks = 1});
                ASSERT_NE(run, nullptr) << program.name << kernel;
                EXPECT_EQ(run->verdict.ok, true) << program.name << kernel << " n " << n;
                EXPECT_TRUE(run->trace().findings.empty()) << program.name << kernel << " n " << n;
            }
        }
    }
}

TEST(ClaimedKernels, AreOfTheOtherTypesAndOfTheInstancesOfTheLesson) {
    const auto of = [](const std::string& name) { return claimed_kernels(*find_requested({.program = name})); };
    EXPECT_THAT(of("reduce/values-per-thread"),
                testing::ElementsAre("reduce<float>", "reduce<double>", "reduce<block, 1>", "reduce<block, 7>",
                                     "reduce<block, 8>", "reduce<block, 9>", "reduce<block, 11>"));
    EXPECT_THAT(of("scan/look-back"), testing::Contains("scan<float, block, 1>")) << "not those of its timed launch";
    EXPECT_THAT(of("reduce/bitwise-xor"), testing::IsEmpty()) << "bits are of whole numbers";
}

TEST(SweepOfKernels, TakesOneElement) {
    for (const Program& program : catalog()) {
        if (!program.recipe.expected.fault.empty() || !runs_at_any_launch(program)) continue;
        const auto run = run_of({.program = program.name, .n = 1});
        ASSERT_NE(run, nullptr) << program.name;
        EXPECT_EQ(run->verdict.ok, true) << program.name;
        EXPECT_TRUE(run->trace().findings.empty()) << program.name;
    }
}

TEST(Session, EveryFaultyKernelShowsItsFault) {
    for (const Program& program : catalog()) {
        if (program.recipe.expected.fault.empty()) continue;
        const auto run = run_of({.program = program.name});
        ASSERT_NE(run, nullptr) << program.name;
        EXPECT_TRUE(shows_fault(*run)) << program.name;
    }
}

TEST(SweepOfKernels, AFaultyOneShowsItsFaultWhereItsDescriptionSaysSoAndIsRightWhereItDoesNot) {
    std::size_t right = 0;
    for (const Program& program : catalog()) {
        if (program.recipe.expected.fault.empty() || !runs_at_any_launch(program)) continue;
        const std::uint64_t block = evaluate_extent(program.recipe.block, {})->count();
        for (const std::uint64_t n : {std::uint64_t{1}, block, 2 * block, 3 * block + 1}) {
            SCOPED_TRACE(fmt::format("{}, n = {}", program.name, n));
            const auto run = run_of({.program = program.name, .n = n, .check_all_blocks = true});
            ASSERT_NE(run, nullptr);
            const auto why = why_no_fault(run->program, {.n = run->n, .block = run->block, .grid = run->grid});
            EXPECT_TRUE(why || shows_fault(*run));
            if (shows_fault(*run)) continue;
            ++right;
            EXPECT_EQ(run->verdict.ok, true);
            EXPECT_EQ(first_fault(run->trace()), nullptr);
            EXPECT_THAT(run->notes, testing::Contains(testing::HasSubstr(" occurs with ")));
        }
    }
    EXPECT_GT(right, 0U);
}

}  // namespace
}  // namespace lanescope::session
