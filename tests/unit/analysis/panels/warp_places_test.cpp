// The place of a warp is counted in waits: each block barrier, an epoch of the trace, is one; a failed test of an
// mbarrier is none.
#include "analysis/panels/warp_places.h"

#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

/// At every step a warp is where step_in_place() says that it is for the first time, and it never goes back.
void expect_consistent(const BlockView& block) {
    const std::size_t steps = block.passes.steps.size();
    std::vector<WarpPlace> before = warp_places(block, 0);
    for (std::size_t index = 1; index <= steps; ++index) {
        const std::vector<WarpPlace> now = warp_places(block, index);
        for (std::size_t warp = 0; warp < now.size(); ++warp) {
            const auto order = [](const WarpPlace& place) { return 2 * place.waits + (place.waiting ? 1 : 0); };
            EXPECT_GE(order(now[warp]), order(before[warp])) << "step " << index << ", warp " << warp;
            if (now[warp] == before[warp] || now[warp] == WarpPlace()) continue;
            EXPECT_EQ(step_in_place(block, WarpId(static_cast<std::uint32_t>(warp)), now[warp]), index);
        }
        before = now;
    }
}

TEST(WarpPlaces, CountTheBlockBarriersThatEachWarpHasPassed) {
    const auto kernel = analysis_of(kernel_run("reduce/sequential", trace::View::written, 128, iota(128)));
    const BlockView block = kernel->view(0, BlockId(0));
    expect_consistent(block);
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        const trace::Step& step = block.step_at(index);
        const WarpPlace place = warp_places(block, index + 1)[step.warp.index()];
        const bool meets = block.instruction_at(index)->instruction->action() == ptx::Action::block_barrier;
        EXPECT_EQ(place.waits, step.epoch) << "step " << index;
        EXPECT_EQ(place.waiting, meets) << "step " << index;
    }
    EXPECT_EQ(step_in_place(block, WarpId(0), {.waits = 1000, .waiting = false}), std::nullopt);
}

TEST(WarpPlaces, CountThePhasesThatAWarpHasFoundComplete) {
    const auto kernel = analysis_of_two_slots();
    const BlockView block = kernel->view(0, BlockId(0));
    expect_consistent(block);
    const std::vector<WarpPlace> ended = warp_places(block, block.passes.steps.size());
    EXPECT_EQ(ended[0], (WarpPlace{.waits = 1, .waiting = false})) << "the block barrier";
    EXPECT_EQ(ended[1], (WarpPlace{.waits = 3, .waiting = false})) << "and two phases";
}

}  // namespace
}  // namespace lanescope::analysis
