// The strip of grids: where its frames, grids and cells are, and which arcs it draws.
#include "scene/passes/grids.h"
#include "scene/passes/grid_layout.h"

#include "scene/layers.h"
#include "scene/passes/draw.h"
#include "unit/scene/hand_made.h"
#include "unit/scene/legibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace lanescope::scene {
namespace {

using analysis::GridShape;
using analysis::Picture;
using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

/// A reduction whose array is drawn in rows of `width`, the last `padding` of them never accessed.
Picture in_rows_of(std::uint32_t width, std::uint32_t padding = 0, std::uint32_t height = 0) {
    Picture picture = hand_made::interleaved_reduction(32);
    picture.groups.front().shape = {
        .from = GridShape::From::addresses, .width = width, .height = height, .padding = padding, .extents = {}};
    return picture;
}

PassesOptions sized(float width, float height = 0) {
    PassesOptions options;
    options.width = width;
    options.height = height;
    return options;
}

TEST(Grids, AreDrawnWhereAnArrayHasRowsAndWhereTheyAreAskedFor) {
    const Picture linear = hand_made::interleaved_reduction(32), rows = in_rows_of(8);
    EXPECT_FALSE(draws_grids(linear, ArrayView::by_shape));
    EXPECT_TRUE(draws_grids(linear, ArrayView::grids));
    EXPECT_TRUE(draws_grids(rows, ArrayView::by_shape));
    EXPECT_FALSE(draws_grids(rows, ArrayView::rows));
    EXPECT_FALSE(draws_grids(in_rows_of(32), ArrayView::by_shape)) << "one row is no grid";
}

TEST(Grids, CellsFarFromTheViewAreLeftOutAndThoseInItAreNot) {
    const Picture picture = in_rows_of(8);
    PassesOptions options = sized(300, 90);
    const auto cells = [&] {
        std::vector<Box> boxes;
        for (const Rect& each : all<Rect>(draw_grids(picture, {}, options)))
            if (each.ref.kind == TraceRef::Kind::cell) boxes.push_back({each.x, each.y, each.width, each.height});
        return boxes;
    };
    const std::vector<Box> everything = cells();
    const float height = draw_grids(picture, {}, options).height;
    ASSERT_GT(height, 4 * 90) << "several views high";
    for (int top = 0; static_cast<float>(top) < height; top += 90) {
        options.seen_from = Point{0, static_cast<float>(top)};
        const std::vector<Box> seen = cells();
        EXPECT_LT(seen.size(), everything.size());
        for (const Box& box : everything) {
            const bool near = box.bottom() >= top && box.y <= top + grids_ahead * 90;
            const bool drawn =
                std::ranges::any_of(seen, [&](const Box& other) { return other.x == box.x && other.y == box.y; });
            EXPECT_EQ(drawn, near) << "at " << box.x << ", " << box.y << ", seen from " << top;
        }
        EXPECT_FLOAT_EQ(draw_grids(picture, {}, options).height, height) << "the scene keeps its size";
    }
}

TEST(Grids, PutEachElementInItsRowAndColumn) {
    const Picture picture = in_rows_of(8);
    const GridLayout layout = grid_layout(picture, sized(900));
    for (std::size_t row = 0; row < picture.rows.size(); ++row) {
        const Box first = layout.cell(picture, row, 0).value();
        for (std::uint32_t c = 0; c < 32; ++c) {
            const Box cell = layout.cell(picture, row, c).value();
            const std::uint32_t below = c / 8;
            EXPECT_FLOAT_EQ(cell.x, first.x + static_cast<float>(c % 8) * layout.pitch_x);
            EXPECT_FLOAT_EQ(cell.y, first.y + static_cast<float>(below) * layout.pitch_y);
            const Box& frame = layout.frames[row].box;
            EXPECT_TRUE(frame.contains(cell.x, cell.y) && frame.contains(cell.right() - 1, cell.bottom() - 1));
        }
    }
}

TEST(Grids, FramesFollowEachOtherAndStayWithinTheWidth) {
    const Picture picture = in_rows_of(8);
    for (const float width : {300.0F, 500.0F, 900.0F, 1600.0F}) {
        const GridLayout layout = grid_layout(picture, sized(width, 500));
        for (std::size_t row = 0; row < layout.frames.size(); ++row) {
            const Box& box = layout.frames[row].box;
            EXPECT_LE(box.right(), layout.width);
            EXPECT_LE(box.bottom(), layout.height);
            if (row == 0) continue;
            const Box& before = layout.frames[row - 1].box;
            EXPECT_TRUE(box.x >= before.right() || box.y >= before.bottom()) << width << ", frame " << row;
        }
    }
}

TEST(Grids, FitTheHeightWhereAllOfThePictureIsAskedFor) {
    PassesOptions options = sized(700, 420);
    options.whole = true;
    EXPECT_LE(grid_layout(in_rows_of(8), options).height, 420.5F);
}

TEST(Grids, PlanesStandBesideEachOther) {
    const Picture picture = in_rows_of(4, 0, 4);  // 2 planes of 4 x 4
    const GridLayout layout = grid_layout(picture, sized(900));
    const Box first = layout.cell(picture, 0, 0).value(), last = layout.cell(picture, 0, 15).value();
    const Box second = layout.cell(picture, 0, 16).value();
    EXPECT_FLOAT_EQ(second.y, first.y);
    EXPECT_GT(second.x, last.right());
}

TEST(Grids, SayWhereTheirRowsAreFrom) {
    Picture picture = in_rows_of(8, 1);
    const auto title = [&] { return grid_title(picture.groups.front(), form_of(picture.groups.front(), 32)); };
    EXPECT_THAT(title(), HasSubstr("rows of 8 (inferred), column 7 is padding"));
    picture.groups.front().shape->padding = 3;
    EXPECT_THAT(title(), HasSubstr("columns 5 to 7 are padding"));
    picture.groups.front().shape->padding = 7;  // as of a launch on one column
    EXPECT_THAT(title(), HasSubstr("columns 1 to 7 are not accessed"));
    picture.groups.front().shape->padding = 0;
    picture.groups.front().shape->from = GridShape::From::block;
    EXPECT_THAT(title(), HasSubstr("rows of 8 (blockDim.x)"));
    picture.groups.front().shape->from = GridShape::From::declaration;
    picture.groups.front().shape->extents = "[4][8]";
    EXPECT_THAT(title(), HasSubstr("[4][8]"));
    picture.groups.front().shape.reset();
    EXPECT_THAT(grid_title(picture.groups.front(), form_of(picture.groups.front(), 16)), HasSubstr("16 a line"));
}

TEST(Grids, WholeInALittleRoomTheirTitlesAreBriefWhereCellsGrowByThat) {
    Picture picture = in_rows_of(4, 1);
    picture.rows.resize(2);
    PassesOptions options = sized(540, 160);
    options.whole = true;
    EXPECT_TRUE(grid_layout(picture, options).brief_titles);
    EXPECT_FALSE(grid_layout(picture, sized(2000)).brief_titles);
    EXPECT_EQ(grid_title(picture.groups.front(), form_of(picture.groups.front(), 32), true),
              picture.groups.front().name);
}

TEST(Grids, MembersOfElementsAreNamedOverTheirColumns) {
    Picture picture = in_rows_of(8);
    analysis::ColumnGroup& group = picture.groups.front();
    for (const char* const name : {"x", "y", "mass", "color"}) group.members.push_back({.name = name});
    std::vector<std::string> texts;
    for (const Text& each : all<Text>(draw_grids(picture, {}, sized(900)))) texts.push_back(each.text);
    EXPECT_THAT(texts, testing::IsSupersetOf({"0", ".y", ".m…", ".c…", "1"}));
    EXPECT_THAT(member_names(group, 10.5F, 60), testing::ElementsAre("", ".y", ".mass", ".color"));
    EXPECT_THAT(member_names(group, 10.5F, 22), testing::ElementsAre("", ".y", ".m…", ".c…"))
        << "as far as it tells them apart";
    EXPECT_THAT(member_names(group, 10.5F, 5), testing::IsEmpty());
}

TEST(Grids, FewCellsAreNoThumbnailsWhereAFrameHasNoRoomForValues) {
    Picture picture = in_rows_of(8);
    for (analysis::PictureRow& row : picture.rows)
        for (analysis::Cell& cell : row.cells) cell.bits = 0x40490fdb;  // long values
    picture.groups.front().element = trace::Element::f32;
    PassesOptions options = sized(500, 140);
    options.frames = true;
    EXPECT_GE(grid_layout(picture, options).pitch_x, 8) << "8 x 4 cells";
}

TEST(Grids, AnArrayWithoutAValueTakesNoRoom) {
    Picture picture = in_rows_of(8);
    for (analysis::Cell& cell : picture.rows.front().cells) cell.known = false;
    const GridLayout layout = grid_layout(picture, sized(900));
    EXPECT_EQ(layout.cell(picture, 0, 0), std::nullopt);
    EXPECT_NE(layout.cell(picture, 1, 0), std::nullopt);
}

TEST(Grids, ValuesAreWrittenInTheSmallestCellsThatHaveRoomForThem) {
    for (int height = 200; height < 700; height += 20) {
        const PassesOptions options = sized(900, static_cast<float>(height));
        const Scene scene = draw_passes(in_rows_of(8), hand_made::finished(), options);
        EXPECT_TRUE(grid_layout(in_rows_of(8), options).values);
        EXPECT_THAT(texts_of(scene), Contains("-3")) << height;
        for (const Text& text : all<Text>(scene)) EXPECT_GE(text.size, smallest_text) << text.text;
    }
}

TEST(Grids, EveryCellIsHitWhereItIs) {
    const Picture picture = in_rows_of(8, 1);
    for (const float width : {260.0F, 900.0F}) {
        const PassesOptions options = sized(width, 300);
        const GridLayout layout = grid_layout(picture, options);
        const Scene scene = draw_passes(picture, hand_made::finished(), options);
        for (std::uint32_t row = 0; row < picture.rows.size(); ++row) {
            for (std::uint32_t c = 0; c < picture.columns; ++c) {
                const Box cell = layout.cell(picture, row, c).value();
                const TraceRef ref = hit(scene, cell.center_x(), cell.center_y());
                EXPECT_EQ(ref.kind, TraceRef::Kind::cell);
                EXPECT_EQ(ref.row, row);
                EXPECT_EQ(ref.column, c);
            }
        }
    }
}

TEST(Grids, CanBeRead) {
    for (const float width : {500.0F, 900.0F, 1600.0F})
        EXPECT_THAT(illegible(draw_passes(in_rows_of(8), hand_made::finished(), sized(width, 600))), SizeIs(0));
}

TEST(Grids, DrawTheArcsOfTheSelectedValueAlone) {
    const Picture picture = in_rows_of(8);
    const auto arcs = [&](const PassesState& state) { return all<Curve>(draw_passes(picture, state, sized(900))); };
    EXPECT_THAT(arcs(hand_made::finished()), SizeIs(0));
    const PassesState selected = hand_made::selecting(picture, hand_made::finished(), 1, 0);
    const GridLayout layout = grid_layout(picture, sized(900));
    const Box to = layout.cell(picture, 1, 0).value();
    const std::vector<Curve> drawn = arcs(selected);
    ASSERT_THAT(drawn, SizeIs(2));  // element 0 and element 1
    for (std::uint32_t source = 0; source < 2; ++source) {
        const Box source_box = layout.cell(picture, 0, source).value();
        EXPECT_TRUE(source_box.grown(0.5F).contains(drawn[source].x0, drawn[source].y0)) << source;
        EXPECT_TRUE(to.grown(0.5F).contains(drawn[source].x3, drawn[source].y3)) << source;
    }
}

}  // namespace
}  // namespace lanescope::scene
