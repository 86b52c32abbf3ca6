// Where stepping stops while it follows one warp of a block.
#include "analysis/panels/warp_stops.h"

#include "analysis/panels/notable_steps.h"
#include "unit/analysis/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace lanescope::analysis {
namespace {

class StopsOfAWarp : public testing::Test {
  protected:
    std::shared_ptr<const Analysis> analysis =
        analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 64, iota(64)));
    const BlockView block = analysis->view(0, BlockId(0));
    const SourceMap map{analysis->trace, *analysis->module};
    const std::size_t end = block.passes.steps.size();
    const WarpStops stops = warp_stops(block, map, WarpId(1));
};

TEST_F(StopsOfAWarp, AreAllItsInstructionsTheStartAndTheEnd) {
    std::vector<std::size_t> expected{0};
    for (std::size_t index = 1; index < end; ++index)
        if (block.step_at(index).warp == WarpId(1)) expected.push_back(index);
    expected.push_back(end);
    EXPECT_EQ(stops.instructions, expected);
}

TEST_F(StopsOfAWarp, OfEventsAreItsEventsAndItsFirstStepOfEachPass) {
    std::optional<PassId> entered;
    for (std::size_t index = 0; index < end; ++index) {
        if (block.step_at(index).warp != WarpId(1)) continue;
        const bool first = std::exchange(entered, block.passes.pass_of(index)) != block.passes.pass_of(index);
        const bool event = is_event(block.module, block.instruction_at(index), block.step_at(index));
        EXPECT_EQ(std::ranges::binary_search(stops.events, index), event || first) << index;
    }
    for (const std::size_t stop : stops.events)
        if (stop > 0 && stop < end) {
            EXPECT_EQ(block.step_at(stop).warp, WarpId(1));
        }
}

TEST_F(StopsOfAWarp, OfPassesAreOneForEachPassAndTheEnd) {
    ASSERT_EQ(stops.passes.size(), block.passes.passes.size() + 1);
    EXPECT_EQ(stops.passes.front(), 0U);
    EXPECT_EQ(stops.passes.back(), end);
    for (std::size_t pass = 1; pass < block.passes.passes.size(); ++pass) {
        EXPECT_EQ(block.passes.pass_of(stops.passes[pass]).index(), pass);
        EXPECT_EQ(block.step_at(stops.passes[pass]).warp, WarpId(1));
    }
}

TEST_F(StopsOfAWarp, OfLinesAreWhereItsLineIsAnother) {
    for (std::size_t at = 2; at + 1 < stops.lines.size(); ++at)
        EXPECT_NE(map.cuda_line(block.step_at(stops.lines[at]).line),
                  map.cuda_line(block.step_at(stops.lines[at - 1]).line))
            << at;
    EXPECT_GT(stops.lines.size(), 6U);
}

TEST_F(StopsOfAWarp, ThatTheBlockDoesNotHaveAreTheStartsOfItsPasses) {
    const WarpStops none = warp_stops(block, map, WarpId(9));
    for (std::size_t pass = 1; pass < block.passes.passes.size(); ++pass)
        EXPECT_EQ(none.passes[pass], block.passes.passes[pass].first);
    EXPECT_EQ(none.instructions, none.passes);
}

}  // namespace
}  // namespace lanescope::analysis
