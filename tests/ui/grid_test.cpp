// The Grid panel in the window: a click on a block enters it, a click on an arc goes to the read, the wheel zooms.
#include "ui/panels/grid.h"
#include "analysis/panels/warp_places.h"
#include "scene/grid/layout.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace lanescope::ui {
namespace {

using ::testing::HasSubstr;

class GridInWindow : public WindowTest {
  protected:
    void SetUp() override {
        WindowTest::SetUp();
        if (IsSkipped()) return;
        resize(1920, 1080);
    }
    static GridPanel& grid() { return dynamic_cast<GridPanel&>(panel("Grid")); }
    void open(const char* program, const char* n, const char* block) {
        workspace().open(program);
        settle();
        workspace().set_field(ui::Field::block, block);
        settle();
        workspace().set_field(ui::Field::n, n);
        settle();
        bring_up();
    }
    /// Brings the panel up once the panels have been docked for the window's size.
    void bring_up() {
        frames(20);
        shell().bring_up("Grid");
        frames(5);
    }
    void click(const std::optional<ImVec2>& at) {
        ASSERT_TRUE(at);
        act([&](ImGuiTestContext& person) {
            person.MouseMoveToPos(*at);
            person.MouseClick();
        });
    }
    void keep(const std::string& name) {
        keep_picture(name);
        frames(2);
    }
    static std::optional<ImVec2> block(std::uint32_t launch, std::uint32_t number) {
        return grid().view().on_screen(scene::TraceRef::Kind::cell, launch, number);
    }
};

TEST_F(GridInWindow, MultiprocessorsAreLanesAndBlocksWithoutAPlaceNeverStart) {
    open("faulty/grid-barrier", "32", "8");
    EXPECT_TRUE(block(0, 1));
    EXPECT_FALSE(block(0, 2)) << "the two resident blocks never end";
    keep("grid-deadlock");
    workspace().set_field(ui::Field::resident, "2");
    settle();
    frames(5);
    EXPECT_TRUE(block(0, 2));
    EXPECT_TRUE(workspace().shown()->trace().findings.empty());
}

TEST_F(GridInWindow, AClickOnABlockEntersIt) {
    open("scan/chained-blocks", "64", "16");
    ASSERT_EQ(workspace().shown()->block, BlockId(0));
    keep("grid-chained");
    click(block(0, 2));
    EXPECT_EQ(workspace().shown()->block, BlockId(2));
    keep("grid-chained-block-2");
}

TEST_F(GridInWindow, TheCursorIsAtThePresentStep) {
    open("scan/chained-blocks", "64", "16");
    workspace().home();
    frames(2);
    const auto cursor = [] {
        for (const scene::Shape& shape : grid().view().scene().shapes) {
            const auto* const rect = std::get_if<scene::Rect>(&shape);
            if (rect != nullptr && rect->fill.role == scene::Role::cursor && rect->width == 2) return rect->x;
        }
        return -1.0F;
    };
    const float begin = cursor();
    EXPECT_GE(begin, 0);
    workspace().finish();
    frames(2);
    EXPECT_GT(cursor(), begin + 100);
}

TEST_F(GridInWindow, AClickOnAnArcGoesToTheRead) {
    open("scan/chained-blocks", "64", "16");
    const auto& arcs = grid().picture().arcs;
    const auto from_1 = std::ranges::find_if(arcs, [](const analysis::GridArc& arc) {
        return arc.from == BlockId(1) && arc.to == BlockId(2) && !arc.atomic && arc.read_at > arc.written_at + 20;
    });
    ASSERT_NE(from_1, arcs.end());
    for (const scene::Shape& shape : grid().view().scene().shapes) {
        const auto* const curve = std::get_if<scene::Curve>(&shape);
        if (curve == nullptr || curve->ref.kind != scene::TraceRef::Kind::arc ||
            curve->ref.row != static_cast<std::uint32_t>(from_1 - arcs.begin()))
            continue;
        const auto middle = [](float a, float b, float c, float d) { return (a + 3 * b + 3 * c + d) / 8; };
        click(grid().view().on_screen(middle(curve->x0, curve->x1, curve->x2, curve->x3),
                                      middle(curve->y0, curve->y1, curve->y2, curve->y3)));
        break;
    }
    EXPECT_EQ(workspace().shown()->block, BlockId(2));
    EXPECT_EQ(workspace().next_step(), from_1->read);
}

TEST_F(GridInWindow, AClickOnTheTimeAxisGoesToThatMoment) {
    open("scan/chained-blocks", "64", "16");
    const scene::Box& grid_and_axis = grid().view().scene().viewports.front().box;
    click(grid().view().on_screen(grid_and_axis.x + grid_and_axis.width / 2, grid_and_axis.bottom() - 6));
    const auto tick = grid().picture().ticks[workspace().next_step().index()];
    EXPECT_GT(tick, grid().picture().end * 2 / 5);
    EXPECT_LT(tick, grid().picture().end * 3 / 5);
}

TEST_F(GridInWindow, AClickOnABundleOfArcsZoomsIntoIt) {
    open("scan/chained-blocks", "4096", "16");
    workspace().set_field(ui::Field::record, "256");
    settle();
    frames(5);
    ASSERT_GT(grid().picture().arcs.size(), scene::GridPanelLayout::most_single_arcs);
    const auto bundle_under = []() -> std::optional<ImVec2> {
        for (const scene::Shape& shape : grid().view().scene().shapes)
            if (const auto* const box = std::get_if<scene::Rect>(&shape);
                box != nullptr && box->ref.kind == scene::TraceRef::Kind::arc && box->ref.column > 0)
                return grid().view().on_screen(box->x + box->width / 2, box->y + box->height / 2);
        return std::nullopt;
    };
    keep("grid-bundles");
    click(bundle_under());
    frames(3);
    keep("grid-bundle-zoomed");
    EXPECT_FALSE(bundle_under()) << "every visible arc is drawn by itself";
    std::size_t single = 0;
    for (const scene::Shape& shape : grid().view().scene().shapes)
        if (const auto* const curve = std::get_if<scene::Curve>(&shape))
            single += curve->ref.kind == scene::TraceRef::Kind::arc ? 1 : 0;
    EXPECT_GT(single, 20U);
    workspace().set_field(ui::Field::record, "");
    settle();
}

TEST_F(GridInWindow, TheWheelZoomsAndAButtonShowsTheWholeRun) {
    open("scan/chained-blocks", "64", "16");
    const float whole = grid().view().scene().viewports.front().width;
    const auto at = block(0, 1);
    ASSERT_TRUE(at);
    act([&](ImGuiTestContext& person) {
        person.MouseMoveToPos(*at);
        person.MouseWheelY(3);
    });
    EXPECT_GT(grid().view().scene().viewports.front().width, whole * 1.5F);
    keep("grid-zoomed");
}

TEST_F(GridInWindow, TheWarpsOfARecordedBlockShareTheCursor) {
    open("reduce/sequential", "2048", "256");
    workspace().set_field(ui::Field::view, "compiled");
    settle();
    bring_up();
    ASSERT_TRUE(grid().shows_own_launch());
    workspace().home();
    frames(2);
    keep("grid-cursor-on-the-gpu");
    act([](ImGuiTestContext& person) { person.ItemClick("**/##warps"); });
    frames(2);
    const auto part = [](std::uint32_t warp, std::uint32_t number) {
        return grid().view().on_screen(scene::TraceRef::Kind::lane, warp, number);
    };
    // Work after the second wait, of another warp than the one that is followed.
    click(part(5, 4));
    keep("grid-warps-on-the-gpu");
    const auto places = analysis::warp_places(workspace().shown()->view(), workspace().position());
    EXPECT_EQ(places.at(5), (analysis::WarpPlace{.waits = 2, .waiting = false}));
    EXPECT_EQ(workspace().at().followed(), WarpId(5));
    resize(1280, 720);
    bring_up();
    keep("grid-warps-on-the-gpu-small");
    EXPECT_TRUE(part(5, 4));
    resize(1920, 1080);
    open("scan/specialized-warps", "2048", "256");
    EXPECT_TRUE(grid().shows_own_launch()) << "still as compiled";
    keep("grid-specialized-warps-on-the-gpu");
    act([](ImGuiTestContext& person) { person.ItemClick("**/##warps"); });
    frames(2);
    EXPECT_FALSE(part(5, 4)) << "all blocks again";
}

TEST_F(GridInWindow, LooksWellInEveryRoom) {
    for (const auto& [name, n, block] :
         {std::array{"scan/three-launches", "64", "16"}, std::array{"reduce/until-one-is-left", "1024", "16"},
          std::array{"scan/look-back", "512", "32"}, std::array{"reduce/sequential", "96000", "32"}}) {
        open(name, n, block);
        for (const bool small : {false, true}) {
            if (small)
                resize(1280, 720);
            else
                resize(1920, 1080);
            bring_up();
            for (const scene::Theme theme : {scene::Theme::dark, scene::Theme::light}) {
                workspace().settings.theme = theme;
                frames(4);
                std::string file = std::string("grid-") + name + (small ? "-small" : "-large") +
                                   (theme == scene::Theme::dark ? "-dark" : "-light");
                std::ranges::replace(file, '/', '-');
                keep(file);
                EXPECT_THAT(grid().view().scene().description, HasSubstr("launch 0"));
            }
        }
        workspace().settings.theme = scene::Theme::dark;
    }
}

}  // namespace
}  // namespace lanescope::ui
