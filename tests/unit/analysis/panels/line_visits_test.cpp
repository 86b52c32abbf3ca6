// A warp visits a line of PTX at each execution, a line of the source when it enters it.
#include "analysis/panels/line_visits.h"

#include "unit/analysis/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::analysis {
namespace {

class LineVisits : public testing::Test {
  protected:
    std::shared_ptr<const Analysis> analysis =
        analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 64, iota(64)));
    const BlockView block = analysis->view(0, BlockId(0));
    const SourceMap map{analysis->trace, *analysis->module};

    /// The line of the source that contains the text, from 1.
    std::uint32_t line_with(std::string_view text) const {
        const auto found = std::ranges::find_if(map.cuda(), [&](std::string_view line) { return line.contains(text); });
        EXPECT_NE(found, map.cuda().end()) << text;
        return static_cast<std::uint32_t>(found - map.cuda().begin()) + 1;
    }
};

TEST_F(LineVisits, OfALineOfPtxAreItsExecutions) {
    const std::uint32_t line = block.step_at(block.passes.steps.size() / 2).line.value;
    const auto visits = line_visits(block, std::vector<WatchedLine>{{nullptr, line}});
    std::size_t executions = 0;
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index)
        executions += block.step_at(index).line.value == line ? 1 : 0;
    EXPECT_EQ(visits.size(), executions);
    EXPECT_TRUE(std::ranges::is_sorted(visits));
    for (const LineVisit& visit : visits) EXPECT_EQ(block.step_at(visit.position).line.value, line);
}

TEST_F(LineVisits, OfALineInALoopAreOneForEachWarpAndIteration) {
    const auto visits = line_visits(block, std::vector<WatchedLine>{{&map, line_with("if (tid % (2 * s) == 0)")}});
    EXPECT_EQ(visits.size(), 2U * 6U) << "two warps halve 64 elements six times";
}

TEST_F(LineVisits, OfSeveralLinesSayWhichLine) {
    const std::vector<WatchedLine> lines{{&map, line_with("__shared__") + 200}, {&map, line_with("__syncthreads()")}};
    const auto visits = line_visits(block, lines);
    ASSERT_FALSE(visits.empty());
    for (const LineVisit& visit : visits) {
        EXPECT_EQ(visit.line, 1U);
        EXPECT_EQ(map.cuda_line(block.step_at(visit.position).line), lines[1].line);
    }
}

TEST_F(LineVisits, OfNoLineAreNone) { EXPECT_TRUE(line_visits(block, {}).empty()); }

TEST_F(LineVisits, AStepRunsForTheLineThatItsWarpIsIn) {
    std::uint32_t last = 0;
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        if (block.step_at(index).warp != WarpId(1)) continue;
        const std::uint32_t own = map.cuda_line(block.step_at(index).line);
        last = own == 0 ? last : own;
        EXPECT_EQ(cuda_line_at(block, map, index), last) << index;
    }
    EXPECT_NE(last, 0U);
}

}  // namespace
}  // namespace lanescope::analysis
