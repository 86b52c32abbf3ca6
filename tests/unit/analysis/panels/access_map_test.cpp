// The cells of the map are the excess of each block, whichever way they are summed; unrecorded blocks have no number.
#include "analysis/panels/access_map.h"

#include "analysis/panels/excess_counts.h"
#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Excess sum_of(const AccessMap& map, const std::vector<MapRow>& rows) {
    Excess sum;
    for (const MapRow& row : rows)
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            (map.columns[i].space == trace::Space::shared ? sum.wavefronts : sum.sectors) +=
                row.blocks * row.cells[i].excess();
    return sum;
}

TEST(AccessMap, HasTheExcessOfTheBlockHoweverItIsSummed) {
    for (const char* name : {"reduce/interleaved_modulo", "reduce/strided_index", "reduce/sequential",
                             "scan/double_buffered", "reduce/contiguous_chunks", "reduce/atomic"}) {
        for (const trace::View view : {trace::View::written, trace::View::compiled}) {
            const auto analysis = analysis_of(kernel_run(name, view, 64, iota(64)));
            const BlockView block = analysis->view(0, BlockId(0));
            const Excess expected = ExcessCounts(block).of(0, block.passes.steps.size());
            for (const bool apart : {false, true}) {
                const AccessMap map = access_map(*analysis, 0, apart);
                for (const MapRows kind : {MapRows::warps, MapRows::blocks, MapRows::runs})
                    EXPECT_EQ(sum_of(map, map_view(map, kind).rows), expected) << name;
                Excess columns;
                for (const MapColumn& column : map.columns)
                    (column.space == trace::Space::shared ? columns.wavefronts : columns.sectors) +=
                        column.sum.excess();
                EXPECT_EQ(columns, expected) << name;
            }
        }
    }
}

TEST(AccessMap, ShowsTheOneWarpThatDiffersAndWhereItBegins) {
    const auto analysis = analysis_of(kernel_run("reduce/strided_index", trace::View::written, 64, iota(64)));
    const AccessMap map = access_map(*analysis, 0);
    ASSERT_EQ(map.rows.size(), 2U);
    bool found = false;
    for (std::size_t i = 0; i < map.columns.size(); ++i) {
        const MapCell& cell = map.rows[0].cells[i];
        if (map.columns[i].space != trace::Space::shared || cell.excess() == 0) continue;
        found = true;
        const trace::Step& step = analysis->trace->step(cell.target());
        EXPECT_EQ(step.warp, WarpId(0));
        EXPECT_EQ(step.line, map.columns[i].line);
        EXPECT_THAT(map.columns[i].access, HasSubstr("sdata["));
        EXPECT_GT(map.columns[i].source_line, 0U);
        const std::vector<StepId>& steps = analysis->block_passes(0, BlockId(0)).steps;
        const auto index = static_cast<std::size_t>(std::ranges::find(steps, cell.target()) - steps.begin());
        EXPECT_GT(ExcessCounts(analysis->view(0, BlockId(0))).of(index, index + 1).wavefronts, 0U);
    }
    EXPECT_TRUE(found);
}

TEST(AccessMap, DistinguishesTheExecutionsOfALoop) {
    const auto analysis = analysis_of(kernel_run("reduce/strided_index", trace::View::written, 64, iota(64)));
    const AccessMap whole = access_map(*analysis, 0), apart = access_map(*analysis, 0, true);
    EXPECT_GT(apart.columns.size(), whole.columns.size());
    EXPECT_EQ(apart.largest_execution, 6U) << "of 64 elements";
    for (const MapColumn& column : apart.columns) EXPECT_GE(column.execution, 1U);
    for (const MapRow& row : apart.rows)
        for (const MapCell& cell : row.cells) EXPECT_LE(cell.executions, 1U);
}

TEST(AccessMap, DoesNotRateAtomicsOfGlobalMemory) {
    const auto analysis = analysis_of(kernel_run("reduce/atomic", trace::View::compiled, 64, iota(64)));
    const AccessMap map = access_map(*analysis, 0);
    const auto atomic = std::ranges::find_if(map.columns, [](const MapColumn& column) { return !column.rated(); });
    ASSERT_NE(atomic, map.columns.end());
    EXPECT_GT(atomic->sum.used, 0U);
    EXPECT_EQ(atomic->sum.excess(), 0U);
}

