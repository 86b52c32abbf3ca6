// Which arrays have rows and columns: data/grids.cu has each kind.
#include "analysis/passes_picture/grid_shape.h"

#include "places.h"
#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace lanescope::analysis {
namespace {

using trace::View;

class GridShapes : public testing::TestWithParam<View> {
  protected:
    static std::shared_ptr<const Analysis> run(std::uint32_t threads, std::uint32_t threads_y) {
        const bool written = GetParam() == View::written;
        std::ifstream file(std::string(LANESCOPE_SOURCE_DIR "/tests/unit/analysis/data/grids.") +
                           (written ? "written.ptx" : "compiled.ptx"));
        std::stringstream text;
        text << file.rdbuf();
        KernelRun run;
        run.name = "grids";
        run.view = GetParam();
        run.threads = threads;
        run.threads_y = threads_y;
        run.input = iota(96);
        run.outputs = 64;
        run.shared_elements = 60;
        return analysis_of(run, text.str());
    }
};
INSTANTIATE_TEST_SUITE_P(Kernels, GridShapes, testing::Values(View::written, View::compiled), [](const auto& chosen) {
    return chosen.param == View::written ? "as_written" : "as_compiled";
});

const ColumnGroup* group_named(const Picture& picture, const std::string& name) {
    const auto found = std::ranges::find(picture.groups, name, &ColumnGroup::name);
    return found == picture.groups.end() ? nullptr : &*found;
}

TEST_P(GridShapes, AreThoseOfTheDeclarationOrOfTheAccesses) {
    const auto analysis = run(4, 8);
    const Picture& picture = analysis->picture(0, BlockId(0));
    EXPECT_TRUE(picture.has_grids());
    const ColumnGroup* const tile = group_named(picture, "tile");
    ASSERT_TRUE(tile != nullptr && tile->shape);
    EXPECT_EQ(tile->shape->width, 5U);
    EXPECT_EQ(tile->shape->padding, 1U);
    // PTX as compiled has no types: there the accesses tell.
    const bool written = GetParam() == View::written;
    EXPECT_EQ(tile->shape->from, written ? GridShape::From::declaration : GridShape::From::addresses);
    EXPECT_EQ(tile->shape->extents, written ? "[8][5]" : "");

    const ColumnGroup* const staged = group_named(picture, "staged");
    ASSERT_TRUE(staged != nullptr && staged->shape);
    EXPECT_EQ(staged->shape->width, 6U);
    EXPECT_EQ(staged->shape->from, GridShape::From::addresses);
    EXPECT_EQ(staged->shape->extents, "");
}

TEST_P(GridShapes, AnOutputIsWrittenColumnByColumn) {
    const auto analysis = run(4, 8);
    const ColumnGroup* const out = group_named(analysis->picture(0, BlockId(0)), "out");
    ASSERT_TRUE(out != nullptr && out->shape);
    EXPECT_EQ(out->shape->width, 8U);
    EXPECT_EQ(out->count, 32U);
}

TEST_P(GridShapes, OfARowAreOnlyTheColumnsThatTheBlockAccesses) {
    const auto analysis = run(4, 5);  // out[x * 8 + y]: columns 0 to 4 of rows of 8
    const ColumnGroup* const out = group_named(analysis->picture(0, BlockId(0)), "out");
    ASSERT_TRUE(out != nullptr && out->shape);
    EXPECT_EQ(out->shape->width, 8U);
    EXPECT_EQ(out->window, 5U);
    EXPECT_EQ(out->count, 20U);
    for (std::uint32_t number = 0; number < out->count; ++number) {
        const std::uint64_t cell = out->cell_of(out->first_column + number);
        EXPECT_EQ(cell, number / 5 * 8 + number % 5);
        EXPECT_EQ(out->number_of(cell), number);
    }
    EXPECT_EQ(out->number_of(5), std::nullopt);
    EXPECT_EQ(out->number_of(32), std::nullopt);
}

TEST_P(GridShapes, ABlockOfOneDimensionImpliesNone) {
    const auto analysis = run(4, 1);
    const Picture& picture = analysis->picture(0, BlockId(0));
    const ColumnGroup* const staged = group_named(picture, "staged");
    ASSERT_NE(staged, nullptr);
    EXPECT_EQ(staged->shape, std::nullopt);
}

TEST_P(GridShapes, ColumnsOfThePictureAreWhereTheirCellsAre) {
    const auto analysis = run(4, 8);
    const Picture& picture = analysis->picture(0, BlockId(0));
    const ColumnGroup* const out = group_named(picture, "out");
    ASSERT_NE(out, nullptr);
    const PictureRow& last = picture.rows.back();
    for (std::uint32_t x = 0; x < 4; ++x) {
        for (std::uint32_t y = 0; y < 8; ++y) {
            const Cell& cell = last.cells[out->first_column + x * 8 + y];
            ASSERT_TRUE(cell.known);
            EXPECT_EQ(cell.thread, y * 4 + x);
            EXPECT_EQ(cell.bits, (y * 12 + x + 3) + (y * 12 + x + 4));
        }
    }
}

}  // namespace
}  // namespace lanescope::analysis
