// Which arrays have rows and columns, by their declaration and by the accesses of data/grids.cu, data/halo.cu,
// data/planes.cu, data/halved.cu, data/rows_and_line.cu, data/joined.cu and data/columns_of_threads.cu.
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
    static std::shared_ptr<const Analysis> run(std::uint32_t threads, std::uint32_t threads_y,
                                               const std::string& name = "grids") {
        const auto text_of = [&](const std::string& ending) {
            std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/unit/analysis/data/" + name + ending);
            std::stringstream text;
            text << file.rdbuf();
            return text.str();
        };
        KernelRun run;
        run.name = name;
        run.view = GetParam();
        run.threads = threads;
        run.threads_y = threads_y;
        run.input = iota(96);
        run.outputs = 64;
        run.shared_elements = 60;
        return analysis_of(run, text_of(GetParam() == View::written ? ".written.ptx" : ".compiled.ptx"),
                           text_of(".cu"));
    }
};
INSTANTIATE_TEST_SUITE_P(Kernels, GridShapes, testing::Values(View::written, View::compiled), [](const auto& chosen) {
    return chosen.param == View::written ? "as_written" : "as_compiled";
});

const ColumnGroup* group_named(const Picture& picture, const std::string& name) {
    const auto found = std::ranges::find(picture.groups, name, &ColumnGroup::name);
    return found == picture.groups.end() ? nullptr : &*found;
}

TEST_P(GridShapes, AreThoseOfTheAccesses) {
    const auto analysis = run(4, 8);
    const Picture& picture = analysis->picture(0, BlockId(0));
    EXPECT_TRUE(picture.has_grids());
    const ColumnGroup* const tile = group_named(picture, "tile");
    ASSERT_TRUE(tile != nullptr && tile->shape);
    EXPECT_EQ(tile->shape->width, 5U);
    EXPECT_EQ(tile->shape->padding, 1U);
    EXPECT_EQ(tile->shape->from, GridShape::From::addresses);

    const ColumnGroup* const staged = group_named(picture, "staged");
    ASSERT_TRUE(staged != nullptr && staged->shape);
    EXPECT_EQ(staged->shape->width, 6U);
    EXPECT_EQ(staged->shape->from, GridShape::From::addresses);
    EXPECT_EQ(staged->shape->extents, "");
}

TEST_P(GridShapes, ACornerThatNoThreadAccessesIsAnEmptyCell) {
    const auto analysis = run(4, 4, "halo");
    const Picture& picture = analysis->picture(0, BlockId(0));
    const ColumnGroup* const tile = group_named(picture, "tile");
    ASSERT_TRUE(tile != nullptr && tile->shape);
    EXPECT_EQ(tile->shape->width, 6U);
    EXPECT_EQ(tile->shape->padding, 0U);
    ASSERT_EQ(tile->count, 36U);
    const std::vector<Cell>& cells = picture.rows.back().cells;
    for (std::uint32_t number = 0; number < 36; ++number) {
        const bool corner = (number / 6 == 0 || number / 6 == 5) && (number % 6 == 0 || number % 6 == 5);
        EXPECT_EQ(cells[tile->first_column + number].known, !corner) << number;
    }
}

TEST_P(GridShapes, ALoopBeyondTheRowsOfTheGridGoesThroughPlanes) {
    const auto shape_with = [&](std::uint32_t rows) {
        const auto analysis = run(4, rows, "planes");
        const ColumnGroup* const in = group_named(analysis->picture(0, BlockId(0)), "in");
        return in == nullptr ? std::nullopt : in->shape;
    };
    const auto shape = shape_with(4);
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->width, 6U);
    EXPECT_EQ(shape->height, 5U);
    // With five rows of threads it may as well be one plane, in turns.
    const auto in_turns = shape_with(5);
    ASSERT_TRUE(in_turns);
    EXPECT_EQ(in_turns->width, 6U);
    EXPECT_EQ(in_turns->height, 0U);
}

TEST_P(GridShapes, ATileForEachThreadHasTheRowsOfTheArray) {
    // in[(2 * y + dy) * 10 + 2 * x + dx] goes through two rows; out[y * 9 + 2 * x + dx] stays in one.
    const auto analysis = run(4, 4, "halved");
    const Picture& picture = analysis->picture(0, BlockId(0));
    const ColumnGroup* const in = group_named(picture, "in");
    ASSERT_TRUE(in != nullptr && in->shape);
    EXPECT_EQ(in->shape->width, 10U);
    EXPECT_EQ(in->shape->from, GridShape::From::addresses);
    const ColumnGroup* const out = group_named(picture, "out");
    ASSERT_TRUE(out != nullptr && out->shape);
    EXPECT_EQ(out->shape->width, 9U);
}

TEST_P(GridShapes, RowsOfBlockDimXAreRowsWhereTheSourceWritesThemSo) {
    const auto analysis = run(8, 8, "rows_and_line");
    const Picture& picture = analysis->picture(0, BlockId(0));
    const ColumnGroup* const rows = group_named(picture, "rows");
    ASSERT_TRUE(rows != nullptr && rows->shape);
    EXPECT_EQ(rows->shape->width, 8U);
    EXPECT_EQ(rows->shape->from, GridShape::From::subscripts);
    const ColumnGroup* const line = group_named(picture, "line");
    ASSERT_TRUE(line != nullptr && line->shape);
    EXPECT_EQ(line->shape->from, GridShape::From::block) << "line[t + s] is an index of a line";
}

