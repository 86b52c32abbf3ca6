// Use that is not known: where some blocks are not recorded, no lane is called wasted that a whole record calls useful.
#include "session/run.h"
#include "session/whole_program.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace lanescope::session {
namespace {

std::shared_ptr<const Run> run_of(const Request& request) {
    Progress progress;
    const auto run = session::run(request, progress);
    EXPECT_TRUE(run) << run.error().problem.message();
    return run ? *run : nullptr;
}

/// Compares the first block of a launch in both runs, step by step. Returns the lanes whose use is unknown.
std::uint64_t compare(const Run& whole, const Run& part, std::uint32_t launch) {
    const analysis::BlockPasses& all = whole.analysis->block_passes(launch, BlockId(0));
    const analysis::BlockPasses& some = part.analysis->block_passes(launch, BlockId(0));
    EXPECT_EQ(all.steps.size(), some.steps.size());
    std::uint64_t unknown_lanes = 0;
    for (std::size_t i = 0; i < std::min(all.steps.size(), some.steps.size()); ++i) {
        const LaneMask useful = whole.analysis->provenance->useful(all.steps[i]);
        const LaneMask may_be = part.analysis->provenance->useful(some.steps[i]);
        const LaneMask unknown = part.analysis->provenance->unknown_use(some.steps[i]);
        EXPECT_TRUE((useful & ~may_be).none()) << "step " << i << ": a useful lane is called wasted";
        EXPECT_TRUE(((may_be & ~unknown) & ~useful).none()) << "step " << i << ": a wasted lane is called useful";
        unknown_lanes += unknown.count();
    }
    return unknown_lanes;
}

TEST(UnknownUse, OfOutputsIsKnown) {
    Request request{.program = "reduce/sequential", .n = 128, .block = 16};
    const auto whole = run_of(request);
    request.record_blocks = 2;
    EXPECT_EQ(compare(*whole, *whole, 0), 0U) << "all blocks are recorded";
    EXPECT_EQ(compare(*whole, *run_of(request), 0), 0U) << "a block's sum is an output";
}

TEST(UnknownUse, OfALaunchIsThatOfTheLaunchesAfterIt) {
    if (const auto problem = cannot_run_programs()) GTEST_SKIP() << problem->message();
    Request request{.program = "scan/three-launches", .n = 64, .block = 8};
    const auto whole = run_of(request);
    request.record_blocks = 2;
    const auto part = run_of(request);
    for (const std::uint32_t launch : {0U, 1U, 2U}) compare(*whole, *part, launch);
    // Launch 1 has one block, which is recorded; launch 2 reads all its sums, and most of its blocks are not recorded.
    EXPECT_GT(compare(*whole, *part, 1), 0U);
    for (const analysis::GridPass& pass : part->analysis->passes) {
        if (pass.launch != 1) continue;
        EXPECT_FALSE(pass.useful_lanes) << pass.label;
        EXPECT_FALSE(pass.work) << pass.label;
    }
}

TEST(AddressWork, IsThatOfFlagsAndOffsets) {
    const auto run = run_of({.program = "apply/partition"});
    EXPECT_EQ(run->analysis->work, 0U) << "no value is made of two elements";
    EXPECT_GT(run->analysis->address_work.value_or(0), 0U) << "a scan of flags decides where each goes";
    EXPECT_EQ(run_of({.program = "reduce/sequential"})->analysis->address_work, 0U);
}

}  // namespace
}  // namespace lanescope::session
