// The Map panel as shapes: a cell for each warp and access, legible with 8 warps and with 3,000, marked unknown for
// unrecorded blocks.
#include "legibility.h"

#include "scene/map_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

namespace lanescope::scene {
namespace {

using analysis::AccessMap;
using analysis::MapCell;
using analysis::MapRows;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// Blocks of 8 warps with 6 accesses, of which `differing` has excess in one; one more block is not recorded.
AccessMap map_of(std::uint32_t blocks, std::uint32_t differing) {
    AccessMap map{.blocks = blocks + 1, .recorded = blocks};
    for (std::uint32_t i = 0; i < 6; ++i) {
        map.columns.push_back({.line = PtxLine(10 + i),
                               .space = i % 2 == 0 ? trace::Space::shared : trace::Space::global,
                               .source_line = 5 + i / 2,
                               .access = "sdata[tid + s]"});
    }
    map.columns[5].kind = trace::EffectKind::atomic;
    for (std::uint32_t block = 0; block < blocks; ++block) {
        for (std::uint32_t warp = 0; warp < 8; ++warp) {
            std::vector<MapCell> cells(6, {.executions = 1, .used = 4, .least = 4, .first = StepId(0)});
            if (block == differing && warp == 5) cells[2].used = 35;
            map.columns[2].sum.executions += 1;
            map.columns[2].sum.used += cells[2].used;
            map.columns[2].sum.least += 4;
            map.rows.push_back({.block = BlockId(block), .warp = WarpId(warp), .cells = std::move(cells)});
        }
    }
    return map;
}

std::vector<Rect> cells_of(const Scene& scene) {
    std::vector<Rect> cells = all<Rect>(scene);
    std::erase_if(cells, [](const Rect& each) { return each.ref.kind != TraceRef::Kind::cell; });
    return cells;
}

TEST(MapScene, IsLegibleInEveryRoom) {
    for (const std::uint32_t blocks : {1U, 8U, 375U}) {
        const AccessMap map = map_of(blocks, 0);
        for (const float width : {360.0F, 620.0F, 1100.0F}) {
            for (const float height : {0.0F, 260.0F, 700.0F}) {
                const auto view = analysis::map_view_within(map, map_rows_within(height));
                const Scene scene = map_scene(map, view, {.width = width, .height = height, .shown = {}, .next = {}});
                EXPECT_THAT(illegible(scene), IsEmpty()) << blocks << " blocks, " << width << " x " << height;
            }
        }
    }
}

TEST(MapScene, ShowsTheOneWarpThatDiffers) {
    const AccessMap map = map_of(1, 0);
    const auto view = map_view(map, MapRows::warps);
    const Scene scene = map_scene(map, view, {.width = 900, .height = 500, .shown = {}, .next = {}});
    const std::vector<Rect> cells = cells_of(scene);
    ASSERT_EQ(cells.size(), 48U);
    for (const Rect& cell : cells) {
        const bool differs = cell.ref.row == 5 && cell.ref.column == 2;
        EXPECT_EQ(cell.fill.role == Role::cost, differs) << cell.ref.row << ", " << cell.ref.column;
        EXPECT_EQ(cell.fill.role == Role::read, cell.ref.column == 5) << "an atomic of global memory is not rated";
    }
    EXPECT_THAT(texts_of(scene), Contains("+31").Times(2)) << "in the cell and in the sum of its column";
    EXPECT_THAT(texts_of(scene), Contains("1 to 31 excessive wavefronts"));
}

TEST(MapScene, OfThousandsOfWarpsHasRunsOfEqualBlocks) {
    const AccessMap map = map_of(375, 100);
    const auto view = analysis::map_view_within(map, map_rows_within(600));
    EXPECT_EQ(view.kind, MapRows::runs);
    ASSERT_EQ(view.rows.size(), 4U);
    const Scene scene = map_scene(map, view, {.width = 900, .height = 600, .shown = {}, .next = {}});
    EXPECT_THAT(texts_of(scene), Contains("blocks 0 to 99"));
    EXPECT_THAT(texts_of(scene), Contains("block 100"));
    EXPECT_THAT(texts_of(scene), Contains("block 375")) << "which is not recorded";
    EXPECT_THAT(texts_of(scene), Contains(HasSubstr("equal warp by warp")));
    EXPECT_THAT(texts_of(scene), Contains("not recorded: unknown, in no sum"));
    for (const Rect& cell : cells_of(scene))
        EXPECT_EQ(cell.fill.role == Role::cost, cell.ref.row == 1 && cell.ref.column == 2);
}

TEST(MapScene, ScrollsWhereRowsHaveNoRoom) {
    const AccessMap map = map_of(40, 39);
    const auto view = map_view(map, MapRows::warps);
    MapOptions options{.width = 900, .height = 400, .shown = {}, .next = {}};
    const Scene top = map_scene(map, view, options);
    ASSERT_EQ(top.viewports.size(), 1U);
    options.scroll_y = 1e6F;
    const Scene bottom = map_scene(map, view, options);
    const Viewport& part = bottom.viewports.front();
    EXPECT_FLOAT_EQ(part.scroll_y, part.height - part.box.height) << "kept within the cells";
    const auto costs = [](const Scene& scene) {
        return std::ranges::count(cells_of(scene), Role::cost, [](const Rect& cell) { return cell.fill.role; });
    };
    EXPECT_EQ(costs(top), 0);
    EXPECT_EQ(costs(bottom), 1);
}

TEST(MapScene, ThePointerFindsEachCellRowAndColumn) {
    const AccessMap map = map_of(2, 1);
    const auto view = map_view(map, MapRows::warps);
    for (const float width : {360.0F, 900.0F}) {
        const Scene scene = map_scene(map, view, {.width = width, .height = 600, .shown = {}, .next = {}});
        std::size_t found = 0;
        for (const Rect& cell : cells_of(scene)) {
            const bool in_view =
                scene.viewports.empty() || scene.viewports.front().box.contains(cell.x + 1, cell.y + 1);
            if (!in_view) continue;
            const TraceRef under = hit(scene, cell.x + cell.width / 2, cell.y + cell.height / 2);
            EXPECT_EQ(under, cell.ref) << cell.ref.row << ", " << cell.ref.column << " in " << width;
            ++found;
        }
        EXPECT_GE(found, 16U * 2U) << "at least two columns are in view";
        for (const TraceRef::Kind kind : {TraceRef::Kind::row, TraceRef::Kind::heading}) {
            const auto box = box_of(scene, kind);
            ASSERT_TRUE(box.has_value());
            EXPECT_EQ(hit(scene, box->center_x(), box->center_y()).kind, kind);
        }
    }
}

TEST(MapScene, SaysWhereThereIsNothing) {
    EXPECT_THAT(texts_of(map_scene({}, {}, {.width = 600, .height = 300, .shown = {}, .next = {}})),
                Contains("The recorded blocks do not access shared or global memory."));
}

}  // namespace
}  // namespace lanescope::scene
