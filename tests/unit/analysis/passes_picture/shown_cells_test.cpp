// Which row and cell of a picture show a moment of the run.
#include "analysis/passes_picture/shown_cells.h"

#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>

namespace lanescope::analysis {
namespace {

using testing::Optional;

class ShownCells : public testing::Test {
  protected:
    std::shared_ptr<const Analysis> analysis =
        analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 16, classic));
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    const Picture& picture = analysis->picture(0, BlockId(0));
    const std::uint64_t element_0 = picture.rows.back().cells[0].address;
};

TEST_F(ShownCells, TheRowIsTheLastOfAPassThatHasBegun) {
    for (const Pass& pass : passes.passes) {
        const auto row = row_of_pass(picture, pass.id);
        if (!row) continue;
        EXPECT_LE(picture.rows[*row].pass, pass.id);
        if (*row + 1 < picture.rows.size()) {
            EXPECT_GT(picture.rows[*row + 1].pass, pass.id);
        }
    }
    EXPECT_THAT(row_of_pass(picture, passes.passes.back().id), Optional(picture.rows.size() - 1));
}

TEST_F(ShownCells, TheCellIsInTheLastRowWhoseWriterHasExecuted) {
    for (std::size_t position = 0; position < passes.steps.size(); ++position) {
        const PassId current = passes.pass_of(position);
        const auto cell = cell_showing(picture, trace::Space::shared, element_0, current, passes.steps[position]);
        if (!cell) continue;
        EXPECT_EQ(cell->column, 0U);
        const auto has_executed = [&](std::size_t row) {
            const StepId writer = picture.rows[row].cells[0].writer;
            return picture.rows[row].pass <= current && (!writer.valid() || writer < passes.steps[position]);
        };
        EXPECT_TRUE(has_executed(cell->row)) << position;
        for (std::size_t row = cell->row + 1; row < picture.rows.size(); ++row) EXPECT_FALSE(has_executed(row));
    }
    const auto at_end = cell_showing(picture, trace::Space::shared, element_0, passes.passes.back().id, StepId{});
    EXPECT_THAT(at_end, Optional(CellPlace{static_cast<std::uint32_t>(picture.rows.size() - 1), 0}));
}

TEST_F(ShownCells, OfOtherMemoryThereIsNoCell) {
    const PassId last = passes.passes.back().id;
    EXPECT_EQ(cell_showing(picture, trace::Space::shared, element_0 + 4096, last, StepId{}), std::nullopt);
    EXPECT_EQ(cell_showing(picture, trace::Space::local, element_0, last, StepId{}), std::nullopt);
}

TEST_F(ShownCells, SomeStoresAreUselessWhereNoOutputIsMadeOfThem) {
    EXPECT_FALSE(has_useless_stores(picture));
    const auto shuffles = analysis_of(kernel_run("scan/up_sweep_down_sweep", trace::View::written, 16, classic));
    const Picture& sweeps = shuffles->picture(0, BlockId(0));
    bool useless = false;
    for (const PictureRow& row : sweeps.rows)
        for (const Cell& cell : row.cells) useless = useless || (cell.written && !cell.useful);
    EXPECT_EQ(has_useless_stores(sweeps), useless);
    Picture changed = picture;
    changed.rows.back().cells[0].written = true;
    changed.rows.back().cells[0].useful = false;
    EXPECT_TRUE(has_useless_stores(changed));
}

}  // namespace
}  // namespace lanescope::analysis