/// Blocks 0 to 2 and 6, two warps each; block 1 differs in one warp.
AccessMap four_blocks() {
    AccessMap map{.blocks = 9, .recorded = 4, .columns = std::vector<MapColumn>(1)};
    for (const std::uint32_t block : {0U, 1U, 2U, 6U}) {
        for (const std::uint32_t warp : {0U, 1U}) {
            MapCell cell{
                .executions = 1, .used = 4, .least = block == 1 && warp == 1 ? 1U : 4U, .first = StepId(block)};
            map.rows.push_back({.block = BlockId(block), .warp = WarpId(warp), .cells = {cell}});
        }
    }
    return map;
}

TEST(MapView, HasARowForBlocksThatAreNotRecorded) {
    const MapView view = map_view(four_blocks(), MapRows::blocks);
    std::vector<std::pair<std::uint32_t, bool>> rows;
    rows.reserve(view.rows.size());
    for (const MapRow& row : view.rows) rows.emplace_back(row.block.value, row.recorded);
    EXPECT_THAT(rows, ElementsAre(std::pair(0U, true), std::pair(1U, true), std::pair(2U, true), std::pair(3U, false),
                                  std::pair(6U, true), std::pair(7U, false)));
    EXPECT_EQ(view.rows[3].blocks, 3U);
    EXPECT_EQ(view.rows[5].blocks, 2U);
    EXPECT_TRUE(view.rows[3].cells.empty()) << "nothing is known of them";
    EXPECT_EQ(view.rows[1].cells[0].excess(), 3U);
}

TEST(MapView, JoinsAdjacentBlocksThatAreEqualWarpByWarp) {
    AccessMap map = four_blocks();
    EXPECT_EQ(map_view(map, MapRows::runs).rows.size(), 6U) << "the block between differs";
    map.rows[3].cells[0].least = 4;
    const MapView view = map_view(map, MapRows::runs);
    ASSERT_EQ(view.rows.size(), 4U);
    EXPECT_EQ(view.rows[0].blocks, 3U);
    EXPECT_EQ(view.rows[0].cells[0].used, 8U) << "of each block";
    // A block with the same sum in another warp is not equal.
    map.rows[2].cells[0] = {.executions = 1, .used = 5, .least = 4};
    map.rows[3].cells[0] = {.executions = 1, .used = 3, .least = 3};
    EXPECT_EQ(map_view(map, MapRows::runs).rows.size(), 6U);
}

TEST(MapView, IsTheFinestThatFits) {
    const AccessMap map = four_blocks();
    EXPECT_EQ(map_view_within(map, 10).kind, MapRows::warps);
    EXPECT_EQ(map_view_within(map, 9).kind, MapRows::blocks);
    EXPECT_EQ(map_view_within(map, 5).kind, MapRows::runs);
}

TEST(AccessMap, HasTheColumnOfALineOfPtx) {
    const auto analysis = analysis_of(kernel_run("reduce/strided_index", trace::View::written, 64, iota(64)));
    const AccessMap map = access_map(*analysis, 0);
    for (std::size_t i = 0; i < map.columns.size(); ++i) {
        const auto column = column_of(map, map.columns[i].line, map.columns[i].source_line);
        ASSERT_TRUE(column.has_value()) << i;
        EXPECT_EQ(map.columns[*column].line, map.columns[i].line);
        EXPECT_EQ(map.columns[*column].source_line, map.columns[i].source_line);
    }
    EXPECT_EQ(column_of(map, PtxLine(1), 1), std::nullopt) << "a directive";
}

TEST(AccessMap, TakesTheOnlyColumnOfALineWhateverItRunsFor) {
    AccessMap map;
    map.columns = {{.line = PtxLine(5), .source_line = 1},
                   {.line = PtxLine(7), .source_line = 2},
                   {.line = PtxLine(7), .source_line = 3}};
    EXPECT_EQ(column_of(map, PtxLine(5), 9), 0U);
    EXPECT_EQ(column_of(map, PtxLine(7), 3), 2U);
    EXPECT_EQ(column_of(map, PtxLine(7), 9), std::nullopt) << "either";
}

}  // namespace
}  // namespace lanescope::analysis