TEST_P(GridShapes, RowsOfBlockDimXAreRowsWhereTheThreadsJoinTheirCellsOrThoseAround) {
    const auto analysis = run(8, 8, "joined");
    const Picture& picture = analysis->picture(0, BlockId(0));
    const auto from = [&](const char* name) -> std::optional<GridShape::From> {
        const ColumnGroup* const group = group_named(picture, name);
        if (group == nullptr || !group->shape) return std::nullopt;
        EXPECT_EQ(group->shape->width, 8U) << name;
        return group->shape->from;
    };
    EXPECT_EQ(from("across"), GridShape::From::addresses) << "halves of each row are added";
    EXPECT_EQ(from("near"), GridShape::From::addresses) << "the cells on all four sides are read";
    EXPECT_EQ(from("pairs"), GridShape::From::block) << "pairs are as well those of a line";
    EXPECT_EQ(from("line"), GridShape::From::block) << "a sum of all is one of a line";
}

TEST_P(GridShapes, OfARowOfThreadsFollowWhereALineGoesOnByNoNumberOfBlocks) {
    const auto analysis = run(8, 1, "columns_of_threads");
    const Picture& picture = analysis->picture(0, BlockId(0));
    const ColumnGroup* const in = group_named(picture, "in");
    ASSERT_TRUE(in != nullptr && in->shape);
    EXPECT_EQ(in->shape->width, 13U);
    EXPECT_EQ(in->shape->from, GridShape::From::addresses);
    const ColumnGroup* const out = group_named(picture, "out");
    ASSERT_NE(out, nullptr);
    EXPECT_FALSE(out->shape) << "i += blockDim.x goes along a line";
}

TEST(IndexTexts, HaveRowsWhereEachIndexIsARowTimesTheWidthPlusAColumn) {
    const auto rows = [](std::initializer_list<std::string_view> lines) {
        IndexTexts texts;
        for (const std::string_view line : lines) texts.add(line, "s");
        return texts.have_rows(8);
    };
    EXPECT_TRUE(rows({"s[y * 8 + x] = in[i];", "s[y * 8 + x] += s[(y + 4) * 8 + x];", "out[x] = s[x];"}));
    EXPECT_TRUE(rows({"s[threadIdx.x + threadIdx.y * blockDim.x] = 1;"}));
    EXPECT_TRUE(rows({"s[8u * (y - 1) + x - 1] = 0;"}));
    EXPECT_FALSE(rows({"s[t] = in[i];", "s[t] += s[t + d];"})) << "an index of a line";
    EXPECT_FALSE(rows({"s[y * 8 + x] = in[i];", "s[t] += s[t + d];"})) << "the same, in a part of the lines";
    EXPECT_FALSE(rows({"s[y * 8 + x] += s[y * 8 + x + d];"})) << "a variable beyond the column";
    EXPECT_FALSE(rows({"s[y * 8 + x] += s[y * 8 + x + 32];"})) << "a constant beyond the row";
    EXPECT_FALSE(rows({"s[y * 4 + x] = in[i];"})) << "rows of another width";
    EXPECT_FALSE(rows({"s[y * w + x] += s[z * v + x];"})) << "of two widths";
    EXPECT_FALSE(rows({"s[y * 8 + x] = in[i];", "f(in);"})) << "a line that names the array otherwise";
    EXPECT_FALSE(rows({"s[x] = in[i];"}));
    EXPECT_FALSE(rows({}));
}

TEST(DeclaredShapes, HaveTheExtentsOfTheDeclaration) {
    ptx::Module module;
    const auto declare = [&](const char* name, std::vector<std::uint64_t> extents) {
        ptx::SourceArray array;
        array.name = name;
        array.space = ptx::Space::shared;
        array.extents = std::move(extents);
        module.arrays.push_back(array);
    };
    declare("line", {64});
    declare("tile", {16, 17});
    declare("cube", {4, 6, 9});
    declare("open", {0, 8});
    declare("twice", {8, 8});
    declare("twice", {4, 16});
    const auto shape = [&](const char* name, std::uint64_t per_element = 1) {
        return declared_shape(module, ptx::Space::shared, name, per_element);
    };
    EXPECT_EQ(shape("line"), std::nullopt);
    EXPECT_EQ(shape("elsewhere"), std::nullopt);
    EXPECT_EQ(shape("twice"), std::nullopt) << "of two functions, each with an array of that name";
    EXPECT_EQ(declared_shape(module, ptx::Space::global, "tile", 1), std::nullopt);
    ASSERT_TRUE(shape("tile") && shape("cube") && shape("open"));
    EXPECT_EQ(shape("tile")->width, 17U);
    EXPECT_EQ(shape("tile")->height, 0U);
    EXPECT_EQ(shape("tile")->extents, "[16][17]");
    EXPECT_EQ(shape("tile", 2)->width, 34U) << "a cell for each of two members";
    EXPECT_EQ(shape("cube")->width, 9U);
    EXPECT_EQ(shape("cube")->height, 6U);
    EXPECT_EQ(shape("open")->extents, "[][8]");
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

TEST(ColumnGroups, OfThreeDimensionsHaveTheRowsOfEachPlaneThatTheBlockAccesses) {
    ColumnGroup group;
    group.shape = GridShape{.width = 8, .height = 6, .extents = {}};
    group.first_index = 8 * 2 + 3;  // row 2, cell 3 of plane 0
    group.window = 2;
    group.window_rows = 3;
    group.count = 12;  // two planes
    const std::uint64_t plane = 48;
    for (std::uint32_t number = 0; number < group.count; ++number) {
        const std::uint64_t cell = group.cell_of(number);
        EXPECT_EQ(cell, group.first_index + number / 6 * plane + number / 2 % 3 * 8 + number % 2);
        EXPECT_EQ(group.number_of(cell - group.first_index), number);
    }
    EXPECT_EQ(group.number_of(3 * 8), std::nullopt) << "a row below the window";
    EXPECT_EQ(group.number_of(2), std::nullopt) << "a cell beside it";
}

}  // namespace
}  // namespace lanescope::analysis
