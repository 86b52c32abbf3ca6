// Map in the window: a click on a cell enters the warp at its first execution with excess, and Banks shows that access.
#include "ui/panels/map.h"

#include "analysis/panels/excess_counts.h"
#include "ui/panels/banks.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>

namespace lanescope::ui {
namespace {

class MapTest : public WindowTest {
  protected:
    static MapPanel& map() { return dynamic_cast<MapPanel&>(panel("Map")); }
    void click_cell(std::size_t row, std::size_t column) {
        const auto at = map().view().on_screen(scene::TraceRef::Kind::cell, static_cast<std::uint32_t>(row),
                                               static_cast<std::uint32_t>(column));
        ASSERT_TRUE(at.has_value());
        act([&](ImGuiTestContext& person) {
            person.MouseSetViewport(ImGui::FindWindowByName("Map"));
            person.MouseMoveToPos(*at);
            person.MouseClick();
        });
        frames(3);
    }
    void await_map() {
        frames(3);
        until([] { return !map().making(); });
        frames(3);
    }
    void show(const char* kernel, const char* block) {
        run(kernel, block);
        resize(1920, 1080);
        shell().arrange(Arrangement::study);
        frames(8);
        shell().bring_up("Map");
        await_map();
        workspace().home();
        frames(3);
    }
};

TEST_F(MapTest, AClickEntersTheWarpAtItsFirstExecutionWithExcess) {
    show("reduce/strided-index", "128");
    ASSERT_EQ(map().rows().kind, analysis::MapRows::warps);
    ASSERT_EQ(map().rows().rows.size(), 4U);
    std::optional<std::size_t> column;
    for (std::size_t i = 0; i < map().map().columns.size(); ++i)
        if (map().map().rows[1].cells[i].excess() > 0) column = i;
    ASSERT_TRUE(column.has_value()) << "warp 1 has conflicts";
    keep_picture("map-dark");
    frames(2);
    const analysis::MapCell cell = map().map().rows[1].cells[*column];
    click_cell(1, *column);
    EXPECT_EQ(workspace().next_step(), cell.first_excess);
    EXPECT_EQ(workspace().at().followed(), WarpId(1));
    EXPECT_EQ(workspace().next_ptx_line(), map().map().columns[*column].line);
    shell().bring_up("Banks");
    frames(5);
    auto& banks = dynamic_cast<BanksPanel&>(panel("Banks"));
    ASSERT_NE(banks.picture(), nullptr);
    EXPECT_EQ(banks.picture()->step, cell.first_excess);
    EXPECT_TRUE(banks.picture()->conflict());
    const auto lane = banks.picture()->lanes_of_turn(1).lowest();
    EXPECT_THAT(workspace().lane(), testing::Optional(Lane{WarpId(1), lane})) << "the first that waits";
}

TEST_F(MapTest, ThePointerOverACellNamesItsWarpItsLineAndItsExpression) {
    show("reduce/strided-index", "128");
    for (const std::uint32_t row : {0U, 3U}) {
        for (std::uint32_t column = 0; column < map().map().columns.size(); ++column) {
            const auto at = map().view().on_screen(scene::TraceRef::Kind::cell, row, column);
            ASSERT_TRUE(at.has_value()) << row << ", " << column;
            scene::TraceRef under;
            act([&](ImGuiTestContext& person) {
                person.MouseSetViewport(ImGui::FindWindowByName("Map"));
                person.MouseMoveToPos(*at);
                person.Yield(2);
                under = map().view().under_mouse();
            });
            ASSERT_EQ(under.kind, scene::TraceRef::Kind::cell);
            EXPECT_EQ(under.row, row);
            EXPECT_EQ(under.column, column);
            const analysis::MapColumn& of = map().map().columns[column];
            EXPECT_FALSE(of.access.empty()) << "PTX line " << of.line.value;
            const Facts facts = map().facts_of(workspace(), &map().rows().rows[under.row], under.column);
            EXPECT_THAT(facts.front().first, testing::HasSubstr("warp " + std::to_string(row)));
            EXPECT_EQ(facts[1].first, "line " + std::to_string(of.source_line));
            EXPECT_THAT(facts[1].second, testing::HasSubstr(of.access));
        }
    }
}

TEST_F(MapTest, EntersAnotherBlock) {
    show("reduce/strided-index", "64");
    type("grid", "3");
    settle();
    shell().bring_up("Map");
    await_map();
    ASSERT_EQ(map().map().rows.size(), 6U);
    const auto& columns = map().map().columns;
    const auto shared = static_cast<std::size_t>(
        std::ranges::find(columns, trace::Space::shared, &analysis::MapColumn::space) - columns.begin());
    ASSERT_LT(shared, columns.size());
    click_cell(4, shared);
    EXPECT_EQ(workspace().shown()->block, BlockId(2));
    EXPECT_EQ(workspace().at().followed(), WarpId(0));
    EXPECT_EQ(workspace().next_step(), map().map().rows[4].cells[shared].target());
}

TEST_F(MapTest, OfTheNextRunIsCountedInTheBackgroundWhileTheOldOneIsDrawn) {
    show("reduce/strided-index", "64");
    const std::size_t before = map().map().rows.size();
    ASSERT_EQ(before, 2U);
    LaunchValues values = workspace().form().ran();  // so many accesses that the count takes several frames
    values[Field::block] = "256";
    values[Field::n] = "4096";
    workspace().begin(std::move(values));
    bool drawn_before = false;
    until([&] {
        drawn_before = drawn_before || (map().making() && !map().drawn()->shapes.empty());
        return map().map().rows.size() != before;
    });
    frames(3);
    EXPECT_TRUE(drawn_before) << "the picture of two warps, while that of 128 is made";
    EXPECT_EQ(map().map().rows.size(), 8 * map().map().recorded);
    EXPECT_FALSE(map().making());
}

}  // namespace
}  // namespace lanescope::ui
