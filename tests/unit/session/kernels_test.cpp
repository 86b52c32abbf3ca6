// Every kernel at every kind of size: blocks that are no power of two where it takes them, N from 1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "run_support.h"

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
        const auto found = std::ranges::any_of(run->trace().findings, [&](const trace::Finding& finding) {
            return trace::name_of(finding.kind) == program.recipe.expected.fault;
        });
        EXPECT_TRUE(program.recipe.expected.fault == "wrong result" ? run->verdict.ok == false : found) << program.name;
    }
}

}  // namespace
}  // namespace lanescope::session
