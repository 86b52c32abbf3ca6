// Cells of global memory in the Passes picture of a kernel that works in shared memory: its inputs and its outputs.
#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::analysis {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using trace::View;

class GlobalCellsOfBothViews : public testing::TestWithParam<View> {};
INSTANTIATE_TEST_SUITE_P(Picture, GlobalCellsOfBothViews, testing::Values(View::written, View::compiled),
                         [](const auto& chosen) {
                             return chosen.param == View::written ? "as_written" : "as_compiled";
                         });

std::vector<std::uint32_t> columns(const std::vector<Source>& sources) {
    std::vector<std::uint32_t> result;
    result.reserve(sources.size());
    for (const Source& source : sources) result.push_back(source.column);
    std::ranges::sort(result);
    return result;
}

TEST_P(GlobalCellsOfBothViews, ElementsAddedInRegistersAreColumnsWithArcsToTheFirstCells) {
    const auto analysis = analysis_of(kernel_run("reduce/first_add_during_load", GetParam(), 8, classic));
    const Picture& picture = analysis->picture(0, BlockId(0));
    ASSERT_THAT(picture.groups, SizeIs(2));
    EXPECT_EQ(picture.groups[0].name, "in");
    EXPECT_EQ(picture.groups[0].count, 16U);
    ASSERT_GE(picture.rows.size(), 2U);
    EXPECT_TRUE(picture.rows[0].initial);
    EXPECT_EQ(picture.rows[0].cells[0].bits, 10U);
    EXPECT_TRUE(picture.rows[0].cells[0].read_again);
    ASSERT_THAT(picture.rows[1].nodes, SizeIs(8));
    for (const Node& node : picture.rows[1].nodes) {
        EXPECT_TRUE(node.combines);
        EXPECT_EQ(node.column, 16 + node.thread);
        EXPECT_THAT(columns(node.sources), ElementsAre(node.thread, node.thread + 8));
        for (const Source& source : node.sources) EXPECT_EQ(source.row, 0U);
    }
}

TEST_P(GlobalCellsOfBothViews, ElementsOfOtherBlocksAreNoColumns) {
    KernelRun run = kernel_run("reduce/grid_stride", GetParam(), 8, iota(64));
    run.blocks = 2;
    run.outputs = 2;
    run.shared_elements = 8;
    const auto analysis = analysis_of(run);
    const Picture& picture = analysis->picture(0, BlockId(0));
    ASSERT_THAT(picture.groups, SizeIs(3));
    for (const std::size_t part : {0U, 1U}) {
        EXPECT_EQ(picture.groups[part].name, "in");
        EXPECT_EQ(picture.groups[part].first_index, 32 * part);
        EXPECT_EQ(picture.groups[part].count, 16U);
    }
    EXPECT_EQ(picture.rows[0].cells[16].bits, 33U);
    const Node* const last = &picture.rows[1].nodes.back();
    EXPECT_EQ(last->thread, 7U);
    EXPECT_THAT(columns(last->sources), Contains(31U));
}

TEST_P(GlobalCellsOfBothViews, TooManyElementsAreCountedInstead) {
    const auto analysis = analysis_of(kernel_run("reduce/first_add_during_load", GetParam(), 32, iota(64)));
    const Picture& picture = analysis->picture(0, BlockId(0));
    EXPECT_THAT(picture.groups, Not(Contains(Field(&ColumnGroup::name, "in"))));
    ASSERT_THAT(picture.rows, Not(IsEmpty()));
    EXPECT_EQ(picture.rows[0].sublabel, "of 2 elements each");
    for (const Node& node : picture.rows[0].nodes) EXPECT_EQ(node.elements, 2U);
}

TEST_P(GlobalCellsOfBothViews, ElementsThatAreOnlyCopiedHaveNoColumns) {
    const auto analysis = analysis_of(kernel_run("reduce/sequential", GetParam(), 16, classic));
    const Picture& picture = analysis->picture(0, BlockId(0));
    EXPECT_THAT(picture.groups, SizeIs(1));
    EXPECT_THAT(picture.rows[0].sublabel, IsEmpty());
}

TEST_P(GlobalCellsOfBothViews, APartitionShowsWhichCellDecidedWhereAnElementGoes) {
    KernelRun run = kernel_run("apply/partition", GetParam(), 16, classic);
    run.outputs = 16;
    const auto analysis = analysis_of(run);
    const Picture& picture = analysis->picture(0, BlockId(0));
    ASSERT_THAT(picture.groups, SizeIs(2));
    EXPECT_EQ(picture.groups[1].name, "out");
    ASSERT_THAT(picture.rows.back().nodes, SizeIs(16));
    for (const Node& node : picture.rows.back().nodes) {
        EXPECT_THAT(node.sources, IsEmpty()) << "an index is no summand";
        // Elements less than the first, 10, go to their place; the others, 10 and 11, after the total.
        if (node.thread == 0 || node.thread == 13) {
            EXPECT_THAT(columns(node.index_sources), ElementsAre(node.thread, 15));
        } else {
            EXPECT_THAT(columns(node.index_sources), ElementsAre(node.thread));
        }
        for (const Source& source : node.index_sources) EXPECT_EQ(source.row + 2, picture.rows.size());
    }
}

TEST_P(GlobalCellsOfBothViews, AnIndexThatNoCellDecidedHasNoSources) {
    KernelRun run = kernel_run("scan/double_buffered", GetParam(), 8, {6, 4, 16, 10, 16, 14, 2, 8});
    const auto analysis = analysis_of(run);
    for (const PictureRow& row : analysis->picture(0, BlockId(0)).rows) {
        for (const Node& node : row.nodes) EXPECT_THAT(node.index_sources, IsEmpty());
    }
}

}  // namespace
}  // namespace lanescope::analysis
