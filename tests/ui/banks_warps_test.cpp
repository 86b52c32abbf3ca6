// Banks and Warps in the window: they follow the cursor, and wavefronts can be clicked.
#include "ui/panels/banks.h"
#include "ui/panels/warps.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>

#include <fstream>
#include <variant>

namespace lanescope::ui {
namespace {

class Hardware : public WindowTest {
  protected:
    static BanksPanel& banks() { return dynamic_cast<BanksPanel&>(panel("Banks")); }
    static WarpsPanel& warps() { return dynamic_cast<WarpsPanel&>(panel("Warps")); }
    /// The arrangement that has room for all panels.
    void arrange_for_study() {
        resize(1920, 1080);
        shell().arrange(Arrangement::study);
        frames(5);
    }
    /// The start of a pass of the kernel, in blocks of 256.
    void show(const char* kernel, std::size_t pass) {
        run(kernel, "256");
        arrange_for_study();
        workspace().seek_pass(pass);
    }
};

TEST_F(Hardware, BanksShowTheAccessAtTheCursor) {
    show("reduce/strided-index", 4);
    frames(3);
    const analysis::BankPicture* picture = banks().picture();
    ASSERT_NE(picture, nullptr);
    EXPECT_EQ(picture->wavefronts.size(), 8U);
    EXPECT_FALSE(banks().wavefront().has_value());
    workspace().home();
    frames(3);
}

TEST_F(Hardware, BanksShowAWholePass) {
    show("reduce/strided-index", 4);
    banks().show_pass(true);
    frames(3);
    ASSERT_FALSE(banks().heat().rows.empty());
    EXPECT_EQ(std::ranges::max(banks().heat().rows.front().degree), 8U);
    banks().show_pass(false);
    frames(2);
}

TEST_F(Hardware, ControlsThatHaveNoRoomBesideTheTabsStandAboveTheContent) {
    run("reduce/strided-index", "256");
    resize(1280, 720);
    shell().arrange(Arrangement::compare);
    frames(10);
    workspace().seek_pass(4);
    banks().show_pass(false);
    frames(3);
    act([](ImGuiTestContext& person) { person.ItemClick("//Banks/##what/$$1/segment"); });
    frames(3);
    EXPECT_FALSE(banks().heat().rows.empty()) << "the whole pass is shown";
    banks().show_pass(false);
    frames(2);
}

TEST_F(Hardware, BanksSayWhereThereIsNoAccess) {
    arrange_for_study();
    workspace().home();
    frames(3);
    ASSERT_NE(banks().picture(), nullptr) << "the next access, the store of the load pass";
    EXPECT_EQ(banks().picture()->kind, trace::EffectKind::store);
}

TEST_F(Hardware, BanksSayThatAKernelHasNoSharedMemory) {
    run("reduce/butterfly", "32");
    arrange_for_study();
    EXPECT_EQ(banks().picture(), nullptr);
    EXPECT_EQ(banks().drawn()->description, "This kernel does not use shared memory.");
}

TEST_F(Hardware, TheWheelOverTheButtonsGoesFromWavefrontToWavefront) {
    show("reduce/strided-index", 4);
    frames(3);
    ImVec2 at;
    for (const scene::Shape& shape : banks().drawn()->shapes) {
        const auto* rect = std::get_if<scene::Rect>(&shape);
        if (rect != nullptr && rect->ref.kind == scene::TraceRef::Kind::wavefront)
            at = banks().view().on_screen(rect->x + rect->width / 2, rect->y + rect->height / 2);
    }
    act([&](ImGuiTestContext& person) {
        person.MouseSetViewport(ImGui::FindWindowByName("Banks"));
        person.MouseMoveToPos(at);
        person.MouseWheelY(-1);
        person.MouseWheelY(-1);
    });
    EXPECT_THAT(banks().wavefront(), testing::Optional(1U));
    act([](ImGuiTestContext& person) {
        for (int notch = 0; notch < 4; ++notch) person.MouseWheelY(1);
    });
    EXPECT_FALSE(banks().wavefront().has_value()) << "back to all";
}

TEST_F(Hardware, WarpsShowThePassAtTheCursor) {
    show("reduce/interleaved-modulo", 3);
    frames(3);
    const analysis::WarpPicture& picture = warps().picture();
    ASSERT_EQ(picture.rows.size(), 8U);
    EXPECT_EQ(picture.rows[5].useful.count(), 4U);
}

TEST_F(Hardware, WarpsShowTheInstructionsOfTheWarpThatOneFollows) {
    show("reduce/interleaved-modulo", 3);
    warps().show(WarpsPanel::Rows::instructions);
    workspace().choose(WarpId(2), 8);
    frames(3);
    const auto sides = std::ranges::count_if(warps().rows(), [](const analysis::InstructionRow& row) {
        return row.executed == LaneMask(0x0101'0101U);  // tid % 8 == 0
    });
    EXPECT_GE(sides, 1);
    EXPECT_EQ(workspace().at().followed(), WarpId(2));
    EXPECT_THAT(workspace().lane(), testing::Optional(Lane{WarpId(2), 8}));
    workspace().clear_selection();
    EXPECT_FALSE(workspace().lane().has_value());
    warps().show(WarpsPanel::Rows::warps);
    frames(2);
}

TEST_F(Hardware, WarpsShowAllPassesAndAClickGoesToOne) {
    show("reduce/interleaved-modulo", 1);
    warps().show(WarpsPanel::Rows::passes);
    frames(3);
    const scene::Scene* drawn = warps().drawn();
    ASSERT_NE(drawn, nullptr);
    std::vector<scene::Rect> rows;
    for (const scene::Shape& shape : drawn->shapes) {
        const auto* rect = std::get_if<scene::Rect>(&shape);
        if (rect != nullptr && rect->ref.kind == scene::TraceRef::Kind::row) rows.push_back(*rect);
    }
    ASSERT_EQ(rows.size(), workspace().shown()->passes->passes.size());
    const ImVec2 at = warps().view().on_screen(20, rows[4].y + rows[4].height / 2);
    act([&](ImGuiTestContext& person) {
        person.MouseSetViewport(ImGui::FindWindowByName("Warps"));
        person.MouseMoveToPos(at);
        person.MouseClick();
    });
    EXPECT_EQ(workspace().pass(), 4U);
    warps().show(WarpsPanel::Rows::warps);
    frames(2);
}

TEST_F(Hardware, WarpsShowABlockOfTwoDimensionsInItsShape) {
    run_source("shape.cu",
               "__global__ void turn(const float* from, float* to)\n{\n"
               "    __shared__ float tile[8][16];\n"
               "    tile[threadIdx.y][threadIdx.x] = from[threadIdx.y * 16 + threadIdx.x];\n"
               "    __syncthreads();\n"
               "    if (threadIdx.x < 8) to[threadIdx.x * 8 + threadIdx.y] = "
               "tile[threadIdx.y][threadIdx.x];\n}\n",
               "16x8", "128");
    ASSERT_NE(workspace().shown(), nullptr);
    ASSERT_EQ(workspace().shown()->threads(), 128U);
    resize(1920, 1080);
    shell().arrange(Arrangement::study);
    shell().bring_up("Warps");
    frames(8);
    workspace().seek_pass(1);
    warps().show(WarpsPanel::Rows::block);
    frames(4);
    keep_picture("block-shape-1920");
    frames(1);
    std::size_t lanes = 0;
    for (const scene::Shape& shape : warps().view().scene().shapes) {
        const auto* const rect = std::get_if<scene::Rect>(&shape);
        if (rect != nullptr && rect->ref.kind == scene::TraceRef::Kind::lane) ++lanes;
    }
    EXPECT_EQ(lanes, 128U);
    run("reduce/sequential", "32");
    frames(4);
    EXPECT_EQ(warps().rows_shown(), WarpsPanel::Rows::warps) << "a block of one row has no such picture";
}

TEST_F(Hardware, InALowWindowTheyStandBehindPasses) {
    resize(1280, 720);
    shell().arrange(Arrangement::study);
    frames(5);
    shell().bring_up("Banks");
    frames(5);
    ASSERT_NE(banks().picture(), nullptr);
    keep_picture("banks-1280");
    frames(1);
    shell().bring_up("Passes");
    frames(3);
}

}  // namespace
}  // namespace lanescope::ui
